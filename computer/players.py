"""Computer players: a level of strength, a set of weights, and the decisions that follow from them.

``Player.parse("quick")`` is the usual player; ``"quick:start+cheapest"`` names another set of weights and a player who
always bids the least.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from random import Random
from typing import Final, NamedTuple, Self

from computer.candidates import Candidate, best
from computer.endgame import Endgame
from computer.games import evaluator_for, lookahead_for
from computer.lookahead import Strength, search, widened
from computer.memory import Memory
from computer.weights import TUNED, Weights, read_weights, weight_set
from engine import Deploy, Position
from engine.selfplay import random_action

GREEDY_WEIGHTS: Final = "greedy"
"""The set of weights of the greedy level, which counts only what a game that ended now would score."""
CHEAPEST: Final = "cheapest"
"""The way of bidding of a player who always bids the least and sells any lot that a rival bids for."""


class Level(StrEnum):
    """The levels of strength, weakest first."""

    RANDOM = "random"
    GREEDY = "greedy"
    QUICK = "quick"
    STANDARD = "standard"
    STRONG = "strong"


TWO_PLAYER_STRENGTHS: Final = {
    Level.STANDARD: Strength(contenders=5, margin=2.5, evaluations=400, endgame_tiles=1, endgame_width=4),
    Level.STRONG: Strength(contenders=12, margin=6.0, evaluations=6000, endgame_tiles=3, endgame_width=2),
}
"""The extent of the search of each level that looks ahead, in games of two; found by matches between them."""
MULTIPLAYER_STRENGTHS: Final = {
    Level.STANDARD: Strength(contenders=8, margin=4.0, evaluations=1000),
    Level.STRONG: Strength(contenders=12, margin=6.0, evaluations=4000),
}
"""The same in games of more; that of *standard* was found by comparing its choices with those of a wider search."""


def strengths(players: int) -> Mapping[Level, Strength]:
    """Return the extent of the search of each level that looks ahead, in games of so many players."""
    return TWO_PLAYER_STRENGTHS if players == 2 else MULTIPLAYER_STRENGTHS


class UnknownPlayerError(ValueError):
    """A text does not name a player."""


@dataclass(frozen=True, slots=True)
class Player:
    """A computer player.

    ``weights`` is the name of a set of weights; ``weights_by_game``, by game, take precedence. ``bidding`` is empty or
    :data:`CHEAPEST`. ``strength`` replaces that of the level. The memory only saves work: it changes no decision.
    """

    level: Level
    weights: str = TUNED
    bidding: str = ""
    weights_by_game: Mapping[str, Weights] = field(default_factory=dict)
    strength: Strength | None = None
    memory: Memory = field(default_factory=Memory, compare=False, repr=False)

    @classmethod
    def parse(cls, text: str) -> Self:
        """Create a player from ``LEVEL``, ``LEVEL:WEIGHTS``, or either with ``+cheapest``.

        Raises:
            UnknownPlayerError: the text names no player.
        """
        name, _, bidding = text.partition("+")
        level, _, weights = name.partition(":")
        if bidding not in {"", CHEAPEST}:
            raise UnknownPlayerError(f"no player {text!r}")
        try:
            player = cls(Level(level), weights or TUNED, bidding)
            weight_set(player.weights)
        except ValueError as error:
            raise UnknownPlayerError(f"no player {text!r}") from error
        return player

    def __str__(self) -> str:
        weights = "" if self.weights == TUNED else f":{self.weights}"
        return f"{self.level}{weights}{'+' if self.bidding else ''}{self.bidding}"

    def weights_for(self, game: str) -> Weights:
        """Return the weights with which the player values a game."""
        if game in self.weights_by_game:
            return self.weights_by_game[game]
        return read_weights(GREEDY_WEIGHTS if self.level is Level.GREEDY else self.weights, game)

    def candidates(self, position: Position) -> list[Candidate]:
        """Return the legal actions with their values one move deep, and the parts of these; empty for a random player.

        Levels that look ahead add to the values of the best of them only in :meth:`decide`.
        """
        if self.level is Level.RANDOM:
            return []
        return evaluator_for(position, self.weights_for(position.setup.game)).candidates(parts=True)

    def decide(self, position: Position, seed: str = "") -> Decision:
        """Return the decision of the player to move, who is in the game; the position stays as it is.

        The same position, player and seed give the same decision. Only random players use the seed.
        """
        if self.level is Level.RANDOM:
            rng = Random(f"{seed}:{position.ply}")
            return Decision(Candidate(random_action(position, rng), 0.0), 0)
        weights = self.weights_for(position.setup.game)
        evaluator = evaluator_for(position, weights, memory=self.memory, cheapest=self.bidding == CHEAPEST)
        candidates = evaluator.candidates()
        strength = self.strength or strengths(position.players).get(self.level)
        if strength is None or len(candidates) == 1 or not _is_turn(position):
            return Decision(best(candidates), evaluator.evaluations)
        lookahead = lookahead_for(evaluator)
        if position.players == 2 and position.pile_left <= strength.endgame_tiles:
            endgame = Endgame(evaluator.position, lambda later: evaluator_for(later, weights), strength.endgame_width)
            chosen = endgame.best(widened(candidates, lookahead, strength))
            return Decision(chosen, evaluator.evaluations + lookahead.evaluations + endgame.evaluations)
        chosen = search(candidates, lookahead, strength)
        return Decision(chosen, evaluator.evaluations + lookahead.evaluations)


def _is_turn(position: Position) -> bool:
    """Return True if a tile or its figure is to be placed; all other decisions are left to the evaluation."""
    return position.hand is not None or any(isinstance(action, Deploy) for action in position.legal_actions)


class Decision(NamedTuple):
    """The chosen candidate, and the number of evaluations that it took."""

    chosen: Candidate
    evaluations: int
