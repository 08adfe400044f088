"""Helpers for the scenarios of castles and bazaars.

Unless a scenario says otherwise, the castle stands on (0, 0) and (0, 1), surrounded by fields. Its fief, the block of
cells whose structures can feed it, is x -1 … 1, y 0 … 1.
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
from tests.scenarios.vocabulary import cell, events_of, skip_deployment

TOWN = ["base/E 0,0 180", "base/E 0,1 0"]
"""A town of two caps (tiles with city on one side), one above the other."""
SOUTH_CAP = "base/E 0,0 180"
"""The upper tile of that town alone: a city that is open to the south."""


def unfinished_road(x: int, y: int, tiles: int) -> list[str]:
    """Return a road from (x, y) to the east without its last tile: ``base/A`` at 90 degrees completes it."""
    return [f"base/A {x},{y} 270", *(f"base/U {x + step},{y} 0" for step in range(1, tiles - 1))]


def unfinished_city(x: int, y: int, middle: str) -> list[str]:
    """Return a city from (x, y) to the east without its last tile: ``base/E`` at 270 degrees completes it.

    ``middle`` names the tiles between by their letters. The first and the last tile are worth 2 points each, an F 4 (it
    has a pennant), a G 2.
    """
    return [f"base/E {x},{y} 90", *(f"base/{letter} {x + step},{y} 0" for step, letter in enumerate(middle, start=1))]


def field_tiles(*cells: str) -> list[str]:
    """Return tiles that show nothing but field and the picture of a bazaar."""
    return [f"bcb/FFFF {where} 0" for where in cells]


def castle(position: Position, where: str) -> Castle:
    """Return the castle that covers a cell."""
    (covering,) = (candidate for candidate in castles_of(position) if cell(where) in candidate.cells)
    return covering


def lords(position: Position, where: str) -> list[int]:
    """Return the seats of the followers in a castle."""
    return [follower.player for follower in castle(position, where).followers]


def pending_town(position: Position) -> tuple[int, set[Cell]] | None:
    """Return the player to decide whether a town becomes a castle, and its cells; None without such a decision."""
    step = position.step
    return (step.player, set(step.cells)) if isinstance(step, DecideTown) else None


def town_points(position: Position) -> int:
    """Return the points of the town in question, if it is scored."""
    step = position.step
    assert isinstance(step, DecideTown)
    return step.points


def source_options(position: Position) -> dict[str, int]:
    """Return the structures that may feed the castle in question, as points by kind; empty without such a choice."""
    step = position.step
    if not isinstance(step, ChooseCastleSource):
        return {}
    return {_kind(choice): points for choice, points in step.options}


def choose_source(position: Position, kind: str) -> list[Event]:
    """Feed the castle with the structure of this kind; return the events."""
    step = position.step
    assert isinstance(step, ChooseCastleSource)
    (choice,) = (choice for choice, _ in step.options if _kind(choice) == kind)
    return list(position.apply(choice))


def _kind(choice: ChooseSource) -> str:
    """Return the kind of structure that a choice takes."""
    return choice.segment.partition(".")[0]


def points_by_seat(events: Iterable[object]) -> dict[int, int]:
    """Return the total points by seat; seats without points are left out."""
    sums: dict[int, int] = {}
    for scored in events_of(Scored, events):
        sums[scored.player] = sums.get(scored.player, 0) + scored.points
    return {seat: points for seat, points in sums.items() if points}


def castle_points(events: Iterable[object]) -> list[tuple[int, int]]:
    """Return the scores of castles alone: (seat, points). A lord that returns without points is left out."""
    return [
        (event.player, event.points) for event in events_of(Scored, events) if event.kind == "castle" and event.points
    ]


def completed_structures(events: Iterable[object]) -> list[tuple[str, int]]:
    """Return the structures that were completed, sorted: (kind, whole value)."""
    return sorted((event.kind, event.points) for event in events_of(Completed, events))


def event_types(events: Iterable[object]) -> list[type[object]]:
    """Return the types of the events, in order."""
    return [type(event) for event in events]


def tile_ids(tiles: Iterable[TileKind]) -> list[str]:
    """Return the ids of tiles."""
    return [kind.id for kind in tiles]


def tile_to_place(position: Position) -> tuple[int, str]:
    """Return the player who has to place a tile, and the tile."""
    step = position.step
    assert isinstance(step, PlaceTile)
    return step.player, step.tile.id


def bazaar(position: Position) -> Bazaar:
    """Return the bazaar in progress."""
    bazaar = bazaar_of(position)
    assert bazaar is not None
    return bazaar


def play_bazaar(position: Position, *decisions: str) -> list[Event]:
    """Apply decisions of a bazaar in turn; the rules determine the player of each.

    A decision is ``2@5`` (lot and opening bid), ``7`` (a raise), ``pass``, ``buy``, ``sell`` or ``pick 1``.
    """
    events: list[Event] = []
    for decision in decisions:
        events += position.apply(_bazaar_action(decision))
    return events


def _bazaar_action(decision: str) -> SelectLot | Bid | Pass | Buy | Sell | PickLot:
    """Return the action that a text stands for, such as ``1@0`` or ``pass``."""
    match decision.replace("@", " @ ").split():
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
            raise ValueError(decision)


def auction_for_free(position: Position) -> list[Event]:
    """Finish the bazaar without spending points.

    In an auction each selector opens the first lot with 0 and all others pass; in a draft each takes the first lot
    left.
    """
    events: list[Event] = []
    while isinstance(position.step, ChooseLot | BidOnLot):
        if isinstance(position.step, BidOnLot):
            events += position.apply(Pass())
        else:
            lot = bazaar(position).open_lots[0] + 1
            picks = position.step.picks(position)
            events += position.apply(PickLot(lot) if picks else SelectLot(lot, 0))
    return events


def place_anywhere(position: Position) -> list[Event]:
    """Make the first legal placement and deploy no figure."""
    assert isinstance(position.step, PlaceTile)
    return list(position.apply(next(iter(position.legal_actions)))) + skip_deployment(position)
