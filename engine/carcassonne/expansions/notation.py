"""What expansions add to the text forms: words for their steps and tasks, and tags for what they remember.

A new expansion adds its words to :data:`WORDS` and, if it keeps something in ``position.extra``, an entry to
:data:`MEMORIES`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from engine.carcassonne.double_turns import FIRST_TILE, SecondHalfOver, SecondTile
from engine.carcassonne.expansions import bazaar_notation, castle_notation
from engine.carcassonne.expansions.bazaars import set_aside
from engine.carcassonne.expansions.fairy import FAIRY, Fairy, fairy_of
from engine.carcassonne.expansions.memory import Memory
from engine.carcassonne.expansions.trade import GOODS, TakeGoods, goods_of
from engine.carcassonne.segments import follower_text, read_follower
from engine.carcassonne.tiles import Goods
from engine.geometry import Cell
from engine.notation.words import NUMBER, PLAYER, Word, read_number

if TYPE_CHECKING:
    from engine.carcassonne.position import Position


def _write_first_tile(position: Position) -> str:
    return str(position.extra.get(FIRST_TILE, ""))


def _read_first_tile(position: Position, text: str) -> None:
    position.extra[FIRST_TILE] = read_number(text)


def _write_fairy(position: Position) -> str:
    """``M12 2@M12.city.N``: the cell, and by whom she stands or stood."""
    fairy = fairy_of(position)
    return "" if fairy is None else f"{fairy.cell.label} {follower_text(position.land, fairy.follower)}"


def _read_fairy(position: Position, text: str) -> None:
    cell, follower = text.split()
    position.extra[FAIRY] = Fairy(Cell.parse(cell), read_follower(position, follower))


def _write_goods(position: Position) -> str:
    """``1/0/2 0/0/0``: wine, grain and cloth by seat."""
    if GOODS not in position.extra:
        return ""
    return " ".join("/".join(str(counts[kind]) for kind in Goods) for counts in goods_of(position))


def _read_goods(position: Position, text: str) -> None:
    taken = tuple(tuple(map(read_number, counts.split("/"))) for counts in text.split())
    if len(taken) != position.players or any(len(counts) != len(Goods) for counts in taken):
        raise ValueError(f"not the goods of each player: {text!r}")
    position.extra[GOODS] = taken


def unseen(position: Position) -> range:
    """What has been taken from the pile and lies face down: asked after every action, so the option goes first."""
    return set_aside(position) if position.options.bazaar_builder_order == "builder_first" else range(0)


WORDS: Final[tuple[Word, ...]] = (
    *castle_notation.WORDS,
    *bazaar_notation.WORDS,
    Word("second", SecondTile, {"player": PLAYER, "first": NUMBER}),
    Word("secondover", SecondHalfOver),
    Word("goods", TakeGoods),
)

MEMORIES: Final[tuple[Memory, ...]] = (
    *castle_notation.MEMORIES,
    *bazaar_notation.MEMORIES,
    Memory("FirstTile", _write_first_tile, _read_first_tile),
    Memory("Fairy", _write_fairy, _read_fairy),
    Memory("Goods", _write_goods, _read_goods),
)
"""In the order in which they are read."""
