"""Refusals as sentences: those of a cog (:class:`RefusedError`), and those of the host."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from discord import ui

from cogs.texts import known, t
from cogs.words.names import safe


class RefusedError(Exception):
    """What a cog itself refuses: a sentence under ``refusal``, its values, and perhaps buttons that help."""

    def __init__(
        self, key: str, /, *, offer: ui.Item[Any] | None = None, offers: Sequence[ui.Item[Any]] = (), **values: object
    ) -> None:
        super().__init__(key)
        self.key = key
        self.offers = (offer, *offers) if offer else tuple(offers)
        self.values = values


PLAN: Final = "bad_plan"
"""The refusal that has a sentence for each of its reasons."""


def refusal_words(code: str, values: Mapping[str, object]) -> str:
    """The sentence for a refusal, by its code and what it is about."""
    shown = {name: shown_value(value) for name, value in values.items()}
    reason = str(values.get("reason", "")).replace("-", "_")
    if code == PLAN and known(f"event.refused.{reason}"):
        return t(f"event.refused.{reason}", **shown)
    return t(f"error.{code}", **shown)


def shown_value(value: object) -> object:
    """A value of the host's: what somebody is called cannot format, and numbers in a tuple are channels."""
    if isinstance(value, tuple):
        return ", ".join(f"<#{number}>" for number in value)
    return safe(value) if isinstance(value, str) else value
