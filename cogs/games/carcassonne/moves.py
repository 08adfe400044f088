"""Every move that may be typed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from cogs.games.carcassonne.plan import Plan, complete, figures, optional_bridges, placements
from cogs.presenting.spots import laid
from engine import Action, Pass
from engine.carcassonne import Decline, DeployFollower, PlaceTile, Position


def moves(position: Position, spot: str) -> Iterator[Sequence[Action]]:
    """Every legal move; of the placements only those on a spot whose name begins so."""
    if not isinstance(position.step, PlaceTile):
        yield from ((action,) for action in position.legal_actions)
        return
    places = [*placements(position, aided=False), *placements(position, aided=True)]
    plans = [Plan(place=place) for place in places if str(place).lower().startswith(spot)]
    for plan in plans:
        yield complete(position, replace(plan, figure=Pass()))
    if Decline() in position.legal_actions:
        yield (Decline(),)
    for plan in plans:
        yield from _with_figures(position, plan)
    for plan in plans:
        if plan.place is not None:
            for bridge in optional_bridges(laid(position, plan.place)):
                spanned = replace(plan, bridge=bridge)
                yield complete(position, replace(spanned, figure=Pass()))
                yield from _with_figures(position, spanned)


def _with_figures(position: Position, plan: Plan) -> Iterator[Sequence[Action]]:
    for figure in figures(position, plan):
        yield complete(position, replace(plan, figure=figure))


def completed(position: Position, actions: Sequence[Action]) -> Sequence[Action]:
    """The actions with a lone pass at the end; empty when a figure is still to be decided about."""
    after, player = position.copy(), position.player
    for action in actions:
        after.apply(action)
    if isinstance(after.step, DeployFollower) and after.player == player:
        return (*actions, Pass()) if len(after.legal_actions) == 1 else ()
    return actions
