"""``python -m benchmarks.season``: simulate a season of games, and check its clocks and reminders.

It prints a line of JSON for each game, and one of totals. The same ``--seed`` gives the same season.
"""

from __future__ import annotations

import argparse
import asyncio
import json
from pathlib import Path
from tempfile import TemporaryDirectory

from sqlalchemy import event

from benchmarks.plans import medians
from benchmarks.season.play import Season
from benchmarks.season.tables import totals
from store import Store


async def run(*, seed: int, players: int, games: int, file: Path) -> list[dict[str, object]]:
    """Play a season on a database file; return a report on each game, and the totals.

    Raises:
        ClockError: a clock was wrong, or a game did not end.
    """
    store = await Store.open(file)
    event.listen(store._engine.sync_engine, "connect", _disable_fsync)
    try:
        await store._engine.dispose()  # reconnect, so that the setting holds for all connections
        season = Season(store, seed=seed, players=players, games=games)
        await season.play()
        reports = await season.reports()
    finally:
        await store.close()
    return [*reports, {"totals": totals(reports, season.reminders.most)}]


def _disable_fsync(connection: object, _record: object) -> None:
    """Do not wait for the disk at each commit; a simulation need not survive a power cut."""
    cursor = connection.cursor()  # type: ignore[attr-defined]
    cursor.execute("PRAGMA synchronous = OFF")
    cursor.close()


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--players", type=int, default=60)
    parser.add_argument("--games", type=int, default=40)
    options = parser.parse_args()
    with TemporaryDirectory() as folder:
        file = Path(folder) / "season.sqlite3"
        *lines, last = asyncio.run(run(seed=options.seed, players=options.players, games=options.games, file=file))
    for line in [*lines, {"totals": {**last["totals"], "bazaar_hours": medians()}}]:  # type: ignore[dict-item]
        print(json.dumps(line))


if __name__ == "__main__":
    main()
