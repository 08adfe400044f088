"""A slow but simple reimplementation of The Castle's placements, features and empty areas, to check the engine.

It compares the printed segments of neighbouring tiles directly. Places are named: ``N`` is the northern side, ``NL``
its left half as seen from the middle of the tile. Codes such as TC-16 are rules of the rule digest.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from engine import Cell
from engine.the_castle import FeatureKind, Position, TileKind, wall

SIDES = "NESW"
"""The sides of a tile, clockwise."""
NEIGHBOUR_STEPS = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}
"""The offset, in x and y, of the neighbour at each side."""
OPPOSITE = {"N": "S", "E": "W", "S": "N", "W": "E"}
"""The side of the neighbour that touches each side."""
OPPOSITE_HALF = {"L": "R", "R": "L", "": ""}
"""The half that each half of a side touches on the neighbouring tile; a path takes no half."""


class Part(NamedTuple):
    """A segment of a tile on the table with its places as oriented on the board: ``N`` of a path, ``NL`` of others."""

    cell: Cell
    kind: FeatureKind
    places: frozenset[str]
    marks: int


def turned_parts(cell: Cell, kind: TileKind, quarters: int) -> list[Part]:
    """Return the segments of a tile turned clockwise by so many quarters."""
    parts = []
    for segment in kind.segments:
        turned = (SIDES[(SIDES.index(name[0]) + quarters) % 4] + name[1:] for name in segment.place_names)
        parts.append(Part(cell, segment.kind, frozenset(turned), segment.markets + segment.well))
    return parts


Table = Mapping[Cell, list[Part]]
"""The parts of features on each cell."""


def table_of(position: Position) -> dict[Cell, list[Part]]:
    """Return the parts drawn on the start spaces and on the tiles within the wall."""
    table = {start.cell: turned_parts(start.cell, start.kind, 0) for start in wall().starts}
    for placed in position.placed():
        table[placed.cell] = turned_parts(placed.cell, placed.tile, placed.rotation // 90)
    return table


def beside(cell: Cell, side: str) -> Cell:
    """Return the neighbouring cell at a side."""
    east, south = NEIGHBOUR_STEPS[side]
    return Cell(cell.x + east, cell.y + south)


def has_path(parts: list[Part], side: str) -> bool:
    """Return whether a path runs to this side."""
    return any(side in part.places for part in parts if part.kind is FeatureKind.PATH)


def placements(table: Table, kind: TileKind) -> set[tuple[int, int, int]]:
    """Return the places where a tile may lie, as column, row and rotation (TC-16 to TC-23)."""
    legal = set()
    for cell in set(wall().interior) - table.keys():
        for quarters in range(4):
            parts = turned_parts(cell, kind, quarters)
            neighbours = [(side, table[beside(cell, side)]) for side in SIDES if counts_as_neighbour(table, cell, side)]
            if neighbours and all(
                has_path(parts, side) == has_path(other, OPPOSITE[side]) for side, other in neighbours
            ):
                legal.add((*cell, 90 * quarters))
    return legal


def counts_as_neighbour(table: Table, cell: Cell, side: str) -> bool:
    """Return whether a tile lies beside the cell at this side, or a start space that faces it."""
    other = beside(cell, side)
    return other in table and any(name[0] == OPPOSITE[side] for part in table[other] for name in part.places)


def features(table: Table) -> Counter[Any]:
    """Count all features with at least one castle tile, as (kind, parts, open ends, marks, tiles)."""
    parts = {part for laid_parts in table.values() for part in laid_parts}
    counts: Counter[Any] = Counter()
    while parts:
        feature = [parts.pop()]
        for part in feature:
            for other in set(adjoining(table, part)) & parts:
                parts.remove(other)
                feature.append(other)
        if any(part.cell in wall().interior for part in feature):
            counts[describe(table, feature)] += 1
    return counts


def adjoining(table: Table, part: Part) -> Iterator[Part]:
    """Yield the parts of the same kind that touch this one across a side."""
    for name in part.places:
        touched = OPPOSITE[name[0]] + OPPOSITE_HALF[name[1:]]
        for other in table.get(beside(part.cell, name[0]), []):
            if other.kind is part.kind and touched in other.places:
                yield other


def describe(table: Table, parts: list[Part]) -> tuple[Any, ...]:
    """Return a value that identifies a feature."""
    kind = parts[0].kind
    empty = set(wall().interior) - table.keys()
    open_ends = sum(beside(part.cell, name[0]) in empty for part in parts for name in part.places)
    return (
        kind,
        frozenset((part.cell, part.places) for part in parts),
        -1 if kind is FeatureKind.COURT else open_ends,
        sum(part.marks for part in parts),
        len({part.cell for part in parts}),
    )


def empty_areas(table: Table, *, diagonal: bool, starts: bool) -> list[int]:
    """Return the sizes of the connected empty areas, the largest first (TC-82)."""
    names = {cell: number for number, cell in enumerate(wall().interior) if cell not in table}
    # Spread the smallest number through each area; as many passes as cells are certainly enough.
    for _ in range(len(names)):
        for cell in names:
            around = [Cell(cell.x + x, cell.y + y) for x in (-1, 0, 1) for y in (-1, 0, 1) if diagonal or 0 in (x, y)]
            names[cell] = min(names[other] for other in around if other in names)
    sizes = Counter(names.values())
    for start in wall().starts:
        if starts and start.inside in names:
            sizes[names[start.inside]] += 1
    return sorted(sizes.values(), reverse=True)
