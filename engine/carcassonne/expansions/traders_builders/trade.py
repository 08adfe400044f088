"""Trade goods: who completes a city takes what is traded there, and most of a kind brings points at the end."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from engine.actions import seats
from engine.agenda import Task
from engine.carcassonne.box import Memory
from engine.carcassonne.expansions.traders_builders.events import GoodsTaken
from engine.carcassonne.landscape import Landscape
from engine.carcassonne.table import Expansion, Tabletop
from engine.carcassonne.tiles import FeatureKind, Segment
from engine.events import Scored, Term
from engine.grammar.words import read_number
from engine.joining import SegmentNumber, bits

GOODS: Final = "goods"
"""The key in ``position.extra``, the kind of the score, and what cities on tiles are marked with."""
MOST_GOODS_POINTS: Final = 10


class Goods(StrEnum):
    """What is traded in a city."""

    WINE = "wine"
    GRAIN = "grain"
    CLOTH = "cloth"


def goods_on(segment: Segment) -> Goods | None:
    """What is traded in the part of a city that lies on one tile."""
    kind = segment.shows(GOODS)
    return None if kind is None else Goods(kind)


def goods_of(position: Tabletop) -> tuple[Counter[Goods], ...]:
    """The goods that each seat has taken."""
    taken: tuple[tuple[int, ...], ...] = position.extra.get(GOODS, ((0,) * len(Goods),) * position.players)
    return tuple(Counter(dict(zip(Goods, counts, strict=True))) for counts in taken)


class Trade(Expansion):
    """The goods of a completed city go to whoever laid the last tile, even if nobody holds it."""

    def structures_paid(self, position: Tabletop) -> None:
        """They are taken when the city has scored."""
        position.agenda.append(TakeGoods())

    def game_ending(self, position: Tabletop) -> None:
        """Most of a kind brings 10 points; when tied, each gets them."""
        taken = goods_of(position)
        for kind in Goods:
            most = max(counts[kind] for counts in taken)
            for player, counts in zip(seats(position.players), taken, strict=True):
                if most and counts[kind] == most:
                    terms = (Term(kind, most, MOST_GOODS_POINTS),)
                    position.award(Scored(player, MOST_GOODS_POINTS, GOODS, terms, (), final=True))


@dataclass(frozen=True, slots=True)
class TakeGoods(Task[Tabletop]):
    """The player of the round takes the goods of the cities that he completed; a castle is none (CA-15, CA-18)."""

    def run(self, position: Tabletop) -> None:
        """Count them, and add them to his."""
        player, land = position.current_round.player, position.land
        found: Counter[Goods] = Counter()
        for root in position.current_round.completed:
            if land.kind[root] == FeatureKind.CITY:
                found += goods_in(land, root)
        if not found:
            return
        taken = goods_of(position)
        taken[player].update(found)
        position.extra[GOODS] = tuple(tuple(counts[kind] for kind in Goods) for counts in taken)
        for kind, count in found.items():
            position.note(GoodsTaken(player, kind, count))


def goods_in(land: Landscape, root: SegmentNumber) -> Counter[Goods]:
    """What is traded in a city."""
    return Counter(
        kind
        for number in bits(land.tiles[root])
        for index, segment in land.segments(land.placed[land.order[number]])
        if (kind := goods_on(segment)) is not None and land.find(index) == root
    )


def _write_goods(position: Tabletop) -> str:
    """``1/0/2 0/0/0``: wine, grain and cloth by seat."""
    if GOODS not in position.extra:
        return ""
    return " ".join("/".join(str(counts[kind]) for kind in Goods) for counts in goods_of(position))


def _read_goods(position: Tabletop, text: str) -> None:
    taken = tuple(tuple(map(read_number, counts.split("/"))) for counts in text.split())
    if len(taken) != position.players or any(len(counts) != len(Goods) for counts in taken):
        raise ValueError(f"not the goods of each player: {text!r}")
    position.extra[GOODS] = taken


MEMORY: Final = Memory("Goods", _write_goods, _read_goods)
