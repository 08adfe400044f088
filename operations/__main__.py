"""`python -m operations`: what an operator does beside the running bot, with the same settings."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from pathlib import Path

from operations.database import copied
from operations.settings import Settings, SettingsError


def main(arguments: Sequence[str] | None = None) -> int:
    """Carry out a command; its exit status."""
    parser = ArgumentParser(prog="python -m operations", description="Castellan's operations, with the bot's settings.")
    commands = parser.add_subparsers(dest="command", required=True)
    backup = commands.add_parser("backup", help="copy the file of games, also while the bot runs")
    backup.add_argument("file", type=Path, metavar="FILE", help="where to; must not exist yet")
    commands.add_parser("has-token", help="whether `make play` starts the bot: exit status 0, or 1 for the preview")
    chosen = parser.parse_args(arguments)
    if chosen.command == "has-token":
        return 0 if _bot_starts() else 1
    print(copied(Settings.from_env(), chosen.file))
    return 0


def _bot_starts() -> bool:
    """Whether the bot is to start: there is a token, or settings about which it will complain."""
    try:
        return bool(Settings.from_env().token)
    except SettingsError:
        return True


if __name__ == "__main__":
    sys.exit(main())
