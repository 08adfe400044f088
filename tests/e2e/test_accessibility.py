"""The accessibility checks find each way in which a panel could convey information by signs alone.

Real messages are checked where they are sent: in the fixtures of the tests that open all panels.
"""

from collections.abc import Sequence
from typing import Any

import pytest

from cogs.games.presenters import PRESENTERS
from cogs.panels.own_settings import PAGES, settings_of, settings_panel
from cogs.presenting.presenter import THEME
from cogs.texts import t
from host import DIRECT_MESSAGES, Preferences, PunctualityRecord
from tests.e2e.accessibility import indistinguishable_messages, message_problems

Message = Sequence[dict[str, Any]]
"""The components of a message."""
CHOICES: Sequence[dict[str, str]] = ({}, {THEME: "night"}, {THEME: "contrast"}, {DIRECT_MESSAGES: "on"})


def messages() -> list[Message]:
    """Return the settings panel with different choices."""
    settings = settings_of(PRESENTERS.values())
    return [
        settings_panel(settings, Preferences(choices=chosen), PunctualityRecord(1), page).to_components()
        for chosen in CHOICES
        for page in PAGES
    ]


def mutated(message: Message, change: Any) -> Message:
    """Return a message with a mutation applied to each component."""
    return [change({**part, "components": mutated(part.get("components", ()), change)}) for part in message]


def without_the_choice(part: dict[str, Any]) -> dict[str, Any]:
    """Remove the line that names the choice, so that only the colour of a button shows it."""
    lines = [line for line in part.get("content", "").splitlines() if not line.startswith(t("setting.now", value=""))]
    return {**part, "content": "\n".join(lines)} if part["type"] == 10 else part


def with_emoji_alone(part: dict[str, Any]) -> dict[str, Any]:
    """Replace the labels of buttons by an emoji field."""
    return {**part, "label": "", "emoji": {"name": "🌙"}} if part["type"] == 2 else part


def with_emoji_labels(part: dict[str, Any]) -> dict[str, Any]:
    """Replace the labels of buttons by an emoji in the text."""
    return {**part, "label": "🌙"} if part["type"] == 2 else part


def with_equal_words(part: dict[str, Any]) -> dict[str, Any]:
    """Give all buttons the same word, so that an emoji or the position tells them apart."""
    return {**part, "label": f"{'🌙' * part['style']} Choose"} if part["type"] == 2 else part


def with_a_line_of_signs(part: dict[str, Any]) -> dict[str, Any]:
    """Add a line without words to each text."""
    return {**part, "content": f"{part['content']}\n⬛⬜"} if part["type"] == 10 else part


def with_emoji_for_the_choice(part: dict[str, Any]) -> dict[str, Any]:
    """Show the choice by an emoji in the title alone."""
    content = part.get("content", "")
    on = t("setting.now", value=t("setting.direct.on")) in content
    titled = content.partition("\n")[0]
    return {**part, "content": f"{'✅' if on else '▫️'} {titled}"} if part["type"] == 10 else part


def test_the_real_panels_have_no_problems() -> None:
    assert not [problem for message in messages() for problem in message_problems(message)]
    assert not list(indistinguishable_messages(messages()))


@pytest.mark.parametrize("mutation", [without_the_choice, with_emoji_for_the_choice])
def test_states_distinguished_by_signs_alone_are_found(mutation: Any) -> None:
    assert list(indistinguishable_messages(mutated(message, mutation) for message in messages()))


@pytest.mark.parametrize("mutation", [with_emoji_alone, with_emoji_labels, with_equal_words, with_a_line_of_signs])
def test_controls_and_lines_without_words_are_found(mutation: Any) -> None:
    assert all(list(message_problems(mutated(message, mutation))) for message in messages())
