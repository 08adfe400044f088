"""The typed way: every legal move as a line of text, found by any words of it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice
from typing import Final, NamedTuple

from cogs.texts import t
from cogs.ui.plan import Plan, complete, followers, laid, optional_bridges, placements
from cogs.ui.words import action_words
from engine import Action, IllegalActionError, NotationError, Pass, parse_action
from engine.carcassonne import Decline, DeployFollower, PlaceTile, Position

_SPOT: Final = re.compile(r"-?[a-z]{1,2}-?\d")
"""How the name of a spot begins; as the first word it says where the tile goes."""


class Completion(NamedTuple):
    """A legal move: the text that makes it, and what a player reads."""

    text: str
    words: str


def completions(position: Position, query: str, limit: int) -> list[Completion]:
    """The first legal moves that contain every word of the query."""
    wanted = query.lower().replace(",", " ").split()
    spot = wanted[0] if wanted and _SPOT.match(wanted[0]) else ""
    return list(islice((move for move in _moves(position, spot) if _matches(move, wanted)), limit))


def _matches(move: Completion, wanted: Iterable[str]) -> bool:
    hay = f"{move.text} {move.words}".lower()
    return all(word in hay for word in wanted)


def _moves(position: Position, spot: str) -> Iterator[Completion]:
    """Every legal move; of the placements only those on a spot whose name begins so."""
    if not isinstance(position.step, PlaceTile):
        for action in position.legal_actions:
            yield Completion(str(action), action_words(position, action))
        return
    places = [*placements(position, aided=False), *placements(position, aided=True)]
    plans = [Plan(place=place) for place in places if str(place).lower().startswith(spot)]
    for plan in plans:
        yield _described(position, replace(plan, follower=Pass()))
    if Decline() in position.legal_actions:
        yield Completion(str(Decline()), action_words(position, Decline()))
    for plan in plans:
        yield from _with_followers(position, plan)
    for plan in plans:
        if plan.place is not None:
            for bridge in optional_bridges(laid(position, plan.place)):
                spanned = replace(plan, bridge=bridge)
                yield _described(position, replace(spanned, follower=Pass()))
                yield from _with_followers(position, spanned)


def _with_followers(position: Position, plan: Plan) -> Iterator[Completion]:
    for follower in followers(position, plan):
        yield _described(position, replace(plan, follower=follower))


def _described(position: Position, plan: Plan) -> Completion:
    actions = complete(position, plan)
    return Completion(" ".join(map(str, actions)), moves_words(position, actions))


def moves_words(position: Position, actions: Iterable[Action]) -> str:
    """A sequence of actions in words; each is described where it is done."""
    after = position.copy()
    parts: list[str] = []
    passed = t("action.no_follower")
    for action in actions:
        parts.append(action_words(after, action))
        after.apply(action)
    if len(parts) > 2 and parts[-1] == passed:
        parts.pop()  # the pass that only ends a turn in which something was built after the follower
    return ", ".join(parts)


def typed_actions(position: Position, text: str) -> tuple[Action, ...]:
    """The actions that a player typed, a lone pass at the end filled in; empty when they are not a whole legal move.

    Text that is no notation is taken for words of a move, and understood when they fit one move only.
    """
    try:
        actions = tuple(parse_action(token) for token in text.split())
    except NotationError:
        found = completions(position, text, 2)
        if len(found) != 1:
            return ()
        actions = tuple(parse_action(token) for token in found[0].text.split())
    return _whole(position, actions)


def _whole(position: Position, actions: tuple[Action, ...]) -> tuple[Action, ...]:
    after, player = position.copy(), position.player
    try:
        for action in actions:
            after.apply(action)
    except IllegalActionError:
        return actions  # the host refuses it, and says why
    if isinstance(after.step, DeployFollower) and after.player == player:
        return (*actions, Pass()) if len(after.legal_actions) == 1 else ()
    return actions
