"""Mixing colours in the few pixels below something soft: the same as Pillow's images do, by way of its core."""

import pytest
from PIL import Image

from renderers import DAY, NIGHT, Theme
from renderers.boards.sheet import Sheet
from renderers.caches import trimmed
from renderers.carcassonne.faces.landmarks import corner_tower
from renderers.palette import to_palette
from renderers.pieces import follower

SIDE = 90


def slowly(sheet: Sheet, sprite: Image.Image, corner: tuple[int, int]) -> Image.Image:
    """Return the expected pixels: those below the sprite in RGB, the sprite blended, and the palette again."""
    inner, (left, top) = trimmed(sprite)
    x, y = corner[0] + left, corner[1] + top
    picture = sheet.pixels.copy()
    below = picture.crop((x, y, x + inner.width, y + inner.height)).convert("RGB")
    below.paste(inner, (0, 0), inner)
    picture.paste(to_palette(below, sheet.theme), (x, y))
    return picture


@pytest.mark.parametrize("theme", [DAY, NIGHT])
@pytest.mark.parametrize("corner", [(20, 30), (-18, 10), (10, -25), (70, 80), (-60, 10), (SIDE + 5, 3), (3, -80)])
def test_what_is_soft_is_mixed_as_images_mix_it(theme: Theme, corner: tuple[int, int]) -> None:
    sheet = Sheet((SIDE, SIDE), theme, theme.meadow, flat=True)
    sheet.fill((0, 0, SIDE, SIDE // 2), theme.street)
    for sprite in (corner_tower(theme, 96), follower(theme, 1, 64, lying=False)):
        expected = slowly(sheet, sprite, corner)
        sheet.lay(sprite, corner)
        assert sheet.pixels.tobytes() == expected.tobytes()


def test_a_colour_is_laid_through_a_mask() -> None:
    sheet = Sheet((SIDE, SIDE), DAY, DAY.table, flat=True)
    sheet.write("B7", (SIDE / 2, SIDE / 2), 30, DAY.text)
    assert {DAY.table, DAY.text} < {colour for _, colour in sheet.pixels.convert("RGB").getcolors() or ()}


@pytest.mark.parametrize("flat", [True, False])
def test_sprites_laid_together_look_as_if_laid_one_after_the_other(flat: bool) -> None:
    sprites = [
        (corner_tower(DAY, 96), (-10, 4)),
        (follower(DAY, 1, 64, lying=False), (20, 30)),
        (follower(DAY, 2, 64, lying=True), (60, 55)),
        (follower(DAY, 3, 64, lying=False), (35, 36)),
        (corner_tower(DAY, 64), (30, 40)),
        (follower(DAY, 0, 64, lying=False), (SIDE + 5, 3)),
        (follower(DAY, 4, 64, lying=False), (70, -20)),
    ]
    together, apart = (Sheet((SIDE, SIDE), DAY, DAY.meadow, flat=flat) for _ in range(2))
    together.lay_each(sprites)
    for sprite, corner in sprites:
        apart.lay(sprite, corner)
    assert together.pixels.tobytes() == apart.pixels.tobytes()
    together.lay_each(())
    assert together.pixels.tobytes() == apart.pixels.tobytes()
