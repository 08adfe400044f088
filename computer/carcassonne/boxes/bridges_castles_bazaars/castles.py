"""The worth of castles, and the choice between scoring a town and building a castle on it.

A completed city of two tiles (a town) may become a castle instead of being scored. The castle later scores as many
points as the first structure that is completed in its fief, the block of six cells around it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from computer.candidates import Candidate
from computer.carcassonne.boxes.terms import Change, Question, add_part
from computer.carcassonne.outlooks import Outlook
from computer.weights import Weights
from engine.actions import FOLLOWER
from engine.board import SegmentNumber
from engine.carcassonne import FeatureKind, Position
from engine.carcassonne.expansions.bridges_castles_bazaars import (
    BuildCastle,
    Castle,
    DecideTown,
    ScoreTown,
    castles_of,
    fief_of,
    fief_tiles,
    has_town_shape,
    options_of,
)
from engine.geometry import Cell

CASTLE: Final = "castle"
"""The name of the supply of castles."""


def add_castles(parts: dict[str, float], stakes: Sequence[float], change: Change) -> None:
    """Add the value of a change for castles, and for towns that may become castles, to the parts of a value."""
    for castle in castles_of(change.position):
        if not castle.scored and castle.followers:
            _add_castle(parts, stakes, change, castle)
    for root in change.completed:
        if change.after.land.kind[root] == FeatureKind.CITY:
            _add_town(parts, stakes, change, root)


def town_candidates(question: Question, step: DecideTown) -> list[Candidate]:
    """Return the candidates of the decision about a town: to score it or to build a castle."""
    player = step.player
    holders = [holder for holder in question.position.land.holders[step.root] if holder.player == player]
    figures = sum(question.price(holder.figure, player) for holder in holders)
    points = castle_worth(question.position, fief_of(*step.cells), question.outlook, question.weights, question.urgency)
    town = {"points": step.points, "figures": figures}
    castle = {"castles": points, "tokens": -question.weights[CASTLE] * question.urgency}
    return [Candidate(ScoreTown(), sum(town.values()), town), Candidate(BuildCastle(), sum(castle.values()), castle)]


def castle_worth(
    position: Position,
    fief: Iterable[Cell],
    outlook: Callable[[SegmentNumber], Outlook],
    weights: Weights,
    urgency: float,
) -> float:
    """Return the points that a castle with this fief is expected to bring.

    They are a share of the best open feature in the fief, plus a base value in case none of these is completed.
    """
    land = position.land
    roots: dict[SegmentNumber, None] = {}
    for cell in fief:
        tile = land.placed.get(cell.square)
        if tile is not None:
            for number, segment in land.segments(tile):
                if _may_feed(position, segment.kind):
                    roots[land.find(number)] = None
    best, none_chance = 0.0, 1.0
    for root in roots:
        if land.ends[root] and land.kind[root] != CASTLE:
            expected = outlook(root)
            best = max(best, expected.chance * expected.worth)
            none_chance *= 1 - expected.chance
    return weights["castle_share"] * best + weights["castle_base"] * urgency * none_chance


def _may_feed(position: Position, kind: str) -> bool:
    """Return True if a castle may take its points from a feature of this kind; of boxes' kinds by option OA-02."""
    if isinstance(kind, FeatureKind):
        return kind is not FeatureKind.FIELD
    return kind in position.land.surrounded and options_of(position).castle_garden


def _add_castle(parts: dict[str, float], stakes: Sequence[float], change: Change, castle: Castle) -> None:
    """Add the change of a castle's worth.

    If a feature was completed in its fief, the castle scores its points. Otherwise its prospects have changed.
    """
    land = change.after.land
    tiles = fief_tiles(land, castle.fief)
    if not any(land.tiles[root] & tiles for root in change.outlooks):
        return
    before = castle_worth(change.position, castle.fief, change.outlook_before, change.weights, change.urgency)
    points = [
        change.outlooks[root].worth
        for root in change.completed
        if land.tiles[root] & tiles and _may_feed(change.position, land.kind[root])
    ]
    if points:
        after = max(points) + change.price(FOLLOWER, castle.player)
    else:
        after = castle_worth(change.after, castle.fief, _outlook_after(change), change.weights, change.urgency)
    for seat in {holder.player for holder in castle.followers}:
        add_part(parts, "castles", (after - before) * stakes[seat])


def _add_town(parts: dict[str, float], stakes: Sequence[float], change: Change, root: SegmentNumber) -> None:
    """Add the gain, if any, of building a castle on a completed town instead of scoring it."""
    owners = change.after.land.majority(change.outlooks[root].holders)
    if not owners or not has_town_shape(change.after, root):
        return
    for owner in owners:
        if change.position.supply[CASTLE][owner]:
            add_part(parts, "castles", max(0.0, _gain_of_castle(change, root)) * stakes[owner])


def _gain_of_castle(change: Change, root: SegmentNumber) -> float:
    """Return what a town gains by becoming a castle, less the token and the follower that stays inside."""
    fief = fief_of(*change.after.land.cells(root))
    worth = castle_worth(change.after, fief, _outlook_after(change), change.weights, change.urgency)
    holder = change.outlooks[root].holders[0]
    cost = change.weights["castle"] * change.urgency + change.price(holder.figure, holder.player)
    return worth - cost - change.outlooks[root].worth


def _outlook_after(change: Change) -> Callable[[SegmentNumber], Outlook]:
    """Return a function for the outlook of any feature after a change."""

    def outlook(root: SegmentNumber) -> Outlook:
        changed = change.outlooks.get(root)
        return change.outlook_before(root) if changed is None else changed

    return outlook
