"""Words that mean the same in every game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from cogs.texts import t

if TYPE_CHECKING:
    from engine import Position
    from engine.tiles import Segment

_CORNERS: Final = ("NW", "NE", "NE", "SE", "SE", "SW", "SW", "NW")
"""The corner of the tile at which each half-side lies."""
_SPANS: Final = {
    frozenset({"NW", "NE"}): "N",
    frozenset({"NE", "SE"}): "E",
    frozenset({"SE", "SW"}): "S",
    frozenset({"SW", "NW"}): "W",
}


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
    """Where on its tile a segment lies; empty where it touches no side."""
    if segment.kind in segment.HALF_KINDS:
        corners = frozenset(_CORNERS[half] for half in segment.places)
        if len(corners) == len(set(_CORNERS)):
            return t("compass.around")
        names = [_SPANS[corners]] if corners in _SPANS else sorted(corners)
    else:
        names = list(segment.place_names)
    return t("compass.to").join(t(f"compass.{name}") for name in names)
