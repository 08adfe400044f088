"""A start among very many games: ``python -m benchmarks.start [--running N] [--finished N] [--database postgresql]``.

From the start of the process to the answer of the first click, which comes as soon as the bot listens. The bot was away
for two hours, so that all clocks get that back. Copies of one game, twenty decisions old: ten thousand go on, a hundred
thousand are over; they are in servers in which the bot is not, and whose places it will find closed.

With ``--elsewhere`` those servers are another process's. Then clicks follow while all games are checked in the
background, and as many when that is done.
"""

from __future__ import annotations

import argparse
import asyncio
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter

from benchmarks.bot import many_games
from benchmarks.bot.bench_bot import METERED, SHARDS, START
from benchmarks.bot.databases import KINDS, DatabasePlace, place
from benchmarks.bot.gauges import Figures, calibration_ms, cpu_ms, in_json, scaled
from benchmarks.bot.late_games import prepare
from benchmarks.bot.metered import METER
from store.connection.dialect import SQLITE
from tests.e2e.screen import Kind, buttons_by_kind, mentioned_users
from tests.loopback import BotProcess, LoopbackDiscord

EARLY = (78,)
"""Tiles left in the game that is copied: what matters is how many games there are."""
CHECKED = "games checked"
"""The log line of the bot when it has looked through its games."""
LONGEST = 1800.0
CLICKS = 30
BETWEEN = 0.5
"""Seconds between two clicks."""
SETTLED = 3.0
"""Seconds after which the card of a move is recorded as sent."""


@dataclass(frozen=True, slots=True)
class Copies:
    """The number of games, and the shard."""

    running: int
    finished: int
    shard: int


async def click(server: LoopbackDiscord, thread_id: int) -> float:
    """Press [Play] on the newest card of a game; milliseconds until something is shown for it."""
    card = server.messages(thread_id)[-1]
    member = server.world.users[mentioned_users(card.components)[-1]]
    began = perf_counter()
    done = await server.click(member, card, buttons_by_kind(card.components)[Kind.PLAY][0].custom_id)
    await server.until(lambda: bool(done.ephemeral_messages or done.error), timeout=LONGEST)
    if done.error:
        raise RuntimeError(done.error)
    return 1000 * (perf_counter() - began)


def peak_mib(process: int) -> float:
    """The most memory that a process has had (Linux)."""
    lines = Path(f"/proc/{process}/status").read_text(encoding="utf-8").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) / 1024


async def filled(server: LoopbackDiscord, process: BotProcess, where: DatabasePlace, copies: Copies) -> int:
    """A bot has posted the card of a game, and stopped; there are copies of that game now. Its thread."""
    server.world.callback_deadline = LONGEST
    [game] = await prepare(server, where.near, 1, tiles_left=EARLY)
    await process.start(timeout=START)
    await server.until(lambda: bool(server.messages(game.thread_id)), timeout=START)
    await asyncio.sleep(SETTLED)
    await process.stop()
    await asyncio.to_thread(many_games.fill, where, **asdict(copies))
    return game.thread_id


async def measure(running: int, finished: int, database: str, *, elsewhere: bool = False) -> Figures:
    """The figures of a start."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        async with LoopbackDiscord(members=(), keep_files=False) as server, place(database, folder) as where:
            own = (server.guild.id >> 22) % many_games.SHARDS
            environment = {METER: str(folder / "meter"), SHARDS: f"{own}/{many_games.SHARDS}"}
            log = folder / "bot.log"
            process = BotProcess(server, METERED, database=where.address, log=log, environment=environment)
            copies = Copies(running, finished, 1 - own if elsewhere else own)
            thread = await filled(server, process, where, copies)
            began = perf_counter()
            await process.start(timeout=LONGEST)
            listening = perf_counter() - began
            await click(server, thread)
            figures: Figures = {
                "running": running,
                "finished": finished,
                "listening_s": listening,
                "first_click_s": perf_counter() - began,
                "start_cpu_ms": cpu_ms(process.pid),
            }
            if elsewhere:
                figures |= await checking(server, process, thread, began)
            figures |= {"peak_mib": peak_mib(process.pid), "calibration_ms": calibration_ms()}
            await process.stop()
            return figures


async def checking(server: LoopbackDiscord, process: BotProcess, thread: int, began: float) -> Figures:
    """Clicks while all games are checked, and afterwards."""
    during, after = list[float](), list[float]()
    while process.output.count(CHECKED) < 2:  # the bot's first life has checked the game that was copied
        during.append(await click(server, thread))
        await asyncio.sleep(BETWEEN)
    checked = perf_counter() - began
    while len(after) < CLICKS:
        after.append(await click(server, thread))
        await asyncio.sleep(BETWEEN)
    return {"checked_s": checked, "click_while_checking_ms": median(during or [0.0]), "click_after_ms": median(after)}


def main() -> None:
    """Measure, print a line of JSON."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.start")
    parser.add_argument("--running", type=int, default=10_000)
    parser.add_argument("--finished", type=int, default=100_000)
    parser.add_argument("--database", choices=KINDS, default=SQLITE)
    parser.add_argument("--elsewhere", action="store_true", help="the servers of the copies are another process's")
    given = parser.parse_args()
    found = measure(given.running, given.finished, given.database, elsewhere=given.elsewhere)
    print(in_json(scaled(asyncio.run(found))))


if __name__ == "__main__":
    main()
