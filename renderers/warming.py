"""The one place where games are named that are drawn: which sprites the first cards after a start would wait for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Final

from renderers import carcassonne, the_castle
from renderers.theme import DAY, Theme

WARMING: Final[Mapping[str, Callable[[Theme], Iterator[None]]]] = MappingProxyType(
    {"carcassonne": carcassonne.warm_up, "the-castle": the_castle.warm_up}
)
"""How each game draws ahead what most of its cards show, by the names that games have in the engine."""


def warm_up(theme: Theme = DAY) -> Iterator[None]:
    """Draw ahead for all games, one sprite at each step, so that pictures that somebody waits for can go between."""
    for game in WARMING.values():
        yield from game(theme)
