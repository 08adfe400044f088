"""``python -m renderers.carcassonne.gallery DIR [NAME …]``: all tiles and pieces, and every picture in every theme.

Every change of the art is reviewed on them, at full size and at the width of a phone. With names, such as
``focus-night``, only these are written.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from random import Random
from typing import Final

from engine import Action, Cell, Deploy, Pass, Place, hints_on
from engine.carcassonne import DeployFollower, Options, PlaceTile, Position, new_setup, tile_set
from engine.carcassonne.built_positions import arrange
from engine.carcassonne.expansions import FURTHER_SETS, SETS
from engine.carcassonne.expansions.bridges_castles_bazaars import BuildBridge, BuildCastle, DecideTown, castles_of
from engine.once import once
from engine.selfplay import random_action
from renderers.carcassonne import cards, contact
from renderers.carcassonne.pile import remaining
from renderers.carcassonne.questions.bridges_castles_bazaars import castle_question, lots
from renderers.carcassonne.scoreboard import Tally, score_panel
from renderers.carcassonne.values import Ghost
from renderers.final_scores import SheetLine, score_sheet, summary
from renderers.gallery import NamedSheet, write_sheets
from renderers.masks import decoration_dice
from renderers.theme import DAY, THEMES, Theme
from renderers.values import Guides, Held, Mark, NumberedPlace, Picture, Spot

_SEED: Final = "gallery 35"
_PLAYERS: Final = 6
_MOMENTS: Final[Mapping[str, int]] = {"early": 24, "middle": 110, "late": 230}
"""Plies after which a game is shown."""
_NAMES: Final = ("Ana", "Ben", "Cleo", "Dan", "Eva", "Finn")
_CATEGORIES: Final = ("Cities", "Roads", "Monasteries", "Fields", "Castles", "Bazaars")
_POINTS: Final = ((44, 7, 9, 12, 0, 3), (32, 14, 18, 5, 10, -5), (18, 21, 0, 9, 10, 2), (9, 4, 9, 0, 0, 0))
_WEIGHTS: Final = {"monastery": 4.0, "city": 3.0, "road": 2.0, "field": 0.4}
"""How gladly a follower goes where."""


def sheets() -> Iterator[NamedSheet]:
    """All sheets by name, each drawn when it is wanted."""
    for name in (*SETS, *FURTHER_SETS):
        yield f"tiles-{name}", partial(contact.tiles_sheet, list(tile_set(name).values()), DAY)
    yield "bridges", partial(contact.bridges_sheet, DAY, (*SETS, *FURTHER_SETS))
    for theme in THEMES.values():
        yield f"figures-{theme.name}", partial(contact.figures_sheet, theme)
        yield f"pieces-{theme.name}", partial(contact.pieces_sheet, theme)
        for moment, plies in _MOMENTS.items():
            yield f"{moment}-{theme.name}", partial(_board_after, plies, theme)
        for kind, draw in (*_of_a_turn(theme), *_others(theme)):
            yield f"{kind}-{theme.name}", draw


def _board_after(plies: int, theme: Theme) -> Picture:
    position = played(_SEED, _PLAYERS, plies)
    return cards.whole_board(position, marks_of(position), theme=theme)


def _others(theme: Theme) -> Iterator[NamedSheet]:
    """Every kind of picture that belongs to no turn."""
    yield "castles", lambda: cards.whole_board(castles(), theme=theme)
    base = tile_set("base")
    bought = [base[f"base/{letter}"] for letter in "DLMX"]
    yield "lots", partial(lots, bought, [-1, 2, -1, 0], 2, _NAMES, theme=theme)
    yield "left", partial(remaining, [(kind, kind.count - 1) for kind in base.values()], theme=theme)
    rows = [dict(zip(_CATEGORIES, points, strict=True)) for points in _POINTS]
    yield "summary", partial(summary, _NAMES[: len(rows)], rows, theme=theme)
    columns = ("Player", *_CATEGORIES, "Total")
    lines = [
        SheetLine(seat, _NAMES[seat], str(seat + 1), points, sum(points), first=not seat)
        for seat, points in enumerate(_POINTS)
    ]
    notes = ("Standard rules, with Bridges, Castles & Bazaars", "3 March 2026 to 21 April 2026")
    yield "sheet", partial(score_sheet, "Sunday league, table 3 · K7QX2", columns, lines, notes, theme=theme)


def _of_a_turn(theme: Theme) -> Iterator[NamedSheet]:
    """The pictures that go with one turn."""
    position = played(_SEED, _PLAYERS, _MOMENTS["late"])
    marks = marks_of(position)
    yield "focus", lambda: cards.turn_card(position, marks, theme=theme).focus
    yield "guides", lambda: cards.whole_board(position, marks, theme=theme, guides=guides_of(position))
    places = [action for action in position.legal_actions if isinstance(action, Place)]
    cells = sorted({place.cell for place in places if place.aid is None}, key=lambda cell: (cell.y, cell.x))
    spots = [Spot(cell, chr(65 + number % 26)) for number, cell in enumerate(cells)]
    yield "composer", partial(cards.composer, position, spots, theme=theme)
    yield "ghost", partial(_trial, position, places, theme)
    castle = castles_of(position)[0]
    yield "fief", partial(castle_question, position, castle.cells, castle.fief, theme=theme)
    yield "track", partial(score_panel, _tallies(position), theme=theme)


def _tallies(position: Position) -> list[Tally]:
    return [
        Tally(
            seat,
            _NAMES[seat],
            position.scores[seat],
            {piece: left[seat] for piece, left in position.supply.items()},
            next=seat == position.player,
        )
        for seat in range(position.players)
    ]


def _trial(position: Position, places: list[Place], theme: Theme) -> Picture:
    """The tile in hand on trial, with a bridge if there is one to try.

    Raises:
        ValueError: no tile is to be laid.
    """
    if position.hand is None:
        raise ValueError("no tile is to be laid")
    place = next((place for place in places if isinstance(place.aid, BuildBridge)), places[0])
    bridge = (place.aid.cell, place.aid.axis) if isinstance(place.aid, BuildBridge) else None
    face = position.hand.faces[place.rotation // 90]
    ghost = Ghost(place.cell, position.hand, place.rotation, bridge)
    numbers = [NumberedPlace(number, segment) for number, segment in enumerate(face.segments, 1)]
    return cards.composer(position, (), ghost, numbers, theme=theme)


def castles() -> Position:
    """A castle with its tiles one above the other, another with its tiles side by side, and one that has scored."""
    return arrange(
        players=3,
        tiles=(
            *("base/E 0,0 180", "base/E 0,1 0", "base/U 1,0 0", "base/U 1,1 90", "base/E 2,0 90", "base/E 3,0 270"),
            *("base/B 2,1 0", "base/V 3,1 0", "base/E 4,0 180", "base/E 4,1 0"),
        ),
        castles=("0 0,0 0,1", "1 2,0 3,0", "2 4,0 4,1 scored"),
    )


def guides_of(position: Position) -> Guides:
    """All that the engine knows about fields and dead cells."""
    hints = hints_on(position)
    dead = hints.dead_cells()
    held = tuple(Held(holding.field.owners, holding.field.parts) for holding in hints.holdings())
    return Guides(held, frozenset(dead.dead), frozenset(dead.aided))


def marks_of(position: Position) -> list[Mark]:
    """The last tile of each player."""
    last = {tile.player: tile.cell for tile in position.placed() if tile.player >= 0}
    return [Mark(cell, player) for player, cell in last.items()]


@once
def played(seed: str, players: int, plies: int) -> Position:
    """A game that keeps together, until somebody has a tile to place or it is over; not to be played on."""
    position = Position(new_setup(players=players, seed=seed, options=Options()))
    dice = decoration_dice(seed)
    while position.step is not None and (position.ply < plies or not isinstance(position.step, PlaceTile)):
        position.apply(tidy(position, dice))
    return position


def tidy(position: Position, dice: Random) -> Action:
    """A random action, but tiles go where they have neighbours, followers into buildings, and castles are built."""
    match position.step:
        case DecideTown():
            return BuildCastle()
        case DeployFollower():
            return max(position.legal_actions, key=lambda action: (_gladly(action) * dice.random(), str(action)))
        case PlaceTile():
            places = [action for action in position.legal_actions if isinstance(action, Place)]
            if places:
                return max(
                    places, key=lambda place: (_neighbours(position, place.cell) + 3 * dice.random(), str(place))
                )
            return random_action(position, dice)
        case _:
            return random_action(position, dice)


def _gladly(action: Action) -> float:
    match action:
        case Deploy(segment=segment):
            return _WEIGHTS[segment.partition(".")[0]]
        case Pass():
            return 1.2
        case _:
            return 0.5


def _neighbours(position: Position, cell: Cell) -> int:
    steps = ((x, y) for x in (-1, 0, 1) for y in (-1, 0, 1))
    return sum(position.tile_at(Cell(cell.x + x, cell.y + y)) is not None for x, y in steps)


if __name__ == "__main__":
    write_sheets(sheets(), Path(sys.argv[1] if len(sys.argv) > 1 else "gallery"), sys.argv[2:])
