"""The transcript of a game by ear, in each language: the controls that a listener presses, and what is said.

``python -m tests.golden.transcript`` writes ``docs/by-ear.md`` anew.
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

FILE = Path(__file__).parents[2] / "docs" / "by-ear.md"
TURNS = 3
SEED = "by ear"


def heard(language: str, folder: Path) -> str:
    """The part of a language."""
    turns = asyncio.run(_played(language, folder))
    return "\n".join([f"## {languages()[language].name}", *(f"\n{_told(turn)}" for turn in turns)]) + "\n"


async def _played(language: str, folder: Path) -> list[Turn]:
    """The turns of a game with the same tiles and the same name in every language."""
    with pytest.MonkeyPatch.context() as patch, use_locale(language, language):
        stub_pictures(patch)
        patch.setattr(naming, "secrets", SimpleNamespace(choice=Random(SEED).choice))
        patch.setattr(lobbies, "seat_order", lambda members, _: tuple(members))  # it hangs on their ids
        async with open_table(folder / f"{language}.sqlite3", seed=SEED) as table:
            await table.start(2, expansions="base")
            listener = ScreenReader(table, Random(1))
            await listener.enable_for_all()
            return [await listener.turn() for _ in range(TURNS)]


def _told(turn: Turn) -> str:
    """Return what one member pressed and heard, as a quotation for each press."""
    said = "\n>\n".join("  \n".join(f"> {line}" for line in text.splitlines()) for text in turn.heard)
    return f"{', '.join(f'[{tap}]' for tap in turn.taps)}:\n\n{re.sub('<#[0-9]+>', '#thread', said)}"


def transcript() -> str:
    """The whole document, with the words that stand above the languages."""
    head = FILE.read_text(encoding="utf-8").partition("\n## ")[0]
    with TemporaryDirectory() as folder:
        return "\n".join([head, *(heard(language, Path(folder)) for language in languages())])


if __name__ == "__main__":
    FILE.write_text(transcript(), encoding="utf-8")
