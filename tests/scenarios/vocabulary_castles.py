"""More words, for the scenarios of castles and bazaars.

The usual castle of the scenarios stands on (0, 0) and (0, 1), so that its fief is x -1 … 1, y 0 … 1; round it there is
nothing but field.
"""

from __future__ import annotations

from collections.abc import Iterable

from engine.actions import Pass
from engine.carcassonne import Position
from engine.carcassonne.expansions.bridges_castles_bazaars import (
    Bazaar,
    Bid,
    BidOnLot,
    Buy,
    Castle,
    ChooseCastleSource,
    ChooseLot,
    ChooseSource,
    DecideTown,
    PickLot,
    SelectLot,
    Sell,
    bazaar_of,
    castles_of,
)
from engine.carcassonne.steps import PlaceTile
from engine.carcassonne.tiles import TileKind
from engine.events import Completed, Event, Scored
from engine.geometry import Cell
from tests.scenarios.vocabulary import cell, only, passing

TOWN = ["base/E 0,0 180", "base/E 0,1 0"]
"""A town of two caps, one above the other."""
SOUTH_CAP = "base/E 0,0 180"
"""The upper half of that town."""


def road(x: int, y: int, tiles: int) -> list[str]:
    """A road from (x, y) to the east, all but its last tile: ``base/A`` at 90 degrees completes it."""
    return [f"base/A {x},{y} 270", *(f"base/U {x + step},{y} 0" for step in range(1, tiles - 1))]


def city(x: int, y: int, middle: str) -> list[str]:
    """A city from (x, y) to the east, all but its last tile: ``base/E`` at 270 degrees completes it.

    The first and the last tile are worth 2 points each, an F in the middle 4, a G 2.
    """
    return [f"base/E {x},{y} 90", *(f"base/{letter} {x + step},{y} 0" for step, letter in enumerate(middle, start=1))]


def fields(*cells: str) -> list[str]:
    """Tiles that show nothing but field and the picture of a bazaar."""
    return [f"bcb/FFFF {where} 0" for where in cells]


def castle(position: Position, where: str) -> Castle:
    """The castle that covers a cell."""
    (found,) = (one for one in castles_of(position) if cell(where) in one.cells)
    return found


def lords(position: Position, where: str) -> list[int]:
    """The seats of the followers in a castle."""
    return [follower.player for follower in castle(position, where).followers]


def asked_about_town(position: Position) -> tuple[int, set[Cell]] | None:
    """Return the player who has to decide about a town, and the town's cells; None if no one has to."""
    step = position.step
    return (step.player, set(step.cells)) if isinstance(step, DecideTown) else None


def town_points(position: Position) -> int:
    """Return the points of the town in question, if it is scored."""
    step = position.step
    assert isinstance(step, DecideTown)
    return step.points


def menu(position: Position) -> dict[str, int]:
    """Return the castle's possible sources: points by kind of structure; empty when no one has to choose."""
    step = position.step
    if not isinstance(step, ChooseCastleSource):
        return {}
    return {_kind(choice): points for choice, points in step.options}


def take(position: Position, kind: str) -> list[Event]:
    """Choose the structure of this kind for the castle."""
    step = position.step
    assert isinstance(step, ChooseCastleSource)
    (choice,) = (choice for choice, _ in step.options if _kind(choice) == kind)
    return list(position.apply(choice))


def _kind(choice: ChooseSource) -> str:
    return choice.segment.partition(".")[0]


def gained(events: Iterable[object]) -> dict[int, int]:
    """Return the total points by seat; seats without points are left out."""
    sums: dict[int, int] = {}
    for scored in only(Scored, events):
        sums[scored.player] = sums.get(scored.player, 0) + scored.points
    return {seat: points for seat, points in sums.items() if points}


def castle_points(events: Iterable[object]) -> list[tuple[int, int]]:
    """Return the scores of castles alone: (seat, points). A lord that returns without points is left out."""
    return [(one.player, one.points) for one in only(Scored, events) if one.kind == "castle" and one.points]


def completed(events: Iterable[object]) -> list[tuple[str, int]]:
    """The structures that were completed, sorted: (kind, whole value)."""
    return sorted((one.kind, one.points) for one in only(Completed, events))


def kinds(events: Iterable[object]) -> list[type[object]]:
    """The types of the events, in order."""
    return [type(event) for event in events]


def tile_ids(tiles: Iterable[TileKind]) -> list[str]:
    """The ids of tiles."""
    return [kind.id for kind in tiles]


def to_place(position: Position) -> tuple[int, str]:
    """Return the player who has to place a tile, and the tile."""
    step = position.step
    assert isinstance(step, PlaceTile)
    return step.player, step.tile.id


def bazaar(position: Position) -> Bazaar:
    """The bazaar in progress."""
    bazaar = bazaar_of(position)
    assert bazaar is not None
    return bazaar


def hold(position: Position, *deeds: str) -> list[Event]:
    """Play a part of a bazaar; the rules determine the player of each action.

    A deed is ``2@5`` (lot and opening bid), ``7`` (a raise), ``pass``, ``buy``, ``sell`` or ``pick 1``.
    """
    events: list[Event] = []
    for deed in deeds:
        events += position.apply(_deed(deed))
    return events


def _deed(deed: str) -> SelectLot | Bid | Pass | Buy | Sell | PickLot:
    match deed.replace("@", " @ ").split():
        case ["pass"]:
            return Pass()
        case ["buy"]:
            return Buy()
        case ["sell"]:
            return Sell()
        case ["pick", lot]:
            return PickLot(int(lot))
        case [lot, "@", bid]:
            return SelectLot(int(lot), int(bid))
        case [amount]:
            return Bid(int(amount))
        case _:
            raise ValueError(deed)


def hand_out_free(position: Position) -> list[Event]:
    """Auction every lot for nothing: each selector opens with 0 and all others pass, or takes the first lot left."""
    events: list[Event] = []
    while isinstance(position.step, ChooseLot | BidOnLot):
        if isinstance(position.step, BidOnLot):
            events += position.apply(Pass())
        else:
            lot = bazaar(position).open_lots[0] + 1
            picks = position.step.picks(position)
            events += position.apply(PickLot(lot) if picks else SelectLot(lot, 0))
    return events


def lay_anywhere(position: Position) -> list[Event]:
    """Place the tile in hand on the first legal spot and deploy no one."""
    assert isinstance(position.step, PlaceTile)
    return list(position.apply(next(iter(position.legal_actions)))) + passing(position)
