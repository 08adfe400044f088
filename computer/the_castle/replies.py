"""Look some turns ahead in The Castle: what the best replies to a candidate are worth, with sampled tiles.

The ward is small and an evaluation cheap, so each sequence of turns is simply played.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Final

from computer.candidates import Candidate, best, stakes_of
from computer.lookahead import evenly_drawn, with_next_tile
from computer.the_castle.evaluator import Evaluator
from engine.the_castle import Position

PLACEMENTS: Final = 2
"""The number of placements that are played after a candidate."""
DEEP_PLACEMENTS: Final = 4
"""The same in a deep search."""


class Replies:
    """The turns that may follow each candidate of one decision; see :class:`computer.lookahead.Lookahead`."""

    def __init__(self, evaluator: Evaluator) -> None:
        self.position = evaluator.position
        self.evaluations = 0
        self.first_cost = self.further_cost = float(PLACEMENTS * len(self.position.ward.frontier))
        self._weights = evaluator.weights
        self._stakes = stakes_of(self.position, self.position.player)
        self._dealt: dict[str, Position] = {}

    def variants(self, candidate: Candidate) -> Sequence[Candidate]:
        """Return the candidate alone: figures are chosen by the evaluation."""
        return [candidate]

    def draws(self, count: int) -> Sequence[str]:
        """Return the ids of up to ``count`` tiles that may be drawn next, in the proportions of all that may."""
        return evenly_drawn(self.position.setup.pile[self.position.next_tile :], count, self.position.ply)

    def gain(self, candidate: Candidate, draw: str, *, deep: bool) -> float:
        """Return what the next turns add to a candidate if this tile (id) is drawn next, and then others at random."""
        position = self._deal(draw).copy()
        position.play(candidate.action)
        self._deploy(position, candidate)
        gain, left = 0.0, DEEP_PLACEMENTS if deep else PLACEMENTS
        while position.step is not None and left:
            evaluator = Evaluator(position, self._weights)
            chosen = best(evaluator.candidates())
            self.evaluations += evaluator.evaluations
            if position.hand is None:
                position.play(chosen.action)
                continue
            gain += chosen.value * self._stakes[position.player]
            left -= 1
            if left:
                position.play(chosen.action)
                self._deploy(position, chosen)
        return gain

    def _deal(self, draw: str) -> Position:
        """Return the position with this tile next, and the others in an order that is the same for all candidates."""
        dealt = self._dealt.get(draw)
        if dealt is None:
            dealt = self._dealt[draw] = with_next_tile(self.position, draw)
            drawn, pile = dealt.next_tile + 1, dealt.setup.pile
            rest = list(pile[drawn:])
            Random(f"{dealt.ply}:{draw}").shuffle(rest)
            dealt.setup = replace(dealt.setup, pile=(*pile[:drawn], *rest))
        return dealt

    @staticmethod
    def _deploy(position: Position, candidate: Candidate) -> None:
        """Play the figure of a placement, if the position asks for one."""
        step, figure = position.step, candidate.follow_up
        if figure is not None and step is not None and step.allows(position, figure):
            position.play(figure)
