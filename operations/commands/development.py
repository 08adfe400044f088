"""Commands for developers of the bot: laying out the files of a new box; they do not use the database."""

from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING

from operations.new_box import NewBoxError, lay_out
from operations.settings import Settings, SettingsError

if TYPE_CHECKING:
    from operations.commands import Commands


def add(commands: Commands) -> None:
    """Declare the commands."""
    parser = commands.new("new-box", new_box, "lay out the files of a new box of Carcassonne (docs/adding-a-box.md)")
    parser.add_argument("name", metavar="NAME", help="what code and setups call it, as old-well")
    parser.add_argument("--title", help="what players call it; by default the name with capitals")
    parser.add_argument("--group", required=True, help="the two letters with which the ids of its rules begin")
    parser.add_argument("--tiles", action="store_true", help="it has tiles")


async def new_box(_: Settings, chosen: Namespace) -> None:
    """Write the files of a new box, and print their paths."""
    title = chosen.title or chosen.name.replace("-", " ").title()
    try:
        paths = lay_out(chosen.name, title, chosen.group, tiles=chosen.tiles)
    except NewBoxError as error:
        raise SettingsError(str(error)) from error
    print("\n".join(paths))
    print(f"`python -m tests.boxes {chosen.name}` says what is left to write.")
