"""Vacations: announced ahead, whole days, and the clocks of all games of somebody stand still meanwhile."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from host import Asker, ErrorCode, Game, Host, Preferences
from host.clockwork.vacations import DAYS_OF_YEAR
from store import SeatClock
from tests.host.agreements.test_substituting import DORA
from tests.host.conftest import NewHost
from tests.host.people import ADA, BEN, CLEO, GUILD, SettableClock, click, refused
from tests.host.test_clocks import asked, clocks_of, decide, open_game, passing, post_all, pressed, whole_turn

DAY = timedelta(days=1).total_seconds()
TODAY = date(2030, 1, 1)


def in_days(days: int) -> date:
    return TODAY + timedelta(days=days)


async def until(host: Host, clock: SettableClock, at: datetime) -> None:
    """Time passes in quarters of a day, with everything due done."""
    async for _ in passing(host, clock, (at - clock.now()).total_seconds(), step=DAY / 4):
        pass


async def seat_of(host: Host, game: Game, user_id: int) -> SeatClock:
    return (await clocks_of(host, game))[game.seat_of(user_id) or 0]


@pytest.mark.repeats_on_postgresql
async def test_the_clocks_of_all_games_stand_still(host: Host, clock: SettableClock) -> None:
    games = [await open_game(host, ADA, BEN, CLEO), await open_game(host, ADA, BEN)]
    await post_all(host)
    users = [(await asked(host, game)).seat for game in games]
    people = {game.seats[seat].user_id for game, seat in zip(games, users, strict=True)}
    for user_id in people:
        await host.vacations.announce(user_id, in_days(2), 7)
    await until(host, clock, datetime(2030, 1, 3, tzinfo=UTC))
    before = [await asked(host, game) for game in games]
    assert all(seat.held and seat.since is None for seat in before)
    assert [seat.used for seat in before] == [((36 - 8) * 3_600_000)] * 2  # noon to midnight, but for the grace
    await until(host, clock, datetime(2030, 1, 9, 18, tzinfo=UTC))
    assert [await asked(host, game) for game in games] == before
    await until(host, clock, datetime(2030, 1, 10, tzinfo=UTC))
    after = [await asked(host, game) for game in games]
    assert [(seat.held, seat.since, seat.used) for seat in after] == [(False, clock.now(), before[0].used)] * 2
    await until(host, clock, datetime(2030, 1, 15, tzinfo=UTC))
    assert [(await host.game(game.id)).ply > 0 for game in games] == [True, True]


async def test_days_are_those_where_somebody_lives(host: Host) -> None:
    await host.preferences.set(ADA.user_id, Preferences().having("zone", "Asia/Kolkata"))
    found = await host.vacations.announce(ADA.user_id, in_days(3), 2)
    zone = ZoneInfo("Asia/Kolkata")
    assert found.starts_at == datetime(2030, 1, 4, tzinfo=zone)
    assert found.ends_at == datetime(2030, 1, 6, tzinfo=zone)


async def test_a_turn_that_comes_meanwhile_waits_and_may_be_taken(host: Host, clock: SettableClock) -> None:
    game = await open_game(host, ADA, BEN, CLEO)
    await post_all(host)
    first = await asked(host, game)
    second = game.seats[(first.seat + 1) % 3].user_id
    await host.vacations.announce(second, in_days(2), 10)
    await until(host, clock, datetime(2030, 1, 3, 6, tzinfo=UTC))
    await decide(host, game, whole_turn, clock.now())
    await post_all(host)
    waits = await asked(host, game)
    assert (waits.held, waits.since, waits.used) == (True, None, 0)
    await until(host, clock, datetime(2030, 1, 9, tzinfo=UTC))
    assert await asked(host, game) == waits
    table = await host.table(game.id)
    actions = whole_turn(table.position)
    await host.act(game.id, second, table.game.revision, actions, pressed(clock.now()))
    third = await asked(host, game)
    assert (third.seat, third.held) != (waits.seat, True)


async def test_a_clock_whose_card_is_not_there_waits_for_it(host: Host, clock: SettableClock) -> None:
    game = await open_game(host, ADA, BEN)
    seat = await asked(host, game)
    await host.vacations.announce(game.seats[seat.seat].user_id, in_days(2), 1)
    await until(host, clock, datetime(2030, 1, 5, tzinfo=UTC))
    assert (await asked(host, game)).since is None
    await post_all(host)
    assert (await asked(host, game)).since == clock.now()


async def test_a_game_that_begins_in_a_vacation(host: Host, clock: SettableClock) -> None:
    for person in (ADA, BEN):
        await host.vacations.announce(person.user_id, in_days(2), 3)
    await until(host, clock, datetime(2030, 1, 4, tzinfo=UTC))
    game = await open_game(host, ADA, BEN)
    await post_all(host)
    assert (await asked(host, game)).held
    await until(host, clock, datetime(2030, 1, 6, tzinfo=UTC))
    assert (await asked(host, game)).since == datetime(2030, 1, 6, tzinfo=UTC)


async def test_a_substitute_is_not_held_by_the_vacation_of_before(host: Host, clock: SettableClock) -> None:
    game = await open_game(host, ADA, BEN, CLEO)
    await post_all(host)
    away = game.seats[(await asked(host, game)).seat]
    await host.vacations.announce(away.user_id, in_days(2), 5)
    await until(host, clock, datetime(2030, 1, 4, tzinfo=UTC))
    organiser = Asker(500, GUILD, manages=True)
    request = await host.ask_about(game.id, organiser, away.user_id, click(), substitute=DORA)
    await host.answer_request(game.id, request.id, DORA.user_id, click(), agrees=True)
    await post_all(host)
    fresh = await asked(host, game)
    assert (fresh.held, fresh.since) == (False, clock.now())


async def test_what_is_refused(host: Host, clock: SettableClock) -> None:
    user = ADA.user_id
    announce = host.vacations.announce
    with refused(ErrorCode.VACATION_PAST, first="2029-12-31"):
        await announce(user, in_days(-1), 3)
    with refused(ErrorCode.VACATION_PAST):
        await announce(user, TODAY, 3)
    with refused(ErrorCode.VACATION_SOON, first="2030-01-02"):
        await announce(user, in_days(1), 3)
    for days in (0, -1, DAYS_OF_YEAR + 1, 10_000_000):
        with refused(ErrorCode.VACATION_LONG, year=2030, left=14):
            await announce(user, in_days(2), days)
    first = await announce(user, in_days(2), 10)
    assert await announce(user, in_days(2), 10) == first
    for start, days in ((in_days(11), 2), (in_days(2), 3), (in_days(5), 1)):
        with refused(ErrorCode.VACATION_OVERLAPS, first="2030-01-03", days=10):
            await announce(user, start, days)
    with refused(ErrorCode.VACATION_LONG, year=2030, left=4):
        await announce(user, in_days(30), 5)
    await announce(user, in_days(12), 4)
    assert await host.vacations.left(user) == 0
    await announce(user, date(2031, 6, 1), 14)
    with refused(ErrorCode.NO_VACATION):
        await host.vacations.drop(user, in_days(7))
    await host.vacations.drop(user, in_days(12))
    assert await host.vacations.left(user) == 4
    await until(host, clock, datetime(2030, 1, 4, tzinfo=UTC))
    with refused(ErrorCode.NO_VACATION, first="2030-01-03"):  # it has begun
        await host.vacations.drop(user, in_days(2))


async def test_days_over_new_year_count_in_their_years(host: Host) -> None:
    await host.vacations.announce(ADA.user_id, date(2030, 12, 22), 14)
    assert (await host.vacations.left(ADA.user_id), await host.vacations.left(ADA.user_id, 2031)) == (4, 10)
    with refused(ErrorCode.VACATION_LONG, year=2031, left=10):
        await host.vacations.announce(ADA.user_id, date(2031, 3, 1), 11)


@pytest.mark.parametrize("pace", ["none", "standard"])
async def test_it_is_seen(host: Host, new_host: NewHost, pace: str) -> None:
    game = await open_game(host, ADA, BEN, pace=pace)
    found = await host.vacations.announce(BEN.user_id, in_days(2), 7)
    await host.vacations.announce(BEN.user_id, in_days(20), 7)
    for one in (host, await new_host()):
        assert await one.vacations.away(game) == {BEN.user_id: found}
