"""First lessons: one at a time for each person, private, in no list after their end, and never reminded of."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from datetime import timedelta
from random import Random

import pytest

from engine import GAMES, read_setup
from host import ErrorCode, Game, GameStatus, Host, HostError, Venue, WorkerLimits
from host.games.move import ARCHIVE_DELAY
from store import PUBLISH_WINDOW, Person, PostKind, Preferences, TimerKind, guilds, timers
from tests.host.computers.test_computers import let_think
from tests.host.computers.thinker import FakeThinker
from tests.host.conftest import NewHost
from tests.host.people import (
    ADA,
    BEN,
    CHANNEL,
    GUILD,
    THREAD,
    SettableClock,
    click_id,
    expect_error,
    play_random_action,
    start_game,
)

IN_SERVER = Venue(CHANNEL, guild_id=GUILD)
"""A channel of a server."""
DIRECTLY = Venue(77)
"""The direct messages of a person."""


async def begin(host: Host, person: Person = ADA, venue: Venue = IN_SERVER) -> Game:
    """Begin a lesson in a thread of the server, or in direct messages."""
    thread_id = THREAD if venue.guild_id else None
    return await host.lessons.begin(person, venue, "nl", thread_id=thread_id)


async def take(host: Host, clock: SettableClock, game: Game) -> Game:
    """Take a lesson to its end, by random moves; return it as it is then."""
    rng = Random(1)
    await let_think(host, clock)
    while (game := await host.games.get(game.id)).status is GameStatus.RUNNING:
        assert game.person_to_act == ADA
        await play_random_action(host, game.id, rng)
        await let_think(host, clock)
    return game


async def test_the_learner_begins_against_the_weakest_computer(host: Host) -> None:
    game = await begin(host)
    assert game.seats[0] == ADA
    assert [computer.level for computer in game.computers] == ["quick"]
    assert (game.settings.lesson, game.settings.language, game.settings.pace) == (True, "nl", "none")
    assert (game.guild_id, game.channel_id, game.thread_id) == (GUILD, CHANNEL, THREAD)
    assert (await host.games.get(game.code)).settings.lesson
    lesson = GAMES["carcassonne"].lesson
    assert lesson is not None
    assert read_setup(game.setup_text) == lesson()


@pytest.mark.parametrize("venue", [IN_SERVER, DIRECTLY], ids=["server", "direct"])
async def test_a_lesson_is_taken_to_its_end(host: Host, clock: SettableClock, venue: Venue) -> None:
    game = await take(host, clock, await begin(host, venue=venue))
    assert game.seat_to_act is None
    assert await host.lessons.running(ADA.user_id) is None
    assert await host.game_lists.of_user(ADA.user_id) == []


async def test_the_worker_is_not_told_the_order_of_the_pile(
    host: Host, clock: SettableClock, thinker: FakeThinker
) -> None:
    game = await begin(host)
    await let_think(host, clock)
    await play_random_action(host, game.id, Random(1))
    await play_random_action(host, game.id, Random(1))
    await let_think(host, clock)
    told = json.loads(thinker.told[0].setup)
    unseen = told["pile"][2:]
    assert unseen == sorted(unseen)


async def test_a_second_lesson_is_the_running_one(host: Host) -> None:
    first, second = await begin(host), await begin(host, venue=DIRECTLY)
    assert second.id == first.id
    assert (await host.lessons.running(ADA.user_id)) == first
    assert (await begin(host, BEN)).id != first.id


@pytest.mark.both_databases
async def test_of_two_lessons_begun_at_once_there_is_one(new_host: NewHost) -> None:
    hosts = [await new_host(), await new_host()]
    begun = await asyncio.gather(*(begin(host) for host in hosts))
    assert begun[0].id == begun[1].id


async def test_another_lesson_follows_one_that_was_left(host: Host) -> None:
    game = await begin(host)
    outcome = await host.moves.resign(game.code, ADA.user_id, click_id())
    assert outcome.game.status is GameStatus.FINISHED
    assert (await begin(host)).id != game.id


async def test_the_thread_is_archived_after_the_lesson(host: Host, clock: SettableClock) -> None:
    game = await begin(host)
    await host.moves.resign(game.code, ADA.user_id, click_id())
    assert await host.timers.put_away_at(game) == clock.now() + ARCHIVE_DELAY


async def test_moves_are_posted_at_once(host: Host) -> None:
    game = await begin(host)
    slow = Preferences().with_choice(PUBLISH_WINDOW, "120")
    assert host.moves.window_of(slow, game) == timedelta(0)
    assert host.moves.window_of(slow, replace(game, settings=replace(game.settings, lesson=False))) > timedelta(0)


async def test_nobody_is_reminded_of_a_lesson(host: Host, clock: SettableClock) -> None:
    game = await begin(host)
    kinds = await let_think(host, clock)
    for _ in range(70):
        clock.advance(86_400)
        kinds += await let_think(host, clock)
    assert PostKind.REMINDER not in kinds
    assert (await host.games.get(game.id)).status is GameStatus.FINISHED, "a lesson that is left alone is closed"


async def test_membership_is_not_checked_in_direct_messages(host: Host) -> None:
    for person, venue, is_checked in ((ADA, DIRECTLY, False), (BEN, IN_SERVER, True)):
        game = await begin(host, person, venue)
        due_at = await host._store.read(timers.due_at, game.id, TimerKind.PRESENT)
        assert (due_at is not None) is is_checked


async def test_whoever_plays_as_much_as_allowed_may_take_a_lesson(new_host: NewHost) -> None:
    host = await new_host(games_of_member=1)
    await start_game(host, ADA, BEN)
    assert (await begin(host)).settings.lesson


async def test_without_computers_there_is_no_lesson(new_host: NewHost) -> None:
    host = await new_host(workers=WorkerLimits(workers=0))
    for check in (host.lessons.check(ADA.user_id, DIRECTLY), begin(host)):
        with expect_error(ErrorCode.NO_COMPUTERS):
            await check


async def test_a_closed_channel_takes_no_lesson(host: Host) -> None:
    settings = replace(await host.servers.get(GUILD), channels=(CHANNEL + 1,))
    await host._store.write(guilds.save_settings, GUILD, settings)
    with expect_error(ErrorCode.CHANNEL_CLOSED):
        await host.lessons.check(ADA.user_id, IN_SERVER)
    await host.lessons.check(ADA.user_id, DIRECTLY)


async def test_a_rematch_of_a_lesson_is_an_ordinary_game(host: Host) -> None:
    game = await begin(host)
    await host.moves.resign(game.code, ADA.user_id, click_id())
    lobby = await host.lobbies.rematch(game.code, ADA, click_id())
    assert not lobby.settings.lesson


async def test_an_undo_asks_nobody(host: Host, clock: SettableClock) -> None:
    game = await begin(host)
    await let_think(host, clock)
    await play_random_action(host, game.id, Random(1))
    await play_random_action(host, game.id, Random(1))
    await let_think(host, clock)
    before = await host.games.get(game.id)
    await host.undo.request(game.code, ADA.user_id, before.revision, click_id())
    after = await host.games.get(game.id)
    assert after.person_to_act == ADA
    assert after.ply < before.ply
    with pytest.raises(HostError):
        await host.undo.request(game.code, ADA.user_id, before.revision, click_id())
