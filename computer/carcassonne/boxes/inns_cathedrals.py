"""The terms of *Inns & Cathedrals*: roads with inns, cities with cathedrals, and the big follower.

Codes such as IX-01 are rules of the rule digest.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from computer.carcassonne.boxes.terms import BoxTerms
from computer.weights import Weights
from engine.carcassonne import FeatureKind
from engine.carcassonne.expansions.inns_cathedrals import BIG_FOLLOWER, CATHEDRAL, INN


class InnsCathedralsTerms(BoxTerms):
    """Values inns and cathedrals: a complete feature brings more points with them, an incomplete one none.

    The rules are IX-01 and IX-02 of the rule digest.
    """

    def worth(self, kind: str, traits: frozenset[str], complete: float, now: float) -> tuple[float, float]:
        """Double the points of a completed road with an inn; add half to those of a completed city with a cathedral."""
        if kind == FeatureKind.ROAD and INN in traits:
            return 2 * complete, 0.0
        if kind == FeatureKind.CITY and CATHEDRAL in traits:
            return 1.5 * complete, 0.0
        return complete, now

    def followers(self) -> Collection[str]:
        """Return the big follower."""
        return (BIG_FOLLOWER,)

    def figure_prices(self, weights: Weights, urgency: float) -> Mapping[str, float]:
        """Return how much more a big follower in the supply is worth than an ordinary one."""
        return {BIG_FOLLOWER: weights["big-follower"] * urgency}
