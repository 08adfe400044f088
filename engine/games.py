"""The one place where games are named, and what works for all of them: to begin, to read, to replay."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from random import Random
from types import MappingProxyType
from typing import Any, Final, Generic, TypeVar

from engine import actions, carcassonne, the_castle
from engine.actions import Action, Form, Seat
from engine.carcassonne.hints import CarcassonneHints
from engine.carcassonne.notation import CarcassonneNotation
from engine.errors import IllegalActionError, NotationError
from engine.grammar.language import Notation
from engine.hints import Hints
from engine.options import Options
from engine.position import Position
from engine.setup import PLAYED_VERSIONS, Setup, SetupValues
from engine.the_castle.actions import FORMS as CASTLE_FORMS
from engine.the_castle.hints import CastleHints
from engine.the_castle.notation import CastleNotation

P = TypeVar("P", bound=Position)
"""The position of a game."""
S = TypeVar("S", bound=Setup)
"""The setup of a game."""


def _no_plans(_: Position, seat: Seat, text: str) -> None:
    raise IllegalActionError(f"nothing can be planned in this game: {text!r} by seat {seat}")


@dataclass(frozen=True, slots=True)
class GameKind(Generic[P, S]):
    """A set of rules: who can play it, how, and what its parts are, all of which work on the same positions."""

    name: str
    players: range
    """How many can play."""
    options: type[Options]
    presets: Mapping[str, Options]
    """The editions by name, the default first."""
    expansions: tuple[str, ...]
    """What may be added to it."""
    new_setup: Callable[..., S]
    """A setup shuffled by a seed, of ``players``, ``seed``, ``options`` and ``expansions``."""
    read_setup: Callable[[SetupValues], S]
    begin: Callable[[S], P]
    """The position before the first move of a setup."""
    forms: tuple[Form, ...]
    """The text forms of the actions that only this game knows."""
    adjust_random_action: Callable[[P, Action, Random], Action]
    """A random action made sensible: what keeps random games like games, as small bids."""
    hints: Callable[[P], Hints[P]]
    """What players could work out about a position."""
    notation: Notation[P, S]
    """Its part in the text forms of positions and records."""
    may_be_ordered: Callable[[P, P], bool] = lambda _position, _before: False
    """Whether the decision at hand may have been taken before a move, by the position after it and before."""
    ordered_action: Callable[[P, Mapping[str, str]], Action | None] = lambda _position, _orders: None
    """What the player who has to decide has ordered, by the names of the orders; None to ask."""
    check_plan: Callable[[P, Seat, str], None] = _no_plans
    """Raises an EngineError where the player of a seat cannot plan this now."""
    may_plan: Callable[[P, Seat], bool] = lambda _position, _seat: False
    """Whether the player of a seat may plan what is decided now."""
    expansions_asking_all: tuple[str, ...] = ()
    """Expansions with which a game of many takes very long, since they ask all players one after the other."""


_CARCASSONNE: Final = GameKind(
    name=carcassonne.GAME,
    players=carcassonne.PLAYERS,
    options=carcassonne.Options,
    presets=carcassonne.PRESETS,
    expansions=carcassonne.OFFERED,
    new_setup=carcassonne.new_setup,
    read_setup=carcassonne.Setup.read,
    begin=carcassonne.Position,
    forms=carcassonne.FORMS,
    adjust_random_action=carcassonne.Position.adjust_random_action,
    hints=CarcassonneHints,
    notation=CarcassonneNotation(),
    may_be_ordered=carcassonne.may_be_ordered,
    ordered_action=carcassonne.ordered_action,
    check_plan=carcassonne.check_plan,
    may_plan=carcassonne.may_plan,
    expansions_asking_all=carcassonne.EXPANSIONS_ASKING_ALL,
)
_THE_CASTLE: Final = GameKind(
    name=the_castle.GAME,
    players=the_castle.PLAYERS,
    options=the_castle.Options,
    presets=the_castle.PRESETS,
    expansions=(),
    new_setup=the_castle.new_setup,
    read_setup=the_castle.Setup.read,
    begin=the_castle.Position,
    forms=CASTLE_FORMS,
    adjust_random_action=lambda _position, action, _random: action,
    hints=CastleHints,
    notation=CastleNotation(),
)
_PLAYED: Final[tuple[GameKind[Any, Any], ...]] = (_CARCASSONNE, _THE_CASTLE)
"""From here on nobody knows whose positions they are: each game is handed its own alone."""

GAMES: Final[Mapping[str, GameKind[Position, Setup]]] = MappingProxyType({game.name: game for game in _PLAYED})
"""Every game by its name, the one that is played when nobody says otherwise first."""

DEFAULT_GAME: Final = next(iter(GAMES))

_FORMS: Final = (*actions.FORMS, *(form for game in GAMES.values() for form in game.forms))


_WORDS: Final = {str(form.build()): form.build() for form in _FORMS if not form.pattern.groups}
"""The actions that are always written the same, which need no pattern to be found."""
_PATTERNS: Final = tuple(form for form in _FORMS if form.pattern.groups)


def begin(setup: Setup) -> Position:
    """The position before the first move."""
    return GAMES[setup.game].begin(setup)


def hints_on(position: Position) -> Hints[Position]:
    """The hints on a position."""
    return GAMES[position.setup.game].hints(position)


def may_be_ordered(position: Position, before: Position) -> bool:
    """Whether the decision at hand may have been taken before the move that leads from one position to the other."""
    return GAMES[position.setup.game].may_be_ordered(position, before)


def ordered_action(position: Position, orders: Mapping[str, str]) -> Action | None:
    """What the player who has to decide has ordered, by the names of the orders; None to ask."""
    return GAMES[position.setup.game].ordered_action(position, orders)


def replay(setup: Setup, actions: Iterable[Action]) -> Position:
    """The position after these actions.

    Raises:
        IllegalActionError: one of them is not legal.
    """
    position = begin(setup)
    for action in actions:
        position.apply(action)
    return position


def read_setup(text: str) -> Setup:
    """Read what :meth:`engine.setup.Setup.to_json` wrote.

    Raises:
        NotationError: the text is no setup.
    """
    try:
        value = json.loads(text)
        if value["rules"] not in PLAYED_VERSIONS:
            raise NotationError(f"rules version {value['rules']!r} is not played here")
        return GAMES[value.get("game", DEFAULT_GAME)].read_setup(value)
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise NotationError(f"not a setup: {error}") from error


def parse_action(text: str) -> Action:
    """Read the text form of an action.

    Raises:
        NotationError: the text is none.
    """
    word = _WORDS.get(text)
    if word is not None:
        return word
    for pattern, build in _PATTERNS:
        match = pattern.fullmatch(text)
        if match is not None:
            try:
                return build(*match.groups())
            except ValueError as error:
                raise NotationError(f"not an action: {text!r} ({error})") from error
    raise NotationError(f"not an action: {text!r}")
