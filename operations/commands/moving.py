"""Moving house: ``copy FROM TO``, from SQLite to PostgreSQL or back."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from host import SystemClock
from operations.database import check_nobody_lives, current, refusal
from operations.settings import Settings, SettingsError
from operations.telling import Progress, say
from operations.transfer import check_fits, check_replays, compare_counts, try_it
from store import Store, UnusableDatabaseError, whole_database
from store.connection.files import file_of, named, open_store

if TYPE_CHECKING:
    from operations.commands.registry import Commands


def add(commands: Commands) -> None:
    """Say what may be typed."""
    copy = commands.new("copy", moved, "move all games from one database into another, an empty one")
    copy.add_argument("source", metavar="FROM", help="a file of SQLite or an address of PostgreSQL")
    copy.add_argument("target", metavar="TO", help="the same; a file must not exist, a database must hold no games")


async def moved(settings: Settings, chosen: Namespace) -> int:
    """Move all games; on the database that they leave, no bot starts any more."""
    source = await current(settings, chosen.source, whole=True)
    try:
        await check_nobody_lives(source, settings.changed(database=chosen.source))
        target, begun = await _empty(settings.changed(database=chosen.target))
        try:
            games = await _moved(source, target, named(chosen.target), named(chosen.source))
        except BaseException:
            await target.close()
            _take_away(begun)
            raise
        await target.close()
    finally:
        await source.close()
    print(f"{named(chosen.target)}: {games} games, from {named(chosen.source)}, where no bot starts any more")
    print(f"now set CASTELLAN_DATABASE to {named(chosen.target)}")
    return 0


async def _empty(settings: Settings) -> tuple[Store, Path | None]:
    """The target, up to date and empty; the file that was begun for it, if it is one."""
    try:
        file = file_of(settings.database)
        if file is not None and file.exists():
            raise refusal(settings, "exists already; nothing was written")
        store = await open_store(settings.database, whole=True)
    except UnusableDatabaseError as error:
        raise refusal(settings, str(error)) from error
    async with store.reading() as tx:
        filled = await whole_database.has_rows(tx)
    if filled:
        await store.close()
        raise refusal(settings, "holds games already; nothing was written")
    return store, file


def _take_away(begun: Path | None) -> None:
    if begun is not None:
        for name in (begun.name, f"{begun.name}-wal", f"{begun.name}-shm"):
            begun.with_name(name).unlink(missing_ok=True)


async def _moved(source: Store, target: Store, target_name: str, source_name: str) -> int:
    """Everything in one transaction each: that of the source ends last, with the mark that it is left."""
    progress = Progress()
    async with source.writing() as old, target.writing() as new:
        left_for = await whole_database.mark(old, whole_database.MOVED)
        if left_for is not None:
            raise SettingsError(f"{source_name}: its games have moved to {left_for} already; nothing was written")
        await check_fits(old)
        await whole_database.copy_rows(old, new, progress.rows)
        progress.end()
        await compare_counts(old, new)
        for finding in await check_replays(new, progress):
            say(f"{finding}; it rests there as it did here")
        await try_it(new)
        await whole_database.put_mark(old, whole_database.MOVED, target_name, SystemClock().now())
        return (await whole_database.counts(new))["games"]
