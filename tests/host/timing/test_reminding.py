"""Reminders for one person: six a day, one an hour, as wished in this turn, and none for a move already made."""

from __future__ import annotations

from datetime import timedelta

import pytest

from host import ErrorCode, Game, Host, PostKind, Preferences
from host.timing.reminders import MOST_A_DAY
from store import Reminder, timers
from tests.host.conftest import NewHost
from tests.host.people import ADA, BEN, CLEO, SettableClock, refused
from tests.host.test_clocks import asked, beats, decide, open_game, passing, post_all, whole_turn
from tests.host.test_reminders import hours_of_reminders, reminded


async def games_of_ada(host: Host, count: int) -> list[Game]:
    """Games that wait for Ada."""
    found: list[Game] = []
    while len(found) < count:
        game = await open_game(host, ADA, BEN)
        found += [game] if game.person_to_act == ADA else []
    await reminded(host)
    return found


@pytest.fixture
async def game(host: Host) -> Game:
    game = await open_game(host, ADA, BEN, CLEO)
    await reminded(host)
    return game


def mover(game: Game) -> int:
    """Return the id of the player who moves first."""
    assert game.person_to_act is not None
    return game.person_to_act.user_id


async def reminders_of(host: Host, games: list[Game]) -> int:
    """Count the reminders that are sent for these games."""
    ids, count = {game.id for game in games}, 0
    while posts := await host.outbox.due():
        for post in posts:
            assert await host.outbox.sending(post.id)
            if not await host.turn_reminders.drop_late(post):
                await host.outbox.sent(post.id, post.id)
                count += post.kind is PostKind.REMINDER and post.game_id in ids
    return count


@pytest.fixture
def seeds() -> dict[str, object]:
    """A seed for each game, so that not always the same seat begins."""
    numbers = iter(range(1000))
    return {"new_seed": lambda: f"seed {next(numbers)}"}


async def test_what_is_due_at_once_is_one_message(
    new_host: NewHost, seeds: dict[str, object], clock: SettableClock
) -> None:
    host = await new_host(**seeds)
    games = await games_of_ada(host, 4)
    await beats(host, clock, 40 * 3600)
    await host.timer_dispatcher.work()
    assert await reminders_of(host, games) == 1
    found = await host.games.get(games[0].id)
    assert await host.turn_reminders.others_waiting(found) >= 3


@pytest.mark.repeats_on_postgresql
async def test_what_is_due_within_the_hour_comes_with_the_next_one(
    new_host: NewHost, seeds: dict[str, object], clock: SettableClock
) -> None:
    host = await new_host(**seeds)
    games = await games_of_ada(host, 1)
    for _ in range(2):
        clock.advance(600)
        games += await games_of_ada(host, 1)
    counts = []
    await beats(host, clock, 39 * 3600)
    for _ in range(18):
        await beats(host, clock, 600)
        await host.timer_dispatcher.work()
        counts.append(await reminders_of(host, games))
    assert [index for index, count in enumerate(counts) if count] == [3, 9]
    assert max(counts) == 1


@pytest.mark.repeats_on_postgresql
async def test_six_a_day_at_most_but_the_last_hours(
    new_host: NewHost, seeds: dict[str, object], clock: SettableClock
) -> None:
    host = await new_host(**seeds)
    games: list[Game] = []
    for _ in range(9):
        games += await games_of_ada(host, 1)
        await beats(host, clock, 2 * 3600)
    found: list[Reminder] = []
    async for _ in passing(host, clock, 78 * 3600, step=3600):
        async with host._store.reading() as tx:
            found += await timers.reminders_since(tx, ADA.user_id, clock.in_seconds(-3600))
    usual = [called.at for called in found if not called.exempt]
    most = max(sum(start <= at < start + timedelta(days=1) for at in usual) for start in usual)
    assert most == MOST_A_DAY
    assert len(found) - len(usual) == 9


async def test_remind_me_in_some_hours(host: Host, game: Game, clock: SettableClock) -> None:
    assert await host.turn_reminders.remind_in(game, mover(game), game.revision, 3) == clock.in_seconds(3 * 3600)
    assert await hours_of_reminders(host, clock, 10) == [3]


async def test_a_reminder_that_was_asked_for_is_not_sent_after_the_move(
    host: Host, game: Game, clock: SettableClock
) -> None:
    await host.turn_reminders.remind_in(game, mover(game), game.revision, 3)
    await beats(host, clock, 3600)
    await decide(host, game, whole_turn, clock.now())
    assert await hours_of_reminders(host, clock, 10) == []


async def test_no_more_this_turn(host: Host, game: Game, clock: SettableClock) -> None:
    await host.turn_reminders.remind_in(game, mover(game), game.revision, 3)
    await host.turn_reminders.hush(game, mover(game), game.revision)
    assert await hours_of_reminders(host, clock, 79) == []
    assert (await asked(host, game)).reminders == 0


async def test_the_next_turn_is_reminded_of_again(host: Host, game: Game, clock: SettableClock) -> None:
    await host.turn_reminders.hush(game, mover(game), game.revision)
    for _ in range(3):
        await decide(host, game, whole_turn, clock.now())
        await post_all(host)
    assert len(await hours_of_reminders(host, clock, 97)) == 3


async def test_a_table_without_a_pace_is_hushed_too(host: Host, clock: SettableClock) -> None:
    game = await open_game(host, ADA, BEN, pace="none")
    await reminded(host)
    await host.turn_reminders.hush(game, mover(game), None)
    assert await hours_of_reminders(host, clock, 80) == []


async def test_one_that_is_late_when_its_turn_to_be_sent_comes_is_not_sent(
    host: Host, game: Game, clock: SettableClock
) -> None:
    await beats(host, clock, 41 * 3600)
    await host.timer_dispatcher.work()
    table = await host.games.table(game.id)
    actions = whole_turn(table.position)
    await host.moves.act(game.id, mover(game), 0, actions, 9_000_000, window=timedelta(seconds=60))
    assert await reminders_of(host, [game]) == 0
    assert await host.outbox.due() == []


async def test_bad_wishes_are_refused(host: Host, game: Game) -> None:
    for hours in (0, -1, 169):
        with refused(ErrorCode.BAD_HOURS):
            await host.turn_reminders.remind_in(game, mover(game), None, hours)
    other = next(person for person in game.seats if person != game.person_to_act)
    with refused(ErrorCode.NOT_YOUR_TURN):
        await host.turn_reminders.hush(game, other.user_id, None)
    with refused(ErrorCode.STALE):
        await host.turn_reminders.hush(game, mover(game), 7)


async def test_two_processes_call_once(host: Host, new_host: NewHost, game: Game, clock: SettableClock) -> None:
    await host.turn_reminders.remind_in(game, mover(game), None, 1)
    await beats(host, clock, 3600)
    other = await new_host()
    timer = next(timer for timer in await host.timer_dispatcher._due() if timer.subject == mover(game))
    for each in (host, other):
        await each.timer_dispatcher._dispatch(timer)
    assert await reminders_of(host, [game]) == 1


async def test_who_cannot_be_written_to_is_told_once_and_called_at_the_table(host: Host, game: Game) -> None:
    user_id = mover(game)
    await host.preferences.set(user_id, Preferences(choices={"direct": "on", "theme": "night"}))
    assert await host.turn_reminders.manner(game, game.revision, user_id) == (False, True)
    assert [await host.turn_reminders.cannot_write(game, user_id) for _ in range(2)] == [True, False]
    assert await host.turn_reminders.manner(game, game.revision, user_id) == (False, False)
    assert (await host.preferences.get(user_id)).choices == {"theme": "night"}
    assert [post.kind for post in await host.outbox.due()] == [PostKind.UNREACHED]
