"""The rules of The Castle's tiles once more, from the printed segments, slow and plain: an oracle for the engine."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from engine import Cell
from engine.the_castle import FeatureKind, Position, TileKind, wall

SIDES = "NESW"
AWAY = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}
OPPOSITE = {"N": "S", "E": "W", "S": "N", "W": "E"}
ACROSS = {"L": "R", "R": "L", "": ""}
"""The half-side that a half-side touches; a path touches a path."""


class Part(NamedTuple):
    """A segment of a tile on the table, with its places by name, board oriented: ``N`` of a path, ``NL`` of others."""

    cell: Cell
    kind: FeatureKind
    places: frozenset[str]
    marks: int


def laid(cell: Cell, kind: TileKind, quarters: int) -> list[Part]:
    """The segments of a tile that was turned clockwise by so many quarters."""
    parts = []
    for segment in kind.segments:
        turned = (SIDES[(SIDES.index(name[0]) + quarters) % 4] + name[1:] for name in segment.place_names)
        parts.append(Part(cell, segment.kind, frozenset(turned), segment.markets + segment.well))
    return parts


Table = Mapping[Cell, list[Part]]


def table_of(position: Position) -> dict[Cell, list[Part]]:
    """Return the parts drawn on the start spaces and on the tiles within the wall."""
    table = {start.cell: laid(start.cell, start.kind, 0) for start in wall().starts}
    for placed in position.placed():
        table[placed.cell] = laid(placed.cell, placed.tile, placed.rotation // 90)
    return table


def beside(cell: Cell, side: str) -> Cell:
    """The cell at a side."""
    east, south = AWAY[side]
    return Cell(cell.x + east, cell.y + south)


def has_path(parts: list[Part], side: str) -> bool:
    """Return whether a path runs to this side."""
    return any(side in part.places for part in parts if part.kind is FeatureKind.PATH)


def placements(table: Table, kind: TileKind) -> set[tuple[int, int, int]]:
    """Return the places where a tile may lie, as column, row and rotation (TC-16 to TC-23)."""
    found = set()
    for cell in set(wall().interior) - table.keys():
        for quarters in range(4):
            parts = laid(cell, kind, quarters)
            neighbours = [(side, table[beside(cell, side)]) for side in SIDES if counts_as_neighbour(table, cell, side)]
            if neighbours and all(
                has_path(parts, side) == has_path(other, OPPOSITE[side]) for side, other in neighbours
            ):
                found.add((*cell, 90 * quarters))
    return found


def counts_as_neighbour(table: Table, cell: Cell, side: str) -> bool:
    """Return whether a tile lies there, or a start space that faces this cell."""
    other = beside(cell, side)
    return other in table and any(name[0] == OPPOSITE[side] for part in table[other] for name in part.places)


def features(table: Table) -> Counter[Any]:
    """All features with a castle tile, as (kind, parts, open ends, marks, tiles)."""
    parts = {part for laid_parts in table.values() for part in laid_parts}
    found: Counter[Any] = Counter()
    while parts:
        reach = [parts.pop()]
        for part in reach:
            for other in set(joined(table, part)) & parts:
                parts.remove(other)
                reach.append(other)
        if any(part.cell in wall().interior for part in reach):
            found[described(table, reach)] += 1
    return found


def joined(table: Table, part: Part) -> Iterator[Part]:
    """The parts that touch this one across a side and are of its kind."""
    for name in part.places:
        touched = OPPOSITE[name[0]] + ACROSS[name[1:]]
        for other in table.get(beside(part.cell, name[0]), []):
            if other.kind is part.kind and touched in other.places:
                yield other


def described(table: Table, parts: list[Part]) -> tuple[Any, ...]:
    """Return a value that tells a feature from all others."""
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
    """The sizes of the connected empty areas, the largest first (TC-82)."""
    names = {cell: number for number, cell in enumerate(wall().interior) if cell not in table}
    for _ in range(len(names)):
        for cell in names:
            around = [Cell(cell.x + x, cell.y + y) for x in (-1, 0, 1) for y in (-1, 0, 1) if diagonal or 0 in (x, y)]
            names[cell] = min(names[other] for other in around if other in names)
    sizes = Counter(names.values())
    for start in wall().starts:
        if starts and start.inside in names:
            sizes[names[start.inside]] += 1
    return sorted(sizes.values(), reverse=True)
