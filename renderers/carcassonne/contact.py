"""Contact sheets: everything of one kind side by side, to be looked at after each change of the art."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import product
from typing import Final

from PIL import Image

from engine.carcassonne import FeatureKind, Segment, TileKind, tile_set
from engine.carcassonne.expansions import SETS
from engine.geometry import Axis, Cell
from renderers import pieces
from renderers.boards.inset import tile_back
from renderers.carcassonne.boxes.bridges_castles_bazaars import bridge_sprite, castle_sprite
from renderers.carcassonne.boxes.fairy import fairy_sprite
from renderers.carcassonne.boxes.traders_builders import builder, pig
from renderers.carcassonne.figures import FIGURES, figure
from renderers.carcassonne.inset import tile_picture
from renderers.carcassonne.tile_layouts import anchor
from renderers.figures import follower, within_tile
from renderers.land import meadow
from renderers.lettering import write
from renderers.marks import PLAYER_MARKS
from renderers.png import encoded
from renderers.theme import Theme
from renderers.values import Picture

_TILE: Final = 128
_GAP: Final = 12
_TITLE: Final = 44
_ROTATIONS: Final = (0, 90, 180, 270)
_COLUMN: Final = 176
_FIGURE_SIZES: Final = (140, 64, 42)
_FIGURE_ROOM: Final = 0.85


def tiles_sheet(kinds: Sequence[TileKind], theme: Theme) -> Picture:
    """Every tile in its four rotations, with its id."""
    block = 4 * (_TILE + _GAP) + _GAP
    rows = -(-len(kinds) // 2)
    image = Image.new("RGB", (2 * block + _GAP, rows * (_TILE + _TITLE) + _GAP), theme.panel)
    for index, kind in enumerate(kinds):
        left, top = _GAP + index % 2 * block, _GAP + index // 2 * (_TILE + _TITLE)
        write(image, kind.id, (left, top + 12), 22, theme.text, anchor=(0.0, 0.5))
        for column, rotation in enumerate(_ROTATIONS):
            image.paste(tile_picture(theme, kind, rotation, _TILE), (left + column * (_TILE + _GAP), top + 30))
    return encoded(image, theme, "tiles")


def crossings(names: Sequence[str] = SETS) -> Iterator[tuple[TileKind, int, Axis]]:
    """What a bridge may cross of some tile sets: tiles that look different, with field on two opposite sides."""
    for name in names:
        for kind in tile_set(name).values():
            for rotation, axis in product(kind.rotations, Axis):
                face = kind.faces[rotation // 90]
                if all(face.side_segments[side] < 0 for side in axis.sides):
                    yield kind, rotation, axis


def bridges_sheet(theme: Theme, names: Sequence[str] = SETS) -> Picture:
    """A bridge over all that it may cross of some tile sets, with one figure below it and one on it."""
    shown = list(crossings(names))
    across = 10
    side = _TILE + _GAP
    image = Image.new("RGB", (across * side + _GAP, -(-len(shown) // across) * side + _GAP), theme.panel)
    for index, (kind, rotation, axis) in enumerate(shown):
        picture = tile_picture(theme, kind, rotation, _TILE, axis)
        if index % 2:
            _stand(picture, kind, rotation, axis, theme)
        image.paste(picture, (_GAP + index % across * side, _GAP + index // across * side))
    return encoded(image, theme, "bridges")


def _stand(picture: Image.Image, kind: TileKind, rotation: int, axis: Axis, theme: Theme) -> None:
    """One figure on the first segment, one on the bridge."""
    first = kind.faces[rotation // 90].segments[0]
    bridge = Segment(FeatureKind.ROAD, tuple(sorted(int(side) for side in axis.sides)))
    for seat, segment in ((0, first), (1, bridge)):
        lying = segment.kind is FeatureKind.FIELD
        x, y = within_tile(anchor(kind, rotation, segment, axis), lying=lying)
        sprite = follower(theme, seat, _TILE, lying=lying)
        corner = (round(x * _TILE) - sprite.width // 2, round(y * _TILE) - sprite.height // 2)
        picture.paste(sprite, corner, sprite)


def pieces_sheet(theme: Theme) -> Picture:
    """The figures, badges, bridges and castles of all six, large and as small as on a phone."""
    columns = [list(_pieces_of(theme, seat)) for seat in range(len(PLAYER_MARKS))]
    heights = [max(column[row].height for column in columns) + _GAP for row in range(len(columns[0]))]
    image = _pasture((len(columns) * _COLUMN, sum(heights) + _GAP), theme)
    for number, column in enumerate(columns):
        top = _GAP
        for sprite, height in zip(column, heights, strict=True):
            image.paste(sprite, (number * _COLUMN + (_COLUMN - sprite.width) // 2, top), sprite)
            top += height
    return encoded(image, theme, "pieces")


def figures_sheet(theme: Theme, names: Collection[str] = FIGURES) -> Picture:
    """Figures of all six as they stand and as they lie, on a line each, large and as small as on a phone."""
    lines = list(product(_FIGURE_SIZES, names, (False, True)))
    heights = [round(size * _FIGURE_ROOM) for size, _, _ in lines]
    across = round(_FIGURE_SIZES[0] * _FIGURE_ROOM)
    image = _pasture((len(PLAYER_MARKS) * across, sum(heights)), theme)
    for number, (size, name, lying) in enumerate(lines):
        for seat in range(len(PLAYER_MARKS)):
            sprite = figure(theme, seat, size, name, lying=lying)
            middle = (round((seat + 0.5) * across), sum(heights[:number]) + heights[number] // 2)
            image.paste(sprite, (middle[0] - sprite.width // 2, middle[1] - sprite.height // 2), sprite)
    return encoded(image, theme, "figures")


def _pasture(size: tuple[int, int], theme: Theme) -> Image.Image:
    """Grass to lay pieces on."""
    image = Image.new("RGB", size, theme.panel)
    for x, y in product(range(-(-image.width // _TILE)), range(-(-image.height // _TILE))):
        image.paste(meadow(theme, Cell(x, y), _TILE), (x * _TILE, y * _TILE))
    return image


def _pieces_of(theme: Theme, seat: int) -> Iterator[Image.Image]:
    yield follower(theme, seat, 190)
    yield follower(theme, seat, 190, lying=True)
    yield builder(theme, seat, 190)
    yield pig(theme, seat, 190)
    yield follower(theme, seat, 42)
    yield follower(theme, seat, 42, lying=True)
    yield pieces.badge(theme, seat, 80)
    yield pieces.shape_sprite(theme, seat, 80)
    yield castle_sprite(theme, seat, Axis.NS if seat % 2 else Axis.WE, _TILE, scored=seat > 3)
    yield bridge_sprite(theme, Axis.WE if seat % 2 else Axis.NS, _TILE)
    yield tile_back(theme, _TILE) if seat else fairy_sprite(theme, 190)
