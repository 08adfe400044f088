"""Choose the best candidate by the turns that may follow it: the search of the levels *standard* and *strong*.

The evaluation values a candidate at once. What the next turns are expected to add is averaged over tiles that may be
drawn, the same for all candidates. After each round the worse half of the candidates is dropped (successive halving).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Final, NamedTuple, Protocol, TypeVar

from computer.candidates import Candidate, comparable
from engine import Position

MIN_DRAWS: Final = 4
"""The least number of draws over which the next turns are averaged."""

P = TypeVar("P", bound=Position)


class Strength(NamedTuple):
    """The extent of a search; two searches of the same strength and position are equal."""

    contenders: int
    """The most candidates that are looked at."""
    margin: float
    """The points by which their value may be below the best one."""
    evaluations: int
    """The number of evaluations that a search should take; it decides over how many draws it goes."""
    endgame_tiles: int = 0
    """The number of unseen tiles from which on games of two are played to the end in every order."""
    endgame_width: int = 0
    """The most candidates of each turn in that search."""


class Lookahead(Protocol):
    """The turns that may follow each candidate of one decision."""

    evaluations: int
    """The number of placements and other actions that were valued."""
    first_cost: float
    """The number of evaluations that one draw takes for the first candidate, roughly."""
    further_cost: float
    """The same for each further candidate, which may reuse results."""

    def variants(self, candidate: Candidate) -> Sequence[Candidate]:
        """Return a candidate with every follow-up that it may have, each valued by the evaluation."""

    def draws(self, count: int) -> Sequence[str]:
        """Return up to ``count`` draws."""

    def gain(self, candidate: Candidate, draw: str) -> float:
        """Return what the next turns are expected to add to the value of a candidate if this is drawn next."""


def search(candidates: Sequence[Candidate], lookahead: Lookahead, strength: Strength) -> Candidate:
    """Return the best candidate, with its value when the next turns are taken into account."""
    contenders = widened(candidates, lookahead, strength)
    if len(contenders) == 1:
        return contenders[0]
    cost = lookahead.first_cost + lookahead.further_cost * (len(contenders) - 1)
    draws = lookahead.draws(max(MIN_DRAWS, int(strength.evaluations / cost)))
    half = (len(draws) + 1) // 2
    chosen, gain = _halved(contenders, lookahead, (draws[:half], draws[half:]))[0]
    return replace(chosen, value=chosen.value + gain)


def widened(candidates: Sequence[Candidate], lookahead: Lookahead, strength: Strength) -> Sequence[Candidate]:
    """Return the best candidates that are worth a search, the best first, with each follow-up that comes close."""
    best_ones = _within(candidates, strength)
    return _within([variant for candidate in best_ones for variant in lookahead.variants(candidate)], strength)


def _within(candidates: Sequence[Candidate], strength: Strength) -> Sequence[Candidate]:
    """Return the candidates whose values are close to the best one, the best first."""
    ranked = sorted(candidates, key=lambda candidate: -comparable(candidate.value))
    least = comparable(ranked[0].value - strength.margin)
    return [candidate for candidate in ranked[: strength.contenders] if comparable(candidate.value) >= least]


def _halved(
    contenders: Sequence[Candidate], lookahead: Lookahead, rounds: Sequence[Sequence[str]]
) -> Sequence[tuple[Candidate, float]]:
    """Return the contenders that are left after rounds of draws with their mean gains, the best first.

    After each round the worse half is dropped.
    """
    left = [(contender, 0.0) for contender in contenders]
    count = 0
    for draws in rounds:
        if not draws or len(left) == 1:
            break
        gained = [sum([lookahead.gain(contender, draw) for draw in draws]) for contender, _ in left]
        left = [
            (contender, (mean * count + more) / (count + len(draws)))
            for (contender, mean), more in zip(left, gained, strict=True)
        ]
        count += len(draws)
        left.sort(key=lambda entry: -comparable(entry[0].value + entry[1]))
        left = left[: (len(left) + 1) // 2]
    return left


def evenly_drawn(possible: Sequence[str], count: int, seed: int) -> Sequence[str]:
    """Return up to ``count`` of the sorted tiles that may be drawn, evenly spread, in an order given by the seed."""
    size = min(count, len(possible))
    drawn = [possible[(2 * index + 1) * len(possible) // (2 * size)] for index in range(size)]
    Random(seed).shuffle(drawn)
    return drawn


def with_next_tile(position: P, tile_id: str) -> P:
    """Return a copy of a position in which this tile (id) of the pile is drawn next."""
    other, place = position.copy(), position.next_tile
    pile = list(position.setup.pile)
    index = pile.index(tile_id, place)
    pile[place], pile[index] = pile[index], pile[place]
    other.setup = replace(position.setup, pile=tuple(pile))
    return other
