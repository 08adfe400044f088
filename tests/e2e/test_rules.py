"""Reading the rules: `/carc rules` with typed topics, the menu of topics, its buttons, and forged buttons.

A topic is a page of the rule book that summarises several rules. The tests read the book in the members' language and
compare it with the answer.
"""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from cogs.panels.rule_book_pages import MENU, NO_TABLE
from cogs.presenting.ids import Key, Op
from cogs.texts.rule_book import Rulebook, rulebook
from tests.discord_limits.recorder import Recorder
from tests.e2e.player import Shown
from tests.e2e.raw_interactions import send_press
from tests.e2e.screen import MemberLanguage, localized, words
from tests.e2e.table import Table, open_table

pytestmark = pytest.mark.usefixtures("random_language")


def book() -> Rulebook:
    """Return the rule book in the members' language."""
    return rulebook(MemberLanguage.language)


@pytest.fixture
async def table(tmp_path: Path, recorder: Recorder, no_drawing: None) -> AsyncIterator[Table]:
    """Yield six members in a channel; all requests have to keep Discord's limits."""
    async with open_table(tmp_path / "games.sqlite3", seed="rules") as table:
        yield table
    assert recorder.problems() == []


async def open_rules(table: Table, **options: str) -> Shown:
    """Send `/carc rules` in the channel, or in the game's thread if there is one; return the private answer."""
    place = getattr(table, "place", table.channel)
    result = await table.actors[0].slash(place, "carc rules", **options)
    assert result.response is not None
    assert result.response.ephemeral
    return Shown(result.response, result.response.components)


async def choose_topic(table: Table, shown: Shown, value: str) -> str:
    """Choose a topic from the menu; return the updated text of the message."""
    result = await table.actors[0].select(shown.handle, [value])
    assert result.response is None or result.response.id == shown.handle.id
    return current_text(table, shown)


def current_text(table: Table, shown: Shown) -> str:
    """Return the current text of a message."""
    return words(table.env.backend.get_message(shown.handle.channel_id, shown.handle.id).components)


async def test_the_summary_of_the_rules_is_shown_without_a_game(table: Table) -> None:
    text = words((await open_rules(table)).components)
    assert localized("rules.base") in text
    assert localized("rules.preset", name=localized("preset.standard")) not in text


async def test_the_rules_of_a_game_are_shown_in_its_thread(table: Table) -> None:
    await table.start(2, rules="c1_zmg")
    text = words((await open_rules(table)).components)
    assert localized("option.bridge_timing.any_time") in text
    text = words((await open_rules(table, topic="br15")).components)
    assert localized("rulebook.here", words=localized("option.bridge_timing.any_time")) in text


async def test_typed_topics_are_completed_and_shown(table: Table) -> None:
    member = table.actors[0]
    offered = await member.autocomplete(table.channel, "carc rules", "topic", "")
    assert [choice["value"] for choice in offered] == [topic.id for topic in book().topics_of("carcassonne")][:25]
    offered = await member.autocomplete(table.channel, "carc rules", "topic", "br9", game="XXXX")
    assert [choice["name"] for choice in offered] == [book().rules["BR-09"].label]
    for choice in offered:
        shown = await open_rules(table, topic=choice["value"])
        assert book().rules["BR-09"].text in words(shown.components)


async def test_topics_and_rules_are_browsed_in_one_message(table: Table) -> None:
    shown = await open_rules(table)
    assert book().topics["auction"].intro in await choose_topic(table, shown, "auction")
    for argument, expected in (("auction 1", book().rules["BZ-29"].text), ("BZ-29", localized("rulebook.related"))):
        result = await table.actors[0].click(shown.handle, custom_id=str(Key(Op.RULE, NO_TABLE, 0, argument)))
        assert not result.followups
        assert expected in current_text(table, shown)
    await table.restart()
    assert book().rules["BA-15"].text in await choose_topic(table, shown, "roads")


async def test_an_unknown_text_is_answered_with_suggestions(table: Table) -> None:
    text = words((await open_rules(table, topic="monastry")).components)
    assert localized("rulebook.closest") in text
    assert book().rules["BA-19"].label in text


@pytest.mark.parametrize("argument", ["roads", "BR-09", "nonsense", "auction 999999", MENU])
async def test_a_forged_button_on_a_public_card_changes_nothing(table: Table, argument: str) -> None:
    await table.start(2)
    card = table.card()
    before = words(card.components)
    for code in (NO_TABLE, table.stored().code, "XXXX"):
        sent = send_press(table.env, table.actors[0], card.handle, str(Key(Op.RULE, code, 0, argument)))
        await table.env.settle()
        assert sent.text == localized("refusal.unknown_button")
    assert current_text(table, card) == before


async def test_a_forged_button_on_a_private_panel_is_refused(table: Table) -> None:
    await table.start(2)
    shown = await open_rules(table)
    before = current_text(table, shown)
    answers = {
        str(Key(Op.RULE, NO_TABLE, 0, "BR-99")): localized("refusal.unknown_button"),
        str(Key(Op.RULE, "XXXX", 0, "roads")): localized("error.unknown_game"),
    }
    for custom_id, answer in answers.items():
        sent = send_press(table.env, table.actors[0], shown.handle, custom_id)
        await table.env.settle()
        assert answer in sent.text
    assert current_text(table, shown) == before
