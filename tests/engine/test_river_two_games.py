"""Random games with The River II and each other box, followed by a slow model of branches, lake and herd.

The model joins the segments of all tiles anew (``naive.py``). Codes such as RT-06 are rules of the rule digest.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest

from engine import Action, Cell, Resign, state_digest
from engine.carcassonne import PlaceTile, Position, new_setup
from engine.carcassonne.expansions import REGISTRY, RIVER, RIVER_TWO
from engine.carcassonne.expansions.games_quarterly import PIGS
from engine.carcassonne.expansions.river_two import PIG_HERD, VOLCANO, VolcanoReached, fields_with_herd
from engine.carcassonne.options import Options
from engine.carcassonne.table import Expansion
from engine.events import Deployed, Event, Scored, TilePlaced
from engine.notation.positions import format_position, parse_position
from engine.notation.records import Record, format_record, read_record
from tests.engine import naive
from tests.engine.carcassonne_games import lively_action
from tests.soak import first

OTHERS = tuple(name for name in REGISTRY if name != RIVER_TWO)
"""All other boxes."""
BESIDE = [(), *((name,) for name in OTHERS), OTHERS]
"""The other boxes in the game: none, each one, and all."""
GAMES = 50
"""The number of random games with each of them."""


def boxes_with(beside: tuple[str, ...]) -> tuple[str, ...]:
    """Return the boxes of a game, with those on which the others depend, in the order of the registry."""
    needed = {*beside, *(other for name in beside for other in REGISTRY[name].depends_on), RIVER_TWO}
    return tuple(name for name in REGISTRY if name in needed)


def river_placements(position: Position) -> set[tuple[int, int, int]]:
    """Return the places of the tile in hand by the model, if it has the river; empty for other tiles."""
    hand = position.hand
    if hand is None or not any(part.kind == "river" for part in hand.segments):
        return set()
    plain, _ = naive.placements(naive.table_of(position), hand, bridges=0)
    return plain


def open_ends(position: Position) -> int:
    """Count the sides at which the river waits for another tile."""
    table = naive.table_of(position)
    return sum(
        naive.beside(cell, side) not in table for cell, laid in table.items() for side in naive.river_sides(laid)
    )


def herd_fields(position: Position, *attributes: str) -> list[set[tuple[Cell, int]]]:
    """Return the parts of each field on which one of these herds is drawn."""
    table = naive.table_of(position)
    return [
        naive.joined(table, (cell, index))
        for cell, laid in table.items()
        for index, part in enumerate(laid.segments)
        if any(part.shows(attribute) is not None for attribute in attributes)
    ]


def check_herds(position: Position) -> None:
    """Compare the fields with a herd to those of the model."""
    roots = fields_with_herd(position.land)
    table = naive.table_of(position)
    for parts in herd_fields(position, PIG_HERD):
        numbers = {position.land.number_of(cell, table[cell].all_segments[index].name) for cell, index in parts}
        assert {position.land.find(number) for number in numbers} <= roots
    assert len(roots) <= 1


def check_scores(before: Position, events: Sequence[Event]) -> None:
    """Check the final points of fields: a point for each city that counts, to those with a follower beside the herd."""
    herd_parts = {part for parts in herd_fields(before, PIG_HERD, PIGS) for part in parts}
    table = naive.table_of(before)
    named = {(cell, table[cell].all_segments[index].name) for cell, index in herd_parts}
    owners = {
        figure.player
        for figure in before.standing_figures()
        if (figure.cell, figure.segment.name) in named and before.figures[figure.figure].is_follower
    }
    for score in (event for event in events if isinstance(event, Scored) and event.kind == "field" and event.final):
        terms = {term.name: term for term in score.terms}
        if PIG_HERD in terms:
            assert score.player in owners
            counted = sum(term.count for name, term in terms.items() if name in ("cities", "castles"))
            assert terms[PIG_HERD].count == terms[PIG_HERD].points <= counted


def play(number: int, beside: tuple[str, ...]) -> None:
    """Play a random game and compare it with the model at each river tile, and at its end."""
    random = Random(f"{number} {beside}")
    again = random.random() < 0.8
    options = Options.of({"river2_last_tile": "no_follower_and_again" if again else "normal"})
    setup = new_setup(players=2 + number % 5, seed=str(number), options=options, expansions=boxes_with(beside))
    position = Position(setup)
    actions: list[Action] = []
    last: TilePlaced | None = None
    while position.step is not None:
        leaves = random.random() < 0.002 and position.withdrawn.count(False) > 2
        expected = river_placements(position)
        if isinstance(position.step, PlaceTile) and expected:
            places = [action for action in position.legal_actions if getattr(action, "aid", None) is None]
            assert {(*action.cell, action.rotation) for action in places} == expected  # type: ignore[attr-defined]
            assert open_ends(position) <= 2
        action = Resign(position.player) if leaves else lively_action(position, random)
        if random.random() < 0.05:
            digest = state_digest(position)
            position.push(action)
            position.pop()
            assert state_digest(position) == digest
        if random.random() < 0.03:
            text = format_position(position)
            assert format_position(parse_position(text)) == text
        before = position.copy()
        actions.append(action)
        events = position.apply(action)
        for event in events:
            if isinstance(event, TilePlaced):
                assert not (again and last and last.tile.id == VOLCANO) or event.player == last.player or leaves
                last = event
            elif isinstance(event, Deployed) and last is not None:
                assert not (again and last.tile.id == VOLCANO)
            elif isinstance(event, VolcanoReached):
                assert again
                assert last is not None
                assert (event.player, last.tile.id) == (last.player, VOLCANO)
        if position.step is None:
            check_herds(position)
            check_scores(before, events)
    record = read_record(format_record(Record.of(setup, actions)))
    assert state_digest(record.position()) == state_digest(position)


@pytest.mark.parametrize("beside", BESIDE, ids=lambda beside: " ".join(beside) or "alone")
@pytest.mark.parametrize("number", first(1, range(GAMES)))
def test_a_random_game_is_that_of_the_model(number: int, beside: tuple[str, ...]) -> None:
    play(number, beside)


def test_the_box_in_play_has_only_the_hooks_that_it_overrides() -> None:
    alone = Position(new_setup(players=2, seed="1", expansions=(RIVER_TWO,)))
    called_hooks = {hook for hook, handlers in alone.hook_handlers.items() if handlers}
    assert called_hooks == {Expansion.vetoes, Expansion.bars_figures, Expansion.placement_over, Expansion.farmer_bonus}
    without = Position(new_setup(players=2, seed="1", expansions=(RIVER,)))
    own = REGISTRY[RIVER_TWO].mechanisms
    assert not [handler for handlers in without.hook_handlers.values() for handler in handlers if handler in own]
