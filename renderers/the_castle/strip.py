"""Paint the parts of a picture outside the castle: the pile, the drawn tile, and a line of supplies for each player.

A strip is the line with one player's supplies. A keep is the piece that marks a player's largest house. Wall tiles are
the bonuses that a player has taken.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PIL import Image, ImageDraw

from engine.actions import FOLLOWER
from engine.geometry import Cell
from engine.the_castle.position import Position
from engine.the_castle.wall import WallTile
from renderers import pieces
from renderers.boards.sheet import BoardImage, tile_back
from renderers.boards.view import View, card_width
from renderers.lettering import TIMES_SIGN, write, write_left, write_right
from renderers.the_castle import tokens
from renderers.the_castle.board import tile_picture
from renderers.theme import Theme

STRIP_HEIGHT: Final = 1.0
"""Height of one player's line, in cells: its words are legible on a phone."""
_NOTE_SIZE: Final = 0.48
"""Height of the type of numbers of pieces, in heights of a line."""
_SCORE_SIZE: Final = 0.6
"""Height of the type of a player's points, in heights of a line."""
_PILE_CELL: Final = Cell.parse("A1")
"""The free corner outside the wall, for the pile and the drawn tile."""
_TILE_SIDE: Final = 1.12
_PILE_SIDE: Final = 0.9
"""Sides of the drawn tile and of the pile in that corner, in cells."""
HAND_ROOM: Final = 2.12
"""Width of the room beside the castle for the pile and the drawn tile (the tile in hand), in cells."""
_NEAR_TILE_SIDE: Final = 1.6
_NEAR_PILE_SIDE: Final = 1.0
"""Sides of the drawn tile and of the pile in that room, in cells."""
_BADGE_SIDE: Final = 0.35
"""Side of the badge of the player who places the drawn tile, in sides of that tile."""
_WALL_TILE_WIDTH: Final = 0.86
"""Width of a wall tile below the castle, in heights of a line."""


def paint_outside(image: BoardImage, position: Position) -> None:
    """Paint the pile with the number of its tiles, and the tile to be placed, in the free corner outside the wall."""
    view, sides = image.view, (round(image.view.size * _PILE_SIDE), round(image.view.size * _TILE_SIDE))
    _paint_pile(image.pixels, position.pile_left, view.at(_PILE_CELL, (0.22, 0.3)), sides[0], image.theme)
    _paint_hand(image.pixels, position, view.at(_PILE_CELL, (1.62, 0.28)), sides[1], image.theme)


def with_drawn_tile(image: BoardImage, position: Position) -> Image.Image:
    """Return the picture with pile and drawn tile to its right, in the width of a card; unchanged without a tile."""
    if position.hand is None:
        return image.pixels
    theme, size, height = image.theme, image.view.size, image.pixels.height
    space = max(card_width(height) - image.pixels.width, round(size * HAND_ROOM))
    whole = Image.new("RGB", (image.pixels.width + space, height), theme.panel)
    whole.paste(image.pixels, (0, 0))
    middle, pile, side = image.pixels.width + space // 2, round(size * _NEAR_PILE_SIDE), round(size * _NEAR_TILE_SIDE)
    pile_height = 2 * pile if position.pile_left else 0
    top = (height - side - pile_height) // 2
    _paint_pile(whole, position.pile_left, (middle - pile // 2, top), pile, theme)
    _paint_hand(whole, position, (middle - side // 2, top + pile_height), side, theme)
    return whole


def _paint_pile(pixels: Image.Image, tiles: int, corner: tuple[int, int], side: int, theme: Theme) -> None:
    """Paint the tiles face down, with their number below; nothing if there are none."""
    back, step, (left, top) = tile_back(theme, side), round(side / 20), corner
    for depth in range(min(tiles, 3) - 1, -1, -1):
        pixels.paste(back, (left + step * depth, top + step * depth))
    if tiles:
        write(pixels, f"{TIMES_SIGN}{tiles}", (left + side // 2, top + side * 3 // 2), side // 2, theme.text)


def _paint_hand(pixels: Image.Image, position: Position, corner: tuple[int, int], side: int, theme: Theme) -> None:
    """Paint the drawn tile, if there is one, in the frame of a question, with the badge of the player who places it."""
    if position.hand is None:
        return
    (left, top), edge = corner, max(side // 28, 2)
    pixels.paste(theme.highlight, (left - edge, top - edge, left + side + edge, top + side + edge))
    pixels.paste(tile_picture(theme, position.hand, 0, side), corner)
    badge = pieces.badge(theme, position.player, round(side * _BADGE_SIDE))
    pixels.paste(badge, (left + side - badge.width * 2 // 3, top - badge.height // 3), badge)


def paint_strips(image: BoardImage, position: Position) -> Image.Image:
    """Return the picture with a line for each player below it: points, figures, keep and wall tiles."""
    view, theme = image.view, image.theme
    height = round(STRIP_HEIGHT * view.size)
    whole = Image.new("RGB", (view.width, view.height + position.players * height), theme.panel)
    whole.paste(image.pixels, (0, 0))
    for seat in range(position.players):
        _paint_strip(whole, position, seat, view.height + seat * height, view, theme)
    return whole


def _paint_strip(whole: Image.Image, position: Position, seat: int, top: int, view: View, theme: Theme) -> None:
    """Paint the line of one player: the points, the supplies, the keep and the wall tiles."""
    size = round(STRIP_HEIGHT * view.size)
    middle = top + size / 2
    if position.player == seat:
        area = (6, top + 2, view.width - 7, top + size - 3)
        ImageDraw.Draw(whole).rounded_rectangle(area, size // 6, outline=theme.highlight, width=max(size // 20, 2))

    def lay(sprite: Image.Image, x: float) -> None:
        """Paste a sprite with its middle at ``x``, in heights of the line."""
        whole.paste(sprite, (round(x * size) - sprite.width // 2, round(middle) - sprite.height // 2), sprite)

    def note(text: str, x: float, *, faded: bool = False) -> None:
        """Write a text that begins at ``x``, in heights of the line."""
        colour = theme.muted_text if faded else theme.text
        write_left(whole, text, (x * size, middle), round(size * _NOTE_SIZE), colour)

    lay(pieces.shape_sprite(theme, seat, round(size * 0.8)), 0.6)
    write_right(whole, str(position.scores[seat]), (2.5 * size, middle), round(size * _SCORE_SIZE), theme.text)
    followers_left = position.supply[FOLLOWER][seat]
    lay(pieces.follower(theme, seat, round(size * 1.3), lying=False), 3.1)
    note(f"{TIMES_SIGN}{followers_left}", 3.4, faded=not followers_left)
    keep = position.keeps[seat]
    lay(tokens.keep(theme, seat, round(size * 1.2)), 4.9)
    note(tokens.NONE_SIGN if keep is None else str(keep.size), 5.3, faded=keep is None)
    _paint_wall_tiles(whole, position.hands[seat], (round(6.2 * size), round(middle)), size, theme)


def _paint_wall_tiles(
    whole: Image.Image, wall_tiles: Sequence[WallTile], at: tuple[int, int], size: int, theme: Theme
) -> None:
    """Paint the numbers of the wall tiles side by side, overlapping if there are many."""
    width = round(_WALL_TILE_WIDTH * size)
    space = whole.width - at[0] - round(0.2 * size)
    step = min(width + max(size // 12, 2), (space - width) // max(len(wall_tiles) - 1, 1))
    for number, kind in enumerate(wall_tiles):
        sprite = tokens.wall_tile_number(theme, kind, width)
        whole.paste(sprite, (at[0] + number * step, at[1] - width // 2), sprite)
