"""The file of games that the settings name: never begun by mistake, never half used."""

from __future__ import annotations

import logging
from pathlib import Path

from operations.settings import DEFAULT_DATABASE, Settings, SettingsError
from store import Store, UnusableDatabaseError
from store.files import back_up, file_of, holds_games, named, open_store

log = logging.getLogger(__name__)


async def opened(settings: Settings) -> Store:
    """The store; a file that is not there is begun only where that cannot be a mistake, and said loudly.

    Raises:
        SettingsError: it cannot be used, or would be begun by mistake.
    """
    try:
        file = file_of(settings.database)
        new = file is not None and not holds_games(file)
        if new and file is not None:
            _check_new(settings, file)
        store = await open_store(settings.database)
    except UnusableDatabaseError as error:
        raise SettingsError(_said(settings, str(error))) from error
    if new:
        log.warning("a new file of games was begun", extra={"database": named(settings.database)})
    elif settings.create and settings.database_setting == "CASTELLAN_DATABASE":
        log.warning("CASTELLAN_CREATE is still set: take it out, so that a mistyped path is noticed")
    return store


def _check_new(settings: Settings, file: Path) -> None:
    """Whether a file may be begun here: the path is nobody's choice, or it was confirmed."""
    folder = file.absolute().parent
    if not folder.is_dir():
        raise UnusableDatabaseError(f"there is no directory {folder}; correct the path, or create the directory")
    if not (settings.create or settings.database == DEFAULT_DATABASE):
        beside = sorted(other.name for other in folder.glob("*.sqlite3") if other != file.absolute())
        found = f" (there is {', '.join(beside)})" if beside else ""
        raise UnusableDatabaseError(
            f"holds no games{found}; correct the path, or set CASTELLAN_CREATE=1 for one start to begin a new file"
        )


def copied(settings: Settings, target: Path) -> str:
    """Copy the file that the settings name, also while the bot runs; what was done, in words.

    Raises:
        SettingsError: it could not be done, and the target is as it was.
    """
    try:
        copy = back_up(settings.database, target)
    except UnusableDatabaseError as error:
        raise SettingsError(_said(settings, f"{error}; nothing was written")) from error
    except FileExistsError as error:
        there = f"{error.filename or error}: exists already; nothing was written"
        raise SettingsError(f"{there}: put the date into the name, or remove it if nobody needs it") from error
    except OSError as error:
        raise SettingsError(f"{target}: cannot be written: {error.strerror}") from error
    return (
        f"{target.absolute()}: {copy.size:,} bytes, {copy.games} games, {copy.running} of them running, "
        f"from {named(settings.database)}"
    )


def _said(settings: Settings, reason: str) -> str:
    try:
        place = named(settings.database)
    except UnusableDatabaseError:
        place = settings.database
    return f"{settings.database_setting}: {place}: {reason}"
