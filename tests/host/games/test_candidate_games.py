"""Games that a command without a game name may mean.

A command is sent in a channel or a thread. `here` are the games of that channel, `mine` the user's own games anywhere
on the server; one candidate is used, several are offered as a choice. Each game is identified by a code of four
letters, such as OVER for the finished one.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from host import GameStatus, GameSummary
from host.games.lists import candidate_games

HUB, ARCADE = 1, 2
"""Ids of two channels."""
THREAD, OTHER_THREAD = 11, 12
"""Ids of two threads in the channel HUB."""
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
"""A running game in the channel HUB; the games below differ in a few fields."""
FINISHED = replace(SUMMARY, status=GameStatus.FINISHED, code="OVER", thread_id=THREAD)
"""A finished game."""
IN_THREAD = replace(SUMMARY, code="MINE", thread_id=THREAD)
"""The game of the thread in which the command is sent."""
WAITING = replace(SUMMARY, code="WAIT", thread_id=OTHER_THREAD, waiting_for_me=True)
"""A game in another thread, which waits for the user."""
WAITING_ELSEWHERE = replace(WAITING, code="WTOO", channel_id=ARCADE, thread_id=21)
"""A waiting game in another channel."""
IN_CHANNEL = replace(SUMMARY, code="CHAN")
"""A game in the channel itself, without a thread."""
RESIGNED = replace(IN_THREAD, code="LEFT", playing=False)
"""A game that the user has resigned."""
FOREIGN = replace(IN_THREAD, code="THEI", seated=False, playing=False)
"""A game in which the user does not play."""


def codes(
    here: list[GameSummary], mine: list[GameSummary], place: int = HUB, *, own: bool = True, thread: bool = False
) -> list[str]:
    """Return the codes of the candidates for a command used in this channel or thread."""
    return [game.code for game in candidate_games(here, mine, place, own=own, thread=thread)]


def test_the_game_of_the_thread_comes_first() -> None:
    assert codes([IN_THREAD], [WAITING, IN_THREAD], THREAD, thread=True) == ["MINE"]


@pytest.mark.parametrize("game", [FINISHED, RESIGNED])
def test_a_finished_or_resigned_game_is_meant_in_its_own_thread(game: GameSummary) -> None:
    assert codes([game], [WAITING], THREAD, thread=True) == [game.code]


def test_in_a_channel_the_game_waiting_for_the_user_is_meant() -> None:
    assert codes([IN_THREAD, WAITING], [WAITING, IN_THREAD]) == ["WAIT"]
    assert codes([IN_THREAD], [WAITING_ELSEWHERE, IN_THREAD]) == ["WTOO"]


def test_a_game_played_in_the_channel_itself_is_meant_there() -> None:
    assert codes([IN_CHANNEL, WAITING], [WAITING, IN_CHANNEL]) == ["CHAN"]
    first, second = replace(IN_CHANNEL, waiting_for_me=True), replace(IN_CHANNEL, code="CHA2")
    assert codes([first, second], [first, second]) == ["CHAN"]
    assert codes([IN_CHANNEL, second], [IN_CHANNEL, second]) == ["CHAN", "CHA2"]


def test_several_waiting_games_are_offered_unless_one_was_opened_here() -> None:
    assert codes([], [WAITING, WAITING_ELSEWHERE], 99) == ["WAIT", "WTOO"]
    assert codes([WAITING], [WAITING, WAITING_ELSEWHERE], ARCADE) == ["WTOO"]


def test_without_a_waiting_game_all_own_games_are_offered() -> None:
    assert codes([], []) == []
    assert codes([], [IN_THREAD], 99) == ["MINE"]
    assert codes([], [IN_THREAD, replace(WAITING, waiting_for_me=False)], 99) == ["MINE", "WAIT"]


def test_a_spectator_means_a_game_of_the_thread_or_of_the_channel() -> None:
    assert codes([FOREIGN], [WAITING], THREAD, own=False, thread=True) == ["THEI"]
    assert codes([FOREIGN], [WAITING], THREAD, own=True, thread=True) == ["WAIT"]
    assert codes([FOREIGN], [], own=False) == ["THEI"]
    assert codes([FOREIGN, replace(FOREIGN, code="THE2")], [], own=False) == ["THEI", "THE2"]
    assert codes([FOREIGN], [], own=True) == []
