"""The drawing of the phantom, and two figures on one tile, as it allows them."""

from __future__ import annotations

from itertools import combinations

import pytest
from PIL import Image, ImageChops

from engine import Cell
from engine.actions import FOLLOWER
from engine.carcassonne import FeatureKind, Segment, TileKind, tile
from engine.carcassonne.expansions import PHANTOM
from gallery.built_positions import arrange
from renderers import DAY, PLAYER_MARKS, THEMES, FigurePlace, Theme
from renderers.canvas import Point, distance
from renderers.carcassonne import Ghost
from renderers.carcassonne.figures import FIGURES, anchor, figure, layout_of, place_of, place_on
from tests.renderers.image_checks import PHONE_CELL_PIXELS, ROTATIONS, TILES, silhouette

SEATS = range(len(PLAYER_MARKS))
"""The seats of all players."""


@pytest.mark.parametrize("lying", [False, True])
@pytest.mark.parametrize("seat", SEATS)
def test_the_phantom_has_an_outline_of_its_own(seat: int, lying: bool) -> None:
    """Other figures, enlarged to the same size, differ from it by more than 5 % of its area."""
    phantom = silhouette(DAY, seat, PHANTOM, lying=lying)
    for name in FIGURES.keys() - {PHANTOM}:
        other = silhouette(DAY, seat, name, lying=lying).resize(phantom.size, Image.Resampling.NEAREST)
        different_pixels = ImageChops.difference(phantom, other).histogram()[255]
        assert different_pixels > 0.05 * phantom.width * phantom.height, name


@pytest.mark.parametrize("theme", THEMES.values(), ids=lambda theme: theme.name)
def test_the_phantoms_of_two_players_differ_in_shape_even_on_a_phone(theme: Theme) -> None:
    """The player's shape is on the sheet, so colours are not needed to tell them apart."""
    sprites = [figure(theme, seat, PHONE_CELL_PIXELS, PHANTOM).convert("L") for seat in SEATS]
    for one, other in combinations(sprites, 2):
        light, shade = (sprite.point([255 * (value > 128) for value in range(256)]) for sprite in (one, other))
        assert ImageChops.difference(light, shade).getbbox() is not None


def pairs() -> list[tuple[TileKind, int, Segment, Segment]]:
    """Return every tile, turned, with two of its segments on which figures may stand."""
    return [
        (kind, rotation, *pair)
        for kind in TILES
        for rotation in ROTATIONS
        for pair in combinations([part for part in kind.faces[rotation // 90].segments if not part.is_bare], 2)
    ]


def places(kind: TileKind, rotation: int, *segments: Segment) -> list[Point]:
    """Return the places of figures that stand on these segments of a tile on trial."""
    chosen = [FigurePlace("A", segment, FOLLOWER) for segment in segments]
    return [place_on(Ghost(Cell(0, 0), kind, rotation), choice, chosen) for choice in chosen]


@pytest.mark.parametrize("rotations", [(0,), pytest.param((90, 180, 270), marks=pytest.mark.soak)])
def test_two_figures_on_a_tile_stand_on_their_own_segments(rotations: tuple[int, ...]) -> None:
    for kind, rotation, one, other in pairs():
        if rotation not in rotations:
            continue
        layout = layout_of(kind, rotation)
        for segment, place in zip((one, other), places(kind, rotation, one, other), strict=True):
            if segment.kind is not FeatureKind.MONASTERY:
                owner = layout.features.face.segments[layout.features.ground.owner(place)]
                assert owner == segment, (kind.id, rotation, segment.name)


@pytest.mark.parametrize("rotations", [(0,), pytest.param((90, 180, 270), marks=pytest.mark.soak)])
def test_two_figures_on_a_tile_never_stand_nearer_than_their_usual_places(rotations: tuple[int, ...]) -> None:
    near = 0
    for kind, rotation, one, other in pairs():
        if rotation not in rotations:
            continue
        usual = distance(anchor(kind, rotation, one), anchor(kind, rotation, other))
        apart = distance(*places(kind, rotation, one, other))
        assert apart >= min(usual, 0.36) - 1e-6, (kind.id, rotation, one.name, other.name)
        near += apart > usual
    assert near > 100


def test_a_thief_steps_aside_from_a_knight_on_trial_and_on_the_board() -> None:
    road, city = tile("base/D").segments[:2]
    aside, stays = places(tile("base/D"), 0, road, city)
    assert stays == anchor(tile("base/D"), 0, city)
    assert distance(aside, stays) > 0.35
    position = arrange(tiles=["base/D 0,0"], followers=["0 0,0 city.N", "0 0,0 road.E phantom"], expansions=(PHANTOM,))
    standing = {entry.segment.name: place_of(position, entry) for entry in position.standing_figures()}
    assert standing == {"city.N": stays, "road.E": aside}
