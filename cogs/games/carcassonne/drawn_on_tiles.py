"""What is drawn in a city or beside a road, whichever boxes are in play."""

from __future__ import annotations

from cogs.games.carcassonne.box import BOXES
from cogs.texts import t
from engine.carcassonne import Segment


def drawn_in(segment: Segment) -> str:
    """What is drawn there but pennants: the end of a key ``tile.with.NAME``; empty if nothing is."""
    return next(filter(None, (box.drawn(segment) for box in BOXES.values())), "")


def with_drawn(feature: str, drawn: str) -> str:
    """A feature in words, with what is drawn there."""
    return t(f"tile.with.{drawn}", feature=feature) if drawn else feature
