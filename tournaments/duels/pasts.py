"""What the Dutch System is told of players, and what it answers."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True, slots=True)
class Past:
    """One round of one player: an opponent, whether the player began, and the points; a bye, or not there."""

    opponent: int = -1
    first: bool = False
    points: Fraction = Fraction(0)
    bye: bool = False


@dataclass(frozen=True, slots=True)
class DutchRound:
    """The pairs in the order of their tables, who begins first, and who has the bye."""

    pairs: tuple[tuple[int, int], ...]
    bye: int | None
