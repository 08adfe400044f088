"""Build positions of The Castle from descriptions, without playing.

A tile is written ``"D20 E2 180"`` (id, cell and rotation), and a figure ``"0 E2 tower.NR"`` (seat, cell and segment). A
keep, the piece that marks a player's largest house, is written like a figure.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.actions import FIRST_SEAT, FOLLOWER, Seat
from engine.board import Follower, SegmentNumber
from engine.errors import NotationError
from engine.geometry import Cell
from engine.the_castle.options import Options
from engine.the_castle.position import Position
from engine.the_castle.scoring import house_size
from engine.the_castle.setup import Setup
from engine.the_castle.steps import BeginTurn, NextTurn
from engine.the_castle.table import KEEP, Keep
from engine.the_castle.tilefile import DEFAULT_TILE_SET
from engine.the_castle.wall import ALL_WALL_TILES, WallTile, wall

_PILE = ("D03",) * 20
"""The pile unless another one is given: court tiles only."""


def arrange(
    *,
    tiles: Sequence[str] = (),
    figures: Sequence[str] = (),
    keeps: Sequence[str] = (),
    wall_tiles: Mapping[int, int] | None = None,
    hands: Sequence[Sequence[int]] = ((), ()),
    scores: Sequence[int] = (0, 0),
    supply: Sequence[int] | None = None,
    player: Seat = FIRST_SEAT,
    hand: str = "D03",
    pile: Sequence[str] = _PILE,
    options: Options | None = None,
) -> Position:
    """Build a position in which ``player`` has ``hand`` to place; tiles are named as in the file of default tiles.

    Args:
        tiles: ``id cell rotation`` (0 may be left out), placed in this order; paths are not checked.
        figures: ``seat cell segment``, segments named as by :meth:`engine.tiles.Segment.is_named`.
        keeps: ``seat cell segment`` of the house.
        wall_tiles: the wall tiles on corner towers, by the first space of the tower; other towers are empty.
        hands: the wall tiles that each player has.
        scores: points by seat.
        supply: figures left by seat; by default all that are not on the table.
        player: the player to move.
        hand: the tile to place.
        pile: the tiles that lie face down, in the order of drawing.
        options: the options of the game.

    Raises:
        NotationError: a description cannot be read or does not fit the table.
    """
    setup = Setup(
        pile=tuple(f"{DEFAULT_TILE_SET}/{name}" for name in (hand, *pile)),
        players=2,
        options=options or Options(),
        wall_tiles=_on_wall(wall_tiles or {}),
    )
    position = Position(setup, begin=False)
    position.taken = tuple(corner for corner in wall().corners if corner not in (wall_tiles or {}))
    for text in tiles:
        name, label, *rotation = text.split()
        face = setup.tiles[f"{DEFAULT_TILE_SET}/{name}"].faces[int(rotation[0]) // 90 if rotation else 0]
        position.ward.place(Cell.parse(label).square, face, FIRST_SEAT)
    position.ward.touched.clear()
    for text in figures:
        _put_figure(position, text)
    for text in keeps:
        _set_keep(position, text)
    position.hands = [tuple(sorted(map(WallTile, kinds))) for kinds in hands]
    position.scores = list(scores)
    if supply is not None:
        position.supply[FOLLOWER] = list(supply)
    position.agenda = [NextTurn(player), BeginTurn(player)]
    position.resume()
    return position


def _on_wall(wall_tiles: Mapping[int, int]) -> tuple[WallTile, ...]:
    """Return all wall tiles of a setup. Those that the caller has not placed are hidden."""
    corners = wall().corners
    unknown = set(wall_tiles) - set(corners)
    if unknown:
        raise NotationError(f"no corner tower on space {min(unknown)}")
    on_corners = tuple(WallTile(wall_tiles.get(corner, WallTile.HIDDEN)) for corner in corners)
    return on_corners + (WallTile.HIDDEN,) * (len(ALL_WALL_TILES) - len(corners))


def _segment(position: Position, label: str, name: str) -> SegmentNumber:
    """Return the number of a segment, named by the label of its cell and its own name."""
    try:
        return position.ward.number_of(Cell.parse(label), name)
    except KeyError as error:
        raise NotationError(error.args[0]) from error


def _put_figure(position: Position, text: str) -> None:
    """Put a figure on a segment."""
    seat, label, name = text.split()
    number = _segment(position, label, name)
    position.ward.holders[position.ward.find(number)] += (Follower(Seat(int(seat)), FOLLOWER, number),)
    position.supply[FOLLOWER][int(seat)] -= 1


def _set_keep(position: Position, text: str) -> None:
    """Put a keep on a house."""
    seat, label, name = text.split()
    root = position.ward.find(_segment(position, label, name))
    position.keeps[int(seat)] = Keep(house_size(position, root), root)
    position.supply[KEEP][int(seat)] -= 1
