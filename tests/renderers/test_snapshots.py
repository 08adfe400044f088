"""Pictures of Carcassonne equal their stored snapshots, unless Pillow has another version.

A snapshot is the stored digest of a picture's pixels.
"""

from __future__ import annotations

import json

import PIL
import pytest

from tests.renderers.snapshots import SNAPSHOT_FILE, picture_digests, sheets

UPDATE_HINT = "look at `make gallery`; if that is how it should look: python -m tests.renderers.snapshots"
"""The instructions for a picture that has changed."""


def stored_digests() -> dict[str, str]:
    """Return the stored digests; skip the test if another version of Pillow drew the pictures."""
    stored = json.loads(SNAPSHOT_FILE.read_text(encoding="utf-8"))
    if stored["pillow"] != PIL.__version__:
        pytest.skip(f"drawn with Pillow {stored['pillow']}, this is {PIL.__version__}; {UPDATE_HINT}")
    pictures: dict[str, str] = stored["pictures"]
    return pictures


def test_pictures_match_their_snapshots() -> None:
    digests = picture_digests()
    changed = sorted(name for name, digest in stored_digests().items() if digests.get(name) != digest)
    assert not changed, f"{len(changed)} pictures look different ({', '.join(changed[:6])} …): {UPDATE_HINT}"


def test_every_picture_has_a_snapshot() -> None:
    new = sorted({name for name, _ in sheets()} - stored_digests().keys())
    assert not new, f"{len(new)} pictures are new ({', '.join(new[:6])} …): {UPDATE_HINT}"
