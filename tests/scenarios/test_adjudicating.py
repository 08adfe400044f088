"""Adjudication, a house rule: a game that has stalled is scored as it stands, and a delaying player ranks last.

House rules are the project's own. An adjudicated game is scored at once, as if it ended now. Positions are arranged
from texts: ``"base/D 1,0 90"`` is tile D of the base game, with its cell (x grows east, y south) and rotation, ``"0 1,0
road.E"`` a follower by seat, cell and segment.
"""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given

from engine import Adjudicate, IllegalActionError, Resign, Setup, parse_action, replay, state_digest
from engine.carcassonne import Position
from engine.events import Adjudicated, Event, GameOver, Scored
from engine.notation.positions import format_position
from engine.notation.records import Record, format_record, read_record
from engine.the_castle.events import WallTileTaken
from gallery.built_positions import arrange
from tests.engine.built_castle_positions import arrange as arrange_castle
from tests.engine.every_game import action_counts, play_random_game, seeds, setups
from tests.scenarios.test_bazaar_auction import auction
from tests.scenarios.vocabulary import BLUE, GREEN, RED, events_of, play_turn


def ended_with(position: Position, events: tuple[Event, ...]) -> bool:
    """Return True if the game ended with these events."""
    return position.is_over and position.player == -1 and events[-1] == GameOver(tuple(position.scores))


def test_the_board_is_scored_immediately() -> None:
    position = arrange(
        players=2, tiles=["base/D 0,0 0"], followers=["0 0,0 city.N"], scores=[2, 9], hand="base/U", pile=["base/V"]
    )
    events = position.apply(Adjudicate())
    assert ended_with(position, events)
    assert events[0] == Adjudicated(None)
    assert position.scores == [3, 9]
    assert events_of(Scored, list(events))[0].final
    assert position.ranking() == ((BLUE,), (RED,))


def test_a_placement_in_progress_is_scored_without_a_figure() -> None:
    position = arrange(players=2, hand="base/U", pile=["base/V"])
    play_turn(position, "0,1", 0)
    events = position.apply(Adjudicate())
    assert ended_with(position, events)


def test_a_player_who_kept_others_waiting_ranks_last_despite_their_points() -> None:
    position = arrange(players=3, scores=[50, 20, 10], hand="base/U", pile=["base/V"])
    events = position.apply(Adjudicate(RED))
    assert events[0] == Adjudicated(RED)
    assert position.scores == [50, 20, 10]
    assert position.ranking() == ((BLUE,), (GREEN,), (RED,))
    assert position.winners() == (BLUE,)


def test_a_player_who_resigned_ranks_behind_them() -> None:
    position = arrange(players=3, scores=[50, 20, 90], hand="base/U", pile=["base/V"])
    position.apply(Resign(GREEN))
    position.apply(Adjudicate(RED))
    assert position.ranking() == ((BLUE,), (RED,), (GREEN,))


def test_an_auction_ends_without_payment() -> None:
    position = auction(3, "2@4")
    before = list(position.scores)
    events = position.apply(Adjudicate())
    assert ended_with(position, events)
    awarded = sum(event.points for event in events_of(Scored, list(events)))
    assert sum(position.scores) == sum(before) + awarded


def test_the_castle_takes_no_wall_tile() -> None:
    position = arrange_castle(hand="D03", pile=["D29"])
    position.apply(next(iter(position.legal_actions)))
    events = position.apply(Adjudicate(1))
    assert position.is_over
    assert not events_of(WallTileTaken, list(events))
    assert position.ranking()[-1] == (1,)


def test_adjudication_is_no_players_action_and_happens_once() -> None:
    position = arrange(players=2, hand="base/U", pile=["base/V"])
    assert Adjudicate() not in position.legal_actions
    with pytest.raises(IllegalActionError, match="cannot be adjudicated"):
        position.apply(Adjudicate(2))
    position.apply(Adjudicate())
    with pytest.raises(IllegalActionError, match="cannot be adjudicated"):
        position.apply(Adjudicate())


@pytest.mark.parametrize("action", [Adjudicate(), Adjudicate(0), Adjudicate(5)])
def test_the_action_round_trips_as_text(action: Adjudicate) -> None:
    assert parse_action(str(action)) == action


@given(setups(), seeds(), action_counts())
def test_an_adjudicated_game_replays_and_scores_as_projected(setup: Setup, seed: int, plies: int) -> None:
    """At any point, adjudication gives the projected scores, and replaying the log or the record agrees."""
    position, log = play_random_game(setup, seed, plies, resigning=True)
    if position.is_over:
        return
    projected, _ = position.concluded()
    blamed_seat = Random(seed).choice([None, *range(setup.players)])
    events = position.apply(Adjudicate(blamed_seat))
    assert position.is_over
    assert isinstance(events[-1], GameOver)
    assert position.scores == projected.scores
    replayed = replay(setup, [*log, Adjudicate(blamed_seat)])
    assert state_digest(replayed) == state_digest(position)
    assert replayed.ranking() == position.ranking()
    record = Record.of(setup, [*log, Adjudicate(blamed_seat)])
    read = read_record(format_record(record))
    assert format_position(read.position()) == format_position(position)
