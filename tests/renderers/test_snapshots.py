"""No picture changes by accident."""

from __future__ import annotations

import json

import PIL
import pytest

from tests.renderers.snapshots import STORED, hashes

RENEW = "look at `make gallery`; if that is how it should look: python -m tests.renderers.snapshots"


def test_pictures_look_as_they_did() -> None:
    stored = json.loads(STORED.read_text(encoding="utf-8"))
    if stored["pillow"] != PIL.__version__:
        pytest.skip(f"drawn with Pillow {stored['pillow']}, this is {PIL.__version__}; {RENEW}")
    now = hashes()
    changed = sorted(name for name in {*now, *stored["pictures"]} if now.get(name) != stored["pictures"].get(name))
    assert not changed, f"{len(changed)} pictures look different ({', '.join(changed[:6])} …): {RENEW}"
