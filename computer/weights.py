"""Read the weights of the evaluation, the numbers by which the computer values positions.

Each set of weights is a TOML file with a table for each game; comments in it say how the numbers were found.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from importlib import resources
from pathlib import Path
from types import MappingProxyType
from typing import Final

from engine.caching import thread_safe_cache

Weights = Mapping[str, float]
"""The weights of one game by name; the unit is a point of the game unless the data file says something else."""

PACKAGE: Final = "computer.data"
"""The package with a data file for each set of weights."""
TUNED: Final = "weights"
"""The set of weights that players use by default."""
SUFFIX: Final = ".toml"
"""The suffix of data files; a name of weights that ends in it is the path of a file."""
START: Final = "start"
"""The set of weights with which tuning began, so that the arena can measure the progress."""


class WeightsError(ValueError):
    """A set of weights does not exist, or has no weights for a game."""


def read_weights(name: str, game: str) -> Weights:
    """Return the weights of a game from one of the data files, or from another file if the name ends in ``.toml``.

    Raises:
        WeightsError: there is no such file, or it has no weights of this game.
    """
    try:
        return weight_set(name)[game]
    except KeyError as error:
        raise WeightsError(f"no weights of {game} in {name!r}") from error


@thread_safe_cache
def weight_set(name: str) -> Mapping[str, Weights]:
    """Return the weights of all games in a data file; cached.

    Raises:
        WeightsError: there is no such file, or it is not valid TOML.
    """
    file = Path(name) if name.endswith(SUFFIX) else resources.files(PACKAGE).joinpath(f"{name}{SUFFIX}")
    try:
        games = tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise WeightsError(f"no weights {name!r}: {error}") from error
    return {game: MappingProxyType(dict(weights)) for game, weights in games.items()}
