"""The error raised for actions that the rules of events do not allow."""

from __future__ import annotations


class EventRuleError(ValueError):
    """An action is not allowed by the rules of the event.

    ``code`` identifies the error, such as ``no-such-round``, and ``values`` holds its details. The text is meant for
    developers; the bot turns code and values into a sentence for players, in their language.
    """

    def __init__(self, code: str, **values: object) -> None:
        super().__init__(" ".join([code, *(f"{name}={value}" for name, value in values.items())]))
        self.code = code
        self.values = values
