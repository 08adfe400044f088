"""Sentences name commands so that they can be pressed, as soon as it is known how Discord numbers them."""

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

NUMBERS = {"carc": 7, "tourney": 8, "operator": 9, "forget-me": 10}
LATER = re.compile(r"`/[^`]*`")
PRESSED = re.compile(r"</[a-z-]+(?: [a-z-]+){0,2}:\d+>")


@pytest.fixture
def numbered() -> Iterator[None]:
    """The bot is registered."""
    number_commands(NUMBERS)
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
def test_a_command_is_mentioned(numbered: None, text: str, mention: str) -> None:
    assert mentioning(text) == mention


@pytest.mark.parametrize("language", languages())
def test_every_command_that_a_text_names_can_be_pressed(numbered: None, language: str) -> None:
    """Never in what Discord does not format: descriptions, labels, forms."""
    with speaking(language):
        for key, sentence in catalogue(language).sentences.items():
            for text in texts_of(sentence):
                if LATER.search(text) and "`/" in text:
                    assert PRESSED.search(mentioning(text)), key
                    assert "`/" not in mentioning(text), key
                    assert not key.startswith(("command.", "button.", "modal.", "alt.", "option.")), key
        assert t("error.unknown_lobby").count("</carc new:7>") == 1


def test_without_numbers_commands_are_named_as_they_are_typed() -> None:
    assert "`/carc new`" in t("error.unknown_lobby")


def test_of_two_bots_in_one_process_neither_mentions_a_command_by_the_number_of_the_other(numbered: None) -> None:
    """As a preview beside a bot: which of them says a sentence is not known where it is looked up."""
    other = object()
    number_commands({**NUMBERS, "carc": 17}, other)
    assert mentioning("`/carc play`, `/forget-me`") == "`/carc play`, </forget-me:10>"
    forget_commands(other)
    assert mentioning("`/carc play`") == "</carc play:7>", "the one that stays has its numbers"


async def test_a_bot_that_has_started_mentions_its_commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One whose commands Discord knows already, and the one that registers them; when it goes, so do the numbers."""
    stub_pictures(monkeypatch)
    for life in ("one", "two"):
        async with open_table(tmp_path / f"{life}.sqlite3", seed=life) as table:
            number = table.bot.tree.known["carc"]
            answer = (await table.actors[0].slash(table.channel, "carc games")).response
            assert answer is not None
            assert f"</carc new:{number}>" in words(answer.components)
        assert mentioning("`/carc new`") == "`/carc new`"
