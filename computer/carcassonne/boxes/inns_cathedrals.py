"""The terms of *Inns & Cathedrals*: roads and cities that bring more or nothing, and the big follower."""

from __future__ import annotations

from collections.abc import Mapping

from computer.carcassonne.boxes.terms import BoxTerms
from computer.weights import Weights
from engine.carcassonne import FeatureKind
from engine.carcassonne.expansions.inns_cathedrals import BIG_FOLLOWER, CATHEDRAL, INN


class InnsCathedralsTerms(BoxTerms):
    """An inn or a cathedral raises what a complete feature brings; an incomplete one brings nothing (IX-01, IX-02)."""

    def worth(self, kind: str, traits: frozenset[str], complete: float, now: float) -> tuple[float, float]:
        """Return twice the points for a road with an inn, half as many again for a city with a cathedral."""
        if kind == FeatureKind.ROAD and INN in traits:
            return 2 * complete, 0.0
        if kind == FeatureKind.CITY and CATHEDRAL in traits:
            return 1.5 * complete, 0.0
        return complete, now

    def figure_prices(self, weights: Weights, urgency: float) -> Mapping[str, float]:
        """Return the price of the big follower, which comes on top of nothing: it is no ordinary one."""
        return {BIG_FOLLOWER: weights["big-follower"] * urgency}
