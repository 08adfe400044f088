"""Contact sheets as files: the pictures on which every change of the art is reviewed. Each game has its own sheets."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Iterable
from pathlib import Path

from renderers.values import Picture

NamedSheet = tuple[str, Callable[[], Picture]]
"""The name of a sheet and the function that draws it."""


def main(sheets: Iterable[NamedSheet]) -> None:
    """Write the sheets that the command line names into the folder that it names; all sheets if it names none."""
    folder, *names = sys.argv[1:] or ["gallery"]
    write_sheets(sheets, Path(folder), names)


def write_sheets(sheets: Iterable[NamedSheet], folder: Path, names: Collection[str] = ()) -> None:
    """Write the sheets with these names into a folder; all of them if there are no names."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, draw in sheets:
        if not names or name in names:
            picture, path = draw(), folder / f"{name}.png"
            path.write_bytes(picture.data)
            print(path, f"{picture.width}x{picture.height}", f"{len(picture.data) // 1024} KiB")
