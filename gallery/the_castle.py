"""Contact sheets of The Castle, to review changes of the art: tiles, pieces, and every kind of picture.

A contact sheet shows pictures of one kind side by side.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from random import Random
from typing import Final

from PIL import Image

from engine import Action, Cell, Deploy, Place
from engine.selfplay import random_action
from engine.the_castle import Position, TileKind, WallTile, default_tile_set, new_setup
from gallery.contact_sheets import NamedSheet, marks_of
from renderers import pieces
from renderers.land import pasture
from renderers.lettering import write_left
from renderers.masks import decoration_rng
from renderers.png import encode_png
from renderers.the_castle import tokens
from renderers.the_castle.board import Area, Ghost, remaining, tile_picture, wall_tiles
from renderers.the_castle.cards import composer, order_question, turn_card, whole_board
from renderers.theme import THEMES, Theme
from renderers.values import FigurePlace, Picture

_SEED: Final = "castle gallery 3"
"""The seed of the game that is shown."""
_PLIES_BY_MOMENT: Final[Mapping[str, int]] = {"early": 20, "middle": 70, "late": 117}
"""Numbers of actions after which the game is shown, by the name of the moment."""
_TILE: Final = 96
"""Side of a tile on its sheet, in pixels."""
_GAP: Final = 10
"""Space between two blocks of tiles on the sheet, in pixels."""
_LABEL: Final = 24
"""Height of the line with a tile's name, in pixels."""
_ROTATIONS: Final = (0, 90, 180, 270)
"""The rotations of a tile, in degrees clockwise."""
_TILES_PER_ROW: Final = 3
"""Tiles in one row of their sheet, each in its four rotations."""
_DEPLOY_PROBABILITY: Final = 0.75
"""Probability that a figure is deployed where one can be."""


def sheets(themes: Iterable[Theme] = tuple(THEMES.values())) -> Iterator[NamedSheet]:
    """Yield all sheets by name, each drawn only when it is requested."""
    for theme in themes:
        yield f"castle-tiles-{theme.name}", partial(_tiles_sheet, theme)
        yield f"castle-pieces-{theme.name}", partial(_pieces_sheet, theme)
        for moment, plies in _PLIES_BY_MOMENT.items():
            yield f"castle-{moment}-{theme.name}", partial(_board_after, plies, theme)
        for kind, draw in _turn_sheets(theme):
            yield f"castle-{kind}-{theme.name}", draw


def _board_after(plies: int, theme: Theme) -> Picture:
    """Draw the whole board after a number of actions."""
    position = play_compact_game(_SEED, plies)
    return whole_board(position, marks_of(position), theme=theme)


def _turn_sheets(theme: Theme) -> Iterator[NamedSheet]:
    """Yield the pictures of one turn."""
    position = play_compact_game(_SEED, _PLIES_BY_MOMENT["middle"])
    yield "focus", lambda: turn_card(position, marks_of(position), theme=theme)
    places = [action for action in position.legal_actions if isinstance(action, Place)]
    spots = sorted({place.cell for place in places}, key=lambda cell: (cell.y, cell.x))
    yield "composer", partial(composer, position, spots, theme=theme)
    if position.hand is not None:
        segments = position.hand.faces[places[0].rotation // 90].segments
        lettered = [FigurePlace(letter, segment) for letter, segment in zip("ABCDEFGHIJ", segments, strict=False)]
        ghost = Ghost(places[0].cell, position.hand, places[0].rotation)
        yield "ghost", partial(composer, position, (), ghost, lettered, theme=theme)
    largest = sorted(position.features(), key=lambda feature: -feature.tiles)[:3]
    areas = [Area(letter, feature.parts) for letter, feature in zip("ABC", largest, strict=True)]
    yield "order", partial(order_question, position, areas, theme=theme)
    hands = [sorted(set(WallTile) - {WallTile.HIDDEN}), ()]
    yield "wall-tiles", partial(wall_tiles, hands, ("Ana", "Ben"), theme=theme)
    placed = {tile.tile for tile in position.placed()}
    counts = [(kind, int(kind not in placed)) for kind in default_tile_set().kinds.values()]
    yield "left", partial(remaining, counts, theme=theme)


def play_compact_game(seed: str, plies: int) -> Position:
    """Play a random game with many completed features; return its position at a tile placement or at the end.

    ``plies`` is the least number of actions.
    """
    position = Position(new_setup(players=2, seed=seed))
    rng = decoration_rng(seed)
    while position.step is not None and (position.ply < plies or position.hand is None):
        position.apply(_compact_action(position, rng))
    return position


def _compact_action(position: Position, rng: Random) -> Action:
    """Return a random action, but place tiles beside neighbours where they complete features, and deploy figures."""
    places = [action for action in position.legal_actions if isinstance(action, Place)]
    if places:
        return max(places, key=lambda place: (_placement_value(position, place) + 2 * rng.random(), str(place)))
    deploys = [action for action in position.legal_actions if isinstance(action, Deploy)]
    return rng.choice(deploys) if deploys and rng.random() < _DEPLOY_PROBABILITY else random_action(position, rng)


def _placement_value(position: Position, place: Place) -> float:
    """Return how much the players of the gallery's game like a placement: neighbours, and completed features."""
    x, y = place.cell
    adjacent = (Cell(x + 1, y), Cell(x - 1, y), Cell(x, y + 1), Cell(x, y - 1))
    neighbours = sum(position.tile_at(cell) is not None for cell in adjacent)
    trial = position.veiled()
    trial.push(place)
    return neighbours + 1.5 * sum(feature.complete for feature in trial.features())


def _tiles_sheet(theme: Theme) -> Picture:
    """Draw every tile in its four rotations, with its name."""
    kinds = list(default_tile_set().kinds.values())
    block = len(_ROTATIONS) * (_TILE + 2) + _GAP
    rows = -(-len(kinds) // _TILES_PER_ROW)
    image = Image.new("RGB", (_GAP + _TILES_PER_ROW * block, _GAP + rows * (_TILE + _LABEL)), theme.panel)
    for index, kind in enumerate(kinds):
        left, top = _GAP + index % _TILES_PER_ROW * block, index // _TILES_PER_ROW * (_TILE + _LABEL)
        _paint_turned(image, kind, (left, top), theme)
    return encode_png(image, theme, "tiles")


def _paint_turned(image: Image.Image, kind: TileKind, corner: tuple[int, int], theme: Theme) -> None:
    """Paint a tile in all rotations below its name."""
    left, top = corner
    write_left(image, kind.id.rpartition("/")[2], (left, top + _LABEL / 2 + 2), 18, theme.text)
    for column, rotation in enumerate(_ROTATIONS):
        image.paste(tile_picture(theme, kind, rotation, _TILE), (left + column * (_TILE + 2), top + _LABEL))


def _pieces_sheet(theme: Theme) -> Picture:
    """Draw figures, keeps and wall tiles, large and as small as on a phone."""
    side = 160
    image = Image.new("RGB", (6 * side, 5 * side), theme.panel)
    image.paste(pasture(theme, (6 * side, 2 * side), side))
    for seat in range(2):
        for row, size in enumerate((200, 64)):
            followers = (
                pieces.follower(theme, seat, size, lying=False),
                pieces.follower(theme, seat, size, lying=True),
            )
            for column, sprite in enumerate((*followers, tokens.keep(theme, seat, size))):
                image.paste(sprite, ((seat * 3 + column) * side + 10, row * side + 10), sprite)
    for number, kind in enumerate(WallTile):
        for size, left, top in (
            (120, number % 5 * 140 + 10, 2 * side + 10 + number // 5 * 140),
            (34, number * 44 + 10, 740),
        ):
            sprite = tokens.wall_tile(theme, kind, size)
            image.paste(sprite, (left, top), sprite)
    return encode_png(image, theme, "pieces")
