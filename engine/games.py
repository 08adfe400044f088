"""The registry of games, and the functions that work for all of them: begin, read and replay a game.

``GAMES["carcassonne"]`` is the :class:`GameKind` with all that the engine knows about a game. Other modules look a game
up here by name instead of importing its package.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final, Generic, TypeVar

from engine import actions, carcassonne, the_castle
from engine.actions import Action, Form, Seat
from engine.carcassonne.hints import CarcassonneHints
from engine.carcassonne.notation import CarcassonneNotation
from engine.errors import IllegalActionError, NotationError
from engine.grammar.language import Notation
from engine.hints import Hints
from engine.options import Options, Value
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
    """Refuse a plan, for a game without plans."""
    raise IllegalActionError(f"nothing can be planned in this game: {text!r} by seat {seat}")


@dataclass(frozen=True, slots=True)
class GameKind(Generic[P, S]):
    """A game in the registry: its name, players, options and expansions, and the functions that implement it.

    All functions work on the game's own kind of position ``P`` and setup ``S``.
    """

    name: str
    players: range
    """The possible numbers of players."""
    options: type[Options]
    presets: Mapping[str, Options]
    """The editions by name, the default first."""
    expansions: tuple[str, ...]
    """The names of the expansions that can be added."""
    new_setup: Callable[..., S]
    """Create a setup shuffled by a seed, from ``players``, ``seed``, ``options`` and ``expansions``."""
    read_setup: Callable[[SetupValues], S]
    begin: Callable[[S], P]
    """Return the position before the first move of a setup."""
    forms: tuple[Form, ...]
    """The text forms of the actions that only this game knows."""
    adjust_random_action: Callable[[P, Action, Random], Action]
    """Adjust a random action so that random games resemble real ones, for example by limiting bids."""
    hints: Callable[[P], Hints[P, Any]]
    """Return the hints on a position."""
    notation: Notation[P, S]
    """The game's part in the text forms of positions and records."""
    may_be_ordered: Callable[[P, P], bool] = lambda _position, _before: False
    """Return True if a standing order may answer the current step, given the positions after and before a move."""
    ordered_action: Callable[[P, Mapping[str, str]], Action | None] = lambda _position, _orders: None
    """Return the action that the standing orders (by name) of the player to move imply; None to ask the player."""
    check_plan: Callable[[P, Seat, str], None] = _no_plans
    """Raise an EngineError if the player of a seat cannot make this plan now."""
    may_plan: Callable[[P, Seat], bool] = lambda _position, _seat: False
    """Return True if the player of a seat can make a plan for the current decision."""
    proposals: Mapping[str, Mapping[str, Value]] = field(default_factory=dict)
    """The options that a table gets when it adds an expansion, and loses with it, by the expansion."""
    expansions_asking_all: tuple[str, ...] = ()
    """Expansions that ask all players one after the other, which makes games of many players very long."""
    lesson: Callable[[], S] | None = None
    """Return the setup of the first lesson; None for a game that has none."""


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
    proposals={name: box.proposes for name, box in carcassonne.REGISTRY.items() if box.proposes},
    expansions_asking_all=carcassonne.EXPANSIONS_ASKING_ALL,
    lesson=carcassonne.lesson_setup,
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
    adjust_random_action=lambda _position, action, _rng: action,
    hints=CastleHints,
    notation=CastleNotation(),
)
_PLAYED: Final[tuple[GameKind[Any, Any], ...]] = (_CARCASSONNE, _THE_CASTLE)
"""All games. Their types of positions are erased here: the functions of a game only ever get positions of that game."""

GAMES: Final[Mapping[str, GameKind[Position, Setup]]] = {game.name: game for game in _PLAYED}
"""Every game by its name, the default first."""

DEFAULT_GAME: Final = next(iter(GAMES))
"""The game of stored setups that name no game, because they are older than the second game."""

_FORMS: Final = (*actions.FORMS, *(form for game in GAMES.values() for form in game.forms))
"""The text forms of all actions, of every game."""


_WORDS: Final = {str(form.build()): form.build() for form in _FORMS if not form.pattern.groups}
"""The actions without parameters by their text: a dictionary lookup instead of a pattern match."""
_PATTERNS: Final = tuple(form for form in _FORMS if form.pattern.groups)
"""The actions with parameters, whose text is matched with one pattern after the other."""


def begin(setup: Setup) -> Position:
    """Return the position before the first move."""
    return GAMES[setup.game].begin(setup)


def hints_on(position: Position) -> Hints[Position, Any]:
    """Return the hints on a position."""
    return GAMES[position.setup.game].hints(position)


def may_be_ordered(position: Position, before: Position) -> bool:
    """Return True if a standing order may answer the current step; ``before`` is the position before the last move."""
    return GAMES[position.setup.game].may_be_ordered(position, before)


def ordered_action(position: Position, orders: Mapping[str, str]) -> Action | None:
    """Return the action that the standing orders (by name) of the player to move imply; None to ask the player."""
    return GAMES[position.setup.game].ordered_action(position, orders)


def replay(setup: Setup, actions: Iterable[Action]) -> Position:
    """Return the position after these actions.

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
        NotationError: the text is not a setup.
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
        NotationError: the text is not an action.
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
