"""What goes into a picture and what comes out: frozen values shared by every drawing module."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from engine.geometry import Cell
from engine.tiles import Segment


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
class Held:
    """A field and the seats that hold it, by its parts (board oriented)."""

    owners: tuple[int, ...]
    parts: tuple[tuple[Cell, Segment], ...]


@dataclass(frozen=True, slots=True)
class Guides:
    """What a picture shows beyond what lies on the table; a table may want none of it."""

    fields: tuple[Held, ...] = ()
    """Whose each field is."""
    dead: frozenset[Cell] = frozenset()
    """Cells that no tile left fits."""
    aided: frozenset[Cell] = frozenset()
    """Cells that a tile fits only with a bridge."""


NO_GUIDES: Final = Guides()


@dataclass(frozen=True, slots=True)
class Spot:
    """An empty cell with the letter of its button."""

    cell: Cell
    letter: str


@dataclass(frozen=True, slots=True)
class NumberedPlace:
    """A place for a figure on the ghost tile (board oriented), with the number of its button.

    ``figure`` is the one that was chosen for it, as the engine names it; it is shown standing there.
    """

    number: int
    segment: Segment
    figure: str = ""
