"""Pictures of games: a position in, image bytes out.

Every function is pure and may run in any thread; sprites are drawn on first use and kept. Nothing here knows Discord.
Here stands what all games share; each has a package of its own, of which nothing else here knows.
"""

from renderers.caches import SizedCache
from renderers.final_scores import SheetLine, score_sheet, summary
from renderers.lettering import legible, shortened
from renderers.marks import PLAYER_MARKS, PlayerMark, Shape
from renderers.theme import CONTRAST, DAY, NIGHT, THEMES, Theme, ThemeName, small
from renderers.values import NO_GUIDES, Guides, Held, Mark, NumberedPlace, Picture, Spot, TurnPictures

__all__ = [
    "CONTRAST",
    "DAY",
    "NIGHT",
    "NO_GUIDES",
    "PLAYER_MARKS",
    "THEMES",
    "Guides",
    "Held",
    "Mark",
    "NumberedPlace",
    "Picture",
    "PlayerMark",
    "Shape",
    "SheetLine",
    "SizedCache",
    "Spot",
    "Theme",
    "ThemeName",
    "TurnPictures",
    "legible",
    "score_sheet",
    "shortened",
    "small",
    "summary",
]
