"""Refusals of commands and buttons, and the sentences with which users are told.

The user interface refuses with :class:`RefusedError`, which names its sentence. The host, the bot's game logic, refuses
with a code and values, for which :func:`refusal_words` finds the sentence.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from discord import ui

from cogs.texts import has_text, t
from cogs.words.names import safe


class RefusedError(Exception):
    """A command or button is refused.

    ``key`` is the key of the sentence for the user, without its prefix, and ``values`` are the sentence's values;
    ``offers`` are buttons that help the user to go on.
    """

    def __init__(
        self, key: str, /, *, offer: ui.Item[Any] | None = None, offers: Sequence[ui.Item[Any]] = (), **values: object
    ) -> None:
        super().__init__(key)
        self.key = key
        self.offers = (offer, *offers) if offer else tuple(offers)
        self.values = values


PLAN: Final = "bad_plan"
"""The code of a refused plan of an event, for which there is a sentence for each reason."""


def refusal_words(code: str, values: Mapping[str, object]) -> str:
    """Return the sentence for a refusal, given its code and values."""
    formatted = {name: shown_value(value) for name, value in values.items()}
    reason = str(values.get("reason", "")).replace("-", "_")
    if code == PLAN and has_text(f"event.refused.{reason}"):
        return t(f"event.refused.{reason}", **formatted)
    return t(f"error.{code}", **formatted)


def shown_value(value: object) -> object:
    """Return a value of the host for a sentence: names are escaped, numbers in a tuple are channels."""
    if isinstance(value, tuple):
        return ", ".join(f"<#{number}>" for number in value)
    return safe(value) if isinstance(value, str) else value
