"""What every kind of stage answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from tournaments.facts import DrawnTable, RoundDrawn, StageEnded
from tournaments.ranking import Line
from tournaments.states import Scene

PLAYED = "played"
NO_LEGAL_ROUND = "no-legal-round"
TOO_FEW = "too-few"


class Kind(Protocol):
    """How a kind of stage draws its rounds and ranks its players."""

    def rounds(self, scene: Scene) -> int:
        """How many rounds it has; 0 where drawing tells when it is over."""
        ...

    def draw(self, scene: Scene) -> RoundDrawn | StageEnded:
        """The next round, or why there is none."""
        ...

    def ranking(self, scene: Scene) -> list[Line]:
        """All entrants, best first."""
        ...


def drawn(
    scene: Scene,
    tables: Sequence[DrawnTable],
    byes: Sequence[int] = (),
    *,
    slots: Sequence[int] = (),
    reasons: Sequence[str] = (),
    resting: Sequence[int] = (),
) -> RoundDrawn:
    """The next round with these tables."""
    number, stage = scene.next_round, scene.state.number
    return RoundDrawn(stage, number, tuple(tables), tuple(byes), tuple(slots), tuple(reasons), tuple(resting))


def keeps_apart(scene: Scene) -> bool:
    """Whether parties are kept apart in the next round: the first two, and where asked the last before a cut."""
    asked, number = scene.parameters.apart, scene.next_round
    return asked != "never" and (number <= 2 or (asked == "first-and-last" and number == scene.state.plan.rounds))


def ended(scene: Scene, reason: str) -> StageEnded:
    """The end of the stage."""
    return StageEnded(scene.state.number, reason)
