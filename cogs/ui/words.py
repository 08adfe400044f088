"""Words that mean the same in every game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cogs.texts import t

if TYPE_CHECKING:
    from engine import Position


def capital(words: str) -> str:
    """Words that begin with a capital, as on a button."""
    return words[:1].upper() + words[1:]


def turn_words(rotation: int) -> str:
    """A rotation: ``as drawn`` or ``turned 90°``."""
    return t("turn.turned", degrees=rotation) if rotation else t("turn.none")


def pile_words(position: Position) -> str:
    """How many tiles lie face down."""
    return t("headline.pile", count=position.pile_left)
