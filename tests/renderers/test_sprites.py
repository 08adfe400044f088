"""The cache of sprites: its limit, and eviction of the least recently used."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from PIL import Image

from engine.carcassonne import tile
from renderers import DAY, NIGHT, Theme, caches
from renderers.caches import SpriteCache, cached_sprite
from renderers.carcassonne import scenery, turn_card, warm_up
from renderers.carcassonne.scenery import tile_sprite
from tests.renderers.carcassonne.boards import board_with_castles, small_board, wide_board

SQUARE = 10 * 10 * 6


@pytest.fixture
def nothing_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """A cache of this test alone."""
    monkeypatch.setattr(caches, "SPRITE_CACHE", SpriteCache(caches.SPRITE_CACHE_BYTES))


def square() -> Image.Image:
    return Image.new("RGBA", (10, 10))


def test_the_longest_unused_goes_first() -> None:
    cache = SpriteCache(3 * SQUARE)
    for name in "abc":
        cache.put(name, square())
    assert cache.get("a") is not None
    cache.put("d", square())
    assert [name for name in "abcd" if cache.get(name)] == ["a", "c", "d"]
    assert cache.weight == 3 * SQUARE


def test_a_sprite_that_two_threads_drew_counts_once() -> None:
    cache = SpriteCache(3 * SQUARE)
    cache.put("a", square())
    cache.put("a", square())
    assert cache.weight == SQUARE


def test_one_sprite_larger_than_everything_is_still_kept() -> None:
    cache = SpriteCache(1)
    cache.put("a", square())
    assert cache.get("a") is not None


def test_what_is_forgotten_weighs_nothing() -> None:
    cache = SpriteCache(3 * SQUARE)
    cache.put("a", square())
    cache.clear()
    assert (cache.weight, cache.get("a")) == (0, None)


@pytest.mark.usefixtures("nothing_kept")
def test_a_sprite_is_drawn_once_for_the_same_arguments() -> None:
    drawn: list[tuple[Theme, int, bool]] = []

    @cached_sprite
    def draw(theme: Theme, size: int, *, lying: bool = False) -> Image.Image:
        drawn.append((theme, size, lying))
        return square()

    for theme, size, lying in ((DAY, 1, False), (DAY, 1, False), (NIGHT, 1, False), (DAY, 2, False), (DAY, 1, True)):
        draw(theme, size, lying=lying)
    assert drawn == [(DAY, 1, False), (NIGHT, 1, False), (DAY, 2, False), (DAY, 1, True)]


@pytest.mark.usefixtures("nothing_kept")
def test_after_warming_up_a_card_draws_no_tile_of_the_board(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor the one that is to be laid; where few tiles lie that is shown larger, and drawn when it is."""
    position, first = wide_board(12, 10), board_with_castles()
    assert position.hand is not None
    first.agenda.clear()
    for _ in warm_up(NIGHT):
        pass
    assert caches.SPRITE_CACHE.weight < caches.SPRITE_CACHE_BYTES / 2

    def fail(*_args: object) -> None:
        raise AssertionError("a tile was drawn")

    monkeypatch.setattr(scenery, "_draw_buildings", fail)
    assert turn_card(position, theme=NIGHT).board.data
    assert turn_card(first, theme=NIGHT).board.data
    with pytest.raises(AssertionError, match="a tile was drawn"):
        turn_card(first, theme=DAY)


def test_sprites_share_one_palette() -> None:
    one, other = (tile_sprite(DAY, kind, 0, 96) for kind in (tile("base/B"), tile("base/U")))
    assert one.palette is other.palette is not None


def test_many_threads_may_draw_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(caches, "SPRITE_CACHE", SpriteCache(40 * 2**10))  # everything is evicted
    with ThreadPoolExecutor(4) as pool:
        cards = list(pool.map(lambda _: turn_card(small_board()), range(4)))
    assert len({card.focus.data for card in cards}) == 1
    assert caches.SPRITE_CACHE.weight <= 128 * 128 * 6


def test_what_is_enlarged_pushes_nothing_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(caches, "SPRITE_CACHE", SpriteCache(3 * SQUARE))
    monkeypatch.setattr(caches, "LARGE_SPRITE_CACHE", SpriteCache(1))
    drawn: list[int] = []

    @cached_sprite
    def sprite(side: int) -> Image.Image:
        drawn.append(side)
        return Image.new("RGB", (side, side))

    for side in (10, 400, 300, 300, 10):
        assert sprite(side).width == side
    assert drawn == [10, 400, 300]
    assert caches.SPRITE_CACHE.weight == SQUARE
