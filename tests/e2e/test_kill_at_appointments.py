"""The bot's process is killed around the notice that an appointment begins soon, and restarted: the notice comes once.

SIGKILL comes on either side of the commits by which a process takes the lease to tell people, and records that they
were told, and while Discord receives the notice. Discord ignores nonces here, as it does some minutes after a message,
so that the bot alone prevents a second notice. With two processes on one database the other one goes on.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, closing
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import pytest

from host import AppointmentState, TableRef
from tests.cluster import Cluster
from tests.e2e.screen import mentioned_users
from tests.e2e.sockets import BOT, POLL_INTERVAL, SETTLE_TIMEOUT, SHORT_LEASES
from tests.e2e.test_kill import check_log_file
from tests.e2e.test_kill_at_work import KILL_TIMEOUT, AtRequest, Work
from tests.loopback import ForkedBot, LoopbackDiscord, RecordedRequest
from tests.loopback.commit_signals import CommitSignal

pytestmark = [pytest.mark.long, pytest.mark.usefixtures("random_language")]

PLAYERS: Final = 2
"""The people who meet."""
AHEAD: Final = timedelta(minutes=6)
"""The time from the proposal to the appointment: few enough minutes that people are told at once."""
SHORT_ROUNDS: Final = """
from cogs.background.tasks import GameCleanup
GameCleanup._round.change_interval(seconds=0.5)
"""
"""Code with which a process looks for due appointments often."""
# Statements, as regular expressions, at whose commits a process kills itself.
TAKE_LEASE: Final = "INSERT INTO leases"
RECORD_TOLD: Final = "UPDATE appointments SET .*state"
QUIET_SECONDS: Final = 2.0
"""The seconds in which a second notice would come."""
Kill = CommitSignal | AtRequest
AROUND_THE_NOTICE: Final[tuple[Kill, ...]] = (
    AtRequest("received"),
    AtRequest("done"),
    CommitSignal(RECORD_TOLD, after=False),
    CommitSignal(RECORD_TOLD, after=True),
)
"""The moments around the notice at which one process on a file is killed."""
OF_TWO_PROCESSES: Final[tuple[Kill, ...]] = (
    CommitSignal(TAKE_LEASE, after=False),
    CommitSignal(TAKE_LEASE, after=True),
    *AROUND_THE_NOTICE,
)
"""The moments at which a process is killed that shares its database with another one."""


@dataclass
class Meeting(Work):
    """A game of two whose players have agreed on a time, on one process or on two that share a database."""

    bots: list[ForkedBot] = field(default_factory=list)

    async def agree_on_time(self) -> None:
        """Let the players agree on a time of which they are to be told at once."""
        async with self.host() as host:
            first, second = (person.user_id for person in self.game.seats)
            table, at = TableRef(game_id=self.game.id), datetime.now(UTC) + AHEAD
            proposed, _ = await host.appointments.propose(table, first, at, 9_000_001)
            agreed = await host.appointments.answer(proposed.appointment.id, second, 9_000_002, accepts=True)
            assert agreed.is_agreed

    @property
    def state(self) -> str:
        """The stored state of the appointment."""
        query = "select state from appointments"
        if self.cluster is not None:
            return self.cluster.sql(query, database=urlsplit(str(self.database)).path.removeprefix("/")).strip()
        with closing(sqlite3.connect(self.database)) as file:
            return str(file.execute(query).fetchone()[0])

    async def until_told(self) -> None:
        """Wait until it is recorded that the people were told, or no process is left to tell them."""
        async with asyncio.timeout(SETTLE_TIMEOUT):
            while self.state != AppointmentState.OVER and any(bot.alive for bot in self.bots):  # noqa: ASYNC110
                await asyncio.sleep(POLL_INTERVAL)

    async def kill_once(self, kill: Kill) -> None:
        """Wait until the processes, which run, are killed at this moment, and start them again."""
        if isinstance(kill, CommitSignal):
            kill.write(self.signal_file)
        watch = self._watcher(kill)
        self.server.watchers.append(watch)
        survivors = len(self.bots) - 1 if isinstance(kill, CommitSignal) else 0
        async with asyncio.timeout(KILL_TIMEOUT):
            while sum(bot.alive for bot in self.bots) > survivors:  # noqa: ASYNC110  # waits for other processes
                await asyncio.sleep(POLL_INTERVAL)
        self.server.watchers.remove(watch)
        self.signal_file.unlink(missing_ok=True)
        await self.until_told()  # by the other process, unless it was at the same commit
        for bot in self.bots:
            if not bot.alive:
                await bot.kill()
                await bot.start()

    def _watcher(self, kill: Kill) -> Any:
        """Return a callback for requests that kills all processes at the next message."""

        def watch(stage: str, request: RecordedRequest) -> None:
            is_message = request.method == "POST" and request.path.endswith("/messages")
            if isinstance(kill, AtRequest) and stage == kill.stage and is_message:
                for bot in self.bots:
                    bot.send_sigkill()

        return watch


@asynccontextmanager
async def meeting_table(
    folder: Path, *, address: str | None = None, cluster: Cluster | None = None
) -> AsyncIterator[Meeting]:
    """Yield a game of two with its first card: on SQLite with one process, on PostgreSQL with two."""
    count = 1 if cluster is None else 2
    signal_file, database = folder / "signal.json", address or folder / "games.sqlite3"
    prepare = f"{SHORT_ROUNDS}import pathlib, tests.loopback.commit_signals as signals\n"
    prepare += f"signals.install(pathlib.Path({str(signal_file)!r}))\n" + (SHORT_LEASES if cluster else "")
    async with LoopbackDiscord(callback_deadline=KILL_TIMEOUT, nonce_window=0.0) as server, AsyncExitStack() as stack:
        first, bots = (server.guild.id >> 22) % count, list[ForkedBot]()
        for number in range(count):
            shard = {"environment": {"CASTELLAN_SHARDS": f"{(first + number) % count}/{count}"}} if count > 1 else {}
            log = folder / f"bot-{number}.log"
            bots.append(ForkedBot(server, BOT, database=database, log=log, prepare=prepare, **shard))
            stack.push_async_callback(bots[-1].close)
        meeting = Meeting(server, bots[0], database, cluster=cluster, signal_file=signal_file, bots=bots)
        async with meeting.host() as host:
            await meeting.create_game(host, PLAYERS, pace="none")
        for bot in bots:
            await bot.start()
        await meeting.settle()
        yield meeting
        assert meeting.problems() == []
        for bot in bots:
            check_log_file(bot.output)


async def tell_with_kills(folder: Path, kills: Sequence[Kill], **options: Any) -> None:
    """Let the bot tell people of their appointment in processes that are killed; check that there is one notice."""
    async with meeting_table(folder, **options) as meeting:
        before = len(meeting.cards())
        await meeting.agree_on_time()
        for kill in kills:
            await meeting.kill_once(kill)
        await meeting.until_told()
        await asyncio.sleep(QUIET_SECONDS)
        assert meeting.state == AppointmentState.OVER, meeting.process.output[-4000:]
        notices = meeting.cards()[before:]
        assert len(notices) == 1
        assert sorted(mentioned_users(notices[0].components)) == sorted(person.user_id for person in meeting.game.seats)


async def test_people_are_told_once_of_their_appointment_although_the_bot_is_killed(tmp_path: Path) -> None:
    """Each process is killed a little later than the one before."""
    await tell_with_kills(tmp_path, [AtRequest("done"), CommitSignal(RECORD_TOLD, after=False)])


@pytest.mark.postgresql
async def test_people_are_told_once_although_one_of_two_processes_is_killed(
    tmp_path: Path, location: str, postgresql: Cluster
) -> None:
    kills = [CommitSignal(RECORD_TOLD, after=False)]
    await tell_with_kills(tmp_path, kills, address=location, cluster=postgresql)


@pytest.mark.soak
@pytest.mark.parametrize("kill", AROUND_THE_NOTICE, ids=str)
async def test_people_are_told_once_whenever_the_bot_is_killed(tmp_path: Path, kill: Kill) -> None:
    await tell_with_kills(tmp_path, [kill])


@pytest.mark.soak
@pytest.mark.postgresql
@pytest.mark.parametrize("kill", OF_TWO_PROCESSES, ids=str)
async def test_people_are_told_once_whenever_one_of_two_processes_is_killed(
    tmp_path: Path, location: str, postgresql: Cluster, kill: Kill
) -> None:
    await tell_with_kills(tmp_path, [kill], address=location, cluster=postgresql)
