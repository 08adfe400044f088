"""Snapshots of the pictures of The Castle, as digests of their pixels.

Run ``python -m tests.renderers.castle_snapshots`` to update the snapshots after an intended change; look at
``make gallery`` first. :mod:`tests.renderers.snapshots` does the same for Carcassonne.
"""

from __future__ import annotations

import json
from functools import cache
from hashlib import sha256
from pathlib import Path

import PIL

from gallery.the_castle import sheets
from renderers import Picture
from renderers.theme import NIGHT
from tests.renderers.image_checks import rgb_image

SNAPSHOT_FILE = Path(__file__).with_name("castle_snapshots.json")
"""The file of the digests."""


@cache
def draw_sheets() -> dict[str, Picture]:
    """Draw all contact sheets in one theme; the themes differ in nothing but colours."""
    return {f"{name}.png": draw() for name, draw in sheets([NIGHT])}


def sheet_digests() -> dict[str, str]:
    """Return the digest of the pixels of each sheet."""
    return {name: sha256(rgb_image(picture).tobytes()).hexdigest()[:16] for name, picture in draw_sheets().items()}


def main() -> None:
    """Write the digests of all sheets to the snapshot file."""
    table = {"pillow": PIL.__version__, "pictures": sheet_digests()}
    SNAPSHOT_FILE.write_text(json.dumps(table, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
