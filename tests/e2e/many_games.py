"""Many games, inserted as rows, and bot processes whose clock the test advances.

The bots read from a file how far to shift their clocks, so that hours pass in seconds; their pictures are stubs.
"""

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

PLAYER_COUNT = 3
"""Players of each game."""
TEST_TIMEOUT = 1800.0
"""Seconds after which a test fails; generous, for busy machines."""
POLL_INTERVAL = 0.1
"""Seconds between two looks at the database."""
PREPARATION = """
import datetime as dt, pathlib, pytest
from cogs.background.tasks import HeartbeatTask
from tests.e2e.pictures import stub_pictures
from tests.loopback.shifted_clock import follow_clock_file, stamp_requests
import host.admin.processes
follow_clock_file(pathlib.Path({clock!r}))
stamp_requests()
stub_pictures(pytest.MonkeyPatch())
HeartbeatTask._round.change_interval(seconds=0.5)
host.admin.processes.OVERLAP_TOLERANCE = dt.timedelta(days=1)
"""
"""Code that each bot process runs first: stub pictures, frequent heartbeats, no handover of shards.

Requests carry the time at which they were sent, so that a busy machine does not distort the rate limits.
"""

ClockFactory = Callable[[int, int, datetime], tuple[SeatClock, ...]]
"""A function that returns the clocks of a game; it takes the game's id, its number and the current time."""


@dataclass
class ManyGames:
    """A loopback Discord that enforces rate limits, a database, and the bot processes that use them."""

    server: LoopbackDiscord
    store: Store
    clock: Path
    bots: Sequence[ForkedBot]
    offset_seconds: float = 0.0
    """Offset of the bots' clock from the real time."""
    threads: dict[int, int] = field(default_factory=dict)
    """The thread of each game, by game id."""

    # -- time ----------------------------------------------------------------------------------------------------

    def advance_clock(self, seconds: float) -> None:
        """Advance the clock of all bots."""
        self.offset_seconds += seconds
        new = self.clock.with_suffix(".new")
        new.write_text(str(self.offset_seconds), encoding="utf-8")
        new.replace(self.clock)

    def now(self) -> datetime:
        """Return the time on the clock of the bots."""
        return datetime.now(UTC) + timedelta(seconds=self.offset_seconds)

    async def last_heartbeat(self) -> datetime | None:
        """Return the time of the newest heartbeat."""
        async with self.store.reading() as tx:
            return max((beat.at for beat in await processes.heartbeats(tx)), default=None)

    async def wait_for_heartbeat(self) -> None:
        """Wait for the next heartbeat."""
        now = self.now()
        await self._wait_for(lambda beat: beat is not None and beat > now, self.last_heartbeat)

    async def wait_until_idle(self) -> None:
        """Wait until no timer is due and every post is sent."""
        await self._wait_for(lambda count: count == 0, self._unfinished_count)

    async def _unfinished_count(self) -> int:
        """Count the due timers and the posts that are not sent yet."""
        due = select(func.count()).where(schema.play.timers.c.due_at <= self.now())
        unsent = select(func.count()).where(schema.play.outbox.c.sent_at.is_(None))
        async with self.store.reading() as tx:
            return int(await tx.scalar(due) or 0) + int(await tx.scalar(unsent) or 0)

    async def _wait_for(self, condition: Callable[..., bool], read: Callable[[], object]) -> None:
        """Wait until a condition holds for what is read; fail if a bot has ended."""
        async with asyncio.timeout(TEST_TIMEOUT):
            while not condition(await read()):  # type: ignore[misc]
                assert any(bot.alive for bot in self.bots), self.bots[0].output[-4000:]
                await asyncio.sleep(POLL_INTERVAL)

    # -- games ---------------------------------------------------------------------------------------------------

    async def create_games(self, count: int, pace: str, new_clocks: ClockFactory) -> None:
        """Insert this many games of three, each in its own thread and with players who play no other game."""
        kind = GAMES["carcassonne"]
        setup = kind.new_setup(players=PLAYER_COUNT, seed="one", options=kind.options(), expansions=())
        digest = state_digest(begin(setup))
        async with self.store.writing() as tx:
            for number in range(count):
                await self._create_game(tx, number, pace, new_clocks, setup.to_json(), digest)

    async def _create_game(
        self, tx: Transaction, number: int, pace: str, new_clocks: ClockFactory, setup: str, digest: str
    ) -> None:
        """Insert the rows of one game that has just begun."""
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
        await clocks.add(tx, list(new_clocks(game_id, number, now)))
        await timers.save(tx, Timer(game_id, TimerKind.CLOCK, now))
        self.threads[game_id] = place.id

    def _people(self, number: int) -> list[Person]:
        """Add the players of a game to the server."""
        users = [self.server.add_member(f"Player {number}-{seat}") for seat in range(PLAYER_COUNT)]
        return [Person(user.id, user.name) for user in users]

    async def fewest_plies(self) -> int:
        """Return the smallest number of plies (actions so far) of all games."""
        async with self.store.reading() as tx:
            return int(await tx.scalar(select(func.min(schema.play.games.c.ply))) or 0)

    async def running(self) -> dict[int, SeatClock]:
        """Return the running clocks, by game id."""
        async with self.store.reading() as tx:
            seats = await clocks.of_games(tx, self.threads.keys())
        return {
            game: seat_clock
            for game, in_game in seats.items()
            for seat_clock in in_game
            if seat_clock.since is not None
        }


@asynccontextmanager
async def many_games(folder: Path, address: str, processes: int) -> AsyncIterator[ManyGames]:
    """Yield this many bots, all on the same shard and not started yet."""
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
        world = ManyGames(server, store, clock, bots)
        world.advance_clock(0)
        yield world
        for bot in bots:
            check_log_file(bot.output)
        assert server.problems == []
