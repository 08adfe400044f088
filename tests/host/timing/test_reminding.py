"""Limits on the reminders of one player, six a day and one an hour, and requests about the current turn.

A game's first reminder is due 40 hours after its card: half of the 80 hours of the standard pace.
"""

from __future__ import annotations

from datetime import timedelta

import pytest

from host import ErrorCode, Game, Host, PostKind, Preferences
from host.timing.reminders import MAX_REMINDERS_PER_DAY
from store import Reminder, timers
from tests.host.conftest import NewHost
from tests.host.people import ADA, BEN, CLEO, SettableClock, expect_error
from tests.host.test_clocks import (
    active_clock,
    advance_in_steps,
    advance_with_heartbeat,
    decide,
    open_game,
    place_and_pass,
    post_all,
)
from tests.host.test_reminders import reminder_hours, send_posts_counting_reminders


async def games_of_ada(host: Host, count: int) -> list[Game]:
    """Start games until this many wait for Ada; post their first cards."""
    games: list[Game] = []
    while len(games) < count:
        game = await open_game(host, ADA, BEN)
        games += [game] if game.person_to_act == ADA else []
    await send_posts_counting_reminders(host)
    return games


@pytest.fixture
async def game(host: Host) -> Game:
    """A game of three players whose first card is posted."""
    game = await open_game(host, ADA, BEN, CLEO)
    await send_posts_counting_reminders(host)
    return game


def next_player_id(game: Game) -> int:
    """Return the id of the player who moves first."""
    assert game.person_to_act is not None
    return game.person_to_act.user_id


async def send_reminders_for(host: Host, games: list[Game]) -> int:
    """Send all due posts that are not obsolete; return the number of reminders of these games."""
    ids, count = {game.id for game in games}, 0
    while posts := await host.outbox.due():
        for post in posts:
            assert await host.outbox.lease(post.id)
            if not await host.turn_reminders.drop_late(post):
                await host.outbox.record_sent(post.id, post.id)
                count += post.kind is PostKind.REMINDER and post.game_id in ids
    return count


@pytest.fixture
def seeds() -> dict[str, object]:
    """Settings that give each game another seed, so that different seats begin."""
    numbers = iter(range(1000))
    return {"new_seed": lambda: f"seed {next(numbers)}"}


async def test_reminders_due_together_are_one_message(
    new_host: NewHost, seeds: dict[str, object], clock: SettableClock
) -> None:
    host = await new_host(**seeds)
    games = await games_of_ada(host, 4)
    await advance_with_heartbeat(host, clock, 40 * 3600)
    await host.timer_dispatcher.work()
    assert await send_reminders_for(host, games) == 1
    first_game = await host.games.get(games[0].id)
    assert await host.turn_reminders.others_waiting(first_game) >= 3


@pytest.mark.repeats_on_postgresql
async def test_reminders_due_within_an_hour_are_combined_into_the_next(
    new_host: NewHost, seeds: dict[str, object], clock: SettableClock
) -> None:
    host = await new_host(**seeds)
    games = await games_of_ada(host, 1)
    for _ in range(2):
        clock.advance(600)
        games += await games_of_ada(host, 1)
    counts = []
    await advance_with_heartbeat(host, clock, 39 * 3600)
    for _ in range(18):
        await advance_with_heartbeat(host, clock, 600)
        await host.timer_dispatcher.work()
        counts.append(await send_reminders_for(host, games))
    assert [index for index, count in enumerate(counts) if count] == [3, 9]
    assert max(counts) == 1


@pytest.mark.repeats_on_postgresql
async def test_six_reminders_a_day_at_most_besides_those_of_the_last_hours(
    new_host: NewHost, seeds: dict[str, object], clock: SettableClock
) -> None:
    host = await new_host(**seeds)
    games: list[Game] = []
    for _ in range(9):
        games += await games_of_ada(host, 1)
        await advance_with_heartbeat(host, clock, 2 * 3600)
    reminders: list[Reminder] = []
    async for _ in advance_in_steps(host, clock, 78 * 3600, step=3600):
        async with host._store.reading() as tx:
            reminders += await timers.reminders_since(tx, ADA.user_id, clock.in_seconds(-3600))
    limited = [reminder.at for reminder in reminders if not reminder.exempt]
    max_per_day = max(sum(start <= at < start + timedelta(days=1) for at in limited) for start in limited)
    assert max_per_day == MAX_REMINDERS_PER_DAY
    assert len(reminders) - len(limited) == 9


async def test_a_player_is_reminded_after_the_hours_they_asked_for(
    host: Host, game: Game, clock: SettableClock
) -> None:
    assert await host.turn_reminders.remind_in(game, next_player_id(game), game.revision, 3) == clock.in_seconds(
        3 * 3600
    )
    assert await reminder_hours(host, clock, 10) == [3]


async def test_a_requested_reminder_is_not_sent_after_the_move(host: Host, game: Game, clock: SettableClock) -> None:
    await host.turn_reminders.remind_in(game, next_player_id(game), game.revision, 3)
    await advance_with_heartbeat(host, clock, 3600)
    await decide(host, game, place_and_pass, clock.now())
    assert await reminder_hours(host, clock, 10) == []


async def test_muting_stops_the_reminders_of_this_turn(host: Host, game: Game, clock: SettableClock) -> None:
    await host.turn_reminders.remind_in(game, next_player_id(game), game.revision, 3)
    await host.turn_reminders.mute(game, next_player_id(game), game.revision)
    assert await reminder_hours(host, clock, 79) == []
    assert (await active_clock(host, game)).reminders == 0


async def test_reminders_resume_with_the_next_turn(host: Host, game: Game, clock: SettableClock) -> None:
    await host.turn_reminders.mute(game, next_player_id(game), game.revision)
    for _ in range(3):
        await decide(host, game, place_and_pass, clock.now())
        await post_all(host)
    assert len(await reminder_hours(host, clock, 97)) == 3


async def test_muting_works_in_an_untimed_game(host: Host, clock: SettableClock) -> None:
    game = await open_game(host, ADA, BEN, pace="none")
    await send_posts_counting_reminders(host)
    await host.turn_reminders.mute(game, next_player_id(game), None)
    assert await reminder_hours(host, clock, 80) == []


async def test_a_reminder_that_became_obsolete_before_sending_is_dropped(
    host: Host, game: Game, clock: SettableClock
) -> None:
    await advance_with_heartbeat(host, clock, 41 * 3600)
    await host.timer_dispatcher.work()
    table = await host.games.table(game.id)
    actions = place_and_pass(table.position)
    await host.moves.act(game.id, next_player_id(game), 0, actions, 9_000_000, window=timedelta(seconds=60))
    assert await send_reminders_for(host, [game]) == 0
    assert await host.outbox.due() == []


async def test_invalid_reminder_requests_are_refused(host: Host, game: Game) -> None:
    for hours in (0, -1, 169):
        with expect_error(ErrorCode.BAD_HOURS):
            await host.turn_reminders.remind_in(game, next_player_id(game), None, hours)
    other = next(person for person in game.seats if person != game.person_to_act)
    with expect_error(ErrorCode.NOT_YOUR_TURN):
        await host.turn_reminders.mute(game, other.user_id, None)
    with expect_error(ErrorCode.STALE):
        await host.turn_reminders.mute(game, next_player_id(game), 7)


async def test_two_processes_send_one_reminder(host: Host, new_host: NewHost, game: Game, clock: SettableClock) -> None:
    await host.turn_reminders.remind_in(game, next_player_id(game), None, 1)
    await advance_with_heartbeat(host, clock, 3600)
    other_host = await new_host()
    timer = next(timer for timer in await host.timer_dispatcher._due() if timer.subject == next_player_id(game))
    for process in (host, other_host):
        await process.timer_dispatcher._dispatch(timer)
    assert await send_reminders_for(host, [game]) == 1


async def test_a_player_with_closed_dms_is_told_once_and_mentioned_in_the_thread(host: Host, game: Game) -> None:
    user_id = next_player_id(game)
    await host.preferences.set(user_id, Preferences(choices={"direct": "on", "theme": "night"}))
    assert await host.turn_reminders.delivery_mode(game, game.revision, user_id) == (False, True)
    assert [await host.turn_reminders.turn_off_direct_messages(game, user_id) for _ in range(2)] == [True, False]
    assert await host.turn_reminders.delivery_mode(game, game.revision, user_id) == (False, False)
    assert (await host.preferences.get(user_id)).choices == {"theme": "night"}
    assert [post.kind for post in await host.outbox.due()] == [PostKind.UNREACHED]
