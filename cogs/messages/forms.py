"""Arranging fields into modals."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from discord import ui

from cogs.texts import t

if TYPE_CHECKING:
    from cogs.presenting.ids import Key

SECONDS: Final = 900.0
"""As long as Discord keeps the interaction that opened it."""


def form(title: str, key: Key) -> ui.Modal:
    """A modal that has no fields yet; what is typed into it is carried out by this key."""
    return ui.Modal(title=title, custom_id=str(key), timeout=SECONDS)


def add_line(
    modal: ui.Modal, name: str, *, longest: int, words: str = "", value: str = "", required: bool = False
) -> None:
    """Ask for a line of text.

    ``longest`` is how many characters it may have, ``value`` what stands in it already. The sentences about it are
    ``modal.WORDS``, ``modal.WORDS_says`` and ``modal.WORDS_example``; ``words`` is its name where nothing else is said.
    """
    words = words or name
    field: ui.TextInput[ui.Modal] = ui.TextInput(
        custom_id=name,
        placeholder=t(f"modal.{words}_example"),
        default=value or None,
        required=required,
        max_length=longest,
    )
    modal.add_item(ui.Label(text=t(f"modal.{words}"), description=t(f"modal.{words}_says"), component=field))
