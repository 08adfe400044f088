"""The contact sheets of The Castle show everything."""

from __future__ import annotations

from io import BytesIO

from PIL import Image

from engine.the_castle import FeatureKind
from renderers.the_castle.gallery import marks_of, played, sheets
from renderers.theme import NIGHT

KINDS = (
    *("tiles", "pieces", "early", "middle", "late"),
    *("focus", "composer", "ghost", "order", "wall-tiles", "left"),
)


def test_there_is_a_sheet_of_everything() -> None:
    found = dict(sheets([NIGHT]))
    assert set(found) == {f"castle-{kind}-night.png" for kind in KINDS}
    for picture in found.values():
        with Image.open(BytesIO(picture.data)) as image:
            assert image.size == (picture.width, picture.height)
            assert max(image.size) <= 4096


def test_the_game_that_is_shown_has_something_to_show() -> None:
    position = played("castle gallery 3", 117)
    assert {figure.segment.kind for figure in position.standing()} >= {FeatureKind.COURT}
    assert any(position.keeps)
    assert any(position.hands)
    assert {mark.player for mark in marks_of(position)} == {0, 1}
