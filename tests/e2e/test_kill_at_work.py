"""The bot's process is killed at what it does by itself, or with a last answer, and started again: it happens once.

The window of a move ends, a zero is declared, a bazaar is resolved by plans, somebody is reminded, an undo is granted,
a game ends on its date, somebody's quiet hours end.
SIGKILL comes on either side of the commit that stores it, of the one that records its message as sent, or while
Discord takes the message. What has to come of it is what an undisturbed host makes of a copy of the same file.
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
    QUIET,
    ZONE,
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
from tests.loopback.strikes import Strike

pytestmark = [pytest.mark.long, pytest.mark.usefixtures("random_language")]

STORED = "INSERT INTO actions"
UNDONE = "INSERT INTO undone"
REMINDED = "INSERT INTO outbox"
SENT = "UPDATE outbox SET .*message_id"
WINDOW_OVER = ("update timers set due_at = :now where kind = 'publish'", "update pending set due_at = :now")
CLOCK_DUE = (
    "update clocks set since = since - :hours where since is not null",
    "update timers set due_at = :now where kind = 'clock'",
)
HOUR = 3_600_000
DIES = 60.0
"""Seconds within which a bot dies that was told when to."""
EAGER = "lot:1@1 lot:2@0 lot:3@0 most:1@4 most:2@3 most:3@2 buy:2 pass"
_clicks = count(7_000_000)


@dataclass(frozen=True, slots=True)
class AtRequest:
    """The bot is killed when its next message has arrived, or is posted and not answered yet."""

    stage: str


@dataclass
class Work(SocketTable):
    """A game in a channel of the loopback server, made by a host of the test's own while the bot is dead."""

    orders: Path = Path()
    game: Game = field(init=False)
    agrees: bool = False
    """Whether a member has to press [Agree]."""

    @asynccontextmanager
    async def host(self, file: Path | None = None) -> AsyncIterator[Host]:
        store = await Store.open(file or self.database)
        try:
            yield Host(store, settings=HostSettings(new_seed=lambda: "one"))
        finally:
            await store.close()

    async def found(self, host: Host, players: int, pace: str = "standard", **changes: Any) -> None:
        """A game of the first members, in the channel."""
        people = [Person(user.id, user.name) for user in self.server.members[:players]]
        self.place = self.server.channel
        about = {"guild_id": self.server.guild.id, "channel_id": self.place.id, "owner": people[0], **changes}
        lobby = await host.lobbies.open(
            new_lobby(capacity=players, settings=TableSettings(pace=pace, language=MemberLanguage.language), **about),
            next(_clicks),
        )
        for person in people[1:]:
            await host.lobbies.join(lobby.id, person, next(_clicks))
        self.game = await host.lobbies.start(lobby.id, people[0].user_id, next(_clicks))
        self.game = await host.places.move_here(self.game.id, people[0].user_id, Venue(self.place.id))

    async def play(self, host: Host, random: Random, window: timedelta = timedelta(0)) -> None:
        table = await host.games.table(self.game.id)
        person, action = table.game.seats[table.position.player], random_action(table.position, random)
        await host.moves.act(self.game.id, person.user_id, table.game.revision, [action], next(_clicks), window=window)

    async def confirm(self) -> None:
        """A move that waits to be published."""
        async with self.host() as host:
            await self.play(host, Random(1), window=timedelta(minutes=1))

    def edit(self, *statements: str, hours: int = 0) -> None:
        """Change the file by hand: let what runs have run longer, what waits be due; the heart has beaten just now."""
        values = {"now": int(time.time() * 1000), "hours": hours * HOUR}
        with closing(sqlite3.connect(self.database)) as file, file:
            for statement in (*statements, "update heartbeats set at = :now"):
                file.execute(statement, values)

    def file_says(self, file: Path | None = None) -> tuple[object, ...]:
        """All that has to happen once: log, what is undone, messages, clocks."""
        stored = read_stored_game(file or self.database)
        with closing(sqlite3.connect(file or self.database)) as opened:
            undone = opened.execute("select ply, text from undone order by ply").fetchall()
            waits = opened.execute("select count(*) from pending").fetchall()
            clocks = opened.execute("select seat, granted, timeouts, reminders, asked from clocks").fetchall()
        posts = [(post.from_ply, post.ply, post.kind) for post in stored.posts]
        return stored.log, stored.ply, stored.status, posts, undone, waits, clocks

    async def expected(self, folder: Path) -> tuple[object, ...]:
        """What an undisturbed host makes of a copy of the file."""
        copy = folder / "copy.sqlite3"
        with closing(sqlite3.connect(self.database)) as file, closing(sqlite3.connect(copy)) as target:
            file.backup(target)
        async with self.host(copy) as host:
            await host.sweep.work()
            if self.agrees:
                (request,) = await self._asked(copy)
                done = await host.votes.answer(self.game.id, request, self._voter(), next(_clicks), agrees=True)
                assert done.request.state is RequestState.GRANTED
        return self.file_says(copy)

    # -- lives ---------------------------------------------------------------------------------------------------

    async def begun(self, players: int) -> None:
        """A game, and a life in which it is shown."""
        async with self.host() as host:
            await self.found(host, players)
        await self.live_and_die()

    async def live_and_die(self, timer: str = "") -> None:
        """A life in which all messages are posted, and as long as it takes until there is a timer of a kind."""
        await self.process.start()
        self.dead = False
        async with asyncio.timeout(DIES):
            while timer and not self._has(timer):  # noqa: ASYNC110  # a file
                await asyncio.sleep(0.05)
        await self.settle()
        await self.process.kill()
        self.dead = True

    def _has(self, timer: str) -> bool:
        with closing(sqlite3.connect(self.database)) as file:
            return bool(file.execute("select 1 from timers where kind = ?", (timer,)).fetchall())

    async def struck(self, strike: Strike | AtRequest) -> None:
        """A life that ends as it was ordered."""
        with self._ordered(strike):
            with suppress(BotExitedError):
                await self.process.start()
                await self.agree()
            assert self.process._exited is not None
            await asyncio.wait_for(asyncio.shield(self.process._exited), DIES)
        self.dead = True

    @contextmanager
    def _ordered(self, strike: Strike | AtRequest) -> Iterator[None]:
        if isinstance(strike, Strike):
            strike.order(self.orders)
            yield
            self.orders.unlink()
            return

        def watch(stage: str, request: RecordedRequest) -> None:
            if stage == strike.stage and request.method == "POST" and request.path.endswith("/messages"):
                self.process.strike()

        self.server.watchers.append(watch)
        yield
        self.server.watchers.remove(watch)

    async def agree(self) -> None:
        """Let who is asked press [Agree], if that is to be done."""
        if not self.agrees:
            return
        voter = self.server.world.users[self._voter()]
        for message in self.cards():
            for button in buttons(message.components):
                if button.key.op is Op.AGREE:
                    await self.server.click(voter, message, button.custom_id)

    def _voter(self) -> int:
        with closing(sqlite3.connect(self.database)) as file:
            ((voters,),) = file.execute("select json_extract(voters, '$[0]') from requests").fetchall()
        return int(voters)

    async def _asked(self, file: Path) -> list[int]:
        with closing(sqlite3.connect(file)) as opened:
            return [number for (number,) in opened.execute("select id from requests")]

    async def until(self, wanted: tuple[object, ...]) -> None:
        """Wait until the file says so, and everything is posted."""
        async with asyncio.timeout(DIES):
            while self.file_says() != wanted:  # noqa: ASYNC110  # a file
                await asyncio.sleep(0.05)
        await self.settle()


# -- what is done ------------------------------------------------------------------------------------------------


async def a_window_ends(work: Work) -> None:
    """A move waits to be published, and its time has come."""
    await work.begun(2)
    await work.confirm()
    work.edit(*WINDOW_OVER)


async def a_zero(work: Work) -> None:
    """Nothing is left to who is asked."""
    await work.begun(3)
    work.edit(*CLOCK_DUE, hours=100)


async def a_bazaar_by_plans(work: Work) -> None:
    """The others have planned; the selector's choice, which waits to be published, lets all of it happen."""
    random = Random(1)
    async with work.host() as host:
        await work.found(host, 3)
        while not isinstance((position := (await host.games.table(work.game.id)).position).step, ChooseLot):
            await work.play(host, random)
        plan = f"of:{bazaar_number(position)} {EAGER}"  # type: ignore[arg-type]
        for seat, person in enumerate(work.game.seats):
            if seat != position.player:
                await host.moves.plan(work.game.id, person.user_id, plan, next(_clicks))
    await work.live_and_die()
    await work.confirm()
    work.edit(*WINDOW_OVER)


async def a_reminder(work: Work) -> None:
    """Half of what remains is over."""
    await work.begun(2)
    work.edit(*CLOCK_DUE, hours=45)


async def an_undo(work: Work) -> None:
    """Who has moved asks for it, and the other one is about to agree."""
    random = Random(1)
    async with work.host() as host:
        await work.found(host, 2)
        for _ in range(5):
            await work.play(host, random)
        for person in work.game.seats:
            with suppress(HostError):
                await host.undo.request(work.game.id, person.user_id, None, next(_clicks))
                break
    work.agrees = True
    await work.live_and_die()


async def an_end_is_near(work: Work) -> None:
    """A day before the game ends, everybody is told."""
    await _ending(work, "update games set ends_at = :now + 86400000")


async def an_end(work: Work) -> None:
    """The game ends on its date, whatever is left to be played; a move that waits is published before."""
    await _ending(work, "update games set ends_at = :now - 60000, created_at = :now - 86400000", window=True)


async def _ending(work: Work, date: str, *, window: bool = False) -> None:
    async with work.host() as host:
        await work.found(host, 3)
        await host.endings.set_end(work.game.id, datetime.now(UTC) + timedelta(days=10))
    await work.live_and_die()
    if window:
        await work.confirm()
    work.edit(date, "update timers set due_at = :now where kind = 'end'")


async def a_night_ends(work: Work) -> None:
    """Somebody who is not asked had quiet hours when all were told when the game ends; those are over."""
    await an_end_is_near(work)
    sleeper = next(person for person in work.game.seats if person != work.game.person_to_act)
    await _sleeps(work, sleeper, timedelta(hours=-1), timedelta(hours=1))
    await work.live_and_die("news")
    await _sleeps(work, sleeper, timedelta(hours=-3), timedelta(minutes=-10))
    work.edit(
        "update outbox set created_at = created_at - 3600000, sent_at = sent_at - 3600000",
        "update timers set due_at = :now where kind = 'news'",
    )


async def _sleeps(work: Work, person: Person, start: timedelta, end: timedelta) -> None:
    """Somebody has quiet hours from one time to another, from now."""
    hours = "-".join(f"{datetime.now(UTC) + span:%H:%M}" for span in (start, end))
    async with work.host() as host:
        await host.preferences.set(person.user_id, Preferences().having(QUIET, hours).having(ZONE, "UTC"))


Doing = Callable[[Work], Awaitable[None]]
STRIKES: dict[Doing, str] = {
    a_window_ends: STORED,
    a_zero: STORED,
    a_bazaar_by_plans: STORED,
    a_reminder: REMINDED,
    an_undo: UNDONE,
    an_end_is_near: REMINDED,
    an_end: "UPDATE games SET",
    a_night_ends: REMINDED,
}
"""What is done, and the statement that stores it."""
STAGES: tuple[Strike | AtRequest, ...] = (
    AtRequest("received"),
    AtRequest("done"),
    Strike(SENT, after=False),
    Strike(SENT, after=True),
)
"""How far its message has come."""


@asynccontextmanager
async def at_work(folder: Path) -> AsyncIterator[Work]:
    """A loopback Discord, and a bot that is not started yet.

    It may take its time with a press, as it has just been started: one that got lost would be waited for in vain.
    """
    async with LoopbackDiscord(callback_deadline=DIES) as server:
        database, orders = folder / "games.sqlite3", folder / "strike.json"
        arming = f"import pathlib, tests.loopback.strikes as s; s.arm(pathlib.Path({str(orders)!r}))"
        process = ForkedBot(server, BOT, database=database, log=folder / "bot.log", prepare=arming)
        try:
            yield Work(server, process, database, orders=orders)
        finally:
            await process.close()


async def once(folder: Path, doing: Doing, strikes: list[Strike | AtRequest]) -> StoredGame:
    """Let the bot do it, with lives that end at strikes, and a last one."""
    async with at_work(folder) as work:
        await doing(work)
        wanted = await work.expected(folder)
        assert wanted != work.file_says(), "there is something to do"
        for strike in strikes:
            await work.struck(strike)
        await work.process.start()
        if wanted != work.file_says():
            await work.agree()
        await work.until(wanted)
        await asyncio.sleep(1.2)  # another round of whatever comes round
        assert work.file_says() == wanted
        stored = work.stored()
        assert [post.message_id for post in stored.posts] == [message.id for message in work.cards()]
        assert localized("button.board") in {
            button.label for card in work.cards() for button in buttons(card.components)
        }
        assert work.problems() == []
        check_log_file(work.process.output)
    return stored


def _named(case: object) -> str:
    return getattr(case, "__name__", str(case))


SELDOM = frozenset({a_bazaar_by_plans, an_end_is_near, a_night_ends})
"""With the long tests alone: they are stored as others are that are struck each time."""


def _struck() -> list[Any]:
    return [pytest.param(each, marks=pytest.mark.soak) if each in SELDOM else each for each in STRIKES]


@pytest.mark.parametrize("doing", _struck(), ids=_named)
async def test_it_happens_once(tmp_path: Path, doing: Doing) -> None:
    await once(tmp_path, doing, [Strike(STRIKES[doing], after=after) for after in (False, True)])


@pytest.mark.soak
@pytest.mark.parametrize("strike", STAGES, ids=str)
@pytest.mark.parametrize("doing", STRIKES, ids=_named)
async def test_its_message_is_posted_once(tmp_path: Path, doing: Doing, strike: Strike | AtRequest) -> None:
    await once(tmp_path, doing, [strike])


@pytest.mark.soak
@pytest.mark.parametrize("doing", STRIKES, ids=_named)
async def test_it_happens_once_whenever_the_bot_dies(tmp_path: Path, doing: Doing) -> None:
    """One life after the other, each of which ends a little later."""
    before, after = (Strike(STRIKES[doing], after=after) for after in (False, True))
    arrived, _, *recording = STAGES  # what has arrived may be posted, and is found in the next life
    await once(tmp_path, doing, [before, before, after, arrived, *recording])
