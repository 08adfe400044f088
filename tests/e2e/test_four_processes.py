"""Four processes start together on an empty database behind a pooler; a sender is stopped while it posts a card.

The sender is the process that posts a card; the pooler shares out connections to the database. One process has a clock
that is ten minutes fast. At whatever point the sender is stopped, each card is posted once.
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
from tests.loopback.commit_signals import CommitSignal, suspended_marker

pytestmark = [pytest.mark.soak, pytest.mark.usefixtures("random_language")]
PROCESSES = 4
"""Bot processes that share the database."""
FAST_CLOCK = """
from datetime import timedelta
from tests.loopback.shifted_clock import shift_clock
shift_clock(timedelta(minutes=10))
"""
"""Code that one process runs first: its clock is ten minutes fast."""
START_TIMEOUT = 180.0
"""Seconds within which all processes have to be ready."""
SIGNAL_FILE = "signal.json"
"""The file that tells a process when to stop itself."""
STOP_STAGES = ("stored", "received", "done")
"""Before the card is sent, when Discord has received it, and when it is posted."""
TAKEOVER_TIMEOUT = 45.0
"""Seconds within which another process posts the card and records it."""
SETTLE_SECONDS = 3.0
"""Seconds in which the continued process could post a duplicate."""
POLL_INTERVAL = 0.05
"""Seconds between two looks at the database."""


@asynccontextmanager
async def four_processes(folder: Path, address: str, cluster: Cluster) -> AsyncIterator[SocketTable]:
    """Yield the table of the first of four processes that start together, each with a fourth of the shards.

    The clock of the second one is fast. Discord ignores nonces here, so that the processes alone prevent duplicates.
    """
    async with LoopbackDiscord(nonce_window=0.0, callback_deadline=START_TIMEOUT) as server, AsyncExitStack() as stack:
        first = (server.guild.id >> 22) % PROCESSES
        signal_file = str(folder / SIGNAL_FILE)
        install_signal = (
            f"import pathlib, tests.loopback.commit_signals as s; s.install(pathlib.Path({signal_file!r}))\n"
        )
        bots = []
        for number in range(PROCESSES):
            prepare = f"{FAST_CLOCK if number == 1 else ''}{install_signal}"
            shard = {"CASTELLAN_SHARDS": f"{(first + number) % PROCESSES}/{PROCESSES}"}
            log = folder / f"bot-{number}.log"
            bots.append(ForkedBot(server, BOT, database=address, log=log, prepare=prepare, environment=shard))
            stack.push_async_callback(bots[-1].close)
        await asyncio.gather(*(bot.start(timeout=START_TIMEOUT) for bot in bots))
        await server.until(lambda: server.gateway.identifies == PROCESSES, timeout=START_TIMEOUT)
        yield SocketTable(server, bots[0], address, cluster=cluster)
        for bot in bots:
            assert bot.alive
            check_log_file(bot.output)


@contextmanager
def stop_sender(table: SocketTable, folder: Path, where: str) -> Iterator[Callable[[], bool]]:
    """Stop the process that sends the next card at this stage; yield a function that returns whether it has stopped."""
    signal_file = folder / SIGNAL_FILE
    if where == "stored":
        CommitSignal("INSERT INTO outbox", after=True, suspends=True).write(signal_file)
        yield suspended_marker(signal_file).exists
        suspended_marker(signal_file).unlink()
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


async def move_with_stop(table: SocketTable, clicker: Clicker, folder: Path, where: str, seconds: float) -> None:
    """Make a move and stop its sender; assert that another process posts the card, and that it stays the only one."""
    with stop_sender(table, folder, where) as is_stopped:
        moving = asyncio.create_task(move_with_retries(clicker, table))
        try:
            async with asyncio.timeout(START_TIMEOUT):
                while not is_stopped():  # noqa: ASYNC110  # waits for another process
                    await asyncio.sleep(POLL_INTERVAL)
            began = monotonic()
            await table.settle(timeout=TAKEOVER_TIMEOUT)
            check_cards(table, table.stored())
            await asyncio.sleep(began + seconds - monotonic())
        finally:
            kill(table.process.pid, SIGCONT)
        await moving
    await asyncio.sleep(SETTLE_SECONDS)
    check_cards(table, table.stored())


async def move_with_retries(clicker: Clicker, table: SocketTable) -> None:
    """Make a move, and repeat it while it is not answered and not stored."""
    before = table.stored().ply
    while table.stored().ply == before:
        with suppress(UnansweredError, LostError):
            await clicker.move(table.card())


async def play(folder: Path, address: str, cluster: Cluster, *, seconds: float) -> None:
    """Play with the sender stopped once at each stage, and undisturbed moves in between."""
    async with four_processes(folder, address, cluster) as table:
        await table.open(2)
        await table.settle()
        clicker = Clicker(table, Random(1), Habits(quick=True))
        for where in STOP_STAGES:
            await move_with_stop(table, clicker, folder, where, seconds)
            await move_with_retries(clicker, table)
            await table.settle()
        check_cards(table, table.stored())
        assert {post.kind for post in table.stored().posts} == {"start", "card"}, (
            "no process took the game for a restored one"
        )
        assert table.problems() == []


async def test_each_card_is_posted_once_although_its_sender_is_stopped(
    tmp_path: Path, pooled: str, postgresql: Cluster
) -> None:
    await play(tmp_path, pooled, postgresql, seconds=60.0)
