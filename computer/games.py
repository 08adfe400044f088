"""The registry of evaluators: for each game, the class that values the legal actions of a position."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, Protocol

from computer.candidates import Candidate
from computer.carcassonne.evaluator import Evaluator as CarcassonneEvaluator
from computer.carcassonne.replies import Replies as CarcassonneReplies
from computer.lookahead import Lookahead
from computer.memory import Memory
from computer.the_castle.evaluator import Evaluator as CastleEvaluator
from computer.the_castle.replies import Replies as CastleReplies
from computer.weights import Weights
from engine import Position, carcassonne, the_castle


class Evaluator(Protocol):
    """Values the actions of the player to move in a position without hidden information."""

    evaluations: int
    """The number of placements and other actions that were valued."""

    @property
    def position(self) -> Position:
        """The position without hidden information."""

    def candidates(self, *, parts: bool = False) -> list[Candidate]:
        """Return the actions of the step with their values; with ``parts`` each one also has the parts of its value."""


_EvaluatorFactory = Callable[..., Evaluator]  # each factory only gets positions of its own game


def _carcassonne(position: carcassonne.Position, weights: Weights, *, memory: Memory, cheapest: bool) -> Evaluator:
    """Return the evaluator of a position of Carcassonne."""
    return CarcassonneEvaluator(position, weights, memory=memory, cheapest=cheapest)


def _the_castle(position: the_castle.Position, weights: Weights, **_carcassonne_only: object) -> Evaluator:
    """Return the evaluator of a position of The Castle, which needs no memory and has no bids."""
    return CastleEvaluator(position, weights)


_EVALUATORS: Final[Mapping[str, _EvaluatorFactory]] = {carcassonne.GAME: _carcassonne, the_castle.GAME: _the_castle}
"""The function that makes the evaluator of each game, by the game's name."""


def evaluator_for(
    position: Position, weights: Weights, *, memory: Memory | None = None, cheapest: bool = False
) -> Evaluator:
    """Return an evaluator for the decision of a position; hidden information is removed before it looks.

    ``memory`` keeps results for the player's later decisions; None for a new one. With ``cheapest`` only the lowest
    bids are candidates, and selling.
    """
    return _EVALUATORS[position.setup.game](position.veiled(), weights, memory=memory or Memory(), cheapest=cheapest)


_Lookaheads = Callable[..., Lookahead]  # each factory only gets evaluators of its own game
_LOOKAHEADS: Final[Mapping[str, _Lookaheads]] = {carcassonne.GAME: CarcassonneReplies, the_castle.GAME: CastleReplies}
"""The class that looks ahead from a decision of each game, by the game's name."""


def lookahead_for(evaluator: Evaluator) -> Lookahead:
    """Return what looks ahead from the decision of an evaluator."""
    return _LOOKAHEADS[evaluator.position.setup.game](evaluator)
