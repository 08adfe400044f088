"""The one place where expansions are named."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from engine.carcassonne.expansions.base import Expansion
from engine.carcassonne.expansions.bazaars import Bazaars
from engine.carcassonne.expansions.bridges import Bridges
from engine.carcassonne.expansions.castles import Castles


@dataclass(frozen=True, slots=True)
class Box:
    """An expansion as it is sold: its tiles and its mechanisms, in the order in which their hooks run.

    ``number`` is its place among the large expansions, ``years`` are those of its editions (SU-13).
    """

    tile_set: str
    mechanisms: tuple[Expansion, ...]
    number: int
    years: tuple[int, ...]


BCB: Final = "bridges-castles-bazaars"

REGISTRY: Final[Mapping[str, Box]] = MappingProxyType(
    {BCB: Box(BCB, (Bridges(), Castles(), Bazaars()), number=8, years=(2010, 2017))}
)
"""Every expansion by its name in a :class:`engine.setup.Setup`."""

DEFAULT_EXPANSIONS: Final = (BCB,)
"""What is played when nobody says otherwise."""
