"""Places and table points of players, computed from the result of one game.

*Scores* are the points on the score track of the game. They decide the *places*, and a scheme turns places into *table
points*, which count for the standings of an event: by the scheme ``5-3-2-1`` the winner at a table of four gets 5.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, Literal

from tournaments.errors import EventRuleError

Ending = Literal["played", "adjudicated", "forfeited"]
TieRule = Literal["split", "later-seat"]

SCHEMES: Final[Mapping[str, Mapping[int, tuple[int, ...]]]] = {
    "5-3-2-1": {2: (5, 3), 3: (5, 3, 1), 4: (5, 3, 2, 1), 5: (5, 3, 2, 1, 0)},
    "6-4-2-0": {2: (6, 2), 3: (6, 3, 0), 4: (6, 4, 2, 0), 5: (6, 4, 2, 1, 0)},
    "3-2-1-0": {2: (3, 0), 3: (3, 1, 0), 4: (3, 2, 1, 0), 5: (3, 2, 1, 0, 0)},
    "win": {2: (1, 0), 3: (1, 0, 0), 4: (1, 0, 0, 0), 5: (1, 0, 0, 0, 0)},
}
"""For each scheme and number of seats, the points by place.

Tables of two or five occur only if no other division of the players is possible.
"""
DUEL_SCHEME: Final = "win"
"""The scheme of a game between two sides: a point for the winner."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of one game, by seat.

    ``out`` holds the seats of players who withdrew or did not appear. A game that is not finished at its deadline is
    adjudicated; then ``stalled`` is the seat of the player who used more than their share of the time, or -1. ``how``
    says how the game ended. ``absent`` holds the seats of players who never moved until their time ran out; it changes
    no place.
    """

    scores: tuple[int, ...]
    out: tuple[int, ...] = ()
    stalled: int = -1
    how: Ending = "played"
    absent: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        seats = range(len(self.scores))
        if any(seat not in seats for seat in (*self.out, *self.absent)) or self.stalled not in (-1, *seats):
            raise EventRuleError("no-such-seat", seats=len(self.scores), out=self.out, stalled=self.stalled)


def places(outcome: Outcome, ties: TieRule = "split") -> tuple[int, ...]:
    """Return the place of each seat, from 1; seats with equal scores share a place, unless ``ties`` is ``later-seat``.

    A player who stalled is placed behind the others, and players who are out are last.
    """
    keys = [_key(outcome, seat, ties) for seat in range(len(outcome.scores))]
    return tuple(1 + sum(other > key for other in keys) for key in keys)


def _key(outcome: Outcome, seat: int, ties: TieRule) -> tuple[int, ...]:
    """Return the value by which seats are ranked, the higher the better."""
    if seat in outcome.out:
        return (0, 0, 0)
    return (1 if seat == outcome.stalled else 2, outcome.scores[seat], seat if ties == "later-seat" else 0)


def table_points(outcome: Outcome, scheme: str, ties: TieRule = "split") -> tuple[Fraction, ...]:
    """Return the table points of each seat.

    Tied seats share the points of their places equally; a seat that is out gets none.
    """
    worth = SCHEMES[scheme][len(outcome.scores)]
    ranks = places(outcome, ties)
    shares = {rank: sum(worth[rank - 1 : rank - 1 + count]) / Fraction(count) for rank, count in Counter(ranks).items()}
    return tuple(Fraction(0) if seat in outcome.out else shares[rank] for seat, rank in enumerate(ranks))
