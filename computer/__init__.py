"""A computer that plays every game of the engine with every box, by counted work and without hidden knowledge.

It imports the engine and the standard library alone. The same position, player and seed give the same decision.
"""

from computer.candidates import Candidate
from computer.players import Decision, Level, Player, UnknownPlayerError

__all__ = ["Candidate", "Decision", "Level", "Player", "UnknownPlayerError"]
