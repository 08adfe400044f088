"""The terms of *Traders & Builders*: builders, pigs and goods.

A builder grants a second tile when its feature is extended. A pig raises the value of its player's field. Goods (wine,
grain, cloth) are taken with completed cities. At the end, whoever has most goods of a kind gets points for it.

A term is a part of the value of an action. ``parts`` holds the terms of an action by name, and ``stakes`` says, by
seat, how much a point of each player is worth to the player who thinks: 1 for their own, less than 0 for a rival's. A
price is the value of a figure in the supply.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from computer.carcassonne.boxes.terms import BoxTerms, Change, FigureValue, add_part
from computer.carcassonne.outlooks import Outlook
from computer.weights import Weights
from engine.actions import seats
from engine.board import Follower
from engine.carcassonne import FeatureKind
from engine.carcassonne.double_turns import first_tile
from engine.carcassonne.expansions.traders_builders import (
    BUILDER,
    GOODS,
    GOODS_MAJORITY_POINTS,
    PIG,
    Goods,
    goods_in,
    goods_of,
)


class TradersBuildersTerms(BoxTerms):
    """Values builders and pigs, in the supply and on the board, and the chance of having most goods of each kind."""

    def figure_prices(self, weights: Weights, urgency: float) -> Mapping[str, float]:
        """Return the prices of the builder and the pig."""
        return {BUILDER: weights["builder"] * urgency, PIG: weights["pig"] * urgency}

    def figure_values_on_board(self, weights: Weights, draws: float) -> Mapping[str, FigureValue]:
        """Return the values of both figures on the board.

        A builder has a value while its feature is open. A pig is worth more the more cities its field has.
        """
        builder, pig = weights["builder_on"] * min(1.0, draws / 4), weights["pig_on"]

        def builder_value(_figure: Follower, outlook: Outlook) -> float:
            return 0.0 if outlook.complete else builder

        def pig_value(_figure: Follower, outlook: Outlook) -> float:
            return pig * outlook.worth / 3  # a city brings its farmers 3 points

        return {BUILDER: builder_value, PIG: pig_value}

    def add(self, parts: dict[str, float], stakes: Sequence[float], change: Change) -> None:
        """Add the value of the second tile that a builder grants, and of the goods taken with completed cities."""
        if _extends_builder(change):
            add_part(parts, "draws", change.weights["draw"] * stakes[change.mover])
        goods: Counter[Goods] = Counter()
        for root in change.completed:
            if change.after.land.kind[root] == FeatureKind.CITY:
                goods += goods_in(change.after.land, root)
        if goods:
            before = goods_of(change.position)
            after = [counts + goods if seat == change.mover else counts for seat, counts in enumerate(before)]
            lead = change.weights["goods_lead"]
            for seat in seats(change.position.players):
                gain = sum(_prospect(after, seat, kind, lead) - _prospect(before, seat, kind, lead) for kind in goods)
                add_part(parts, GOODS, gain * stakes[seat])


def _extends_builder(change: Change) -> bool:
    """Return True if the tile extends a feature on which the player's builder already stood."""
    position, land, mover = change.position, change.after.land, change.mover
    if position.supply[BUILDER][mover] or first_tile(position) >= 0:
        return False
    return any(
        holder.figure == BUILDER and holder.player == mover and land.home[holder.segment] != change.tile.square
        for number, _ in land.segments(land.placed[change.tile.square])
        for holder in land.holders[land.find(number)]
    )


def _prospect(goods: Sequence[Counter[Goods]], seat: int, kind: Goods, lead: float) -> float:
    """Return the points that a player is expected to win with a kind of goods.

    They grow with the player's lead in that kind.
    """
    powers = [(1 + lead) ** (2 * counts[kind]) for counts in goods]
    return GOODS_MAJORITY_POINTS * powers[seat] / sum(powers)
