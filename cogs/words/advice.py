"""Advice of a computer in words: what a placement does at once, and what the computer expects of it later."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from cogs.texts import has_text, listed, t
from cogs.words.names import capital

MAX_PARTS: Final = 2
"""The most sources of expected points that are named, the greatest first."""
LEAST_PART: Final = 1.0
"""The points, gained or lost, from which on a source is named."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Effects:
    """The effects of a placement with its figure, for the player who makes it; features and players are in words."""

    completes: Sequence[str] = ()
    """The features that it completes."""
    joins: Sequence[str] = ()
    """The features with figures that it continues and that can be completed."""
    points: int = 0
    """The points that the player scores at once."""
    rival_points: Mapping[str, int] = field(default_factory=dict)
    """The points that others score at once, by the name of the player."""
    returning: int = 0
    """The number of the player's figures that come back from other tiles."""
    last_figure: str = ""
    """``follower.used`` if it takes the last follower that the player has left, ``follower.kept`` if it spares it, else
    empty; where players have figures instead, ``figure.used`` and ``figure.kept``."""


def advice_words(effects: Effects, parts: Mapping[str, float]) -> str:
    """Say what a placement is good for; empty if there is nothing to say.

    ``parts`` are the sources of its value by the computer's names for them.
    """
    reasons = ", ".join([*_at_once(effects), *_later(parts)])
    return f"{capital(reasons)}." if reasons else ""


def worth_words(value: float) -> str:
    """Say how much better off a player is with a placement, by the computer's estimate."""
    points = round(value)
    key = "advice.worth" if points > 0 else "advice.cost" if points else "advice.even"
    return f"{capital(t(key, count=abs(points)))}."


def _at_once(effects: Effects) -> Iterator[str]:
    """Yield what can be seen on the table right after the placement."""
    if effects.completes:
        yield t("spot.completes", features=listed(effects.completes))
    if effects.points:
        yield t("advice.scores", count=effects.points)
    for player, points in effects.rival_points.items():
        yield t("advice.rival_scores", player=player, count=points)
    if effects.returning:
        yield t("advice.returning", count=effects.returning)
    if effects.joins:
        yield t("spot.joins", features=listed(effects.joins))
    if effects.last_figure:
        yield t(f"advice.last_{effects.last_figure}")


def _later(parts: Mapping[str, float]) -> Iterator[str]:
    """Yield where the computer expects points to be gained or lost later, if there is a source that has a name."""
    named = {name.replace(" ", "_"): points for name, points in parts.items() if abs(points) >= LEAST_PART}
    greatest = sorted((name for name in named if has_text(f"advice.part.{name}")), key=lambda name: -abs(named[name]))
    if greatest:
        sources = [t(f"advice.part.{name}", points=round(named[name])) for name in greatest[:MAX_PARTS]]
        yield t("advice.later", parts=listed(sources))
