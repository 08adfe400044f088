"""Whole games in a language that nobody speaks: whatever is not looked up in it shows, and whatever is cut off.

Outside its brackets stand only names, numbers and notation; of words in pictures, too.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.carcassonne.expansions import OFFERED
from host import founding
from tests.discord_limits.recorder import Recorder
from tests.e2e.table import NAMES, seated
from tests.e2e.test_full_games import play
from tests.e2e.test_traders_builders import Extending
from tests.e2e.tongue import all_speak
from tests.sixth import CODE, LOCALE, bare, with_sixth

pytestmark = pytest.mark.long

WORDS = frozenset({"content", "label", "description", "placeholder", "title", "name"})
"""Where words stand in what is sent."""
_PROPER = "|".join([*NAMES, *founding._FIRST_WORDS, *founding._SECOND_WORDS])
_NOTATION = re.compile(
    "|".join(
        (
            r"`[^`]*`|<[^<>]*>",  # commands, mentions
            rf"\b({_PROPER})\b|\b[B-Z][B-Z2-9]{{3}}\b",  # names, codes of games
            r"\b[A-Z]{1,2}\d+\b|\b[A-Z]\b",  # cells, lots, letters of spots
            r"\b[NESW]{1,2}\b",  # directions
            r"\b[A-Z]{2}-\d+\w?\b",  # rules
            r"\boch\b",  # between the last two of a list
        )
    )
)


@pytest.fixture(autouse=True)
def _all_speak_it() -> Iterator[None]:
    """Everybody's Discord is in the sixth language, and so are the tables that they open."""
    with with_sixth(), all_speak(CODE, LOCALE):
        yield


def said(payload: object, name: str = "") -> Iterator[str]:
    """All words in what is sent."""
    if isinstance(payload, dict):
        for key, value in payload.items():
            yield from said(value, key)
    elif isinstance(payload, list):
        for value in payload:
            yield from said(value, name)
    elif isinstance(payload, str) and name in WORDS:
        yield payload


def strangers(text: str) -> str:
    """What stands in a text that was never looked up, or the text if a bracket of it is cut off."""
    try:
        left = _NOTATION.sub("", bare(text))
    except ValueError:
        return text
    return left if re.search(r"[^\W\d_]", left) else ""


def check(recorder: Recorder) -> None:
    """Everything sent keeps Discord's limits, and was said in the sixth language."""
    texts = {text for request in recorder.requests if request.method != "PUT" for text in said(request.payload)}
    wrong = [f"{stranger!r} in {text!r}" for text in sorted(texts) if (stranger := strangers(text))]
    assert not wrong, "\n".join(wrong)
    assert recorder.problems() == []


async def test_a_game_with_all_boxes(tmp_path: Path, recorder: Recorder, no_drawing: None) -> None:
    async with seated(tmp_path / "games.sqlite3", seed="every box 5") as table:
        await table.start(4, expansions="+".join(OFFERED))
        await play(table, 5, player=Extending)
        check(recorder)


async def test_a_game_of_the_castle(tmp_path: Path, recorder: Recorder, no_drawing: None) -> None:
    async with seated(tmp_path / "games.sqlite3", seed="game 12") as table:
        await table.start(2, game="the-castle")
        await play(table, 12, latest=200)
        check(recorder)
