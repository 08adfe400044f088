"""The registry of the terms that boxes (expansions) add to the evaluation.

A term is a part of the value of an action, such as the worth of a castle. A box that is not registered is played
without terms of its own: by the value of the position after each action.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from computer.carcassonne.boxes.abbey_mayor import AbbeyMayorTerms
from computer.carcassonne.boxes.abbot import AbbotTerms
from computer.carcassonne.boxes.bridges_castles_bazaars import BridgesCastlesTerms
from computer.carcassonne.boxes.inns_cathedrals import InnsCathedralsTerms
from computer.carcassonne.boxes.king_robber import KingRobberTerms
from computer.carcassonne.boxes.phantom import PhantomTerms
from computer.carcassonne.boxes.river_two import GamesQuarterlyTerms, RiverTwoTerms
from computer.carcassonne.boxes.terms import BoxTerms
from computer.carcassonne.boxes.traders_builders import TradersBuildersTerms
from engine.carcassonne.expansions import (
    ABBEY_MAYOR,
    ABBOT,
    BCB,
    GAMES_QUARTERLY,
    INNS_CATHEDRALS,
    KING_ROBBER,
    PHANTOM,
    RIVER_TWO,
    TRADERS_BUILDERS,
)

TERMS: Final[dict[str, BoxTerms]] = {
    BCB: BridgesCastlesTerms(),
    TRADERS_BUILDERS: TradersBuildersTerms(),
    INNS_CATHEDRALS: InnsCathedralsTerms(),
    KING_ROBBER: KingRobberTerms(),
    PHANTOM: PhantomTerms(),
    RIVER_TWO: RiverTwoTerms(),
    ABBOT: AbbotTerms(),
    GAMES_QUARTERLY: GamesQuarterlyTerms(),
    ABBEY_MAYOR: AbbeyMayorTerms(),
}
"""The terms of each box, by its name."""


def terms_of(expansions: Iterable[str]) -> tuple[BoxTerms, ...]:
    """Return the terms of the boxes in play."""
    return tuple(TERMS[name] for name in expansions if name in TERMS)
