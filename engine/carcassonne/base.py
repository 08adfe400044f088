"""The options of the base game, which every table has."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from engine import options
from engine.options import option


@dataclass(frozen=True, kw_only=True)
class BaseOptions(options.Options):
    """What the rules leave open for the base game: a part of the options of every game, as boxes have theirs."""

    __slots__ = ()  # a part: the fields are kept by what is put together of several

    small_city_points: Literal[4, 2] = option("O-26", "CA-10 BA-17", 4)
    farm_scoring: Literal["farm3", "farm3_once_per_city", "city4"] = option(
        "O-27", "CA-56 BA-28 BA-29 BA-30 BA-31", "farm3"
    )
    farmers: bool = option("O-28", "BA-32", default=True)
