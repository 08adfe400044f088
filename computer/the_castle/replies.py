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
from engine.actions import Action
from engine.the_castle import Position

REPLY_WEIGHTS: Final = (1.35, 1.6)
"""The weights of the placements that are played after a candidate: the rival's, then one's own.

They are above 1 because 0.35 and 0.57 of what these bring is still there in the next turns of the same players, by
regression over 36 pairs of candidates."""


class Replies:
    """The turns that may follow each candidate of one decision; see :class:`computer.lookahead.Lookahead`."""

    def __init__(self, evaluator: Evaluator) -> None:
        self.position = evaluator.position
        self.evaluations = 0
        self.first_cost = self.further_cost = float(len(self.position.ward.frontier))
        self._weights = evaluator.weights
        self._stakes = stakes_of(self.position, self.position.player)
        self._dealt: dict[str, Position] = {}
        self._gains: dict[tuple[Action, Action | None, str], float] = {}

    def variants(self, candidate: Candidate) -> Sequence[Candidate]:
        """Return the candidate alone: figures are chosen by the evaluation."""
        return [candidate]

    def draws(self, count: int) -> Sequence[str]:
        """Return the ids of up to ``count`` tiles that may be drawn next, in the proportions of all that may."""
        return evenly_drawn(self.position.setup.pile[self.position.next_tile :], count, self.position.ply)

    def gain(self, candidate: Candidate, draw: str) -> float:
        """Return what the next turns add to a candidate if this tile (id) is drawn next, and then others at random."""
        key = candidate.action, candidate.follow_up, draw
        gain = self._gains.get(key)
        if gain is None:
            gain = self._gains[key] = self._played_gain(candidate, draw)
        return gain

    def _played_gain(self, candidate: Candidate, draw: str) -> float:
        """Play a candidate and the placements after it, and return the weighted sum of what these bring."""
        position = self._deal(draw).copy()
        position.play(candidate.action)
        self._deploy(position, candidate)
        gain, number = 0.0, 0
        while position.step is not None and number < len(REPLY_WEIGHTS):
            evaluator = Evaluator(position, self._weights)
            chosen = best(evaluator.candidates())
            self.evaluations += evaluator.evaluations
            if position.hand is not None:
                gain += REPLY_WEIGHTS[number] * chosen.value * self._stakes[position.player]
                number += 1
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
