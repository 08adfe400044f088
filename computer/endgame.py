"""Solve the end of a game of two: all orders of the last tiles, and the best turns of both players.

Turns are ordered by the evaluation, and only the best few are tried. The last tile needs no search, since nothing is
left to estimate after it. Values are points ahead at the end of the game.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace

from computer.candidates import Candidate, best, comparable, stakes_of
from computer.games import Evaluator
from computer.lookahead import with_next_tile
from engine import Position


class Endgame:
    """The end of one game as the player to move sees it; ``width`` is the most candidates of each turn."""

    def __init__(self, position: Position, evaluate: Callable[[Position], Evaluator], width: int) -> None:
        self.evaluations = 0
        """The number of placements and other actions that were valued."""
        self._position = position
        self._evaluate = evaluate
        self._width = width
        self._thinker = position.player
        self._stakes = stakes_of(position, position.player)

    def best(self, candidates: Sequence[Candidate]) -> Candidate:
        """Return the best of these candidates with the points by which the game is expected to end ahead."""
        return best([replace(candidate, value=self._after(self._position, candidate)) for candidate in candidates])

    def _after(self, position: Position, candidate: Candidate) -> float:
        """Return the points ahead at the end after a candidate, on average over the tiles that may be drawn next."""
        tiles = Counter(position.setup.pile[position.next_tile :])
        if not tiles:
            return self._value(self._played(position.copy(), candidate))
        values = {tile_id: self._value(self._played(with_next_tile(position, tile_id), candidate)) for tile_id in tiles}
        return sum(count * values[tile_id] for tile_id, count in tiles.items()) / tiles.total()

    def _played(self, position: Position, candidate: Candidate) -> Position:
        """Play a candidate on a position, then what follows up to the next placement as the evaluation has it."""
        position.play(candidate.action)
        step, figure = position.step, candidate.follow_up
        if figure is not None and step is not None and step.allows(position, figure):
            position.play(figure)
        while position.step is not None and position.hand is None:
            evaluator = self._evaluate(position)
            position.play(best(evaluator.candidates()).action)
            self.evaluations += evaluator.evaluations
        return position

    def _value(self, position: Position) -> float:
        """Return the points ahead at the end when both players do their best from a position on."""
        if position.step is None:
            return sum(points * stake for points, stake in zip(position.scores, self._stakes, strict=True))
        evaluator = self._evaluate(position)
        ranked = sorted(evaluator.candidates(), key=lambda candidate: -comparable(candidate.value))
        self.evaluations += evaluator.evaluations
        width = self._width if position.pile_left else 1
        values = [self._after(position, candidate) for candidate in ranked[:width]]
        return max(values) if position.player == self._thinker else min(values)
