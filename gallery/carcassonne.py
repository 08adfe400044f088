"""Contact sheets of Carcassonne: all tiles and pieces, and every kind of picture in every theme.

A contact sheet shows pictures of one kind side by side. Every change of the art is reviewed on them, at full size and
at the width of a phone.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import partial
from itertools import product
from random import Random
from typing import Final

from PIL import Image

from engine import Action, Deploy, Pass, Place, hints_on
from engine.caching import thread_safe_cache
from engine.carcassonne import (
    DeployFollower,
    FeatureKind,
    Options,
    PlaceTile,
    Position,
    Segment,
    TileKind,
    new_setup,
    tile_set,
)
from engine.carcassonne.expansions import ABBEY_MAYOR, ABBOT, KING_ROBBER, OFFERED_TILE_SETS, OTHER_TILE_SETS, PHANTOM
from engine.carcassonne.expansions.abbot import GARDEN
from engine.carcassonne.expansions.bridges_castles_bazaars import BuildBridge, BuildCastle, DecideTown, castles_of
from engine.geometry import Axis, Cell
from engine.selfplay import random_action
from gallery.built_positions import arrange
from gallery.contact_sheets import NamedSheet, marks_of
from renderers import pieces
from renderers.boards.sheet import tile_back
from renderers.boards.view import phone_window
from renderers.carcassonne import cards
from renderers.carcassonne.boxes.bridges_castles_bazaars import bridge_sprite, castle_sprite
from renderers.carcassonne.boxes.fairy import fairy_sprite
from renderers.carcassonne.boxes.traders_builders import builder, pig
from renderers.carcassonne.figures import FIGURES, Ghost, anchor, figure
from renderers.carcassonne.inset import remaining, tile_picture
from renderers.carcassonne.questions.bridges_castles_bazaars import castle_question, lots
from renderers.carcassonne.scoreboard import Tally, score_panel
from renderers.final_scores import SheetLine, score_bars, score_sheet
from renderers.land import pasture
from renderers.lettering import write_left
from renderers.marks import PLAYER_MARKS
from renderers.masks import decoration_rng
from renderers.pieces import follower, within_tile
from renderers.png import encode_png
from renderers.theme import DAY, THEMES, Theme
from renderers.values import FigurePlace, Guides, HeldField, Picture

_SEED: Final = "gallery 35"
"""The seed of the game that is shown: one with castles, bridges and a castle's question."""
_PLAYERS: Final = 6
"""The number of players of the game that is shown."""
_PLIES_BY_MOMENT: Final[Mapping[str, int]] = {"early": 24, "middle": 110, "late": 230}
"""Numbers of actions after which the game is shown, by the name of the moment."""
_NAMES: Final = ("Ana", "Ben", "Cleo", "Dan", "Eva", "Finn")
"""The names of the players, by seat."""
_CATEGORIES: Final = ("Cities", "Roads", "Monasteries", "Fields", "Castles", "Bazaars")
"""The categories of the final scores."""
_POINTS: Final = ((44, 7, 9, 12, 0, 3), (32, 14, 18, 5, 10, -5), (18, 21, 0, 9, 10, 2), (9, 4, 9, 0, 0, 0))
"""The points of each player by category."""
_DEPLOY_PREFERENCES: Final = {"monastery": 4.0, "city": 3.0, "road": 2.0, "field": 0.4}
"""Weights of the kinds of features when a follower is deployed in the games of the gallery."""
_TILE: Final = 128
"""Side of a tile on its sheet, in pixels."""
_GAP: Final = 12
"""Space between two pictures of a sheet, in pixels."""
_TITLE: Final = 44
"""Height of the line with a tile's id, in pixels."""
_ROTATIONS: Final = (0, 90, 180, 270)
"""The rotations of a tile, in degrees clockwise."""
_COLUMN: Final = 176
"""Width of one player's column of pieces, in pixels."""
_FIGURE_SIZES: Final = (140, 64, 42)
"""Sizes of a cell, in pixels, at which figures are shown: enlarged, on a board, and on a phone."""
_FIGURE_ROOM: Final = 0.85
"""Height of a row of figures, as a multiple of the figures' size."""


def sheets() -> Iterator[NamedSheet]:
    """Yield all sheets by name, each drawn only when it is requested."""
    for name in (*OFFERED_TILE_SETS, *OTHER_TILE_SETS):
        yield f"tiles-{name}", partial(tiles_sheet, list(tile_set(name).values()), DAY)
    yield "tiles-gardens", partial(tiles_sheet, _tiles_with_garden(), DAY)
    yield "bridges", partial(bridges_sheet, DAY, (*OFFERED_TILE_SETS, *OTHER_TILE_SETS))
    for theme in THEMES.values():
        yield f"figures-{theme.name}", partial(figures_sheet, theme)
        yield f"pieces-{theme.name}", partial(pieces_sheet, theme)
        for moment, plies in _PLIES_BY_MOMENT.items():
            yield f"{moment}-{theme.name}", partial(_board_after, plies, theme)
        for kind, draw in (*_turn_sheets(theme), *_other_sheets(theme)):
            yield f"{kind}-{theme.name}", draw


def _board_after(plies: int, theme: Theme) -> Picture:
    """Draw the whole board after a number of actions."""
    position = play_compact_game(_SEED, _PLAYERS, plies)
    return cards.whole_board(position, marks_of(position), theme=theme)


def _other_sheets(theme: Theme) -> Iterator[NamedSheet]:
    """Yield every kind of picture that does not belong to a turn."""
    yield "castles", lambda: cards.whole_board(castles(), theme=theme)
    yield "markers", lambda: cards.turn_card(markers(), theme=theme)
    yield "gardens", lambda: cards.turn_card(gardens(), theme=theme)
    yield "abbeys", lambda: cards.turn_card(abbeys(), theme=theme)
    base = tile_set("base")
    bought = [base[f"base/{letter}"] for letter in "DLMX"]
    late = play_compact_game(_SEED, _PLAYERS, _PLIES_BY_MOMENT["late"])
    yield "lots", partial(lots, late, bought, [-1, 2, -1, 0], 2, theme=theme)
    yield "left", partial(remaining, [(kind, kind.count - 1) for kind in base.values()], theme=theme)
    rows = [dict(zip(_CATEGORIES, points, strict=True)) for points in _POINTS]
    yield "summary", partial(score_bars, _NAMES[: len(rows)], rows, theme=theme)
    columns = ("Player", *_CATEGORIES, "Total")
    lines = [
        SheetLine(seat, _NAMES[seat], str(seat + 1), points, sum(points), first=not seat)
        for seat, points in enumerate(_POINTS)
    ]
    notes = ("Standard rules, with Bridges, Castles & Bazaars", "3 March 2026 to 21 April 2026")
    yield "sheet", partial(score_sheet, "Sunday league, table 3 · K7QX2", columns, lines, notes, theme=theme)


def _turn_sheets(theme: Theme) -> Iterator[NamedSheet]:
    """Yield the pictures of one turn."""
    position = play_compact_game(_SEED, _PLAYERS, _PLIES_BY_MOMENT["late"])
    marks = marks_of(position)
    yield "focus", lambda: cards.turn_card(position, marks, theme=theme)
    yield "guides", lambda: cards.whole_board(position, marks, theme=theme, guides=guides_of(position))
    places = [action for action in position.legal_actions if isinstance(action, Place)]
    cells = sorted({place.cell for place in places if place.aid is None}, key=lambda cell: (cell.y, cell.x))
    spots = cells[: next((count for count in range(len(cells), 1, -1) if phone_window(cells[:count])), 1)]
    yield "composer", partial(cards.composer, position, spots, theme=theme)
    yield "ghost", partial(_trial, position, places, theme)
    castle = castles_of(position)[0]
    yield "fief", partial(castle_question, position, castle.cells, castle.fief, theme=theme)
    yield "track", partial(score_panel, _tallies(position), theme=theme)


def _tallies(position: Position) -> list[Tally]:
    """Return the points and supplies of each player."""
    return [
        Tally(
            seat,
            _NAMES[seat],
            position.scores[seat],
            {piece: counts[seat] for piece, counts in position.supply.items()},
            next=seat == position.player,
        )
        for seat in range(position.players)
    ]


def _trial(position: Position, places: list[Place], theme: Theme) -> Picture:
    """Draw the tile in hand on trial, with a bridge if one can be tried.

    Raises:
        ValueError: no tile is to be placed.
    """
    if position.hand is None:
        raise ValueError("no tile is to be laid")
    place = next((place for place in places if isinstance(place.aid, BuildBridge)), places[0])
    bridge = (place.aid.cell, place.aid.axis) if isinstance(place.aid, BuildBridge) else None
    face = position.hand.faces[place.rotation // 90]
    ghost = Ghost(place.cell, position.hand, place.rotation, bridge)
    lettered = [FigurePlace(letter, segment) for letter, segment in zip("ABCDEFGHIJ", face.segments, strict=False)]
    return cards.composer(position, (), ghost, lettered, theme=theme)


def castles() -> Position:
    """Return a position with a vertical castle, a horizontal one, and one that has scored."""
    return arrange(
        players=3,
        tiles=(
            *("base/E 0,0 180", "base/E 0,1 0", "base/U 1,0 0", "base/U 1,1 90", "base/E 2,0 90", "base/E 3,0 270"),
            *("base/B 2,1 0", "base/V 3,1 0", "base/E 4,0 180", "base/E 4,1 0"),
        ),
        castles=("0 0,0 0,1", "1 2,0 3,0", "2 4,0 4,1 scored"),
    )


def markers() -> Position:
    """Return a position in which two players hold the King and the Robber Baron."""
    return arrange(
        players=3,
        tiles=("kr/CCCC 0,0", "base/E 0,-1 180", "base/E 0,1 0", "base/E -1,0 90", "base/E 1,0 270", "kr/CRRC 2,0 180"),
        followers=("0 0,0 city.E",),
        hand="kr/CRRR",
        expansions=(KING_ROBBER,),
        king_robber=("king 0 3", "robber 1 12"),
    )


def gardens() -> Position:
    """Return a position with an abbot in a garden, another on a monastery, and a phantom beside a follower."""
    return arrange(
        players=3,
        tiles=(
            *("base/D 0,0 0", "base/E+garden 0,-1 180", "base/V+garden 1,0 0", "base/B -1,-1 0", "base/A 1,-1 0"),
            *("base/N+garden 0,1 90", "base/U 2,-1 0", "gq/FFFF -1,1 0"),
        ),
        followers=("0 0,-1 garden abbot", "1 -1,-1 monastery abbot", "2 0,0 city.N", "2 0,0 road.E phantom"),
        hand="base/I+garden",
        expansions=(ABBOT, PHANTOM),
    )


def _tiles_with_garden() -> list[TileKind]:
    """Return the tiles with a garden of all boxes."""
    return [
        kind
        for name in OFFERED_TILE_SETS
        for kind in tile_set(name).values()
        if any(segment.kind == GARDEN.name for segment in kind.segments)
    ]


def abbeys() -> Position:
    """Return a position with an abbey, a barn, a mayor and a wagon of three players."""
    return arrange(
        players=3,
        tiles=(
            "base/U 0,-1 90",
            "am/RRFR 1,0",
            "base/E 0,1",
            "base/U -1,0",
            "am/abbey 0,0",
            "base/A 1,-1",
            "base/A 2,0 90",
            "base/B 1,1",
            "base/B 2,1",
            "am/FFFC -1,1",
            "base/E -2,1 90",
        ),
        followers=(
            "0 0,0 monastery",
            "0 2,1 field.NL barn",
            "1 -1,1 city.W mayor",
            "2 -1,0 road.E wagon",
            "1 1,-1 monastery",
        ),
        hand="am/CCFC",
        expansions=(ABBEY_MAYOR,),
    )


def guides_of(position: Position) -> Guides:
    """Return all hints of the engine about fields and dead cells."""
    hints = hints_on(position)
    dead = hints.dead_cells()
    fields = tuple(HeldField(holding.field.owners, holding.field.parts) for holding in hints.holdings())
    return Guides(fields, frozenset(dead.dead), frozenset(dead.aided))


@thread_safe_cache
def play_compact_game(seed: str, players: int, plies: int) -> Position:
    """Play a random game with a compact board; return its position at a tile placement or at the end.

    ``plies`` is the least number of actions. The position is cached, so callers must not play on in it.
    """
    position = Position(new_setup(players=players, seed=seed, options=Options()))
    rng = decoration_rng(seed)
    while position.step is not None and (position.ply < plies or not isinstance(position.step, PlaceTile)):
        position.apply(compact_action(position, rng))
    return position


def compact_action(position: Position, rng: Random) -> Action:
    """Return a random action that favours a compact board: tiles with many neighbours, figures in cities, castles."""
    match position.step:
        case DecideTown():
            return BuildCastle()
        case DeployFollower():
            return max(
                position.legal_actions, key=lambda action: (_deploy_preference(action) * rng.random(), str(action))
            )
        case PlaceTile():
            places = [action for action in position.legal_actions if isinstance(action, Place)]
            if places:
                return max(
                    places, key=lambda place: (_neighbour_count(position, place.cell) + 3 * rng.random(), str(place))
                )
        case _:
            pass
    return random_action(position, rng)


def _deploy_preference(action: Action) -> float:
    """Return how much the players of the gallery's game like an action after a placement."""
    match action:
        case Deploy(segment=segment):
            return _DEPLOY_PREFERENCES[segment.partition(".")[0]]
        case Pass():
            return 1.2
        case _:
            return 0.5


def _neighbour_count(position: Position, cell: Cell) -> int:
    """Return the number of tiles on and around a cell."""
    steps = ((x, y) for x in (-1, 0, 1) for y in (-1, 0, 1))
    return sum(position.tile_at(Cell(cell.x + x, cell.y + y)) is not None for x, y in steps)


def tiles_sheet(kinds: Sequence[TileKind], theme: Theme) -> Picture:
    """Draw every tile in its four rotations, with its id."""
    block = 4 * (_TILE + _GAP) + _GAP
    rows = -(-len(kinds) // 2)
    image = Image.new("RGB", (2 * block + _GAP, rows * (_TILE + _TITLE) + _GAP), theme.panel)
    for index, kind in enumerate(kinds):
        left, top = _GAP + index % 2 * block, _GAP + index // 2 * (_TILE + _TITLE)
        write_left(image, kind.id, (left, top + 12), 22, theme.text)
        for column, rotation in enumerate(_ROTATIONS):
            image.paste(tile_picture(theme, kind, rotation, _TILE), (left + column * (_TILE + _GAP), top + 30))
    return encode_png(image, theme, "tiles")


def crossings(names: Sequence[str] = OFFERED_TILE_SETS) -> Iterator[tuple[TileKind, int, Axis]]:
    """Yield the tiles and rotations of some tile sets that a bridge may cross: with fields on two opposite sides."""
    for name in names:
        for kind in tile_set(name).values():
            for rotation, axis in product(kind.rotations, Axis):
                face = kind.faces[rotation // 90]
                if all(face.side_segments[side] < 0 for side in axis.sides):
                    yield kind, rotation, axis


def bridges_sheet(theme: Theme, names: Sequence[str] = OFFERED_TILE_SETS) -> Picture:
    """Draw a bridge over every tile that it may cross, every second one with a figure below it and one on it."""
    crossed = list(crossings(names))
    columns = 10
    side = _TILE + _GAP
    image = Image.new("RGB", (columns * side + _GAP, -(-len(crossed) // columns) * side + _GAP), theme.panel)
    for index, (kind, rotation, axis) in enumerate(crossed):
        picture = tile_picture(theme, kind, rotation, _TILE, axis)
        if index % 2:
            _paint_two_figures(picture, kind, rotation, axis, theme)
        image.paste(picture, (_GAP + index % columns * side, _GAP + index // columns * side))
    return encode_png(image, theme, "bridges")


def _paint_two_figures(picture: Image.Image, kind: TileKind, rotation: int, axis: Axis, theme: Theme) -> None:
    """Paint one figure on the first segment and one on the bridge."""
    first = kind.faces[rotation // 90].segments[0]
    bridge = Segment(FeatureKind.ROAD, tuple(sorted(int(side) for side in axis.sides)))
    for seat, segment in ((0, first), (1, bridge)):
        lying = segment.kind is FeatureKind.FIELD
        x, y = within_tile(anchor(kind, rotation, segment, axis), lying=lying)
        sprite = follower(theme, seat, _TILE, lying=lying)
        corner = (round(x * _TILE) - sprite.width // 2, round(y * _TILE) - sprite.height // 2)
        picture.paste(sprite, corner, sprite)


def pieces_sheet(theme: Theme) -> Picture:
    """Draw the figures, badges, bridges and castles of all six players, large and as small as on a phone."""
    columns = [list(_pieces_of(theme, seat)) for seat in range(len(PLAYER_MARKS))]
    heights = [max(column[row].height for column in columns) + _GAP for row in range(len(columns[0]))]
    image = pasture(theme, (len(columns) * _COLUMN, sum(heights) + _GAP), _TILE)
    for number, column in enumerate(columns):
        top = _GAP
        for sprite, height in zip(column, heights, strict=True):
            image.paste(sprite, (number * _COLUMN + (_COLUMN - sprite.width) // 2, top), sprite)
            top += height
    return encode_png(image, theme, "pieces")


def figures_sheet(theme: Theme, names: Collection[str] = FIGURES) -> Picture:
    """Draw each figure of all six players standing and lying, large and as small as on a phone."""
    lines = list(product(_FIGURE_SIZES, names, (False, True)))
    heights = [round(size * _FIGURE_ROOM) for size, _, _ in lines]
    column_width = round(_FIGURE_SIZES[0] * _FIGURE_ROOM)
    image = pasture(theme, (len(PLAYER_MARKS) * column_width, sum(heights)), _TILE)
    for number, (size, name, lying) in enumerate(lines):
        for seat in range(len(PLAYER_MARKS)):
            sprite = figure(theme, seat, size, name, lying=lying)
            middle = (round((seat + 0.5) * column_width), sum(heights[:number]) + heights[number] // 2)
            image.paste(sprite, (middle[0] - sprite.width // 2, middle[1] - sprite.height // 2), sprite)
    return encode_png(image, theme, "figures")


def _pieces_of(theme: Theme, seat: int) -> Iterator[Image.Image]:
    """Yield every piece of a player."""
    yield follower(theme, seat, 190, lying=False)
    yield follower(theme, seat, 190, lying=True)
    yield builder(theme, seat, 190)
    yield pig(theme, seat, 190)
    yield follower(theme, seat, 42, lying=False)
    yield follower(theme, seat, 42, lying=True)
    yield pieces.badge(theme, seat, 80)
    yield pieces.shape_sprite(theme, seat, 80)
    yield castle_sprite(theme, seat, Axis.NS if seat % 2 else Axis.WE, _TILE, scored=seat > 3)
    yield bridge_sprite(theme, Axis.WE if seat % 2 else Axis.NS, _TILE)
    yield tile_back(theme, _TILE) if seat else fairy_sprite(theme, 190)
