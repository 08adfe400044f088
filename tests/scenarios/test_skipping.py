"""Skipped turns, a house rule for missed deadlines: the tile in hand passes to the next player; a lot is lost.

House rules are the project's own. A lot is a tile that a player bought in a bazaar, an auction of tiles, and has to
place.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given

from engine import IllegalActionError, Resign, Setup, Skip, begin, parse_action, replay, state_digest
from engine.actions import Action
from engine.carcassonne.tiles import tile
from engine.events import TileDiscarded, TileDrawn, TilePlaced, TurnSkipped
from gallery.built_positions import arrange
from tests.engine.built_castle_positions import arrange as arrange_castle
from tests.engine.every_game import RANDOM_GAMES, dealt_setups, seeds
from tests.scenarios.test_bazaar_placing import after_free_auction
from tests.scenarios.vocabulary import BLUE, GREEN, RED, events_of, play_turn
from tests.scenarios.vocabulary_builders import arrange_builders
from tests.scenarios.vocabulary_castles import tile_to_place


def test_the_open_tile_passes_to_the_next_seat() -> None:
    position = arrange(players=3, hand="base/U", pile=["base/V", "base/W"])
    events = position.apply(Skip())
    assert events == (TurnSkipped(RED), TileDrawn(BLUE, tile("base/U")))
    assert tile_to_place(position) == (BLUE, "base/U")
    assert position.pile_left == 2


def test_the_tile_passes_over_resigned_players() -> None:
    position = arrange(players=3, hand="base/U", pile=["base/V", "base/W"])
    position.apply(Resign(BLUE))
    position.apply(Skip())
    assert tile_to_place(position) == (GREEN, "base/U")


def test_the_last_tile_is_placed_by_the_next_player_and_ends_the_game() -> None:
    position = arrange(players=3, hand="base/U", pile=[])
    position.apply(Skip())
    assert tile_to_place(position) == (BLUE, "base/U")
    play_turn(position, "1,0")
    assert position.is_over


def test_a_second_tile_passes_on_and_the_double_turn_is_over() -> None:
    position = arrange_builders(hand="base/U", pile=["base/V", "base/B", "base/B"])
    play_turn(position, "2,0")
    assert tile_to_place(position) == (RED, "base/V")
    position.apply(Skip())
    assert tile_to_place(position) == (BLUE, "base/V")
    assert not position.extra.get("first tile")


def test_a_bought_tile_leaves_the_game_and_the_next_one_comes_up() -> None:
    position = after_free_auction("base/U", "base/V", "base/W")
    buyer, hand, pile_left = position.player, position.hand, position.pile_left
    assert hand is not None
    events = position.apply(Skip())
    assert events[:2] == (TurnSkipped(buyer), TileDiscarded(buyer, hand, declined=False, skipped=True))
    assert not events_of(TileDrawn, list(events))
    assert position.player == (buyer + 1) % position.players
    assert position.pile_left == pile_left


def test_in_the_castle_the_tile_passes_to_the_opponent() -> None:
    position = arrange_castle(hand="D03", pile=["D29"])
    hand, player = position.hand, position.player
    position.apply(Skip())
    assert (position.hand, position.player) == (hand, 1 - player)


def test_only_placements_can_be_skipped() -> None:
    position = arrange(players=3, hand="base/U", pile=["base/V"])
    lay_action = next(iter(position.legal_actions))
    position.apply(lay_action)
    digest = state_digest(position)
    with pytest.raises(IllegalActionError, match="no turn to skip"):
        position.apply(Skip())
    assert state_digest(position) == digest


def test_skipping_is_no_players_action() -> None:
    position = arrange(players=3, hand="base/U")
    assert Skip() not in position.legal_actions
    assert parse_action("skip") == Skip()


def test_a_position_read_from_a_text_passes_the_same_tile_on() -> None:
    position = arrange(players=3, hand="base/V", pile=["base/U", "base/B"])
    play_turn(position, "1,0", 90)
    copy = position.copy()
    copy.setup = replace(position.setup, pile=("base/U", "base/V", "base/B"))
    hand = copy.hand
    copy.apply(Skip())
    assert copy.hand == hand
    assert Counter(copy.setup.pile) == Counter(position.setup.pile)


@given(dealt_setups(), seeds())
def test_no_tile_is_lost_by_skipping_and_the_log_replays(setup: Setup, seed: int) -> None:
    """Play random games in which turns are skipped now and then; tiles that no pile holds are not counted."""
    position, random, log = begin(setup), Random(seed), list[Action]()
    played = Counter(setup.pile[: position.next_tile]) - Counter([position.hand.id] if position.hand else [])
    while position.step is not None:
        skips = position.hand is not None and random.random() < 0.2
        action = Skip() if skips else RANDOM_GAMES[setup.game].lively_action(position, random)
        events = position.apply(action)
        log.append(action)
        played.update(event.tile.id for event in events if isinstance(event, TilePlaced | TileDiscarded))
    assert {tile: count for tile, count in played.items() if tile in setup.pile} == Counter(setup.pile)
    assert state_digest(replay(setup, log)) == state_digest(position)
