"""Random games with the abbot and each other box, followed by a model that only reads events.

The model counts the tiles around a garden or monastery itself, and knows where every abbot stands. Codes such as AB-12
are rules of the rule digest.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from random import Random

import pytest

from engine import Resign, state_digest
from engine.actions import Deploy, Place
from engine.carcassonne import DeployFollower, Options, Position, new_setup
from engine.carcassonne.expansions import ABBOT, REGISTRY
from engine.carcassonne.expansions.abbot import GARDEN, AbbotTakenHome, TakeAbbotHome, abbot_of
from engine.carcassonne.setup import tiles_in_play
from engine.carcassonne.table import Expansion
from engine.events import Completed, Deployed, Event, Returned, Scored, TilePlaced
from engine.geometry import AROUND, Cell
from engine.notation.positions import format_position, parse_position
from engine.notation.records import Record, format_record, read_record
from tests.engine.carcassonne_games import lively_action
from tests.soak import first

BESIDE = [(), *((name,) for name in REGISTRY if name != ABBOT), tuple(REGISTRY)]
"""The other boxes in the game: none, each one with those that it depends on, and all."""
GAMES = 50
"""The number of random games with each of them."""


@dataclass
class Model:
    """The tiles on the table, and the cells of the abbots, as they follow from the events."""

    tiles: set[Cell] = field(default_factory=lambda: {Cell(0, 0)})
    abbots: dict[int, Cell] = field(default_factory=dict)
    homecoming: AbbotTakenHome | None = None
    """The abbot who was just taken home, until his points are told."""
    taken_home: int = 0

    def read(self, events: Iterable[Event]) -> None:
        """Follow the events, and check what they say of abbots and gardens."""
        for event in events:
            match event:
                case TilePlaced(cell=cell):
                    self.tiles.add(cell)
                case Deployed(figure="abbot"):
                    assert event.segment.kind in {"garden", "monastery"}
                    assert event.player not in self.abbots
                    self.abbots[event.player] = event.cell
                case AbbotTakenHome():
                    self.homecoming = event
                case Scored() if self.homecoming is not None:
                    assert event.player == self.homecoming.player
                    assert event.points == self.worth(self.abbots[event.player]) < 9
                    self.homecoming, self.taken_home = None, self.taken_home + 1
                case Scored(kind="garden", cells=(cell,)):
                    assert self.abbots[event.player] == cell
                    assert event.points == self.worth(cell)
                case Completed(kind="garden", cells=(cell,)):
                    assert event.points == self.worth(cell) == 9
                case Returned(figure="abbot"):
                    assert self.abbots.pop(event.player) == event.cell
                case _:
                    pass

    def worth(self, cell: Cell) -> int:
        """Return the points of a garden or monastery: its tile, and those on the eight cells around it."""
        return sum(Cell(cell.x + x, cell.y + y) in self.tiles for x in (-1, 0, 1) for y in (-1, 0, 1))


def boxes_beside(number: int) -> tuple[str, ...]:
    """Return the boxes of a game in the order of the registry."""
    beside = BESIDE[number % len(BESIDE)]
    needed = {*beside, *(other for name in beside for other in REGISTRY[name].depends_on), ABBOT}
    return tuple(name for name in REGISTRY if name in needed)


def abbots_action(position: Position, random: Random) -> object:
    """Choose an action that often has to do with an abbot."""
    if isinstance(position.step, DeployFollower) and random.random() < 0.7:
        actions = list(position.legal_actions)
        own = [action for action in actions if isinstance(action, Deploy) and action.figure == "abbot"]
        if own:
            return own[0]
        if TakeAbbotHome() in actions and random.random() < 0.3:
            return TakeAbbotHome()
    return lively_action(position, random)


@pytest.mark.parametrize("number", first(len(BESIDE), range(GAMES * len(BESIDE))))
def test_the_abbots_of_a_random_game_are_those_of_the_model(number: int) -> None:
    """AB-04 to AB-20, with every number of players and every option."""
    random = Random(number)
    values = {name: random.choice(Options.values()[name]) for name in ("tile_edition", "castle_garden")}
    options = Options.of(values | {"bridge_timing": random.choice(("after_tile", "any_time"))})
    setup = new_setup(players=2 + number % 5, seed=str(number), options=options, expansions=boxes_beside(number))
    position, model, actions = Position(setup), Model(), []
    while position.step is not None:
        leaves = random.random() < 0.002 and position.withdrawn.count(False) > 2
        action = Resign(position.player) if leaves else abbots_action(position, random)
        if random.random() < 0.05:
            before = state_digest(position)
            position.push(action)
            position.pop()
            assert state_digest(position) == before
        if random.random() < 0.05:
            text = format_position(position)
            assert format_position(parse_position(text)) == text
        actions.append(action)
        model.read(position.apply(action))
        standing = {seat: abbot_of(position, seat) for seat in range(position.players)}
        cells = {seat: position.land.part(place[1].segment)[0] for seat, place in standing.items() if place}
        unfinished = {seat: cell for seat, cell in model.abbots.items() if model.worth(cell) < 9}
        assert cells == unfinished or position.is_over
    record = read_record(format_record(Record.of(setup, actions)))
    assert state_digest(record.position()) == state_digest(position)


def test_abbots_go_to_gardens_and_monasteries_and_come_home_in_random_games() -> None:
    places, taken_home = set[str](), 0
    for number in range(4):
        random, model = Random(number), Model()
        options = Options.of({"tile_edition": "c2"})
        position = Position(new_setup(players=3, seed=str(number), options=options, expansions=(ABBOT,)))
        while position.step is not None:
            events = position.apply(abbots_action(position, random))
            model.read(events)
            places |= {event.segment.kind for event in events if isinstance(event, Deployed) and event.figure == ABBOT}
        taken_home += model.taken_home
    assert places == {"garden", "monastery"}
    assert taken_home > 4


@pytest.mark.parametrize("name", [name for name in REGISTRY if name != ABBOT])
def test_without_the_abbot_a_garden_is_never_complete(name: str) -> None:
    """SU-11: it is a drawing, and no hook of the box is called."""
    boxes = tuple(box for box in boxes_beside(BESIDE.index((name,))) if box != ABBOT)
    options = Options.of({"tile_edition": "c2"})
    random, position = Random(1), Position(new_setup(players=2, seed="1", options=options, expansions=boxes))
    own = REGISTRY[ABBOT].mechanisms
    assert not [handler for handlers in position.hook_handlers.values() for handler in handlers if handler in own]
    surrounded = 0
    while position.step is not None:
        spots = [action for action in position.legal_actions if isinstance(action, Place)]
        crowded = max(spots, key=lambda spot: neighbours(position, spot.cell), default=None)
        events = position.apply(crowded or lively_action(position, random))
        assert not [event for event in events if isinstance(event, Completed | Scored) and event.kind == GARDEN.name]
    for placed in position.placed():
        surrounded += neighbours(position, placed.cell) == 8 and "+garden" in placed.tile.id
    assert surrounded


def neighbours(position: Position, cell: Cell) -> int:
    """Return the number of tiles around a cell."""
    return sum(cell.square + step in position.land.placed for step in AROUND)


def test_a_box_in_play_has_only_the_hooks_that_it_overrides() -> None:
    position = Position(new_setup(players=2, seed="1", expansions=(ABBOT,)))
    called = {hook for hook, handlers in position.hook_handlers.items() if handlers}
    assert called == {Expansion.figures, Expansion.surrounded, Expansion.instead_of_follower, Expansion.perform}


@pytest.mark.parametrize("boxes", BESIDE)
def test_a_pile_of_the_second_edition_differs_only_by_its_gardens(boxes: tuple[str, ...]) -> None:
    """The same seed lays the same drawings, so that games of an edition can be compared with those of the other."""
    first_edition, second = (
        new_setup(players=2, seed="9", options=Options.of({"tile_edition": edition}), expansions=boxes).pile
        for edition in ("c1", "c2")
    )
    assert [name.removesuffix("+garden") for name in second] == list(first_edition)
    assert len(tiles_in_play(boxes)) == len(second)
