"""Read-only views of a position of any game: features and figures, by cell and segment.

A segment is the part of a feature, such as a road, on one tile. The board stores segments as numbers
(:mod:`engine.board`); the views name them by cell, for callers outside the engine. A "board oriented" segment takes
account of the rotation of its tile: its north side is the one that faces north on the board.
Codes such as BA-18 are rules of the rule digest.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple, Protocol

from engine.actions import Seat
from engine.board import Board, SegmentNumber
from engine.geometry import Cell
from engine.tiles import Segment, TileKind


class PlacedTile(Protocol):
    """A tile on the table; ``player`` is -1 for tiles that lay there from the start."""

    @property
    def cell(self) -> Cell:
        """The cell on which it lies."""

    @property
    def tile(self) -> TileKind:
        """The kind of tile."""

    @property
    def rotation(self) -> int:
        """The rotation in degrees clockwise."""

    @property
    def player(self) -> Seat:
        """The seat of the player who laid it."""

    @property
    def number(self) -> int:
        """The tile's number in the order of placing."""


class StandingFigure(NamedTuple):
    """A figure on a segment (board oriented) of the tile on ``cell``."""

    player: Seat
    figure: str
    cell: Cell
    segment: Segment


class Feature(NamedTuple):
    """A feature with all its parts.

    ``tiles`` counts each tile once (BA-18). ``marks`` counts the pennants, wells or markets drawn on it. ``open_ends``
    is 0 for a complete feature and -1 for one that is never complete. ``owners`` are the seats with the majority.
    """

    kind: str
    parts: tuple[tuple[Cell, Segment], ...]
    tiles: int
    marks: int
    open_ends: int
    complete: bool
    followers: tuple[StandingFigure, ...]
    owners: tuple[Seat, ...]


def standing_on(board: Board) -> Iterator[StandingFigure]:
    """Yield every figure on the tiles."""
    for root, followers in zip(board.numbers, board.holders, strict=True):
        if followers:
            yield from _standing(board, root)


def features_on(board: Board) -> Iterator[Feature]:
    """Yield every feature, in the order of the first segments."""
    parts: dict[SegmentNumber, list[SegmentNumber]] = {}
    for number in board.numbers:
        parts.setdefault(board.find(number), []).append(number)
    for root, numbers in parts.items():
        yield _feature(board, root, numbers)


def features_at(board: Board, cell: Cell) -> Iterator[Feature]:
    """Yield the features with a segment on a cell, in the order of their first segments; none if no tile lies there."""
    parts: dict[SegmentNumber, list[SegmentNumber]] = {
        board.find(number): [] for number in board.numbers_at(cell.square)
    }
    for number in board.numbers if parts else ():
        root = board.find(number)
        if root in parts:
            parts[root].append(number)
    for root, numbers in sorted(parts.items(), key=lambda part: part[1]):
        yield _feature(board, root, numbers)


def feature_on(board: Board, cell: Cell, name: str) -> Feature:
    """Return the feature of one segment.

    Raises:
        KeyError: there is no such segment.
    """
    root = board.find(board.number_of(cell, name))
    return _feature(board, root, [number for number in board.numbers if board.find(number) == root])


def _feature(board: Board, root: SegmentNumber, numbers: Sequence[SegmentNumber]) -> Feature:
    """Return a feature, given by its root and the numbers of all its segments."""
    never = board.never_complete(root)
    return Feature(
        board.kind[root],
        tuple(board.part(number) for number in numbers),
        board.tiles[root].bit_count(),
        board.marks[root],
        -1 if never else board.ends[root],
        not board.ends[root],
        tuple(_standing(board, root)),
        board.owners(root),
    )


def _standing(board: Board, root: SegmentNumber) -> Iterator[StandingFigure]:
    """Yield the figures that stand on the feature with this root."""
    for follower in board.holders[root]:
        cell, segment = board.part(follower.segment)
        yield StandingFigure(follower.player, follower.figure, cell, segment)
