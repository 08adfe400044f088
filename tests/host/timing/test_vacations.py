"""Vacations of a player: announced ahead in whole local days, during which their clocks in all games are held.

Tests begin at noon UTC on 1 January 2030; `in_days` counts from that date.
"""

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

DAY_SECONDS = timedelta(days=1).total_seconds()
"""A day."""
TODAY = date(2030, 1, 1)
ORGANISER = Asker(500, GUILD, manages=True)
"""A member who manages the server."""


def in_days(days: int) -> date:
    """Return the date this many days from today."""
    return TODAY + timedelta(days=days)


async def advance_to(host: Host, clock: SettableClock, at: datetime) -> None:
    """Advance the clock to this time in steps of six hours, dispatching timers."""
    async for _ in advance_in_steps(host, clock, (at - clock.now()).total_seconds(), step=DAY_SECONDS / 4):
        pass


async def seat_of(host: Host, game: Game, user_id: int) -> SeatClock:
    """Return the clock of a player."""
    return (await clocks_of(host, game))[game.seat_of(user_id) or 0]


async def test_a_vacation_holds_the_clocks_of_all_games(host: Host, clock: SettableClock) -> None:
    games = [await open_game(host, ADA, BEN, CLEO), await open_game(host, ADA, BEN)]
    await post_all(host)
    users = [(await active_clock(host, game)).seat for game in games]
    people = {game.seats[seat].user_id for game, seat in zip(games, users, strict=True)}
    for user_id in people:
        await host.vacations.announce(user_id, in_days(2), 7)
    await advance_to(host, clock, datetime(2030, 1, 3, tzinfo=UTC))
    before = [await active_clock(host, game) for game in games]
    assert all(seat.held and seat.since is None for seat in before)
    assert [seat.used for seat in before] == [
        ((36 - 8) * 3_600_000)
    ] * 2  # from noon to the end of the next day, minus the 8 free hours
    await advance_to(host, clock, datetime(2030, 1, 9, 18, tzinfo=UTC))
    assert [await active_clock(host, game) for game in games] == before
    await advance_to(host, clock, datetime(2030, 1, 10, tzinfo=UTC))
    after = [await active_clock(host, game) for game in games]
    assert [(seat.held, seat.since, seat.used) for seat in after] == [(False, clock.now(), before[0].used)] * 2
    await advance_to(host, clock, datetime(2030, 1, 15, tzinfo=UTC))
    assert [(await host.games.get(game.id)).ply > 0 for game in games] == [True, True]


async def test_days_are_those_of_the_players_time_zone(host: Host) -> None:
    await host.preferences.set(ADA.user_id, Preferences().with_choice("zone", "Asia/Kolkata"))
    vacation = await host.vacations.announce(ADA.user_id, in_days(3), 2)
    zone = ZoneInfo("Asia/Kolkata")
    assert vacation.starts_at == datetime(2030, 1, 4, tzinfo=zone)
    assert vacation.ends_at == datetime(2030, 1, 6, tzinfo=zone)


async def test_a_turn_during_a_vacation_is_held_and_may_be_played(host: Host, clock: SettableClock) -> None:
    game = await open_game(host, ADA, BEN, CLEO)
    await post_all(host)
    first = await active_clock(host, game)
    second = game.seats[(first.seat + 1) % 3].user_id
    await host.vacations.announce(second, in_days(2), 10)
    await advance_to(host, clock, datetime(2030, 1, 3, 6, tzinfo=UTC))
    await decide(host, game, place_and_pass, clock.now())
    await post_all(host)
    held_clock = await active_clock(host, game)
    assert (held_clock.held, held_clock.since, held_clock.used) == (True, None, 0)
    await advance_to(host, clock, datetime(2030, 1, 9, tzinfo=UTC))
    assert await active_clock(host, game) == held_clock
    table = await host.games.table(game.id)
    actions = place_and_pass(table.position)
    await host.moves.act(game.id, second, table.game.revision, actions, click_id_at(clock.now()))
    third = await active_clock(host, game)
    assert (third.seat, third.held) != (held_clock.seat, True)


async def test_a_clock_without_a_posted_card_stays_stopped(host: Host, clock: SettableClock) -> None:
    game = await open_game(host, ADA, BEN)
    seat = await active_clock(host, game)
    await host.vacations.announce(game.seats[seat.seat].user_id, in_days(2), 1)
    await advance_to(host, clock, datetime(2030, 1, 5, tzinfo=UTC))
    assert (await active_clock(host, game)).since is None
    await post_all(host)
    assert (await active_clock(host, game)).since == clock.now()


async def test_a_game_started_during_a_vacation_is_held(host: Host, clock: SettableClock) -> None:
    for person in (ADA, BEN):
        await host.vacations.announce(person.user_id, in_days(2), 3)
    await advance_to(host, clock, datetime(2030, 1, 4, tzinfo=UTC))
    game = await open_game(host, ADA, BEN)
    await post_all(host)
    assert (await active_clock(host, game)).held
    await advance_to(host, clock, datetime(2030, 1, 6, tzinfo=UTC))
    assert (await active_clock(host, game)).since == datetime(2030, 1, 6, tzinfo=UTC)


async def test_a_substitute_is_not_held_by_the_former_players_vacation(host: Host, clock: SettableClock) -> None:
    game = await open_game(host, ADA, BEN, CLEO)
    await post_all(host)
    away = game.seats[(await active_clock(host, game)).seat]
    await host.vacations.announce(away.user_id, in_days(2), 5)
    await advance_to(host, clock, datetime(2030, 1, 4, tzinfo=UTC))
    request = await host.substitutions.request(game.id, ORGANISER, away.user_id, click_id(), substitute=DORA)
    await host.votes.answer(game.id, request.id, DORA.user_id, click_id(), agrees=True)
    await post_all(host)
    fresh = await active_clock(host, game)
    assert (fresh.held, fresh.since) == (False, clock.now())


async def test_invalid_vacations_are_refused(host: Host, clock: SettableClock) -> None:
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
    assert await host.vacations.days_left(user) == 0
    await announce(user, date(2031, 6, 1), 14)
    with expect_error(ErrorCode.NO_VACATION):
        await host.vacations.cancel(user, in_days(7))
    await host.vacations.cancel(user, in_days(12))
    assert await host.vacations.days_left(user) == 4
    await advance_to(host, clock, datetime(2030, 1, 4, tzinfo=UTC))
    with expect_error(ErrorCode.NO_VACATION, first="2030-01-03"):  # it has started
        await host.vacations.cancel(user, in_days(2))


async def test_days_count_in_the_year_they_fall_in(host: Host) -> None:
    await host.vacations.announce(ADA.user_id, date(2030, 12, 22), 14)
    assert (await host.vacations.days_left(ADA.user_id), await host.vacations.days_left(ADA.user_id, 2031)) == (4, 10)
    with expect_error(ErrorCode.VACATION_LONG, year=2031, left=10):
        await host.vacations.announce(ADA.user_id, date(2031, 3, 1), 11)


@pytest.mark.parametrize("pace", ["none", "standard"])
async def test_a_games_players_on_vacation_are_listed(host: Host, new_host: NewHost, pace: str) -> None:
    game = await open_game(host, ADA, BEN, pace=pace)
    vacation = await host.vacations.announce(BEN.user_id, in_days(2), 7)
    await host.vacations.announce(BEN.user_id, in_days(20), 7)
    for process in (host, await new_host()):
        times = await process.times.of(game)
        assert times is not None
        assert {entry.user_id: entry for entry in reversed(times.away)} == {BEN.user_id: vacation}


async def end_vacation(host: Host, clock: SettableClock, user_id: int) -> Vacation:
    """End a vacation early and dispatch the timers that follow."""
    ended = await host.vacations.end(user_id)
    await host.timer_dispatcher.work()
    return ended


async def test_a_started_vacation_is_ended_early(host: Host, clock: SettableClock) -> None:
    games = [await open_game(host, ADA, BEN, CLEO), await open_game(host, ADA, BEN)]
    await post_all(host)
    for user_id in {game.seats[(await active_clock(host, game)).seat].user_id for game in games}:
        await host.vacations.announce(user_id, in_days(2), 7)
    await advance_to(host, clock, datetime(2030, 1, 5, 6, tzinfo=UTC))
    before = [await active_clock(host, game) for game in games]
    assert all(seat.held for seat in before)
    for user_id in {game.seats[seat.seat].user_id for game, seat in zip(games, before, strict=True)}:
        ended = await end_vacation(host, clock, user_id)
        assert (ended.days, ended.ends_at) == (3, clock.now()), "the third day has started and counts"
        assert await host.vacations.days_left(user_id) == YEARLY_VACATION_DAYS - 3
        assert await host.vacations.of(user_id) == ()
    after = [await active_clock(host, game) for game in games]
    assert [(seat.held, seat.since, seat.used) for seat in after] == [
        (False, clock.now(), seat.used) for seat in before
    ]
    for game, seat in zip(games, after, strict=True):
        times = await host.times.of(game)
        assert times is not None
        assert times.deadline == zero_at(seat)
    await advance_to(host, clock, datetime(2030, 1, 11, tzinfo=UTC))
    assert [(await host.games.get(game.id)).ply > 0 for game in games] == [True, True], "their time runs out as usual"


async def test_returned_days_can_be_announced_again(host: Host, clock: SettableClock) -> None:
    await host.vacations.announce(ADA.user_id, in_days(2), YEARLY_VACATION_DAYS)
    await advance_to(host, clock, datetime(2030, 1, 3, tzinfo=UTC))
    ended = await host.vacations.end(ADA.user_id, in_days(2))
    assert (ended.days, ended.ends_at) == (1, ended.starts_at), "it has just started: this day counts"
    await host.vacations.announce(ADA.user_id, in_days(4), YEARLY_VACATION_DAYS - 1)
    assert await host.vacations.days_left(ADA.user_id) == 0
    clock.advance(DAY_SECONDS / 2)
    with expect_error(ErrorCode.VACATION_PAST):  # although it equals the vacation that was ended
        await host.vacations.announce(ADA.user_id, in_days(2), 1)


async def test_days_are_returned_to_the_year_they_fall_in(host: Host, clock: SettableClock) -> None:
    await host.vacations.announce(ADA.user_id, date(2030, 12, 22), 14)
    clock.advance((datetime(2030, 12, 24, 12, tzinfo=UTC) - clock.now()).total_seconds())
    await host.vacations.end(ADA.user_id)
    assert (await host.vacations.days_left(ADA.user_id), await host.vacations.days_left(ADA.user_id, 2031)) == (11, 14)


@pytest.mark.parametrize(
    ("at", "days"), [(timedelta(0), 1), (timedelta(hours=23), 1), (timedelta(hours=24), 1), (timedelta(hours=25), 2)]
)
async def test_a_day_of_25_hours_counts_as_one(host: Host, clock: SettableClock, at: timedelta, days: int) -> None:
    """End a vacation around 27 October 2030, when the clocks in Prague go back an hour."""
    await host.preferences.set(ADA.user_id, Preferences().with_choice("zone", "Europe/Prague"))
    announced = await host.vacations.announce(ADA.user_id, date(2030, 10, 27), 5)
    clock.advance((announced.starts_at + at - clock.now()).total_seconds())
    assert (await host.vacations.end(ADA.user_id)).days == days


@pytest.mark.parametrize("zone", ["Pacific/Pago_Pago", "Pacific/Kiritimati"])
async def test_a_change_of_time_zone_returns_no_day(host: Host, clock: SettableClock, zone: str) -> None:
    await host.vacations.announce(ADA.user_id, in_days(2), 5)
    clock.advance((datetime(2030, 1, 4, 1, tzinfo=UTC) - clock.now()).total_seconds())
    await host.preferences.set(ADA.user_id, Preferences().with_choice("zone", zone))
    assert (await host.vacations.end(ADA.user_id)).days == 2


async def test_ending_is_idempotent_and_needs_a_started_vacation(
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
    clock.advance(3 * DAY_SECONDS)
    other_host = await new_host()
    both = await asyncio.gather(host.vacations.end(user, in_days(2)), other_host.vacations.end(user, in_days(2)))
    assert both[0] == both[1]
    clock.advance(3600)
    assert await host.vacations.end(user, in_days(2)) == both[0]
    with expect_error(ErrorCode.NOT_AWAY):
        await host.vacations.end(user)
    with expect_error(ErrorCode.NOT_AWAY):
        await host.vacations.end(BEN.user_id, in_days(2))
    clock.advance(4 * DAY_SECONDS)
    assert await host.vacations.end(user, in_days(2)) == both[0], "even after its original end"
    assert await host.vacations.of(user) == (later,)


@pytest.mark.parametrize("reason", ["pause", "place"])
async def test_a_pause_or_closed_place_keeps_holding_the_clock(host: Host, clock: SettableClock, reason: str) -> None:
    game = await open_game(host, ADA, BEN, CLEO)
    await post_all(host)
    user_id = game.seats[(await active_clock(host, game)).seat].user_id
    await host.vacations.announce(user_id, in_days(2), 7)
    await advance_to(host, clock, datetime(2030, 1, 4, tzinfo=UTC))
    if reason == "pause":
        await host.pauses.request(game.id, ORGANISER, 5, click_id())
    else:
        await host.places.close([game.id])
    await end_vacation(host, clock, user_id)
    assert (await active_clock(host, game)).held
    assert PostKind.BACK in await send_due_posts(host) or reason == "place", "no one could read the post there"
    if reason == "pause":
        await host.pauses.resume(game.id, ORGANISER)
        assert (await active_clock(host, game)).since == clock.now()


async def send_due_posts(host: Host) -> list[PostKind]:
    """Send all due posts and return their kinds, in order."""
    kinds: list[PostKind] = []
    while posts := await host.outbox.due():
        for post in posts:
            assert await host.outbox.lease(post.id)
            await host.outbox.record_sent(post.id, 5000 + post.id)
            kinds.append(post.kind)
    return kinds


@pytest.mark.parametrize("pace", ["none", "standard"])
async def test_games_that_wait_for_the_player_are_notified_once(host: Host, clock: SettableClock, pace: str) -> None:
    game = await open_game(host, ADA, BEN, pace=pace)
    await post_all(host)
    assert game.person_to_act is not None
    waited_for = game.person_to_act.user_id
    for person in (ADA, BEN):
        await host.vacations.announce(person.user_id, in_days(2), 7)
    await advance_to(host, clock, datetime(2030, 1, 4, tzinfo=UTC))
    await send_due_posts(host)
    for person in (ADA, BEN):
        await end_vacation(host, clock, person.user_id)
        await press_end_again(host, person.user_id)
        assert await send_due_posts(host) == [PostKind.BACK] * (person.user_id == waited_for)


async def press_end_again(host: Host, user_id: int) -> None:
    """Press the same button a second time."""
    await host.vacations.end(user_id, in_days(2))
    await host.timer_dispatcher.work()


async def test_an_obsolete_notice_of_a_return_is_dropped(host: Host, clock: SettableClock) -> None:
    game = await open_game(host, ADA, BEN, CLEO)
    await post_all(host)
    user_id = game.seats[(await active_clock(host, game)).seat].user_id
    await host.vacations.announce(user_id, in_days(2), 7)
    await advance_to(host, clock, datetime(2030, 1, 4, tzinfo=UTC))
    await end_vacation(host, clock, user_id)
    (post,) = await host.outbox.due()
    assert not await host.turn_reminders.drop_late(post)
    await decide(host, game, place_and_pass, clock.now())
    assert await host.turn_reminders.drop_late(post)
    assert await send_due_posts(host) == [PostKind.CARD]


async def test_downtime_around_an_early_end_costs_nothing(host: Host, clock: SettableClock) -> None:
    """End the vacation after an outage but before the first heartbeat."""
    game = await open_game(host, ADA, BEN, CLEO)
    await post_all(host)
    before = await active_clock(host, game)
    user_id = game.seats[before.seat].user_id
    await host.vacations.announce(user_id, in_days(2), 7)
    await advance_to(host, clock, datetime(2030, 1, 4, tzinfo=UTC))
    used = (await active_clock(host, game)).used
    clock.advance(9 * 3600)
    await end_vacation(host, clock, user_id)
    clock.advance(120)
    await host.gateway_monitor.beat()
    running = await active_clock(host, game)
    assert (running.since, running.used - running.given_back, running.held) == (clock.now(), used, False)


async def test_ending_starts_no_clock_of_a_player_not_to_move(host: Host, clock: SettableClock) -> None:
    game = await open_game(host, ADA, BEN, CLEO)
    await post_all(host)
    first = await active_clock(host, game)
    idle = game.seats[(first.seat + 1) % 3].user_id
    await host.vacations.announce(idle, in_days(2), 10)
    await advance_to(host, clock, datetime(2030, 1, 3, 6, tzinfo=UTC))
    await end_vacation(host, clock, idle)
    assert not any(seat.held for seat in await clocks_of(host, game))
    assert (await active_clock(host, game)).seat == first.seat


async def test_the_return_of_an_erased_player_is_not_announced(host: Host, clock: SettableClock) -> None:
    await open_game(host, ADA, BEN, CLEO)
    await post_all(host)
    await host.vacations.announce(ADA.user_id, in_days(2), 7)
    await advance_to(host, clock, datetime(2030, 1, 4, tzinfo=UTC))
    await send_due_posts(host)
    await host.vacations.end(ADA.user_id)
    await host.erasure.erase(ADA.user_id)
    await host.timer_dispatcher.work()
    assert PostKind.BACK not in await send_due_posts(host)
    with expect_error(ErrorCode.NOT_AWAY):
        await host.vacations.end(ADA.user_id)


async def test_the_unused_rest_of_a_vacation_counts_as_waiting(host: Host, clock: SettableClock) -> None:
    """Rank a player last who ended a vacation early and kept an untimed game with an end date waiting since."""
    game = await open_game(host, ADA, BEN, pace="none")
    await post_all(host)
    assert game.person_to_act is not None
    user_id = game.person_to_act.user_id
    await host.vacations.announce(user_id, in_days(2), 14)
    await advance_to(host, clock, datetime(2030, 1, 4, tzinfo=UTC))
    await end_vacation(host, clock, user_id)
    await host.endings.set_end(game.id, datetime(2030, 1, 16, tzinfo=UTC))
    await advance_to(host, clock, datetime(2030, 1, 17, tzinfo=UTC))
    table = await host.games.table(game.id)
    assert table.game.status is GameStatus.FINISHED
    assert table.log[-1].action == Adjudicate(Seat(game.seat_of(user_id) or 0))


async def test_an_untimed_game_sends_reminders_again(host: Host, clock: SettableClock) -> None:
    game = await open_game(host, ADA, BEN, pace="none")
    await post_all(host)
    assert game.person_to_act is not None
    user_id = game.person_to_act.user_id
    await host.vacations.announce(user_id, in_days(2), 10)
    await advance_to(host, clock, datetime(2030, 1, 5, tzinfo=UTC))
    await send_due_posts(host)
    await end_vacation(host, clock, user_id)
    await advance_to(host, clock, datetime(2030, 1, 6, tzinfo=UTC))
    assert PostKind.REMINDER in await send_due_posts(host)
