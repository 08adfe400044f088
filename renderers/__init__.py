"""Pictures of games: functions that draw a position and return the bytes of an image.

The functions depend on nothing but their arguments and may run in any thread. Sprites, the small pictures of single
things, are drawn on first use and cached. Nothing here depends on Discord. This package holds what all games share;
each game has a package of its own below it.
"""

from renderers.boards.view import phone_window
from renderers.caches import SizedCache
from renderers.final_scores import SheetLine, score_bars, score_sheet
from renderers.lettering import legible, shortened, told_apart
from renderers.marks import PLAYER_MARKS, PlayerMark
from renderers.theme import CONTRAST, DAY, NIGHT, THEMES, Theme, ThemeName, small
from renderers.values import NO_GUIDES, FigurePlace, Guides, HeldField, Mark, Picture
