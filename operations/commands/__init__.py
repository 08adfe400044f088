"""The commands of ``python -m operations``: on whole databases, interventions in games, and tools for developers.

Every module has a function ``add``, which declares its commands, and a function for each command, which prints the
result, and returns the exit status where that is not always 0. A refusal is a
:class:`~operations.settings.SettingsError`: one line without a traceback.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Coroutine
from typing import Any, TypeAlias

from operations.settings import Settings

CommandRun: TypeAlias = Callable[[Settings, Namespace], Coroutine[Any, Any, int | None]]
"""The function of a command, which returns its exit status; None, as 0, means success."""


class Commands:
    """The subcommands of a parser, each with the function that runs it."""

    def __init__(self, parser: ArgumentParser) -> None:
        self._commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def new(self, name: str, run: CommandRun, summary: str) -> ArgumentParser:
        """Declare a command, and return its parser for further arguments; ``summary`` is its line in the help."""
        parser: ArgumentParser = self._commands.add_parser(
            name, help=summary, description=summary[0].upper() + summary[1:] + "."
        )
        parser.set_defaults(run=run)
        return parser
