"""What a stage can be, by the kind of its rounds."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from tournaments.stages.base import Kind
from tournaments.stages.double import DoubleElimination
from tournaments.stages.finals import Finals
from tournaments.stages.knockout import Knockout
from tournaments.stages.pools import Pools
from tournaments.stages.robin import Robin
from tournaments.stages.swiss import Swiss
from tournaments.stages.table_rounds import TableRounds

KINDS: Final[Mapping[str, Kind]] = MappingProxyType(
    {
        "tables": TableRounds(),
        "final": Finals(),
        "pools": Pools(),
        "swiss": Swiss(),
        "robin": Robin(),
        "knockout": Knockout(),
        "double": DoubleElimination(),
    }
)
