"""The games that the computer plays, each with what compares the candidates of a position."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, Protocol

from computer.candidates import Candidate
from computer.carcassonne.deciding import Deciding as CarcassonneDeciding
from computer.memory import Memory
from computer.the_castle.deciding import Deciding as CastleDeciding
from computer.weights import Weights
from engine import Position, carcassonne, the_castle


class Deciding(Protocol):
    """The candidates of the player to move in a position without hidden information."""

    evaluations: int
    """The number of placements and other actions that were valued."""

    def candidates(self, *, parts: bool = False) -> list[Candidate]:
        """Return the actions of the step with their values; with ``parts`` each has the parts of its value."""


_Make = Callable[..., Deciding]  # each is given positions of its own game


def _carcassonne(position: carcassonne.Position, weights: Weights, *, memory: Memory, cheapest: bool) -> Deciding:
    return CarcassonneDeciding(position, weights, memory=memory, cheapest=cheapest)


def _the_castle(position: the_castle.Position, weights: Weights, **_carcassonne_only: object) -> Deciding:
    return CastleDeciding(position, weights)


_DECIDING: Final[Mapping[str, _Make]] = {carcassonne.GAME: _carcassonne, the_castle.GAME: _the_castle}


def deciding(position: Position, weights: Weights, *, memory: Memory | None = None, cheapest: bool = False) -> Deciding:
    """Return what compares the candidates of a position; nothing that lies face down is known to it.

    With ``cheapest`` only the lowest bids are among them, and selling.
    """
    return _DECIDING[position.setup.game](position.veiled(), weights, memory=memory or Memory(), cheapest=cheapest)
