"""No picture changes by accident."""

from __future__ import annotations

import json

import PIL
import pytest

from tests.renderers.snapshots import SNAPSHOT_FILE, picture_digests, sheets

RENEW = "look at `make gallery`; if that is how it should look: python -m tests.renderers.snapshots"


def stored() -> dict[str, str]:
    found = json.loads(SNAPSHOT_FILE.read_text(encoding="utf-8"))
    if found["pillow"] != PIL.__version__:
        pytest.skip(f"drawn with Pillow {found['pillow']}, this is {PIL.__version__}; {RENEW}")
    pictures: dict[str, str] = found["pictures"]
    return pictures


def test_pictures_look_as_they_did() -> None:
    now = picture_digests()
    changed = sorted(name for name, look in stored().items() if now.get(name) != look)
    assert not changed, f"{len(changed)} pictures look different ({', '.join(changed[:6])} …): {RENEW}"


def test_every_picture_is_stored() -> None:
    new = sorted({name for name, _ in sheets()} - stored().keys())
    assert not new, f"{len(new)} pictures are new ({', '.join(new[:6])} …): {RENEW}"
