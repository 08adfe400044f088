"""Four processes start at once on an empty database behind a pooler, and play; the one that sends is stopped meanwhile.

One of them has a clock that is ten minutes ahead. Wherever it is stopped, each card is in its thread once.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager, suppress
from os import kill
from pathlib import Path
from random import Random
from signal import SIGCONT, SIGSTOP
from time import monotonic

import pytest

from tests.cluster import Cluster
from tests.e2e.player import Clicker, Habits, LostError
from tests.e2e.sockets import BOT, SocketTable, UnansweredError
from tests.e2e.test_kill import check_cards, check_log_file
from tests.loopback import ForkedBot, LoopbackDiscord, RecordedRequest
from tests.loopback.strikes import Strike, stopped

pytestmark = [pytest.mark.soak, pytest.mark.usefixtures("random_language")]
PROCESSES = 4
AHEAD = """
from datetime import timedelta
from tests.loopback.ahead import be_ahead
be_ahead(timedelta(minutes=10))
"""
STARTING = 180.0
ORDERS = "strike.json"
STOPS = ("stored", "received", "done")
"""Before the card is sent, when Discord has got it, and when it is there."""
LATEST = 45.0
"""Seconds within which another process has posted the card, and recorded that."""
AFTER = 3.0
"""Seconds in which a process that goes on might post something once more."""
BETWEEN = 0.05


@asynccontextmanager
async def four(folder: Path, address: str, cluster: Cluster) -> AsyncIterator[SocketTable]:
    """A Discord on which four processes start at once, each with a fourth of its shards; the table is the first one's.

    The clock of the second one is ahead. Discord remembers no nonces: what is posted once is the processes' own work.
    """
    async with LoopbackDiscord(nonce_window=0.0, callback_deadline=STARTING) as server, AsyncExitStack() as stack:
        first = (server.guild.id >> 22) % PROCESSES
        orders = f"import pathlib, tests.loopback.strikes as s; s.arm(pathlib.Path({str(folder / ORDERS)!r}))\n"
        bots = []
        for number in range(PROCESSES):
            prepare = f"{AHEAD if number == 1 else ''}{orders}"
            shard = {"CASTELLAN_SHARDS": f"{(first + number) % PROCESSES}/{PROCESSES}"}
            log = folder / f"bot-{number}.log"
            bots.append(ForkedBot(server, BOT, database=address, log=log, prepare=prepare, environment=shard))
            stack.push_async_callback(bots[-1].close)
        await asyncio.gather(*(bot.start(timeout=STARTING) for bot in bots))
        await server.until(lambda: server.gateway.identifies == PROCESSES, timeout=STARTING)
        yield SocketTable(server, bots[0], address, cluster=cluster)
        for bot in bots:
            assert bot.alive
            check_log_file(bot.output)


@contextmanager
def stopping(table: SocketTable, folder: Path, where: str) -> Iterator[Callable[[], bool]]:
    """Within the block the process that sends the next card is stopped there; what is yielded says whether it is."""
    orders = folder / ORDERS
    if where == "stored":
        Strike("INSERT INTO outbox", after=True, stops=True).order(orders)
        yield stopped(orders).exists
        stopped(orders).unlink()
        return
    seen = False

    def watch(stage: str, request: RecordedRequest) -> None:
        nonlocal seen
        if stage == where and request.method == "POST" and request.path.endswith("/messages") and not seen:
            seen = True
            kill(table.process.pid, SIGSTOP)

    table.server.watchers.append(watch)
    yield lambda: seen
    table.server.watchers.remove(watch)


async def stopped_move(table: SocketTable, clicker: Clicker, folder: Path, where: str, seconds: float) -> None:
    """A move whose sender is stopped for so long: long before another process has done its work."""
    with stopping(table, folder, where) as is_stopped:
        moving = asyncio.create_task(move_with_retries(clicker, table))
        try:
            async with asyncio.timeout(STARTING):
                while not is_stopped():  # noqa: ASYNC110  # a process
                    await asyncio.sleep(BETWEEN)
            began = monotonic()
            await table.settle(timeout=LATEST)
            check_cards(table, table.stored())
            await asyncio.sleep(began + seconds - monotonic())
        finally:
            kill(table.process.pid, SIGCONT)
        await moving
    await asyncio.sleep(AFTER)
    check_cards(table, table.stored())


async def move_with_retries(clicker: Clicker, table: SocketTable) -> None:
    """A move whose answer may come late, or never: then its player tries again."""
    before = table.stored().ply
    while table.stored().ply == before:
        with suppress(UnansweredError, LostError):
            await clicker.move(table.card())


async def play(folder: Path, address: str, cluster: Cluster, *, seconds: float) -> None:
    """A move for each moment at which its sender may be stopped, and some in between."""
    async with four(folder, address, cluster) as table:
        await table.open(2)
        await table.settle()
        clicker = Clicker(table, Random(1), Habits(quick=True))
        for where in STOPS:
            await stopped_move(table, clicker, folder, where, seconds)
            await move_with_retries(clicker, table)
            await table.settle()
        check_cards(table, table.stored())
        assert {post.kind for post in table.stored().posts} == {"start", "card"}, (
            "nobody takes the game for another one"
        )
        assert table.problems() == []


async def test_each_card_is_posted_once_whoever_is_stopped_for_a_minute(
    tmp_path: Path, pooled: str, postgresql: Cluster
) -> None:
    await play(tmp_path, pooled, postgresql, seconds=60.0)
