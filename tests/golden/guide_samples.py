"""Write the samples of ``docs/by-ear.md``: what players with a screen reader press and hear.

The samples are taken from two games that a listener plays (``tests/e2e/screen_reader.py``): the third turn of a new
one, and a board of forty tiles with a bazaar. Run ``python -m tests.golden.guide_samples`` after an intended change of
texts.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from typing import Final

import pytest

from benchmarks import turns
from cogs.texts import LANGUAGE
from engine import Position
from engine.carcassonne.expansions.bridges_castles_bazaars import ChooseLot, bazaar_of
from host import naming
from tests.e2e.fast_forward import create_game, fast_forward
from tests.e2e.locales import use_locale
from tests.e2e.pictures import stub_pictures
from tests.e2e.screen import localized, mentioned_users, words
from tests.e2e.screen_reader import ScreenReader, Turn
from tests.e2e.table import Table, open_table
from tests.golden.transcript import play_turns

GUIDE: Final = Path(__file__).parents[2] / "docs" / "by-ear.md"
"""The file that is written."""
SAMPLE: Final = re.compile(r"(<!-- sample (\w+) -->\n).*?(<!-- /sample -->)", re.DOTALL)
"""A sample in the document, with its name."""
SEED: Final = "ear3"
"""The seed of the game with the bazaar."""
PLAYER_COUNT: Final = 3
TILE_COUNT: Final = 40
"""Tiles on the board, at least, when the bazaar opens."""
PARTS: Final = ("overview", "features", "around")
"""The parts of the board that the document tells."""
Sample = Sequence[tuple[str, str]]
"""A control that is pressed, empty for the card, and the words that are heard after it."""


def samples(folder: Path) -> dict[str, str]:
    """Return the samples by their names, as they stand in the document."""
    recorded = asyncio.run(_record_samples(folder))
    return {name: _formatted(sample) for name, sample in recorded.items()}


def with_samples(document: str, texts: Mapping[str, str]) -> str:
    """Return a document with its samples brought up to date."""
    return SAMPLE.sub(lambda found: f"{found[1]}\n{texts[found[2]]}\n\n{found[3]}", document)


async def _record_samples(folder: Path) -> dict[str, Sample]:
    """Play both games, and return what is pressed and heard in them."""
    turn = (await play_turns(LANGUAGE, folder))[-1]
    recorded: dict[str, Sample] = {"turn": _sample_of(turn)}
    with pytest.MonkeyPatch.context() as patch, use_locale(LANGUAGE, LANGUAGE):
        stub_pictures(patch)
        patch.setattr(naming, "secrets", SimpleNamespace(choice=Random(SEED).choice))
        async with open_table(folder / "bazaar.sqlite3", seed=SEED) as table:
            random = Random(SEED)
            game = await create_game(table, PLAYER_COUNT)
            await fast_forward(table, game, lambda position: turns.choose(position, random), _opens_bazaar)
            table.bot.publisher.queue.take_begun()
            await turns.wait_for_card(table)
            listener = ScreenReader(table, Random(SEED))
            recorded["switch"] = await _turn_on(table, listener)
            await listener.enable_for_all()
            recorded |= await _look_around(table, listener)
            recorded["bazaar"] = await _hold_auction(table, listener)
    return recorded


def _opens_bazaar(position: Position) -> bool:
    """Return True if a bazaar has just opened on a board that is large enough."""
    return isinstance(position.step, ChooseLot) and sum(1 for _ in position.placed()) >= TILE_COUNT


async def _turn_on(table: Table, listener: ScreenReader) -> Sample:
    """Let a member who does not play choose the screen reader mode in their settings."""
    member = table.actors[PLAYER_COUNT]
    panel = table.shown(await member.slash(table.channel, "carc settings"))
    page, switch = localized("button.settings_calls"), localized("setting.ear.on")
    panel = await listener.press(member.id, panel, page)
    panel = await listener.press(member.id, panel, switch)
    return [(f"[{page}], [{switch}]", _readable(table, words(panel.components)))]


async def _look_around(table: Table, listener: ScreenReader) -> dict[str, Sample]:
    """Let the player to move listen to the board, part by part."""
    card = table.card()
    member = mentioned_users(card.components)[0]
    told = localized("button.tell")
    panel = await listener.press(member, card, told)
    heard: dict[str, Sample] = {}
    for part in PARTS:
        name = localized(f"tell.part.{part}")
        panel = await listener.press(member, panel, name)
        heard[part] = [(f"[{name}]", _readable(table, words(panel.components)))]
    return heard


async def _hold_auction(table: Table, listener: ScreenReader) -> Sample:
    """Play until the first tile of the bazaar is sold; each entry names the player."""
    heard: list[tuple[str, str]] = [("", _readable(table, words(table.card().components)))]
    while (bazaar := bazaar_of(table.stored().replayed())) is not None and all(owner < 0 for owner in bazaar.owners):
        turn = await listener.turn()
        name = table.name_of(table.members[turn.member])
        heard += [
            (f"{name}: [{tap}]", _readable(table, text)) for tap, text in zip(turn.taps, turn.answers, strict=True)
        ]
    return heard


def _sample_of(turn: Turn) -> Sample:
    """Return what is pressed and heard in a turn."""
    return [
        (f"[{tap}]", re.sub(r"<#[0-9]+>", "#thread", text)) for tap, text in zip(turn.taps, turn.answers, strict=True)
    ]


def _readable(table: Table, text: str) -> str:
    """Return a text with the names of mentioned channels and users."""
    text = re.sub(r"<#[0-9]+>", "#thread", text)
    return re.sub(r"<@([0-9]+)>", lambda found: f"@{table.name_of(table.members[int(found[1])])}", text)


def _formatted(sample: Sample) -> str:
    """Return a sample in Markdown, with the number of words that are heard."""
    parts, count = list[str](), 0
    for pressed, heard in sample:
        lines = [re.sub(r"^(?:-#|#+) |\*\*", "", line) for line in heard.splitlines()]
        count += sum(len(re.findall(r"\w[\w'-]*", line)) for line in lines)
        quotation = "  \n".join(f"> {line}" for line in lines)
        parts.append(f"{pressed}\n\n{quotation}" if pressed else quotation)
    return "\n\n".join([*parts, f"*{count} words*"])


if __name__ == "__main__":
    with TemporaryDirectory() as temporary:
        texts = samples(Path(temporary))
    GUIDE.write_text(with_samples(GUIDE.read_text(encoding="utf-8"), texts), encoding="utf-8")
