"""Looking the database through, and bringing it up to date: ``check``, ``upgrade``."""

from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING

from host import SystemClock
from host.operating.operators import broken_games, damaged_rows, stuck_posts
from operations.database import current, opened
from operations.settings import Settings
from operations.telling import Progress, saying
from store import whole_database

if TYPE_CHECKING:
    from operations.commands.registry import Commands


def add(commands: Commands) -> None:
    """Say what may be typed."""
    commands.new("check", checked, "replay unfinished games, look for damaged rows and stuck posts; changes nothing")
    commands.new("upgrade", upgraded, "bring the tables up to date, as a start does; old processes may go on")


async def checked(settings: Settings, _: Namespace) -> int:
    """Look everything through; 1 when something is not as it should be."""
    store = await current(settings, whole=True)
    progress, found = Progress(), 0
    try:
        async with store.reading() as tx:
            counts = await whole_database.counts(tx)
            for findings in (broken_games(tx, progress.games), damaged_rows(tx), stuck_posts(tx, SystemClock().now())):
                async for finding in findings:
                    print(finding)
                    found += 1
    finally:
        await store.close()
    print(f"{counts['games']} games, {counts['actions']} actions, {counts['outbox']} posts: {found or 'no'} findings")
    return 1 if found else 0


async def upgraded(settings: Settings, _: Namespace) -> int:
    """Bring the tables up to date."""
    with saying("alembic.runtime.migration", "Running upgrade"):  # each step from one revision to the next
        store = await opened(settings)
    async with store.reading() as tx:
        revision = await whole_database.revision(tx)
    await store.close()
    print(f"the tables are of revision {revision}")
    return 0
