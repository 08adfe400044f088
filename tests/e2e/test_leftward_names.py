"""Names in right-to-left scripts are isolated from numbers and other names in all texts.

An isolate is a pair of invisible characters that keeps the text between them from reordering its surroundings. Some
panels are also opened by ear, the setting for players who use a screen reader.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

import discord
import pytest

from cogs.presenting.ids import Op
from host import BY_EAR, Preferences
from tests.discord_limits.recorder import Recorder
from tests.e2e.player import Clicker, Habits
from tests.e2e.screen import buttons, localized
from tests.e2e.table import Table, give_role, open_table
from tests.e2e.test_sixth_language import open_all_pages
from tests.e2e.test_sixth_language import sent_texts as texts_of_payload

pytestmark = [pytest.mark.long, pytest.mark.usefixtures("random_language")]
NAMES = ("يوسف 7", "דנה, 12", "Ana يوسف", "Ben", "Cleo", "Dan")
"""Arabic, Hebrew, mixed and Latin names, some with digits."""
COMMANDS = ("play", "board", "log", "games", "hints", "notes", "time give", "undo", "resign")
"""Commands whose answers contain names."""
ISOLATE, POP_ISOLATE = "\N{FIRST STRONG ISOLATE}", "\N{POP DIRECTIONAL ISOLATE}"
RTL_LETTERS = frozenset("يوسفדנה")
"""The right-to-left letters of these names."""


def is_unisolated(text: str) -> bool:
    """Return whether a right-to-left letter stands outside an isolate, or an isolate is not closed."""
    depth = 0
    for character in text:
        depth += (character == ISOLATE) - (character == POP_ISOLATE)
        if depth < 0 or (character in RTL_LETTERS and not depth):
            return True
    return depth != 0


def sent_texts(recorder: Recorder) -> Iterator[str]:
    """Yield all texts that were sent, including thread titles."""
    for request in recorder.requests:
        if request.method != "PUT":
            yield from texts_of_payload(request.payload)


async def test_all_sent_texts_isolate_right_to_left_names(tmp_path: Path, recorder: Recorder, no_drawing: None) -> None:
    async with open_table(tmp_path / "games.sqlite3", seed="panels", names=NAMES, usual_pace="standard") as table:
        first, manager = table.actors[0], give_role(table, 5, discord.Permissions(manage_threads=True))
        await open_lobby(table)
        await table.start(3, expansions="all")
        clicker = Clicker(table, Random(3), Habits(quick=True))
        for _ in range(4):
            await clicker.move(table.card())
        card = table.card()
        for button in buttons(card.components):
            if button.key.op is not Op.RULES:
                await table.press(first.id, card, button.custom_id)
        await open_all(table, first.id, COMMANDS)
        await open_all(table, manager.id, ["manage"])
        await table.bot.host.preferences.set(first.id, Preferences(choices={BY_EAR: "on"}))
        await open_all(table, first.id, ["play", "time give", "games"])
        for option in ("move", "game"):
            await first.autocomplete(table.place, "carc play", option, "")
        read_by_all = list(sent_texts(recorder))
    assert not sorted({text for text in read_by_all if is_unisolated(text)})
    assert any(ISOLATE in text for text in read_by_all)
    assert recorder.problems() == []


async def open_lobby(table: Table) -> None:
    """Open a lobby with a free seat, and its panel of seats."""
    first = table.actors[0]
    await first.slash(table.channel, "carc new", players=4, expansions="all")
    lobby = table.channel.last_message
    assert lobby is not None
    for actor in table.actors[1:3]:
        await actor.click(lobby, label=localized("button.join"))
    await open_all_pages(table, first.id, await first.click(lobby, label=localized("button.seats")))


async def open_all(table: Table, member: int, commands: Sequence[str]) -> None:
    """Open the panel of each command, and those that its buttons lead to."""
    for command in commands:
        answer = await table.members[member].slash(table.place, f"carc {command}")
        if answer.modal is None:
            await open_all_pages(table, member, answer)
