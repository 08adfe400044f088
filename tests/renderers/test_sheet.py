"""Pasting sprites with soft edges on a palette picture: the fast method gives the same pixels as Pillow.

A sheet is a picture that is being painted. A flat sheet is painted directly in the palette of its file, others in all
colours. A sprite is a small picture of one thing, such as a figure.
"""

import pytest
from PIL import Image

from renderers import DAY, NIGHT, Theme
from renderers.boards.sheet import Sheet
from renderers.caches import trimmed
from renderers.carcassonne.faces.landmarks import corner_tower
from renderers.palette import to_palette
from renderers.pieces import follower

SHEET_SIDE = 90
"""The side of the sheet in pixels."""


def paste_by_pillow(sheet: Sheet, sprite: Image.Image, corner: tuple[int, int]) -> Image.Image:
    """Return the expected picture: convert the area to RGB, blend the sprite, and convert back to the palette."""
    inner, (left, top) = trimmed(sprite)
    x, y = corner[0] + left, corner[1] + top
    picture = sheet.pixels.copy()
    below = picture.crop((x, y, x + inner.width, y + inner.height)).convert("RGB")
    below.paste(inner, (0, 0), inner)
    picture.paste(to_palette(below, sheet.theme), (x, y))
    return picture


@pytest.mark.parametrize("theme", [DAY, NIGHT])
@pytest.mark.parametrize("corner", [(20, 30), (-18, 10), (10, -25), (70, 80), (-60, 10), (SHEET_SIDE + 5, 3), (3, -80)])
def test_soft_sprites_are_blended_as_by_pillow(theme: Theme, corner: tuple[int, int]) -> None:
    sheet = Sheet((SHEET_SIDE, SHEET_SIDE), theme, theme.meadow, flat=True)
    sheet.fill((0, 0, SHEET_SIDE, SHEET_SIDE // 2), theme.street)
    for sprite in (corner_tower(theme, 96), follower(theme, 1, 64, lying=False)):
        expected = paste_by_pillow(sheet, sprite, corner)
        sheet.lay(sprite, corner)
        assert sheet.pixels.tobytes() == expected.tobytes()


def test_a_colour_is_laid_through_a_mask() -> None:
    sheet = Sheet((SHEET_SIDE, SHEET_SIDE), DAY, DAY.table, flat=True)
    sheet.write("B7", (SHEET_SIDE / 2, SHEET_SIDE / 2), 30, DAY.text)
    assert {DAY.table, DAY.text} < {colour for _, colour in sheet.pixels.convert("RGB").getcolors() or ()}


@pytest.mark.parametrize("flat", [True, False])
def test_sprites_pasted_together_look_as_pasted_one_by_one(flat: bool) -> None:
    sprites = [
        (corner_tower(DAY, 96), (-10, 4)),
        (follower(DAY, 1, 64, lying=False), (20, 30)),
        (follower(DAY, 2, 64, lying=True), (60, 55)),
        (follower(DAY, 3, 64, lying=False), (35, 36)),
        (corner_tower(DAY, 64), (30, 40)),
        (follower(DAY, 0, 64, lying=False), (SHEET_SIDE + 5, 3)),
        (follower(DAY, 4, 64, lying=False), (70, -20)),
    ]
    together, one_by_one = (Sheet((SHEET_SIDE, SHEET_SIDE), DAY, DAY.meadow, flat=flat) for _ in range(2))
    together.lay_each(sprites)
    for sprite, corner in sprites:
        one_by_one.lay(sprite, corner)
    assert together.pixels.tobytes() == one_by_one.pixels.tobytes()
    together.lay_each(())
    assert together.pixels.tobytes() == one_by_one.pixels.tobytes()
