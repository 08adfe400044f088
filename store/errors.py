"""Errors of the store."""

from __future__ import annotations


class StoreError(Exception):
    """A failure of the store."""


class PlyConflictError(StoreError):
    """A game that does not stand where it was thought to stand: a concurrent write was quicker."""

    def __init__(self, game_id: int, ply: int) -> None:
        super().__init__(f"game {game_id} does not stand at ply {ply} any more")
        self.game_id = game_id
        self.ply = ply


class UnreadableError(StoreError):
    """A row that this version cannot read: damaged, without what it refers to, or written by a newer version."""

    def __init__(self, table: str, row_id: int, reason: object) -> None:
        super().__init__(f"row {row_id} of {table} cannot be read: {reason}")
        self.table = table
        self.id = row_id


class PassingError(StoreError):
    """A failure that passes: the same may be tried again in a while."""


class UnavailableError(PassingError):
    """A database that does not answer, or cannot store anything at the moment; whether it has stored is not known."""


class DiskFullError(UnavailableError):
    """The disk of the database has no room for this; what needs less of it may succeed meanwhile."""


class DamagedFileError(UnavailableError):
    """A part of the file cannot be read or written; what lies elsewhere in it may be meanwhile."""


class UnknownRevisionError(StoreError):
    """Tables of a release that this one does not know."""


class LoginRefusedError(StoreError):
    """A login that the server refuses; ``sqlstate`` tells why."""

    def __init__(self, message: str, sqlstate: str) -> None:
        super().__init__(message)
        self.sqlstate = sqlstate


class CollisionError(PassingError):
    """A transaction that the database has given up for a concurrent one: nothing of it is stored; retry it."""
