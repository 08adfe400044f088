"""The database that the settings name: never begun by mistake, never half used, never one that has moved away.

A server that does not answer yet is waited for; on a disk that is wiped at each restart no file is begun.
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
from store import whole_database as all_of_it
from store.connection.files import file_of, holds_games, named, open_store

log = logging.getLogger(__name__)

_WIPING: Final = {
    "DYNO": "Heroku",
    "RENDER": "Render",
    "RAILWAY_ENVIRONMENT": "Railway",
    "FLY_APP_NAME": "Fly",
    "K_SERVICE": "Cloud Run",
    "KOYEB_APP_NAME": "Koyeb",
}
"""By which variable a host is known that keeps no files, unless it was told to."""
_AGAIN_SECONDS: Final = 5.0
_SAID_EVERY: Final = 12
"""A line a minute."""


async def reached(settings: Settings) -> Store:
    """The store; a server that does not answer is waited for, however long, and that is said now and then.

    Raises:
        UnusableDatabaseError: something else is wrong with it.
    """
    for attempt in count():
        try:
            return await open_store(settings.database, pool=settings.pool)
        except UnreachableDatabaseError as error:
            if attempt % _SAID_EVERY == 0:
                log.warning("waiting for the database: %s: %s", named(settings.database), error)
            await asyncio.sleep(_AGAIN_SECONDS)
        except NewerDatabaseError:
            admitted = await _admitted(settings)
            if admitted is None:
                raise
            return admitted
    raise AssertionError("there is always another attempt")


async def _admitted(settings: Settings) -> Store | None:
    """A database that a newer release has brought up to date, its tables as they are; None if it does not admit us."""
    store = await open_store(settings.database, pool=settings.pool, migrate=False)
    async with store.reading() as tx:
        found, admits = await whole_database.revision(tx), await processes.admits_this_release(tx)
    if not admits:
        await store.close()
        return None
    log.warning("the database is of a newer release, beside which this one may use it", extra={"revision": found})
    return store


def check_stays(settings: Settings) -> None:
    """Whether a file may be played in here: what wipes its disk at each restart would take all games with it.

    Raises:
        UnusableDatabaseError: it may not, unless somebody says that it stays.
    """
    host = next((name for sign, name in _WIPING.items() if sign in os.environ), None)
    if host is not None and not settings.file_stays:
        raise UnusableDatabaseError(
            f"{host} wipes its disk at each restart, and all games with it: set DATABASE_URL to a PostgreSQL database, "
            "or, where the file lies on a disk that stays, CASTELLAN_FILE_STAYS=1"
        )


ALIVE: Final = timedelta(seconds=90)
"""How long after a heartbeat a process is taken for alive."""


async def opened(settings: Settings) -> Store:
    """The store; a file that is not there is begun only where that cannot be a mistake, and said loudly.

    Raises:
        SettingsError: it cannot be used, would be begun by mistake, or its games have moved away.
    """
    try:
        new = _is_new(settings)
        if file_of(settings.database) is not None:
            check_stays(settings)
        store = await reached(settings)
        await retry_forever(partial(_check_not_moved, store))
    except UnusableDatabaseError as error:
        raise refusal(settings, str(error)) from error
    if new:
        log.warning("a new file of games was begun", extra={"database": named(settings.database)})
    elif settings.create and settings.database_setting == "CASTELLAN_DATABASE":
        log.warning("CASTELLAN_CREATE is still set: take it out, so that a mistyped path is noticed")
    return store


async def current(settings: Settings, location: str = "", *, whole: bool = False) -> Store:
    """The store as it is, for who looks at it or works on it from outside; nothing is begun, nothing is migrated.

    ``location`` is another one than that of the settings; ``whole`` is for whoever works on all of it at once.

    Raises:
        SettingsError: it cannot be used, or is not of this version.
    """
    settings = settings.changed(database=location) if location else settings
    try:
        _check_there(settings.database)
        store = await open_store(settings.database, migrate=False, whole=whole)
        await _check_revision(store)
    except UnusableDatabaseError as error:
        raise refusal(settings, str(error)) from error
    return store


async def has_no_tables(settings: Settings) -> bool:
    """Return whether nothing is there yet: no file, or an empty one, or a database of a server without our tables.

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
    try:
        async with store.reading() as tx:
            return await all_of_it.revision(tx) is None
    finally:
        await store.close()


def _check_there(location: str) -> None:
    file = file_of(location)
    if file is not None and not holds_games(file):
        raise UnusableDatabaseError("holds nothing" if file.exists() else "does not exist")


async def _check_revision(store: Store) -> None:
    async with store.reading() as tx:
        found = await all_of_it.revision(tx)
    if found == all_of_it.newest_revision():
        return
    await store.close()
    if found is None:
        raise UnusableDatabaseError("holds nothing")
    known = all_of_it.is_older(found)
    advice = "bring it up to date: python -m operations upgrade" if known else "use the version that wrote it"
    raise UnusableDatabaseError(f"is of {'an older' if known else 'a newer'} version ({found}); {advice}")


async def _check_not_moved(store: Store) -> None:
    async with store.reading() as tx:
        target = await whole_database.mark(tx, whole_database.MOVED)
    if target is not None:
        await store.close()
        raise UnusableDatabaseError(f"its games have moved to {target}; set CASTELLAN_DATABASE to that one")


async def check_nobody_lives(store: Store, settings: Settings) -> None:
    """Make sure that no bot works on a database.

    Raises:
        SettingsError: one does, or did a moment ago.
    """
    now = datetime.now(UTC)
    async with store.reading() as tx:
        seen = [beat.at for beat in await processes.heartbeats(tx)]
        seen += [process.seen_at for process in await processes.living(tx, now - ALIVE)]  # not connected, perhaps
    last = max(seen, default=None)
    if last is not None and now - last < ALIVE:
        seconds = max(0, int((now - last).total_seconds()))
        wait = f"stop it, and wait {ALIVE.seconds} seconds"
        raise refusal(settings, f"a bot was connected {seconds} seconds ago; {wait}; nothing was written")


def refusal(settings: Settings, reason: str) -> SettingsError:
    """The line that says why a database cannot be used."""
    try:
        place = named(settings.database)
    except UnusableDatabaseError:
        place = settings.database
    return SettingsError(f"{settings.database_setting}: {place}: {reason}")


def _is_new(settings: Settings) -> bool:
    """Whether a file will be begun: the path is nobody's choice, or it was confirmed.

    Raises:
        UnusableDatabaseError: it would be, by mistake.
    """
    file = file_of(settings.database)
    if file is None or holds_games(file):
        return False
    folder = file.absolute().parent
    if not folder.is_dir():
        raise UnusableDatabaseError(f"there is no directory {folder}; correct the path, or create the directory")
    if not (settings.create or settings.database == DEFAULT_DATABASE):
        beside = sorted(other.name for other in folder.glob("*.sqlite3") if other != file.absolute())
        found = f" (there is {', '.join(beside)})" if beside else ""
        raise UnusableDatabaseError(
            f"holds no games{found}; correct the path, or set CASTELLAN_CREATE=1 for one start to begin a new file"
        )
    return True
