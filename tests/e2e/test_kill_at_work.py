"""The bot's process is killed during background work, or at the last vote, and restarted: the work is done once.

The tasks: a publish window (the time in which a confirmed move is *pending*, not yet shown) ends, a player times out,
plans resolve a bazaar, a reminder is sent, an undo is granted, a game ends on its date, quiet hours end. SIGKILL comes
on either side of the commit that stores the result, of the one that records its message as sent, or while Discord
receives the message. The expected result is that of an undisturbed host on a copy of the same file.
"""

import asyncio
import sqlite3
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, closing, contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import pytest

from cogs.presenting.ids import Op
from engine.carcassonne.expansions.bridges_castles_bazaars import ChooseLot, bazaar_number
from engine.selfplay import random_action
from host import (
    QUIET_HOURS,
    TIME_ZONE,
    Game,
    Host,
    HostError,
    HostSettings,
    Person,
    Preferences,
    RequestState,
    TableSettings,
    Venue,
)
from store import Store
from tests.e2e.screen import MemberLanguage, buttons, localized
from tests.e2e.sockets import BOT, SocketTable
from tests.e2e.stored_games import StoredGame, read_stored_game
from tests.e2e.test_kill import check_log_file
from tests.host.people import new_lobby
from tests.loopback import BotExitedError, ForkedBot, LoopbackDiscord, RecordedRequest
from tests.loopback.commit_signals import CommitSignal

pytestmark = [pytest.mark.long, pytest.mark.usefixtures("random_language")]

INSERT_ACTIONS = "INSERT INTO actions"
INSERT_UNDONE = "INSERT INTO undone"
INSERT_POST = "INSERT INTO outbox"
RECORD_SENT = "UPDATE outbox SET .*message_id"
"""These statements, as regular expressions, select the commit at which the process is killed."""
EXPIRE_WINDOW = ("update timers set due_at = :now where kind = 'publish'", "update pending set due_at = :now")
"""Statements after which the pending move is due to be published."""
EXPIRE_CLOCK = (
    "update clocks set since = since - :hours where since is not null",
    "update timers set due_at = :now where kind = 'clock'",
)
"""Statements after which the player's time has run out."""
HOUR_MILLISECONDS = 3_600_000
KILL_TIMEOUT = 60.0
"""Seconds within which a bot has to be killed."""
PLAN = "lot:1@1 lot:2@0 lot:3@0 most:1@4 most:2@3 most:3@2 buy:2 pass"
"""A plan that answers every decision of a bazaar with three lots."""
_interaction_ids = count(7_000_000)


@dataclass(frozen=True, slots=True)
class AtRequest:
    """A kill at the next message: when it has arrived, or when it is posted and not answered yet."""

    stage: str


@dataclass
class Work(SocketTable):
    """A game on the loopback server, prepared by a host of the test while the bot is not running."""

    signal_file: Path = Path()
    """The file that tells the process at which commit to kill itself."""
    game: Game = field(init=False)
    needs_agreement: bool = False
    """True if a member has to press [Agree]."""

    @asynccontextmanager
    async def host(self, file: Path | None = None) -> AsyncIterator[Host]:
        """Yield a host on the database, or on another file."""
        store = await Store.open(file or self.database)
        try:
            yield Host(store, settings=HostSettings(new_seed=lambda: "one"))
        finally:
            await store.close()

    async def create_game(self, host: Host, players: int, pace: str = "standard", **changes: Any) -> None:
        """Create a game of the first members, played in the channel."""
        people = [Person(user.id, user.name) for user in self.server.members[:players]]
        self.place = self.server.channel
        about = {"guild_id": self.server.guild.id, "channel_id": self.place.id, "owner": people[0], **changes}
        lobby = await host.lobbies.open(
            new_lobby(capacity=players, settings=TableSettings(pace=pace, language=MemberLanguage.language), **about),
            next(_interaction_ids),
        )
        for person in people[1:]:
            await host.lobbies.join(lobby.id, person, next(_interaction_ids))
        self.game = await host.lobbies.start(lobby.id, people[0].user_id, next(_interaction_ids))
        self.game = await host.places.move_here(self.game.id, people[0].user_id, Venue(self.place.id))

    async def play(self, host: Host, random: Random, window: timedelta = timedelta(0)) -> None:
        """Make a random decision; with a window it is published only after that time."""
        table = await host.games.table(self.game.id)
        person, action = table.game.seats[table.position.player], random_action(table.position, random)
        await host.moves.act(
            self.game.id, person.user_id, table.game.revision, [action], next(_interaction_ids), window=window
        )

    async def confirm(self) -> None:
        """Make a move that waits to be published."""
        async with self.host() as host:
            await self.play(host, Random(1), window=timedelta(minutes=1))

    def edit(self, *statements: str, hours: int = 0) -> None:
        """Change times in the database by SQL; the last heartbeat becomes now, so that no downtime is detected."""
        values = {"now": int(time.time() * 1000), "hours": hours * HOUR_MILLISECONDS}
        with closing(sqlite3.connect(self.database)) as file, file:
            for statement in (*statements, "update heartbeats set at = :now"):
                file.execute(statement, values)

    def stored_state(self, file: Path | None = None) -> tuple[object, ...]:
        """Return everything that a repetition would change: log, undone actions, posts, pending moves, clocks."""
        stored = read_stored_game(file or self.database)
        with closing(sqlite3.connect(file or self.database)) as opened:
            undone = opened.execute("select ply, text from undone order by ply").fetchall()
            waits = opened.execute("select count(*) from pending").fetchall()
            clocks = opened.execute("select seat, granted, timeouts, reminders, asked from clocks").fetchall()
        posts = [(post.from_ply, post.ply, post.kind) for post in stored.posts]
        return stored.log, stored.ply, stored.status, posts, undone, waits, clocks

    async def expected(self, folder: Path) -> tuple[object, ...]:
        """Return the state that an undisturbed host reaches on a copy of the file."""
        copy = folder / "copy.sqlite3"
        with closing(sqlite3.connect(self.database)) as file, closing(sqlite3.connect(copy)) as target:
            file.backup(target)
        async with self.host(copy) as host:
            await host.timer_dispatcher.work()
            if self.needs_agreement:
                (request,) = await self._open_requests(copy)
                answer = await host.votes.answer(
                    self.game.id, request, self._voter(), next(_interaction_ids), agrees=True
                )
                assert answer.request.state is RequestState.GRANTED
        return self.stored_state(copy)

    # -- processes -----------------------------------------------------------------------------------------------

    async def start_game(self, players: int) -> None:
        """Create a game, and run a process that posts its first card."""
        async with self.host() as host:
            await self.create_game(host, players)
        await self.run_process()

    async def run_process(self, timer: str = "") -> None:
        """Run a process until all messages are posted and, if given, a timer of this kind exists."""
        await self.process.start()
        self.dead = False
        async with asyncio.timeout(KILL_TIMEOUT):
            while timer and not self._has(timer):  # noqa: ASYNC110  # SQLite does not notify readers
                await asyncio.sleep(0.05)
        await self.settle()
        await self.process.kill()
        self.dead = True

    def _has(self, timer: str) -> bool:
        """Return whether a timer of this kind is stored."""
        with closing(sqlite3.connect(self.database)) as file:
            return bool(file.execute("select 1 from timers where kind = ?", (timer,)).fetchall())

    async def run_until_killed(self, kill: CommitSignal | AtRequest) -> None:
        """Run a process until it is killed at this point."""
        with self._killing_at(kill):
            with suppress(BotExitedError):
                await self.process.start()
                await self.agree()
            assert self.process._exited is not None
            await asyncio.wait_for(asyncio.shield(self.process._exited), KILL_TIMEOUT)
        self.dead = True

    @contextmanager
    def _killing_at(self, kill: CommitSignal | AtRequest) -> Iterator[None]:
        """Kill the process at the chosen moment within the block."""
        if isinstance(kill, CommitSignal):
            kill.write(self.signal_file)
            yield
            self.signal_file.unlink()
            return

        def watch(stage: str, request: RecordedRequest) -> None:
            if stage == kill.stage and request.method == "POST" and request.path.endswith("/messages"):
                self.process.send_sigkill()

        self.server.watchers.append(watch)
        yield
        self.server.watchers.remove(watch)

    async def agree(self) -> None:
        """Let the voter press [Agree], if the task needs it."""
        if not self.needs_agreement:
            return
        voter = self.server.world.users[self._voter()]
        for message in self.cards():
            for button in buttons(message.components):
                if button.key.op is Op.AGREE:
                    await self.server.click(voter, message, button.custom_id)

    def _voter(self) -> int:
        """Return the first voter of the only request."""
        with closing(sqlite3.connect(self.database)) as file:
            ((voters,),) = file.execute("select json_extract(voters, '$[0]') from requests").fetchall()
        return int(voters)

    async def _open_requests(self, file: Path) -> list[int]:
        """Return the ids of all requests."""
        with closing(sqlite3.connect(file)) as opened:
            return [number for (number,) in opened.execute("select id from requests")]

    async def wait_for_state(self, expected: tuple[object, ...]) -> None:
        """Wait until the database has this state and everything is posted."""
        async with asyncio.timeout(KILL_TIMEOUT):
            while self.stored_state() != expected:  # noqa: ASYNC110  # SQLite does not notify readers
                await asyncio.sleep(0.05)
        await self.settle()


# -- tasks ------------------------------------------------------------------------------------------------------


async def publish_window_ends(work: Work) -> None:
    """Prepare a pending move whose publish window has ended."""
    await work.start_game(2)
    await work.confirm()
    work.edit(*EXPIRE_WINDOW)


async def player_times_out(work: Work) -> None:
    """Prepare a game in which the player to move has no time left."""
    await work.start_game(3)
    work.edit(*EXPIRE_CLOCK, hours=100)


async def plans_resolve_bazaar(work: Work) -> None:
    """Prepare a bazaar in which all others have plans, and the selector's pending choice starts the auction."""
    random = Random(1)
    async with work.host() as host:
        await work.create_game(host, 3)
        while not isinstance((position := (await host.games.table(work.game.id)).position).step, ChooseLot):
            await work.play(host, random)
        plan = f"of:{bazaar_number(position)} {PLAN}"  # type: ignore[arg-type]
        for seat, person in enumerate(work.game.seats):
            if seat != position.player:
                await host.moves.plan(work.game.id, person.user_id, plan, next(_interaction_ids))
    await work.run_process()
    await work.confirm()
    work.edit(*EXPIRE_WINDOW)


async def reminder_is_due(work: Work) -> None:
    """Prepare a game in which half of the remaining time has passed."""
    await work.start_game(2)
    work.edit(*EXPIRE_CLOCK, hours=45)


async def undo_is_granted(work: Work) -> None:
    """Prepare a request for an undo to which the other player will agree."""
    random = Random(1)
    async with work.host() as host:
        await work.create_game(host, 2)
        for _ in range(5):
            await work.play(host, random)
        for person in work.game.seats:
            with suppress(HostError):
                await host.undo.request(work.game.id, person.user_id, None, next(_interaction_ids))
                break
    work.needs_agreement = True
    await work.run_process()


async def end_is_near(work: Work) -> None:
    """Prepare a game that ends in a day, of which all players are notified."""
    await _prepare_end_date(work, "update games set ends_at = :now + 86400000")


async def end_date_passes(work: Work) -> None:
    """Prepare a game whose end date has passed, with a pending move that is published before the end."""
    await _prepare_end_date(work, "update games set ends_at = :now - 60000, created_at = :now - 86400000", window=True)


async def _prepare_end_date(work: Work, date: str, *, window: bool = False) -> None:
    """Start a game with an end date, and let the date pass; `date` is the statement that makes it due."""
    async with work.host() as host:
        await work.create_game(host, 3)
        await host.endings.set_end(work.game.id, datetime.now(UTC) + timedelta(days=10))
    await work.run_process()
    if window:
        await work.confirm()
    work.edit(date, "update timers set due_at = :now where kind = 'end'")


async def quiet_hours_end(work: Work) -> None:
    """Prepare a deferred notification of the end date for a player whose quiet hours have ended."""
    await end_is_near(work)
    sleeper = next(person for person in work.game.seats if person != work.game.person_to_act)
    await _set_quiet_hours(work, sleeper, timedelta(hours=-1), timedelta(hours=1))
    await work.run_process("news")
    await _set_quiet_hours(work, sleeper, timedelta(hours=-3), timedelta(minutes=-10))
    work.edit(
        "update outbox set created_at = created_at - 3600000, sent_at = sent_at - 3600000",
        "update timers set due_at = :now where kind = 'news'",
    )


async def _set_quiet_hours(work: Work, person: Person, start: timedelta, end: timedelta) -> None:
    """Give a player quiet hours, relative to the current time."""
    hours = "-".join(f"{datetime.now(UTC) + span:%H:%M}" for span in (start, end))
    async with work.host() as host:
        await host.preferences.set(
            person.user_id, Preferences().with_choice(QUIET_HOURS, hours).with_choice(TIME_ZONE, "UTC")
        )


Task = Callable[[Work], Awaitable[None]]
"""Prepares the work in which the process is killed."""
RESULT_STATEMENTS: dict[Task, str] = {
    publish_window_ends: INSERT_ACTIONS,
    player_times_out: INSERT_ACTIONS,
    plans_resolve_bazaar: INSERT_ACTIONS,
    reminder_is_due: INSERT_POST,
    undo_is_granted: INSERT_UNDONE,
    end_is_near: INSERT_POST,
    end_date_passes: "UPDATE games SET",
    quiet_hours_end: INSERT_POST,
}
"""The statement that stores the result, by task."""
MESSAGE_KILLS: tuple[CommitSignal | AtRequest, ...] = (
    AtRequest("received"),
    AtRequest("done"),
    CommitSignal(RECORD_SENT, after=False),
    CommitSignal(RECORD_SENT, after=True),
)
"""The moments around the message at which the bot is killed."""


KEEP_POSTS = """import datetime, pathlib
from host.games import outbox
outbox.FOLLOW_UP_PERIOD = datetime.timedelta(hours=1)
"""
"""Code that keeps the posts of a finished game, which are compared, however long the kills take."""


@asynccontextmanager
async def not_started(folder: Path) -> AsyncIterator[Work]:
    """Yield a loopback Discord and a bot that is not started yet.

    The deadline for answers is long, as the bot answers right after its start and a lost press would block the test.
    """
    async with LoopbackDiscord(callback_deadline=KILL_TIMEOUT) as server:
        database, signal_file = folder / "games.sqlite3", folder / "signal.json"
        prepare = (
            KEEP_POSTS + f"import tests.loopback.commit_signals as s; s.install(pathlib.Path({str(signal_file)!r}))"
        )
        process = ForkedBot(server, BOT, database=database, log=folder / "bot.log", prepare=prepare)
        try:
            yield Work(server, process, database, signal_file=signal_file)
        finally:
            await process.close()


async def run_with_kills(folder: Path, task: Task, kills: list[CommitSignal | AtRequest]) -> StoredGame:
    """Let the bot perform a task in processes that are killed, and finally in one that is not; return the game."""
    async with not_started(folder) as work:
        await task(work)
        wanted = await work.expected(folder)
        assert wanted != work.stored_state(), "the task changes something"
        for kill in kills:
            await work.run_until_killed(kill)
        await work.process.start()
        if wanted != work.stored_state():
            await work.agree()
        await work.wait_for_state(wanted)
        await asyncio.sleep(1.2)  # one more run of the periodic tasks
        assert work.stored_state() == wanted
        stored = work.stored()
        assert [post.message_id for post in stored.posts] == [message.id for message in work.cards()]
        assert localized("button.board") in {
            button.label for card in work.cards() for button in buttons(card.components)
        }
        assert work.problems() == []
        check_log_file(work.process.output)
    return stored


def _task_id(case: object) -> str:
    """Name a test case by its task."""
    return getattr(case, "__name__", str(case))


SOAK_TASKS = frozenset({plans_resolve_bazaar, end_is_near, quiet_hours_end})
"""Tasks of the soak tests alone: they are stored by the same statements as others."""


def _task_parameters() -> list[Any]:
    """Return all tasks; some run only with `make soak`."""
    return [pytest.param(task, marks=pytest.mark.soak) if task in SOAK_TASKS else task for task in RESULT_STATEMENTS]


@pytest.mark.parametrize("task", _task_parameters(), ids=_task_id)
async def test_a_task_is_done_once(tmp_path: Path, task: Task) -> None:
    await run_with_kills(
        tmp_path, task, [CommitSignal(RESULT_STATEMENTS[task], after=after) for after in (False, True)]
    )


@pytest.mark.soak
@pytest.mark.parametrize("kill", MESSAGE_KILLS, ids=str)
@pytest.mark.parametrize("task", RESULT_STATEMENTS, ids=_task_id)
async def test_the_message_of_a_task_is_posted_once(tmp_path: Path, task: Task, kill: CommitSignal | AtRequest) -> None:
    await run_with_kills(tmp_path, task, [kill])


@pytest.mark.soak
@pytest.mark.parametrize("task", RESULT_STATEMENTS, ids=_task_id)
async def test_a_task_is_done_once_over_a_series_of_kills(tmp_path: Path, task: Task) -> None:
    """Each process is killed a little later than the previous one."""
    before, after = (CommitSignal(RESULT_STATEMENTS[task], after=after) for after in (False, True))
    arrived, _, *recording = MESSAGE_KILLS  # a message that has arrived may be posted, and is found by the next process
    await run_with_kills(tmp_path, task, [before, before, after, arrived, *recording])
