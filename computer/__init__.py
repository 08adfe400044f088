"""A computer player for every game of the engine, with every box (expansion).

It works without a clock and without hidden information: the same position, player and seed give the same decision on
every machine. Its only imports are the engine and the standard library.

    decision = Player(Level.QUICK).decide(position)
    decision.chosen.action, decision.chosen.value       # the value is in points ahead of the rivals
"""

from computer.candidates import Candidate
from computer.players import Decision, Level, Player, UnknownPlayerError

__all__ = ["Candidate", "Decision", "Level", "Player", "UnknownPlayerError"]
