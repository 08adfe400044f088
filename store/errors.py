"""What the store raises."""

from __future__ import annotations


class StoreError(Exception):
    """Something that cannot be stored."""


class PlyConflictError(StoreError):
    """The game does not stand where it was thought to stand: somebody else was quicker."""

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
    """Nothing is wrong with what was asked: the same may be done in a while."""


class UnavailableError(PassingError):
    """The database does not answer, or cannot store anything at the moment; whether it has is not known."""


class DiskFullError(UnavailableError):
    """The disk of the database has no room for this; what needs less of it may succeed meanwhile."""


class DamagedFileError(UnavailableError):
    """A part of the file cannot be read or written; what lies elsewhere in it may be meanwhile."""


class UnknownRevisionError(StoreError):
    """Tables of a release that this one does not know."""


class LoginRefusedError(StoreError):
    """A server that lets nobody in; the five signs say why."""

    def __init__(self, message: str, sqlstate: str) -> None:
        super().__init__(message)
        self.sqlstate = sqlstate


class CollisionError(PassingError):
    """Two wanted the same at once, and the database has given up one of them: nothing of it is stored, try again."""
