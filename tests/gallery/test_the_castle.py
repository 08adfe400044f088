"""The contact sheets of The Castle: complete, and equal to their stored snapshots.

A contact sheet shows pictures of one kind side by side; a snapshot is the stored digest of its pixels.
"""

from __future__ import annotations

import json
from io import BytesIO

import PIL
import pytest
from PIL import Image

from engine.the_castle import FeatureKind
from gallery.contact_sheets import marks_of
from gallery.the_castle import play_compact_game
from tests.renderers.castle_snapshots import SNAPSHOT_FILE, draw_sheets, sheet_digests

SHEET_KINDS = (
    *("tiles", "pieces", "early", "middle", "late"),
    *("focus", "composer", "ghost", "order", "wall-tiles", "left"),
)
"""The kinds of sheets of the gallery."""
UPDATE_HINT = "look at `make gallery`; if that is how it should look: python -m tests.renderers.castle_snapshots"
"""The instructions for a picture that has changed."""


def test_every_kind_has_a_sheet() -> None:
    assert set(draw_sheets()) == {f"castle-{kind}-night.png" for kind in SHEET_KINDS}
    for picture in draw_sheets().values():
        with Image.open(BytesIO(picture.data)) as image:
            assert image.size == (picture.width, picture.height)
            assert max(image.size) <= 4096


def test_the_sheets_match_their_snapshots() -> None:
    stored = json.loads(SNAPSHOT_FILE.read_text(encoding="utf-8"))
    if stored["pillow"] != PIL.__version__:
        pytest.skip(f"drawn with Pillow {stored['pillow']}, this is {PIL.__version__}; {UPDATE_HINT}")
    digests = sheet_digests()
    changed = sorted(
        name for name in {*digests, *stored["pictures"]} if digests.get(name) != stored["pictures"].get(name)
    )
    assert not changed, f"{', '.join(changed)}: {UPDATE_HINT}"


def test_the_sample_game_has_figures_keeps_and_wall_tiles() -> None:
    position = play_compact_game("castle gallery 3", 117)
    assert {figure.segment.kind for figure in position.standing_figures()} >= {FeatureKind.COURT}
    assert any(position.keeps)
    assert any(position.hands)
    assert {mark.player for mark in marks_of(position)} == {0, 1}
