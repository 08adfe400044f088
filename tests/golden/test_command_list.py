"""``docs/commands.md`` lists every command and option of the bot, with its English description.

The list is written by ``python -m tests.golden.command_list``.
"""

from pathlib import Path

from tests.e2e.table import open_table
from tests.golden.command_list import COMMANDS_FILE, OTHERS, all_commands, command_list, section_of


def test_the_stored_list_is_up_to_date() -> None:
    """Run ``python -m tests.golden.command_list`` after an intended change, and read the difference."""
    stored = COMMANDS_FILE.read_text(encoding="utf-8")
    assert stored.partition("\n## ")[2].splitlines() == command_list().removeprefix("## ").splitlines()


async def test_every_command_has_a_section() -> None:
    assert [command.qualified_name for command in await all_commands() if section_of(command) == OTHERS] == []


async def test_the_list_has_all_commands_of_the_bot(tmp_path: Path) -> None:
    async with open_table(tmp_path / "games.sqlite3") as table:
        registered = {command.name for command in table.bot.tree.get_commands()}
    assert {command.qualified_name.split()[0] for command in await all_commands()} == registered
