"""Members who play by ear: they know what is said, what buttons and lists are called, and nothing else.

No picture, no position, no custom id: those only say which control was meant when one is pressed by its name.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from simcord.components import walk_components

from cogs.words.story import ROOM, aloud
from tests.e2e.player import LostError, Shown
from tests.e2e.screen import BUTTON, GALLERY, TEXT, MemberLanguage, localized, mentioned_users, words
from tests.e2e.table import Table

SPEAKERS = {"en": "English", "cs": "Czech", "de": "German", "nl": "Dutch", "pl": "Polish"}
"""The columns of its tables, by language."""
LIST = 3
ROW = 1
GLOSSARY = Path(__file__).parents[2] / "docs" / "glossary.md"
"""All that listeners know: what the buttons below every game are called."""
MAX_PRESSES = 30
"""Presses after which a listener is lost."""


@dataclass(frozen=True, slots=True)
class Control:
    """A button, or an entry of a list, by what it is called."""

    called: str
    where: str
    """What the client needs to press it."""
    chosen: str = ""


@dataclass(slots=True)
class Turn:
    """What one member has done for one card."""

    member: int
    taps: list[str] = field(default_factory=list)
    heard: list[str] = field(default_factory=list)
    """What each press was answered with."""


def controls(components: Sequence[Any]) -> Iterator[Control]:
    """What can be pressed, in the order in which it is read out."""
    for part in walk_components(components):
        if part["type"] == BUTTON and "custom_id" in part and not part.get("disabled"):
            yield Control(part["label"], part["custom_id"])
        elif part["type"] == LIST:
            yield from (Control(one["label"], part["custom_id"], one["value"]) for one in part["options"])


@cache
def glossary_buttons(language: str) -> Sequence[tuple[str, re.Pattern[str]]]:
    """What each button of the glossary does, and what it is called in a language."""
    lines = GLOSSARY.read_text(encoding="utf-8").partition("## Buttons")[2].partition("## ")[0].splitlines()
    head, _, *rows = ([cell.strip() for cell in line.split("|")[1:-1]] for line in lines if line.startswith("|"))
    column = head.index(SPEAKERS[language])
    return [(row[0], _pattern(form)) for row in rows for form in row[column].split(" / ")]


def _pattern(called: str) -> re.Pattern[str]:
    """A button by its name, whatever is filled in."""
    return re.compile(".+".join(map(re.escape, re.split(r"\{\w+\}", called))))


def button_meaning(called: str) -> str:
    """What a button does that is called so; empty where the glossary has none, as it is a choice of the game."""
    return next((found for found, form in glossary_buttons(MemberLanguage.language) if form.fullmatch(called)), "")


def assert_readable_aloud(shown: Shown) -> None:
    """What somebody who listens is shown: few words before the first control, no signs, no picture before them."""
    said, parts = 0, list(walk_components(shown.components))
    for part in parts:
        if part["type"] == TEXT:
            assert part["content"] == aloud(part["content"])
            said += len(part["content"])
        assert part["type"] != GALLERY or not any(other["type"] == ROW for other in parts[parts.index(part) :])
        if part["type"] == ROW:
            assert said <= ROOM, said
            break
    names = [control.called for control in controls(shown.components)]
    assert all(name and name == aloud(name) for name in names), names
    assert len(set(names)) == len(names), names


class ScreenReader:
    """Plays a table by what is called how."""

    def __init__(self, table: Table, random: Random) -> None:
        self.table = table
        self.random = random

    async def begin(self) -> None:
        """Everybody chooses to play by ear, before anything is played: this much somebody shows them."""
        for actor in self.table.actors[: len(self.table.stored().seats)]:
            panel = self.table.shown(await actor.slash(self.table.channel, "carc settings"))
            panel = await self.press(actor.id, panel, localized("button.settings_calls"))
            assert_readable_aloud(await self.press(actor.id, panel, localized("setting.ear.on")))

    async def press(self, member: int, shown: Shown, called: str) -> Shown:
        """Press what is called so."""
        found = [control for control in controls(shown.components) if control.called == called]
        if not found:
            raise LostError(f"nothing is called {called!r}: {[one.called for one in controls(shown.components)]}")
        [control] = found
        if control.chosen:
            actor = self.table.members[member]
            return self.table.shown(await actor.select(shown.handle, [control.chosen], custom_id=control.where))
        return await self.table.press(member, shown, control.where)

    async def turn(self) -> Turn:
        """Let whoever the newest card asks decide, until the next card comes."""
        card, cards = self.table.card(), len(self.table.cards())
        turn = Turn(mentioned_users(card.components)[0])
        shown = card
        while len(self.table.cards()) == cards:
            if len(turn.taps) > MAX_PRESSES:
                raise LostError(turn.taps)
            called = self._choose([control.called for control in controls(shown.components)], turn.taps)
            turn.taps.append(called)
            shown = await self.press(turn.member, shown, called)
            assert_readable_aloud(shown)
            turn.heard.append(words(shown.components))
            await self.table.env.settle()
        return turn

    def _choose(self, names: Sequence[str], taps: Sequence[str]) -> str:
        found = {button_meaning(name): name for name in reversed(names)}
        for wanted in ("play", "confirm"):
            if wanted in found:
                return found[wanted]
        choices = [name for name in names if not button_meaning(name) and name not in taps]
        if not choices:
            if "decline" not in found:
                raise LostError(names)
            return found["decline"]
        return self.random.choice(choices[: max(3, len(choices) // 2)])
