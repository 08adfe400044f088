"""What stands in pictures of events: frozen values, all words as they are to be read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, TypeVar

T = TypeVar("T")

MOST: Final = 16
"""Entries in one picture."""


class Sort(StrEnum):
    """What has become of somebody: each is drawn by a shape of its own, not by a colour alone."""

    PLAYING = "playing"
    THROUGH = "through"
    """Goes on, or has won."""
    BEATEN = "beaten"
    LEFT = "left"


@dataclass(frozen=True, slots=True)
class Rank:
    """One entry of the standings: as many values as there are columns."""

    place: str
    name: str
    values: tuple[str, ...]
    sort: Sort = Sort.PLAYING
    first: bool = False
    """Whether it leads, or has won."""


@dataclass(frozen=True, slots=True)
class BracketSide:
    """One of two in a bracket; without a name nobody knows yet who it will be."""

    name: str = ""
    games: str = ""
    sort: Sort = Sort.PLAYING
    note: str = ""
    """A word below the name, in place of a score."""


@dataclass(frozen=True, slots=True)
class Pairing:
    """A match of a bracket."""

    upper: BracketSide = BracketSide()
    lower: BracketSide = BracketSide()


@dataclass(frozen=True, slots=True)
class BoxLine:
    """One seat of a game, or one side of a match."""

    name: str
    value: str = ""
    seat: int = -1
    """Whose mark stands before the name; -1 for none."""
    sort: Sort = Sort.PLAYING


@dataclass(frozen=True, slots=True)
class BracketBox:
    """A game or a match: those who play it, below what it is called."""

    heading: str
    lines: tuple[BoxLine, ...]


@dataclass(frozen=True, slots=True)
class Section:
    """Games of a round that belong together, as those of the unbeaten."""

    heading: str
    boxes: tuple[BracketBox, ...]


@dataclass(frozen=True, slots=True)
class CrossLine:
    """One entry of a cross table: what it got from each of the others, in their order; nothing from itself."""

    name: str
    cells: tuple[str, ...]
    total: str
    sort: Sort = Sort.PLAYING


@dataclass(frozen=True, slots=True)
class CrossTable:
    """A group of which everybody meets everybody."""

    heading: str
    lines: tuple[CrossLine, ...]


def parted(entries: Sequence[T], most: int = MOST) -> list[tuple[T, ...]]:
    """The entries cut in as few parts as even as possible, for one picture each."""
    count = max(1, -(-len(entries) // most))
    size, more = divmod(len(entries), count)
    cuts = [number * size + min(number, more) for number in range(count + 1)]
    return [tuple(entries[cuts[number] : cuts[number + 1]]) for number in range(count)]
