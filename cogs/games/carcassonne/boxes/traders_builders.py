"""*Traders & Builders*: words for the goods that are printed on tiles, and for those that players have collected."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from cogs.games.carcassonne.box import BoxPresenter
from cogs.texts import t
from engine.carcassonne import Position
from engine.carcassonne.expansions.traders_builders import GoodsTaken, goods_of, goods_on


def _taken(names: Sequence[str], event: GoodsTaken) -> str:
    """Tell which goods a player has collected."""
    goods = t(f"goods.{event.kind}", count=event.count)
    return t("story.goods", player=names[event.player], goods=goods)


def _belongings(position: Position, seat: int) -> Iterator[str]:
    """Name the goods that a seat has collected."""
    return (t(f"piece.{kind}", count=count) for kind, count in goods_of(position)[seat].items() if count)


def _counted(position: Position, seat: int) -> Mapping[str, int]:
    """Count the goods of a seat, by kind."""
    return {str(kind): count for kind, count in goods_of(position)[seat].items()}


BOX: Final = BoxPresenter(
    categories=("goods",),
    events={GoodsTaken: _taken},
    foretold_events=(GoodsTaken,),
    drawn=lambda segment: goods_on(segment) or "",
    belongings=_belongings,
    counted=_counted,
)
