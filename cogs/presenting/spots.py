"""Where a tile may be laid: spots by letter, page by page, and the ways in which it lies there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeVar

from engine import Cell, Place, Position

P = TypeVar("P", bound=Position)

SPOTS_A_PAGE: Final = 25
NO_BREAK: Final = "\N{NO-BREAK SPACE}"
"""Keeps a letter and its cell on one line."""
LETTERS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXY"


def spots(places: Sequence[Place]) -> list[Cell]:
    """The cells of these placements, row by row."""
    return sorted({place.cell for place in places}, key=lambda cell: (cell.y, cell.x))


def ways(places: Sequence[Place], cell: Cell) -> list[Place]:
    """The placements on one cell, in the order in which rotating goes through them."""
    return sorted((place for place in places if place.cell == cell), key=lambda place: (place.rotation, str(place)))


def laid(position: P, place: Place) -> P:
    """The position with the tile laid.

    Raises:
        IllegalActionError: the tile does not fit there.
    """
    after = position.copy()
    after.apply(place)
    return after


def pages(cells: Sequence[Cell]) -> int:
    """How many pages these spots fill; an empty one counts."""
    return max(1, -(-len(cells) // SPOTS_A_PAGE))


def lettered(cells: Sequence[Cell], page: int) -> list[tuple[Cell, str]]:
    """The spots of a page with their letters."""
    return list(zip(cells[page * SPOTS_A_PAGE :], LETTERS, strict=False))


def letters_line(letters: Sequence[tuple[Cell, str]]) -> str:
    """Which letter means which spot."""
    return f"-# {' · '.join(f'{letter}{NO_BREAK}{cell.label}' for cell, letter in letters)}"


def turned(found: Sequence[Place], place: Place) -> Place | None:
    """How the tile lies on its spot after one more rotation; None where it can lie in one way only."""
    if len(found) < 2:
        return None
    return found[(found.index(place) + 1) % len(found)] if place in found else found[0]
