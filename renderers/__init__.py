"""Pictures of a game: a position in, image bytes out.

Every function is pure and may run in any thread; sprites are drawn on first use and kept. Nothing here knows Discord.
"""

from renderers.animation import replay
from renderers.bars import lots, remaining, summary
from renderers.carcassonne.cards import castle_question, composer, turn_card, whole_board
from renderers.carcassonne.scoreboard import Tally, score_panel
from renderers.carcassonne.warming import warm_up
from renderers.lettering.scripts import legible
from renderers.marks import PLAYER_MARKS, PlayerMark, Shape
from renderers.scoresheet import SheetLine, score_sheet
from renderers.stores import WeightedStore
from renderers.theme import CONTRAST, DAY, NIGHT, THEMES, Theme, ThemeName
from renderers.values import NO_GUIDES, Choice, Ghost, Guides, Held, Mark, Picture, Spot, TurnPictures

__all__ = [
    "CONTRAST",
    "DAY",
    "NIGHT",
    "NO_GUIDES",
    "PLAYER_MARKS",
    "THEMES",
    "Choice",
    "Ghost",
    "Guides",
    "Held",
    "Mark",
    "Picture",
    "PlayerMark",
    "Shape",
    "SheetLine",
    "Spot",
    "Tally",
    "Theme",
    "ThemeName",
    "TurnPictures",
    "WeightedStore",
    "castle_question",
    "composer",
    "legible",
    "lots",
    "remaining",
    "replay",
    "score_panel",
    "score_sheet",
    "summary",
    "turn_card",
    "warm_up",
    "whole_board",
]
