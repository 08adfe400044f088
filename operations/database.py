"""Opening the database that the settings name, with checks that prevent the loss of games.

The bot uses :func:`open_for_bot`, commands of operators :func:`open_existing`. A file is created only on purpose, and
never on a disk that is wiped at each restart. A database whose games were moved to another one is refused, and a server
that does not answer yet is retried. Every refusal is a :class:`SettingsError` of one line. The *revision* of a database
is the name of its last migration.
"""

from __future__ import annotations

import asyncio
import logging
import os
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import count
from typing import Final

from host.retry import retry_forever
from operations.settings import DEFAULT_DATABASE, Settings, SettingsError
from store import NewerDatabaseError, Store, UnreachableDatabaseError, UnusableDatabaseError, processes, whole_database
from store.connection.files import OUTDATED_ADVICE, display_name, file_of, holds_games, open_store
from store.connection.migrating import is_before_baseline, known_revisions

log = logging.getLogger(__name__)

_EPHEMERAL_HOSTS: Final = {
    "DYNO": "Heroku",
    "RENDER": "Render",
    "RAILWAY_ENVIRONMENT": "Railway",
    "FLY_APP_NAME": "Fly",
    "K_SERVICE": "Cloud Run",
    "KOYEB_APP_NAME": "Koyeb",
}
"""Hosting services that keep no files unless configured to, by the environment variable that identifies them."""
_RETRY_SECONDS: Final = 5.0
"""The interval between attempts to reach a server."""
_ATTEMPTS_PER_LOG_LINE: Final = 12
"""The number of attempts between two lines in the log: one line a minute."""


async def connect(settings: Settings) -> Store:
    """Open the store; as long as a server does not answer, try again.

    Raises:
        UnusableDatabaseError: the database cannot be used for another reason.
    """
    for attempt in count():
        try:
            return await open_store(settings.database, pool=settings.pool)
        except UnreachableDatabaseError as error:
            if attempt % _ATTEMPTS_PER_LOG_LINE == 0:
                log.warning("waiting for the database: %s: %s", display_name(settings.database), error)
            await asyncio.sleep(_RETRY_SECONDS)
        except NewerDatabaseError:
            newer = await _open_newer(settings)
            if newer is None:
                raise
            return newer
    raise AssertionError("there is always another attempt")


async def _open_newer(settings: Settings) -> Store | None:
    """Open a database of a newer release without migrating it; return None if it does not admit this release."""
    store = await open_store(settings.database, pool=settings.pool, migrate=False)
    async with store.reading() as tx:
        revision, is_admitted = await whole_database.revision(tx), await processes.admits_this_release(tx)
    if not is_admitted:
        await store.close()
        return None
    log.warning("a newer release has migrated the database; this one may still use it", extra={"revision": revision})
    return store


def check_file_survives_restarts(settings: Settings) -> None:
    """Check that a database file survives restarts on this host.

    Raises:
        UnusableDatabaseError: the host wipes its disk, and the settings do not say that the file stays.
    """
    host = next((name for variable, name in _EPHEMERAL_HOSTS.items() if variable in os.environ), None)
    if host is not None and not settings.file_stays:
        raise UnusableDatabaseError(
            f"{host} wipes its disk at each restart, and all games with it: set DATABASE_URL to a PostgreSQL database, "
            "or, where the file lies on a disk that stays, CASTELLAN_FILE_STAYS=1"
        )


HEARTBEAT_TIMEOUT: Final = timedelta(seconds=90)
"""The age of the last heartbeat from which a process counts as dead."""


async def open_for_bot(settings: Settings) -> Store:
    """Open the bot's database, migrated; a new file is created only on purpose, with a warning.

    Raises:
        SettingsError: it cannot be used, would be created by mistake, or its games have moved to another one.
    """
    try:
        new = _is_new(settings)
        if file_of(settings.database) is not None:
            check_file_survives_restarts(settings)
        store = await connect(settings)
        await retry_forever(partial(_check_not_moved, store))
    except UnusableDatabaseError as error:
        raise refusal(settings, str(error)) from error
    if new:
        log.warning("a new file of games was begun", extra={"database": display_name(settings.database)})
    elif settings.create and settings.database_setting == "CASTELLAN_DATABASE":
        log.warning("CASTELLAN_CREATE is still set: take it out, so that a mistyped path is noticed")
    return store


async def open_existing(settings: Settings, location: str = "", *, bulk: bool = False) -> Store:
    """Open an existing database for a command, without creating or migrating anything.

    ``location`` overrides that of the settings; ``bulk`` is for work on the whole database.

    Raises:
        SettingsError: it cannot be used, or its tables are not those of this version.
    """
    settings = settings.changed(database=location) if location else settings
    try:
        _check_exists(settings.database)
        store = await open_store(settings.database, migrate=False, bulk=bulk)
        await _check_revision(store)
    except UnusableDatabaseError as error:
        raise refusal(settings, str(error)) from error
    return store


async def has_no_tables(settings: Settings) -> bool:
    """Return whether the database has no tables yet: no file, an empty one, or a server's database without ours.

    Raises:
        SettingsError: it cannot be used.
    """
    file = file_of(settings.database)
    if file is not None:
        return not holds_games(file)
    try:
        store = await open_store(settings.database, migrate=False)
    except UnusableDatabaseError as error:
        raise refusal(settings, str(error)) from error
    async with store, store.reading() as tx:
        return await whole_database.revision(tx) is None


def _check_exists(location: str) -> None:
    """Check that a file exists and has the bot's tables; a server is checked when it is opened."""
    file = file_of(location)
    if file is not None and not holds_games(file):
        raise UnusableDatabaseError("holds nothing" if file.exists() else "does not exist")


async def _check_revision(store: Store) -> None:
    """Check that the tables have the newest revision; close the store if they do not."""
    revision = await store.read(whole_database.revision)
    if revision == known_revisions()[-1]:
        return
    await store.close()
    if revision is None:
        raise UnusableDatabaseError("holds nothing")
    if is_before_baseline(revision):
        raise UnusableDatabaseError(OUTDATED_ADVICE)
    is_older = revision in known_revisions()
    advice = "bring it up to date: python -m operations upgrade" if is_older else "use the version that wrote it"
    raise UnusableDatabaseError(f"is of {'an older' if is_older else 'a newer'} version ({revision}); {advice}")


async def _check_not_moved(store: Store) -> None:
    """Check that no mark says that the games were copied to another database; close the store if one does."""
    target = await store.read(processes.mark_of, whole_database.MOVED_MARK)
    if target is not None:
        await store.close()
        raise UnusableDatabaseError(f"its games have moved to {target}; set CASTELLAN_DATABASE to that one")


async def check_no_bot_connected(store: Store, settings: Settings) -> None:
    """Check that no bot uses a database, so that an operation may replace or move it.

    Raises:
        SettingsError: a bot uses it, or did so within :data:`HEARTBEAT_TIMEOUT`.
    """
    now = datetime.now(UTC)
    async with store.reading() as tx:
        seen_at = [beat.at for beat in await processes.heartbeats(tx)]
        seen_at += [
            process.seen_at for process in await processes.living(tx, now - HEARTBEAT_TIMEOUT)
        ]  # perhaps not connected yet
    last = max(seen_at, default=None)
    if last is not None and now - last < HEARTBEAT_TIMEOUT:
        seconds = max(0, int((now - last).total_seconds()))
        advice = f"stop it, and wait {HEARTBEAT_TIMEOUT.seconds} seconds"
        raise refusal(settings, f"a bot was connected {seconds} seconds ago; {advice}; nothing was written")


def refusal(settings: Settings, reason: str) -> SettingsError:
    """Return the error that says why a database cannot be used."""
    try:
        place = display_name(settings.database)
    except UnusableDatabaseError:
        place = settings.database
    return SettingsError(f"{settings.database_setting}: {place}: {reason}")


def _is_new(settings: Settings) -> bool:
    """Return whether opening creates a file: its path is the default one, or ``CASTELLAN_CREATE`` confirms it.

    Raises:
        UnusableDatabaseError: a file would be created by mistake.
    """
    file = file_of(settings.database)
    if file is None or holds_games(file):
        return False
    folder = file.absolute().parent
    if not folder.is_dir():
        raise UnusableDatabaseError(f"there is no directory {folder}; correct the path, or create the directory")
    if not (settings.create or settings.database == DEFAULT_DATABASE):
        other_files = sorted(path.name for path in folder.glob("*.sqlite3") if path != file.absolute())
        hint = f" (there is {', '.join(other_files)})" if other_files else ""
        raise UnusableDatabaseError(
            f"holds no games{hint}; correct the path, or set CASTELLAN_CREATE=1 for one start to begin a new file"
        )
    return True
