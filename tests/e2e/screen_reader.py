"""Players who use a screen reader: they know texts, and the names of buttons and menu options, and nothing else.

They see no picture, position or custom id; a custom id is used only to press the control that was chosen by its name.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from simcord.components import walk_components

from cogs.words.story import SPEECH_LIMIT, aloud
from tests.e2e.player import LostError, Shown
from tests.e2e.screen import BUTTON, GALLERY, TEXT, MemberLanguage, localized, mentioned_users, words
from tests.e2e.table import Table

LANGUAGE_COLUMNS = {"en": "English", "cs": "Czech", "de": "German", "nl": "Dutch", "pl": "Polish"}
"""The columns of the glossary's tables, by language."""
SELECT, ROW = 3, 1
"""Discord's numbers of component types."""
GLOSSARY = Path(__file__).parents[2] / "docs" / "glossary.md"
"""The players' only knowledge: the names of the buttons that every game has."""
MAX_PRESSES = 30
"""Presses of one turn after which `LostError` is raised."""


@dataclass(frozen=True, slots=True)
class Control:
    """A button, or an option of a menu, by its name."""

    name: str
    custom_id: str
    """The id that the client sends for it."""
    value: str = ""
    """The value of a menu option; empty for buttons."""


@dataclass(slots=True)
class Turn:
    """The presses of one member for one card, and the answers."""

    member: int
    taps: list[str] = field(default_factory=list)
    answers: list[str] = field(default_factory=list)
    """The text after each press."""


def controls(components: Sequence[Any]) -> Iterator[Control]:
    """Yield the controls in the order in which a screen reader reads them."""
    for part in walk_components(components):
        if part["type"] == BUTTON and "custom_id" in part and not part.get("disabled"):
            yield Control(part["label"], part["custom_id"])
        elif part["type"] == SELECT:
            yield from (Control(option["label"], part["custom_id"], option["value"]) for option in part["options"])


@cache
def glossary_buttons(language: str) -> Sequence[tuple[str, re.Pattern[str]]]:
    """Return the glossary's buttons: what each does, and a pattern of its name in a language."""
    lines = GLOSSARY.read_text(encoding="utf-8").partition("## Buttons")[2].partition("## ")[0].splitlines()
    head, _, *rows = ([cell.strip() for cell in line.split("|")[1:-1]] for line in lines if line.startswith("|"))
    column = head.index(LANGUAGE_COLUMNS[language])
    return [(row[0], _pattern(form)) for row in rows for form in row[column].split(" / ")]


def _pattern(name: str) -> re.Pattern[str]:
    """Return a pattern that matches a button's name with any placeholder values."""
    return re.compile(".+".join(map(re.escape, re.split(r"\{\w+\}", name))))


def button_meaning(name: str) -> str:
    """Return what the button of this name does; empty if the glossary lacks it, as it is a choice of the game."""
    return next((meaning for meaning, form in glossary_buttons(MemberLanguage.language) if form.fullmatch(name)), "")


def assert_readable_aloud(shown: Shown) -> None:
    """Assert that a message suits screen readers: short text first, then named controls, pictures last."""
    characters, parts = 0, list(walk_components(shown.components))
    for part in parts:
        if part["type"] == TEXT:
            assert part["content"] == aloud(part["content"])
            characters += len(part["content"])
        assert part["type"] != GALLERY or not any(other["type"] == ROW for other in parts[parts.index(part) :])
        if part["type"] == ROW:
            assert characters <= SPEECH_LIMIT, characters
            break
    names = [control.name for control in controls(shown.components)]
    assert all(name and name == aloud(name) for name in names), names
    assert len(set(names)) == len(names), names


class ScreenReader:
    """A player of a table who chooses controls by their names."""

    def __init__(self, table: Table, random: Random) -> None:
        self.table = table
        self.random = random

    async def enable_for_all(self) -> None:
        """Let all players choose in their settings to play by ear, by buttons that the glossary does not list."""
        for actor in self.table.actors[: len(self.table.stored().seats)]:
            panel = self.table.shown(await actor.slash(self.table.channel, "carc settings"))
            panel = await self.press(actor.id, panel, localized("button.settings_calls"))
            assert_readable_aloud(await self.press(actor.id, panel, localized("setting.ear.on")))

    async def press(self, member: int, shown: Shown, name: str) -> Shown:
        """Press the control of this name. Raises `LostError` if there is none."""
        matching = [control for control in controls(shown.components) if control.name == name]
        if not matching:
            raise LostError(
                f"no control is called {name!r}: {[each_control.name for each_control in controls(shown.components)]}"
            )
        [control] = matching
        if control.value:
            actor = self.table.members[member]
            return self.table.shown(await actor.select(shown.handle, [control.value], custom_id=control.custom_id))
        return await self.table.press(member, shown, control.custom_id)

    async def turn(self) -> Turn:
        """Let the member whom the newest card asks decide, until the next card is posted."""
        card, cards = self.table.card(), len(self.table.cards())
        turn = Turn(mentioned_users(card.components)[0])
        shown = card
        while len(self.table.cards()) == cards:
            if len(turn.taps) > MAX_PRESSES:
                raise LostError(turn.taps)
            name = self._choose([control.name for control in controls(shown.components)], turn.taps)
            turn.taps.append(name)
            shown = await self.press(turn.member, shown, name)
            assert_readable_aloud(shown)
            turn.answers.append(words(shown.components))
            await self.table.env.settle()
        return turn

    def _choose(self, names: Sequence[str], taps: Sequence[str]) -> str:
        """Choose the control to press next, by names alone."""
        by_meaning = {button_meaning(name): name for name in reversed(names)}
        for wanted in ("play", "confirm"):
            if wanted in by_meaning:
                return by_meaning[wanted]
        choices = [name for name in names if not button_meaning(name) and name not in taps]
        if not choices:
            if "decline" not in by_meaning:
                raise LostError(names)
            return by_meaning["decline"]
        return self.random.choice(choices[: max(3, len(choices) // 2)])
