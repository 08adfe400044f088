"""What a position of any game shows to those who only look: features and standing figures, by cell and segment."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple, Protocol

from engine.actions import Seat
from engine.board import Board, SegmentNumber
from engine.geometry import Cell
from engine.tiles import Segment, TileKind


class PlacedTile(Protocol):
    """A tile on the table: ``player`` laid it (-1: it lay there from the start) as number ``number``."""

    @property
    def cell(self) -> Cell:
        """Where it lies."""

    @property
    def tile(self) -> TileKind:
        """What is printed on it."""

    @property
    def rotation(self) -> int:
        """Degrees clockwise."""

    @property
    def player(self) -> Seat:
        """The seat that laid it."""

    @property
    def number(self) -> int:
        """Its number in the order of placing."""


class StandingFigure(NamedTuple):
    """A figure on a segment (board oriented) of the tile on ``cell``."""

    player: Seat
    figure: str
    cell: Cell
    segment: Segment


class Feature(NamedTuple):
    """A feature with all its parts.

    ``tiles`` counts each tile once (BA-18); ``marks`` what is drawn on it and counts (pennants, wells, markets);
    ``open_ends`` is 0 when complete and -1 for what is never complete; ``owners`` are the seats with the majority.
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
    """Every figure on the tiles."""
    for root, followers in zip(board.numbers, board.holders, strict=True):
        if followers:
            yield from _standing(board, root)


def features_on(board: Board) -> Iterator[Feature]:
    """Every feature, by its first segment."""
    parts: dict[SegmentNumber, list[SegmentNumber]] = {}
    for number in board.numbers:
        parts.setdefault(board.find(number), []).append(number)
    for root, numbers in parts.items():
        yield _feature(board, root, numbers)


def feature_on(board: Board, cell: Cell, name: str) -> Feature:
    """The feature of one segment.

    Raises:
        KeyError: there is no such segment.
    """
    root = board.find(board.number_of(cell, name))
    return _feature(board, root, [other for other in board.numbers if board.find(other) == root])


def _feature(board: Board, root: SegmentNumber, numbers: Sequence[SegmentNumber]) -> Feature:
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
    for follower in board.holders[root]:
        cell, segment = board.part(follower.segment)
        yield StandingFigure(follower.player, follower.figure, cell, segment)
