"""Tiles seen between two positions: after an undo they lie face down again, although players know them."""

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
from tests.engine.every_game import play_moves, seeds, setups
from tests.scenarios.test_builders_bazaars import BUILDER_FIRST, FAR_TILES, SPARE_TILES
from tests.scenarios.vocabulary import play_turn
from tests.scenarios.vocabulary_builders import arrange_builders, place_far_away

SAMPLED_SPANS = 6
"""Pairs of positions checked per game."""


def revealed_tiles(events: Iterable[Event]) -> Iterator[str]:
    """Yield the tiles of the pile that the events reveal, in order."""
    for event in events:
        if isinstance(event, TileDrawn):
            yield event.tile.id
        elif isinstance(event, BazaarOpened):
            yield from (kind.id for kind in event.tiles)


def play_and_copy(setup: Setup, seed: int) -> tuple[list[Position], list[tuple[Event, ...]]]:
    """Play a game; return its positions and the events between each two of them."""
    positions, events_between = [begin(setup)], list[tuple[Event, ...]]()
    for position, _, events in play_moves(setup, seed):
        positions.append(position.copy())
        events_between.append(events)
    return positions, events_between


@given(setups(), seeds())
def test_seen_tiles_are_those_revealed_in_between(setup: Setup, seed: int) -> None:
    positions, events_between = play_and_copy(setup, seed)
    rng = Random(seed)
    for _ in range(SAMPLED_SPANS):
        start, end = sorted(rng.choices(range(len(positions)), k=2))
        seen = seen_between(positions[start], positions[end])
        events_in_span = [event for events in events_between[start:end] for event in events]
        assert Counter(seen.ids) == Counter(revealed_tiles(events_in_span))


@given(setups(), seeds())
def test_seen_tiles_marked_as_next_come_next_in_any_continuation(setup: Setup, seed: int) -> None:
    positions, _ = play_and_copy(setup, seed)
    rng = Random(seed)
    for _ in range(SAMPLED_SPANS):
        start, end = sorted(rng.choices(range(len(positions)), k=2))
        seen, replayed = seen_between(positions[start], positions[end]), positions[start].copy()
        if not (seen.ids and seen.are_next):
            continue
        events: tuple[Event, ...] = ()
        while replayed.step is not None and not any(revealed_tiles(events)):
            events = replayed.apply(random_action(replayed, rng))
        hidden = any(isinstance(event, LotsSetAside) for event in events)  # set aside face down for a bazaar (BZ-41)
        assert hidden or replayed.step is None or next(revealed_tiles(events)) == seen.ids[0]


def test_no_tile_is_seen_without_a_draw() -> None:
    position = arrange_builders(tiles=FAR_TILES, hand="base/U", pile=SPARE_TILES)
    assert seen_between(position, position.copy()) == ((), True)


def test_lots_set_aside_face_down_are_not_seen() -> None:
    pile = ["base/U", "base/V", "base/W", "base/X", *SPARE_TILES]
    before = arrange_builders(tiles=FAR_TILES, hand="bcb/RFRF-a", pile=pile, options=BUILDER_FIRST)
    position = before.copy()
    play_turn(position, "2,0", 90)
    with_waiting_lots = position.copy()
    assert seen_between(before, with_waiting_lots) == (("base/X",), False), "three unseen tiles lie above it"
    place_far_away(position)
    assert seen_between(before, position) == (("base/U", "base/V", "base/W", "base/X"), True)
    assert seen_between(with_waiting_lots, position) == (("base/U", "base/V", "base/W"), False), (
        "they are no longer in the pile"
    )
