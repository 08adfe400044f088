"""Texts mention commands as links once the ids of the registered commands are known.

Sources of texts write a command as ``/carc play`` in backticks; Discord needs ``</carc play:ID>`` for a link.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from cogs.texts import catalogue, t
from cogs.texts.catalogue import forget_commands, mentioning, number_commands, texts_of
from cogs.texts.languages import languages, speaking
from tests.e2e.pictures import stub_pictures
from tests.e2e.screen import words
from tests.e2e.table import open_table

COMMAND_IDS = {"carc": 7, "tourney": 8, "operator": 9, "forget-me": 10}
"""Ids that Discord gave to the registered commands."""
PLAIN_COMMAND = re.compile(r"`/[^`]*`")
"""A command in backticks."""
COMMAND_LINK = re.compile(r"</[a-z-]+(?: [a-z-]+){0,2}:\d+>")
"""A command as a link."""


@pytest.fixture
def registered() -> Iterator[None]:
    """Register the ids of the bot's commands for a test."""
    number_commands(COMMAND_IDS)
    yield
    forget_commands()


@pytest.mark.parametrize(
    ("text", "mention"),
    [
        ("`/carc play` goes on", "</carc play:7> goes on"),
        ("`/forget-me`", "</forget-me:10>"),
        ("`/tourney manage organiser`", "</tourney manage organiser:8>"),
        ("`/tourney team lineup members:`", "</tourney team lineup:8> `members:`"),
        ("`/tourney join team:{number}`", "</tourney join:8> `team:{number}`"),
        ("`/elsewhere`", "`/elsewhere`"),
        ("`code`", "`code`"),
    ],
)
def test_a_command_becomes_a_link(registered: None, text: str, mention: str) -> None:
    assert mentioning(text) == mention


@pytest.mark.parametrize("language", languages())
def test_every_command_in_a_text_becomes_a_link(registered: None, language: str) -> None:
    """Texts that Discord does not format (descriptions, labels, modals) contain no commands."""
    with speaking(language):
        for key, sentence in catalogue(language).sentences.items():
            for text in texts_of(sentence):
                if PLAIN_COMMAND.search(text) and "`/" in text:
                    assert COMMAND_LINK.search(mentioning(text)), key
                    assert "`/" not in mentioning(text), key
                    assert not key.startswith(("command.", "button.", "modal.", "alt.", "option.")), key
        assert t("error.unknown_lobby").count("</carc new:7>") == 1


def test_without_ids_commands_are_plain_text() -> None:
    assert "`/carc new`" in t("error.unknown_lobby")


def test_with_two_bots_in_one_process_commands_are_plain_text(registered: None) -> None:
    """The lookup cannot know which of the two bots, such as a preview beside the real one, sends a text."""
    other_bot = object()
    number_commands({**COMMAND_IDS, "carc": 17}, other_bot)
    assert mentioning("`/carc play`, `/forget-me`") == "`/carc play`, </forget-me:10>"
    forget_commands(other_bot)
    assert mentioning("`/carc play`") == "</carc play:7>", "the remaining bot keeps its ids"


async def test_a_started_bot_links_its_commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Known and newly registered commands become links; their ids are forgotten when the bot closes."""
    stub_pictures(monkeypatch)
    for start in ("one", "two"):
        async with open_table(tmp_path / f"{start}.sqlite3", seed=start) as table:
            command_id = table.bot.tree.command_ids["carc"]
            answer = (await table.actors[0].slash(table.channel, "carc games")).response
            assert answer is not None
            assert f"</carc new:{command_id}>" in words(answer.components)
        assert mentioning("`/carc new`") == "`/carc new`"
