"""The typed way: every legal move as a line of text, found by any words of it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from cogs.texts.languages import LANGUAGE, folded, speaking, spoken
from engine import Action, IllegalActionError, NotationError, Pass, Position, Resign, parse_action

if TYPE_CHECKING:
    from cogs.presenting.presenter import Presenter

_SPOT: Final = re.compile(r"-?[a-z]{1,2}-?\d")
"""How the name of a spot begins; as the first word it says where the tile goes."""


class TypedMove(NamedTuple):
    """A legal move: the text that makes it, and what a player reads."""

    text: str
    words: str


def typed_moves(presenter: Presenter[Any], position: Position, query: str, limit: int) -> list[TypedMove]:
    """The first legal moves that contain every word of the query."""
    wanted = folded(query).replace(",", " ").split()
    spot = wanted[0] if wanted and _SPOT.match(wanted[0]) else ""
    moves = (_described(presenter, position, actions, wanted) for actions in presenter.turn.moves(position, spot))
    return list(islice((move for move in moves if move is not None), limit))


def _described(
    presenter: Presenter[Any], position: Position, actions: Sequence[Action], wanted: Sequence[str]
) -> TypedMove | None:
    """The move, if all of these words occur in it: in the language that is spoken, or in English."""
    move = TypedMove(" ".join(map(str, actions)), moves_words(presenter, position, actions))
    hay = folded(f"{move.text} {move.words}")
    left = [word for word in wanted if word not in hay]
    if left and spoken() != LANGUAGE:
        with speaking(LANGUAGE):
            hay = folded(moves_words(presenter, position, actions))
        left = [word for word in left if word not in hay]
    return None if left else move


def moves_words(presenter: Presenter[Any], position: Position, actions: Sequence[Action]) -> str:
    """A sequence of actions in words; each is described where it is done."""
    after = position.copy()
    parts: list[str] = []
    for action in actions:
        parts.append(presenter.action_words(after, action))
        after.apply(action)
    if len(parts) > 2 and actions[-1] == Pass():
        parts.pop()  # the pass that only ends a turn in which something was built after the follower
    return ", ".join(parts)


def leaves(text: str) -> bool:
    """Whether a typed text leaves the game, for whichever seat and with whatever else."""
    return any(_resigns(token) for token in text.split())


def _resigns(token: str) -> bool:
    try:
        return isinstance(parse_action(token), Resign)
    except NotationError:
        return False


def typed_actions(presenter: Presenter[Any], position: Position, text: str) -> Sequence[Action]:
    """The actions that a player typed, what goes without saying filled in; empty when they are not a whole legal move.

    Text that is no notation is taken for words of a move, and understood when they fit one move only.
    """
    try:
        actions = tuple(parse_action(token) for token in text.split())
    except NotationError:
        found = typed_moves(presenter, position, text, 2)
        if len(found) != 1:
            return ()
        actions = tuple(parse_action(token) for token in found[0].text.split())
    return _whole(presenter, position, actions)


def _whole(presenter: Presenter[Any], position: Position, actions: tuple[Action, ...]) -> Sequence[Action]:
    after = position.copy()
    try:
        for action in actions:
            after.apply(action)
    except IllegalActionError:
        return actions  # the host refuses it, and says why
    return presenter.turn.completed(position, actions)
