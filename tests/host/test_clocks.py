"""Clocks at tables: when they run, what they cost, and what happens when nothing is left."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from datetime import UTC, datetime, timedelta
from math import ceil
from random import Random

import pytest
from sqlalchemy import func, select

from engine import Action, Pass, Place, Position
from engine.carcassonne.expansions import BCB
from engine.carcassonne.expansions.bridges_castles_bazaars import ChooseLot
from engine.selfplay import random_action
from host import Game, GameStatus, Host, Person, TableSettings
from host.clocks import HOUR, PACES, SECOND, span
from host.games.timekeeping import made_at
from store import Heartbeat, SeatClock, clocks, processes, schema
from tests.host.conftest import NewHost
from tests.host.people import ADA, BEN, CLEO, SettableClock, click, new_lobby

DORA = Person(104, "Dora")
STANDARD = PACES["standard"]
_DISCORD = datetime(2015, 1, 1, tzinfo=UTC)


def pressed(at: datetime) -> int:
    """The id of an interaction of this time."""
    return (span(_DISCORD, at) << 22) + click() % 2**22


async def open_game(host: Host, *people: Person, pace: str = "standard", **changes: object) -> Game:
    first, *others = people
    lobby = await host.lobbies.open(
        new_lobby(capacity=len(people), owner=first, settings=TableSettings(pace=pace), **changes), click()
    )
    for person in others:
        await host.lobbies.join(lobby.id, person, click())
    return await host.lobbies.start(lobby.id, first.user_id, click())


async def post_all(host: Host) -> int:
    """Discord takes every card that is due."""
    count = 0
    while posts := await host.outbox.due():
        for post in posts:
            if await host.outbox.sending(post.id):
                await host.outbox.sent(post.id, 1000 + post.id)
                count += 1
    return count


async def clocks_of(host: Host, game: Game) -> tuple[SeatClock, ...]:
    async with host._store.reading() as tx:
        return (await clocks.of_game(tx, game.id)).seats


async def asked(host: Host, game: Game) -> SeatClock:
    (found,) = [clock for clock in await clocks_of(host, game) if clock.asked is not None]
    return found


async def decide(host: Host, game: Game, choose: Callable[[Position], list[Action]], at: datetime) -> None:
    """Whoever has to decide does so, with a press of this time."""
    table = await host.games.table(game.id)
    person = table.game.seats[table.position.player]
    await host.moves.act(game.id, person.user_id, table.position.ply, choose(table.position), pressed(at))


def whole_turn(position: Position) -> list[Action]:
    place = next(action for action in position.legal_actions if isinstance(action, Place))
    return [place, Pass()]


async def beats(host: Host, clock: SettableClock, seconds: float) -> None:
    """Time passes, and the heart has been beating all the time."""
    clock.advance(seconds)
    async with host._store.writing() as tx:
        await processes.put_heartbeat(tx, Heartbeat(0, 1, clock.now()))


async def passing(host: Host, clock: SettableClock, seconds: float, *, step: float) -> AsyncIterator[None]:
    """Time passes in steps, the gateway connected, and what is due is done.

    Steps in which nothing is due are one with the next in which something is: to see it, a caller does at each what
    brings up something new. The first is always taken, for what is left from before.
    """
    end, steps = clock.in_seconds(seconds), 1
    while clock.now() < end:
        await beats(host, clock, min(steps * step, (end - clock.now()).total_seconds()))
        await host.timer_dispatcher.work()
        yield
        steps = max(1, ceil((await next_due(host, end) - clock.now()).total_seconds() / step))


async def next_due(host: Host, latest: datetime) -> datetime:
    """Return the time at which the next timer is due, or else the latest time."""
    async with host._store.reading() as tx:
        found: datetime | None = await tx.scalar(select(func.min(schema.play.timers.c.due_at)))
    return min(found or latest, latest)


async def live(host: Host, clock: SettableClock, seconds: float, *, step: float = 600) -> None:
    """Time passes, the gateway connected: what is due is done, cards are posted."""
    async for _ in passing(host, clock, seconds, step=step):
        await post_all(host)


@pytest.fixture
async def game(host: Host, clock: SettableClock) -> Game:
    """Four at a table at the standard pace; its first card is not posted yet."""
    return await open_game(host, ADA, BEN, CLEO, DORA, expansions=())


async def test_the_clock_starts_when_discord_has_the_card(host: Host, game: Game, clock: SettableClock) -> None:
    assert (await asked(host, game)).since is None
    clock.advance(1000)
    await post_all(host)
    started = await asked(host, game)
    assert (started.since, started.free) == (clock.now(), 8 * HOUR)
    assert started.left == 72 * HOUR


async def test_it_stops_when_the_press_was_made_and_the_turn_earns(
    host: Host, game: Game, clock: SettableClock
) -> None:
    await post_all(host)
    start, seat = clock.now(), (await asked(host, game)).seat
    clock.advance(10 * 3600)
    await decide(host, game, whole_turn, start + timedelta(hours=9))
    mine = (await clocks_of(host, game))[seat]
    assert (mine.used, mine.granted, mine.asked, mine.since) == (HOUR, 90 * HOUR, None, None)
    await post_all(host)
    assert (await asked(host, game)).seat == (seat + 1) % 4


async def test_a_move_in_two_presses_has_one_grace_and_one_increment(
    host: Host, game: Game, clock: SettableClock
) -> None:
    await post_all(host)
    seat = (await asked(host, game)).seat
    clock.advance(5 * 3600)
    await decide(host, game, lambda position: whole_turn(position)[:1], clock.now())
    clock.advance(3600)  # nobody waits for what Discord does not have
    await post_all(host)
    half = await asked(host, game)
    assert (half.seat, half.free, half.used, half.granted) == (seat, 3 * HOUR, 0, 72 * HOUR)
    clock.advance(4 * 3600)
    await decide(host, game, lambda _: [Pass()], clock.now())
    mine = (await clocks_of(host, game))[seat]
    assert (mine.used, mine.granted) == (HOUR, 90 * HOUR)


@pytest.mark.repeats_on_postgresql
async def test_a_bazaar_has_an_allowance_of_its_own_and_then_the_bank_runs(host: Host, clock: SettableClock) -> None:
    game, random = await open_game(host, ADA, BEN, CLEO), Random(1)
    while not isinstance((position := (await host.games.table(game.id)).position).step, ChooseLot):
        await post_all(host)
        await decide(host, game, lambda position: [random_action(position, random)], clock.now())
    await post_all(host)
    before = await asked(host, game)
    assert (before.free, STANDARD.allowance) == (6 * HOUR, 6 * HOUR)
    clock.advance(8 * 3600)
    await decide(host, game, lambda position: [next(iter(position.legal_actions))], clock.now())
    after = (await clocks_of(host, game))[position.player]
    assert (after.used - before.used, after.granted) == (2 * HOUR, before.granted), "and it is no turn that earns"


async def test_a_press_from_before_the_card_costs_nothing(host: Host, game: Game, clock: SettableClock) -> None:
    await post_all(host)
    seat = (await asked(host, game)).seat
    clock.advance(20 * 3600)
    await decide(host, game, whole_turn, clock.in_seconds(-30 * 3600))
    assert (await clocks_of(host, game))[seat].used == 0


async def test_zero_is_declared_ten_seconds_later_and_not_before(host: Host, game: Game, clock: SettableClock) -> None:
    await post_all(host)
    seat = (await asked(host, game)).seat
    await beats(host, clock, 80 * 3600 + 9)
    await host.timer_dispatcher.work()
    assert (await asked(host, game)).seat == seat
    clock.advance(16)
    await host.gateway_monitor.beat()
    await host.timer_dispatcher.work()
    table = await host.games.table(game.id)
    assert table.position.player == (seat + 1) % 4
    assert [(str(entry.action), entry.user_id, entry.seat) for entry in table.log] == [("skip", 0, seat)]
    mine = (await clocks_of(host, game))[seat]
    assert (mine.timeouts, mine.left, mine.used, mine.granted) == (1, 12 * HOUR, 72 * HOUR, 84 * HOUR)


async def test_a_move_that_was_made_in_time_counts_when_it_comes_late(
    host: Host, game: Game, clock: SettableClock
) -> None:
    await post_all(host)
    zero, seat = clock.in_seconds(80 * 3600), (await asked(host, game)).seat
    await beats(host, clock, 80 * 3600 + 8)
    await host.timer_dispatcher.work()
    await decide(host, game, whole_turn, zero - timedelta(seconds=1))
    mine = (await clocks_of(host, game))[seat]
    assert (mine.timeouts, mine.used, mine.left) == (0, 72 * HOUR - SECOND, 18 * HOUR + SECOND)


async def test_zero_is_never_declared_while_the_gateway_is_down(host: Host, game: Game, clock: SettableClock) -> None:
    await host.gateway_monitor.beat()
    await post_all(host)
    for _ in range(50):  # eight days
        clock.advance(4 * 3600)
        await host.timer_dispatcher.work()
    assert (await asked(host, game)).timeouts == 0
    await host.gateway_monitor.beat()
    await host.timer_dispatcher.work()
    mine = await asked(host, game)
    assert (mine.timeouts, mine.since) == (0, clock.now())


async def test_a_place_that_was_laid_in_time_ends_without_a_figure(
    host: Host, game: Game, clock: SettableClock
) -> None:
    await post_all(host)
    seat = (await asked(host, game)).seat
    await decide(host, game, lambda position: whole_turn(position)[:1], clock.now())
    await post_all(host)
    await live(host, clock, 81 * 3600, step=3600)
    table = await host.games.table(game.id)
    assert [str(entry.action) for entry in table.log][1:] == ["pass"]
    mine = (await clocks_of(host, game))[seat]
    assert (mine.timeouts, mine.granted) == (1, 84 * HOUR), "no increment for a turn that ran out"


@pytest.mark.sqlite
async def test_the_third_zero_withdraws_and_the_others_play_on(host: Host, game: Game, clock: SettableClock) -> None:
    await post_all(host)
    silent = (await asked(host, game)).seat
    waited = await play_with_silent(host, game, clock, {silent})
    table = await host.games.table(game.id)
    assert table.game.status is GameStatus.FINISHED
    assert table.position.withdrawn == tuple(seat == silent for seat in range(4))
    assert waited <= timedelta(days=9)
    assert (await clocks_of(host, game))[silent].timeouts == 3


async def test_a_duel_is_lost_at_the_first(host: Host, clock: SettableClock) -> None:
    duel = await open_game(host, ADA, BEN, pace="live")
    await post_all(host)
    silent = (await asked(host, duel)).seat
    await live(host, clock, 16 * 60, step=30)
    found = await host.games.get(duel.id)
    assert found.status is GameStatus.FINISHED
    assert (await host.games.table(duel.id)).position.winners() == (1 - silent,)
    assert all(one.asked is None and one.since is None for one in await clocks_of(host, duel))


async def play_with_silent(host: Host, game: Game, clock: SettableClock, silent: set[int]) -> timedelta:
    """All but the silent seats play at once, at random; how long was waited for those."""
    random, waited = Random(1), timedelta(0)
    for _ in range(3000):
        found = await host.games.get(game.id)
        if found.seat_to_act is None:
            return waited
        await post_all(host)
        if found.seat_to_act in silent:
            before = clock.now()
            await live(host, clock, 3600, step=3600)
            waited += clock.now() - before
        else:
            await decide(host, game, lambda position: [random_action(position, random)], clock.now())
    raise AssertionError("it does not end")


@pytest.mark.long
@pytest.mark.sqlite
@pytest.mark.parametrize("seed", [pytest.param(0, marks=pytest.mark.soak), 2])
async def test_one_silent_seat_of_four_holds_up_nobody_for_long(host: Host, clock: SettableClock, seed: int) -> None:
    """Bazaars, castles, second tiles, bought tiles: whatever the silent seat is asked, the game ends."""
    boxes = (BCB, "traders-builders")
    game = await open_game(host, ADA, BEN, CLEO, DORA, expansions=boxes)
    waited = await play_with_silent(host, game, clock, {seed % 4})
    table = await host.games.table(game.id)
    assert waited <= timedelta(days=9)
    assert table.game.status is GameStatus.FINISHED
    for one in await clocks_of(host, game):
        assert one.granted + one.given_back - one.used == one.left >= 0
        assert (one.asked, one.since) == (None, None)


async def test_without_a_pace_nothing_is_kept(host: Host, clock: SettableClock) -> None:
    plain = await open_game(host, ADA, BEN, pace="none")
    await post_all(host)
    await decide(host, plain, whole_turn, clock.now())
    assert await clocks_of(host, plain) == ()


async def test_a_list_begins_with_the_game_that_ends_soonest(host: Host, clock: SettableClock) -> None:
    slow, live, none = [await open_game(host, ADA, BEN, pace=pace) for pace in ("slow", "live", "none")]
    await post_all(host)
    found = await host.game_lists.of_user_by_deadline((await host.games.get(slow.id)).seats[0].user_id)
    assert [game.game_id for game in found] == [live.id, slow.id, none.id]
    assert [game.deadline for game in found] == [clock.in_seconds(900), clock.in_seconds(80 * 3600), None]


async def test_after_an_undo_the_clock_of_who_decides_again_starts_with_the_card(
    host: Host, game: Game, clock: SettableClock
) -> None:
    await post_all(host)
    seat = (await asked(host, game)).seat
    await decide(host, game, whole_turn, clock.now())
    await post_all(host)
    clock.advance(3600)
    request = await host.undo.request(game.id, game.seats[seat].user_id, None, click())
    for user_id in request.voters:
        await host.votes.answer(game.id, request.id, user_id, click(), agrees=True)
    assert [one.seat for one in await clocks_of(host, game) if one.asked is not None] == [seat]
    assert (await asked(host, game)).since is None
    clock.advance(60)
    await post_all(host)
    again = await asked(host, game)
    assert (again.seat, again.since, again.free) == (seat, clock.now(), 8 * HOUR)


async def test_after_an_undo_the_others_have_their_time_again_and_the_asker_no_increment(
    host: Host, game: Game, clock: SettableClock
) -> None:
    await post_all(host)
    asker = (await asked(host, game)).seat
    before = {one.seat: one.left for one in await clocks_of(host, game)}
    for hours in (9, 20, 8):  # the second one needs 12 hours of the bank
        clock.advance(hours * 3600)
        await decide(host, game, whole_turn, clock.now())
        await post_all(host)
    clock.advance(10 * 3600)  # and the fourth has been asked for 10
    request = await host.undo.request(game.id, game.seats[asker].user_id, None, click())
    for user_id in request.voters:
        await host.votes.answer(game.id, request.id, user_id, click(), agrees=True)
    after = await clocks_of(host, game)
    assert {one.seat: one.left for one in after} == {**before, asker: before[asker] - HOUR}
    assert [one.given_back // HOUR for one in sorted(after, key=lambda one: (one.seat - asker) % 4)] == [0, 12, 0, 2]
    assert all(one.granted + one.given_back - one.used == one.left for one in after)


async def test_two_processes_declare_it_once(host: Host, new_host: NewHost, game: Game, clock: SettableClock) -> None:
    await post_all(host)
    await beats(host, clock, 80 * 3600 + 30)
    other = await new_host()
    timer = (await host.timer_dispatcher._due())[0]
    for each in (host, other):
        await each.timer_dispatcher._dispatch(timer)
    assert [str(entry.action) for entry in (await other.games.table(game.id)).log] == ["skip"]


def test_the_time_of_a_press_stands_in_its_id() -> None:
    assert made_at(175928847299117063) == datetime(2016, 4, 30, 11, 18, 25, 796000, tzinfo=UTC)
