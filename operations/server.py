"""Where the bot runs, as far as its database is concerned: a server that does not answer yet, a disk that is wiped."""

from __future__ import annotations

import asyncio
import logging
import os
from itertools import count
from typing import Final

from operations.settings import Settings
from store import NewerDatabaseError, Store, UnreachableDatabaseError, UnusableDatabaseError, processes, whole_database
from store.connection.files import named, open_store

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
