"""Commands that are no longer registered name the command that replaces them.

Clients keep the list of commands for a while, and may send an old one.
"""

from __future__ import annotations

import pytest

from cogs.commands.renamed import RENAMED_COMMANDS
from tests.e2e.raw_interactions import AUTOCOMPLETE_INTERACTION, send_command
from tests.e2e.screen import localized
from tests.e2e.table import Table

pytestmark = pytest.mark.usefixtures("random_language")


@pytest.mark.parametrize("old", RENAMED_COMMANDS)
async def test_an_old_command_names_the_new_one_privately(table: Table, old: str) -> None:
    new = RENAMED_COMMANDS[old]
    typed = {"name": "event", "type": 3, "value": "ABCD"}
    sent = send_command(table.env, table.actors[0], table.channel, old, options=[typed])
    await table.env.settle()
    (answer,) = sent.answers
    assert answer.ephemeral
    assert f"`/{old}`" in sent.text
    root = new.command.partition(" ")[0]
    assert f"</{new.command}:{table.bot.tree.command_ids[root]}>" in sent.text
    assert not new.choice_key or localized(new.choice_key) in sent.text


async def test_nothing_is_suggested_for_an_old_command(table: Table, caplog: pytest.LogCaptureFixture) -> None:
    typing = {"name": "event", "type": 3, "value": "A", "focused": True}
    sent = send_command(
        table.env, table.actors[0], table.channel, "tourney standings", type=AUTOCOMPLETE_INTERACTION, options=[typing]
    )
    await table.env.settle()
    assert not sent.answers
    assert not sent.record.responded
