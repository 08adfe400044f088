"""The pictures of The Castle: the turn card, remaining tiles, wall tiles and replays, and their limits.

A card is the message about a turn. Wall tiles are bonuses that players take from the wall; a keep marks a player's
largest house.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO

import pytest
from PIL import Image, ImageChops, ImageStat

from engine import Cell
from engine.the_castle import FeatureKind, WallTile, default_tile_set, wall
from gallery.contact_sheets import marks_of
from gallery.the_castle import play_compact_game
from renderers import PLAYER_MARKS, THEMES, Guides, Mark, caches, lettering, the_castle
from renderers.boards import sheet
from renderers.boards.sheet import paint_rim
from renderers.boards.view import PHONE_TYPE, PHONE_WIDTH
from renderers.caches import SpriteCache
from renderers.the_castle import cards, scenery, turn_card, whole_board
from renderers.the_castle.board import keep_place, paint_castle, tile_picture
from renderers.the_castle.faces.layout import anchor
from renderers.the_castle.wall import stretches
from renderers.theme import DAY, LONGEST_SIDE
from tests.renderers.image_checks import count_pixels, crop_cell, pixel_bytes, rgb_image
from tests.renderers.subprocess_digests import digests_of_two_processes
from tests.renderers.the_castle.boards import TILES, last_marks, position_after
from tests.renderers.the_castle.views import board_view, every_picture

MAX_FILE_BYTES = 2 * 2**20
"""The size that no picture may exceed."""
MAX_CARD_BYTES = 200 * 1024
"""The size that the picture of a turn may not exceed."""


# ---------------------------------------------------------------- the cache of sprites


def test_cards_of_several_games_share_cached_tiles(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw the cards of several games twice; the second time, all tiles (some sixty, in two sizes) are cached."""
    monkeypatch.setattr(caches, "SPRITE_CACHE", SpriteCache(caches.SPRITE_CACHE_BYTES))
    castles = [play_compact_game(f"kept {number}", 112) for number in range(4)]
    first = [turn_card(castle, marks_of(castle)) for castle in castles]
    assert caches.SPRITE_CACHE.weight < caches.SPRITE_CACHE_BYTES / 3

    def fail(*_args: object) -> None:
        raise AssertionError("a tile was drawn")

    monkeypatch.setattr(scenery, "_paint_buildings", fail)
    assert [turn_card(castle, marks_of(castle)) for castle in castles] == first


# ---------------------------------------------------------------- the turn card


@pytest.mark.parametrize("plies", [0, 40, 118])
def test_a_card_shows_the_newest_tile_in_the_width_of_a_phone(plies: int) -> None:
    """Scaled to a width of 340 CSS pixels, the card is 240 pixels high, and its coordinates are 11."""
    position = position_after(plies)
    picture, view = turn_card(position), cards.focus_view(position)
    assert all(placed.cell in view.window for placed in list(position.placed())[-1:])
    assert all(cell in cards.whole_window() for cell in view.window.cells)
    scale = PHONE_WIDTH / picture.width
    assert 240 <= picture.height * scale <= 250
    assert view.letter * scale >= PHONE_TYPE


def test_a_card_shows_the_drawn_tile_beside_the_castle() -> None:
    position = position_after(40)
    view, image = cards.focus_view(position), rgb_image(turn_card(position))
    assert position.hand is not None
    face = tile_picture(DAY, position.hand, 0, round(view.size * 1.6)).convert("RGB")
    strip = image.crop((view.width, 0, *image.size))
    part = face.crop((0, face.height // 2, face.width // 2, face.height))  # the badge covers none of it
    left = (strip.width - face.width) // 2
    windows = (strip.crop((left, y, left + part.width, y + part.height)) for y in range(strip.height - part.height))
    mean_differences = [ImageStat.Stat(ImageChops.difference(window, part)).mean for window in windows]
    assert min(map(max, mean_differences)) < 2


def test_the_whole_castle_is_in_the_picture_large_enough_for_a_phone() -> None:
    view = board_view(position_after(0))
    assert view.size >= 80
    assert all(cell in view.window for cell in (*stretches(), *wall().interior))


def test_the_newest_tile_has_the_strongest_frame() -> None:
    position = position_after(40)
    marks, view = last_marks(position), board_view(position)
    plain, marked = rgb_image(whole_board(position)), rgb_image(whole_board(position, marks))
    newest = list(position.placed())[-1]
    added = {
        mark.player: count_pixels(crop_cell(marked, view, mark.cell), PLAYER_MARKS[mark.player].colour)
        - count_pixels(crop_cell(plain, view, mark.cell), PLAYER_MARKS[mark.player].colour)
        for mark in marks
    }
    assert added[newest.player] > added[1 - newest.player] > view.size


def test_figures_show_their_players_colour_where_they_stand() -> None:
    position = position_after(80)
    image, view = rgb_image(whole_board(position)), board_view(position)
    figures = list(position.standing_figures())
    assert {figure.segment.kind for figure in figures} >= {FeatureKind.COURT}
    for figure in figures:
        colour = PLAYER_MARKS[figure.player].colour
        assert count_pixels(crop_cell(image, view, figure.cell), colour) > view.size**2 // 30, figure


def test_keeps_stand_on_their_houses() -> None:
    position = position_after(116)
    assert any(keep is not None for keep in position.keeps)
    image, view = rgb_image(whole_board(position)), board_view(position)
    for seat, keep in enumerate(position.keeps):
        place, house = keep_place(position, seat), position.house_of(seat)
        assert (place is None) == (keep is None)
        if place is not None and house is not None:
            assert place[0] in {cell for cell, _ in house.parts}
            x, y = view.at(*place)
            area = image.crop((x - 20, y - 24, x + 20, y + 24))
            assert count_pixels(area, PLAYER_MARKS[seat].colour) > 500


def test_the_words_below_the_whole_castle_are_legible_on_a_phone(monkeypatch: pytest.MonkeyPatch) -> None:
    """All type in the picture, with many wall tiles and a finished lap, has 11 CSS pixels at a width of 340."""
    position, sizes = position_after(40), list[int]()
    position.hands[0], position.scores[1] = tuple(WallTile)[1:], 117
    draw = lettering._mask_and_top

    def record_and_draw(text: str, size: int) -> tuple[Image.Image, float]:
        sizes.append(size)
        return draw(text, size)

    monkeypatch.setattr(lettering, "_mask_and_top", record_and_draw)
    monkeypatch.setattr(caches, "SPRITE_CACHE", SpriteCache(caches.SPRITE_CACHE_BYTES))
    monkeypatch.setattr(sheet, "_label_sprite", sheet._label_sprite.__wrapped__)
    picture = whole_board(position, last_marks(position))
    assert len(sizes) > 20
    assert min(sizes) * PHONE_WIDTH / picture.width >= PHONE_TYPE - 0.01


def test_a_dead_cell_is_marked() -> None:
    position = position_after(40)
    cell = next(position.open_cells())
    plain = rgb_image(whole_board(position))
    dead = rgb_image(whole_board(position, guides=Guides(dead=frozenset({cell}))))
    changed = ImageChops.difference(plain, dead).getbbox()
    left, top = board_view(position).at(cell)
    assert changed is not None
    assert left <= changed[0] < changed[2] <= left + board_view(position).size
    assert top <= changed[1] < changed[3] <= top + board_view(position).size


def test_the_rim_names_the_cells_of_the_castle() -> None:
    image = paint_castle(position_after(0), board_view(position_after(0)), DAY)
    before = image.pixels.copy()
    paint_rim(image)
    assert cards.whole_window().left == Cell.parse("A1").x
    assert ImageChops.difference(before, image.pixels).getbbox() is not None


# ---------------------------------------------------------------- limits, determinism, themes


@pytest.mark.parametrize("plies", [0, 30, 118])
def test_pictures_keep_within_the_limits(plies: int) -> None:
    position = position_after(plies)
    marks = last_marks(position)
    card = turn_card(position, marks)
    assert len(card.data) <= MAX_CARD_BYTES
    pictures = [card, whole_board(position, marks)]
    if position.hand is not None and plies:
        pictures += every_picture(position)
    for picture in pictures:
        assert max(picture.width, picture.height) <= LONGEST_SIDE
        assert len(picture.data) <= MAX_FILE_BYTES


def test_the_same_position_gives_the_same_pixels_in_any_thread() -> None:
    position = position_after(50)
    expected = [pixel_bytes(picture) for picture in every_picture(position)]
    with ThreadPoolExecutor(2) as pool:
        for pictures in [pool.submit(every_picture, position.copy()) for _ in range(2)]:
            assert [pixel_bytes(picture) for picture in pictures.result()] == expected


def test_the_same_position_gives_the_same_pixels_in_another_process() -> None:
    imports = "from tests.renderers.the_castle import boards, views"
    assert len(digests_of_two_processes(imports, "views.every_picture(boards.position_after(20))")) == 1


def test_every_picture_follows_the_theme() -> None:
    position = position_after(50)
    by_theme = [every_picture(position, theme) for theme in THEMES.values()]
    for same in zip(*by_theme, strict=True):
        assert len({picture.data for picture in same}) == len(THEMES)
        assert len({(picture.width, picture.height) for picture in same}) == 1


# ---------------------------------------------------------------- pictures without a board


def test_remaining_tiles_are_bright_and_placed_ones_dimmed() -> None:
    one_left, none_left = (rgb_image(the_castle.remaining([(kind, count) for kind in TILES])) for count in (1, 0))
    assert one_left.size == none_left.size
    assert max(one_left.size) <= LONGEST_SIDE
    assert sum(one_left.convert("L").tobytes()) > 1.8 * sum(none_left.convert("L").tobytes())
    assert rgb_image(the_castle.remaining([])).width > 0


@pytest.mark.parametrize("hands", [((), ()), ((WallTile.EXTRA_TURN,), ()), (tuple(WallTile)[1:], tuple(WallTile)[1:])])
def test_every_hand_of_wall_tiles_has_a_picture(hands: Sequence[Sequence[WallTile]]) -> None:
    picture = the_castle.wall_tiles(hands, ("Ana", "Ben"))
    assert max(picture.width, picture.height) <= LONGEST_SIDE
    assert pixel_bytes(picture) != pixel_bytes(the_castle.wall_tiles(hands, ("Cleo", "Dan")))


def test_a_replay_has_a_frame_for_each_position() -> None:
    positions = [position_after(plies) for plies in (0, 10, 20)]
    picture = the_castle.replay(positions, ("Ana", "Ben"))
    assert picture.filename == "replay.gif"
    with Image.open(BytesIO(picture.data)) as image:
        assert getattr(image, "n_frames", 1) == 3


@pytest.mark.parametrize("draw", [turn_card, whole_board])
def test_marks_of_cells_without_tiles_are_ignored(draw: Callable[..., object]) -> None:
    assert draw(position_after(10), [Mark(Cell(90, 90), 1)]) == draw(position_after(10))


def test_the_drawn_tiles_are_those_of_the_default_set() -> None:
    assert {kind.id for kind in TILES} == set(default_tile_set().kinds)
    kind = TILES[42]
    assert anchor(kind, 90, kind.faces[1].segments[0]) != anchor(kind, 0, kind.segments[0])
