"""The commands of ``python -m operations``, a module for each kind of work.

Each has ``add``, which says what may be typed, and functions that carry it out: they print what came of it, and return
the exit status. What is refused is a :class:`~operations.settings.SettingsError`, a line without a traceback.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Coroutine
from typing import Any, TypeAlias

from operations.settings import Settings

CommandRun: TypeAlias = Callable[[Settings, Namespace], Coroutine[Any, Any, int]]
"""Carries out a command; its exit status."""


class Commands:
    """The commands, each with what carries it out."""

    def __init__(self, parser: ArgumentParser) -> None:
        self._commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def new(self, name: str, run: CommandRun, does: str) -> ArgumentParser:
        """A command; what else may be typed for it is added to what comes back."""
        parser: ArgumentParser = self._commands.add_parser(
            name, help=does, description=does[0].upper() + does[1:] + "."
        )
        parser.set_defaults(run=run)
        return parser
