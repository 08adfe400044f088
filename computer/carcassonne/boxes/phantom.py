"""The terms of *The Phantom*: a follower that may be the second one on a tile."""

from __future__ import annotations

from collections.abc import Collection

from computer.carcassonne.boxes.terms import BoxTerms
from engine.carcassonne.expansions.phantom import NAME


class PhantomTerms(BoxTerms):
    """Values the phantom in the supply as one more follower; on the board it counts as any other."""

    def followers(self) -> Collection[str]:
        """Return the phantom."""
        return (NAME,)
