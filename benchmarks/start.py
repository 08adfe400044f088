"""Start of the bot with very many games: ``python -m benchmarks.start [--running N] [--finished N]``.

Measured is the time from the start of the process to the answer to the first click, which is sent as soon as the bot is
ready. The bot was down for two hours, which it has to give back to all running clocks. The games are copies of one game
with twenty decisions: by default ten thousand running and a hundred thousand finished ones.

With ``--elsewhere`` the servers of these games belong to another process of the bot. Then the latency of clicks is also
measured while the bot checks all games in the background, and again afterwards.
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
from benchmarks.bot.bench_bot import METERED_BOT, SHARDS_VARIABLE, START_TIMEOUT
from benchmarks.bot.databases import KINDS, DatabasePlace, open_database
from benchmarks.bot.gauges import Figures, calibration_ms, cpu_ms, format_json, with_scaled_times
from benchmarks.bot.late_games import prepare
from benchmarks.bot.metered import METER_VARIABLE
from store.connection.dialect import SQLITE
from tests.e2e.screen import Kind, buttons_by_kind, mentioned_users
from tests.loopback import BotProcess, LoopbackDiscord

TILES_LEFT = (78,)
"""Tiles left in the copied game: an early game is enough, since only the number of games matters."""
CHECKED_LINE = "games checked"
"""The log line after the bot's check of all games."""
MAX_START_SECONDS = 1800.0
CLICK_COUNT = 30
CLICK_INTERVAL = 0.5
"""Seconds between two clicks."""
SETTLE_SECONDS = 3.0
"""Seconds after which the card is certainly recorded as sent."""


@dataclass(frozen=True, slots=True)
class Copies:
    """The numbers of copied games, and the shard of their servers."""

    running: int
    finished: int
    shard: int


async def click(server: LoopbackDiscord, thread_id: int) -> float:
    """Press [Play] on the newest card of a game; return the milliseconds until the member sees an effect."""
    card = server.messages(thread_id)[-1]
    member = server.world.users[mentioned_users(card.components)[-1]]
    began = perf_counter()
    done = await server.click(member, card, buttons_by_kind(card.components)[Kind.PLAY][0].custom_id)
    await server.until(lambda: bool(done.ephemeral_messages or done.error), timeout=MAX_START_SECONDS)
    if done.error:
        raise RuntimeError(done.error)
    return 1000 * (perf_counter() - began)


def peak_mib(process: int) -> float:
    """Return the peak memory of a process (Linux only)."""
    lines = Path(f"/proc/{process}/status").read_text(encoding="utf-8").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) / 1024


async def fill_database(server: LoopbackDiscord, process: BotProcess, where: DatabasePlace, copies: Copies) -> int:
    """Let a bot post the first card of a game, stop it, and copy the game; return the id of its thread."""
    server.world.callback_deadline = MAX_START_SECONDS
    [game] = await prepare(server, where.direct_address, 1, tiles_left=TILES_LEFT)
    await process.start(timeout=START_TIMEOUT)
    await server.until(lambda: bool(server.messages(game.thread_id)), timeout=START_TIMEOUT)
    await asyncio.sleep(SETTLE_SECONDS)
    await process.stop()
    await asyncio.to_thread(many_games.fill, where, **asdict(copies))
    return game.thread_id


async def measure(running: int, finished: int, database: str, *, elsewhere: bool = False) -> Figures:
    """Fill a database, start the bot on it, and return the figures."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        async with LoopbackDiscord(members=(), keep_files=False) as server, open_database(database, folder) as where:
            own_shard = (server.guild.id >> 22) % many_games.SHARDS
            environment = {METER_VARIABLE: str(folder / "meter"), SHARDS_VARIABLE: f"{own_shard}/{many_games.SHARDS}"}
            log = folder / "bot.log"
            process = BotProcess(server, METERED_BOT, database=where.address, log=log, environment=environment)
            copies = Copies(running, finished, 1 - own_shard if elsewhere else own_shard)
            thread = await fill_database(server, process, where, copies)
            began = perf_counter()
            await process.start(timeout=MAX_START_SECONDS)
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
                figures |= await measure_clicks(server, process, thread, began)
            figures |= {"peak_mib": peak_mib(process.pid), "calibration_ms": calibration_ms()}
            await process.stop()
            return figures


async def measure_clicks(server: LoopbackDiscord, process: BotProcess, thread: int, began: float) -> Figures:
    """Measure clicks while the bot checks all games, and afterwards."""
    during, after = list[float](), list[float]()
    while process.output.count(CHECKED_LINE) < 2:  # the first line is of the start that posted the card
        during.append(await click(server, thread))
        await asyncio.sleep(CLICK_INTERVAL)
    checked = perf_counter() - began
    while len(after) < CLICK_COUNT:
        after.append(await click(server, thread))
        await asyncio.sleep(CLICK_INTERVAL)
    return {"checked_s": checked, "click_while_checking_ms": median(during or [0.0]), "click_after_ms": median(after)}


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.start")
    parser.add_argument("--running", type=int, default=10_000)
    parser.add_argument("--finished", type=int, default=100_000)
    parser.add_argument("--database", choices=KINDS, default=SQLITE)
    parser.add_argument("--elsewhere", action="store_true", help="the copied games are in servers of another process")
    options = parser.parse_args()
    measuring = measure(options.running, options.finished, options.database, elsewhere=options.elsewhere)
    print(format_json(with_scaled_times(asyncio.run(measuring))))


if __name__ == "__main__":
    main()
