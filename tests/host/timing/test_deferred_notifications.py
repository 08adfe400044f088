"""Notifications that quiet hours defer: posted silently, and repeated once when the hours end if still relevant.

They concern players who are not to move: votes, plans, results, notices. All tests begin at noon UTC.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from random import Random

import pytest

from host import Asker, Game, GameStatus, Host, Post, PostKind, Preferences, Request, Venue
from host.notifications import URGENT_MATTERS, Matter
from host.timing.reminders import MAX_REMINDERS_PER_DAY
from store import Reminder, absences, timers
from tests.host.conftest import NewHost
from tests.host.games.test_standing_orders import mover_id, other_player_ids, play_to_auction, set_plan
from tests.host.people import ADA, BEN, CHANNEL, CLEO, GUILD, SettableClock, click_id, play_random_action
from tests.host.test_clocks import DORA, advance_with_heartbeat, decide, open_game, place_and_pass
from tests.host.timing.test_reminding import next_player_id

IN_QUIET_HOURS = Preferences(choices={"quiet": "08:00-18:00", "zone": "UTC"})
"""Preferences of a player whose quiet hours include noon, when a test begins."""
REST_SECONDS = 6 * 3600
"""Seconds from noon to the end of those quiet hours."""


@pytest.fixture
async def game(host: Host) -> Game:
    """A game of three players, all in their quiet hours."""
    game = await open_game(host, ADA, BEN, CLEO)
    for person in game.seats:
        await host.preferences.set(person.user_id, IN_QUIET_HOURS)
    await deliver(host)
    return game


async def deliver(host: Host, *, mentioned: Iterable[int] = ()) -> list[Post]:
    """Send all due posts that are not obsolete and return them.

    Each mentions these users, of whom those in quiet hours are not pinged.
    """
    sent = []
    while posts := await host.outbox.due():
        for post in posts:
            assert await host.outbox.lease(post.id)
            if not (await host.turn_reminders.drop_late(post) or await host.deferred_notifications.drop_late(post)):
                await host.deferred_notifications.defer_quiet(post.game, mentioned)
                await host.outbox.record_sent(post.id, 1000 + post.id)
                sent.append(post)
    return sent


async def deliver_news(host: Host) -> list[tuple[int, set[Matter]]]:
    """Send all due posts; return each user with a deferred notification, with its matters."""
    delivered = []
    for post in await deliver(host):
        if post.kind is PostKind.NEWS:
            user_id, items = await host.deferred_notifications.contents_of(post)
            delivered.append((user_id, {item.matter for item in items}))
    return sorted(delivered)


async def end_quiet_hours(
    host: Host, clock: SettableClock, seconds: float = REST_SECONDS
) -> list[tuple[int, set[Matter]]]:
    """Let the quiet hours pass; return each user with a deferred notification, with its matters."""
    await advance_with_heartbeat(host, clock, seconds)
    await host.timer_dispatcher.work()
    return await deliver_news(host)


async def move_everyone(host: Host, game: Game) -> None:
    """Let every player move, which makes all of them recently active."""
    for _ in game.seats:
        await decide(host, game, place_and_pass, host._clock.now())
    await deliver(host)


async def request_pause(host: Host, game: Game, asker: int = 0) -> Request:
    """Request a pause, for which the others in their quiet hours are to vote."""
    await move_everyone(host, game)
    request = await host.pauses.request(game.id, Asker(game.seats[asker].user_id, GUILD), 3, click_id())
    assert {post.kind for post in await deliver(host, mentioned=request.voters)} == {PostKind.ASKED}
    return request


@pytest.mark.sqlite
async def test_a_player_outside_quiet_hours_gets_no_deferred_notification(
    host: Host, game: Game, clock: SettableClock
) -> None:
    awake = game.seats[0].user_id
    await host.preferences.set(awake, Preferences())
    assert await host.deferred_notifications.defer_quiet(game, [person.user_id for person in game.seats]) == {
        person.user_id for person in game.seats[1:]
    }
    clock.advance(REST_SECONDS)
    assert await host.deferred_notifications.defer_quiet(game, [person.user_id for person in game.seats]) == frozenset()
    assert awake not in [timer.subject for timer in await host.timer_dispatcher._due()]


async def test_a_vote_is_announced_after_quiet_hours_to_those_who_have_not_voted(
    host: Host, game: Game, clock: SettableClock
) -> None:
    request = await request_pause(host, game)
    voted, silent = request.voters
    await host.votes.answer(game.id, request.id, voted, click_id(), agrees=True)
    assert await end_quiet_hours(host, clock, REST_SECONDS - 60) == []
    assert await end_quiet_hours(host, clock, 60) == [(silent, {Matter.QUESTION})]
    assert await end_quiet_hours(host, clock, 24 * 3600) == [], "once"


@pytest.mark.sqlite
async def test_a_closed_vote_is_not_announced(host: Host, game: Game, clock: SettableClock) -> None:
    request = await request_pause(host, game)
    await host.votes.answer(game.id, request.id, request.voters[0], click_id(), agrees=False)
    assert await end_quiet_hours(host, clock) == []


async def test_a_turn_reminder_includes_the_deferred_notifications(
    host: Host, game: Game, clock: SettableClock
) -> None:
    """Dispatch the deferred notification before the reminder, which is due at the same time."""
    await request_pause(host, game, asker=1)
    now = await host.games.get(game.id)
    assert (await host.turn_reminders.delivery_mode(now, now.revision, next_player_id(now))).quiet
    await advance_with_heartbeat(host, clock, REST_SECONDS)
    [news] = [
        timer
        for timer in await host.timer_dispatcher._due()
        if (timer.kind, timer.subject) == ("news", next_player_id(now))
    ]
    await host.timer_dispatcher._dispatch(news)
    await host.timer_dispatcher.work()
    kinds = [post.kind for post in await deliver(host)]
    assert kinds == [PostKind.REMINDER, PostKind.NEWS], "the other voter has a message of their own"
    assert await end_quiet_hours(host, clock, 3600) == []
    assert [item.matter for item in await host.deferred_notifications.urgent(now)] == [Matter.QUESTION]
    assert set(URGENT_MATTERS) >= {Matter.QUESTION}


@pytest.mark.sqlite
async def test_a_proposed_substitute_is_notified_of_the_vote(host: Host, game: Game, clock: SettableClock) -> None:
    await move_everyone(host, game)
    await host.preferences.set(DORA.user_id, IN_QUIET_HOURS)
    asker, leaves, _ = game.seats
    asks = Asker(asker.user_id, GUILD)
    request = await host.substitutions.request(game.id, asks, leaves.user_id, click_id(), substitute=DORA)
    await deliver(host, mentioned=[DORA.user_id])
    assert DORA.user_id in request.voters
    assert await end_quiet_hours(host, clock) == [(DORA.user_id, {Matter.QUESTION})]


async def test_two_processes_notify_once(host: Host, new_host: NewHost, game: Game, clock: SettableClock) -> None:
    await request_pause(host, game)
    await advance_with_heartbeat(host, clock, REST_SECONDS)
    other, due = await new_host(), await host.timer_dispatcher._due()
    for timer in due:
        for process in (host, other):
            await process.timer_dispatcher._dispatch(timer)
    assert len(await deliver_news(host)) == 2


@pytest.mark.sqlite
async def test_a_post_sent_after_quiet_hours_pings_by_itself(
    host: Host, new_host: NewHost, game: Game, clock: SettableClock
) -> None:
    """End the process after it stored the recipients and before it posted; the next one posts after quiet hours."""
    await move_everyone(host, game)
    request = await host.pauses.request(game.id, Asker(game.seats[0].user_id, GUILD), 3, click_id())
    assert await host.deferred_notifications.defer_quiet(game, request.voters) == {*request.voters}
    other_host = await new_host()
    await advance_with_heartbeat(other_host, clock, REST_SECONDS + 300)
    await other_host.timer_dispatcher.work()
    assert [post.kind for post in await deliver(other_host)] == [PostKind.ASKED]


@pytest.mark.sqlite
async def test_a_notification_waits_an_hour_after_another(host: Host, game: Game, clock: SettableClock) -> None:
    second = await open_game(host, ADA, BEN, CLEO)
    await deliver(host)
    voters = (await request_pause(host, game)).voters
    assert (await request_pause(host, second)).voters == voters
    assert len(await end_quiet_hours(host, clock)) == 2
    assert await end_quiet_hours(host, clock, 3540) == []
    assert await end_quiet_hours(host, clock, 60) == [(user_id, {Matter.QUESTION}) for user_id in sorted(voters)]


@pytest.mark.sqlite
async def test_a_player_is_notified_six_times_a_day_at_most(host: Host, game: Game, clock: SettableClock) -> None:
    request = await request_pause(host, game)
    async with host._store.writing() as tx:
        for number in range(MAX_REMINDERS_PER_DAY):
            at = clock.in_seconds(-3600 * (number + 1))
            await timers.add_reminder(tx, request.voters[0], game.id, Reminder(at, exempt=False), forget=at)
    assert [user_id for user_id, _ in await end_quiet_hours(host, clock)] == [request.voters[1]]


async def test_a_bazaar_notifies_players_without_a_plan_after_quiet_hours(host: Host, clock: SettableClock) -> None:
    game = await play_to_auction(host)
    planner, idle = await other_player_ids(host, game)
    for user_id in (planner, idle):
        await host.preferences.set(user_id, IN_QUIET_HOURS)
    await deliver(host, mentioned=[planner, idle])
    assert await host.deferred_notifications.of(game, await mover_id(host, game)) == [], (
        "the player to move gets a turn notification"
    )
    await set_plan(host, game, planner)
    assert await end_quiet_hours(host, clock) == [(idle, {Matter.PLAN})]


@pytest.mark.sqlite
async def test_a_finished_bazaar_notifies_no_one(host: Host, clock: SettableClock) -> None:
    game, rng = await play_to_auction(host), Random(2)
    users = await other_player_ids(host, game)
    for user_id in users:
        await host.preferences.set(user_id, IN_QUIET_HOURS)
    await deliver(host, mentioned=users)
    while await host.deferred_notifications._lacks_plan(await host.games.get(game.id), users[0]) or await _lacks_plan(
        host, game, users[1]
    ):
        await play_random_action(host, game.id, rng)
    assert await end_quiet_hours(host, clock) == []


async def _lacks_plan(host: Host, game: Game, user_id: int) -> bool:
    return await host.deferred_notifications._lacks_plan(await host.games.get(game.id), user_id)


async def test_the_result_and_the_rematch_are_announced_once(host: Host, game: Game, clock: SettableClock) -> None:
    user_ids = [person.user_id for person in game.seats]
    for user_id in user_ids[1:]:
        await host.moves.resign(game.id, user_id, click_id())
    await deliver(host, mentioned=user_ids)
    finished = await host.games.get(game.id)
    assert finished.status is GameStatus.FINISHED
    lobby = await host.lobbies.rematch(game.code, game.seats[0], click_id(), Venue(CHANNEL))
    await host.lobbies.set_message(lobby.id, 77)
    assert len(await host.deferred_notifications.defer_quiet(finished, user_ids[1:])) == 2
    matters = {Matter.RESULT, Matter.REMATCH}
    expected = [(user_ids[0], {Matter.RESULT}), *((user_id, matters) for user_id in user_ids[1:])]
    assert await end_quiet_hours(host, clock) == sorted(expected)
    await deliver(host)
    assert await end_quiet_hours(host, clock, 24 * 3600) == []


@pytest.mark.sqlite
async def test_other_notices_are_repeated_as_long_as_they_are_relevant(
    host: Host, game: Game, clock: SettableClock
) -> None:
    """Defer notices of an end date and of a new place; a day later neither is relevant."""
    user_id = game.seats[0].user_id
    await host.endings.set_end(game.id, clock.in_seconds(30 * 24 * 3600))
    await deliver(host, mentioned=[user_id])
    await host.places.move_here(game.id, user_id, Venue(CHANNEL + 5))
    moved = await host.games.get(game.id)
    assert {item.matter for item in await host.deferred_notifications.of(moved, user_id)} == {Matter.ENDS, Matter.MOVED}
    clock.advance(25 * 3600)
    assert await host.deferred_notifications.of(moved, user_id) == []


@pytest.mark.sqlite
@pytest.mark.parametrize("kept", [False, True])
async def test_a_closing_notice_is_repeated_unless_a_player_keeps_the_table(
    host: Host, clock: SettableClock, *, kept: bool
) -> None:
    game = await open_game(host, ADA, BEN, pace="none")
    await deliver(host)
    await host.preferences.set(ADA.user_id, IN_QUIET_HOURS)
    async with host._store.writing() as tx:
        timer = await timers.untimed(tx, game.id)
        assert timer is not None
        await timers.save_untimed(tx, replace(timer, warnings=1, warned_at=clock.in_seconds(1)))
        await host.outbox.add_notice(tx, game, PostKind.CLOSING)
    await deliver(host, mentioned=[ADA.user_id])
    clock.advance(60)
    if kept:
        await host.untimed_games.keep(game, BEN.user_id)
    assert await end_quiet_hours(host, clock, REST_SECONDS - 60) == ([] if kept else [(ADA.user_id, {Matter.CLOSING})])


@pytest.mark.sqlite
async def test_in_a_closed_place_only_its_closing_is_announced(host: Host, game: Game, clock: SettableClock) -> None:
    await request_pause(host, game)
    async with host._store.writing() as tx:
        await absences.close_place(tx, game.id, clock.now(), anywhere=True)
        await host.outbox.add_notice(tx, replace(await host.games.get(game.id), ply=6), PostKind.SHUT)
    ada = game.seats[0].user_id
    await deliver(host, mentioned=[ada])
    assert [item.matter for item in await host.deferred_notifications.of(await host.games.get(game.id), ada)] == [
        Matter.SHUT
    ]


@pytest.mark.sqlite
async def test_quiet_hours_removed_meanwhile_drop_the_notification(
    host: Host, game: Game, clock: SettableClock
) -> None:
    request = await request_pause(host, game)
    await host.preferences.set(request.voters[0], Preferences())
    assert [user_id for user_id, _ in await end_quiet_hours(host, clock)] == [request.voters[1]]
