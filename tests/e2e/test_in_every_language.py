"""Whole games in every language: no text that is translated falls back to English, and every message fits.

The games are played by `make soak`; other tests use a language chosen by their name (``random_language`` in
``conftest.py``).
"""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from cogs.texts import FAILED_TEXTS, LANGUAGE, catalogue, missing_in
from cogs.texts.languages import languages
from tests.discord_limits.recorder import Recorder
from tests.e2e.accessibility import accessibility_problems
from tests.e2e.locales import use_locale
from tests.e2e.table import open_table
from tests.e2e.test_full_games import play
from tests.e2e.test_traders_builders import BuilderPlayer

pytestmark = [pytest.mark.long, pytest.mark.soak]


@pytest.fixture(params=[code for code in languages() if code != LANGUAGE])
def spoken(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Give all members this locale; fail if an offered one has a text that was said in English."""
    code: str = request.param
    complete = languages()[code].offered

    monkeypatch.setitem(languages(), code, replace(languages()[code], offered=True))  # type: ignore[misc]
    FAILED_TEXTS.clear()
    catalogue(code).unsaid.clear()
    with use_locale(code, code):
        yield code
    assert {key for _, key in FAILED_TEXTS} <= {*missing_in(catalogue(code))} or not complete
    assert not (complete and catalogue(code).unsaid)


async def test_a_game_with_all_expansions_is_complete(
    tmp_path: Path, recorder: Recorder, no_drawing: None, spoken: str
) -> None:
    async with open_table(tmp_path / "games.sqlite3", seed="every box 5") as table:
        await table.start(4, expansions="all")
        await play(table, 5, player=BuilderPlayer)
        assert [*recorder.problems(), *accessibility_problems(recorder)] == []


async def test_a_game_of_the_castle_is_complete(
    tmp_path: Path, recorder: Recorder, no_drawing: None, spoken: str
) -> None:
    async with open_table(tmp_path / "games.sqlite3", seed="game 12") as table:
        await table.start(2, game="the-castle")
        await play(table, 12, latest=200)
        assert [*recorder.problems(), *accessibility_problems(recorder)] == []
