"""The terms of *Abbey & Mayor*: the abbey, the mayor, the wagon that moves on, and the barn.

How much a mayor counts is the engine's knowledge, and none of it is here. Codes such as AM-50 are rules of the rule
digest.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Final

from computer.candidates import Candidate
from computer.carcassonne.boxes.terms import BoxTerms, Change, FigureValue, Question, add_part
from computer.carcassonne.outlooks import Outlook
from computer.weights import Weights
from engine.actions import Action
from engine.board import Follower
from engine.carcassonne import FeatureKind, tile
from engine.carcassonne.expansions.abbey_mayor import (
    ABBEY,
    ABBEY_TILE,
    BARN,
    BARN_CITY_POINTS,
    JOINED_CITY_POINTS,
    MAYOR,
    WAGON,
    DecideAbbey,
    DecideWagon,
    MoveWagon,
    PutBarn,
    barn_corners,
    barn_field,
)
from engine.carcassonne.scoring import field_scores

FARMERS_CITY_POINTS: Final = 3
"""The points that a city is expected to bring the farmers of a field."""
DRAWS_OF_FULL_VALUE: Final = 4
"""The tiles that a player still draws, from which on a wagon that will move on has its full value."""


class AbbeyMayorTerms(BoxTerms):
    """Values the pieces in the supply, wagons that will move on, barns with what they score, and laying the abbey."""

    def followers(self) -> Collection[str]:
        """Return the wagon; the mayor is left out, since few features are open to it."""
        return (WAGON,)

    def figure_prices(self, weights: Weights, urgency: float) -> Mapping[str, float]:
        """Return the prices of the mayor and the barn, and how much more a wagon is worth than a follower."""
        return {name: weights[name] * urgency for name in (MAYOR, WAGON, BARN)}

    def figure_values_on_board(self, weights: Weights, draws: float) -> Mapping[str, FigureValue]:
        """Return the value of the move after a wagon's feature is completed, and the points of a barn at the end."""
        wagon = weights["wagon_on"] * min(1.0, draws / DRAWS_OF_FULL_VALUE)
        barn = weights["barn_share"] * BARN_CITY_POINTS / FARMERS_CITY_POINTS

        def wagon_value(_figure: Follower, outlook: Outlook) -> float:
            return wagon * outlook.chance

        def barn_value(_figure: Follower, outlook: Outlook) -> float:
            return barn * outlook.worth

        return {WAGON: wagon_value, BARN: barn_value}

    def add(self, parts: dict[str, float], stakes: Sequence[float], change: Change) -> None:
        """Add the scoring of farmers whose field was joined to one with a barn, and their return (AM-54)."""
        for outlook in change.outlooks.values():
            if outlook.kind == FeatureKind.FIELD and len(outlook.holders) > 1:
                barns = _barns(outlook)
                if 0 < len(barns) < len(outlook.holders):
                    _add_scoring(parts, stakes, change, outlook, barns, city_points=JOINED_CITY_POINTS)

    def instead_of_figure(self, change: Change, stakes: Sequence[float]) -> Mapping[Action, Mapping[str, float]]:
        """Return what the barn brings on each corner: its farm is scored at once and closed to farmers (AM-50)."""
        land, mover = change.after.land, change.mover
        if not change.after.supply[BARN][mover]:
            return {}
        found: dict[Action, Mapping[str, float]] = {}
        for corner in barn_corners(change.after, change.tile.cell):
            field = barn_field(land, change.tile.square, corner)
            if field is not None:
                outlook = change.outlooks[land.find(field)]
                parts: dict[str, float] = {}
                barns = (*_barns(outlook), Follower(mover, BARN, field))
                _add_scoring(parts, stakes, change, outlook, barns)
                add_part(parts, "figures", -change.price(BARN, mover) * stakes[mover])
                found[PutBarn(corner)] = parts
        return found

    def candidates(self, question: Question) -> list[Candidate] | None:
        """Return the candidates before a draw, and those for a scored wagon."""
        match question.position.step:
            case DecideAbbey() as step:
                return _abbey_candidates(question, step)
            case DecideWagon() as step:
                return _wagon_candidates(question, step)
            case _:
                return None


def _barns(outlook: Outlook) -> tuple[Follower, ...]:
    """Return the barns on a field."""
    return tuple(holder for holder in outlook.holders if holder.figure == BARN)


def _add_scoring(
    parts: dict[str, float],
    stakes: Sequence[float],
    change: Change,
    outlook: Outlook,
    barns: tuple[Follower, ...],
    *,
    city_points: int | None = None,
) -> None:
    """Add the scoring of a field whose farmers go home because of a barn, and what it is worth with barns alone."""
    land = change.after.land
    root = land.find(barns[0].segment)
    for score in field_scores(change.after, (root,), city_points):
        add_part(parts, "points", score.points * stakes[score.player])
    for holder in outlook.holders:
        if holder not in barns:
            add_part(parts, "figures", change.price(holder.figure, holder.player) * stakes[holder.player])
    value = change.value_of(outlook._replace(holders=barns)) - change.value_of(outlook)
    add_part(parts, "fields", value)


def _abbey_candidates(question: Question, step: DecideAbbey) -> list[Candidate]:
    """Return drawing a tile and keeping the abbey, and laying it in the best gap.

    Whoever lays the abbey draws nothing in this turn, and the next player has the tile.
    """
    weights = question.weights
    drawing = {"draws": weights["draw"]} if question.position.pile_left else {}
    kept = weights[ABBEY] * question.urgency
    laying = {"abbey": question.tile_worth(tile(ABBEY_TILE), step.player) - kept}
    return [
        Candidate(action, sum(parts.values()), parts)
        for action, parts in zip(step.actions(question.position), (drawing, laying), strict=True)
    ]


def _wagon_candidates(question: Question, step: DecideWagon) -> list[Candidate]:
    """Return leaving the wagon at home, and its places, of which those on one feature are worth the same."""
    land = question.position.land
    by_root: dict[int, Mapping[str, float]] = {}
    candidates = []
    for action in step.actions(question.position):
        parts: Mapping[str, float] = {}
        if isinstance(action, MoveWagon):
            root = land.find(land.number_of(action.cell, action.segment))
            if root not in by_root:
                by_root[root] = question.figure_parts(root, WAGON)
            parts = by_root[root]
        candidates.append(Candidate(action, sum(parts.values()), parts))
    return candidates
