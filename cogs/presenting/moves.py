"""Whole moves: every one that may be typed, and what goes without saying when one is made."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from cogs.presenting.plan import Plan
from cogs.presenting.spots import P, laid
from cogs.presenting.turn import Turn, placements
from engine import Action, Pass


def moves(turn: Turn[P], position: P, spot: str) -> Iterator[Sequence[Action]]:
    """Every whole move; of the placements only those on a spot whose name begins so."""
    if position.hand is None:
        yield from _decided(turn, position, ())
        return
    found = [*placements(position), *placements(position, aided=True)]
    plans = [Plan(place=place) for place in found if str(place).lower().startswith(spot)]
    for plan in plans:
        yield from _ended(turn, position, replace(plan, figure=Pass()))
    if turn.piece is not None and turn.piece.declining in position.legal_actions:
        yield (turn.piece.declining,)
    for plan in plans:
        yield from _with_figures(turn, position, plan)
    for plan in _building(turn, position, plans):
        yield from _ended(turn, position, replace(plan, figure=Pass()))
        yield from _with_figures(turn, position, plan)


def _building(turn: Turn[P], position: P, plans: Sequence[Plan]) -> Iterator[Plan]:
    """The same with each piece that may be built beside the tile."""
    for plan in plans if turn.piece else ():
        if plan.place is not None:
            for built in turn.buildable(laid(position, plan.place)):
                yield replace(plan, built=built)


def _with_figures(turn: Turn[P], position: P, plan: Plan) -> Iterator[Sequence[Action]]:
    for figure in turn.deployments(position, plan):
        yield from _ended(turn, position, replace(plan, figure=figure))


def _ended(turn: Turn[P], position: P, plan: Plan) -> Iterator[Sequence[Action]]:
    """The move of a plan, with every answer to every question that it raises, unless those may wait for the card."""
    actions = turn.complete(position, plan)
    if turn.leaves_open:
        yield actions
    else:
        yield from _decided(turn, position, actions)


def _decided(turn: Turn[P], position: P, decided: tuple[Action, ...]) -> Iterator[Sequence[Action]]:
    """The moves that begin so, up to where nothing more is asked of their player."""
    after = _applied(turn.veiled(position), decided)
    more = turn.following(after, {})
    after, whole = _applied(after, more), (*decided, *more)
    if whole and (turn.leaves_open or not isinstance(after.step, (turn.deploying, *turn.asked))):
        yield whole
        return
    for action in after.legal_actions:
        yield from _decided(turn, position, (*whole, action))


def completed(turn: Turn[P], position: P, actions: Sequence[Action]) -> Sequence[Action]:
    """The actions with a lone pass at the end; empty when a figure is still to be decided about.

    What else a turn asks may be left out: it is answered as its player prefers, or on the card.
    """
    after = _applied(position.copy(), actions)
    if isinstance(after.step, turn.deploying) and after.player == position.player:
        return (*actions, Pass()) if len(after.legal_actions) == 1 else ()
    return actions


def followed(turn: Turn[P], position: P, actions: Sequence[Action], choices: Mapping[str, str]) -> Sequence[Action]:
    """A player's actions, followed by what he does without being asked.

    Raises:
        IllegalActionError: the actions are not legal.
    """
    return (*actions, *turn.following(_applied(position.copy(), actions), choices))


def _applied(after: P, actions: Sequence[Action]) -> P:
    """A copy on which these actions have been carried out."""
    for action in actions:
        after.apply(action)
    return after
