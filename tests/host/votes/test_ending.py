"""Games with an end date: players are notified before, nothing postpones it, and it scores the game as it stands.

A player who used more than 60 percent of the time ranks last. The game ends `TRANSIT_GRACE` after the date.
"""

from __future__ import annotations

import asyncio
from datetime import datetime, timedelta
from random import Random

import pytest

from engine import Adjudicate
from engine.events import Adjudicated
from host import Asker, ErrorCode, Game, GameStatus, Host, Person, PostKind, TableSettings
from host.games.end_dates import NOTICE_LEAD_TIMES, SLOW_PLAYER_SHARE, next_check_time
from host.games.move import TIMEOUT_USER_ID
from host.games.timekeeping import TRANSIT_GRACE
from host.votes.endings import MAX_DAYS_AHEAD, MIN_NOTICE_HOURS
from store import Timer, TimerKind, games, timers
from tests.host.conftest import NewHost
from tests.host.people import (
    ADA,
    BEN,
    CLEO,
    GUILD,
    STRANGER,
    SettableClock,
    click_id,
    expect_error,
    new_lobby,
    play_out,
    play_random_action,
)
from tests.host.test_clocks import (
    active_clock,
    advance_and_post,
    advance_in_steps,
    click_id_at,
    clocks_of,
    decide,
    place_and_pass,
)

DAY = timedelta(days=1)
"""A day."""
ORGANISER = Asker(STRANGER.user_id, GUILD, manages=True)
"""A member who manages the server."""


async def open_game_with_end(
    host: Host, *people: Person, days: int = 30, pace: str = "standard", game: str = "carcassonne"
) -> Game:
    """Start a game that ends after this many days; 0 means never."""
    first, *others = people or (ADA, BEN, CLEO)
    settings = TableSettings(pace=pace, ends_after=days)
    lobby = await host.lobbies.open(
        new_lobby(capacity=1 + len(others), owner=first, settings=settings, game=game, expansions=()), click_id()
    )
    for person in others:
        await host.lobbies.join(lobby.id, person, click_id())
    return await host.lobbies.start(lobby.id, first.user_id, click_id())


async def send_due_posts(host: Host) -> list[PostKind]:
    """Send all due posts and return their kinds."""
    kinds = []
    while posts := await host.outbox.due():
        for post in posts:
            if await host.outbox.lease(post.id):
                await host.outbox.record_sent(post.id, 1000 + post.id)
                kinds.append(post.kind)
    return kinds


async def timer_of(host: Host, game: Game) -> datetime | None:
    """Return when the timer of the end date is due."""
    async with host._store.reading() as tx:
        return await timers.due_at(tx, game.id, TimerKind.END)


async def pass_end_date(host: Host, game: Game, clock: SettableClock) -> Game:
    """Advance the clock past the end date and dispatch timers; return the game."""
    assert game.ends_at is not None
    clock.time = max(clock.time, game.ends_at + TRANSIT_GRACE)
    await host.timer_dispatcher.work()
    return await host.games.get(game.id)


async def test_the_end_date_counts_from_the_start_of_the_game(host: Host, clock: SettableClock) -> None:
    game = await open_game_with_end(host, days=30)
    assert game.ends_at == clock.now() + 30 * DAY
    assert (await host.games.table(game.id)).game.ends_at == game.ends_at
    assert await timer_of(host, game) == game.ends_at - NOTICE_LEAD_TIMES[0]


async def test_a_table_without_an_end_date_has_no_timer(host: Host) -> None:
    game = await open_game_with_end(host, days=0)
    assert (game.ends_at, await timer_of(host, game)) == (None, None)


async def test_players_are_notified_a_week_and_a_day_before(host: Host, clock: SettableClock) -> None:
    game = await open_game_with_end(host, days=30, pace="none")
    await send_due_posts(host)
    start, notices = clock.now(), []
    async for _ in advance_in_steps(host, clock, 31 * 24 * 3600, step=4 * 3600):
        kinds = await send_due_posts(host)
        notices += [((clock.now() - start).days, kind) for kind in kinds if kind in (PostKind.ENDS, PostKind.FINAL)]
    assert [entry for entry in notices if entry[1] is PostKind.ENDS] == [(23, PostKind.ENDS), (29, PostKind.ENDS)]
    assert (await host.games.get(game.id)).status is GameStatus.FINISHED


@pytest.mark.parametrize("name", ["carcassonne", "the-castle"])
async def test_the_end_date_scores_the_game_as_it_stands(
    host: Host, new_host: NewHost, clock: SettableClock, name: str
) -> None:
    game = await open_game_with_end(host, ADA, BEN, game=name, pace="none")
    for _ in range(9):
        clock.advance(3600)
        await play_one(host, game)
    before = (await host.games.table(game.id)).position
    finished = await pass_end_date(host, game, clock)
    table = await host.games.table(game.id)
    assert (finished.status, finished.seat_to_act) == (GameStatus.FINISHED, None)
    assert (table.log[-1].user_id, type(table.log[-1].action)) == (TIMEOUT_USER_ID, Adjudicate)
    assert table.position.scores == before.concluded()[0].scores
    moment = await host.games.moment(game.id, finished.ply - 1, finished.ply)
    assert isinstance(moment.events[0], Adjudicated)
    again = await new_host()
    assert (await again.games.table(game.id)).position.ranking() == table.position.ranking(), "the log alone is enough"


async def play_one(host: Host, game: Game) -> None:
    """Apply one random action, the same for the same position."""
    await play_random_action(host, game.id, Random(5))


async def test_a_game_ends_once_across_processes_and_restarts(
    host: Host, new_host: NewHost, clock: SettableClock
) -> None:
    game, other = await open_game_with_end(host), await new_host()
    await send_due_posts(host)
    assert game.ends_at is not None
    clock.time = game.ends_at + TRANSIT_GRACE
    await asyncio.gather(host.timer_dispatcher.work(), other.timer_dispatcher.work())
    third = await new_host()
    await third.timer_dispatcher.work()
    log = (await third.games.table(game.id)).log
    assert [type(entry.action) for entry in log] == [Adjudicate]
    assert (await send_due_posts(third)).count(PostKind.FINAL) == 1
    assert await timer_of(third, game) is None


async def test_a_game_does_not_end_a_second_earlier(host: Host, clock: SettableClock) -> None:
    game = await open_game_with_end(host)
    assert game.ends_at is not None
    clock.time = game.ends_at + TRANSIT_GRACE - timedelta(seconds=1)
    await host.timer_dispatcher.work()
    assert (await host.games.get(game.id)).status is GameStatus.RUNNING


async def test_no_gift_pause_or_vacation_postpones_the_end(host: Host, clock: SettableClock) -> None:
    game = await open_game_with_end(host, ADA, BEN, CLEO, days=10)
    await send_due_posts(host)
    day = clock.now().date() + 2 * DAY
    await host.vacations.announce(game.seats[0].user_id, day, 14)
    await host.pauses.request(game.id, ORGANISER, 14, click_id())
    await host.time_extensions.give(game.id, game.seats[1].user_id, game.seats[0].user_id, DAY, click_id())
    await advance_and_post(host, clock, 9 * DAY.total_seconds(), step=7200)
    assert all(seat_clock.held for seat_clock in await clocks_of(host, game))
    assert (await pass_end_date(host, game, clock)).status is GameStatus.FINISHED
    assert not any(seat_clock.since or seat_clock.asked is not None for seat_clock in await clocks_of(host, game))


async def test_a_pending_move_is_published_before_the_end(host: Host, clock: SettableClock) -> None:
    game = await open_game_with_end(host, ADA, BEN)
    await send_due_posts(host)
    assert game.ends_at is not None
    clock.time = game.ends_at - timedelta(seconds=5)
    table = await host.games.table(game.id)
    mover = game.seats[table.position.player].user_id
    await host.moves.act(
        game.id,
        mover,
        game.revision,
        place_and_pass(table.position),
        click_id_at(clock.now()),
        window=timedelta(minutes=1),
    )
    await pass_end_date(host, game, clock)
    log = (await host.games.table(game.id)).log
    assert [entry.user_id for entry in log] == [mover, mover, TIMEOUT_USER_ID]
    assert await host.pending_moves.find(game.id, mover) is None


async def test_a_player_with_over_60_percent_of_the_time_ranks_last(host: Host, clock: SettableClock) -> None:
    game = await open_game_with_end(host, ADA, BEN, CLEO, days=7, pace="slow")
    await send_due_posts(host)
    for _ in range(3):
        await decide(host, game, place_and_pass, clock.now())
        await send_due_posts(host)
    silent = (await active_clock(host, game)).seat
    await advance_and_post(host, clock, 105 * 3600, step=3 * 3600)
    assert (await active_clock(host, game)).seat == silent
    assert float(SLOW_PLAYER_SHARE) * 7 * 24 < 105
    await decide(host, game, place_and_pass, clock.now())
    await send_due_posts(host)
    await pass_end_date(host, game, clock)
    table = await host.games.table(game.id)
    assert table.log[-1].action == Adjudicate(silent)
    assert table.position.ranking()[-1] == (silent,)


async def test_a_player_with_half_of_the_time_is_ranked_by_points(host: Host, clock: SettableClock) -> None:
    game = await open_game_with_end(host, ADA, BEN, CLEO, days=10, pace="slow")
    await send_due_posts(host)
    await advance_and_post(host, clock, 75 * 3600, step=3 * 3600)
    await decide(host, game, place_and_pass, clock.now())
    await send_due_posts(host)
    await advance_and_post(host, clock, 60 * 3600, step=3 * 3600)
    await decide(host, game, place_and_pass, clock.now())
    await send_due_posts(host)
    await pass_end_date(host, game, clock)
    assert (await host.games.table(game.id)).log[-1].action == Adjudicate(None)


@pytest.mark.parametrize(("days", "last"), [(25, True), (17, False)])
async def test_in_untimed_games_the_time_between_moves_counts(
    host: Host, clock: SettableClock, *, days: int, last: bool
) -> None:
    game = await open_game_with_end(host, ADA, BEN, days=30, pace="none")
    seat = (await host.games.table(game.id)).position.player
    clock.time += days * DAY
    await decide(host, game, place_and_pass, clock.now())
    await pass_end_date(host, game, clock)
    assert (await host.games.table(game.id)).log[-1].action == Adjudicate(seat if last else None)


async def test_a_vacation_does_not_count_as_used_time(host: Host, clock: SettableClock) -> None:
    game = await open_game_with_end(host, ADA, BEN, days=30, pace="none")
    seat = (await host.games.table(game.id)).position.player
    await host.vacations.announce(game.seats[seat].user_id, clock.now().date() + 2 * DAY, 10)
    clock.time += 25 * DAY
    await decide(host, game, place_and_pass, clock.now())
    await pass_end_date(host, game, clock)
    assert (await host.games.table(game.id)).log[-1].action == Adjudicate(None)


async def test_only_an_organiser_moves_the_end_date_and_players_are_notified(host: Host, clock: SettableClock) -> None:
    game = await open_game_with_end(host, days=30)
    await send_due_posts(host)
    later = clock.now() + 60 * DAY
    for asker in (Asker(ADA.user_id, GUILD, manages=True), Asker(STRANGER.user_id, GUILD), Asker(1, 5, manages=True)):
        with expect_error(ErrorCode.ONLY_ORGANISER, code=game.code):
            await host.end_dates.move(game.id, asker, later)
    moved = await host.end_dates.move(game.id, ORGANISER, later)
    assert (moved.ends_at, await timer_of(host, game)) == (later, later - NOTICE_LEAD_TIMES[0])
    assert await send_due_posts(host) == [PostKind.ENDS]
    await host.end_dates.move(game.id, ORGANISER, later)
    assert await send_due_posts(host) == [], "nothing has changed"
    await pass_end_date(host, game, clock)
    assert (await host.games.get(game.id)).status is GameStatus.RUNNING, "the old date does not count any more"
    clock.advance(1)
    cleared = await host.end_dates.move(game.id, ORGANISER, None)
    assert (cleared.ends_at, await timer_of(host, game)) == (None, None)


async def test_another_process_sees_a_new_end_date_at_its_next_read(
    host: Host, new_host: NewHost, clock: SettableClock
) -> None:
    game, other = await open_game_with_end(host), await new_host()
    await other.games.table(game.id)
    await host.end_dates.move(game.id, ORGANISER, clock.now() + 50 * DAY)
    assert (await other.games.table(game.id)).game.ends_at == clock.now() + 50 * DAY


@pytest.mark.usefixtures("few_tiles")
async def test_invalid_end_dates_are_refused(host: Host, clock: SettableClock) -> None:
    game = await open_game_with_end(host, days=30)
    soon = clock.now() + timedelta(hours=MIN_NOTICE_HOURS - 1)
    for date in (soon, clock.now() - DAY, clock.now() + (MAX_DAYS_AHEAD + 1) * DAY):
        with expect_error(ErrorCode.BAD_END, code=game.code):
            await host.end_dates.move(game.id, ORGANISER, date)
    assert (await host.games.get(game.id)).ends_at == game.ends_at
    await play_out(host, game.id)
    with expect_error(ErrorCode.GAME_OVER, code=game.code):
        await host.end_dates.move(game.id, ORGANISER, clock.now() + 40 * DAY)
    with expect_error(ErrorCode.GAME_OVER, code=game.code):
        await host.endings.adjudicate(game.id)
    await pass_end_date(host, game, clock)
    assert await timer_of(host, game) is None


async def test_adjudication_ends_a_game_at_once(host: Host) -> None:
    """Adjudicate a game as an event does when its round is over."""
    game = await open_game_with_end(host, days=0)
    await send_due_posts(host)
    outcome = await host.endings.adjudicate(game.code)
    assert outcome.game.status is GameStatus.FINISHED
    assert await send_due_posts(host) == [PostKind.FINAL]
    assert not any(seat_clock.asked is not None for seat_clock in await clocks_of(host, game))


async def test_a_frozen_game_ends_after_its_thaw(host: Host, clock: SettableClock) -> None:
    game = await open_game_with_end(host)
    async with host._store.writing() as tx:
        await games.set_status(tx, game.id, GameStatus.RUNNING, GameStatus.FROZEN)
    assert (await pass_end_date(host, game, clock)).status is GameStatus.FROZEN
    async with host._store.writing() as tx:
        await games.set_status(tx, game.id, GameStatus.FROZEN, GameStatus.RUNNING)
    clock.advance(3600)
    await host.timer_dispatcher.work()
    assert (await host.games.get(game.id)).status is GameStatus.FINISHED


async def test_a_press_from_before_the_end_is_refused(host: Host, clock: SettableClock) -> None:
    game = await open_game_with_end(host)
    person = game.person_to_act
    assert person is not None
    actions = place_and_pass((await host.games.table(game.id)).position)
    await pass_end_date(host, game, clock)
    with expect_error(ErrorCode.GAME_OVER, code=game.code):
        await host.moves.act(game.id, person.user_id, game.revision, actions, click_id())
    with expect_error(ErrorCode.ILLEGAL):
        other = await open_game_with_end(host, days=0)
        to_act = other.person_to_act
        assert to_act is not None
        await host.moves.act(other.id, to_act.user_id, other.revision, [Adjudicate()], click_id())


async def test_a_repeated_timer_of_an_ended_game_does_nothing(host: Host, clock: SettableClock) -> None:
    game = await open_game_with_end(host)
    assert game.ends_at is not None
    stale = Timer(game.id, TimerKind.END, game.ends_at + TRANSIT_GRACE)
    await pass_end_date(host, game, clock)
    await send_due_posts(host)
    await host.endings.end_due(stale)
    assert await send_due_posts(host) == []


def test_past_notices_are_not_sent_again() -> None:
    end = datetime.fromisoformat("2030-02-01T00:00:00+00:00")
    assert next_check_time(end, end - 10 * DAY) == end - 7 * DAY
    assert next_check_time(end, end - 7 * DAY) == end - DAY
    assert next_check_time(end, end - 3 * DAY) == end - DAY
    assert next_check_time(end, end) == end + TRANSIT_GRACE
