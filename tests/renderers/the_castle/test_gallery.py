"""The contact sheets of The Castle show everything, and nothing changes on them by accident."""

from __future__ import annotations

import json
from io import BytesIO

import PIL
import pytest
from PIL import Image

from engine.the_castle import FeatureKind
from renderers.the_castle.gallery import marks_of, played
from tests.renderers.castle_snapshots import SNAPSHOT_FILE, draw_sheets, sheet_digests

KINDS = (
    *("tiles", "pieces", "early", "middle", "late"),
    *("focus", "composer", "ghost", "order", "wall-tiles", "left"),
)
RENEW = "look at `make gallery`; if that is how it should look: python -m tests.renderers.castle_snapshots"


def test_there_is_a_sheet_of_everything() -> None:
    assert set(draw_sheets()) == {f"castle-{kind}-night.png" for kind in KINDS}
    for picture in draw_sheets().values():
        with Image.open(BytesIO(picture.data)) as image:
            assert image.size == (picture.width, picture.height)
            assert max(image.size) <= 4096


def test_pictures_look_as_they_did() -> None:
    stored = json.loads(SNAPSHOT_FILE.read_text(encoding="utf-8"))
    if stored["pillow"] != PIL.__version__:
        pytest.skip(f"drawn with Pillow {stored['pillow']}, this is {PIL.__version__}; {RENEW}")
    now = sheet_digests()
    changed = sorted(name for name in {*now, *stored["pictures"]} if now.get(name) != stored["pictures"].get(name))
    assert not changed, f"{', '.join(changed)}: {RENEW}"


def test_the_game_that_is_shown_has_something_to_show() -> None:
    position = played("castle gallery 3", 117)
    assert {figure.segment.kind for figure in position.standing_figures()} >= {FeatureKind.COURT}
    assert any(position.keeps)
    assert any(position.hands)
    assert {mark.player for mark in marks_of(position)} == {0, 1}
