"""The bot's process is killed while it posts the messages and games of an event, and restarted: each exists once.

This covers an announcement, the messages of a start and of a round, and its games with their threads. SIGKILL comes on
either side of the commit that stores a post, of the commit that records it as sent, or while Discord receives it.
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
from tests.e2e.test_kill_at_work import AtRequest, Work, not_started
from tests.loopback.commit_signals import CommitSignal
from tournaments.specification import Parameters

pytestmark = pytest.mark.long

RECORD_EVENT_POST: Final = "UPDATE event_posts SET .*message_id"
"""The statement that records an event's message as sent."""
# The statements that store the steps of a round, as regular expressions; the process is killed at their commits.
DRAW_ROUND: Final = "INSERT INTO event_tables"
CREATE_GAME: Final = "INSERT INTO games"
OPEN_TABLE: Final = "UPDATE event_tables SET .*opened_at"
PLAYER_COUNT: Final = 4
"""Players of the event."""
_interaction_ids = count(8_000_000)


async def announce_event(work: Work) -> None:
    """Open the sign-up of an event."""
    await _create_announced_event(work)


async def start_round(work: Work) -> None:
    """Start an event: its first round is to be drawn and its games opened."""
    code, organiser = await _create_announced_event(work)
    async with work.host() as host:
        members = [*work.server.members, *(work.server.add_member(f"Player {number}") for number in range(3))]
        for user in members[:PLAYER_COUNT]:
            await host.events.sign_up.join(
                code, Person(user.id, user.name), work.server.guild.id, next(_interaction_ids)
            )
        await host.events.starts.start(code, organiser, next(_interaction_ids))


async def _create_announced_event(work: Work) -> tuple[str, Asker]:
    """Announce an event for duels and return its code with its organiser."""
    owner = work.server.members[0]
    organiser = Asker(owner.id, work.server.guild.id, manages=True)
    plan = EventPlan(format="duel-swiss", parameters=Parameters(pace="standard", best_of=1))
    async with work.host() as host:
        person = Person(owner.id, owner.name)
        event = await host.events.plans.create(
            "Autumn Cup", plan, person, organiser, work.server.channel.id, next(_interaction_ids)
        )
        await host.events.plans.announce(event.code, organiser, next(_interaction_ids))
    return event.code, organiser


Task = Callable[[Work], Awaitable[None]]
"""Prepares the work in which the process is killed."""
EXPECTED: Final[dict[Task, tuple[list[str], int]]] = {
    announce_event: (["announced"], 0),
    start_round: (["announced", "started", "round"], PLAYER_COUNT // 2),
}
"""The event's own posts, and the number of games, by task."""


def rows(work: Work, query: str) -> list[Any]:
    """Return the rows of a query on the database."""
    with closing(sqlite3.connect(work.database)) as file:
        return file.execute(query).fetchall()


def is_done(work: Work, task: Task) -> bool:
    """Return whether the event's own posts and the games' posts of a task are sent."""
    kinds, games = EXPECTED[task]
    sent_kinds = rows(work, "select kind from event_posts where sent_at is not null order by id")
    sent = rows(work, "select 1 from outbox where sent_at is not null")
    return [kind for (kind,) in sent_kinds] == kinds and len(sent) == 2 * games


async def run_with_kills(folder: Path, task: Task, kills: list[CommitSignal | AtRequest]) -> None:
    """Let the bot perform a task in processes that are killed, and finally in one that is not; check the result."""
    async with not_started(folder) as work:
        await task(work)
        for kill in kills:
            await work.run_until_killed(kill)
        await work.process.start()
        async with asyncio.timeout(SETTLE_TIMEOUT):
            while not is_done(work, task):  # noqa: ASYNC110  # SQLite does not notify readers
                await asyncio.sleep(POLL_INTERVAL)
        await asyncio.sleep(2.2)  # one more run of the periodic tasks
        assert is_done(work, task)
        _, games = EXPECTED[task]
        recorded = rows(
            work, "select message_id from event_posts union all select message_id from outbox where kind='opening'"
        )
        public = [message.id for message in work.server.messages(work.server.channel.id)]
        assert sorted(public) == sorted(number for (number,) in recorded), "each message exists once"
        threads = work.server.threads()
        assert len(threads) == games
        cards = rows(work, "select message_id from outbox where kind = 'start' order by message_id")
        shown = sorted(message.id for thread in threads for message in work.server.messages(thread.id))
        assert shown == [number for (number,) in cards], "each thread has its first card"
        assert work.problems() == []
        check_log_file(work.process.output)


async def test_an_announcement_is_posted_once(tmp_path: Path) -> None:
    await run_with_kills(
        tmp_path, announce_event, [CommitSignal(RECORD_EVENT_POST, after=after) for after in (False, True)]
    )


@pytest.mark.soak
@pytest.mark.parametrize("stage", ["received", "done"])
@pytest.mark.parametrize("task", EXPECTED, ids=lambda task: task.__name__)
async def test_messages_received_while_the_bot_dies_exist_once(tmp_path: Path, task: Task, stage: str) -> None:
    await run_with_kills(tmp_path, task, [AtRequest(stage)])


@pytest.mark.soak
@pytest.mark.parametrize("after", [False, True])
@pytest.mark.parametrize("statement", [DRAW_ROUND, CREATE_GAME, RECORD_EVENT_POST, OPEN_TABLE])
async def test_a_round_is_posted_once(tmp_path: Path, statement: str, after: bool) -> None:
    await run_with_kills(tmp_path, start_round, [CommitSignal(statement, after=after)])


@pytest.mark.soak
async def test_a_round_is_posted_once_over_a_series_of_kills(tmp_path: Path) -> None:
    """Each process is killed a little later than the previous one."""
    kills: list[CommitSignal | AtRequest] = [
        CommitSignal(statement, after=after)
        for statement in (DRAW_ROUND, CREATE_GAME, OPEN_TABLE)
        for after in (False, True)
    ]
    await run_with_kills(tmp_path, start_round, kills)
