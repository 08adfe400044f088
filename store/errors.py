"""Errors of the store: those that a caller may retry (:class:`TransientError`), and those that it has to report."""

from __future__ import annotations


class StoreError(Exception):
    """A failure of the store."""


class PlyConflictError(StoreError):
    """A game or event that has moved on since it was read, because another transaction was quicker."""

    def __init__(self, game_id: int, ply: int) -> None:
        super().__init__(f"game {game_id} is no longer at ply {ply}")
        self.game_id = game_id
        self.ply = ply


class UnreadableError(StoreError):
    """A row that this version cannot read: damaged, with a broken reference, or written by a newer version."""

    def __init__(self, table: str, row_id: int, reason: object) -> None:
        super().__init__(f"row {row_id} of {table} cannot be read: {reason}")
        self.table = table
        self.id = row_id


class TransientError(StoreError):
    """A failure that passes; the operation may be retried later."""


class UnavailableError(TransientError):
    """A database that does not answer or cannot write now; whether a transaction was committed is not known."""


class DiskFullError(UnavailableError):
    """A full disk; writes that need less room may still succeed."""


class DamagedFileError(UnavailableError):
    """A part of the file that cannot be read or written; other parts may still be."""


class UnknownRevisionError(StoreError):
    """Tables of a revision that this release does not know."""


class LoginRefusedError(StoreError):
    """A login that the server refuses; ``sqlstate`` is the reason, or empty."""

    def __init__(self, message: str, sqlstate: str) -> None:
        super().__init__(message)
        self.sqlstate = sqlstate


class CollisionError(TransientError):
    """A transaction that the database has rolled back for a concurrent one; it may be retried."""
