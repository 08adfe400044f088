"""Words that mean the same in every game."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING, Final

from cogs.texts import t
from cogs.texts.languages import by_ear
from cogs.words.directions import sides

if TYPE_CHECKING:
    from engine import Position
    from engine.tiles import Segment

_CORNERS: Final = ("NW", "NE", "NE", "SE", "SE", "SW", "SW", "NW")
"""The corner of the tile at which each half-side lies."""
_ROUND: Final = ("NW", "NE", "SE", "SW")
"""The corners of a tile, clockwise."""
_SPANS: Final = {("NW", "NE"): "N", ("NE", "SE"): "E", ("SE", "SW"): "S", ("SW", "NW"): "W"}


def capital(words: str) -> str:
    """Words that begin with a capital, as on a button."""
    return words[:1].upper() + words[1:]


def turn_words(rotation: int) -> str:
    """A rotation: ``as drawn`` or ``turned 90°``."""
    return t("turn.turned", degrees=rotation) if rotation else t("turn.none")


def pile_words(position: Position) -> str:
    """How many tiles lie face down."""
    return t("headline.pile", count=position.pile_left) if position.pile_left else t("headline.pile_empty")


def segment_words(segment: Segment) -> str:
    """A segment of a laid tile and where on it, such as ``field SW`` or ``monastery``."""
    kind = t(f"feature.{segment.kind}")
    where = direction_words(segment)
    return t("segment.there", kind=kind, where=where) if where else kind


def direction_words(segment: Segment) -> str:
    """Where on its tile a segment lies; empty where it touches no side, or lies at all corners. Whole words by ear."""
    names = segment.place_names
    if segment.kind in segment.HALF_KINDS:
        corners = _clockwise({_CORNERS[half] for half in segment.places})
        names = (_SPANS[corners],) if corners in _SPANS else corners
    if by_ear():
        return sides(names)
    return t("compass.to").join(t(f"compass.{name}") for name in names)


def _clockwise(corners: AbstractSet[str]) -> tuple[str, ...]:
    """Some corners round the tile, beginning behind a gap; nothing where there is no gap."""
    for start in range(len(_ROUND)):
        if _ROUND[start] in corners and _ROUND[start - 1] not in corners:
            return tuple(name for name in (*_ROUND[start:], *_ROUND[:start]) if name in corners)
    return ()
