"""The queue of the ladder: two waiting players get a rated game, and the same two meet twice a week at most.

A ladder is a permanent rated competition without rounds. The longer players wait in its queue, the larger a
difference of their ratings is accepted. `advance_event` runs the queue as it runs events; `shown` is the rating as
players see it.
"""

from __future__ import annotations

import pytest

from host import ErrorCode, Host
from tests.host.events.driver import EVENT_CHANNEL, FakeThreads, advance_event, end_game, player
from tests.host.people import GUILD, SettableClock, click_id, expect_error
from tournaments.lasting.ratings import Scale


async def queue_two_players(host: Host, clock: SettableClock, threads: FakeThreads) -> int | None:
    """Let two players queue for two hours, in which the allowed difference widens; return their game, if any."""
    before = set(threads.opened)
    for number in (1, 2):
        await host.events.ladder.enter(player(number), GUILD, EVENT_CHANNEL, Scale.DUEL)
    for _ in range(8):
        await advance_event(host, clock, threads, 3)
        clock.advance(15 * 60)
    return next(iter(set(threads.opened) - before), None)


async def test_two_waiting_players_get_a_rated_game(host: Host, clock: SettableClock) -> None:
    threads = FakeThreads(host)
    with expect_error(ErrorCode.NOT_QUEUED):
        await host.events.ladder.leave(player(1).user_id, GUILD, Scale.DUEL)
    await host.events.ladder.enter(player(1), GUILD, EVENT_CHANNEL, Scale.DUEL)
    with expect_error(ErrorCode.QUEUED_ALREADY):
        await host.events.ladder.enter(player(1), GUILD, EVENT_CHANNEL, Scale.DUEL)
    await advance_event(host, clock, threads, 2)
    assert not threads.opened
    await host.events.ladder.leave(player(1).user_id, GUILD, Scale.DUEL)
    game_id = await queue_two_players(host, clock, threads)
    assert game_id is not None
    assert await host.events.ladder.waiting(GUILD, Scale.DUEL) == ()
    await end_game(host, await host.games.get(game_id))
    await host.timer_dispatcher.work()
    for guild_id in (0, GUILD):
        ratings = await host.events.ratings.profile(guild_id, player(1).user_id)
        assert [(rating.games, rating.provisional) for rating in ratings] == [(1, True)]
    await host.events.ratings.rebuild(Scale.DUEL)
    assert await host.events.ratings.profile(GUILD, player(1).user_id) == ratings
    assert await host.events.ratings.leaderboard(GUILD, Scale.DUEL) == ()


async def test_two_players_meet_twice_a_week_at_most(host: Host, clock: SettableClock) -> None:
    threads = FakeThreads(host)
    first_players = []
    for _ in range(2):
        game_id = await queue_two_players(host, clock, threads)
        assert game_id is not None
        game = await host.games.get(game_id)
        first_players.append(game.seats[0].name)
        await end_game(host, game, 4)
        await host.timer_dispatcher.work()
    assert len(set(first_players)) == 2
    assert await queue_two_players(host, clock, threads) is None
    clock.advance(7 * 24 * 3600)
    await advance_event(host, clock, threads, 3)
    assert len(threads.opened) == 3


@pytest.mark.both_databases
async def test_a_player_who_resigns_loses_rating(host: Host, clock: SettableClock) -> None:
    threads = FakeThreads(host)
    game_id = await queue_two_players(host, clock, threads)
    assert game_id is not None
    game = await host.games.get(game_id)
    person = game.seats[(await host.games.table(game_id)).position.player]
    await make_one_move(host, game_id)
    await host.moves.resign(game_id, person.user_id, click_id())
    await host.timer_dispatcher.work()
    loser = await host.events.ratings.profile(GUILD, person.user_id)
    winner = next(seated for seated in game.seats if seated != person)
    theirs = await host.events.ratings.profile(GUILD, winner.user_id)
    assert loser[0].shown < theirs[0].shown


async def make_one_move(host: Host, game_id: int) -> None:
    """Apply the first legal action of the player to move."""
    table = await host.games.table(game_id)
    action = next(iter(table.position.legal_actions))
    person = table.game.seats[table.position.player]
    await host.moves.act(game_id, person.user_id, table.game.revision, [action], click_id())
