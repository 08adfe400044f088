"""``python -m tests.renderers.castle_snapshots``: store anew what the pictures of The Castle look like.

As :mod:`tests.renderers.snapshots` does for the first game: look at ``make gallery`` first.
"""

from __future__ import annotations

import json
from functools import cache
from hashlib import sha256
from pathlib import Path

import PIL

from renderers import Picture
from renderers.the_castle.gallery import sheets
from renderers.theme import NIGHT
from tests.renderers.looking import pixels

STORED = Path(__file__).with_name("castle_snapshots.json")


@cache
def drawn() -> dict[str, Picture]:
    """All sheets in one theme: what differs between themes is colours alone."""
    return {f"{name}.png": draw() for name, draw in sheets([NIGHT])}


def hashes() -> dict[str, str]:
    """Return the digest of each picture."""
    return {name: sha256(pixels(picture).tobytes()).hexdigest()[:16] for name, picture in drawn().items()}


def main() -> None:
    """Store the hashes."""
    table = {"pillow": PIL.__version__, "pictures": hashes()}
    STORED.write_text(json.dumps(table, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
