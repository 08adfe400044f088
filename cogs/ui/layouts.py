"""Arranging components into messages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from discord import ui

WIDTH: Final = 5
"""Buttons in a row."""


def rows(buttons: Sequence[ui.Item[Any]]) -> list[ui.Item[Any]]:
    """Buttons in rows."""
    return [ui.ActionRow(*buttons[start : start + WIDTH]) for start in range(0, len(buttons), WIDTH)]


def layout(*items: ui.Item[Any] | Iterable[ui.Item[Any]] | None, colour: int | None = None) -> ui.LayoutView:
    """A message of these components in a frame; rows may be given as lists, None is left out."""
    frame: ui.Container[ui.LayoutView] = ui.Container(accent_colour=colour)
    for item in items:
        if isinstance(item, ui.Item):
            frame.add_item(item)
        elif item is not None:
            for child in item:
                frame.add_item(child)
    view = ui.LayoutView(timeout=None)
    view.add_item(frame)
    return view


def notice(text: str, *more: ui.Item[Any]) -> ui.LayoutView:
    """A message of words alone, or with what follows them."""
    view = ui.LayoutView(timeout=None)
    view.add_item(ui.TextDisplay(text))
    for item in more:
        view.add_item(item)
    return view
