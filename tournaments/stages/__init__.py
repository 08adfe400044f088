"""Kinds of stages by the name that plans of events use; each is an implementation of ``StageKind``."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from tournaments.stages.base import StageKind
from tournaments.stages.groups import GroupDoubleElimination, GroupKnockout
from tournaments.stages.knockout import DoubleElimination, Knockout
from tournaments.stages.robin import Pools, Robin
from tournaments.stages.season import Season
from tournaments.stages.swiss import Swiss
from tournaments.stages.table_rounds import Finals, TableRounds

STAGE_KINDS: Final[Mapping[str, StageKind]] = {
    "tables": TableRounds(),
    "final": Finals(),
    "pools": Pools(),
    "season": Season(),
    "swiss": Swiss(),
    "robin": Robin(),
    "knockout": Knockout(),
    "double": DoubleElimination(),
    "group-knockout": GroupKnockout(),
    "group-double": GroupDoubleElimination(),
}
