"""The box *Traders & Builders*: builders, pigs and trade goods (IX-06, IX-07).

A builder grants its player a second tile in a turn, a pig raises the value of a field, and goods are taken with
completed cities. The numbers in parentheses are rules of the rule digest.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from engine.actions import Seat, seats
from engine.agenda import Task
from engine.board import Follower, SegmentNumber, bits, counts_nothing
from engine.carcassonne import double_turns
from engine.carcassonne.box import Box, ExtraCodec
from engine.carcassonne.landscape import Landscape
from engine.carcassonne.table import Expansion, FarmerBonus, Figure, Placement, Tabletop, features_with_own_follower
from engine.carcassonne.tiles import FeatureKind, Segment, TileSet
from engine.events import Event, PlayerEvent, Scored, Term
from engine.grammar.words import AgendaWord, read_number

NAME: Final = "traders-builders"
"""The name of the box."""
BUILDER: Final = "builder"
PIG: Final = "pig"
"""The names of the figures and their supplies; these figures need a follower of their owner and hold no feature."""
GOODS: Final = "goods"
"""The key in ``position.extra``, the kind of the score, and the attribute of city segments."""
GOODS_MAJORITY_POINTS: Final = 10
"""The points at the end for each player with most goods of a kind."""
_BUILDER: Final = Figure(
    BUILDER,
    1,
    is_follower=False,
    weight=counts_nothing,
    places=features_with_own_follower(FeatureKind.ROAD, FeatureKind.CITY),
)
"""The builder, which joins a follower of its owner on a road or in a city."""
_PIG: Final = Figure(
    PIG, 1, is_follower=False, weight=counts_nothing, places=features_with_own_follower(FeatureKind.FIELD)
)
"""The pig, which joins a follower of its owner on a field."""


class Builders(Expansion):
    """A player who extends the road or city of their builder lays a second tile (BZ-35, BZ-44)."""

    def figures(self) -> Sequence[Figure]:
        """Return one builder, which may join a follower of its owner on a road or in a city."""
        return (_BUILDER,)

    def tile_laid(self, position: Tabletop, task: Placement) -> None:
        """Grant a double turn if the tile, or a bridge built with it, has joined the builder's feature.

        Extending the feature is enough (BZ-44). The second tile of a double turn grants no third.
        """
        if double_turns.first_tile(position) < 0 and _extends_builder(position, task.player):
            position.agenda.append(double_turns.SecondTile(task.player, len(position.land.order) - 1))

    def placement_over(self, position: Tabletop, task: Placement) -> None:
        """End the second half, so that tiles from its bazaar belong to turns of their own (BZ-43)."""
        double_turns.end_second_half(position)


class Pigs(Expansion):
    """A pig makes each city and castle on its field worth a point more to its owner (CA-57)."""

    def figures(self) -> Sequence[Figure]:
        """Return one pig, which may join a farmer of its owner."""
        return (_PIG,)

    def farmer_bonus(self, position: Tabletop) -> FarmerBonus:
        """Return the bonus of pigs."""
        return _pig_bonus


def _pig_bonus(farmers: Sequence[Follower], player: Seat) -> tuple[str, int] | None:
    """Return one point for the owner of a pig among the farmers."""
    return (PIG, 1) if any(entry.figure == PIG and entry.player == player for entry in farmers) else None


def _extends_builder(position: Tabletop, player: Seat) -> bool:
    """Return True if the last tile joined the feature of a builder that stood there before."""
    if position.supply[BUILDER][player]:
        return False
    land = position.land
    square = land.order[-1]
    return any(
        entry.figure == BUILDER and entry.player == player and land.home[entry.segment] != square
        for number, _ in land.segments(land.placed[square])
        for entry in land.holders[land.find(number)]
    )


@dataclass(frozen=True, slots=True)
class GoodsTaken(PlayerEvent):
    """A player took goods of a kind from a city that they completed."""

    kind: str
    count: int


class Goods(StrEnum):
    """The kinds of trade goods."""

    WINE = "wine"
    GRAIN = "grain"
    CLOTH = "cloth"


def goods_on(segment: Segment) -> Goods | None:
    """Return the trade goods of a city segment, or None."""
    kind = segment.shows(GOODS)
    return None if kind is None else Goods(kind)


def goods_of(position: Tabletop) -> tuple[Counter[Goods], ...]:
    """Return the goods that each player has taken, by seat."""
    counts_by_seat: tuple[tuple[int, ...], ...] = position.extra.get(GOODS, ((0,) * len(Goods),) * position.players)
    return tuple(Counter(dict(zip(Goods, counts, strict=True))) for counts in counts_by_seat)


class Trade(Expansion):
    """The goods of a completed city go to the player who completed it, even if no one holds it."""

    def structures_paid(self, position: Tabletop) -> None:
        """Push the taking of goods, which follows the scoring of the city."""
        position.agenda.append(TakeGoods())

    def game_ending(self, position: Tabletop) -> None:
        """Award 10 points to each player with most goods of a kind."""
        goods_by_seat = goods_of(position)
        for kind in Goods:
            highest = max(counts[kind] for counts in goods_by_seat)
            for player, counts in zip(seats(position.players), goods_by_seat, strict=True):
                if highest and counts[kind] == highest:
                    terms = (Term(kind, highest, GOODS_MAJORITY_POINTS),)
                    position.award(Scored(player, GOODS_MAJORITY_POINTS, GOODS, terms, (), final=True))


@dataclass(frozen=True, slots=True)
class TakeGoods(Task[Tabletop]):
    """The player of the round takes the goods of the cities they completed; castles are not cities (CA-15, CA-18)."""

    def run(self, position: Tabletop) -> None:
        """Count the goods of the completed cities, and add them to the player's."""
        player, land = position.current_round.player, position.land
        gained: Counter[Goods] = Counter()
        for root in position.current_round.completed:
            if land.kind[root] == FeatureKind.CITY:
                gained += goods_in(land, root)
        if not gained:
            return
        goods_by_seat = goods_of(position)
        goods_by_seat[player].update(gained)
        position.extra[GOODS] = tuple(tuple(counts[kind] for kind in Goods) for counts in goods_by_seat)
        for kind, count in gained.items():
            position.emit(GoodsTaken(player, kind, count))


def goods_in(land: Landscape, root: SegmentNumber) -> Counter[Goods]:
    """Count the trade goods of a city by kind."""
    return Counter(
        kind
        for number in bits(land.tiles[root])
        for index, segment in land.segments(land.placed[land.order[number]])
        if segment.drawn and (kind := goods_on(segment)) is not None and land.find(index) == root
    )


def _write_goods(position: Tabletop) -> str:
    """Write wine, grain and cloth by seat: ``1/0/2 0/0/0``."""
    if GOODS not in position.extra:
        return ""
    return " ".join("/".join(str(counts[kind]) for kind in Goods) for counts in goods_of(position))


def _read_goods(position: Tabletop, text: str) -> None:
    """Read the goods of each player."""
    counts_by_seat = tuple(tuple(map(read_number, counts.split("/"))) for counts in text.split())
    if len(counts_by_seat) != position.players or any(len(counts) != len(Goods) for counts in counts_by_seat):
        raise ValueError(f"not the goods of each player: {text!r}")
    position.extra[GOODS] = counts_by_seat


EXTRA_CODEC: Final = ExtraCodec("Goods", _write_goods, _read_goods)
"""The tag ``[Goods]``, the goods of each player."""

BOX: Final = Box(
    name=NAME,
    mechanisms=(Builders(), Pigs(), Trade()),
    number=2,
    offered=True,
    tiles=TileSet(NAME, __name__, attributes=frozenset({GOODS})),
    words=(*double_turns.WORDS, AgendaWord("goods", TakeGoods)),
    extra_codecs=(double_turns.EXTRA_CODEC, EXTRA_CODEC),
)
