"""Contact sheets as files: the pictures on which every change of the art is reviewed; each game has its own."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Iterable
from pathlib import Path

from renderers.values import Picture

NamedSheet = tuple[str, Callable[[], Picture]]
"""A name, and what draws the picture."""


def main(sheets: Iterable[NamedSheet]) -> None:
    """Write the sheets that the command line names into the folder that it names; all sheets if it names none."""
    folder, *names = sys.argv[1:] or ["gallery"]
    write_sheets(sheets, Path(folder), names)


def write_sheets(sheets: Iterable[NamedSheet], folder: Path, names: Collection[str] = ()) -> None:
    """Write all sheets, or those of these names, into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, draw in sheets:
        if not names or name in names:
            picture, path = draw(), folder / f"{name}.png"
            path.write_bytes(picture.data)
            print(path, f"{picture.width}x{picture.height}", f"{len(picture.data) // 1024} KiB")
