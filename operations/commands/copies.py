"""Copies: ``backup FILE``, ``restore FILE``."""

from __future__ import annotations

import asyncio
from argparse import Namespace
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from host import Host, SystemClock
from host.operating.forgetting import apply_again, kept_of
from operations.database import check_nobody_lives, current, has_no_tables, refusal
from operations.settings import Settings, SettingsError
from operations.telling import Progress, say
from operations.transfer import check_fits, check_replays, compare_counts, try_it
from store import Store, UnusableDatabaseError, games, limits, whole_database
from store.connection.files import Copied, back_up, file_of, named, open_store

if TYPE_CHECKING:
    from argparse import ArgumentParser

    from operations.commands.registry import Commands


def add(commands: Commands) -> None:
    """Say what may be typed."""
    backup = commands.new("backup", backed_up, "copy all games into a file of SQLite, also while the bot runs")
    _file(backup, "where to; must not exist yet")
    restore = commands.new("restore", restored, "put a copy in the place of the games; the bot has to stand still")
    _file(restore, "the copy")


def _file(parser: ArgumentParser, what: str) -> None:
    parser.add_argument("file", type=Path, metavar="FILE", help=what)


# -- backup -----------------------------------------------------------------------------------------------------------


async def backed_up(settings: Settings, chosen: Namespace) -> int:
    """Copy the database that the settings name."""
    copy = await copied(settings, chosen.file)
    print(
        f"{chosen.file.absolute()}: {copy.size:,} bytes, {copy.games} games, {copy.running} of them running, "
        f"from {named(settings.database)}"
    )
    return 0


async def copied(settings: Settings, target: Path) -> Copied:
    """Copy the database that the settings name, also while the bot runs.

    Raises:
        SettingsError: it could not be done, and the target is as it was.
    """
    try:
        if file_of(settings.database) is not None:
            return await asyncio.to_thread(back_up, settings.database, target, Progress().pages)
        return await _copied_rows(settings, target)
    except UnusableDatabaseError as error:
        raise refusal(settings, f"{error}; nothing was written") from error
    except FileExistsError as error:
        there = f"{error.filename or error}: exists already; nothing was written"
        raise SettingsError(f"{there}: put the date into the name, or remove it if nobody needs it") from error
    except OSError as error:
        raise SettingsError(f"{target}: cannot be written: {error.strerror}") from error


async def _copied_rows(settings: Settings, target: Path) -> Copied:
    """All rows as they are at one moment, in a new file that has its name only when it is complete."""
    part = target.with_name(f"{target.name}.rows")  # beside it the copy of this has a name of its own while it is made
    _reserve(target, part)
    try:
        source = await current(settings, whole=True)
        try:
            async with _opened(str(part)) as copy, source.reading() as old, copy.writing() as new:
                progress = Progress()
                await whole_database.copy_rows(old, new, progress.rows)
                progress.end()
                await compare_counts(old, new)
        finally:
            await source.close()
        # Opened once more by the driver of files alone, which folds what stands beside it into it and looks it through.
        return await asyncio.to_thread(back_up, str(part), target, Progress().pages)
    finally:
        _take_away(part)


def _reserve(target: Path, part: Path) -> None:
    if target.exists():
        raise FileExistsError(target)
    with part.open("xb"):
        pass


def _take_away(part: Path) -> None:
    for left in part.parent.glob(f"{part.name}*"):
        left.unlink()


@asynccontextmanager
async def _opened(location: str) -> AsyncIterator[Store]:
    store = await open_store(location, whole=True)
    try:
        yield store
    finally:
        await store.close()


# -- restore ----------------------------------------------------------------------------------------------------------


async def restored(settings: Settings, chosen: Namespace) -> int:
    """Put a copy in the place of what is there; that is copied before, and who was forgotten stays forgotten."""
    copy = chosen.file
    with TemporaryDirectory() as folder:
        work = Path(folder) / "copy.sqlite3"
        try:
            await asyncio.to_thread(back_up, str(copy), work, Progress().pages)
            async with _opened(str(work)) as source:
                async with source.reading() as tx:
                    await check_fits(tx)
                kept = await _kept(settings)
                count = await _put_back(source, settings)
        except UnusableDatabaseError as error:
            raise SettingsError(f"{copy}: {error}; nothing was changed") from error
    print(f"{named(settings.database)}: {count} unfinished games restored from {copy.absolute()}")
    print(f"what was there before: {kept or 'nothing'}")
    return 0


async def _put_back(source: Store, settings: Settings) -> int:
    """Put all rows of a copy in the place of what is there; how many games are not over."""
    try:
        async with _opened(settings.database) as target:
            await _replace(source, target)
            return await _begin_anew(target)
    except UnusableDatabaseError as error:
        raise refusal(settings, f"{error}; nothing was changed") from error


async def _kept(settings: Settings) -> str:
    """Copy what will be replaced; where to, empty for nothing."""
    if await has_no_tables(settings):  # a server that was lost and is new, as a file that is not there
        return ""
    store = await current(settings)
    try:
        await check_nobody_lives(store, settings)
        async with store.reading() as tx:
            if not await whole_database.has_rows(tx):
                return ""
    finally:
        await store.close()
    stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
    target = (file_of(settings.database) or Path("castellan.sqlite3")).absolute()
    target = target.with_name(f"{target.name}.before-restore-{stamp}")
    await copied(settings, target)
    say(f"what is there is copied to {target}")
    return str(target)


async def _replace(source: Store, target: Store) -> None:
    """All rows of one database instead of those of another, in one transaction."""
    progress = Progress()
    async with source.reading() as old, target.writing() as new:
        forgotten, kept_out = await kept_of(new), await limits.all_bans(new)
        await whole_database.clear(new)
        await whole_database.copy_rows(old, new, progress.rows)
        progress.end()
        await compare_counts(old, new)
        await whole_database.drop_mark(new, whole_database.MOVED)
        for ban in kept_out:
            await limits.put_ban(new, ban)
        await apply_again(new, forgotten, SystemClock().now())
        await check_replays(new, progress)
        await try_it(new)


async def _begin_anew(target: Store) -> int:
    """Let every unfinished game tell that it went back, so that no button from after the copy is mistaken."""
    host = Host(target)
    async with target.reading() as tx:
        unfinished = await games.unfinished(tx)
    for game_id in unfinished:
        game = await host.games.get(game_id)
        await host.games.epochs.begin(game, (), game.ply)
        await host.forgetting.leave_empty(game_id)
    return len(unfinished)
