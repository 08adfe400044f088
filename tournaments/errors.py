"""What the library refuses: a code and the values that it is about, never a sentence for players."""

from __future__ import annotations


class EventRuleError(ValueError):
    """Something that the rules of an event do not allow; ``code`` is for machines, ``values`` are what it is about."""

    def __init__(self, code: str, **values: object) -> None:
        super().__init__(" ".join([code, *(f"{name}={value}" for name, value in values.items())]))
        self.code = code
        self.values = values
