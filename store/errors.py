"""Errors of the store.

A caller may retry after a :class:`TransientError`: the database was not available, or gave up the transaction for a
concurrent one. After a :class:`PlyConflictError` it reads the game again, and repeats the decision. All others are
reported.
"""

from __future__ import annotations


class StoreError(Exception):
    """The base class of all errors of the store."""


class PlyConflictError(StoreError):
    """A game or event has changed since it was read, because another transaction was quicker."""

    def __init__(self, game_id: int, ply: int) -> None:
        super().__init__(f"game {game_id} is no longer at ply {ply}")
        self.game_id = game_id
        self.ply = ply


class UnreadableError(StoreError):
    """A row cannot be read: it is damaged, refers to a missing row, or was written by a newer version."""

    def __init__(self, table: str, row_id: int, reason: object) -> None:
        super().__init__(f"row {row_id} of {table} cannot be read: {reason}")
        self.table = table
        self.id = row_id


class TransientError(StoreError):
    """The operation failed for a reason that passes, and may be retried later."""


class UnavailableError(TransientError):
    """The database does not answer or cannot write now; a transaction may have been committed, or not."""


class DiskFullError(UnavailableError):
    """The disk is full; writes that need less room may still succeed."""


class DamagedFileError(UnavailableError):
    """A part of the database's file cannot be read or written; other parts may still be usable."""


class UnknownRevisionError(StoreError):
    """The tables have a revision that this release does not know; a newer one has migrated them."""


class OutdatedRevisionError(StoreError):
    """The tables have a revision from before the baseline, which this release can no longer migrate."""


class LoginRefusedError(StoreError):
    """The database server refuses the login; ``sqlstate`` is its code for the reason, or empty."""

    def __init__(self, message: str, sqlstate: str) -> None:
        super().__init__(message)
        self.sqlstate = sqlstate


class CollisionError(TransientError):
    """The database has rolled the transaction back in favour of a concurrent one; it may be retried."""
