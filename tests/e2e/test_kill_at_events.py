"""The bot's process is killed at what it posts of an event, and started again: each message is there once.

An announcement, the messages of the start and of a round, and the games of it with their threads: SIGKILL comes on
either side of the commit that stores what is to be posted, of the one that records it as sent, or as Discord takes it.
"""

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable
from contextlib import closing
from itertools import count
from pathlib import Path
from typing import Any, Final

import pytest

from host import Asker, Person
from host.events import EventPlan
from tests.e2e.sockets import POLL_INTERVAL, SETTLE_TIMEOUT
from tests.e2e.test_kill import check_log_file
from tests.e2e.test_kill_at_work import AtRequest, Work, at_work
from tests.loopback.strikes import Strike
from tournaments.specification import Parameters

pytestmark = pytest.mark.long

TOLD: Final = "UPDATE event_posts SET .*message_id"
"""A message of an event is recorded as sent."""
DRAWN: Final = "INSERT INTO event_tables"
FOUNDED: Final = "INSERT INTO games"
OPENED: Final = "UPDATE event_tables SET .*opened_at"
PLAYERS: Final = 4
_clicks = count(8_000_000)


async def an_announcement(work: Work) -> None:
    """Sign-up is open."""
    await _announced(work)


async def a_round(work: Work) -> None:
    """The event has begun: its first round is drawn, and its games are opened."""
    code, boss = await _announced(work)
    async with work.host() as host:
        members = [*work.server.members, *(work.server.add_member(f"Player {number}") for number in range(3))]
        for user in members[:PLAYERS]:
            await host.events.sign_up.join(code, Person(user.id, user.name), work.server.guild.id, next(_clicks))
        await host.events.starts.start(code, boss, next(_clicks))


async def _announced(work: Work) -> tuple[str, Asker]:
    owner = work.server.members[0]
    boss = Asker(owner.id, work.server.guild.id, manages=True)
    plan = EventPlan(format="duel-swiss", parameters=Parameters(pace="standard", best_of=1))
    async with work.host() as host:
        person = Person(owner.id, owner.name)
        event = await host.events.plans.create("Autumn Cup", plan, person, boss, work.server.channel.id, next(_clicks))
        await host.events.plans.announce(event.code, boss, next(_clicks))
    return event.code, boss


Doing = Callable[[Work], Awaitable[None]]
EXPECTED: Final[dict[Doing, tuple[list[str], int]]] = {
    an_announcement: (["announced"], 0),
    a_round: (["announced", "started", "round"], PLAYERS // 2),
}
"""What has to be posted of the event itself, and how many games it has."""


def rows(work: Work, query: str) -> list[Any]:
    with closing(sqlite3.connect(work.database)) as file:
        return file.execute(query).fetchall()


def is_done(work: Work, doing: Doing) -> bool:
    kinds, games = EXPECTED[doing]
    told = rows(work, "select kind from event_posts where sent_at is not null order by id")
    sent = rows(work, "select 1 from outbox where sent_at is not null")
    return [kind for (kind,) in told] == kinds and len(sent) == 2 * games


async def once(folder: Path, doing: Doing, strikes: list[Strike | AtRequest]) -> None:
    """Let the bot do it, with lives that end at strikes, and a last one."""
    async with at_work(folder) as work:
        await doing(work)
        for strike in strikes:
            await work.struck(strike)
        await work.process.start()
        async with asyncio.timeout(SETTLE_TIMEOUT):
            while not is_done(work, doing):  # noqa: ASYNC110  # a file
                await asyncio.sleep(POLL_INTERVAL)
        await asyncio.sleep(2.2)  # another round of whatever comes round
        assert is_done(work, doing)
        _, games = EXPECTED[doing]
        told = rows(
            work, "select message_id from event_posts union all select message_id from outbox where kind='opening'"
        )
        public = [message.id for message in work.server.messages(work.server.channel.id)]
        assert sorted(public) == sorted(number for (number,) in told), "each message is there once"
        threads = work.server.threads()
        assert len(threads) == games
        cards = rows(work, "select message_id from outbox where kind = 'start' order by message_id")
        shown = sorted(message.id for thread in threads for message in work.server.messages(thread.id))
        assert shown == [number for (number,) in cards], "each thread has its first card"
        assert work.problems() == []
        check_log_file(work.process.output)


async def test_an_announcement_is_there_once(tmp_path: Path) -> None:
    await once(tmp_path, an_announcement, [Strike(TOLD, after=after) for after in (False, True)])


@pytest.mark.soak
@pytest.mark.parametrize("stage", ["received", "done"])
@pytest.mark.parametrize("doing", EXPECTED, ids=lambda doing: doing.__name__)
async def test_what_arrives_while_the_bot_dies_is_there_once(tmp_path: Path, doing: Doing, stage: str) -> None:
    await once(tmp_path, doing, [AtRequest(stage)])


@pytest.mark.soak
@pytest.mark.parametrize("after", [False, True])
@pytest.mark.parametrize("statement", [DRAWN, FOUNDED, TOLD, OPENED])
async def test_a_round_is_told_and_opened_once(tmp_path: Path, statement: str, after: bool) -> None:
    await once(tmp_path, a_round, [Strike(statement, after=after)])


@pytest.mark.soak
async def test_a_round_is_told_and_opened_once_whenever_the_bot_dies(tmp_path: Path) -> None:
    """One life after the other, each of which ends a little later."""
    strikes: list[Strike | AtRequest] = [
        Strike(each, after=after) for each in (DRAWN, FOUNDED, OPENED) for after in (False, True)
    ]
    await once(tmp_path, a_round, strikes)
