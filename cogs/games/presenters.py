"""The registry of the games that the bot offers, each with its presenter.

A *presenter* holds the words, buttons and pictures of one game. No other module of the cogs names a game. This one also
collects what belongs to a single game or expansion: its commands, and the operations of its buttons.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from cogs.games.carcassonne import presenter as of_carcassonne
from cogs.games.carcassonne.box import BOXES
from cogs.games.the_castle import presenter as of_the_castle
from cogs.presenting.ids import Operation
from cogs.presenting.presenter import Presenter
from cogs.services.bot import GameOverride, Handler, merge_handlers
from engine import Position, carcassonne, the_castle

PRESENTERS: Final[Mapping[str, Presenter[Any]]] = {
    carcassonne.GAME: of_carcassonne.PRESENTER,
    the_castle.GAME: of_the_castle.PRESENTER,
}
"""The presenter of each game, by the name that the game has in :data:`engine.GAMES`."""
HANDLERS: Final[Mapping[Operation, Handler]] = merge_handlers(*(box.handlers for box in BOXES.values()))
"""The handlers of the buttons and forms that only one game has."""
IN_ONE_GAME: Final[Mapping[str, GameOverride]] = {
    name: found for box in BOXES.values() for name, found in box.in_one_game.items()
}
"""The preferences of a player that may have another value in a single game, by their keys."""
COMMANDS: Final = tuple(made for box in BOXES.values() for made in box.commands)
"""Functions that create the slash commands that only one game has."""


def presenter_of(position: Position) -> Presenter[Any]:
    """Return the presenter of the game to which a position belongs."""
    return PRESENTERS[position.setup.game]
