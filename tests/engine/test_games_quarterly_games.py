"""Random games with Games Quarterly 11 and each other box, followed by a slow model of the field with pigs.

The model joins the segments of all tiles anew (``naive.py``). Codes such as GQ-04 are rules of the rule book.
"""

from __future__ import annotations

from random import Random

import pytest

from engine import state_digest
from engine.carcassonne import Position, new_setup
from engine.carcassonne.expansions import GAMES_QUARTERLY, REGISTRY, RIVER, RIVER_TWO
from engine.carcassonne.expansions.games_quarterly import CITIES_AT_RIVER, PIGS, SPRING
from engine.carcassonne.expansions.river_two import PIG_HERD
from engine.carcassonne.options import Options
from engine.carcassonne.table import Expansion
from engine.events import Event, Scored, TileDiscarded, TilePlaced
from engine.notation.positions import format_position, parse_position
from engine.notation.records import Record, format_record, read_record
from tests.engine import naive
from tests.engine.carcassonne_games import lively_action
from tests.soak import first

OTHERS = tuple(name for name in REGISTRY if name != GAMES_QUARTERLY)
"""All other boxes."""
BESIDE = [(), *((name,) for name in OTHERS), OTHERS]
"""The other boxes in the game: none, each one, and all."""
GAMES = 50
"""The number of random games with each of them."""


def check_tiles(events: list[Event], beside: tuple[str, ...]) -> None:
    """Check that ten tiles of the box come up, and the one at the river only where there is one (GQ-01, GQ-02)."""
    came_up = [event.tile.id for event in events if isinstance(event, TilePlaced | TileDiscarded)]
    own = {name for name in came_up if name.startswith("gq/")}
    has_river = bool({RIVER, RIVER_TWO} & {*beside})
    assert len(own - {CITIES_AT_RIVER}) == 10
    assert SPRING not in own
    assert (CITIES_AT_RIVER in own) == has_river


def check_herds(before: Position, events: list[Event], *, counts: bool) -> None:
    """Check that the herd adds to the final points of those alone who have a follower beside the pigs (GQ-04)."""
    table, attributes = naive.table_of(before), (PIG_HERD, PIGS) if counts else (PIG_HERD,)
    beside_herd = {
        (cell, table[cell].all_segments[index].name)
        for at, laid in table.items()
        for number, part in enumerate(laid.segments)
        if any(part.shows(attribute) is not None for attribute in attributes)
        for cell, index in naive.joined(table, (at, number))
    }
    owners = {
        figure.player
        for figure in before.standing_figures()
        if (figure.cell, figure.segment.name) in beside_herd and before.figures[figure.figure].is_follower
    }
    for score in events:
        if isinstance(score, Scored) and score.kind == "field" and PIG_HERD in {term.name for term in score.terms}:
            assert score.player in owners


@pytest.mark.parametrize("beside", BESIDE, ids=lambda beside: " ".join(beside) or "alone")
@pytest.mark.parametrize("number", first(1, range(GAMES)))
def test_a_random_game_is_that_of_the_model(number: int, beside: tuple[str, ...]) -> None:
    random = Random(f"{number} {beside}")
    counts = random.random() < 0.8
    boxes = tuple(name for name in REGISTRY if name in {*beside, GAMES_QUARTERLY})
    options = Options.of({"gq11_pig_herd": counts})
    setup = new_setup(players=2 + number % 5, seed=str(number), options=options, expansions=boxes)
    position, actions, events = Position(setup), [], list[Event]()
    last_events: list[Event] = []
    before = position.copy()
    while position.step is not None:
        action = lively_action(position, random)
        if random.random() < 0.03:
            digest, text = state_digest(position), format_position(position)
            position.push(action)
            position.pop()
            assert state_digest(position) == digest
            assert format_position(parse_position(text)) == text
        before = position.copy()
        actions.append(action)
        last_events = list(position.apply(action))
        events += last_events
    check_tiles(events, beside)
    check_herds(before, last_events, counts=counts)
    record = read_record(format_record(Record.of(setup, actions)))
    assert state_digest(record.position()) == state_digest(position)


def test_the_box_in_play_has_only_the_hooks_that_it_overrides() -> None:
    alone = Position(new_setup(players=2, seed="1", expansions=(GAMES_QUARTERLY,)))
    assert {hook for hook, handlers in alone.hook_handlers.items() if handlers} == {
        Expansion.vetoes,
        Expansion.farmer_bonus,
    }
    without = Position(new_setup(players=2, seed="1", expansions=(RIVER, RIVER_TWO)))
    own = REGISTRY[GAMES_QUARTERLY].mechanisms
    assert not [handler for handlers in without.hook_handlers.values() for handler in handlers if handler in own]
