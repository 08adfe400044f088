"""The database as a whole: ``check``, ``upgrade``, ``backup FILE``, ``restore FILE``, ``copy FROM TO``.

Rows on their way from one database to another are checked before, and counted and tried after.
"""

from __future__ import annotations

import asyncio
from argparse import Namespace
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final

from host import Host, SystemClock
from host.operating.forgetting import apply_again, kept_of
from host.operating.operators import Finding, broken_games, damaged_rows, stuck_posts, try_to_open
from operations.database import check_nobody_lives, current, has_no_tables, opened, refusal
from operations.settings import Settings, SettingsError
from operations.telling import Progress, say, saying
from store import Store, Transaction, UnusableDatabaseError, games, guilds, whole_database
from store.connection.files import Copied, back_up, file_of, named, open_store

if TYPE_CHECKING:
    from argparse import ArgumentParser

    from operations.commands import Commands


def add(commands: Commands) -> None:
    """Say what may be typed."""
    backup = commands.new("backup", backed_up, "copy all games into a file of SQLite, also while the bot runs")
    _file(backup, "where to; must not exist yet")
    restore = commands.new("restore", restored, "put a copy in the place of the games; the bot has to stand still")
    _file(restore, "the copy")
    copy = commands.new("copy", moved, "move all games from one database into another, an empty one")
    copy.add_argument("source", metavar="FROM", help="a file of SQLite or an address of PostgreSQL")
    copy.add_argument("target", metavar="TO", help="the same; a file must not exist, a database must hold no games")
    commands.new("check", checked, "replay unfinished games, look for damaged rows and stuck posts; changes nothing")
    commands.new("upgrade", upgraded, "bring the tables up to date, as a start does; old processes may go on")


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
        forgotten, kept_out = await kept_of(new), await guilds.all_bans(new)
        await whole_database.clear(new)
        await whole_database.copy_rows(old, new, progress.rows)
        progress.end()
        await compare_counts(old, new)
        await whole_database.drop_mark(new, whole_database.MOVED)
        for ban in kept_out:
            await guilds.put_ban(new, ban)
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


# -- copy -------------------------------------------------------------------------------------------------------------


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
            _remove(begun)
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


def _remove(begun: Path | None) -> None:
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


# -- check, upgrade ---------------------------------------------------------------------------------------------------


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


# -- rows on their way ------------------------------------------------------------------------------------------------


SHOWN: Final = 20
"""Lines of what is wrong that are shown."""


async def check_fits(tx: Transaction) -> None:
    """Make sure that every database takes all values.

    Raises:
        SettingsError: names those that would be refused.
    """
    wrong = [f"{misfit.where}: {misfit.why}" async for misfit in whole_database.misfits(tx)]
    if wrong:
        raise SettingsError(*_shortened(wrong), "nothing was written: correct these values first")


async def compare_counts(old: Transaction, new: Transaction) -> None:
    """Make sure that each table has as many rows as it had.

    Raises:
        SettingsError: one has not.
    """
    before, after = await whole_database.counts(old), await whole_database.counts(new)
    wrong = [f"{name}: {after[name]} rows of {count}" for name, count in before.items() if after[name] != count]
    if wrong:
        raise SettingsError(*wrong, "nothing was written")


async def check_replays(tx: Transaction, progress: Progress) -> list[Finding]:
    """Make sure that every unfinished game leads to what is stored; those that rest anyway, because they do not.

    Raises:
        SettingsError: one that runs does not.
    """
    found = [finding async for finding in broken_games(tx, progress.games)]
    resting = [finding for finding in found if finding.rests]
    wrong = [str(finding) for finding in found if not finding.rests]
    if wrong:
        raise SettingsError(*_shortened(wrong), "nothing was written: freeze or close these games first")
    return resting


async def try_it(tx: Transaction) -> None:
    """Open a game, and give it up again: whoever plays next will be able to."""
    nested = await tx.begin_nested()
    await try_to_open(tx, SystemClock().now())
    await nested.rollback()


def _shortened(lines: list[str]) -> list[str]:
    more = len(lines) - SHOWN
    return [*islice(lines, SHOWN), *([f"… and {more} more"] if more > 0 else [])]
