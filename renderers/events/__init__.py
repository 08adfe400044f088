"""Pictures of events: standings, brackets, the games of a round, and cross tables of groups.

They are twice as wide as a phone's screen in CSS pixels, so that their text can be read there. One picture has at most
sixteen entries. Nothing depends on colour alone: a bar marks leaders and winners, a tick or a triangle an entry that
advances, a line through the name one that left. All words come from the caller.
"""

from renderers.events.pictures import bracket, cross_tables, round_sheet, standings_table
from renderers.events.sheet import (
    MAX_ENTRIES,
    BoxLine,
    BracketBox,
    BracketSide,
    CrossLine,
    CrossTable,
    EntryState,
    Pairing,
    Rank,
    Section,
    split_evenly,
)
