"""The command line for operators, ``python -m operations COMMAND``, with the same settings as the bot.

The exit status of a command is 0 for success, 1 if it found problems or did nothing. A refusal is one line on the
standard error stream.
"""

from __future__ import annotations

import asyncio
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence

from host import observability
from operations.commands import CommandRun, Commands, databases, development, interventions
from operations.settings import Settings, SettingsError
from store import TransientError


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command, and return its exit status."""
    parser = ArgumentParser(prog="python -m operations", description="Castellan's operations, with the bot's settings.")
    commands = Commands(parser)
    for module in (databases, interventions, development):
        module.add(commands)
    commands.new("has-token", _has_token, "whether `make play` starts the bot: exit status 0, or 1 for the preview")
    chosen = parser.parse_args(arguments)
    try:
        settings = Settings.from_env()
    except SettingsError:
        if chosen.run is _has_token:
            return 0  # let `make play` start the bot, which reports the error
        raise
    run: CommandRun = chosen.run
    try:
        with observability.log_context():
            return asyncio.run(run(settings, chosen)) or 0
    except TransientError as error:
        raise SettingsError(f"the database cannot be used: {error}; look what was done, and try again") from error


async def _has_token(settings: Settings, _: Namespace) -> int:
    """Return the exit status for `make play`: 0 with a token, 1 for the preview."""
    return 0 if settings.token else 1


if __name__ == "__main__":
    sys.exit(main())
