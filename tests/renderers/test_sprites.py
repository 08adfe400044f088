"""The cache of sprites: its limit in bytes, eviction of the least recently used, and warming up.

A sprite is a small picture of one thing, such as a tile or a figure. It is drawn once and cached.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import product

import pytest
from PIL import Image

from engine.carcassonne import tile
from engine.carcassonne.expansions import DEFAULT_EXPANSIONS
from engine.carcassonne.expansions.abbot import ABBOT, GARDEN
from engine.carcassonne.expansions.bridges_castles_bazaars import axes_over_fields
from engine.carcassonne.tiles import TileKind
from engine.geometry import Cell
from renderers import DAY, NIGHT, Theme, caches
from renderers.caches import MASK_KEY, LargeSpriteCache, SpriteCache, cached_sprite
from renderers.carcassonne import cards, composer, scenery, turn_card, warm_up, whole_board
from renderers.carcassonne.figures import Ghost
from renderers.carcassonne.questions.bridges_castles_bazaars import lots
from renderers.carcassonne.scenery import flat_tile, tile_sprite
from tests.renderers.carcassonne.boards import board_with_castles, small_board, wide_board

SQUARE_BYTES = 10 * 10 * 6
"""The bytes that a sprite of ten by ten pixels counts for in a cache."""


@pytest.fixture
def empty_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replace the cache by an empty one for this test."""
    monkeypatch.setattr(caches, "SPRITE_CACHE", SpriteCache(caches.SPRITE_CACHE_BYTES))


def square() -> Image.Image:
    """Return a sprite of ten by ten pixels."""
    return Image.new("RGBA", (10, 10))


def test_the_least_recently_used_sprite_is_evicted() -> None:
    cache = SpriteCache(3 * SQUARE_BYTES)
    for name in "abc":
        cache.put(name, square())
    assert cache.get("a") is not None
    cache.put("d", square())
    assert [name for name in "abcd" if cache.get(name)] == ["a", "c", "d"]
    assert cache.weight == 3 * SQUARE_BYTES


def test_a_sprite_that_two_threads_drew_counts_once() -> None:
    cache = SpriteCache(3 * SQUARE_BYTES)
    cache.put("a", square())
    cache.put("a", square())
    assert cache.weight == SQUARE_BYTES


def test_a_single_sprite_above_the_limit_is_kept() -> None:
    cache = SpriteCache(1)
    cache.put("a", square())
    assert cache.get("a") is not None


def test_a_cleared_cache_has_no_size() -> None:
    cache = SpriteCache(3 * SQUARE_BYTES)
    cache.put("a", square())
    cache.clear()
    assert (cache.weight, cache.get("a")) == (0, None)


@pytest.mark.usefixtures("empty_cache")
def test_a_sprite_is_drawn_once_for_the_same_arguments() -> None:
    calls: list[tuple[Theme, int, bool]] = []

    @cached_sprite
    def draw(theme: Theme, size: int, *, lying: bool = False) -> Image.Image:
        calls.append((theme, size, lying))
        return square()

    for theme, size, lying in ((DAY, 1, False), (DAY, 1, False), (NIGHT, 1, False), (DAY, 2, False), (DAY, 1, True)):
        draw(theme, size, lying=lying)
    assert calls == [(DAY, 1, False), (NIGHT, 1, False), (DAY, 2, False), (DAY, 1, True)]


@pytest.mark.usefixtures("empty_cache")
def test_after_warming_up_neither_cards_nor_trials_draw_a_tile(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tile in hand is included, except on small boards, whose cards enlarge it and draw it on demand."""
    position, first = wide_board(12, 10), board_with_castles()
    assert position.hand is not None
    first.agenda.clear()
    for _ in warm_up(NIGHT):
        pass
    assert caches.SPRITE_CACHE.weight < caches.SPRITE_CACHE_BYTES / 2

    def fail(*_args: object) -> None:
        raise AssertionError("a tile was drawn")

    monkeypatch.setattr(scenery, "_draw_buildings", fail)
    for board in (position, first):
        assert turn_card(board, theme=NIGHT).data
        assert whole_board(board, theme=NIGHT).data
    ghost = Ghost(Cell(12, 0), position.hand, 90)
    assert composer(position, ghost=ghost, turns=(0, 90, 180, 270), theme=NIGHT).data
    with pytest.raises(AssertionError, match="a tile was drawn"):
        turn_card(first, theme=DAY)


@pytest.mark.usefixtures("empty_cache")
def test_after_warming_up_neither_lots_nor_tiles_below_bridges_are_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """A monastery or village makes way for a bridge, so such a tile has a sprite of its own."""
    position, kinds = board_with_castles(), [tile(name) for name in ("base/A", "base/B", "bcb/RFRF-b", "bcb/CFRF")]
    for _ in warm_up(NIGHT):
        pass
    monkeypatch.setattr(scenery, "_draw_buildings", lambda *_: pytest.fail("a tile was drawn"))
    for count in range(1, len(kinds) + 1):
        assert lots(position, kinds[:count], [-1] * count, theme=NIGHT).data
    bridged = [
        tile_sprite(NIGHT, kind, face.rotation, size, axis)
        for kind, size in product(kinds, cards.WARM_SIZES)
        for face in kind.faces
        for axis in axes_over_fields(face)
    ]
    assert len(bridged) > len(cards.WARM_SIZES) * len(kinds)


@pytest.mark.parametrize(("boxes", "has_gardens"), [(DEFAULT_EXPANSIONS, False), ((*DEFAULT_EXPANSIONS, ABBOT), True)])
def test_tiles_of_later_editions_are_drawn_ahead_for_a_box_that_plays_them(
    monkeypatch: pytest.MonkeyPatch, boxes: tuple[str, ...], *, has_gardens: bool
) -> None:
    drawn: set[TileKind] = set()
    monkeypatch.setattr(cards, "tile_sprite", lambda _theme, kind, *_: drawn.add(kind))
    monkeypatch.setattr(cards, "drawn_tile", lambda _theme, kind, _size: drawn.add(kind))
    monkeypatch.setattr(cards, "flat_tile", lambda _theme, kind, _rotation, _size, _span: drawn.add(kind))
    for _ in warm_up(DAY, boxes):
        pass
    assert drawn
    assert any(segment.kind == GARDEN.name for kind in drawn for segment in kind.segments) is has_gardens


def test_sprites_share_one_palette() -> None:
    first, second = (tile_sprite(DAY, kind, 0, 96) for kind in (tile("base/B"), tile("base/U")))
    assert first.palette is second.palette is not None


def test_threads_may_draw_concurrently(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(caches, "SPRITE_CACHE", SpriteCache(40 * 2**10))  # everything is evicted
    with ThreadPoolExecutor(4) as pool:
        cards = list(pool.map(lambda _: turn_card(small_board()), range(4)))
    assert len({card.data for card in cards}) == 1
    assert caches.SPRITE_CACHE.weight <= 128 * 128 * 6


def test_large_sprites_have_a_cache_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(caches, "SPRITE_CACHE", SpriteCache(3 * SQUARE_BYTES))
    monkeypatch.setattr(caches, "LARGE_SPRITE_CACHE", LargeSpriteCache(1))
    calls: list[int] = []

    @cached_sprite
    def sprite(side: int) -> Image.Image:
        calls.append(side)
        return Image.new("RGB", (side, side))

    for side in (10, 400, 300, 300, 10):
        assert sprite(side).width == side
    assert calls == [10, 400, 300]
    assert caches.SPRITE_CACHE.weight == SQUARE_BYTES


@pytest.mark.parametrize(
    ("sprite", "weight"),
    [(flat_tile(DAY, tile("base/B"), 0, 504, None), 0), (tile_sprite(DAY, tile("base/D"), 0, 170), 170 * 170)],
)
def test_a_large_sprite_is_compressed_and_comes_back_unchanged(sprite: Image.Image, weight: int) -> None:
    cache = LargeSpriteCache(2**20)
    cache.put("a", sprite)
    unpacked = cache.get("a")
    assert unpacked is not None
    assert unpacked == sprite
    assert unpacked.info.get(MASK_KEY) == sprite.info.get(MASK_KEY)
    assert weight < cache.weight < weight + sprite.width * sprite.height / 4
