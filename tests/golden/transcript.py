"""Write ``docs/by-ear.md``: the first turns of a game as a screen reader reads them, in every language.

Run ``python -m tests.golden.transcript`` after an intended change of texts.
"""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from types import SimpleNamespace

import pytest

from cogs.texts.languages import languages
from host import lobbies, naming
from tests.e2e.locales import use_locale
from tests.e2e.pictures import stub_pictures
from tests.e2e.screen_reader import ScreenReader, Turn
from tests.e2e.table import open_table

TRANSCRIPT_FILE = Path(__file__).parents[2] / "docs" / "by-ear.md"
"""The file that is written."""
TURN_COUNT = 3
"""The number of turns in the transcript."""
SEED = "by ear"
"""The seed of the game."""


def language_section(language: str, folder: Path) -> str:
    """Play the turns in a language; return its section of the document."""
    turns = asyncio.run(_play_turns(language, folder))
    return "\n".join([f"## {languages()[language].name}", *(f"\n{_quote_turn(turn)}" for turn in turns)]) + "\n"


async def _play_turns(language: str, folder: Path) -> list[Turn]:
    """Play the first turns of a game that has the same tiles and the same name in every language."""
    with pytest.MonkeyPatch.context() as patch, use_locale(language, language):
        stub_pictures(patch)
        patch.setattr(naming, "secrets", SimpleNamespace(choice=Random(SEED).choice))
        patch.setattr(
            lobbies, "seat_order", lambda members, _: tuple(members)
        )  # the real order depends on the ids of users
        async with open_table(folder / f"{language}.sqlite3", seed=SEED) as table:
            await table.start(2, expansions="base")
            listener = ScreenReader(table, Random(1))
            await listener.enable_for_all()
            return [await listener.turn() for _ in range(TURN_COUNT)]


def _quote_turn(turn: Turn) -> str:
    """Format the buttons that a player pressed in a turn, and the texts read after each of them."""
    quotation = "\n>\n".join("  \n".join(f"> {line}" for line in text.splitlines()) for text in turn.answers)
    return f"{', '.join(f'[{tap}]' for tap in turn.taps)}:\n\n{re.sub('<#[0-9]+>', '#thread', quotation)}"


def transcript() -> str:
    """Return the whole document: its introduction and the section of every language."""
    head = TRANSCRIPT_FILE.read_text(encoding="utf-8").partition("\n## ")[0]
    with TemporaryDirectory() as folder:
        return "\n".join([head, *(language_section(language, Path(folder)) for language in languages())])


if __name__ == "__main__":
    TRANSCRIPT_FILE.write_text(transcript(), encoding="utf-8")
