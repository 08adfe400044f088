"""Pictures of events: standings, brackets, the games of a round, and cross tables of groups.

They are twice as wide as a phone's screen in CSS pixels, so that their text can be read there. One picture has at most
sixteen entries, which are players or teams. Nothing depends on colour alone. A bar marks leaders and winners, and a
tick or a triangle marks an entry that advances. The name of an entry that has left is struck through. All words come
from the caller.
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
