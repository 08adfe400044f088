"""Candidate games of a command that names none."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from host import GameStatus, GameSummary
from host.games.lists import candidate_games

HUB, ARCADE = 1, 2
THREAD, OTHER_THREAD = 11, 12
SUMMARY = GameSummary(
    id=0,
    code="",
    name="Amber Gate",
    guild_id=7,
    channel_id=HUB,
    thread_id=None,
    status=GameStatus.RUNNING,
    ply=0,
    seats=(),
    seat_to_act=None,
    to_act=None,
    waiting_for_me=False,
    updated_at=datetime(2026, 1, 1, tzinfo=UTC),
    last_message_id=None,
)
OVER = replace(SUMMARY, status=GameStatus.FINISHED, code="OVER", thread_id=THREAD)
IN_THREAD = replace(SUMMARY, code="MINE", thread_id=THREAD)
WAITS = replace(SUMMARY, code="WAIT", thread_id=OTHER_THREAD, waiting_for_me=True)
WAITS_TOO = replace(WAITS, code="WTOO", channel_id=ARCADE, thread_id=21)
IN_CHANNEL = replace(SUMMARY, code="CHAN")
LEFT = replace(IN_THREAD, code="LEFT", playing=False)
THEIRS = replace(IN_THREAD, code="THEI", seated=False, playing=False)


def codes(
    here: list[GameSummary], mine: list[GameSummary], place: int = HUB, *, own: bool = True, thread: bool = False
) -> list[str]:
    """The codes of what may be meant."""
    return [game.code for game in candidate_games(here, mine, place, own=own, thread=thread)]


def test_the_game_of_the_thread_comes_first() -> None:
    assert codes([IN_THREAD], [WAITS, IN_THREAD], THREAD, thread=True) == ["MINE"]


@pytest.mark.parametrize("game", [OVER, LEFT])
def test_in_its_thread_a_game_that_is_over_or_left_is_meant(game: GameSummary) -> None:
    assert codes([game], [WAITS], THREAD, thread=True) == [game.code]


def test_in_a_channel_the_game_that_waits_is_meant_not_the_newest_opened_there() -> None:
    assert codes([IN_THREAD, WAITS], [WAITS, IN_THREAD]) == ["WAIT"]
    assert codes([IN_THREAD], [WAITS_TOO, IN_THREAD]) == ["WTOO"]


def test_a_game_that_is_played_in_the_channel_itself_is_meant_there() -> None:
    assert codes([IN_CHANNEL, WAITS], [WAITS, IN_CHANNEL]) == ["CHAN"]
    first, second = replace(IN_CHANNEL, waiting_for_me=True), replace(IN_CHANNEL, code="CHA2")
    assert codes([first, second], [first, second]) == ["CHAN"]
    assert codes([IN_CHANNEL, second], [IN_CHANNEL, second]) == ["CHAN", "CHA2"]


def test_several_that_wait_are_asked_about_but_for_the_one_opened_here() -> None:
    assert codes([], [WAITS, WAITS_TOO], 99) == ["WAIT", "WTOO"]
    assert codes([WAITS], [WAITS, WAITS_TOO], ARCADE) == ["WTOO"]


def test_none_that_waits() -> None:
    assert codes([], []) == []
    assert codes([], [IN_THREAD], 99) == ["MINE"]
    assert codes([], [IN_THREAD, replace(WAITS, waiting_for_me=False)], 99) == ["MINE", "WAIT"]


def test_who_looks_on_means_what_is_played_here_then_what_was_opened_here() -> None:
    assert codes([THEIRS], [WAITS], THREAD, own=False, thread=True) == ["THEI"]
    assert codes([THEIRS], [WAITS], THREAD, own=True, thread=True) == ["WAIT"]
    assert codes([THEIRS], [], own=False) == ["THEI"]
    assert codes([THEIRS, replace(THEIRS, code="THE2")], [], own=False) == ["THEI", "THE2"]
    assert codes([THEIRS], [], own=True) == []
