"""Pictures of events: standings, brackets, the games of a round, cross tables of groups.

They are as wide as two pixels for each of a phone's, so that what is written can be read there. At most sixteen entries
stand in one picture. Everything is said by words or shapes, too: a bar before who leads or has won, a tick, a triangle
for who goes on, a line through the name of who left. All words come from the caller.
"""

from renderers.events.bracket import bracket
from renderers.events.cross import cross_tables
from renderers.events.rounds import round_sheet
from renderers.events.sheet import (
    MOST,
    BoxLine,
    BracketBox,
    BracketSide,
    CrossLine,
    CrossTable,
    Pairing,
    Rank,
    Section,
    Sort,
    parted,
)
from renderers.events.standings import standings_table

__all__ = [
    "MOST",
    "BoxLine",
    "BracketBox",
    "BracketSide",
    "CrossLine",
    "CrossTable",
    "Pairing",
    "Rank",
    "Section",
    "Sort",
    "bracket",
    "cross_tables",
    "parted",
    "round_sheet",
    "standings_table",
]
