"""The terms of *The Abbot*: the price of an abbot in the supply, for which it may be worth taking him home.

Gardens are valued as monasteries are, since both are complete when the cells around them are filled.
"""

from __future__ import annotations

from collections.abc import Mapping

from computer.carcassonne.boxes.terms import BoxTerms
from computer.weights import Weights
from engine.carcassonne.expansions.abbot import ABBOT


class AbbotTerms(BoxTerms):
    """Values the abbot in the supply by what the next garden or monastery is expected to bring."""

    def figure_prices(self, weights: Weights, urgency: float) -> Mapping[str, float]:
        """Return the price of the abbot."""
        return {ABBOT: weights["abbot"] * urgency}
