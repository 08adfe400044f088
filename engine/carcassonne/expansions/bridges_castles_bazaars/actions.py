"""The actions of bridges, castles and bazaars, with their text forms.

A town is a completed city of two tiles, which may become a castle. A lot is a tile that is up for sale in a bazaar.
Perft, a count of all sequences of actions, treats actions of the same ``group`` as one. Codes in parentheses are rules
of the rule digest.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from engine.actions import CELL, SEGMENT, Action, Form, Place, constant_form
from engine.geometry import Axis, Cell

CASTLE_SOURCE: Final = "castle"
"""The name that :class:`ChooseSource` has instead of a segment if the source is a castle."""


@dataclass(frozen=True, slots=True)
class BuildBridge(Action):
    """Build a bridge on a tile (BR-04)."""

    cell: Cell
    axis: Axis

    def __str__(self) -> str:
        return f"~{self.cell.label}{self.axis}"


@dataclass(frozen=True, slots=True)
class BuildCastle(Action):
    """Turn the town into a castle (CA-12)."""

    def __str__(self) -> str:
        return "castle"


@dataclass(frozen=True, slots=True)
class ScoreTown(Action):
    """Score the town as a city (CA-10)."""

    def __str__(self) -> str:
        return "town"


@dataclass(frozen=True, slots=True)
class ChooseSource(Action):
    """Choose the completed structure whose points a castle gets: a segment on a cell, or a castle there (CA-40)."""

    cell: Cell
    segment: str

    def __str__(self) -> str:
        return f"take:{self.cell.label}.{self.segment}"


@dataclass(frozen=True, slots=True)
class SelectLot(Action):
    """Put a lot up for auction and open the bidding (BZ-12); lots count from 1."""

    lot: int
    bid: int

    @property
    def group(self) -> str:
        """The same text for every opening bid, so that perft counts these actions as one."""
        return f"lot:{self.lot}@…"

    def __str__(self) -> str:
        return f"lot:{self.lot}@{self.bid}"


@dataclass(frozen=True, slots=True)
class Bid(Action):
    """Raise the bid to ``amount`` points (BZ-14)."""

    amount: int

    @property
    def group(self) -> str:
        """The same text for every amount, so that perft counts all bids as one action."""
        return "bid:…"

    def __str__(self) -> str:
        return f"bid:{self.amount}"


@dataclass(frozen=True, slots=True)
class Buy(Action):
    """Pay the highest bidder and keep the lot (BZ-16)."""

    def __str__(self) -> str:
        return "buy"


@dataclass(frozen=True, slots=True)
class Sell(Action):
    """Take the highest bid and give the lot away (BZ-17)."""

    def __str__(self) -> str:
        return "sell"


@dataclass(frozen=True, slots=True)
class PickLot(Action):
    """Take a lot in a draft (HV-01); lots count from 1."""

    lot: int

    def __str__(self) -> str:
        return f"pick:{self.lot}"


def _bridge(cell: str, axis: str) -> BuildBridge:
    """Make the action of building a bridge from the groups of its text form."""
    return BuildBridge(Cell.parse(cell), Axis(axis))


def _bridged(cell: str, rotation: str, bridge_cell: str, axis: str) -> Place:
    """Make a placement with a bridge from the groups of its text form."""
    return Place(Cell.parse(cell), int(rotation), _bridge(bridge_cell, axis))


FORMS: Final = (
    Form(re.compile(rf"{CELL}/(0|90|180|270)~{CELL}(NS|WE)"), _bridged),
    Form(re.compile(rf"~{CELL}(NS|WE)"), _bridge),
    Form(re.compile(rf"take:{CELL}\.{SEGMENT}"), lambda cell, name: ChooseSource(Cell.parse(cell), name)),
    Form(re.compile(r"lot:([1-9]\d?)@(\d{1,4})"), lambda lot, bid: SelectLot(int(lot), int(bid))),
    Form(re.compile(r"bid:(\d{1,4})"), lambda amount: Bid(int(amount))),
    Form(re.compile(r"pick:([1-9]\d?)"), lambda lot: PickLot(int(lot))),
    *(constant_form(action) for action in (BuildCastle(), ScoreTown(), Buy(), Sell())),
)
"""The text forms of these actions."""
