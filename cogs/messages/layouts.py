"""Arranging components into messages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from discord import ui

from cogs.words.story import clipped, units

WIDTH: Final = 5
"""Buttons in a row."""
MOST_TEXT: Final = 4000
"""What all texts of a message may hold together, counted in :func:`cogs.words.story.units`."""


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
    return _fitting(view)


def notice(text: str, *more: ui.Item[Any]) -> ui.LayoutView:
    """A message of words alone, or with what follows them."""
    view = ui.LayoutView(timeout=None)
    view.add_item(ui.TextDisplay(text))
    for item in more:
        view.add_item(item)
    return _fitting(view)


def _fitting(view: ui.LayoutView) -> ui.LayoutView:
    """The message with its texts cut to what Discord takes, the longest first.

    Whoever writes a text keeps within a budget; this is for what nobody thought of, since a message that is too long
    is refused whole.
    """
    texts = [item for item in view.walk_children() if isinstance(item, ui.TextDisplay)]
    if sum(units(text.content) for text in texts) <= MOST_TEXT:
        return view
    room = MOST_TEXT
    for left, text in zip(range(len(texts), 0, -1), sorted(texts, key=lambda text: units(text.content)), strict=True):
        text.content = clipped(text.content, room // left)
        room -= units(text.content)
    return view
