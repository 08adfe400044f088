"""Contact sheets for looking at: ``python -m renderers.gallery DIR`` writes all tiles, all pieces and a board.

Every change of the art is reviewed on them, at full size and at the width of a phone.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Final

from PIL import Image

from engine import Action, Cell, Place
from engine.carcassonne import (
    Axis,
    BuildCastle,
    DecideTown,
    FeatureKind,
    Options,
    PlaceTile,
    Position,
    Segment,
    TileKind,
    castles_of,
    new_setup,
    tile,
    tile_set,
)
from engine.carcassonne.tiles import SETS
from engine.selfplay import random_action
from renderers import cards, figures, panels, pieces
from renderers.encode import encoded
from renderers.inset import tile_picture
from renderers.marks import PLAYER_MARKS
from renderers.plan import anchor, decoration_dice
from renderers.text import write
from renderers.theme import DAY
from renderers.values import Choice, Ghost, Mark, Picture, Spot

_TILE: Final = 128
_GAP: Final = 12
_ROTATIONS: Final = (0, 90, 180, 270)
_GAME: Final = ("gallery 35", 6, 230)
"""Seed, players and plies of the game that is shown."""
_CROSSED: Final = (
    ("base/B", 0, Axis.WE),
    ("base/B", 0, Axis.NS),
    ("base/G", 0, Axis.NS),
    ("base/G", 90, Axis.WE),
    ("base/H", 0, Axis.WE),
    ("base/U", 0, Axis.NS),
    ("base/U", 90, Axis.WE),
    ("bcb/FFFF", 0, Axis.WE),
    ("bcb/FRFR", 0, Axis.NS),
    ("bcb/FCFC-b", 90, Axis.WE),
)
"""Tiles with field on two opposite sides, and a bridge from one to the other."""
_NAMES: Final = ("Ana", "Ben", "Cleo", "Dan")
_POINTS: Final = (
    {"Cities": 32, "Roads": 14, "Monasteries": 18, "Fields": 21, "Castles": 12, "Bazaar": -5},
    {"Cities": 44, "Roads": 7, "Monasteries": 9, "Fields": 12, "Castles": 0, "Bazaar": 3},
    {"Cities": 18, "Roads": 21, "Monasteries": 0, "Fields": 9, "Castles": 10, "Bazaar": 2},
    {"Cities": 9, "Roads": 4, "Monasteries": 9, "Fields": 0, "Castles": 0, "Bazaar": 0},
)


def main(folder: Path) -> None:
    """Write all sheets into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, picture in _sheets():
        (folder / name).write_bytes(picture.data)
        print(folder / name, f"{picture.width}x{picture.height}", f"{len(picture.data) // 1024} KiB")


def _sheets() -> Iterator[tuple[str, Picture]]:
    for name in SETS:
        yield f"tiles-{name}.png", _tiles(list(tile_set(name).values()))
    yield "pieces.png", _pieces()
    yield "bridges.png", _over_everything()
    yield from _of_a_game(*played(*_GAME))
    base = tile_set("base")
    yield "lots.png", panels.lots([base[f"base/{letter}"] for letter in "DLMX"], [-1, 2, -1, 0], 2, _NAMES)
    yield "left.png", panels.remaining([(kind, kind.count - 1) for kind in base.values()])
    yield "scores.png", panels.summary(_NAMES, _POINTS)


def _of_a_game(position: Position, marks: list[Mark]) -> Iterator[tuple[str, Picture]]:
    """The pictures of one turn."""
    card = cards.turn_card(position, marks)
    yield "focus.png", card.focus
    yield "board.png", card.board
    places = [action for action in position.legal_actions if isinstance(action, Place)]
    cells = sorted({place.cell for place in places if place.aid is None}, key=lambda cell: (cell.y, cell.x))
    yield "composer.png", cards.composer(position, [Spot(cell, chr(65 + n % 26)) for n, cell in enumerate(cells)])
    if position.hand is not None:
        place = next((place for place in places if place.aid is not None), places[0])
        bridge = (place.aid.cell, place.aid.axis) if place.aid is not None else None
        face = position.hand.faces[place.rotation // 90]
        ghost = Ghost(place.cell, position.hand, place.rotation, bridge)
        choices = [Choice(number, segment) for number, segment in enumerate(face.segments, 1)]
        yield "ghost.png", cards.composer(position, (), ghost, choices)
    for castle in castles_of(position)[:1]:
        yield "castle.png", cards.castle_question(position, castle.cells, castle.fief)


def played(seed: str, players: int, plies: int) -> tuple[Position, list[Mark]]:
    """A game that keeps together, until somebody has a tile to place; the last tile of each player."""
    position = Position(new_setup(players=players, seed=seed, options=Options()))
    dice = decoration_dice(seed)
    while position.step is not None and (position.ply < plies or not isinstance(position.step, PlaceTile)):
        position.apply(_tidy(position, dice))
    last = {tile.player: tile.cell for tile in position.placed() if tile.player >= 0}
    return position, [Mark(cell, player) for player, cell in last.items()]


def _tidy(position: Position, dice: Random) -> Action:
    """A random action, but tiles go where they have neighbours, and castles are built."""
    if isinstance(position.step, DecideTown):
        return BuildCastle()
    places = [action for action in position.legal_actions if isinstance(action, Place)]
    if not places:
        return random_action(position, dice)
    return max(places, key=lambda place: (_neighbours(position, place.cell) + 3 * dice.random(), str(place)))


def _neighbours(position: Position, cell: Cell) -> int:
    steps = ((x, y) for x in (-1, 0, 1) for y in (-1, 0, 1))
    return sum(position.tile_at(Cell(cell.x + x, cell.y + y)) is not None for x, y in steps)


def _over_everything() -> Picture:
    """A bridge over each kind of tile that can carry one, below with a follower under it and one on it."""
    image = Image.new("RGB", (len(_CROSSED) * (_TILE + _GAP) + _GAP, 2 * _TILE + 3 * _GAP), DAY.panel)
    for column, (tile_id, rotation, axis) in enumerate(_CROSSED):
        for row in range(2):
            picture = tile_picture(DAY, tile(tile_id), rotation, _TILE, axis)
            if row:
                _stand(picture, tile(tile_id), rotation, axis)
            image.paste(picture, (_GAP + column * (_TILE + _GAP), _GAP + row * (_TILE + _GAP)))
    return encoded(image, DAY, "bridges")


def _stand(picture: Image.Image, kind: TileKind, rotation: int, axis: Axis) -> None:
    """One figure on the first segment, one on the bridge."""
    first = kind.faces[rotation // 90].segments[0]
    bridge = Segment(FeatureKind.ROAD, tuple(sorted(int(side) for side in axis.sides)))
    for seat, segment in ((0, first), (1, bridge)):
        lying = segment.kind is FeatureKind.FIELD
        x, y = figures.within_tile(anchor(kind, rotation, segment, axis), lying=lying)
        sprite = figures.follower(DAY, seat, _TILE, lying=lying)
        corner = (round(x * _TILE) - sprite.width // 2, round(y * _TILE) - sprite.height // 2)
        picture.paste(sprite, corner, sprite)


def _tiles(kinds: list[TileKind]) -> Picture:
    """Every tile in its four rotations, with its id."""
    block = 4 * (_TILE + _GAP) + _GAP
    rows = -(-len(kinds) // 2)
    image = Image.new("RGB", (2 * block + _GAP, rows * (_TILE + 44) + _GAP), DAY.panel)
    for index, kind in enumerate(kinds):
        left, top = _GAP + index % 2 * block, _GAP + index // 2 * (_TILE + 44)
        write(image, kind.id, (left, top + 12), 22, DAY.text, anchor=(0.0, 0.5))
        for column, rotation in enumerate(_ROTATIONS):
            image.paste(tile_picture(DAY, kind, rotation, _TILE), (left + column * (_TILE + _GAP), top + 30))
    return encoded(image, DAY, "tiles")


def _pieces() -> Picture:
    """The figures, badges, bridges and castles."""
    image = Image.new("RGB", (6 * 160, 800), DAY.meadow)
    for seat in range(len(PLAYER_MARKS)):
        left = seat * 160
        for sprite, top in (
            (figures.follower(DAY, seat, 200), 10),
            (figures.follower(DAY, seat, 200, lying=True), 130),
            (figures.follower(DAY, seat, 64), 270),
            (pieces.badge(DAY, seat, 80), 330),
            (pieces.shape_sprite(DAY, seat, 80), 420),
            (pieces.castle(DAY, seat, Axis.NS if seat % 2 else Axis.WE, 128, scored=seat > 3), 510),
            (pieces.bridge(DAY, Axis.WE if seat % 2 else Axis.NS, 128), 660),
        ):
            image.paste(sprite, (left + 10, top), sprite)
    return encoded(image, DAY, "pieces")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "gallery"))
