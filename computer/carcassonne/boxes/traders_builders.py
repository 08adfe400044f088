"""The terms of *Traders & Builders*: second tiles by builders, pigs among the farmers, and goods."""

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
    """Figures beside the followers, and the majority in each kind of goods."""

    def figure_prices(self, weights: Weights, urgency: float) -> Mapping[str, float]:
        """Return the prices of the builder and the pig."""
        return {BUILDER: weights["builder"] * urgency, PIG: weights["pig"] * urgency}

    def figures_on_table(self, weights: Weights, draws: float) -> Mapping[str, FigureValue]:
        """Return what a builder brings while its feature is open, and a pig for each city of its field."""
        builder, pig = weights["builder_on"] * min(1.0, draws / 4), weights["pig_on"]

        def builder_value(_figure: Follower, outlook: Outlook) -> float:
            return 0.0 if outlook.complete else builder

        def pig_value(_figure: Follower, outlook: Outlook) -> float:
            return pig * outlook.worth / 3

        return {BUILDER: builder_value, PIG: pig_value}

    def add(self, parts: dict[str, float], stakes: Sequence[float], change: Change) -> None:
        """Add the second tile that a builder brings now, and the goods that are taken."""
        if _extends_builder(change):
            add_part(parts, "draws", change.weights["draw"] * stakes[change.mover])
        taken: Counter[Goods] = Counter()
        for root in change.completed:
            if change.after.land.kind[root] == FeatureKind.CITY:
                taken += goods_in(change.after.land, root)
        if taken:
            before = goods_of(change.position)
            after = [counts + taken if seat == change.mover else counts for seat, counts in enumerate(before)]
            lead = change.weights["goods_lead"]
            for seat in seats(change.position.players):
                gain = sum(_prospect(after, seat, kind, lead) - _prospect(before, seat, kind, lead) for kind in taken)
                add_part(parts, GOODS, gain * stakes[seat])


def _extends_builder(change: Change) -> bool:
    """Return True if the tile joined the feature of a builder of the player that stood there before."""
    position, land, mover = change.position, change.after.land, change.mover
    if position.supply[BUILDER][mover] or first_tile(position) >= 0:
        return False
    return any(
        holder.figure == BUILDER and holder.player == mover and land.home[holder.segment] != change.tile.square
        for number, _ in land.segments(land.placed[change.tile.square])
        for holder in land.holders[land.find(number)]
    )


def _prospect(goods: Sequence[Counter[Goods]], seat: int, kind: Goods, lead: float) -> float:
    """Return the points that a player may hope for in a kind of goods: the more they have than others, the more."""
    powers = [(1 + lead) ** (2 * counts[kind]) for counts in goods]
    return GOODS_MAJORITY_POINTS * powers[seat] / sum(powers)
