"""Moves that players type as the option of a command, in words or in notation.

Every legal move has a description in words, such as "M12, turned 90°, follower on the road", and a notation, such as
``M12/90 @road.E``. While a player types, the moves that contain all of their words are suggested; what they send is
read as notation, or else has to fit exactly one move.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from itertools import islice
from typing import Any, Final, NamedTuple

from cogs.presenting.presenter import Presenter
from cogs.texts.languages import LANGUAGE, current_language, folded, speaking
from engine import Action, IllegalActionError, NotationError, Pass, Position, Resign, parse_action

_CELL_PREFIX: Final = re.compile(r"-?[a-z]{1,2}-?\d")
"""Matches the beginning of a cell's name; as the first word it narrows the search to that cell."""


class TypedMove(NamedTuple):
    """A legal move: its notation, and its description for the player."""

    text: str
    words: str


def typed_moves(presenter: Presenter[Any], position: Position, query: str, limit: int) -> list[TypedMove]:
    """Return the first legal moves whose text contains every word of the query."""
    query_words = _words_of(query)
    spot = query_words[0] if query_words and _CELL_PREFIX.match(query_words[0]) else ""
    moves = (_described(presenter, position, actions, query_words) for actions in presenter.turn.moves(position, spot))
    return list(islice((move for move in moves if move is not None), limit))


def _words_of(text: str) -> list[str]:
    """Return the words of a text, without commas, accents and capitals."""
    return folded(text).replace(",", " ").split()


def _described(
    presenter: Presenter[Any], position: Position, actions: Sequence[Action], query_words: Sequence[str]
) -> TypedMove | None:
    """Return the move if all of these words occur in it, in the current language or in English."""
    move = TypedMove(" ".join(map(str, actions)), moves_words(presenter, position, actions))
    searched = folded(f"{move.text} {move.words}")
    missing = [word for word in query_words if word not in searched]
    if missing and current_language() != LANGUAGE:
        with speaking(LANGUAGE):
            searched = folded(moves_words(presenter, position, actions))
        missing = [word for word in missing if word not in searched]
    return None if missing else move


def moves_words(presenter: Presenter[Any], position: Position, actions: Sequence[Action]) -> str:
    """Describe a sequence of actions, each in the position in which it is done."""
    after = position.copy()
    parts: list[str] = []
    for action in actions:
        parts.append(presenter.action_words(after, action))
        after.apply(action)
    if len(parts) > 2 and actions[-1] == Pass():
        parts.pop()  # the pass that only ends a turn in which something was built after the follower
    return ", ".join(parts)


def resigns_in(text: str) -> bool:
    """Return True if a typed text resigns from the game, for any seat and among any other actions."""
    return any(_resigns(token) for token in text.split())


def _resigns(token: str) -> bool:
    """Return whether a word is the notation of a resignation."""
    try:
        return isinstance(parse_action(token), Resign)
    except NotationError:
        return False


def typed_actions(presenter: Presenter[Any], position: Position, text: str) -> Sequence[Action]:
    """Return the actions that a player typed, completed by the obvious ones; empty if they are no whole legal move.

    Text that is no notation is searched for as words of a move, and counts if it fits one move only. If parts of words
    fit several moves ("no" is a part of "not turned"), the text counts if its whole words fit one of them.
    """
    try:
        actions = tuple(parse_action(token) for token in text.split())
    except NotationError:
        matching = typed_moves(presenter, position, text, sys.maxsize)
        if len(matching) > 1:
            query_words = set(_words_of(text))
            matching = [move for move in matching if query_words <= {*_words_of(f"{move.text} {move.words}")}]
        if len(matching) != 1:
            return ()
        actions = tuple(parse_action(token) for token in matching[0].text.split())
    return _whole(presenter, position, actions)


def _whole(presenter: Presenter[Any], position: Position, actions: tuple[Action, ...]) -> Sequence[Action]:
    """Return legal actions completed to a whole move, and illegal ones as they are."""
    after = position.copy()
    try:
        for action in actions:
            after.apply(action)
    except IllegalActionError:
        return actions  # the host refuses it, and says why
    return presenter.turn.completed(position, actions)
