"""Write contact sheets to files, to review changes of the art; each game has sheets of its own.

A contact sheet shows pictures of one kind side by side.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from pathlib import Path

from engine import Position
from renderers.values import Mark, Picture

NamedSheet = tuple[str, Callable[[], Picture]]
"""The name of a sheet and the function that draws it."""


def marks_of(position: Position) -> list[Mark]:
    """Return the last tile of each player."""
    last = {tile.player: tile.cell for tile in position.placed() if tile.player >= 0}
    return [Mark(cell, player) for player, cell in last.items()]


def write_sheets(sheets: Iterable[NamedSheet], folder: Path, names: Collection[str] = ()) -> None:
    """Write the sheets with these names, by default all, into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, draw in sheets:
        if not names or name in names:
            picture, path = draw(), folder / f"{name}.png"
            path.write_bytes(picture.data)
            print(path, f"{picture.width}x{picture.height}", f"{len(picture.data) // 1024} KiB")
