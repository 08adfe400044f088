"""The rules of the games as a library: setups, positions, actions and events.

A game is a :class:`Setup`, in which everything is shuffled already, and a list of actions. Replaying the actions gives
the same :class:`Position` every time::

    position = begin(setup)
    position.legal_actions
    events = position.apply(parse_action("M12/90"))

This package holds what all games share. Each game has a package of its own, such as :mod:`engine.carcassonne`. Codes in
parentheses, such as BA-07, CA-17 or TC-46, are the numbers of rules in the project's rule digest; O-09 is an option
there, for a point where editions differ.
"""

from engine.actions import INTERVENTIONS, Action, Adjudicate, Deploy, Pass, Place, Resign, Skip
from engine.errors import EngineError, IllegalActionError, NotationError
from engine.games import (
    DEFAULT_GAME,
    GAMES,
    GameKind,
    begin,
    hints_on,
    may_be_ordered,
    ordered_action,
    parse_action,
    read_setup,
    replay,
)
from engine.geometry import Cell, Side
from engine.notation.positions import DIGEST_FORM, state_digest
from engine.position import Position
from engine.seen import seen_between
from engine.setup import Setup
