"""Follow-up work of a finished game, done once in spite of crashes: its result, archiving its thread, its rematch.

The end of a game sets two timers: `RESULT` shows the result on the lobby card, and `PUT_AWAY` archives the thread
after `ARCHIVE_DELAY`. `finish_game` lets all players but the first resign.
"""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from host import ARCHIVE_DELAY, ErrorCode, Game, Host, LobbyState, TableSettings, TimerKind, setup_of
from host.lobbies import seat_order
from host.timing.timers import FIRST_RETRY_DELAY, MAX_ATTEMPTS
from store import Person, Store
from tests.host.conftest import NewHost
from tests.host.people import (
    ADA,
    BEN,
    CHANNEL,
    CLEO,
    STRANGER,
    THREAD,
    SettableClock,
    click_id,
    expect_error,
    new_lobby,
)

CARD = THREAD
"""A thread under the lobby's card has the id of that card."""


async def finish_game(host: Host, *people: Person, card: int | None = CARD, thread: int | None = THREAD) -> Game:
    """Start a game and let all but the first player resign."""
    lobby = await host.lobbies.open(
        new_lobby(owner=people[0], capacity=len(people), settings=TableSettings(theme="night")), click_id()
    )
    for person in people[1:]:
        await host.lobbies.join(lobby.id, person, click_id())
    if card is not None:
        await host.lobbies.set_message(lobby.id, card)
    game = await host.lobbies.start(lobby.id, people[0].user_id, click_id(), thread_id=thread)
    for person in people[1:]:
        await host.moves.resign(game.id, person.user_id, click_id())
    return await host.games.get(game.id)


# -- follow-up timers -------------------------------------------------------------------------------------------------


async def test_the_end_of_a_game_sets_two_timers(host: Host, clock: SettableClock) -> None:
    game = await finish_game(host, ADA, BEN)
    assert [(timer.game_id, timer.kind) for timer in await host.timers.due()] == [(game.id, TimerKind.RESULT)]
    assert await host.timers.put_away_at(game) == clock.now() + ARCHIVE_DELAY
    clock.advance(ARCHIVE_DELAY.total_seconds())
    assert {timer.kind for timer in await host.timers.due()} == {TimerKind.RESULT, TimerKind.PUT_AWAY}


async def test_a_running_game_has_no_follow_up_timers(host: Host) -> None:
    lobby = await host.lobbies.open(new_lobby(), click_id())
    await host.lobbies.join(lobby.id, BEN, click_id())
    await host.lobbies.set_message(lobby.id, CARD)
    await host.lobbies.start(lobby.id, ADA.user_id, click_id(), thread_id=THREAD)
    assert await host.timers.due() == []


@pytest.mark.parametrize("thread", [None, CARD + 1])
async def test_only_a_thread_made_for_the_game_is_archived(host: Host, thread: int | None) -> None:
    game = await finish_game(host, ADA, BEN, thread=thread)
    assert await host.timers.put_away_at(game) is None


async def test_a_timer_is_done_once_across_processes_and_restarts(new_host: NewHost, clock: SettableClock) -> None:
    host = await new_host()
    await finish_game(host, ADA, BEN)
    (timer,) = await host.timers.due()
    assert await host.timers.take(timer)
    other_host = await new_host()
    assert await other_host.timers.due() == [], "the first host has taken it"
    assert not await other_host.timers.take(timer)
    clock.advance(FIRST_RETRY_DELAY.total_seconds())
    (again,) = await other_host.timers.due()  # the lease of the crashed host has expired
    assert again.attempts == 1
    assert await other_host.timers.take(again)
    await other_host.timers.done(again)
    clock.advance(timedelta(days=1).total_seconds())
    assert await (await new_host()).timers.due() == []


async def test_a_timer_is_dropped_after_the_last_attempt(host: Host, clock: SettableClock) -> None:
    await finish_game(host, ADA, BEN, thread=None)
    for _ in range(MAX_ATTEMPTS):
        (timer,) = await host.timers.due()
        assert await host.timers.take(timer)
        assert await host.timers.due() == []
        clock.advance(timedelta(days=30).total_seconds())
    (timer,) = await host.timers.due()
    assert not await host.timers.take(timer)
    assert await host.timers.due() == []


@pytest.mark.sqlite
async def test_due_timers_and_rematches_are_found_by_index(tmp_path: Path, host: Host) -> None:
    await finish_game(host, ADA, BEN)
    store = await Store.open(tmp_path / "games.db")
    queries = {
        "SELECT * FROM timers WHERE due_at <= 5 AND kind IN ('a') ORDER BY due_at LIMIT 9": "ix_timers_kind_due_at",
        "SELECT id FROM lobbies WHERE game_id = 1 ORDER BY id LIMIT 1": "ix_lobbies_game_id",
        "SELECT id FROM lobbies WHERE rematch_of = 1 ORDER BY id LIMIT 1": "ix_lobbies_rematch_of",
    }
    async with store.reading() as tx:
        for query, index in queries.items():
            plan = " ".join(row[3] for row in await tx.exec_driver_sql(f"EXPLAIN QUERY PLAN {query}"))
            assert index in plan
            assert "SCAN" not in plan
    await store.close()


# -- the rematch -------------------------------------------------------------------------------------------------------


async def test_a_rematch_has_the_settings_of_its_game(host: Host) -> None:
    game = await finish_game(host, ADA, BEN, CLEO)
    lobby = await host.lobbies.rematch(game.code, BEN, click_id())
    before = setup_of(game)
    assert (lobby.owner, lobby.members, lobby.capacity) == (BEN, (BEN,), 3)
    assert (lobby.channel_id, lobby.settings, lobby.game) == (CHANNEL, TableSettings(theme="night"), before.game)
    assert (lobby.expansions, lobby.options) == (before.expansions, before.options.differences())
    assert (lobby.rematch_of, lobby.former) == (game.id, game.seats)


async def test_seats_rotate_by_one_among_the_same_people(host: Host) -> None:
    game = await finish_game(host, ADA, BEN, CLEO)
    lobby = await host.lobbies.rematch(game.code, CLEO, click_id())
    for person in (ADA, Person(BEN.user_id, "Benjamin")):
        await host.lobbies.join(lobby.id, person, click_id())
    again = await host.lobbies.start(lobby.id, CLEO.user_id, click_id())
    assert [p.user_id for p in again.seats] == [p.user_id for p in (*game.seats[1:], game.seats[0])]
    assert "Benjamin" in [p.name for p in again.seats], "the current name is used"


@pytest.mark.both_databases
async def test_seats_are_drawn_by_lot_among_other_people(host: Host) -> None:
    game = await finish_game(host, ADA, BEN)
    lobby = await host.lobbies.rematch(game.code, ADA, click_id())
    await host.lobbies.join(lobby.id, STRANGER, click_id())
    again = await host.lobbies.start(lobby.id, ADA.user_id, click_id())
    assert again.seats == seat_order((ADA, STRANGER), setup_of(again).seed)


async def test_there_is_one_rematch_of_a_game(host: Host) -> None:
    game = await finish_game(host, ADA, BEN)
    interaction = click_id()
    lobby = await host.lobbies.rematch(game.code, ADA, interaction)
    assert await host.lobbies.rematch(game.code, ADA, interaction) == lobby
    assert (await host.lobbies.rematch(game.code, BEN, click_id())).id == lobby.id
    await host.lobbies.leave(lobby.id, ADA.user_id, click_id())
    another = await host.lobbies.rematch(game.code, BEN, click_id())
    assert another.id != lobby.id
    assert another.owner == BEN
    await host.lobbies.join(another.id, ADA, click_id())
    await host.lobbies.start(another.id, BEN.user_id, click_id())
    assert (await host.lobbies.rematch(game.code, ADA, click_id())).state is LobbyState.STARTED


async def test_only_a_player_opens_a_rematch(host: Host) -> None:
    game = await finish_game(host, ADA, BEN)
    with expect_error(ErrorCode.NOT_A_PLAYER, code=game.code):
        await host.lobbies.rematch(game.code, STRANGER, click_id())


async def test_a_running_game_has_no_rematch(host: Host) -> None:
    lobby = await host.lobbies.open(new_lobby(), click_id())
    await host.lobbies.join(lobby.id, BEN, click_id())
    game = await host.lobbies.start(lobby.id, ADA.user_id, click_id())
    with expect_error(ErrorCode.NOT_OVER, code=game.code):
        await host.lobbies.rematch(game.code, ADA, click_id())
    with expect_error(ErrorCode.UNKNOWN_GAME, ref="ZZZZ"):
        await host.lobbies.rematch("ZZZZ", ADA, click_id())
