"""*The Abbot*: words for gardens, and for taking the abbot home."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from cogs.games.carcassonne.box import BoxPresenter
from cogs.games.carcassonne.words import place_of
from cogs.texts import t
from engine import tiles
from engine.carcassonne import Position
from engine.carcassonne.expansions.abbot import GARDEN, AbbotTakenHome, TakeAbbotHome, abbot_of


def _home_words(position: Position, _action: TakeAbbotHome) -> str:
    """Describe taking the abbot home from where he stands."""
    place = abbot_of(position, position.player)
    if place is None:
        raise LookupError("no abbot of this player stands on the board")
    cell, segment = position.land.part(place[1].segment)
    return t("action.abbot_home", place=place_of(position, cell, segment.name))


def _taken_home(names: Sequence[str], event: AbbotTakenHome) -> str:
    """Tell that a player has taken their abbot home."""
    return t("story.abbot_home", player=names[event.player], cell=event.cell.label)


def _parts(kind: tiles.TileKind) -> Iterator[str]:
    """Name the garden on a tile."""
    return (t("tile.garden") for segment in kind.segments if segment.kind == GARDEN.name)


BOX: Final = BoxPresenter(
    categories=(GARDEN.name,),
    actions={TakeAbbotHome: _home_words},
    events={AbbotTakenHome: _taken_home},
    foretold_events=(AbbotTakenHome,),
    instead=(TakeAbbotHome,),
    parts=_parts,
)
