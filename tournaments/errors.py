"""The error raised for actions that the rules of events do not allow."""

from __future__ import annotations


class EventRuleError(ValueError):
    """An action that the rules of an event do not allow.

    ``code`` identifies the error for programs, ``values`` holds its details. The host writes the sentence for players.
    """

    def __init__(self, code: str, **values: object) -> None:
        super().__init__(" ".join([code, *(f"{name}={value}" for name, value in values.items())]))
        self.code = code
        self.values = values
