"""Commands on the whole database: ``check``, ``upgrade``, ``backup FILE``, ``restore FILE``, ``copy FROM TO``.

A backup is an SQLite file, whatever the database is. ``restore`` replaces the rows of the database by those of a
backup; ``copy`` moves all games to another, empty database. Both check all values before they write. Afterwards, in the
same transaction, they count the rows, replay the unfinished games, and open a game for trial; if one of these checks
fails, nothing has changed.
"""

from __future__ import annotations

import asyncio
from argparse import Namespace
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final

from host import Host, SystemClock
from host.admin.checks import Finding, broken_games, damaged_rows, stuck_computers, stuck_posts, try_to_open
from host.admin.erasure import apply_again, remembered_erasures
from operations.database import check_no_bot_connected, has_no_tables, open_existing, open_for_bot, refusal
from operations.progress import Progress, echoed_log, report
from operations.settings import Settings, SettingsError
from store import Store, Transaction, UnusableDatabaseError, games, guilds, processes, whole_database
from store.connection.files import BackupSummary, back_up, display_name, file_of, open_store

if TYPE_CHECKING:
    from argparse import ArgumentParser

    from operations.commands import Commands


def add(commands: Commands) -> None:
    """Declare the commands."""
    backup = commands.new("backup", back_up_database, "copy all games into an SQLite file; the bot may be running")
    _add_file(backup, "the file to write, which must not exist")
    restore = commands.new(
        "restore", restore_database, "replace all games by those of a backup; the bot must be stopped"
    )
    _add_file(restore, "the backup")
    copy = commands.new("copy", move_database, "move all games from one database into another, empty one")
    copy.add_argument("source", metavar="FROM", help="an SQLite file, or the address of a PostgreSQL server")
    copy.add_argument("target", metavar="TO", help="the same; a file must not exist, a database must hold no games")
    commands.new(
        "check", check_database, "replay unfinished games, look for damaged rows and messages that cannot be sent"
    )
    commands.new("upgrade", upgrade_database, "bring the tables up to date, as a start does; the bot may be running")


def _add_file(parser: ArgumentParser, help_text: str) -> None:
    """Add the argument for the path of a file."""
    parser.add_argument("file", type=Path, metavar="FILE", help=help_text)


# -- backup -----------------------------------------------------------------------------------------------------------


async def back_up_database(settings: Settings, chosen: Namespace) -> None:
    """Copy the database of the settings into a file."""
    copy = await write_backup(settings, chosen.file)
    print(
        f"{chosen.file.absolute()}: {copy.size:,} bytes, {copy.games} games, {copy.running} of them running, "
        f"from {display_name(settings.database)}"
    )


async def write_backup(settings: Settings, target: Path) -> BackupSummary:
    """Copy the database of the settings into a file, also while the bot runs.

    Raises:
        SettingsError: it failed, and the target is as it was.
    """
    try:
        if file_of(settings.database) is not None:
            return await asyncio.to_thread(back_up, settings.database, target, Progress().pages)
        return await _back_up_rows(settings, target)
    except UnusableDatabaseError as error:
        raise refusal(settings, f"{error}; nothing was written") from error
    except FileExistsError as error:
        problem = f"{error.filename or error}: exists already; nothing was written"
        raise SettingsError(f"{problem}: put the date into the name, or remove it if nobody needs it") from error
    except OSError as error:
        raise SettingsError(f"{target}: cannot be written: {error.strerror}") from error


async def _back_up_rows(settings: Settings, target: Path) -> BackupSummary:
    """Copy all rows of one snapshot into a new file, which gets its name only when it is complete."""
    unfinished = target.with_name(f"{target.name}.rows")  # ``back_up`` below uses ``.part`` for its own unfinished copy
    _reserve(target, unfinished)
    try:
        async with (
            await open_existing(settings, bulk=True) as source,
            await open_store(str(unfinished), bulk=True) as copy,
            source.reading() as old,
            copy.writing() as new,
        ):
            progress = Progress()
            await whole_database.copy_rows(old, new, progress.rows)
            progress.end()
            await compare_counts(old, new)
        # Copied once more as a file, which merges the write-ahead log into it and checks it.
        return await asyncio.to_thread(back_up, str(unfinished), target, Progress().pages)
    finally:
        _delete_with_journals(unfinished)


def _reserve(target: Path, unfinished: Path) -> None:
    """Create an unfinished file, if neither it nor the target exists.

    Raises:
        FileExistsError: one of them exists.
    """
    if target.exists():
        raise FileExistsError(target)
    with unfinished.open("xb"):
        pass


def _delete_with_journals(file: Path) -> None:
    """Delete a file and the journals that SQLite keeps next to it."""
    for journal in ("", "-wal", "-shm", "-journal"):
        file.with_name(file.name + journal).unlink(missing_ok=True)


# -- restore ----------------------------------------------------------------------------------------------------------


async def restore_database(settings: Settings, chosen: Namespace) -> None:
    """Replace the database by a backup, after backing it up; people who were erased since the backup stay erased."""
    copy = chosen.file
    with TemporaryDirectory() as folder:
        working_copy = Path(folder) / "copy.sqlite3"
        try:
            await asyncio.to_thread(back_up, str(copy), working_copy, Progress().pages)
            async with await open_store(str(working_copy), bulk=True) as source:
                await source.read(check_fits)
                previous = await _back_up_replaced(settings)
                count = await _restore(source, settings)
        except UnusableDatabaseError as error:
            raise SettingsError(f"{copy}: {error}; nothing was changed") from error
    print(f"{display_name(settings.database)}: {count} unfinished games restored from {copy.absolute()}")
    print(f"what was there before: {previous or 'nothing'}")


async def _restore(source: Store, settings: Settings) -> int:
    """Replace all rows by those of a backup, and return the number of unfinished games."""
    try:
        async with await open_store(settings.database, bulk=True) as target:
            await _replace(source, target)
            return await _begin_epochs(target)
    except UnusableDatabaseError as error:
        raise refusal(settings, f"{error}; nothing was changed") from error


async def _back_up_replaced(settings: Settings) -> str:
    """Back up the database that will be replaced; return the file, or an empty text if there is nothing to back up."""
    if await has_no_tables(settings):  # a new file, or a server that replaces one that was lost
        return ""
    async with await open_existing(settings) as store:
        await check_no_bot_connected(store, settings)
        async with store.reading() as tx:
            if not await whole_database.has_rows(tx):
                return ""
    stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
    target = (file_of(settings.database) or Path("castellan.sqlite3")).absolute()
    target = target.with_name(f"{target.name}.before-restore-{stamp}")
    await write_backup(settings, target)
    report(f"what is there is copied to {target}")
    return str(target)


async def _replace(source: Store, target: Store) -> None:
    """Replace all rows of a database by those of another, in one transaction; erasures and bans are kept."""
    progress = Progress()
    async with source.reading() as old, target.writing() as new:
        forgotten, bans = await remembered_erasures(new), await guilds.all_bans(new)
        await whole_database.delete_all_rows(new)
        await whole_database.copy_rows(old, new, progress.rows)
        progress.end()
        await compare_counts(old, new)
        await processes.drop_mark(new, whole_database.MOVED_MARK)
        for ban in bans:
            await guilds.save_ban(new, ban)
        await apply_again(new, forgotten, SystemClock().now())
        await check_replays(new, progress)
        await open_game_for_trial(new)


async def _begin_epochs(target: Store) -> int:
    """Begin a new epoch of every unfinished game, so that buttons from after the backup are refused."""
    host = Host(target)
    game_ids = await target.read(games.unfinished_ids)
    for game_id in game_ids:
        game = await host.games.get(game_id)
        await host.games.epochs.begin(game, (), game.ply)
        await host.erasure.resign_erased_players(game_id)
    return len(game_ids)


# -- copy -------------------------------------------------------------------------------------------------------------


async def move_database(settings: Settings, chosen: Namespace) -> None:
    """Move all games to another database, and mark the old one, so that no bot starts on it again."""
    source_name, target_name = display_name(chosen.source), display_name(chosen.target)
    async with await open_existing(settings, chosen.source, bulk=True) as source:
        await check_no_bot_connected(source, settings.changed(database=chosen.source))
        target, created = await _open_empty(settings.changed(database=chosen.target))
        try:
            async with target:
                game_count = await _copy_and_mark(source, target, target_name, source_name)
        except BaseException:
            if created is not None:
                _delete_with_journals(created)
            raise
    print(f"{target_name}: {game_count} games, from {source_name}, where no bot starts any more")
    print(f"now set CASTELLAN_DATABASE to {target_name}")


async def _open_empty(settings: Settings) -> tuple[Store, Path | None]:
    """Open the target, which has to be empty, and bring its tables up to date; return the file if one was created."""
    try:
        file = file_of(settings.database)
        if file is not None and file.exists():
            raise refusal(settings, "exists already; nothing was written")
        store = await open_store(settings.database, bulk=True)
    except UnusableDatabaseError as error:
        raise refusal(settings, str(error)) from error
    filled = await store.read(whole_database.has_rows)
    if filled:
        await store.close()
        raise refusal(settings, "holds games already; nothing was written")
    return store, file


async def _copy_and_mark(source: Store, target: Store, target_name: str, source_name: str) -> int:
    """Copy all rows in one transaction of each database, then mark the source; return the number of games.

    The source's transaction ends last, so that a failure leaves it unmarked.
    """
    progress = Progress()
    async with source.writing() as old, target.writing() as new:
        new_home = await processes.mark_of(old, whole_database.MOVED_MARK)
        if new_home is not None:
            raise SettingsError(f"{source_name}: its games have moved to {new_home} already; nothing was written")
        await check_fits(old)
        await whole_database.copy_rows(old, new, progress.rows)
        progress.end()
        await compare_counts(old, new)
        for finding in await check_replays(new, progress):
            report(f"{finding}; it rests there as it did here")
        await open_game_for_trial(new)
        await processes.save_mark(old, whole_database.MOVED_MARK, target_name, SystemClock().now())
        return (await whole_database.count_rows(new))["games"]


# -- check, upgrade ---------------------------------------------------------------------------------------------------


async def check_database(settings: Settings, _: Namespace) -> int:
    """Check unfinished games, rows, posts and computers; return 1 when there are findings."""
    progress, total, now = Progress(), 0, SystemClock().now()
    async with await open_existing(settings, bulk=True) as store, store.reading() as tx:
        counts = await whole_database.count_rows(tx)
        checks = broken_games(tx, progress.games), damaged_rows(tx), stuck_posts(tx, now), stuck_computers(tx, now)
        for findings in checks:
            async for finding in findings:
                print(finding)
                total += 1
    print(f"{counts['games']} games, {counts['actions']} actions, {counts['outbox']} posts: {total or 'no'} findings")
    return 1 if total else 0


async def upgrade_database(settings: Settings, _: Namespace) -> None:
    """Bring the tables up to date."""
    with echoed_log("alembic.runtime.migration", "Running upgrade"):  # one line for each migration
        store = await open_for_bot(settings)
    async with store, store.reading() as tx:
        revision = await whole_database.revision(tx)
    print(f"the tables are of revision {revision}")


# -- checks of copied rows --------------------------------------------------------------------------------------------


MAX_PROBLEM_LINES: Final = 20
"""The most problems that an error lists."""


async def check_fits(tx: Transaction) -> None:
    """Check that both kinds of database accept all values.

    Raises:
        SettingsError: lists values that one would refuse.
    """
    problems = [f"{misfit.where}: {misfit.why}" async for misfit in whole_database.misfits(tx)]
    if problems:
        raise SettingsError(*_shortened(problems), "nothing was written: correct these values first")


async def compare_counts(old: Transaction, new: Transaction) -> None:
    """Check that each table has as many rows as in the old database.

    Raises:
        SettingsError: a table has fewer or more.
    """
    before, after = await whole_database.count_rows(old), await whole_database.count_rows(new)
    problems = [f"{name}: {after[name]} rows of {count}" for name, count in before.items() if after[name] != count]
    if problems:
        raise SettingsError(*problems, "nothing was written")


async def check_replays(tx: Transaction, progress: Progress) -> list[Finding]:
    """Replay every unfinished game, and return findings about frozen games.

    Raises:
        SettingsError: the replay of a running game does not lead to its stored position.
    """
    findings = [finding async for finding in broken_games(tx, progress.games)]
    frozen = [finding for finding in findings if finding.is_frozen]
    problems = [str(finding) for finding in findings if not finding.is_frozen]
    if problems:
        raise SettingsError(*_shortened(problems), "nothing was written: freeze or close these games first")
    return frozen


async def open_game_for_trial(tx: Transaction) -> None:
    """Open a game within a savepoint and roll it back, to show that the next player can open one."""
    nested = await tx.begin_nested()
    await try_to_open(tx, SystemClock().now())
    await nested.rollback()


def _shortened(lines: list[str]) -> list[str]:
    """Return the first lines, and one that counts the others."""
    hidden = len(lines) - MAX_PROBLEM_LINES
    return [*islice(lines, MAX_PROBLEM_LINES), *([f"… and {hidden} more"] if hidden > 0 else [])]
