"""Value the actions that *Bridges, Castles & Bazaars* adds to Carcassonne.

A bridge carries a road across a tile. A castle is built on a small city (a town); it scores once, when a feature in its
fief, the tiles around it, is completed. A bazaar is an auction of tiles, which are called lots.

A term is a part of the value of an action, such as the worth of a castle. ``parts`` holds these terms by name, and
``stakes`` says, by seat, how much a point of each player is worth to the player who thinks. An aid is the action that
builds a piece together with a tile, such as a bridge without which the tile would not fit.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from computer.candidates import Candidate
from computer.carcassonne.boxes.bridges_castles_bazaars.auction import auction_candidates
from computer.carcassonne.boxes.bridges_castles_bazaars.castles import add_castles, town_candidates
from computer.carcassonne.boxes.terms import BoxTerms, Change, Question, add_part
from engine.actions import Action
from engine.carcassonne import Position
from engine.carcassonne.expansions.bridges_castles_bazaars import (
    BidOnLot,
    BuildBridge,
    BuyOrSell,
    ChooseCastleSource,
    ChooseLot,
    DecideTown,
    castles_of,
)
from engine.geometry import Square


class BridgesCastlesTerms(BoxTerms):
    """Values a castle by the best feature of its fief, and a bridge by a fixed price that falls during the game."""

    def changed_squares(self, aid: Action) -> Sequence[Square]:
        """Return the square below a bridge, whose tile gets a road; nothing for any other aid."""
        return (aid.cell.square,) if isinstance(aid, BuildBridge) else ()

    def add(self, parts: dict[str, float], stakes: Sequence[float], change: Change) -> None:
        """Add the bridge that was spent, the castles that score, and the towns that may become castles."""
        if isinstance(change.aid, BuildBridge):
            add_part(parts, "bridges", -change.weights["bridge"] * change.urgency * stakes[change.mover])
        add_castles(parts, stakes, change)

    def candidates(self, question: Question) -> list[Candidate] | None:
        """Return the candidates about towns, castles and lots."""
        match question.position.step:
            case DecideTown() as step:
                return town_candidates(question, step)
            case ChooseCastleSource() as step:
                return [Candidate(action, points, {"castles": points}) for action, points in step.options]
            case ChooseLot() | BidOnLot() | BuyOrSell() as step:
                return auction_candidates(question, step)
            case _:
                return None

    def state(self, position: Position) -> Hashable:
        """Return the castles on the table."""
        return castles_of(position)
