"""The one place where expansions are named."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from engine.carcassonne.expansions.base import Expansion
from engine.carcassonne.expansions.bazaars import Bazaars
from engine.carcassonne.expansions.bridges import Bridges
from engine.carcassonne.expansions.builders import Builders, Pigs
from engine.carcassonne.expansions.castles import Castles
from engine.carcassonne.expansions.fairy import Fairies
from engine.carcassonne.expansions.inns import BigFollowers, Cathedrals, Inns
from engine.carcassonne.expansions.trade import Trade


@dataclass(frozen=True, slots=True)
class Box:
    """An expansion as it is sold: its tiles and its mechanisms, in the order in which their hooks run.

    ``number`` is its place among the large expansions, ``years`` are those of its editions (SU-13), as far as the
    documents name them. Without a ``tile_set`` it is here only as far as the rules of others need it. What is not
    ``offered`` can be played by the engine and is tested, but a table cannot choose it.
    """

    tile_set: str | None
    mechanisms: tuple[Expansion, ...]
    number: int
    years: tuple[int, ...] = ()
    offered: bool = False


BCB: Final = "bridges-castles-bazaars"
TRADERS_BUILDERS: Final = "traders-builders"
FAIRY: Final = "fairy"
INNS_CATHEDRALS: Final = "inns-cathedrals"

REGISTRY: Final[Mapping[str, Box]] = MappingProxyType(
    {
        BCB: Box(BCB, (Bridges(), Castles(), Bazaars()), number=8, years=(2010, 2017), offered=True),
        TRADERS_BUILDERS: Box(TRADERS_BUILDERS, (Builders(), Pigs(), Trade()), number=2, offered=True),
        FAIRY: Box(None, (Fairies(),), number=3),
        INNS_CATHEDRALS: Box(INNS_CATHEDRALS, (BigFollowers(), Inns(), Cathedrals()), number=1),
    }
)
"""Every expansion by its name in a :class:`engine.setup.Setup`."""

OFFERED: Final = tuple(name for name, box in REGISTRY.items() if box.offered)
"""The expansions that a table can choose."""

DEFAULT_EXPANSIONS: Final = (BCB,)
"""What is played when nobody says otherwise."""
