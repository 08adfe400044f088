"""What is told by signs alone is found: each way in which a panel could do so is tried on a real one.

Whatever else is sent is looked at where it is sent: in the fixtures of the tests that open all panels.
"""

from collections.abc import Sequence
from typing import Any

import pytest

from cogs.games.presenters import PRESENTERS
from cogs.panels.own_settings import CALLS, settings_of, settings_panel
from cogs.presenting.presenter import THEME
from cogs.texts import t
from host import DIRECT, Preferences
from tests.e2e.accessibility import indistinguishable_messages, message_problems

Message = Sequence[dict[str, Any]]
CHOICES: Sequence[dict[str, str]] = ({}, {THEME: "night"}, {THEME: "contrast"}, {DIRECT: "on"})


def messages() -> list[Message]:
    """The panel of settings, differently chosen."""
    settings = settings_of(PRESENTERS.values())
    return [
        settings_panel(settings, Preferences(choices=chosen), page).to_components()
        for chosen in CHOICES
        for page in ("", CALLS)
    ]


def changed(message: Message, change: Any) -> Message:
    """The same message with each component as a mutant has it."""
    return [change({**part, "components": changed(part.get("components", ()), change)}) for part in message]


def without_what_is_chosen(part: dict[str, Any]) -> dict[str, Any]:
    """What is chosen is told by the colour of its button alone."""
    lines = [line for line in part.get("content", "").splitlines() if not line.startswith(t("setting.now", value=""))]
    return {**part, "content": "\n".join(lines)} if part["type"] == 10 else part


def with_emoji_alone(part: dict[str, Any]) -> dict[str, Any]:
    """Buttons have an emoji instead of words."""
    return {**part, "label": "", "emoji": {"name": "🌙"}} if part["type"] == 2 else part


def with_a_marked_label(part: dict[str, Any]) -> dict[str, Any]:
    """Buttons have an emoji as their words."""
    return {**part, "label": "🌙"} if part["type"] == 2 else part


def with_one_word(part: dict[str, Any]) -> dict[str, Any]:
    """Buttons in a row are told apart by an emoji, or by their place."""
    return {**part, "label": f"{'🌙' * part['style']} Choose"} if part["type"] == 2 else part


def with_a_line_of_signs(part: dict[str, Any]) -> dict[str, Any]:
    """A text has a line without words."""
    return {**part, "content": f"{part['content']}\n⬛⬜"} if part["type"] == 10 else part


def with_marks(part: dict[str, Any]) -> dict[str, Any]:
    """What is chosen is told by an emoji in the line that says something else."""
    content = part.get("content", "")
    on = t("setting.now", value=t("setting.direct.on")) in content
    titled = content.partition("\n")[0]
    return {**part, "content": f"{'✅' if on else '▫️'} {titled}"} if part["type"] == 10 else part


def test_of_what_is_sent_nothing_is_found() -> None:
    assert not [problem for message in messages() for problem in message_problems(message)]
    assert not list(indistinguishable_messages(messages()))


@pytest.mark.parametrize("mutant", [without_what_is_chosen, with_marks])
def test_states_that_only_a_sign_tells_apart_are_found(mutant: Any) -> None:
    assert list(indistinguishable_messages(changed(message, mutant) for message in messages()))


@pytest.mark.parametrize("mutant", [with_emoji_alone, with_a_marked_label, with_one_word, with_a_line_of_signs])
def test_what_a_panel_says_by_signs_alone_is_found(mutant: Any) -> None:
    assert all(list(message_problems(changed(message, mutant))) for message in messages())
