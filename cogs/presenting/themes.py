"""How pictures look: a table chooses the colours of its cards, each player the look of what he alone sees."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from host import PictureSize
from renderers import DAY, THEMES, Theme, small

if TYPE_CHECKING:
    from host import Game, Preferences

THEME: Final = "theme"
"""The choice in :class:`host.Preferences` that overrides the table's theme."""


def table_theme(game: Game) -> Theme:
    """The theme of the public pictures of a game."""
    return _named(game.settings.theme)


def private_theme(preferences: Preferences, game: Game | None = None) -> Theme:
    """The theme of what one player sees alone, in the size that he has chosen; ``game`` is the one that is shown."""
    theme = _named(preferences.choices.get(THEME, game.settings.theme if game else DAY.name))
    return small(theme) if preferences.picture_size is PictureSize.SMALL else theme


def _named(name: str) -> Theme:
    """A theme; the usual one where a stored name is none any more."""
    return next((theme for known, theme in THEMES.items() if known == name), DAY)
