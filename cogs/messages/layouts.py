"""Arranging components into messages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from discord import ui

from cogs.texts.languages import by_ear
from cogs.words.aloud import ROOM, aloud, begun, whole
from cogs.words.story import units, without_marks

LONGEST_LABEL: Final = 80
"""Units of what a button may be called."""
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
    parts = [part for item in items if item is not None for part in ([item] if isinstance(item, ui.Item) else item)]
    for part in words_first(parts) if by_ear() else parts:
        frame.add_item(part)
    view = ui.LayoutView(timeout=None)
    view.add_item(frame)
    return _fitting(view)


def notice(text: str, *more: ui.Item[Any]) -> ui.LayoutView:
    """A message of words alone, or with what follows them."""
    view = ui.LayoutView(timeout=None)
    parts: list[ui.Item[Any]] = [ui.TextDisplay(text), *more]
    for part in words_first(parts) if by_ear() else parts:
        view.add_item(part)
    return _fitting(view)


def words_first(parts: Sequence[ui.Item[Any]]) -> list[ui.Item[Any]]:
    """The parts of a message for who listens: words, but not too many before what can be pressed; then the rest."""
    parts = [piece for part in parts for piece in _unfolded(part)]
    told = [part for part in parts if isinstance(part, ui.TextDisplay | ui.ActionRow)]
    begins = next((at for at, part in enumerate(told) if isinstance(part, ui.ActionRow)), len(told))
    said = aloud("\n".join(part.content for part in told[:begins] if isinstance(part, ui.TextDisplay)))
    first, rest = begun(said, ROOM) if begins < len(told) else (said, "")
    for part in told[begins:]:
        if isinstance(part, ui.TextDisplay):
            part.content = aloud(part.content)
        for control in part.children if isinstance(part, ui.ActionRow) else ():
            _name_aloud(control)
    before, after = ([ui.TextDisplay[Any](text)] if text else [] for text in (first, rest))
    return [*before, *told[begins:], *after, *(part for part in parts if part not in told)]


def _unfolded(part: ui.Item[Any]) -> list[ui.Item[Any]]:
    """A line with a button beside it as a line and a button, which is called by both: many are called alike."""
    if not isinstance(part, ui.Section) or not isinstance(getattr(part.accessory, "item", None), ui.Button):
        return [part]
    lines: list[ui.Item[Any]] = [line for line in part.children if isinstance(line, ui.TextDisplay)]
    pressed: Any = part.accessory
    words = without_marks(aloud(" ".join(line.content for line in lines if isinstance(line, ui.TextDisplay))))
    pressed.item.label = whole(f"{pressed.item.label}: {words}".replace("\n", " "), LONGEST_LABEL)
    return [*lines, ui.ActionRow(pressed)]


def _name_aloud(control: ui.Item[Any]) -> None:
    """Leave out of what a control is called whatever only the eye reads."""
    item = getattr(control, "item", control)
    if isinstance(item, ui.Button) and item.label:
        item.label = aloud(item.label) or item.label
        item.emoji = None
    elif isinstance(item, ui.Select):
        for option in item.options:
            option.label = aloud(option.label) or option.label


def _fitting(view: ui.LayoutView) -> ui.LayoutView:
    """The message with its texts cut to what Discord takes, the longest first, each at the end of a line or a sentence.

    Whoever writes a text keeps within a budget; this is for what nobody thought of, since a message that is too long
    is refused whole.
    """
    texts = [item for item in view.walk_children() if isinstance(item, ui.TextDisplay)]
    if sum(units(text.content) for text in texts) <= MOST_TEXT:
        return view
    room = MOST_TEXT
    for left, text in zip(range(len(texts), 0, -1), sorted(texts, key=lambda text: units(text.content)), strict=True):
        text.content = whole(text.content, room // left)
        room -= units(text.content)
    return view
