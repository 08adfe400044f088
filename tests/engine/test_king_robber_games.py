"""Random games with King & Robber Baron and each other box, followed by a model that only reads events.

The King is a marker for completing the largest city, the Robber Baron one for the longest road. The model knows nothing
of the engine's state: it follows the placed tiles and completed features. Codes such as KR-03 are rules of the rule
digest.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from random import Random

import pytest

from engine import Resign, state_digest
from engine.carcassonne import Position, new_setup
from engine.carcassonne.expansions import KING_ROBBER, REGISTRY
from engine.carcassonne.expansions.king_robber import Holding, KingRobberTaken, Marker, completed_features, holding_of
from engine.carcassonne.options import Options
from engine.carcassonne.table import Expansion
from engine.events import Completed, Event, Scored, TilePlaced
from engine.notation.positions import format_position, parse_position
from engine.notation.records import Record, format_record, read_record
from tests.engine.carcassonne_games import crowded, lively_action
from tests.soak import first

BESIDE = [(), *((name,) for name in REGISTRY if name != KING_ROBBER), tuple(REGISTRY)]
"""The other boxes in the game: none, each one with those that it depends on, and all."""
GAMES = 50
"""The number of random games."""
SCORINGS = Options.values()["king_robber_scoring"]
"""The values of the option for the points of a marker."""
KIND = {Marker.KING: "city", Marker.ROBBER: "road"}
"""The kind of feature that wins a marker."""


@dataclass
class Model:
    """The markers as they follow from the tiles placed and the features completed."""

    shared: bool
    player: int = 0
    waiting: list[Completed] = field(default_factory=list)
    """The features completed by the last tile."""
    held: dict[Marker, Holding | None] = field(default_factory=lambda: dict.fromkeys(Marker))
    completed: dict[Marker, int] = field(default_factory=lambda: dict.fromkeys(Marker, 0))

    def read(self, events: Iterable[Event]) -> None:
        """Follow the events. Each new tile settles the features that the previous one completed."""
        for event in events:
            if isinstance(event, TilePlaced):
                self.settle()
                self.player = event.player
            elif isinstance(event, Completed):
                self.waiting.append(event)

    def settle(self) -> None:
        """Give the markers to the player of the last tile."""
        for marker, kind in KIND.items():
            sizes = [len(set(feature.cells)) for feature in self.waiting if feature.kind == kind]
            self.completed[marker] += len(sizes)
            before = self.held[marker] or Holding((), 0)
            if sizes and max(sizes) > before.size:
                self.held[marker] = Holding((self.player,), max(sizes))
            elif sizes and max(sizes) == before.size and self.shared:
                self.held[marker] = Holding(tuple(sorted({*before.holders, self.player})), before.size)
        self.waiting.clear()


def boxes_beside(number: int) -> tuple[str, ...]:
    """Return the boxes of a game in the order of the registry."""
    beside = BESIDE[number % len(BESIDE)]
    needed = {*beside, *(other for name in beside for other in REGISTRY[name].depends_on), KING_ROBBER}
    return tuple(name for name in REGISTRY if name in needed)


@pytest.mark.parametrize("number", first(len(BESIDE), range(GAMES)))
def test_the_markers_of_a_random_game_are_those_of_the_model(number: int) -> None:
    """KR-03 to KR-08 and KR-11, with every number of players and every option."""
    random = Random(number)
    options = Options.of(
        {
            "king_robber_scoring": random.choice(SCORINGS),
            "king_robber_tie": random.choice(("holder_keeps", "shared")),
            "king_robber_tiles": random.random() < 0.8,
        }
    )
    setup = new_setup(players=2 + number % 5, seed=str(number), options=options, expansions=boxes_beside(number))
    played = crowded(setup) if number % 3 == 0 else setup
    position = Position(played)
    model, events = Model(options.king_robber_tie == "shared"), list[Event]()  # type: ignore[attr-defined]
    actions = []
    while position.step is not None:
        leaves = random.random() < 0.002 and position.withdrawn.count(False) > 2
        action = Resign(position.player) if leaves else lively_action(position, random)
        if random.random() < 0.05:
            before = state_digest(position)
            position.push(action)
            position.pop()
            assert state_digest(position) == before
        if random.random() < 0.05:
            text = format_position(position)
            assert format_position(parse_position(text)) == text
        actions.append(action)
        events += position.apply(action)
    model.read(events)
    model.settle()
    assert {marker: holding_of(position, marker) for marker in Marker} == model.held
    for marker in Marker:
        assert completed_features(position, marker) == model.completed[marker]
    check_points(position, events, options)
    record = read_record(format_record(Record.of(played, actions)))
    assert state_digest(record.position()) == state_digest(position)


def check_points(position: Position, events: Iterable[Event], options: Options) -> None:
    """Check the final points of the markers. Points during the game would need a model of rounds."""
    last = [score for score in events if isinstance(score, Scored) and score.kind in set(Marker)]
    scoring = options.king_robber_scoring  # type: ignore[attr-defined]
    assert all(score.final is (scoring != "continuous") for score in last)
    for marker in Marker:
        holding = holding_of(position, marker)
        paid = sorted((score.player, score.points) for score in last if score.kind == marker and score.final)
        if scoring == "continuous" or holding is None:
            assert paid == []
        elif scoring == "per_feature":
            assert paid == [(seat, completed_features(position, marker)) for seat in holding.holders]
        else:
            assert [seat for seat, _ in paid] == list(holding.holders)


def test_both_markers_change_hands_in_some_random_games() -> None:
    takings = set()
    for number in range(6):
        random = Random(number)
        position = Position(new_setup(players=3, seed=str(number), expansions=boxes_beside(number)))
        while position.step is not None:
            events = position.apply(lively_action(position, random))
            takings |= {(event.marker, event.kept) for event in events if isinstance(event, KingRobberTaken)}
    assert takings == {(marker, kept) for marker in Marker for kept in (False, True)}


@pytest.mark.parametrize("name", [name for name in REGISTRY if name != KING_ROBBER])
def test_a_box_that_is_not_in_play_has_no_hooks(name: str) -> None:
    """A game's dispatch tables contain only the mechanisms of its own boxes."""
    beside = tuple(box for box in boxes_beside(BESIDE.index((name,))) if box != KING_ROBBER)
    position = Position(new_setup(players=2, seed="1", expansions=beside))
    own = REGISTRY[KING_ROBBER].mechanisms
    assert KING_ROBBER not in position.setup.expansions
    assert not [handler for handlers in position.hook_handlers.values() for handler in handlers if handler in own]


def test_a_box_in_play_has_only_the_hooks_that_it_overrides() -> None:
    position = Position(new_setup(players=2, seed="1", expansions=(KING_ROBBER,)))
    called_hooks = [hook for hook, handlers in position.hook_handlers.items() if handlers]
    assert called_hooks == [Expansion.structures_paid, Expansion.game_ending]
