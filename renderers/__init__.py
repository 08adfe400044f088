"""Pictures of a game: a position in, image bytes out.

Every function is pure and may run in any thread; sprites are drawn on first use and kept. Nothing here knows Discord.
"""

from renderers.cards import castle_question, composer, turn_card, whole_board
from renderers.marks import PLAYER_MARKS, PlayerMark, Shape
from renderers.panels import lots, remaining, summary
from renderers.theme import CONTRAST, DAY, NIGHT, THEMES, Theme, ThemeName
from renderers.values import Choice, Ghost, Mark, Picture, Spot, TurnPictures

__all__ = [
    "CONTRAST",
    "DAY",
    "NIGHT",
    "PLAYER_MARKS",
    "THEMES",
    "Choice",
    "Ghost",
    "Mark",
    "Picture",
    "PlayerMark",
    "Shape",
    "Spot",
    "Theme",
    "ThemeName",
    "TurnPictures",
    "castle_question",
    "composer",
    "lots",
    "remaining",
    "summary",
    "turn_card",
    "whole_board",
]
