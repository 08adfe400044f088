"""Tiles that lie face down again after going back to a position, although they have been seen, in every game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from random import Random

from hypothesis import given

from engine import Position, begin, seen_between
from engine.carcassonne.expansions.bridges_castles_bazaars import BazaarOpened, LotsSetAside
from engine.events import Event, TileDrawn
from engine.selfplay import random_action
from engine.setup import Setup
from tests.engine.every_game import luck, moves, setups
from tests.scenarios.test_builders_bazaars import BUILDER_FIRST, REST, SOUTH
from tests.scenarios.vocabulary import play_turn
from tests.scenarios.vocabulary_builders import arrange_builders, place_far_away

SPANS = 6
"""Spans of a game that are looked at."""


def turned_up(events: Iterable[Event]) -> Iterator[str]:
    """List the tiles of the pile that events have revealed, in their order."""
    for event in events:
        if isinstance(event, TileDrawn):
            yield event.tile.id
        elif isinstance(event, BazaarOpened):
            yield from (kind.id for kind in event.tiles)


def played(setup: Setup, seed: int) -> tuple[list[Position], list[tuple[Event, ...]]]:
    """Play a game; all its positions, and what happened between each two."""
    positions, happened = [begin(setup)], list[tuple[Event, ...]]()
    for position, _, events in moves(setup, seed):
        positions.append(position.copy())
        happened.append(events)
    return positions, happened


@given(setups(), luck())
def test_seen_is_what_was_turned_up_for_all_and_nothing_else(setup: Setup, seed: int) -> None:
    positions, happened = played(setup, seed)
    random = Random(seed)
    for _ in range(SPANS):
        start, end = sorted(random.choices(range(len(positions)), k=2))
        seen = seen_between(positions[start], positions[end])
        shown = [event for events in happened[start:end] for event in events]
        assert Counter(seen.ids) == Counter(turned_up(shown))


@given(setups(), luck())
def test_tiles_that_are_said_to_be_next_come_next_whatever_is_played_instead(setup: Setup, seed: int) -> None:
    positions, _ = played(setup, seed)
    random = Random(seed)
    for _ in range(SPANS):
        start, end = sorted(random.choices(range(len(positions)), k=2))
        seen, back = seen_between(positions[start], positions[end]), positions[start].copy()
        if not (seen.ids and seen.are_next):
            continue
        events: tuple[Event, ...] = ()
        while back.step is not None and not any(turned_up(events)):
            events = back.apply(random_action(back, random))
        hidden = any(isinstance(event, LotsSetAside) for event in events)  # taken unseen for a bazaar: BZ-41
        assert hidden or back.step is None or next(turned_up(events)) == seen.ids[0]


def test_nothing_is_seen_where_nothing_was_drawn() -> None:
    position = arrange_builders(tiles=SOUTH, hand="base/U", pile=REST)
    assert seen_between(position, position.copy()) == ((), True)


def test_of_lots_that_were_taken_unseen_nothing_is_known() -> None:
    pile = ["base/U", "base/V", "base/W", "base/X", *REST]
    before = arrange_builders(tiles=SOUTH, hand="bcb/RFRF-a", pile=pile, options=BUILDER_FIRST)
    position = before.copy()
    play_turn(position, "2,0", 90)
    waiting = position.copy()
    assert seen_between(before, waiting) == (("base/X",), False), "three that nobody has seen lie above it"
    place_far_away(position)
    assert seen_between(before, position) == (("base/U", "base/V", "base/W", "base/X"), True)
    assert seen_between(waiting, position) == (("base/U", "base/V", "base/W"), False), "they are no longer in the pile"
