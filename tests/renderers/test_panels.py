"""The pictures without a board."""

from __future__ import annotations

from itertools import pairwise

import pytest
from PIL import Image

from engine.carcassonne import tile
from renderers import PLAYER_MARKS, summary
from renderers.carcassonne import lots, remaining
from renderers.lettering.text import fitted, printable, text_mask
from renderers.theme import DAY, THEMES, Theme
from tests.renderers.looking import TILES, colour_at, gap, pixels, shown

LOTS = [tile(name) for name in ("base/D", "base/L", "base/M", "base/X", "bcb/CCRC", "base/B")]
NAMES = ["Ana", "Ben", "Cleo", "Dan", "Eva", "Finn"]


@pytest.mark.parametrize("count", range(1, 7))
def test_every_number_of_lots_has_a_picture(count: int) -> None:
    picture = lots(LOTS[:count], [-1] * count, 0, NAMES)
    assert picture.width <= 1000
    assert picture.height <= 1000
    assert pixels(picture).size == (picture.width, picture.height)


def test_the_current_lot_is_framed() -> None:
    pictures = [pixels(lots(LOTS[:4], [-1] * 4, current, NAMES)) for current in (-1, 0, 3)]
    framed = [shown(picture, DAY.highlight) for picture in pictures]
    assert framed[1] > framed[0] + 5000
    assert framed[2] > framed[0] + 5000
    assert pictures[1].tobytes() != pictures[2].tobytes()


def test_taken_lots_lie_face_down_and_show_what_they_are_in_small() -> None:
    free, taken = (pixels(lots(LOTS[:2], [-1, owner], -1, NAMES)) for owner in (-1, 0))
    assert shown(taken, DAY.spire_dark) > shown(free, DAY.spire_dark) + 8000
    others = {pixels(lots([LOTS[0], kind], [-1, 0], -1, NAMES)).tobytes() for kind in LOTS}
    assert len(others) == len(LOTS)


def test_taken_lots_carry_the_winners_mark() -> None:
    free = pixels(lots(LOTS[:3], [-1, -1, -1], 0, NAMES))
    for seat, mark in enumerate(PLAYER_MARKS):
        taken = pixels(lots(LOTS[:3], [-1, seat, -1], 0, NAMES))
        assert shown(taken, mark.colour) > shown(free, mark.colour) + 2500, mark


def test_what_is_left_is_counted_and_what_is_gone_is_dimmed() -> None:
    kinds = TILES[:5]
    full = pixels(remaining([(kind, 3) for kind in kinds]))
    gone = pixels(remaining([(kind, 0) for kind in kinds]))
    assert full.size == gone.size
    assert sum(full.convert("L").tobytes()) > 1.25 * sum(gone.convert("L").tobytes())


def test_all_kinds_fit_on_one_sheet() -> None:
    picture = remaining([(kind, kind.count) for kind in TILES])
    assert max(picture.width, picture.height) <= 1600


def test_bars_are_as_long_as_the_points() -> None:
    rows = [{"Cities": 40, "Roads": 10}, {"Cities": 20, "Roads": 5}]
    image = pixels(summary(["Ana", "Ben"], rows))
    bars = image.crop((360, 80, image.width, image.height))
    upper, lower = (bars.crop((0, top, bars.width, top + 96)) for top in (0, 96))
    for colour in DAY.categories[:2]:
        assert shown(upper, colour) == pytest.approx(2 * shown(lower, colour), rel=0.2)


def test_losses_go_to_the_left_of_gains() -> None:
    image = pixels(summary(["Ana"], [{"Cities": 30, "Bazaar": -10}]))
    row = {x: colour_at(image, x, 100) for x in range(360, image.width)}
    gains, losses = ([x for x, colour in row.items() if gap(colour, bar) < 12] for bar in DAY.categories[:2])
    assert max(losses) < min(gains)
    assert len(gains) == pytest.approx(3 * len(losses), rel=0.1)


def test_categories_in_which_nobody_scored_are_left_out() -> None:
    with_castles = summary(["Ana"], [{"Cities": 3, "Castles": 0}])
    without = summary(["Ana"], [{"Cities": 3}])
    assert with_castles.data == without.data


NINE = [str(number) for number in range(9)]


def bars(theme: Theme, *points: int) -> tuple[list[Image.Image], Image.Image]:
    """The parts of the bar of one player who has so many points in each of nine categories, and the whole picture."""
    image = pixels(summary(["Ana"], [dict(zip(NINE, points, strict=True))], theme=theme))
    top = 24 + 56 * -(-sum(map(bool, points)) // 4)
    ends = [360 + round(710 * sum(points[:end]) / sum(points)) for end in range(10)]
    pairs = [(left, right) for left, right in pairwise(ends) if right > left]
    return [image.crop((left, top + 17, right - 2, top + 79)) for left, right in pairs], image


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_a_category_keeps_its_colour_whoever_has_points(theme: Theme) -> None:
    every, _ = bars(theme, *[5] * 9)
    few, _ = bars(theme, 0, 0, 5, 0, 0, 5, 0, 5, 0)
    for part, index in zip(few, (2, 5, 7), strict=True):
        colour = theme.categories[index % 7]
        assert most_frequent(part) == most_frequent(every[index]) == colour


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_categories_that_share_a_colour_differ_by_stripes(theme: Theme) -> None:
    parts, image = bars(theme, *[5] * 9)
    for plain, striped in ((0, 7), (1, 8)):
        assert most_frequent(parts[plain]) == most_frequent(parts[striped]) == theme.categories[plain]
        assert shown(parts[striped], theme.panel) > 300 > shown(parts[plain], theme.panel)
        swatches = [image.crop(swatch(index)) for index in (plain, striped)]
        assert shown(swatches[1], theme.panel) > 100 > shown(swatches[0], theme.panel)


def swatch(index: int) -> tuple[int, int, int, int]:
    """Where the legend shows a category's colour."""
    x, y = 24 + index % 4 * 288, 36 + index // 4 * 56
    return x, y - 14, x + 36, y + 14


def most_frequent(part: Image.Image) -> tuple[int, ...]:
    """The colour of most pixels."""
    return max(part.getcolors(part.width * part.height) or [])[1]  # type: ignore[return-value]


def test_a_game_without_points_has_a_summary() -> None:
    assert pixels(summary(["Ana", "Ben"], [{"Cities": 0}, {"Cities": 0}])).width == 1200


def test_the_marks_follow_the_seats() -> None:
    rows = [{"Cities": 1}, {"Cities": 2}]
    assert summary(["Ana", "Ben"], rows).data == summary(["Ana", "Ben"], rows, [0, 1]).data
    assert summary(["Ana", "Ben"], rows).data != summary(["Ana", "Ben"], rows, [1, 0]).data


def test_letters_that_no_font_has_are_left_out() -> None:
    assert printable("Ana 💥 Ørsted ж") == "Ana Ørsted ж"
    assert printable("አበበ") == ""


def test_names_are_cut_to_fit() -> None:
    short = fitted("A name of thirty-two characters.", 32, 200)
    assert short.endswith("…")
    assert text_mask(short, 32).width <= 200
    assert fitted("Ana", 32, 200) == "Ana"
    assert fitted("W" * 5, 32, 1) == "…"


def test_a_table_of_nameless_players_can_be_drawn() -> None:
    assert pixels(lots(LOTS[:2], [0, 1])).width > 0
    assert pixels(summary(["💥"], [{"Cities": 3}])).width > 0
