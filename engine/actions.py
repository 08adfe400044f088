"""What a player decides, one frozen value a decision, each with a text form that round-trips.

``str(action)`` is what a game's log holds; :func:`parse_action` reads it back.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from engine.errors import NotationError
from engine.geometry import Axis, Cell

FOLLOWER: Final = "follower"
"""The ordinary figure, and the name of its supply."""
CASTLE_SOURCE: Final = "castle"
"""What :class:`ChooseSource` names instead of a segment when one castle scores through another."""


@dataclass(frozen=True, slots=True)
class BuildBridge:
    """Build a bridge on a tile (BR-04)."""

    cell: Cell
    axis: Axis

    def __str__(self) -> str:
        return f"~{self.cell.label}{self.axis}"


@dataclass(frozen=True, slots=True)
class Place:
    """Lay the tile in hand, turned clockwise by ``rotation`` degrees; ``aid`` is the bridge it needs (BR-12)."""

    cell: Cell
    rotation: int
    aid: BuildBridge | None = None

    def __str__(self) -> str:
        return f"{self.cell.label}/{self.rotation}{self.aid or ''}"


@dataclass(frozen=True, slots=True)
class Decline:
    """Let a tile go that fits only with a bridge (BR-13)."""

    def __str__(self) -> str:
        return "decline"


@dataclass(frozen=True, slots=True)
class Deploy:
    """Put a figure on a segment of the tile just laid, named as :attr:`engine.tiles.Segment.name` (BA-09)."""

    segment: str
    figure: str = FOLLOWER

    def __str__(self) -> str:
        return f"{'' if self.figure == FOLLOWER else self.figure}@{self.segment}"


@dataclass(frozen=True, slots=True)
class Pass:
    """No figure, or no bid."""

    def __str__(self) -> str:
        return "pass"


@dataclass(frozen=True, slots=True)
class BuildCastle:
    """Turn the town into a castle (CA-12)."""

    def __str__(self) -> str:
        return "castle"


@dataclass(frozen=True, slots=True)
class ScoreTown:
    """Score the town as a city (CA-10)."""

    def __str__(self) -> str:
        return "town"


@dataclass(frozen=True, slots=True)
class ChooseSource:
    """Which completed structure feeds the castle: a segment on a cell, or a castle there (CA-40)."""

    cell: Cell
    segment: str

    def __str__(self) -> str:
        return f"take:{self.cell.label}.{self.segment}"


@dataclass(frozen=True, slots=True)
class SelectLot:
    """Put a lot up for auction and open the bidding (BZ-12); lots count from 1."""

    lot: int
    bid: int

    def __str__(self) -> str:
        return f"lot:{self.lot}@{self.bid}"


@dataclass(frozen=True, slots=True)
class Bid:
    """Raise the bid to ``amount`` points (BZ-14)."""

    amount: int

    def __str__(self) -> str:
        return f"bid:{self.amount}"


@dataclass(frozen=True, slots=True)
class Buy:
    """Pay the highest bidder and keep the lot (BZ-16)."""

    def __str__(self) -> str:
        return "buy"


@dataclass(frozen=True, slots=True)
class Sell:
    """Take the highest bid and give the lot away (BZ-17)."""

    def __str__(self) -> str:
        return "sell"


@dataclass(frozen=True, slots=True)
class PickLot:
    """Take a lot in a draft (HV-01); lots count from 1."""

    lot: int

    def __str__(self) -> str:
        return f"pick:{self.lot}"


@dataclass(frozen=True, slots=True)
class Resign:
    """Leave the game; ``player`` counts from 0, the text from 1."""

    player: int

    def __str__(self) -> str:
        return f"resign:{self.player + 1}"


Action = (
    Place
    | Decline
    | BuildBridge
    | Deploy
    | Pass
    | BuildCastle
    | ScoreTown
    | ChooseSource
    | SelectLot
    | Bid
    | Buy
    | Sell
    | PickLot
    | Resign
)
"""Anything that :meth:`engine.position.Position.apply` takes."""

_WORDS: Final[dict[str, Action]] = {
    str(action): action for action in (Decline(), Pass(), BuildCastle(), ScoreTown(), Buy(), Sell())
}
_CELL: Final = r"-?[A-Z]{1,2}-?\d{1,3}"


def _bridge(cell: str, axis: str) -> BuildBridge:
    return BuildBridge(Cell.parse(cell), Axis(axis))


def _place(cell: str, rotation: str, bridge_cell: str | None, axis: str | None) -> Place:
    aid = _bridge(bridge_cell, axis) if bridge_cell and axis else None
    return Place(Cell.parse(cell), int(rotation), aid)


_FORMS: Final[tuple[tuple[re.Pattern[str], Callable[..., Action]], ...]] = (
    (re.compile(rf"({_CELL})/(0|90|180|270)(?:~({_CELL})(NS|WE))?"), _place),
    (re.compile(rf"~({_CELL})(NS|WE)"), _bridge),
    (re.compile(r"([a-z]*)@([a-z]+(?:\.[A-Z]{1,2})?)"), lambda figure, name: Deploy(name, figure or FOLLOWER)),
    (
        re.compile(rf"take:({_CELL})\.([a-z]+(?:\.[A-Z]{{1,2}})?)"),
        lambda cell, name: ChooseSource(Cell.parse(cell), name),
    ),
    (re.compile(r"lot:([1-9]\d?)@(\d{1,4})"), lambda lot, bid: SelectLot(int(lot), int(bid))),
    (re.compile(r"bid:(\d{1,4})"), lambda amount: Bid(int(amount))),
    (re.compile(r"pick:([1-9]\d?)"), lambda lot: PickLot(int(lot))),
    (re.compile(r"resign:([1-9])"), lambda seat: Resign(int(seat) - 1)),
)


def parse_action(text: str) -> Action:
    """Read the text form of an action.

    Raises:
        NotationError: the text is none.
    """
    word = _WORDS.get(text)
    if word is not None:
        return word
    for pattern, build in _FORMS:
        match = pattern.fullmatch(text)
        if match is not None:
            try:
                return build(*match.groups())
            except ValueError as error:
                raise NotationError(f"not an action: {text!r} ({error})") from error
    raise NotationError(f"not an action: {text!r}")
