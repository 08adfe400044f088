"""Short games: their piles are cut, so that they end in a third of the time.

The pile holds the tiles that are still to be drawn. Everything else is as usual.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest

from engine import GAMES, Setup

PILE_SIZES: Mapping[str, int] = {"carcassonne": 50, "the-castle": 30}
"""The number of tiles in a short pile. Full piles have up to 141 tiles, and 60 in The Castle."""
FEW_TILES: Mapping[str, int] = {"carcassonne": 12, "the-castle": 12}
"""The number of tiles where a test needs the end of a game, but not the way there."""


def deal_short_piles(monkeypatch: pytest.MonkeyPatch, sizes: Mapping[str, int] = PILE_SIZES) -> None:
    """Cut the piles of games that are begun from now on."""
    games = {name: replace(game, new_setup=_shortened(game.new_setup, sizes[name])) for name, game in GAMES.items()}
    monkeypatch.setattr("host.lobbies.GAMES", games)


def _shortened(new_setup: Callable[..., Setup], size: int) -> Callable[..., Setup]:
    """Return a function that sets up a game with a pile of this size."""

    def new_short_setup(**values: Any) -> Setup:
        """Set up a game and cut its pile."""
        setup: Any = new_setup(**values)
        shortened: Setup = replace(setup, pile=setup.pile[:size])
        return shortened

    return new_short_setup
