"""Write ``transcripts/``: the first turns of a game as a screen reader reads them, in a file for each language.

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

FOLDER = Path(__file__).parent / "transcripts"
"""The folder of the files that are written."""
TURN_COUNT = 3
"""The number of turns in the transcript."""
SEED = "by ear"
"""The seed of the game."""


def transcript(language: str, folder: Path) -> str:
    """Play the turns in a language; return the file."""
    turns = asyncio.run(play_turns(language, folder))
    return "\n".join([f"# {languages()[language].name}", *(f"\n{_quote_turn(turn)}" for turn in turns)]) + "\n"


async def play_turns(language: str, folder: Path) -> list[Turn]:
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


if __name__ == "__main__":
    with TemporaryDirectory() as folder:
        for language in languages():
            (FOLDER / f"{language}.md").write_text(transcript(language, Path(folder)), encoding="utf-8")
