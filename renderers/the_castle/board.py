"""Paint the board of The Castle: the wall from above, the tiles within it, and the pieces as they overlap.

Wall tiles are bonuses that lie on the corner towers of the wall until players take them. Insets show enlarged tiles
beside the board. In questions, letters on the board name its features. The ghost is the tile that a player is trying
out. Codes such as TC-46 are rules of the rule digest.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Final

from PIL import Image, ImageChops, ImageFilter

from engine.actions import Seat
from engine.geometry import Cell, Side
from engine.the_castle.position import Position
from engine.the_castle.tiles import Face, FeatureKind, TileKind
from engine.the_castle.wall import TRACK_SPACES, StartSpace, WallTile, wall
from engine.the_castle.ward import PlacedTile
from engine.tiles import Segment
from renderers import pieces
from renderers.boards.sheet import BoardImage, Sheet, paint_figure, paint_letter, veil_mask
from renderers.boards.view import PHONE_DISC, PHONE_TYPE, View, on_phone
from renderers.caches import cached_sprite
from renderers.canvas import SHADOW_COLOUR, SHADOW_STRENGTH, VEIL_STRENGTH, Point, distance
from renderers.land import TEXTURE_PERIOD, meadow
from renderers.lettering import fitted, printable, write, write_left, write_right
from renderers.palette import to_palette
from renderers.pieces import follower
from renderers.png import encode_png
from renderers.the_castle import tokens
from renderers.the_castle.faces.layout import anchor, layout_of, owner_at
from renderers.the_castle.scenery import tile_sprite
from renderers.the_castle.tokens import figure, within_tile
from renderers.the_castle.wall import cells_at_wall, space_places, square_sprite, stretches, yard_mask, yard_middle
from renderers.theme import DAY, Theme
from renderers.values import FigurePlace, Picture


@dataclass(frozen=True, slots=True)
class Ghost:
    """A tile that is only being tried out."""

    cell: Cell
    tile: TileKind
    rotation: int


@dataclass(frozen=True, slots=True)
class Area:
    """A feature with the letter of its button, by its parts (board oriented), which may include start spaces.

    The letter is empty if there is only one feature.
    """

    letter: str
    parts: tuple[tuple[Cell, Segment], ...]


_MARKER_SCALE: Final = 0.8
"""The scale of figures that mark points."""
_SHADOW_LENGTH: Final = 0.05
"""Length of the shadow of the wall, in cells."""
_SHARED_SPACE_OFFSET: Final = 0.13
"""Distance of a marker from the middle of a space that two markers share, in cells."""


def paint_castle(
    position: Position, view: View, theme: Theme, ghost: Ghost | None = None, *, numbered: bool = False
) -> BoardImage:
    """Paint the wall and the tiles of a position, without pieces.

    With ``numbered`` the spaces of the track have numbers, legible in the view without its rim. Pictures with a rim
    have none: next to the numbers of the rows they would be mistaken for those.
    """
    image = BoardImage(view, theme)
    faces = _faces(position, ghost)
    _paint_ground(image, faces)
    _paint_wall(image, position, faces, min_type=on_phone(PHONE_TYPE, view.width) if numbered else None)
    for cell in faces:
        if cell not in stretches():
            _paste_tile(image, faces, cell)
    _paint_shadows(image, faces)
    return image


def paint_pieces(image: BoardImage, position: Position) -> None:
    """Paint the figures and keeps from north to south, so that those in the south are in front."""
    size = image.view.size
    sprites: list[tuple[Cell, Point, Image.Image]] = []
    for standing in position.standing_figures():
        tile = position.tile_at(standing.cell)
        if tile is not None:
            kind = FeatureKind(standing.segment.kind)
            place = within_tile(anchor(tile.tile, tile.rotation, standing.segment), kind)
            sprites.append((standing.cell, place, figure(image.theme, standing.player, size, standing.figure, kind)))
    for seat in range(position.players):
        keep = keep_place(position, seat)
        if keep is not None:
            sprites.append((*keep, tokens.keep(image.theme, seat, size)))
    for cell, place, sprite in sorted(sprites, key=lambda entry: (entry[0].y + entry[1][1], entry[0].x)):
        if cell in image.view.window:
            image.stamp(sprite, cell, place)


def keep_place(position: Position, seat: int) -> tuple[Cell, Point] | None:
    """Return the place of a player's keep, or None without one.

    It is the roomiest part of the keep's house; of several equal ones, the oldest.
    """
    house = position.house_of(Seat(seat))
    if house is None:
        return None
    tiles = [(position.tile_at(cell), segment) for cell, segment in house.parts]
    numbered = [(len(segment.places), -tile.number, tile, segment) for tile, segment in tiles if tile is not None]
    _, _, tile, segment = max(numbered, key=lambda part: part[:2])
    x, y = anchor(tile.tile, tile.rotation, segment)
    return tile.cell, (min(max(x, 0.24), 0.76), min(max(y, 0.27), 0.73))


# ---------------------------------------------------------------- tiles


def _faces(position: Position, ghost: Ghost | None) -> Mapping[Cell, Face]:
    """Return the face on each cell: start spaces, tiles, and the tile that is being tried out."""
    faces = {start.cell: start.kind.faces[0] for start in wall().starts}
    faces |= {placed.cell: placed.tile.faces[placed.rotation // 90] for placed in position.placed()}
    if ghost is not None:
        faces[ghost.cell] = ghost.tile.faces[ghost.rotation // 90]
    return faces


def closed_sides(faces: Mapping[Cell, Face], cell: Cell) -> int:
    """Return one bit for each half-side of a cell where its tower or house ends at the wall or at another feature.

    Half-sides are numbered clockwise from the western half of the north. Courts look the same in either case.
    """
    face, closed = faces[cell], 0
    for half in range(8):
        owner = owner_at(face, half)
        if owner >= 0 and face.kinds[owner] is not FeatureKind.COURT:
            closed |= _ends_at(faces, cell, half, face.kinds[owner]) << half
    return closed


def _ends_at(faces: Mapping[Cell, Face], cell: Cell, half: int, kind: FeatureKind) -> bool:
    """Return True if another feature or the wall is beyond a half-side; an empty cell keeps it open."""
    side = Side(half // 2)
    beyond = cell.beside(side)
    face = faces.get(beyond)
    if face is None:
        return beyond in stretches()
    owner = owner_at(face, side.opposite * 2 + 1 - half % 2)
    return owner < 0 or face.kinds[owner] is not kind


def _paste_tile(image: BoardImage, faces: Mapping[Cell, Face], cell: Cell) -> None:
    """Paste the tile of a cell, with its meadow."""
    if cell in image.view.window:
        phase = Cell(cell.x % TEXTURE_PERIOD, cell.y % TEXTURE_PERIOD)
        face, closed = faces[cell], closed_sides(faces, cell)
        sprite = _tile_on_meadow(image.theme, phase, face.tile, face.rotation, image.view.size, closed)
        image.pixels.paste(sprite, image.view.at(cell))


@cached_sprite
def _tile_on_meadow(theme: Theme, phase: Cell, tile: TileKind, rotation: int, size: int, closed: int) -> Image.Image:
    """Draw a tile on the meadow of its cell, in the palette: a castle has sixty tiles, all different."""
    image = meadow(theme, phase, size).copy()
    sprite = tile_sprite(theme, tile, rotation, size, closed)
    image.paste(sprite, (0, 0), sprite)
    return to_palette(image, theme)


# ---------------------------------------------------------------- the wall


def _paint_ground(image: BoardImage, faces: Mapping[Cell, Face]) -> None:
    """Paint the dark outside, and the table within the wall with its grid."""
    view, theme, draw = image.view, image.theme, image.draw
    draw.rectangle((0, 0, view.width, view.height), fill=theme.rim)
    for cell in wall().interior:
        if cell not in faces and cell in view.window:
            (left, top), (right, bottom) = view.at(cell), view.at(cell, (1.0, 1.0))
            draw.rectangle((left, top, right - 1, bottom - 1), fill=theme.table, outline=theme.grid)


def _paint_wall(image: BoardImage, position: Position, faces: Mapping[Cell, Face], *, min_type: int | None) -> None:
    """Paint the wall, with a gate wherever a path ends at it, and with the wall tiles face down."""
    gates: Counter[Cell] = Counter()
    for cell, side, square in cells_at_wall():
        if cell in faces and square not in faces and faces[cell].paths >> side & 1:
            gates[square] |= 1 << side.opposite
    covered = {space_places()[corner][0] for corner in position.corners}
    for cell in stretches():
        if cell in image.view.window:
            closed = closed_sides(faces, cell) if cell in faces else 0
            sprite = square_sprite(
                image.theme,
                cell,
                image.view.size,
                closed,
                covered=cell in covered,
                gates=gates[cell],
                min_type=min_type,
            )
            image.pixels.paste(sprite, image.view.at(cell))


def _paint_shadows(image: BoardImage, faces: Mapping[Cell, Face]) -> None:
    """Paint the shadow of the wall on the ward: the light comes from the north-west."""
    view, theme = image.view, image.theme
    depth = round(_SHADOW_LENGTH * view.size)
    for cell, side, _ in cells_at_wall():
        if side not in {Side.N, Side.W} or cell not in view.window:
            continue
        left, top = view.at(cell)
        area = (
            left,
            top,
            left + (view.size if side is Side.N else depth),
            top + (depth if side is Side.N else view.size),
        )
        if cell in faces:
            mask = Image.new("L", (area[2] - left, area[3] - top), round(255 * SHADOW_STRENGTH))
            image.pixels.paste(SHADOW_COLOUR, area, mask)
        else:
            image.pixels.paste(theme.rim, area)


# ---------------------------------------------------------------- the track


def paint_markers(image: BoardImage, position: Position) -> None:
    """Paint the figures that mark the points; those that have passed the last space lie (TC-46)."""
    theme, size = image.theme, image.view.size
    spaces = [points % TRACK_SPACES for points in position.scores]
    for seat, points in enumerate(position.scores):
        cell, (x, y) = space_places()[spaces[seat]]
        if cell not in image.view.window:
            continue
        if spaces.count(spaces[seat]) > 1:
            x += _SHARED_SPACE_OFFSET * (2 * seat - position.players + 1)
        sprite = follower(theme, seat, round(size * _MARKER_SCALE), lying=points >= TRACK_SPACES)
        image.stamp(sprite, cell, (x, y))


@cached_sprite
def tile_picture(theme: Theme, tile: TileKind, rotation: int, size: int) -> Image.Image:
    """Draw a tile on its meadow, in the palette."""
    image = meadow(theme, Cell(0, 0), size).copy()
    sprite = tile_sprite(theme, tile, rotation, size, 0)
    image.paste(sprite, (0, 0), sprite)
    return to_palette(image, theme)


def lettered_inset(
    ghost: Ghost, places: Sequence[FigurePlace], size: int, theme: Theme, player: int = 0
) -> Image.Image:
    """Return the enlarged ghost tile, with a letter at each place for a figure of this player."""
    sheet = Sheet((size, size), theme, theme.meadow, flat=False)
    sheet.put(tile_picture(theme, ghost.tile, ghost.rotation, size), (0, 0))
    for entry in places:
        place = anchor(ghost.tile, ghost.rotation, entry.segment)
        if entry.figure:
            sprite, place = chosen_figure(theme, player, ghost, entry, size)
            place = paint_figure(sheet, sprite, place)
        paint_letter(sheet, entry.letter, place)
    return sheet.pixels


def chosen_figure(theme: Theme, player: int, ghost: Ghost, entry: FigurePlace, size: int) -> tuple[Image.Image, Point]:
    """Return the sprite and the place of the figure chosen for the ghost."""
    kind = FeatureKind(entry.segment.kind)
    sprite = figure(theme, player, size, entry.figure, kind)
    return sprite, within_tile(anchor(ghost.tile, ghost.rotation, entry.segment), kind)


_GAP: Final = 20
"""Space between two tiles of a contact sheet, in pixels."""
_WALL_TILE_SIZE: Final = 150
"""Side of a wall tile on the sheet of all players' wall tiles, in pixels."""
_WALL_TILES_PER_ROW: Final = 6
"""Wall tiles in one row of that sheet."""
_NAME_HEIGHT: Final = 76
"""Height of the line with a player's name, in pixels."""
_TILE_SIZE: Final = 126
"""Side of a castle tile on the sheet of remaining tiles, in pixels."""
_TILES_PER_ROW: Final = 8
"""Castle tiles in one row of that sheet."""


def wall_tiles(hands: Sequence[Sequence[WallTile]], names: Sequence[str] = (), *, theme: Theme = DAY) -> Picture:
    """Draw the wall tiles that lie face up before each player, large enough to read.

    Args:
        hands: the wall tiles of each player, by seat.
        names: the players by seat.
        theme: the colours.
    """
    step = _WALL_TILE_SIZE + _GAP
    heights = [_NAME_HEIGHT + -(-len(kinds) // _WALL_TILES_PER_ROW) * step for kinds in hands]
    image = Image.new("RGB", (_GAP + _WALL_TILES_PER_ROW * step, _GAP + sum(heights)), theme.panel)
    top = _GAP
    for seat, (kinds, height) in enumerate(zip(hands, heights, strict=True)):
        mark = pieces.shape_sprite(theme, seat, _NAME_HEIGHT - 16)
        image.paste(mark, (_GAP, top), mark)
        name = fitted(printable(names[seat]), 36, image.width - 130) if seat < len(names) else ""
        write_left(image, name, (_GAP + _NAME_HEIGHT, top + mark.height / 2), 36, theme.text)
        if not kinds:
            right = image.width - 2 * _GAP
            write_right(image, tokens.NONE_SIGN, (right, top + mark.height / 2), 48, theme.muted_text)
        for number, kind in enumerate(kinds):
            sprite = tokens.wall_tile(theme, kind, _WALL_TILE_SIZE)
            place = (
                _GAP + number % _WALL_TILES_PER_ROW * step,
                top + _NAME_HEIGHT + number // _WALL_TILES_PER_ROW * step,
            )
            image.paste(sprite, place, sprite)
        top += height
    return encode_png(image, theme, "wall-tiles")


def remaining(tiles: Sequence[tuple[TileKind, int]], *, theme: Theme = DAY) -> Picture:
    """Draw a contact sheet of the castle tiles, one of each; those that are no longer in the pile are dimmed."""
    step = _TILE_SIZE + _GAP
    rows = max(-(-len(tiles) // _TILES_PER_ROW), 1)
    image = Image.new("RGB", (_GAP + _TILES_PER_ROW * step, _GAP + rows * step), theme.panel)
    for index, (tile, count) in enumerate(tiles):
        place = (_GAP + index % _TILES_PER_ROW * step, _GAP + index // _TILES_PER_ROW * step)
        image.paste(tile_picture(theme, tile, 0, _TILE_SIZE), place)
        if not count:
            image.paste(theme.panel, place, veil_mask(_TILE_SIZE))
            image.paste(theme.panel, place, veil_mask(_TILE_SIZE))
    return encode_png(image, theme, "tiles", veiled=True)


_OUTLINE_WIDTH: Final = 0.045
"""Width of the line around a feature, in cells."""
_DISC_WIDTH: Final = 0.5
"""Width of the disc with a letter, in cells, where the picture is large enough."""
_LETTER_SHARE: Final = 0.68
"""Height of the letter, in widths of its disc."""
_CANDIDATES_PER_SIDE: Final = 12
"""Candidate points for a letter, along one side of a tile."""


def highlight_areas(image: BoardImage, position: Position, areas: Sequence[Area]) -> None:
    """Veil the castle except some features, outline these, paint all pieces, and letter the features."""
    theme, size = image.theme, image.view.size
    bright = image.pixels.copy()
    veiled = Image.blend(bright, Image.new("RGB", bright.size, theme.panel), VEIL_STRENGTH)
    image.pixels.paste(veiled)
    for area in areas:
        mask = Image.new("L", bright.size)
        for cell, segment in area.parts:
            if cell in image.view.window:
                mask.paste(_segment_mask(position, cell, segment, size), image.view.at(cell))
        outlined = mask.filter(ImageFilter.BoxBlur(round(_OUTLINE_WIDTH * size))).point([0] + [255] * 255)
        bordered = outlined.filter(ImageFilter.BoxBlur(2)).point([0] + [255] * 255)
        image.pixels.paste(theme.highlight_dark, (0, 0), ImageChops.subtract(bordered, mask))
        image.pixels.paste(theme.highlight, (0, 0), ImageChops.subtract(outlined, mask))
        image.pixels.paste(bright, (0, 0), mask)
    paint_pieces(image, position)
    paint_markers(image, position)
    occupied: list[tuple[Cell, Point]] = occupied_places(position)
    for area in (area for area in areas if area.letter):
        place = free_place(position, area, occupied)
        occupied.append(place)
        _paint_letter(image, area.letter, place)


def _segment_mask(position: Position, cell: Cell, segment: Segment, size: int) -> Image.Image:
    """Return the area of a segment on its cell as a mask."""
    tile = position.tile_at(cell)
    if tile is None:
        return yard_mask(_start_at(cell), segment, size)
    layout = layout_of(tile.tile, tile.rotation)
    return layout.labels(size).area(layout.index_of(segment))


def _start_at(cell: Cell) -> StartSpace:
    """Return the start space on a cell of the wall."""
    return next(start for start in wall().starts if start.cell == cell)


def occupied_places(position: Position) -> list[tuple[Cell, Point]]:
    """Return the places of figures and keeps."""
    places = []
    for standing in position.standing_figures():
        tile = position.tile_at(standing.cell)
        if tile is not None:
            places.append((standing.cell, anchor(tile.tile, tile.rotation, standing.segment)))
    keeps = (keep_place(position, seat) for seat in range(position.players))
    return places + [place for place in keeps if place is not None]


def free_place(position: Position, area: Area, occupied: Sequence[tuple[Cell, Point]]) -> tuple[Cell, Point]:
    """Return a place for a letter: on the feature, far from the occupied places, within the wall if possible."""
    tiles = [(cell, position.tile_at(cell), segment) for cell, segment in area.parts]
    places = [(cell, anchor(tile.tile, tile.rotation, segment)) for cell, tile, segment in tiles if tile is not None]
    places = places or [(cell, yard_middle(_start_at(cell))) for cell, _ in area.parts]

    def distance_to_occupied(place: tuple[Cell, Point]) -> float:
        return min((distance(_board_point(place), _board_point(other)) for other in occupied), default=9.0)

    best = max(places, key=distance_to_occupied)
    if distance_to_occupied(best) > _DISC_WIDTH:
        return best
    inside = [
        (cell, point) for cell, tile, segment in tiles if tile is not None for point in _candidate_points(tile, segment)
    ]

    def preference(place: tuple[Cell, Point]) -> tuple[float, float]:
        return min(distance_to_occupied(place), _DISC_WIDTH), -distance(_board_point(place), _board_point(best))

    return max(inside, key=preference, default=best)


def _candidate_points(tile: PlacedTile, segment: Segment) -> Iterator[Point]:
    """Yield a grid of points of a segment on its tile."""
    layout = layout_of(tile.tile, tile.rotation)
    labels, index = layout.labels(_CANDIDATES_PER_SIDE * 4), layout.index_of(segment)
    for column, row in product(range(_CANDIDATES_PER_SIDE), repeat=2):
        point = ((column + 0.5) / _CANDIDATES_PER_SIDE, (row + 0.5) / _CANDIDATES_PER_SIDE)
        if labels.owner(point) == index:
            yield point


def _board_point(place: tuple[Cell, Point]) -> Point:
    """Return a point of a cell as a point of the whole board."""
    (cell, (x, y)) = place
    return (cell.x + x, cell.y + y)


def _paint_letter(image: BoardImage, letter: str, place: tuple[Cell, Point]) -> None:
    """Paint the letter of a feature on a disc that can be found on a phone."""
    theme, view = image.theme, image.view
    width = max(round(view.size * _DISC_WIDTH), on_phone(PHONE_DISC, view.width))
    image.stamp(pieces.disc(theme, width, theme.highlight, theme.highlight_dark), *place)
    write(image.pixels, letter, view.at(*place), round(width * _LETTER_SHARE), theme.highlight_dark)
