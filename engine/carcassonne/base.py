"""The options of the base game: points on which editions of the rules differ.

Each is declared with its number in the project's rule digest (such as O-26), the numbers of the rules that it decides
(such as BA-17), and its default. The module imports nothing of the game, so that tables and boxes can import it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from engine import options
from engine.options import option


@dataclass(frozen=True, kw_only=True)
class BaseOptions(options.Options):
    """The options of the base game; :mod:`engine.carcassonne.options` combines them with those of the boxes."""

    __slots__ = ()  # a mixin: the combined class has the slots of all fields

    small_city_points: Literal[4, 2] = option("O-26", "CA-10 BA-17", 4)
    """The points of a completed city of two tiles."""
    farm_scoring: Literal["farm3", "farm3_once_per_city", "city4"] = option(
        "O-27", "CA-56 BA-28 BA-29 BA-30 BA-31", "farm3"
    )
    """The points of a city for farmers: 3 on each field, 3 once for each player, or 4 for all fields around it."""
    farmers: bool = option("O-28", "BA-32", default=True)
    """True if followers may be deployed on fields."""
