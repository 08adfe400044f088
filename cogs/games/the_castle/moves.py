"""Every move of The Castle that may be typed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cogs.games.the_castle.plan import FOLLOWING, course, deployments, placements
from cogs.presenting.spots import laid
from engine import Action, Pass
from engine.the_castle import DeployFollower, PlaceTile, Position


def moves(position: Position, spot: str) -> Iterator[Sequence[Action]]:
    """Every whole turn; of the placements only those on a spot whose name begins so."""
    if not isinstance(position.step, PlaceTile):
        yield from _answered(position, ())
        return
    places = [place for place in placements(position) if str(place).lower().startswith(spot)]
    for place in places:
        yield from _answered(position, (place, Pass()))
    for place in places:
        for figure in deployments(laid(position, place)):
            yield from _answered(position, (place, figure))


def _answered(position: Position, decided: tuple[Action, ...]) -> Iterator[Sequence[Action]]:
    """The turns that begin so, with every answer to every question that they raise."""
    ahead = course(position, decided, {})
    if ahead.actions and not isinstance(ahead.after.step, FOLLOWING):
        yield ahead.actions
        return
    for action in ahead.after.legal_actions:
        yield from _answered(position, (*ahead.actions, action))


def completed(position: Position, actions: Sequence[Action]) -> Sequence[Action]:
    """The actions with a lone pass; empty when a figure is still to be decided about.

    What else the turn asks may be left out: it is answered as its player prefers, or on the card.
    """
    after = course(position, actions, {}).after
    if not isinstance(after.step, DeployFollower):
        return actions
    return (*actions, Pass()) if len(after.legal_actions) == 1 else ()
