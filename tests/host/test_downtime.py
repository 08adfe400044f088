"""Downtime is given back: after an outage every clock stands where it stood at the last heartbeat.

Heartbeats are stored for each shard and number of shards, so that several processes and releases can run side by
side. A heartbeat is a stored time at which a shard, one of the bot's connections to Discord, was known to be up.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from random import Random
from unittest.mock import AsyncMock

import pytest
from sqlalchemy import select, update

from host import Host
from host.clocks import HOUR, PACES, give_back, left_at, new_clock
from host.notifications import POSTS
from store import (
    Heartbeat,
    NewGame,
    PostKind,
    SeatClock,
    Timer,
    TimerKind,
    Transaction,
    clocks,
    games,
    processes,
    schema,
    timers,
)
from tests.host.conftest import NewHost
from tests.host.people import ADA, BEN, CLEO, GUILD, SettableClock
from tests.host.test_clocks import (
    active_clock,
    advance_with_heartbeat,
    clocks_of,
    decide,
    open_game,
    place_and_pass,
    post_all,
)

POSTS_WITH_TIMES = tuple(kind for kind, policy in POSTS.items() if policy.tells_time)
"""Kinds of posts that show a deadline, which a compensation changes."""


async def start_many_games(host: Host, clock: SettableClock, count: int) -> dict[int, SeatClock]:
    """Store games whose clocks started within the last 70 hours: one is played, the others are copies of its rows."""
    first = await open_game(host, ADA, BEN, CLEO)
    await post_all(host)
    rng, first_clock = Random(1), await active_clock(host, first)
    async with host._store.writing() as tx:
        game = await games.get(tx, first.id)
        alarm = await timers.due_at(tx, first.id, TimerKind.CLOCK)
        assert alarm is not None
        for number in range(count - 1):
            new = NewGame(
                code=f"Z{number:03}",
                name=game.name,
                guild_id=GUILD,
                channel_id=game.channel_id,
                seats=game.seats,
                setup=game.setup_text,
                digest=game.digest,
                seat_to_act=0,
                settings=game.settings,
            )
            game_id = await games.add(tx, new, clock.now())
            since = clock.now() - timedelta(hours=rng.uniform(0, 70))
            since = since.replace(microsecond=since.microsecond // 1000 * 1000)
            used = rng.choice([0, 10 * HOUR])
            running_clock = SeatClock(
                game_id=game_id,
                seat=0,
                granted=72 * HOUR + used,
                used=used,
                asked=0,
                free=rng.choice([0, 8 * HOUR]),
                since=since,
                reminded_at=rng.choice([None, since]),
            )
            await clocks.add(tx, [running_clock, *(new_clock(game_id, seat, PACES["standard"]) for seat in (1, 2))])
            await timers.save(tx, Timer(game_id, TimerKind.CLOCK, clock.now() + timedelta(hours=rng.uniform(0, 9))))
    running = await running_clocks(host)
    assert running[first.id] == first_clock
    assert len(running) == count
    return running


async def running_clocks(host: Host) -> dict[int, SeatClock]:
    """Return all running clocks by game."""
    async with host._store.reading() as tx:
        rows = await tx.execute(select(schema.play.clocks).where(schema.play.clocks.c.since.is_not(None)))
        return {row.game_id: clocks.clock_of(row) for row in rows}


@pytest.mark.long
@pytest.mark.parametrize("count", [40, pytest.param(300, marks=pytest.mark.soak)])
async def test_two_processes_started_after_nine_hours_give_the_time_back_once(
    host: Host, new_host: NewHost, clock: SettableClock, count: int
) -> None:
    before = await start_many_games(host, clock, count)
    await host.gateway_monitor.beat()
    last = clock.now()
    clock.advance(9 * 3600)
    first, second = await new_host(), await new_host()
    await asyncio.gather(
        first.timer_dispatcher.work(), second.timer_dispatcher.work()
    )  # before the gateway is connected
    assert await running_clocks(first) == before, "no timeout is declared and no reminder sent"
    compensations = await asyncio.gather(first.gateway_monitor.beat(), second.gateway_monitor.beat())
    assert sorted(compensations) == [0, count]
    assert await running_clocks(first) == {
        game: give_back(seat_clock, last, clock.now()) for game, seat_clock in before.items()
    }
    await asyncio.gather(first.timer_dispatcher.work(), second.timer_dispatcher.work())
    after = await running_clocks(first)
    assert {game: left_at(seat_clock, clock.now()) for game, seat_clock in after.items()} == {
        game: left_at(seat_clock, last) for game, seat_clock in before.items()
    }
    assert all(seat_clock.timeouts == 0 and seat_clock.untold == 9 * HOUR for seat_clock in after.values())
    assert all(
        seat_clock.granted + seat_clock.given_back - seat_clock.used == seat_clock.left for seat_clock in after.values()
    )
    posted = 0
    for _ in range(6):
        await advance_with_heartbeat(first, clock, 600)
        await asyncio.gather(first.timer_dispatcher.work(), second.timer_dispatcher.work())
        posted += await post_all(first)
    assert posted <= count


@pytest.mark.parametrize("reason", ["vacation", "closed place", "end date", "all have left"])
async def test_a_clock_stopped_during_the_outage_stands_there_too(
    host: Host, clock: SettableClock, reason: str
) -> None:
    """Stop the clock two hours into the outage, by a timer that the next start runs before the gateway is connected."""
    game = await open_game(host, ADA, BEN, CLEO)
    await post_all(host)
    mover = game.seats[(await active_clock(host, game)).seat].user_id
    await advance_with_heartbeat(host, clock, 10 * 3600)
    if reason == "vacation":
        await host.vacations.announce(mover, clock.now().date() + timedelta(days=2), 3)
        await advance_with_heartbeat(host, clock, 24 * 3600)
    if reason == "end date":
        await host.endings.set_end(game.id, clock.in_seconds(2 * 3600))
    last, before = clock.now(), await active_clock(host, game)
    clock.advance(9 * 3600)
    if reason == "closed place":
        await host.places.close([game.id])
    if reason == "all have left":
        host.membership.ask = AsyncMock(return_value=False)
        for _ in range(2):
            await host.timer_dispatcher.work()
            clock.advance(3 * 24 * 3600)
    await host.timer_dispatcher.work()
    stopped = (await clocks_of(host, game))[before.seat]
    assert (stopped.since, stopped.left) == (None, left_at(before, last))
    await host.gateway_monitor.beat()
    assert (await clocks_of(host, game))[before.seat] == stopped


async def test_a_gap_of_one_minute_is_not_given_back(host: Host, clock: SettableClock) -> None:
    game = await open_game(host, ADA, BEN, CLEO)
    await post_all(host)
    await host.gateway_monitor.beat()
    before = await clocks_of(host, game)
    clock.advance(60)
    assert await host.gateway_monitor.beat() == 0
    assert await clocks_of(host, game) == before
    clock.advance(61)
    assert await host.gateway_monitor.beat() == 1
    assert (await active_clock(host, game)).untold == 61_000


@pytest.mark.sqlite
@pytest.mark.parametrize("kind", [*POSTS_WITH_TIMES, PostKind.CLOSING])
async def test_an_outage_is_mentioned_once_by_the_first_post_with_times(
    host: Host, clock: SettableClock, kind: PostKind
) -> None:
    game = await open_game(host, ADA, BEN, CLEO)
    await post_all(host)
    await host.gateway_monitor.beat()
    clock.advance(9 * 3600)
    await host.gateway_monitor.beat()
    async with host._store.writing() as tx:
        await host.outbox.add_notice(tx, game, kind)
    times = await host.times.of(game)
    assert times is not None
    assert times.downtime == timedelta(hours=9)
    await post_all(host)
    await decide(host, game, place_and_pass, clock.now())
    times = await host.times.of(await host.games.get(game.id))
    assert times is not None
    assert times.downtime == (timedelta(0) if kind in POSTS_WITH_TIMES else timedelta(hours=9))


async def test_a_delayed_heartbeat_does_not_overwrite_a_newer_one(
    host: Host, new_host: NewHost, clock: SettableClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, other, writing = await open_game(host, ADA, BEN, CLEO), await new_host(), host._store.writing
    await post_all(host)
    await host.gateway_monitor.beat()

    @asynccontextmanager
    async def delayed_writing(*names: str) -> AsyncIterator[Transaction]:
        clock.advance(40)
        await other.gateway_monitor.beat()
        async with writing(*names) as tx:
            yield tx

    with monkeypatch.context() as patch:
        patch.setattr(host._store, "writing", delayed_writing)
        assert await host.gateway_monitor.beat() == 0
    clock.advance(40)
    assert await other.gateway_monitor.beat() == 0
    assert (await active_clock(host, game)).untold == 0


async def test_only_games_of_the_disconnected_shard_get_time_back(host: Host, clock: SettableClock) -> None:
    game = await open_game(host, ADA, BEN, CLEO)
    await post_all(host)
    game_shard, other_shard = (GUILD >> 22) % 2, 1 - (GUILD >> 22) % 2
    await host.gateway_monitor.beat([game_shard, other_shard], of=2)
    clock.advance(50)
    await host.gateway_monitor.beat([game_shard], of=2)
    clock.advance(50)
    assert await host.gateway_monitor.beat([game_shard, other_shard], of=2) == 0, (
        "the other shard was disconnected, but this game is not on it"
    )
    clock.advance(100)
    assert await host.gateway_monitor.beat([other_shard], of=2) == 0
    assert await host.gateway_monitor.beat([game_shard], of=2) == 1
    assert (await active_clock(host, game)).untold == 100_000


async def test_a_clock_that_waits_for_its_card_gets_nothing_back(host: Host, clock: SettableClock) -> None:
    await open_game(host, ADA, BEN, CLEO)
    await host.gateway_monitor.beat()
    clock.advance(3600)
    assert await host.gateway_monitor.beat() == 0


@pytest.mark.parametrize("hours", [1, 30])
async def test_the_clock_continues_from_the_last_heartbeat(host: Host, clock: SettableClock, hours: int) -> None:
    game = await open_game(host, ADA, BEN, CLEO)
    await post_all(host)
    seat = (await active_clock(host, game)).seat
    await advance_with_heartbeat(host, clock, hours * 3600)
    before = await active_clock(host, game)
    start = clock.now()
    clock.advance(9 * 3600)
    await host.gateway_monitor.beat()
    assert await active_clock(host, game) == give_back(before, start, clock.now())
    clock.advance(30 * 60)
    await decide(host, game, place_and_pass, clock.now())
    player_clock = (await clocks_of(host, game))[seat]
    assert player_clock.used - player_clock.given_back == max(0, hours * HOUR + HOUR // 2 - 8 * HOUR)


async def test_processes_with_different_shard_counts_run_side_by_side(host: Host, clock: SettableClock) -> None:
    game = await open_game(host, ADA, BEN, CLEO)
    await post_all(host)
    shard_of_two, shard_of_four = (GUILD >> 22) % 2, (GUILD >> 22) % 4
    await host.gateway_monitor.beat([0, 1], of=2)
    clock.advance(40)
    assert await host.gateway_monitor.beat([0, 1, 2, 3], of=4) == 0
    clock.advance(40)
    assert await host.gateway_monitor.beat([0, 1], of=2) == 0, "no shard was disconnected for a minute"
    clock.advance(100)
    assert await host.gateway_monitor.beat([shard_of_four], of=4) == 1
    clock.advance(40)
    assert await host.gateway_monitor.beat([shard_of_two], of=2) == 0, "a shard of the other count was connected"
    assert (await active_clock(host, game)).untold == 100_000


async def test_heartbeats_of_an_abandoned_shard_count_are_dropped(host: Host, clock: SettableClock) -> None:
    await host.gateway_monitor.beat([0, 1, 2], of=3)
    clock.advance(2 * 86400)
    await host.gateway_monitor.beat([0], of=2)
    clock.advance(50)
    await host.gateway_monitor.beat([0], of=2)
    assert len(await heartbeats_of(host)) == 4, "the other shard may still have downtime to give back"
    await host.gateway_monitor.beat([1], of=2)
    await host.gateway_monitor.beat([1], of=2)
    assert {beat.shards for beat in await heartbeats_of(host)} == {2}


@pytest.mark.both_databases
async def test_a_heartbeat_of_the_previous_release_counts(host: Host, clock: SettableClock) -> None:
    game = await open_game(host, ADA, BEN, CLEO)
    await post_all(host)
    await host.gateway_monitor.beat()
    async with host._store.writing() as tx:  # only the previous release writes this table
        clock.advance(3600)
        await tx.execute(update(schema.admin.heartbeats).values(at=clock.now()))
    assert await host.gateway_monitor.beat() == 0
    async with host._store.reading() as tx:
        assert await tx.scalar(select(schema.admin.heartbeats.c.at)) == clock.now()
    assert (await active_clock(host, game)).untold == 0


async def heartbeats_of(host: Host) -> list[Heartbeat]:
    """Return the stored heartbeats of all shards."""
    async with host._store.reading() as tx:
        return await processes.heartbeats(tx)
