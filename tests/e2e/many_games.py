"""Many games of a server, made as rows, and bots in processes of their own whose clock the test puts forward."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

from sqlalchemy import func, select

from engine import GAMES, begin, state_digest
from host import Person, TableSettings
from store import NewGame, SeatClock, Store, Timer, TimerKind, Transaction, clocks, games, processes, schema, timers
from tests.e2e.sockets import BOT
from tests.e2e.test_kill import check_log_file
from tests.loopback import ForkedBot, Limits, LoopbackDiscord

PLAYERS = 3
TEST_TIMEOUT = 1800.0
"""Seconds after which a test gives up, on however busy a machine."""
POLL_INTERVAL = 0.1
PREPARATION = """
import datetime as dt, pathlib, pytest
from cogs.background.tasks import HeartbeatTask
from tests.e2e.pictures import draw_nothing
from tests.loopback.ahead import follow, say_when_sent
import host.operating.processes
follow(pathlib.Path({clock!r}))
say_when_sent()
draw_nothing(pytest.MonkeyPatch())
HeartbeatTask._round.change_interval(seconds=0.5)
host.operating.processes.PATIENCE = dt.timedelta(days=1)
"""
"""Nobody looks at pictures; the heart beats often, as time passes quickly; no bot leaves its shard to another one.

A machine that has much to do may let a request lie: limits are about when it was sent.
"""

Seats = Callable[[int, int, datetime], tuple[SeatClock, ...]]
"""The clocks of a game, by its id and its number, at a time."""


@dataclass
class ManyGames:
    """A Discord that enforces limits, a database, and the bots that live on them."""

    server: LoopbackDiscord
    store: Store
    clock: Path
    bots: Sequence[ForkedBot]
    ahead: float = 0.0
    threads: dict[int, int] = field(default_factory=dict)
    """Where each game is played."""

    # -- time ----------------------------------------------------------------------------------------------------

    def advance_clock(self, seconds: float) -> None:
        """Let time pass at once."""
        self.ahead += seconds
        new = self.clock.with_suffix(".new")
        new.write_text(str(self.ahead), encoding="utf-8")
        new.replace(self.clock)

    def now(self) -> datetime:
        """What time it is for the bots."""
        return datetime.now(UTC) + timedelta(seconds=self.ahead)

    async def last_heartbeat(self) -> datetime | None:
        """When a heart last beat."""
        async with self.store.reading() as tx:
            return max((beat.at for beat in await processes.heartbeats(tx)), default=None)

    async def wait_for_heartbeat(self) -> None:
        """Wait until a heart beats."""
        now = self.now()
        await self._until(lambda beat: beat is not None and beat > now, self.last_heartbeat)

    async def wait_until_idle(self) -> None:
        """Wait until nothing is due, and everything is posted."""
        await self._until(lambda left: left == 0, self._left)

    async def _left(self) -> int:
        due = select(func.count()).where(schema.timers.c.due_at <= self.now())
        unsent = select(func.count()).where(schema.outbox.c.sent_at.is_(None))
        async with self.store.reading() as tx:
            return int(await tx.scalar(due) or 0) + int(await tx.scalar(unsent) or 0)

    async def _until(self, wanted: Callable[..., bool], look: Callable[[], object]) -> None:
        async with asyncio.timeout(TEST_TIMEOUT):
            while not wanted(await look()):  # type: ignore[misc]
                assert any(bot.alive for bot in self.bots), self.bots[0].output[-4000:]
                await asyncio.sleep(POLL_INTERVAL)

    # -- games ---------------------------------------------------------------------------------------------------

    async def create_games(self, count: int, pace: str, seats: Seats) -> None:
        """So many games of three, each in a thread of its own, with people who play in no other."""
        kind = GAMES["carcassonne"]
        setup = kind.new_setup(players=PLAYERS, seed="one", options=kind.options(), expansions=())
        digest = state_digest(begin(setup))
        async with self.store.writing() as tx:
            for number in range(count):
                await self._found(tx, number, pace, seats, setup.to_json(), digest)

    async def _found(self, tx: Transaction, number: int, pace: str, seats: Seats, setup: str, digest: str) -> None:
        place = self.server.world.create_thread(self.server.channel.id, f"Game {number}", self.server.bot.id)
        new = NewGame(
            code=f"Z{number:03}",
            name=f"Game {number}",
            guild_id=self.server.guild.id,
            channel_id=self.server.channel.id,
            seats=tuple(self._people(number)),
            setup=setup,
            digest=digest,
            seat_to_act=0,
            thread_id=place.id,
            settings=TableSettings(pace=pace),
        )
        now = self.now().replace(microsecond=0)
        game_id = await games.add(tx, new, now)
        await clocks.add(tx, list(seats(game_id, number, now)))
        await timers.put(tx, Timer(game_id, TimerKind.CLOCK, now))
        self.threads[game_id] = place.id

    def _people(self, number: int) -> list[Person]:
        users = [self.server.add_member(f"Player {number}-{seat}") for seat in range(PLAYERS)]
        return [Person(user.id, user.name) for user in users]

    async def fewest_plies(self) -> int:
        """How many actions there are in each game at least."""
        async with self.store.reading() as tx:
            return int(await tx.scalar(select(func.min(schema.games.c.ply))) or 0)

    async def running(self) -> dict[int, SeatClock]:
        """The clocks that run, by game."""
        async with self.store.reading() as tx:
            seats = await clocks.of_games(tx, self.threads.keys())
        return {game: one for game, its in seats.items() for one in its if one.since is not None}


@asynccontextmanager
async def many_games(folder: Path, address: str, processes: int) -> AsyncIterator[ManyGames]:
    """So many bots that are not started yet, all on the same shard."""
    async with LoopbackDiscord() as server, AsyncExitStack() as stack:
        server.limits = Limits()
        store = await Store.open(address)
        stack.push_async_callback(store.close)
        bots = []
        clock = folder / "clock"
        for number in range(processes):
            log, prepare = folder / f"bot-{number}.log", PREPARATION.format(clock=str(clock))
            bots.append(ForkedBot(server, BOT, database=address, log=log, prepare=prepare))
            stack.push_async_callback(bots[-1].close)
        crowd = ManyGames(server, store, clock, bots)
        crowd.advance_clock(0)
        yield crowd
        for bot in bots:
            check_log_file(bot.output)
        assert server.problems == []
