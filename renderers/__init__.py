"""Pictures of a game: a position in, image bytes out.

Every function is pure and may run in any thread; sprites are drawn on first use and kept. Nothing here knows Discord.
"""

from renderers.cards import castle_question, composer, turn_card, whole_board
from renderers.marks import PLAYER_MARKS, PlayerMark, Shape
from renderers.panels import lots, remaining, summary
from renderers.values import Choice, Ghost, Mark, Picture, Spot, TurnPictures

__all__ = [
    "PLAYER_MARKS",
    "Choice",
    "Ghost",
    "Mark",
    "Picture",
    "PlayerMark",
    "Shape",
    "Spot",
    "TurnPictures",
    "castle_question",
    "composer",
    "lots",
    "remaining",
    "summary",
    "turn_card",
    "whole_board",
]
