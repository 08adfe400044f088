"""The drawings of Inns & Cathedrals: big followers, inns and cathedrals are visible and in the right place.

An inn stands beside a road, a cathedral in a city; the big follower counts for two.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise, product

import pytest
from PIL import Image, ImageChops, ImageDraw

from engine import Cell
from engine.carcassonne import FeatureKind, Position, Segment, TileKind, tile
from engine.carcassonne.expansions import BCB, INNS_CATHEDRALS, OFFERED_TILE_SETS, OTHER_TILE_SETS
from engine.carcassonne.expansions.inns_cathedrals import has_inn
from gallery.built_positions import arrange
from gallery.carcassonne import crossings
from renderers import DAY, PLAYER_MARKS, THEMES, FigurePlace, Picture, Theme
from renderers.boards.view import Window, fitting_view
from renderers.canvas import Point, Polyline, distance
from renderers.carcassonne import Ghost, composer, inset, remaining, turn_card
from renderers.carcassonne.board import paint_board
from renderers.carcassonne.boxes.inns_cathedrals import CATHEDRAL_BOUNDS, Cathedral, Inn, inn_outline
from renderers.carcassonne.faces.layout import SPAN_WIDTH
from renderers.carcassonne.faces.lines import ROAD_WIDTH
from renderers.carcassonne.figures import anchor, figure, layout_of, place_on, within_figure_tile
from renderers.carcassonne.inset import lettered_inset, tile_picture
from renderers.carcassonne.questions.bridges_castles_bazaars import lots
from tests.renderers.image_checks import (
    PHONE_CELL_PIXELS,
    ROTATIONS,
    TILES,
    colour_distance,
    count_pixels,
    rgb_image,
    silhouette,
)

BIG_FOLLOWER = "big-follower"
"""The name of the figure."""
MIN_SIZE_RATIO = 1.25
"""The least size of a big follower relative to a follower, in both directions."""
SEATS = range(len(PLAYER_MARKS))
"""The seats of all players."""


@pytest.mark.parametrize("size", [128, PHONE_CELL_PIXELS])
@pytest.mark.parametrize(("seat", "lying"), list(product(SEATS, (False, True))))
def test_the_big_follower_is_larger_than_a_follower(seat: int, lying: bool, size: int) -> None:
    small, big = (silhouette(DAY, seat, name, size, lying=lying).size for name in ("follower", BIG_FOLLOWER))
    assert all(larger + 1 >= MIN_SIZE_RATIO * other for larger, other in zip(big, small, strict=True))  # within a pixel


@pytest.mark.parametrize("seat", SEATS)
def test_the_big_follower_has_an_outline_of_its_own(seat: int) -> None:
    """Other figures, enlarged to the same size, differ from it by more than 5 % of its area."""
    big = silhouette(DAY, seat, BIG_FOLLOWER)
    for name in ("follower", "builder", "pig"):
        other = silhouette(DAY, seat, name).resize(big.size, Image.Resampling.NEAREST)
        different_pixels = ImageChops.difference(big, other).histogram()[255]
        assert different_pixels > 0.05 * big.width * big.height, name


@pytest.mark.parametrize("theme", THEMES.values(), ids=lambda theme: theme.name)
@pytest.mark.parametrize("seat", SEATS)
def test_the_big_follower_has_two_visible_bands_even_on_a_phone(seat: int, theme: Theme) -> None:
    sprite = figure(theme, seat, PHONE_CELL_PIXELS, BIG_FOLLOWER).convert("L")
    column = [sprite.getpixel((round(sprite.width * 0.4), y)) for y in range(sprite.height // 2, sprite.height)]
    values = [value for value in column if isinstance(value, int)]
    mark = PLAYER_MARKS[seat]
    ink, colour = (Image.new("RGB", (1, 1), value).convert("L").getpixel((0, 0)) for value in (mark.ink, mark.colour))
    assert isinstance(ink, int)
    assert isinstance(colour, int)
    near = "".join("i" if abs(value - ink) < abs(value - colour) else "c" for value in values)
    bands = [part for part in near.split("c") if part]
    assert len(bands) >= 2, near


@pytest.mark.parametrize("lying", [False, True])
def test_the_big_follower_stays_within_its_tile(lying: bool) -> None:
    size = 128
    for corner in product((0.0, 1.0), repeat=2):
        x, y = within_figure_tile(corner, BIG_FOLLOWER, lying=lying)
        width, height = silhouette(DAY, 0, BIG_FOLLOWER, size, lying=lying).size
        assert -0.06 * size <= x * size - width / 2 <= x * size + width / 2 <= 1.06 * size
        assert -0.06 * size <= y * size - height / 2 <= y * size + height / 2 <= 1.06 * size
        assert (
            colour_distance((round(x * 100),), (round(within_figure_tile(corner, "follower", lying=lying)[0] * 100),))
            > 3
        )


def test_no_figure_hides_the_letter_of_another_place(monkeypatch: pytest.MonkeyPatch) -> None:
    """Put figures on all places of a ghost; the disc behind each letter stays whole.

    Each figure stands where it does among all of them, also in the picture in which it is alone.
    """
    kind, size = tile("ic/RRRR"), 400
    places = [
        FigurePlace(letter, segment, BIG_FOLLOWER)
        for letter, segment in zip("ABCDEFGHI", kind.faces[0].segments, strict=False)
    ]
    ghost = Ghost(Cell(0, 0), kind, 0)
    among = {entry.letter: place_on(ghost, entry, places) for entry in places}
    monkeypatch.setattr(inset, "place_on", lambda _ghost, entry, _chosen: among[entry.letter])
    position = arrange(players=2, tiles=["base/D 0,0 0"])
    alone = [lettered_inset(ghost, [entry], size, DAY, position) for entry in places]
    together = lettered_inset(ghost, places, size, DAY, position)
    for picture, entry in zip(alone, places, strict=True):
        x, y = within_figure_tile(among[entry.letter], BIG_FOLLOWER, lying=entry.segment.kind is FeatureKind.FIELD)
        at = (round((x + (0.28 if x < 0.5 else -0.28)) * size), round(y * size))
        area = (at[0] - 20, at[1] - 20, at[0] + 20, at[1] + 20)
        assert ImageChops.difference(picture.crop(area), together.crop(area)).getbbox() is None, entry.letter


INN_TILES = [kind for kind in TILES if any(has_inn(segment) for segment in kind.segments)]
"""The tiles with inns."""
every_inn_tile = pytest.mark.parametrize("kind", INN_TILES, ids=lambda kind: kind.id)
CATHEDRAL_TILE = tile("ic/CCCC-b")
"""A tile with a cathedral."""
SIZE = 128
"""The side of a tile in pixels."""


@every_inn_tile
def test_an_inn_stands_in_a_field_beside_its_road(kind: TileKind) -> None:
    """Check that the inn lies wholly on its tile, off all roads, and nearer to its own road than to any other."""
    for rotation in ROTATIONS:
        layout = layout_of(kind, rotation)
        (inn,) = layout.printed(Inn)
        face, ground = layout.features.face, layout.features.ground
        own = next(road for road in layout.features.roads if has_inn(face.segments[road.segment]))
        assert {face.kinds[ground.owner(point)] for point in inn_outline(inn)} == {FeatureKind.FIELD}
        assert min(inn.bounds) >= 0.0
        assert max(inn.bounds) <= 1.0
        edge = min(distance(point, place) for point in own.line for place in inn_outline(inn)) - ROAD_WIDTH / 2
        assert -0.02 <= edge <= 0.14, (rotation, edge)
        near = {road.segment: min(distance(inn.at, point) for point in road.line[:4]) for road in layout.features.roads}
        assert near[own.segment] == min(near.values()), rotation


@every_inn_tile
@pytest.mark.parametrize("theme", THEMES.values(), ids=lambda theme: theme.name)
def test_pond_roof_and_sign_of_an_inn_are_visible(kind: TileKind, theme: Theme) -> None:
    for rotation, size in product(ROTATIONS, (SIZE, PHONE_CELL_PIXELS)):
        (inn,) = layout_of(kind, rotation).printed(Inn)
        area = tuple(round(part * size) for part in inn.bounds)
        picture = tile_picture(theme, kind, rotation, size).crop((area[0], area[1], area[2], area[3]))
        across = size * inn.size
        assert count_pixels(picture, theme.water, 30) > 0.008 * across**2
        assert count_pixels(picture, theme.roofs[0][0], 30) > 0.004 * across**2
        assert count_pixels(picture, theme.highlight, 40) > 0.0005 * across**2


def test_an_inn_has_the_same_size_wherever_there_is_room() -> None:
    """Allow inns on crowded tiles to be smaller, by 15 % at most."""
    large = [layout_of(kind, rotation).printed(Inn)[0].size for kind, rotation in product(INN_TILES, ROTATIONS)]
    assert min(large) >= 0.85
    assert sum(size == 1.0 for size in large) > 0.8 * len(large)


def covered_share(line: Polyline, kind: TileKind, rotation: int, segment: Segment, name: str) -> float:
    """Return the share of a shape that a figure on a segment hides."""
    shape = Image.new("L", (SIZE, SIZE))
    ImageDraw.Draw(shape).polygon([(x * SIZE, y * SIZE) for x, y in line], fill=255)
    lying = segment.kind is FeatureKind.FIELD
    x, y = within_figure_tile(anchor(kind, rotation, segment), name, lying=lying)
    sprite = figure(DAY, 0, SIZE, name, lying=lying).getchannel("A").point(lambda alpha: 255 * (alpha > 200))
    over = Image.new("L", (SIZE, SIZE))
    over.paste(255, (round(x * SIZE) - sprite.width // 2, round(y * SIZE) - sprite.height // 2), sprite)
    return ImageChops.multiply(shape, over).histogram()[255] / shape.histogram()[255]


def inn_frame(inn: Inn) -> Polyline:
    """Return the rectangle around an inn as a line."""
    left, top, right, bottom = inn.bounds
    return ((left, top), (right, top), (right, bottom), (left, bottom))


@every_inn_tile
def test_no_follower_hides_an_inn(kind: TileKind) -> None:
    """Require half of the inn to be visible beside a follower, and a fifth beside a big follower."""
    for rotation in ROTATIONS:
        (inn,) = layout_of(kind, rotation).printed(Inn)
        for segment in kind.faces[rotation // 90].segments:
            small, big = (
                covered_share(inn_frame(inn), kind, rotation, segment, name) for name in ("follower", BIG_FOLLOWER)
            )
            assert small <= 0.5, (rotation, segment.name)
            assert big <= 0.8, (rotation, segment.name)


def test_no_bridge_covers_an_inn() -> None:
    crossed = 0
    for kind, rotation, axis in crossings((*OFFERED_TILE_SETS, *OTHER_TILE_SETS)):
        for inn in layout_of(kind, rotation, axis).printed(Inn):
            crossed += 1
            across = [point[axis.name == "WE"] for point in inn_outline(inn)]
            clear = max(0.5 - max(across), min(across) - 0.5)
            assert clear >= 0.4 * SPAN_WIDTH, (kind.id, rotation)
    assert crossed >= 4


def footprint(at: Point) -> Polyline:
    """Return the corners of a cathedral, from its square to the tips of its towers."""
    left, top, right, bottom = CATHEDRAL_BOUNDS
    return tuple((at[0] + x, at[1] + y) for x, y in ((left, top), (right, top), (right, bottom), (left, bottom)))


def test_a_cathedral_stands_within_its_city_with_its_follower_beside_it() -> None:
    for rotation in ROTATIONS:
        layout = layout_of(CATHEDRAL_TILE, rotation)
        (at,) = (cathedral.at for cathedral in layout.printed(Cathedral))
        assert {layout.features.ground.owner(corner) for corner in footprint(at)} == {0}
        assert all(0.0 <= x <= 1.0 and 0.0 <= y <= 1.0 for x, y in footprint(at))
        (city,) = layout.features.face.segments
        assert covered_share(footprint(at), CATHEDRAL_TILE, rotation, city, "follower") < 0.03
        assert covered_share(footprint(at), CATHEDRAL_TILE, rotation, city, BIG_FOLLOWER) < 0.2


def test_no_house_stands_in_front_of_a_cathedral() -> None:
    layout = layout_of(CATHEDRAL_TILE, 0)
    left, top, right, bottom = (
        footprint(layout.printed(Cathedral)[0].at)[corner][axis] for corner in (0, 2) for axis in (0, 1)
    )
    assert not [(x, y) for x, y in layout.houses if left < x < right and top + 0.3 < y < bottom]
    assert len(layout.houses) > 8


def test_a_cathedral_is_larger_than_a_monastery_and_never_turns() -> None:
    monastery = 0.49
    """Height from the foot of the walls to the tip of the spire, in tiles."""
    assert CATHEDRAL_BOUNDS[3] - CATHEDRAL_BOUNDS[1] >= 1.25 * monastery
    pictures = [tile_picture(DAY, CATHEDRAL_TILE, rotation, SIZE) for rotation in ROTATIONS]
    assert all(ImageChops.difference(first, second).getbbox() is None for first, second in pairwise(pictures))


@pytest.mark.parametrize("theme", THEMES.values(), ids=lambda theme: theme.name)
@pytest.mark.parametrize("size", [SIZE, PHONE_CELL_PIXELS])
def test_a_cathedral_is_visible_on_a_board_and_on_a_phone(theme: Theme, size: int) -> None:
    """Its stone and its blue roofs occur on no other city tile."""
    city = tile_picture(theme, tile("base/C"), 0, size)
    picture = tile_picture(theme, CATHEDRAL_TILE, 0, size)
    for colour, share in ((theme.stone_light, 0.03), (theme.spire, 0.015)):
        assert count_pixels(picture, colour, 20) > count_pixels(city, colour, 20) + share * size**2


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_inns_of_other_boxes_are_faded_where_they_do_not_count(theme: Theme) -> None:
    """Rule IX-03; nothing but the inn looks different."""
    tiles, cell = ("base/D 0,0 0", "bcb/RFRF-b 1,0 0", "bcb/RFRF-b 2,0 90"), Cell(1, 0)
    boards = [arrange(players=2, tiles=tiles, expansions=(BCB, *more)) for more in ((INNS_CATHEDRALS,), ())]
    view = fitting_view(Window(0, -1, 3, 3))
    counting, idle = (paint_board(position, view, theme).pixels.convert("RGB") for position in boards)
    changed = ImageChops.difference(counting, idle).crop((*view.at(cell), *view.at(cell, (1.0, 1.0)))).getbbox()
    assert changed is not None
    [inn] = layout_of(tile("bcb/RFRF-b"), 0).printed(Inn)
    left, top, right, bottom = (edge * view.size for edge in inn.bounds)
    margin = 0.06 * view.size
    assert changed[0] >= left - margin
    assert changed[1] >= top - margin
    assert changed[2] <= right + margin
    assert changed[3] <= bottom + margin
    plain = (*view.at(Cell(0, 0)), *view.at(Cell(0, 0), (1.0, 1.0)))
    assert ImageChops.difference(counting, idle).crop(plain).getbbox() is None


IDLE_INN = tile("bcb/RFRF-b")
"""A tile of *Bridges, Castles & Bazaars* with an inn."""
PICTURES_WITH_THE_TILE: dict[str, Callable[[Position], Picture]] = {
    "drawn": turn_card,
    "spots": lambda position: composer(position, [Cell(1, 0)]),
    "lots": lambda position: lots(position, [IDLE_INN, IDLE_INN], [-1, 0]),
    "tiles left": lambda position: remaining([(IDLE_INN, 1)], position=position),
}
"""Pictures in which that tile is not on the board."""


@pytest.mark.parametrize("name", PICTURES_WITH_THE_TILE)
def test_an_inn_that_does_not_count_is_faded_wherever_its_tile_is_shown(name: str) -> None:
    """Rule IX-03. Regression: it was faded only on the board."""
    counting, idle = (rgb_image(PICTURES_WITH_THE_TILE[name](position)) for position in positions_with_an_inn())
    assert ImageChops.difference(counting, idle).getbbox() is not None


def positions_with_an_inn() -> list[Position]:
    """Return two positions with that tile in hand: at a table where its inn counts, and at one where it does not."""
    return [
        arrange(players=2, tiles=["base/D 0,0 0"], hand=IDLE_INN.id, pile=["base/V"], expansions=(BCB, *more))
        for more in ((INNS_CATHEDRALS,), ())
    ]


def test_an_inn_that_does_not_count_is_faded_in_each_part_of_a_trial() -> None:
    """Rule IX-03: on the board, on the enlarged tile beside it, and in each rotation below."""
    counting, idle = (
        rgb_image(composer(position, ghost=Ghost(Cell(1, 0), IDLE_INN, 0), turns=(0, 90)))
        for position in positions_with_an_inn()
    )
    changed = ImageChops.difference(counting, idle)
    width, height = changed.size
    below = round(height * 0.72)
    parts = [(0, 0, width // 2, below), (width // 2, 0, width, below), (0, below, width // 4, height)]
    parts.append((width // 4, below, width, height))
    assert all(changed.crop(part).getbbox() is not None for part in parts)
