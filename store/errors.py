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
