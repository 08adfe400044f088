"""The errors that the engine raises; each message quotes the offending token."""

from __future__ import annotations


class EngineError(ValueError):
    """Base class of the engine's errors; ``code`` identifies the class in logs and protocols."""

    code = "engine"


class IllegalActionError(EngineError):
    """The action is well formed, but the rules do not allow it in this position."""

    code = "illegal"


class NotationError(EngineError):
    """The text is not a valid action, option, setup or record."""

    code = "notation"
