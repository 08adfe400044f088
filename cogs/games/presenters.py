"""The one place in Discord where the games are named: how each is presented, and the buttons that it has alone."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from cogs.games.carcassonne import presenter as of_carcassonne
from cogs.games.carcassonne.box import BOXES
from cogs.games.the_castle import presenter as of_the_castle
from cogs.presenting.ids import Operation
from cogs.presenting.presenter import Presenter
from cogs.services.bot import Handler, InOneGame, merged
from engine import Position, carcassonne, the_castle

PRESENTERS: Final[Mapping[str, Presenter[Any]]] = MappingProxyType(
    {carcassonne.GAME: of_carcassonne.PRESENTER, the_castle.GAME: of_the_castle.PRESENTER}
)
"""By the names of :data:`engine.GAMES`."""
HANDLERS: Final[Mapping[Operation, Handler]] = merged(*(box.handlers for box in BOXES.values()))
"""What the operations do that only one game has."""
IN_ONE_GAME: Final[Mapping[str, InOneGame]] = {
    name: found for box in BOXES.values() for name, found in box.in_one_game.items()
}
"""The settings that may be another matter in one game."""
COMMANDS: Final = tuple(made for box in BOXES.values() for made in box.commands)
"""The commands that only one game has."""


def presenter_of(position: Position) -> Presenter[Any]:
    """How the game of a position is presented."""
    return PRESENTERS[position.setup.game]
