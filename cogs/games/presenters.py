"""The one place where the presenters of the games are named."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from cogs.games.carcassonne.presenter import CarcassonnePresenter
from cogs.games.the_castle.presenter import CastlePresenter
from cogs.presenting.presenter import Presenter
from engine import Position, carcassonne, the_castle

PRESENTERS: Final[Mapping[str, Presenter[Any]]] = MappingProxyType(
    {carcassonne.GAME: CarcassonnePresenter(), the_castle.GAME: CastlePresenter()}
)
"""By the names of :data:`engine.GAMES`."""


def presenter_of(position: Position) -> Presenter[Any]:
    """How the game of a position is presented."""
    return PRESENTERS[position.setup.game]
