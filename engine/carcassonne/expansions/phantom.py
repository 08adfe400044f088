"""The box *The Phantom*: a second follower on the tile just laid (PH-01 to PH-15, IX-42).

The phantom is a follower like any other. After something else was deployed, or done instead, its player may put it on
another free feature of the same tile, before anything is scored. It may also be the only figure of the turn; nothing
then follows it, because each player has one. Codes such as PH-03 are rules of the rule digest.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from engine.actions import SEGMENT, Action, Form, Pass, Seat
from engine.agenda import Step
from engine.carcassonne.box import Box
from engine.carcassonne.table import Deployment, Expansion, Figure, Tabletop
from engine.figures import deploy
from engine.geometry import Cell
from engine.grammar.words import CELL, PLAYER, AgendaWord

NAME: Final = "phantom"
"""The name of the box, of the figure and of its supply."""
_PHANTOM: Final = Figure(NAME, 1)
"""The phantom, of which each player has one (PH-01)."""


@dataclass(frozen=True, slots=True)
class PutPhantom(Action):
    """Put the phantom on a segment of the tile just laid, after another figure (PH-03)."""

    segment: str

    def __str__(self) -> str:
        return f"phantom:{self.segment}"


class Phantoms(Expansion):
    """A player may put the phantom on the tile just laid, alone or after something else (PH-03, PH-05)."""

    def figures(self) -> Sequence[Figure]:
        """Return one phantom."""
        return (_PHANTOM,)

    def after_deployment(self, position: Tabletop, step: Deployment) -> None:
        """Ask for the phantom if it has a place, unless it was offered just now and the player passed (PH-07)."""
        if step.deployed and _places(position, step.player, step.cell):
            position.agenda.append(DeployPhantom(step.player, step.cell))


@dataclass(frozen=True, slots=True)
class DeployPhantom(Step[Tabletop]):
    """The decision to put the phantom on a free feature of the tile just laid, or not (PH-03, PH-04)."""

    player: Seat
    cell: Cell

    def actions(self, position: Tabletop) -> Sequence[Action]:
        """Return passing, and each place for the phantom."""
        return (Pass(), *map(PutPhantom, _places(position, self.player, self.cell)))

    def apply(self, position: Tabletop, action: Pass | PutPhantom) -> None:
        """Put the phantom there, or keep it."""
        if isinstance(action, PutPhantom):
            deploy(position, self.player, self.cell, action.segment, NAME)

    def forfeit(self, position: Tabletop) -> None:
        """Keep the phantom."""


def _places(position: Tabletop, player: Seat, cell: Cell) -> Sequence[str]:
    """Return the segments of a tile on which a player may put the phantom; none if it is on the board already."""
    if not position.supply[NAME][player]:
        return ()
    return _PHANTOM.places(position, player, cell)


BOX: Final = Box(
    name=NAME,
    mechanisms=(Phantoms(),),
    number=0,
    offered=True,
    forms=(Form(re.compile(f"phantom:{SEGMENT}"), PutPhantom),),
    words=(AgendaWord("phantom", DeployPhantom, {"player": PLAYER, "cell": CELL}),),
)
