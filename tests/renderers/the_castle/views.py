"""Pictures of The Castle for tests: the view of a board, a ghost (the tile being tried out), and highlighted areas."""

from __future__ import annotations

from engine import Place
from engine.the_castle import Position
from renderers import FigurePlace, Picture, Theme, the_castle
from renderers.boards.view import CELL_SIZES, View
from renderers.the_castle import Area, Ghost, cards, composer, order_question, turn_card, whole_board
from renderers.the_castle.strip import STRIP_HEIGHT
from renderers.theme import DAY, LONGEST_SIDE
from tests.renderers.the_castle.boards import last_marks


def board_view(position: Position) -> View:
    """Return the view in which the whole board is drawn."""
    views = (View(cards.whole_window(), size) for size in CELL_SIZES)
    return next(
        view for view in views if view.height + position.players * round(STRIP_HEIGHT * view.size) <= LONGEST_SIDE
    )


def ghost_of(position: Position) -> tuple[Ghost, list[FigurePlace]]:
    """Return the tile in hand as a ghost at its first legal place, and its lettered segments."""
    place = next(action for action in position.legal_actions if isinstance(action, Place))
    assert position.hand is not None
    segments = position.hand.faces[place.rotation // 90].segments
    places = [FigurePlace(letter, segment) for letter, segment in zip("ABCDEFGHI", segments, strict=False)]
    return Ghost(place.cell, position.hand, place.rotation), places


def areas_of(position: Position, count: int = 3) -> list[Area]:
    """Return the largest features, each as an area with a letter."""
    largest = sorted(position.features(), key=lambda feature: (-feature.tiles, feature.kind))[:count]
    return [Area(letter, feature.parts) for letter, feature in zip("ABC", largest, strict=False)]


def every_picture(position: Position, theme: Theme = DAY) -> list[Picture]:
    """Draw all kinds of pictures of a position with a tile in hand and a tile on the table."""
    marks = last_marks(position)
    card = turn_card(position, marks, theme=theme)
    ghost, places = ghost_of(position)
    spots = sorted(position.open_cells(), key=lambda cell: (cell.y, cell.x))
    return [
        card,
        whole_board(position, marks, theme=theme),
        composer(position, spots, theme=theme),
        composer(position, (), ghost, places, theme=theme),
        order_question(position, areas_of(position), theme=theme),
        the_castle.replay([position, position], ("Ana", "Ben"), theme=theme),
        the_castle.wall_tiles(position.hands, ("Ana", "Ben"), theme=theme),
    ]
