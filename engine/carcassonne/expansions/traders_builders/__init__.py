"""Traders & Builders: second tiles in a turn, pigs among the farmers, and trade goods (IX-06, IX-07)."""

from typing import Final

from engine.carcassonne import double_turns
from engine.carcassonne.box import Box
from engine.carcassonne.expansions.traders_builders import trade
from engine.carcassonne.expansions.traders_builders.builders import Builders, Pigs
from engine.carcassonne.tiles import TileSet
from engine.grammar.words import Word

NAME: Final = "traders-builders"

BOX: Final = Box(
    name=NAME,
    mechanisms=(Builders(), Pigs(), trade.Trade()),
    number=2,
    offered=True,
    tiles=TileSet(NAME, __name__, attributes=frozenset({trade.GOODS})),
    words=(*double_turns.WORDS, Word("goods", trade.TakeGoods)),
    memories=(double_turns.MEMORY, trade.MEMORY),
)
