"""Notifications to players not to move are silent in their quiet hours, and delivered once when those end."""

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

NIGHT = Preferences(choices={"quiet": "08:00-18:00", "zone": "UTC"})
"""It is noon when a test begins."""
LEFT = 6 * 3600
"""Seconds until it is over."""


@pytest.fixture
async def game(host: Host) -> Game:
    """Three at a table, all of whom have quiet hours now."""
    game = await open_game(host, ADA, BEN, CLEO)
    for person in game.seats:
        await host.preferences.set(person.user_id, NIGHT)
    await deliver(host)
    return game


async def deliver(host: Host, *, calling: Iterable[int] = ()) -> list[Post]:
    """Discord takes what is due, of which each message calls these people but those who sleep; what it took."""
    taken = []
    while posts := await host.outbox.due():
        for post in posts:
            assert await host.outbox.sending(post.id)
            if not (await host.turn_reminders.drop_late(post) or await host.deferred_notifications.drop_late(post)):
                await host.deferred_notifications.asleep(post.game, calling)
                await host.outbox.sent(post.id, 1000 + post.id)
                taken.append(post)
    return taken


async def told(host: Host) -> list[tuple[int, set[Matter]]]:
    """Send the due messages and return the users they tell, with the matters."""
    found = []
    for post in await deliver(host):
        if post.kind is PostKind.NEWS:
            user_id, items = await host.deferred_notifications.told_by(post)
            found.append((user_id, {item.matter for item in items}))
    return sorted(found)


async def morning(host: Host, clock: SettableClock, seconds: float = LEFT) -> list[tuple[int, set[Matter]]]:
    """End the quiet hours and return the users told, with the matters."""
    await advance_with_heartbeat(host, clock, seconds)
    await host.timer_dispatcher.work()
    return await told(host)


async def everybody_moves(host: Host, game: Game) -> None:
    """Let every player move, which makes all of them recently active."""
    for _ in game.seats:
        await decide(host, game, place_and_pass, host._clock.now())
    await deliver(host)


async def asked_for_a_pause(host: Host, game: Game, asker: int = 0) -> Request:
    """One asks the others, who sleep."""
    await everybody_moves(host, game)
    request = await host.pauses.request(game.id, Asker(game.seats[asker].user_id, GUILD), 3, click_id())
    assert {post.kind for post in await deliver(host, calling=request.voters)} == {PostKind.ASKED}
    return request


@pytest.mark.sqlite
async def test_who_is_awake_is_called_at_once_and_nothing_follows(host: Host, game: Game, clock: SettableClock) -> None:
    awake = game.seats[0].user_id
    await host.preferences.set(awake, Preferences())
    assert await host.deferred_notifications.asleep(game, [person.user_id for person in game.seats]) == {
        person.user_id for person in game.seats[1:]
    }
    clock.advance(LEFT)
    assert await host.deferred_notifications.asleep(game, [person.user_id for person in game.seats]) == frozenset()
    assert awake not in [timer.subject for timer in await host.timer_dispatcher._due()]


async def test_a_question_is_told_when_quiet_hours_end_to_those_who_have_not_answered(
    host: Host, game: Game, clock: SettableClock
) -> None:
    request = await asked_for_a_pause(host, game)
    answers, silent = request.voters
    await host.votes.answer(game.id, request.id, answers, click_id(), agrees=True)
    assert await morning(host, clock, LEFT - 60) == []
    assert await morning(host, clock, 60) == [(silent, {Matter.QUESTION})]
    assert await morning(host, clock, 24 * 3600) == [], "once"


@pytest.mark.sqlite
async def test_a_question_that_is_over_is_not_told(host: Host, game: Game, clock: SettableClock) -> None:
    request = await asked_for_a_pause(host, game)
    await host.votes.answer(game.id, request.id, request.voters[0], click_id(), agrees=False)
    assert await morning(host, clock) == []


async def test_with_a_call_to_his_turn_somebody_is_told_all_in_one_message(
    host: Host, game: Game, clock: SettableClock
) -> None:
    """Whichever of the two comes up first, as they are due at the same time."""
    await asked_for_a_pause(host, game, asker=1)
    now = await host.games.get(game.id)
    assert (await host.turn_reminders.delivery_mode(now, now.revision, next_player_id(now))).quiet
    await advance_with_heartbeat(host, clock, LEFT)
    [news] = [
        timer
        for timer in await host.timer_dispatcher._due()
        if (timer.kind, timer.subject) == ("news", next_player_id(now))
    ]
    await host.timer_dispatcher._dispatch(news)
    await host.timer_dispatcher.work()
    kinds = [post.kind for post in await deliver(host)]
    assert kinds == [PostKind.REMINDER, PostKind.NEWS], "the other one who is asked has a message of his own"
    assert await morning(host, clock, 3600) == []
    assert [item.matter for item in await host.deferred_notifications.urgent(now)] == [Matter.QUESTION]
    assert set(URGENT_MATTERS) >= {Matter.QUESTION}


@pytest.mark.sqlite
async def test_who_is_to_take_over_a_seat_is_told_of_the_question_too(
    host: Host, game: Game, clock: SettableClock
) -> None:
    await everybody_moves(host, game)
    await host.preferences.set(DORA.user_id, NIGHT)
    asker, leaves, _ = game.seats
    asks = Asker(asker.user_id, GUILD)
    request = await host.substitutions.request(game.id, asks, leaves.user_id, click_id(), substitute=DORA)
    await deliver(host, calling=[DORA.user_id])
    assert DORA.user_id in request.voters
    assert await morning(host, clock) == [(DORA.user_id, {Matter.QUESTION})]


async def test_two_processes_tell_once(host: Host, new_host: NewHost, game: Game, clock: SettableClock) -> None:
    await asked_for_a_pause(host, game)
    await advance_with_heartbeat(host, clock, LEFT)
    other, due = await new_host(), await host.timer_dispatcher._due()
    for timer in due:
        for each in (host, other):
            await each.timer_dispatcher._dispatch(timer)
    assert len(await told(host)) == 2


@pytest.mark.sqlite
async def test_what_was_not_sent_before_they_end_calls_by_itself(
    host: Host, new_host: NewHost, game: Game, clock: SettableClock
) -> None:
    """The process ends when it is stored who is told, and before the message is there; the next one sends it by day."""
    await everybody_moves(host, game)
    request = await host.pauses.request(game.id, Asker(game.seats[0].user_id, GUILD), 3, click_id())
    assert await host.deferred_notifications.asleep(game, request.voters) == {*request.voters}
    other = await new_host()
    await advance_with_heartbeat(other, clock, LEFT + 300)
    await other.timer_dispatcher.work()
    assert [post.kind for post in await deliver(other)] == [PostKind.ASKED]


@pytest.mark.sqlite
async def test_within_an_hour_of_another_call_it_waits(host: Host, game: Game, clock: SettableClock) -> None:
    second = await open_game(host, ADA, BEN, CLEO)
    await deliver(host)
    voters = (await asked_for_a_pause(host, game)).voters
    assert (await asked_for_a_pause(host, second)).voters == voters
    assert len(await morning(host, clock)) == 2
    assert await morning(host, clock, 3540) == []
    assert await morning(host, clock, 60) == [(user_id, {Matter.QUESTION}) for user_id in sorted(voters)]


@pytest.mark.sqlite
async def test_nobody_is_told_more_than_six_times_a_day(host: Host, game: Game, clock: SettableClock) -> None:
    request = await asked_for_a_pause(host, game)
    async with host._store.writing() as tx:
        for number in range(MAX_REMINDERS_PER_DAY):
            at = clock.in_seconds(-3600 * (number + 1))
            await timers.add_reminder(tx, request.voters[0], game.id, Reminder(at, exempt=False), forget=at)
    assert [user_id for user_id, _ in await morning(host, clock)] == [request.voters[1]]


async def test_a_bazaar_calls_those_who_have_planned_nothing_when_they_wake(host: Host, clock: SettableClock) -> None:
    game = await play_to_auction(host)
    plans, sleeps = await other_player_ids(host, game)
    for user_id in (plans, sleeps):
        await host.preferences.set(user_id, NIGHT)
    await deliver(host, calling=[plans, sleeps])
    assert await host.deferred_notifications.of(game, await mover_id(host, game)) == [], (
        "who is asked is called to that"
    )
    await set_plan(host, game, plans)
    assert await morning(host, clock) == [(sleeps, {Matter.PLAN})]


@pytest.mark.sqlite
async def test_a_bazaar_that_is_over_calls_nobody(host: Host, clock: SettableClock) -> None:
    game, random = await play_to_auction(host), Random(2)
    sleepers = await other_player_ids(host, game)
    for user_id in sleepers:
        await host.preferences.set(user_id, NIGHT)
    await deliver(host, calling=sleepers)
    while await host.deferred_notifications._lacks_plan(await host.games.get(game.id), sleepers[0]) or await _may_plan(
        host, game, sleepers[1]
    ):
        await play_random_action(host, game.id, random)
    assert await morning(host, clock) == []


async def _may_plan(host: Host, game: Game, user_id: int) -> bool:
    return await host.deferred_notifications._lacks_plan(await host.games.get(game.id), user_id)


async def test_the_result_and_the_rematch_are_told_once(host: Host, game: Game, clock: SettableClock) -> None:
    everybody = [person.user_id for person in game.seats]
    for user_id in everybody[1:]:
        await host.moves.resign(game.id, user_id, click_id())
    await deliver(host, calling=everybody)
    over = await host.games.get(game.id)
    assert over.status is GameStatus.FINISHED
    lobby = await host.lobbies.rematch(game.code, game.seats[0], click_id(), Venue(CHANNEL))
    await host.lobbies.set_message(lobby.id, 77)
    assert len(await host.deferred_notifications.asleep(over, everybody[1:])) == 2
    found = {Matter.RESULT, Matter.REMATCH}
    expected = [(everybody[0], {Matter.RESULT}), *((user_id, found) for user_id in everybody[1:])]
    assert await morning(host, clock) == sorted(expected)
    await deliver(host)
    assert await morning(host, clock, 24 * 3600) == []


@pytest.mark.sqlite
async def test_what_else_is_said_to_all_is_told_as_long_as_it_holds(
    host: Host, game: Game, clock: SettableClock
) -> None:
    """An end date, another place, and that nobody can read it in a place that is closed."""
    one = game.seats[0].user_id
    await host.endings.set_end(game.id, clock.in_seconds(30 * 24 * 3600))
    await deliver(host, calling=[one])
    await host.places.move_here(game.id, one, Venue(CHANNEL + 5))
    moved = await host.games.get(game.id)
    assert {item.matter for item in await host.deferred_notifications.of(moved, one)} == {Matter.ENDS, Matter.MOVED}
    clock.advance(25 * 3600)
    assert await host.deferred_notifications.of(moved, one) == []


@pytest.mark.sqlite
@pytest.mark.parametrize("kept", [False, True])
async def test_that_a_table_will_be_closed_is_told_unless_somebody_keeps_it(
    host: Host, clock: SettableClock, *, kept: bool
) -> None:
    game = await open_game(host, ADA, BEN, pace="none")
    await deliver(host)
    await host.preferences.set(ADA.user_id, NIGHT)
    async with host._store.writing() as tx:
        known = await timers.untimed(tx, game.id)
        assert known is not None
        await timers.save_untimed(tx, replace(known, warnings=1, warned_at=clock.in_seconds(1)))
        await host.outbox.notice(tx, game, game.ply, PostKind.CLOSING)
    await deliver(host, calling=[ADA.user_id])
    clock.advance(60)
    if kept:
        await host.untimed_games.keep(game, BEN.user_id)
    assert await morning(host, clock, LEFT - 60) == ([] if kept else [(ADA.user_id, {Matter.CLOSING})])


@pytest.mark.sqlite
async def test_in_a_closed_place_only_that_is_told(host: Host, game: Game, clock: SettableClock) -> None:
    await asked_for_a_pause(host, game)
    async with host._store.writing() as tx:
        await absences.close_place(tx, game.id, clock.now(), anywhere=True)
        await host.outbox.notice(tx, await host.games.get(game.id), 6, PostKind.SHUT)
    ada = game.seats[0].user_id
    await deliver(host, calling=[ada])
    assert [item.matter for item in await host.deferred_notifications.of(await host.games.get(game.id), ada)] == [
        Matter.SHUT
    ]


@pytest.mark.sqlite
async def test_hours_that_are_changed_meanwhile_leave_nothing_to_tell(
    host: Host, game: Game, clock: SettableClock
) -> None:
    request = await asked_for_a_pause(host, game)
    await host.preferences.set(request.voters[0], Preferences())
    assert [user_id for user_id, _ in await morning(host, clock)] == [request.voters[1]]
