"""Why a database cannot be opened, in words for whoever runs the bot."""

from __future__ import annotations

import socket
import ssl
from typing import Final

from sqlalchemy.exc import DBAPIError

from store.errors import StoreError, UnavailableError, UnknownRevisionError

_LOGIN: Final = (
    "the server does not let this user in: check user and password (in an address @ is written %40, / is %2F, # is %23)"
)
_SAID: Final = {
    "28P01": _LOGIN,
    "3D000": "the server has no database of this name: create it, or correct the name",
    "42501": "the user may not make tables there: make it the owner of the database",
    "53300": "the server has no connection left: let each process keep fewer (CASTELLAN_DATABASE_POOL)",
}
"""What a server says that does not pass by itself, and what to do."""
_NOT_ADMITTED: Final = "28000"
"""No password would help: it may be the user, from where he comes, or that he does not encrypt."""
_PASSING: Final = ("08", "53", "57", "25006")
"""How the codes of errors begin that do."""
_PASSING_SAID: Final = {"57P03": "the server is starting or stopping", "25006": "the server may only be read"}
OTHER_DRIVER: Final = (
    "is no database that the bot can use: write postgresql://user:password@host/name, or the path of a file"
)
_NEWER: Final = "was it written by a newer version? Then start that one"


class UnusableDatabaseError(StoreError):
    """A database that cannot be opened, or copied: says why."""


class UnreachableDatabaseError(UnusableDatabaseError):
    """A database that does not answer now, but may in a while."""


class NewerDatabaseError(UnusableDatabaseError):
    """A database whose tables this release does not know."""


def refusal(error: Exception) -> UnusableDatabaseError:
    """What an error means that came when a database was opened."""
    original = error.orig if isinstance(error, DBAPIError) else error
    code = str(getattr(original, "sqlstate", None) or "")
    if code in _SAID:
        return UnusableDatabaseError(_SAID[code])
    if code == _NOT_ADMITTED:
        return UnusableDatabaseError(f"the server does not let this user in: {original} (sslmode=require encrypts)")
    if code.startswith(_PASSING):
        return UnreachableDatabaseError(_PASSING_SAID.get(code, f"does not answer: {original}"))
    if isinstance(error, UnknownRevisionError):
        return NewerDatabaseError(f"cannot be brought up to date ({error}): {_NEWER}")
    if isinstance(error, ImportError):
        return UnusableDatabaseError(f"needs the package {error.name}, which is not installed")
    return _of_network(error) or UnusableDatabaseError(f"cannot be opened: {original}")


def _of_network(error: Exception) -> UnusableDatabaseError | None:
    if isinstance(error, ssl.SSLError):
        return UnusableDatabaseError(f"the server's certificate or its encryption is not accepted (sslmode=): {error}")
    if isinstance(error, socket.gaierror):
        return UnreachableDatabaseError("no host of this name is found")
    if isinstance(error, ConnectionError) and "SSL" in str(error):
        return UnusableDatabaseError(f"the server does not encrypt, as sslmode= asks: {error}")
    if isinstance(error, ConnectionError):
        return UnreachableDatabaseError(f"nobody answers there: {error.strerror or error}")
    if isinstance(error, UnavailableError):
        return UnreachableDatabaseError(f"does not answer: {error}")
    return None


def unreachable() -> UnusableDatabaseError:
    """What a server is that does not answer in time."""
    return UnreachableDatabaseError("does not answer in time")
