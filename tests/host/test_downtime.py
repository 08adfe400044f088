"""An outage costs nobody anything: every clock stands where it stood at the last heartbeat, in whichever process."""

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

GAMES = 300
TELLING_TIME = tuple(kind for kind, policy in POSTS.items() if policy.tells_time)


async def running_games(host: Host, clock: SettableClock) -> dict[int, SeatClock]:
    """Many games whose clocks have begun at some time within the last days: one is played, the others are its rows."""
    first = await open_game(host, ADA, BEN, CLEO)
    await post_all(host)
    random, begun = Random(1), await active_clock(host, first)
    async with host._store.writing() as tx:
        game = await games.get(tx, first.id)
        alarm = await timers.due_at(tx, first.id, TimerKind.CLOCK)
        assert alarm is not None
        for number in range(GAMES - 1):
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
            since = clock.now() - timedelta(hours=random.uniform(0, 70))
            since = since.replace(microsecond=since.microsecond // 1000 * 1000)
            used = random.choice([0, 10 * HOUR])
            mine = SeatClock(
                game_id=game_id,
                seat=0,
                granted=72 * HOUR + used,
                used=used,
                asked=0,
                free=random.choice([0, 8 * HOUR]),
                since=since,
                reminded_at=random.choice([None, since]),
            )
            await clocks.add(tx, [mine, *(new_clock(game_id, seat, PACES["standard"]) for seat in (1, 2))])
            await timers.put(tx, Timer(game_id, TimerKind.CLOCK, clock.now() + timedelta(hours=random.uniform(0, 9))))
    running = await all_running(host)
    assert running[first.id] == begun
    assert len(running) == GAMES
    return running


async def all_running(host: Host) -> dict[int, SeatClock]:
    """All clocks that run, by game."""
    async with host._store.reading() as tx:
        rows = await tx.execute(select(schema.play.clocks).where(schema.play.clocks.c.since.is_not(None)))
        return {row.game_id: clocks.clock_of(row) for row in rows}


@pytest.mark.long
async def test_after_nine_hours_and_two_starts_every_clock_stands_where_it_stood(
    host: Host, new_host: NewHost, clock: SettableClock
) -> None:
    before = await running_games(host, clock)
    await host.gateway_monitor.beat()
    last = clock.now()
    clock.advance(9 * 3600)
    first, second = await new_host(), await new_host()
    await asyncio.gather(first.timer_dispatcher.work(), second.timer_dispatcher.work())  # before anything is heard
    assert await all_running(first) == before, "nothing is declared, and nobody is reminded"
    given = await asyncio.gather(first.gateway_monitor.beat(), second.gateway_monitor.beat())
    assert sorted(given) == [0, GAMES]
    assert await all_running(first) == {game: give_back(one, last, clock.now()) for game, one in before.items()}
    await asyncio.gather(first.timer_dispatcher.work(), second.timer_dispatcher.work())
    after = await all_running(first)
    assert {game: left_at(one, clock.now()) for game, one in after.items()} == {
        game: left_at(one, last) for game, one in before.items()
    }
    assert all(one.timeouts == 0 and one.untold == 9 * HOUR for one in after.values())
    assert all(one.granted + one.given_back - one.used == one.left for one in after.values())
    posted = 0
    for _ in range(6):
        await advance_with_heartbeat(first, clock, 600)
        await asyncio.gather(first.timer_dispatcher.work(), second.timer_dispatcher.work())
        posted += await post_all(first)
    assert posted <= GAMES


@pytest.mark.parametrize("what", ["vacation", "closed place", "end date", "all have left"])
async def test_a_clock_that_is_stopped_before_the_gap_goes_back_stands_there_too(
    host: Host, clock: SettableClock, what: str
) -> None:
    """Two hours after the last heartbeat something stops it; that is seen at the start, before anything is heard."""
    game = await open_game(host, ADA, BEN, CLEO)
    await post_all(host)
    mover = game.seats[(await active_clock(host, game)).seat].user_id
    await advance_with_heartbeat(host, clock, 10 * 3600)
    if what == "vacation":
        await host.vacations.announce(mover, clock.now().date() + timedelta(days=2), 3)
        await advance_with_heartbeat(host, clock, 24 * 3600)
    if what == "end date":
        await host.endings.set_end(game.id, clock.in_seconds(2 * 3600))
    last, before = clock.now(), await active_clock(host, game)
    clock.advance(9 * 3600)
    if what == "closed place":
        await host.places.close([game.id])
    if what == "all have left":
        host.membership.ask = AsyncMock(return_value=False)
        for _ in range(2):
            await host.timer_dispatcher.work()
            clock.advance(3 * 24 * 3600)
    await host.timer_dispatcher.work()
    stopped = (await clocks_of(host, game))[before.seat]
    assert (stopped.since, stopped.left) == (None, left_at(before, last))
    await host.gateway_monitor.beat()
    assert (await clocks_of(host, game))[before.seat] == stopped


async def test_a_gap_of_a_minute_is_none(host: Host, clock: SettableClock) -> None:
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
@pytest.mark.parametrize("told", [*TELLING_TIME, PostKind.CLOSING])
async def test_an_outage_is_told_once_by_whatever_message_tells_of_time(
    host: Host, clock: SettableClock, told: PostKind
) -> None:
    game = await open_game(host, ADA, BEN, CLEO)
    await post_all(host)
    await host.gateway_monitor.beat()
    clock.advance(9 * 3600)
    await host.gateway_monitor.beat()
    async with host._store.writing() as tx:
        await host.outbox.notice(tx, game, game.ply, told)
    times = await host.times.of(game)
    assert times is not None
    assert times.downtime == timedelta(hours=9)
    await post_all(host)
    await decide(host, game, place_and_pass, clock.now())
    times = await host.times.of(await host.games.get(game.id))
    assert times is not None
    assert times.downtime == (timedelta(0) if told in TELLING_TIME else timedelta(hours=9))


async def test_a_beat_that_had_to_wait_does_not_put_the_heart_back(
    host: Host, new_host: NewHost, clock: SettableClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, other, writing = await open_game(host, ADA, BEN, CLEO), await new_host(), host._store.writing
    await post_all(host)
    await host.gateway_monitor.beat()

    @asynccontextmanager
    async def late(*names: str) -> AsyncIterator[Transaction]:
        clock.advance(40)
        await other.gateway_monitor.beat()
        async with writing(*names) as tx:
            yield tx

    with monkeypatch.context() as patch:
        patch.setattr(host._store, "writing", late)
        assert await host.gateway_monitor.beat() == 0
    clock.advance(40)
    assert await other.gateway_monitor.beat() == 0
    assert (await active_clock(host, game)).untold == 0


async def test_only_games_of_the_shard_get_it_back(host: Host, clock: SettableClock) -> None:
    game = await open_game(host, ADA, BEN, CLEO)
    await post_all(host)
    mine, other = (GUILD >> 22) % 2, 1 - (GUILD >> 22) % 2
    await host.gateway_monitor.beat([mine, other], of=2)
    clock.advance(50)
    await host.gateway_monitor.beat([mine], of=2)
    clock.advance(50)
    assert await host.gateway_monitor.beat([mine, other], of=2) == 0, (
        "the other shard was away, but this game is not its"
    )
    clock.advance(100)
    assert await host.gateway_monitor.beat([other], of=2) == 0
    assert await host.gateway_monitor.beat([mine], of=2) == 1
    assert (await active_clock(host, game)).untold == 100_000


async def test_who_waits_for_a_card_got_nothing_to_give_back(host: Host, clock: SettableClock) -> None:
    await open_game(host, ADA, BEN, CLEO)
    await host.gateway_monitor.beat()
    clock.advance(3600)
    assert await host.gateway_monitor.beat() == 0


@pytest.mark.parametrize("hours", [1, 30])
async def test_the_game_goes_on_from_there(host: Host, clock: SettableClock, hours: int) -> None:
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
    mine = (await clocks_of(host, game))[seat]
    assert mine.used - mine.given_back == max(0, hours * HOUR + HOUR // 2 - 8 * HOUR)


async def test_numbers_of_shards_live_side_by_side(host: Host, clock: SettableClock) -> None:
    game = await open_game(host, ADA, BEN, CLEO)
    await post_all(host)
    few, many = (GUILD >> 22) % 2, (GUILD >> 22) % 4
    await host.gateway_monitor.beat([0, 1], of=2)
    clock.advance(40)
    assert await host.gateway_monitor.beat([0, 1, 2, 3], of=4) == 0
    clock.advance(40)
    assert await host.gateway_monitor.beat([0, 1], of=2) == 0, "nobody was away for a minute"
    clock.advance(100)
    assert await host.gateway_monitor.beat([many], of=4) == 1
    clock.advance(40)
    assert await host.gateway_monitor.beat([few], of=2) == 0, "the server was heard by the other one"
    assert (await active_clock(host, game)).untold == 100_000


async def test_a_number_that_was_given_up_is_forgotten(host: Host, clock: SettableClock) -> None:
    await host.gateway_monitor.beat([0, 1, 2], of=3)
    clock.advance(2 * 86400)
    await host.gateway_monitor.beat([0], of=2)
    clock.advance(50)
    await host.gateway_monitor.beat([0], of=2)
    assert len(await beats_of(host)) == 4, "the other shard may have to give back what it was away for"
    await host.gateway_monitor.beat([1], of=2)
    await host.gateway_monitor.beat([1], of=2)
    assert {beat.shards for beat in await beats_of(host)} == {2}


async def test_the_release_before_knows_when_somebody_was_heard(host: Host, clock: SettableClock) -> None:
    game = await open_game(host, ADA, BEN, CLEO)
    await post_all(host)
    await host.gateway_monitor.beat()
    async with host._store.writing() as tx:  # its heart beats, ours does not
        clock.advance(3600)
        await tx.execute(update(schema.admin.heartbeats).values(at=clock.now()))
    assert await host.gateway_monitor.beat() == 0
    async with host._store.reading() as tx:
        assert await tx.scalar(select(schema.admin.heartbeats.c.at)) == clock.now()
    assert (await active_clock(host, game)).untold == 0


async def beats_of(host: Host) -> list[Heartbeat]:
    async with host._store.reading() as tx:
        return await processes.heartbeats(tx)
