"""The registry of the games: the only module of the cogs that names them, with their presenters and own operations."""

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
"""By the names of :data:`engine.GAMES`."""
HANDLERS: Final[Mapping[Operation, Handler]] = merge_handlers(*(box.handlers for box in BOXES.values()))
"""The handlers of the operations that only one game has."""
IN_ONE_GAME: Final[Mapping[str, GameOverride]] = {
    name: found for box in BOXES.values() for name, found in box.in_one_game.items()
}
"""The preferences that may be overridden in one game."""
COMMANDS: Final = tuple(made for box in BOXES.values() for made in box.commands)
"""Factories of the commands that only one game has."""


def presenter_of(position: Position) -> Presenter[Any]:
    """Return the presenter of the game of a position."""
    return PRESENTERS[position.setup.game]
