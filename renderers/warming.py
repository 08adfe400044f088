"""The one place where games are named that are drawn: which sprites the first cards after a start would wait for."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from types import MappingProxyType
from typing import Final

from renderers import carcassonne, the_castle
from renderers.theme import DAY, Theme

WARMING: Final[Mapping[str, Callable[..., Iterator[None]]]] = MappingProxyType(
    {"carcassonne": carcassonne.warm_up, "the-castle": the_castle.warm_up}
)
"""How each game draws ahead what most of its cards show, by the names that games have in the engine.

Each takes a theme, and the names of what else than the usual is in play.
"""


def warm_up(theme: Theme = DAY) -> Iterator[None]:
    """Draw ahead for all games, one sprite at each step, so that pictures that somebody waits for can go between."""
    for game in WARMING.values():
        yield from game(theme)


def warm_boxes(game: str, boxes: Collection[str], theme: Theme) -> Iterator[None]:
    """Draw ahead what cards of one game show with these boxes in play, one sprite at each step."""
    yield from WARMING[game](theme, boxes)
