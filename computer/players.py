"""Players: a level, the weights with which it thinks, and the decisions that follow."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from random import Random
from typing import Final, NamedTuple, Self

from computer.candidates import Candidate, best
from computer.games import deciding
from computer.memory import Memory
from computer.weights import TUNED, Weights, read_weights, weight_set
from engine import Position
from engine.selfplay import random_action

GREEDY_WEIGHTS: Final = "greedy"
CHEAPEST: Final = "cheapest"
"""The manner of a player who always bids the least and sells what others want."""


class Level(StrEnum):
    """The levels, weakest first."""

    RANDOM = "random"
    GREEDY = "greedy"
    QUICK = "quick"


class UnknownPlayerError(ValueError):
    """A text names no player."""


@dataclass(frozen=True, slots=True)
class Player:
    """A computer player.

    ``weights`` is the name of a set of weights, or ``own`` holds others by game. ``manner`` is empty or
    :data:`CHEAPEST`. The memory saves work and changes no decision.
    """

    level: Level
    weights: str = TUNED
    manner: str = ""
    own: Mapping[str, Weights] = field(default_factory=dict)
    memory: Memory = field(default_factory=Memory, compare=False, repr=False)

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read ``LEVEL``, ``LEVEL:WEIGHTS`` or one of them with ``+cheapest``.

        Raises:
            UnknownPlayerError: the text names no player.
        """
        name, _, manner = text.partition("+")
        level, _, weights = name.partition(":")
        if manner not in {"", CHEAPEST}:
            raise UnknownPlayerError(f"no player {text!r}")
        try:
            player = cls(Level(level), weights or TUNED, manner)
            weight_set(player.weights)
        except ValueError as error:
            raise UnknownPlayerError(f"no player {text!r}") from error
        return player

    def __str__(self) -> str:
        weights = "" if self.weights == TUNED else f":{self.weights}"
        return f"{self.level}{weights}{'+' if self.manner else ''}{self.manner}"

    def weights_for(self, game: str) -> Weights:
        """Return the weights of a game."""
        if game in self.own:
            return self.own[game]
        return read_weights(GREEDY_WEIGHTS if self.level is Level.GREEDY else self.weights, game)

    def candidates(self, position: Position) -> list[Candidate]:
        """Return the candidates of the player to move with the parts of their values; none for random players."""
        if self.level is Level.RANDOM:
            return []
        return deciding(position, self.weights_for(position.setup.game)).candidates(parts=True)

    def decide(self, position: Position, seed: str = "") -> Decision:
        """Return the decision of the player to move, who is in the game; the position stays as it is.

        The same position, player and seed give the same decision. Only random players use the seed.
        """
        if self.level is Level.RANDOM:
            random = Random(f"{seed}:{position.ply}")
            return Decision(Candidate(random_action(position, random), 0.0), 0)
        weights = self.weights_for(position.setup.game)
        thought = deciding(position, weights, memory=self.memory, cheapest=self.manner == CHEAPEST)
        return Decision(best(thought.candidates()), thought.evaluations)


class Decision(NamedTuple):
    """The chosen candidate, and the number of evaluations that it took."""

    chosen: Candidate
    evaluations: int
