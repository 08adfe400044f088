"""What the engine raises; each message quotes the offending token."""

from __future__ import annotations


class EngineError(ValueError):
    """Anything that the rules or the notation refuse; ``code`` is for machines."""

    code = "engine"


class IllegalActionError(EngineError):
    """The action is well formed, but the rules do not allow it in this position."""

    code = "illegal"


class NotationError(EngineError):
    """The text is no action, option or setup."""

    code = "notation"
