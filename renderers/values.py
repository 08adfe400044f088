"""What goes into a picture and what comes out: frozen values shared by every drawing module."""

from __future__ import annotations

from dataclasses import dataclass

from engine.carcassonne.tiles import Segment, TileKind
from engine.geometry import Axis, Cell


@dataclass(frozen=True, slots=True)
class Picture:
    """An encoded image: its bytes, the name to attach it under, and its size in pixels."""

    data: bytes
    filename: str
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class TurnPictures:
    """The two pictures of a turn card: a crop round the last tile and the whole board."""

    focus: Picture
    board: Picture

    @property
    def alike(self) -> bool:
        """Whether the focus already shows the whole board, so that the second picture adds nothing."""
        return self.focus.data is self.board.data


@dataclass(frozen=True, slots=True)
class Mark:
    """The last tile that a player laid."""

    cell: Cell
    player: int


@dataclass(frozen=True, slots=True)
class Spot:
    """An empty cell with the letter of its button."""

    cell: Cell
    letter: str


@dataclass(frozen=True, slots=True)
class Ghost:
    """A tile that is only being tried out, with the bridge that would be built with it."""

    cell: Cell
    tile: TileKind
    rotation: int
    bridge: tuple[Cell, Axis] | None = None


@dataclass(frozen=True, slots=True)
class Choice:
    """A place for a follower on the ghost tile (board oriented), with the number of its button."""

    number: int
    segment: Segment
