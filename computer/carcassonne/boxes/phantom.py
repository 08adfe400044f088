"""The terms of *The Phantom*: a follower that may be the second one on a tile."""

from __future__ import annotations

from collections.abc import Collection

from computer.candidates import Candidate
from computer.carcassonne.boxes.terms import BoxTerms, Question
from engine.actions import Deploy
from engine.carcassonne.expansions.phantom import NAME, DeployPhantom, PutPhantom


class PhantomTerms(BoxTerms):
    """Values the phantom in the supply as one more follower; on the board it counts as any other."""

    def followers(self) -> Collection[str]:
        """Return the phantom."""
        return (NAME,)

    def second_figures(self) -> Collection[str]:
        """Return the phantom, so that a tile with two good places is worth more."""
        return (NAME,)

    def candidates(self, question: Question) -> list[Candidate] | None:
        """Return the places of the phantom after another figure, and keeping it."""
        step = question.position.step
        if not isinstance(step, DeployPhantom):
            return None
        actions = {
            action: Deploy(action.segment, NAME) if isinstance(action, PutPhantom) else None
            for action in step.actions(question.position)
        }
        return question.with_figures(step.cell, actions)
