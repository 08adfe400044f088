"""*King & Robber Baron*: words for the two markers.

They say who takes a marker, who holds it, and which size of city or road wins it from its holder.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from cogs.games.carcassonne.box import BoxPresenter
from cogs.presenting.presenter import Listener
from cogs.texts import listed, t
from engine.carcassonne import Position
from engine.carcassonne.expansions import KING_ROBBER
from engine.carcassonne.expansions.king_robber import KingRobberTaken, Marker, holding_of, markers_of


def _taken(names: Sequence[str], event: KingRobberTaken) -> str:
    """Tell that a player has taken, kept or shared a marker."""
    variant = "kept" if event.kept else "shared" if len(event.holders) > 1 else "taken"
    return t(f"story.{event.marker}_{variant}", player=names[event.player], count=event.size)


def _belongings(position: Position, seat: int) -> Iterator[str]:
    """Name the markers that a seat holds."""
    return (t(f"piece.{marker}", count=size) for marker, size in _sizes(position, seat).items())


def _sizes(position: Position, seat: int) -> Mapping[Marker, int]:
    """Return the markers that a seat holds, with the size of the feature that won them."""
    held = ((marker, holding_of(position, marker)) for marker in markers_of(position, seat))
    return {marker: holding.size for marker, holding in held if holding is not None}


def _counted(position: Position, seat: int) -> Mapping[str, int]:
    """Return the size that each marker counts for this seat; 0 for a marker of another seat."""
    sizes = _sizes(position, seat)
    return {str(marker): sizes.get(marker, 0) for marker in Marker}


def _beside_board(names: Sequence[str], position: Position) -> Iterator[str]:
    """Say who holds each marker, and how many tiles the feature has that won it."""
    for marker in Marker if KING_ROBBER in position.setup.expansions else ():
        holding = holding_of(position, marker)
        if holding is None:
            yield t(f"tell.{marker}_nobody")
        else:
            yield t(f"tell.{marker}", players=listed([names[seat] for seat in holding.holders]), count=holding.size)


def _tell_holders(listener: Listener, position: Position) -> Iterator[str]:
    """Say who holds each marker, for a player who listens."""
    return _beside_board(listener.names, position)


BOX: Final = BoxPresenter(
    categories=tuple(map(str, Marker)),
    events={KingRobberTaken: _taken},
    foretold_events=(KingRobberTaken,),
    belongings=_belongings,
    counted=_counted,
    beside_board=_beside_board,
    chapters={"king_robber": _tell_holders},
)
