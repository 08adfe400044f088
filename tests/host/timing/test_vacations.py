"""Vacations: announced ahead, whole days, and the clocks of all games of somebody stand still meanwhile."""

from __future__ import annotations

import asyncio
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from engine.actions import Adjudicate, Seat
from host import Asker, ErrorCode, Game, GameStatus, Host, PostKind, Preferences
from host.clocks import zero_at
from host.timing.vacations import YEARLY_VACATION_DAYS
from store import SeatClock, Vacation
from tests.host.conftest import NewHost
from tests.host.people import ADA, BEN, CLEO, GUILD, SettableClock, click_id, expect_error
from tests.host.test_clocks import (
    active_clock,
    advance_in_steps,
    click_id_at,
    clocks_of,
    decide,
    open_game,
    place_and_pass,
    post_all,
)
from tests.host.votes.test_substituting import DORA

DAY = timedelta(days=1).total_seconds()
TODAY = date(2030, 1, 1)
ORGANISER = Asker(500, GUILD, manages=True)


def in_days(days: int) -> date:
    return TODAY + timedelta(days=days)


async def until(host: Host, clock: SettableClock, at: datetime) -> None:
    """Time passes in quarters of a day, with everything due done."""
    async for _ in advance_in_steps(host, clock, (at - clock.now()).total_seconds(), step=DAY / 4):
        pass


async def seat_of(host: Host, game: Game, user_id: int) -> SeatClock:
    return (await clocks_of(host, game))[game.seat_of(user_id) or 0]


@pytest.mark.repeats_on_postgresql
async def test_the_clocks_of_all_games_stand_still(host: Host, clock: SettableClock) -> None:
    games = [await open_game(host, ADA, BEN, CLEO), await open_game(host, ADA, BEN)]
    await post_all(host)
    users = [(await active_clock(host, game)).seat for game in games]
    people = {game.seats[seat].user_id for game, seat in zip(games, users, strict=True)}
    for user_id in people:
        await host.vacations.announce(user_id, in_days(2), 7)
    await until(host, clock, datetime(2030, 1, 3, tzinfo=UTC))
    before = [await active_clock(host, game) for game in games]
    assert all(seat.held and seat.since is None for seat in before)
    assert [seat.used for seat in before] == [((36 - 8) * 3_600_000)] * 2  # noon to midnight, but for the grace
    await until(host, clock, datetime(2030, 1, 9, 18, tzinfo=UTC))
    assert [await active_clock(host, game) for game in games] == before
    await until(host, clock, datetime(2030, 1, 10, tzinfo=UTC))
    after = [await active_clock(host, game) for game in games]
    assert [(seat.held, seat.since, seat.used) for seat in after] == [(False, clock.now(), before[0].used)] * 2
    await until(host, clock, datetime(2030, 1, 15, tzinfo=UTC))
    assert [(await host.games.get(game.id)).ply > 0 for game in games] == [True, True]


async def test_days_are_those_where_somebody_lives(host: Host) -> None:
    await host.preferences.set(ADA.user_id, Preferences().having("zone", "Asia/Kolkata"))
    found = await host.vacations.announce(ADA.user_id, in_days(3), 2)
    zone = ZoneInfo("Asia/Kolkata")
    assert found.starts_at == datetime(2030, 1, 4, tzinfo=zone)
    assert found.ends_at == datetime(2030, 1, 6, tzinfo=zone)


async def test_a_turn_that_comes_meanwhile_waits_and_may_be_taken(host: Host, clock: SettableClock) -> None:
    game = await open_game(host, ADA, BEN, CLEO)
    await post_all(host)
    first = await active_clock(host, game)
    second = game.seats[(first.seat + 1) % 3].user_id
    await host.vacations.announce(second, in_days(2), 10)
    await until(host, clock, datetime(2030, 1, 3, 6, tzinfo=UTC))
    await decide(host, game, place_and_pass, clock.now())
    await post_all(host)
    waits = await active_clock(host, game)
    assert (waits.held, waits.since, waits.used) == (True, None, 0)
    await until(host, clock, datetime(2030, 1, 9, tzinfo=UTC))
    assert await active_clock(host, game) == waits
    table = await host.games.table(game.id)
    actions = place_and_pass(table.position)
    await host.moves.act(game.id, second, table.game.revision, actions, click_id_at(clock.now()))
    third = await active_clock(host, game)
    assert (third.seat, third.held) != (waits.seat, True)


async def test_a_clock_whose_card_is_not_there_waits_for_it(host: Host, clock: SettableClock) -> None:
    game = await open_game(host, ADA, BEN)
    seat = await active_clock(host, game)
    await host.vacations.announce(game.seats[seat.seat].user_id, in_days(2), 1)
    await until(host, clock, datetime(2030, 1, 5, tzinfo=UTC))
    assert (await active_clock(host, game)).since is None
    await post_all(host)
    assert (await active_clock(host, game)).since == clock.now()


async def test_a_game_that_begins_in_a_vacation(host: Host, clock: SettableClock) -> None:
    for person in (ADA, BEN):
        await host.vacations.announce(person.user_id, in_days(2), 3)
    await until(host, clock, datetime(2030, 1, 4, tzinfo=UTC))
    game = await open_game(host, ADA, BEN)
    await post_all(host)
    assert (await active_clock(host, game)).held
    await until(host, clock, datetime(2030, 1, 6, tzinfo=UTC))
    assert (await active_clock(host, game)).since == datetime(2030, 1, 6, tzinfo=UTC)


async def test_a_substitute_is_not_held_by_the_vacation_of_before(host: Host, clock: SettableClock) -> None:
    game = await open_game(host, ADA, BEN, CLEO)
    await post_all(host)
    away = game.seats[(await active_clock(host, game)).seat]
    await host.vacations.announce(away.user_id, in_days(2), 5)
    await until(host, clock, datetime(2030, 1, 4, tzinfo=UTC))
    request = await host.substitutions.request(game.id, ORGANISER, away.user_id, click_id(), substitute=DORA)
    await host.votes.answer(game.id, request.id, DORA.user_id, click_id(), agrees=True)
    await post_all(host)
    fresh = await active_clock(host, game)
    assert (fresh.held, fresh.since) == (False, clock.now())


async def test_what_is_refused(host: Host, clock: SettableClock) -> None:
    user = ADA.user_id
    announce = host.vacations.announce
    with expect_error(ErrorCode.VACATION_PAST, first="2029-12-31"):
        await announce(user, in_days(-1), 3)
    with expect_error(ErrorCode.VACATION_PAST):
        await announce(user, TODAY, 3)
    with expect_error(ErrorCode.VACATION_SOON, first="2030-01-02"):
        await announce(user, in_days(1), 3)
    for days in (0, -1, YEARLY_VACATION_DAYS + 1, 10_000_000):
        with expect_error(ErrorCode.VACATION_LONG, year=2030, left=14):
            await announce(user, in_days(2), days)
    first = await announce(user, in_days(2), 10)
    assert await announce(user, in_days(2), 10) == first
    for start, days in ((in_days(11), 2), (in_days(2), 3), (in_days(5), 1)):
        with expect_error(ErrorCode.VACATION_OVERLAPS, first="2030-01-03", days=10):
            await announce(user, start, days)
    with expect_error(ErrorCode.VACATION_LONG, year=2030, left=4):
        await announce(user, in_days(30), 5)
    await announce(user, in_days(12), 4)
    assert await host.vacations.left(user) == 0
    await announce(user, date(2031, 6, 1), 14)
    with expect_error(ErrorCode.NO_VACATION):
        await host.vacations.drop(user, in_days(7))
    await host.vacations.drop(user, in_days(12))
    assert await host.vacations.left(user) == 4
    await until(host, clock, datetime(2030, 1, 4, tzinfo=UTC))
    with expect_error(ErrorCode.NO_VACATION, first="2030-01-03"):  # it has begun
        await host.vacations.drop(user, in_days(2))


async def test_days_over_new_year_count_in_their_years(host: Host) -> None:
    await host.vacations.announce(ADA.user_id, date(2030, 12, 22), 14)
    assert (await host.vacations.left(ADA.user_id), await host.vacations.left(ADA.user_id, 2031)) == (4, 10)
    with expect_error(ErrorCode.VACATION_LONG, year=2031, left=10):
        await host.vacations.announce(ADA.user_id, date(2031, 3, 1), 11)


@pytest.mark.parametrize("pace", ["none", "standard"])
async def test_it_is_seen(host: Host, new_host: NewHost, pace: str) -> None:
    game = await open_game(host, ADA, BEN, pace=pace)
    found = await host.vacations.announce(BEN.user_id, in_days(2), 7)
    await host.vacations.announce(BEN.user_id, in_days(20), 7)
    for one in (host, await new_host()):
        assert await one.vacations.away(game) == {BEN.user_id: found}


async def back_early(host: Host, clock: SettableClock, user_id: int) -> Vacation:
    """Somebody ends their vacation; what is due because of it is done."""
    ended = await host.vacations.end(user_id)
    await host.timer_dispatcher.work()
    return ended


@pytest.mark.repeats_on_postgresql
async def test_one_that_has_begun_is_ended_early(host: Host, clock: SettableClock) -> None:
    games = [await open_game(host, ADA, BEN, CLEO), await open_game(host, ADA, BEN)]
    await post_all(host)
    for user_id in {game.seats[(await active_clock(host, game)).seat].user_id for game in games}:
        await host.vacations.announce(user_id, in_days(2), 7)
    await until(host, clock, datetime(2030, 1, 5, 6, tzinfo=UTC))
    before = [await active_clock(host, game) for game in games]
    assert all(seat.held for seat in before)
    for user_id in {game.seats[seat.seat].user_id for game, seat in zip(games, before, strict=True)}:
        ended = await back_early(host, clock, user_id)
        assert (ended.days, ended.ends_at) == (3, clock.now()), "the third day has begun"
        assert await host.vacations.left(user_id) == YEARLY_VACATION_DAYS - 3
        assert await host.vacations.of(user_id) == ()
    after = [await active_clock(host, game) for game in games]
    assert [(seat.held, seat.since, seat.used) for seat in after] == [
        (False, clock.now(), seat.used) for seat in before
    ]
    for game, seat in zip(games, after, strict=True):
        times = await host.times.of(game)
        assert times is not None
        assert times.deadline == zero_at(seat)
    await until(host, clock, datetime(2030, 1, 11, tzinfo=UTC))
    assert [(await host.games.get(game.id)).ply > 0 for game in games] == [True, True], (
        "time runs out as for all others"
    )


async def test_the_days_that_come_back_can_be_announced_again(host: Host, clock: SettableClock) -> None:
    await host.vacations.announce(ADA.user_id, in_days(2), YEARLY_VACATION_DAYS)
    await until(host, clock, datetime(2030, 1, 3, tzinfo=UTC))
    ended = await host.vacations.end(ADA.user_id, in_days(2))
    assert (ended.days, ended.ends_at) == (1, ended.starts_at), "it began this very moment: this day is used"
    await host.vacations.announce(ADA.user_id, in_days(4), YEARLY_VACATION_DAYS - 1)
    assert await host.vacations.left(ADA.user_id) == 0
    clock.advance(DAY / 2)
    with expect_error(ErrorCode.VACATION_PAST):  # though it looks like the one that was ended
        await host.vacations.announce(ADA.user_id, in_days(2), 1)


async def test_days_over_new_year_come_back_in_their_years(host: Host, clock: SettableClock) -> None:
    await host.vacations.announce(ADA.user_id, date(2030, 12, 22), 14)
    clock.advance((datetime(2030, 12, 24, 12, tzinfo=UTC) - clock.now()).total_seconds())
    await host.vacations.end(ADA.user_id)
    assert (await host.vacations.left(ADA.user_id), await host.vacations.left(ADA.user_id, 2031)) == (11, 14)


@pytest.mark.parametrize(
    ("at", "days"), [(timedelta(0), 1), (timedelta(hours=23), 1), (timedelta(hours=24), 1), (timedelta(hours=25), 2)]
)
async def test_a_day_may_have_25_hours(host: Host, clock: SettableClock, at: timedelta, days: int) -> None:
    """On 27 October 2030 the clocks in Prague go back."""
    await host.preferences.set(ADA.user_id, Preferences().having("zone", "Europe/Prague"))
    announced = await host.vacations.announce(ADA.user_id, date(2030, 10, 27), 5)
    clock.advance((announced.starts_at + at - clock.now()).total_seconds())
    assert (await host.vacations.end(ADA.user_id)).days == days


@pytest.mark.parametrize("zone", ["Pacific/Pago_Pago", "Pacific/Kiritimati"])
async def test_another_zone_brings_no_day_back(host: Host, clock: SettableClock, zone: str) -> None:
    await host.vacations.announce(ADA.user_id, in_days(2), 5)
    clock.advance((datetime(2030, 1, 4, 1, tzinfo=UTC) - clock.now()).total_seconds())
    await host.preferences.set(ADA.user_id, Preferences().having("zone", zone))
    assert (await host.vacations.end(ADA.user_id)).days == 2


async def test_ended_twice_changes_nothing_and_what_has_not_begun_is_not_ended(
    host: Host, new_host: NewHost, clock: SettableClock
) -> None:
    user = ADA.user_id
    with expect_error(ErrorCode.NOT_AWAY):
        await host.vacations.end(user)
    await host.vacations.announce(user, in_days(2), 3)
    later = await host.vacations.announce(user, in_days(10), 3)
    for first in (None, in_days(2), in_days(3)):
        with expect_error(ErrorCode.NOT_AWAY):
            await host.vacations.end(user, first)
    clock.advance(3 * DAY)
    other = await new_host()
    both = await asyncio.gather(host.vacations.end(user, in_days(2)), other.vacations.end(user, in_days(2)))
    assert both[0] == both[1]
    clock.advance(3600)
    assert await host.vacations.end(user, in_days(2)) == both[0]
    with expect_error(ErrorCode.NOT_AWAY):
        await host.vacations.end(user)
    with expect_error(ErrorCode.NOT_AWAY):
        await host.vacations.end(BEN.user_id, in_days(2))
    clock.advance(4 * DAY)
    assert await host.vacations.end(user, in_days(2)) == both[0], "its own end is over, too"
    assert await host.vacations.of(user) == (later,)


@pytest.mark.parametrize("what", ["pause", "place"])
async def test_what_else_holds_a_clock_goes_on_holding_it(host: Host, clock: SettableClock, what: str) -> None:
    game = await open_game(host, ADA, BEN, CLEO)
    await post_all(host)
    user_id = game.seats[(await active_clock(host, game)).seat].user_id
    await host.vacations.announce(user_id, in_days(2), 7)
    await until(host, clock, datetime(2030, 1, 4, tzinfo=UTC))
    if what == "pause":
        await host.pauses.request(game.id, ORGANISER, 5, click_id())
    else:
        await host.places.close([game.id])
    await back_early(host, clock, user_id)
    assert (await active_clock(host, game)).held
    assert PostKind.BACK in await due_kinds(host) or what == "place", "nobody could read it there"
    if what == "pause":
        await host.pauses.resume(game.id, ORGANISER)
        assert (await active_clock(host, game)).since == clock.now()


async def due_kinds(host: Host) -> list[PostKind]:
    """Send all due posts and return their kinds, in order."""
    kinds: list[PostKind] = []
    while posts := await host.outbox.due():
        for post in posts:
            assert await host.outbox.sending(post.id)
            await host.outbox.sent(post.id, 5000 + post.id)
            kinds.append(post.kind)
    return kinds


@pytest.mark.parametrize("pace", ["none", "standard"])
async def test_tables_that_wait_for_somebody_are_told_once(host: Host, clock: SettableClock, pace: str) -> None:
    game = await open_game(host, ADA, BEN, pace=pace)
    await post_all(host)
    assert game.person_to_act is not None
    waited_for = game.person_to_act.user_id
    for person in (ADA, BEN):
        await host.vacations.announce(person.user_id, in_days(2), 7)
    await until(host, clock, datetime(2030, 1, 4, tzinfo=UTC))
    await due_kinds(host)
    for person in (ADA, BEN):
        await back_early(host, clock, person.user_id)
        await back_early_again(host, person.user_id)
        assert await due_kinds(host) == [PostKind.BACK] * (person.user_id == waited_for)


async def back_early_again(host: Host, user_id: int) -> None:
    """A second press at the same button."""
    await host.vacations.end(user_id, in_days(2))
    await host.timer_dispatcher.work()


async def test_a_message_that_the_game_has_overtaken_is_dropped(host: Host, clock: SettableClock) -> None:
    game = await open_game(host, ADA, BEN, CLEO)
    await post_all(host)
    user_id = game.seats[(await active_clock(host, game)).seat].user_id
    await host.vacations.announce(user_id, in_days(2), 7)
    await until(host, clock, datetime(2030, 1, 4, tzinfo=UTC))
    await back_early(host, clock, user_id)
    (post,) = await host.outbox.due()
    assert not await host.turn_reminders.drop_late(post)
    await decide(host, game, place_and_pass, clock.now())
    assert await host.turn_reminders.drop_late(post)
    assert await due_kinds(host) == [PostKind.CARD]


async def test_a_gap_around_it_costs_nothing(host: Host, clock: SettableClock) -> None:
    """The first press after an outage may come before the first heartbeat."""
    game = await open_game(host, ADA, BEN, CLEO)
    await post_all(host)
    before = await active_clock(host, game)
    user_id = game.seats[before.seat].user_id
    await host.vacations.announce(user_id, in_days(2), 7)
    await until(host, clock, datetime(2030, 1, 4, tzinfo=UTC))
    used = (await active_clock(host, game)).used
    clock.advance(9 * 3600)
    await back_early(host, clock, user_id)
    clock.advance(120)
    await host.gateway_monitor.beat()
    going = await active_clock(host, game)
    assert (going.since, going.used - going.given_back, going.held) == (clock.now(), used, False)


async def test_who_is_not_asked_has_no_clock_that_runs(host: Host, clock: SettableClock) -> None:
    game = await open_game(host, ADA, BEN, CLEO)
    await post_all(host)
    first = await active_clock(host, game)
    idle = game.seats[(first.seat + 1) % 3].user_id
    await host.vacations.announce(idle, in_days(2), 10)
    await until(host, clock, datetime(2030, 1, 3, 6, tzinfo=UTC))
    await back_early(host, clock, idle)
    assert not any(seat.held for seat in await clocks_of(host, game))
    assert (await active_clock(host, game)).seat == first.seat


async def test_whoever_is_forgotten_meanwhile_comes_back_nowhere(host: Host, clock: SettableClock) -> None:
    await open_game(host, ADA, BEN, CLEO)
    await post_all(host)
    await host.vacations.announce(ADA.user_id, in_days(2), 7)
    await until(host, clock, datetime(2030, 1, 4, tzinfo=UTC))
    await due_kinds(host)
    await host.vacations.end(ADA.user_id)
    await host.erasure.forget(ADA.user_id)
    await host.timer_dispatcher.work()
    assert PostKind.BACK not in await due_kinds(host)
    with expect_error(ErrorCode.NOT_AWAY):
        await host.vacations.end(ADA.user_id)


async def test_what_is_left_of_a_vacation_counts_as_waiting(host: Host, clock: SettableClock) -> None:
    """Whoever ends it early keeps a table without clocks waiting from then on, where that ends on a date."""
    game = await open_game(host, ADA, BEN, pace="none")
    await post_all(host)
    assert game.person_to_act is not None
    user_id = game.person_to_act.user_id
    await host.vacations.announce(user_id, in_days(2), 14)
    await until(host, clock, datetime(2030, 1, 4, tzinfo=UTC))
    await back_early(host, clock, user_id)
    await host.endings.set_end(game.id, datetime(2030, 1, 16, tzinfo=UTC))
    await until(host, clock, datetime(2030, 1, 17, tzinfo=UTC))
    table = await host.games.table(game.id)
    assert table.game.status is GameStatus.FINISHED
    assert table.log[-1].action == Adjudicate(Seat(game.seat_of(user_id) or 0))


async def test_a_table_without_clocks_reminds_again(host: Host, clock: SettableClock) -> None:
    game = await open_game(host, ADA, BEN, pace="none")
    await post_all(host)
    assert game.person_to_act is not None
    user_id = game.person_to_act.user_id
    await host.vacations.announce(user_id, in_days(2), 10)
    await until(host, clock, datetime(2030, 1, 5, tzinfo=UTC))
    await due_kinds(host)
    await back_early(host, clock, user_id)
    await until(host, clock, datetime(2030, 1, 6, tzinfo=UTC))
    assert PostKind.REMINDER in await due_kinds(host)
