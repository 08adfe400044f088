"""Whole games in every language of its own: nothing is said in English instead, and everything fits.

They are played with the long tests; what `make test` plays is in a language drawn for each test (``conftest.py``).
"""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from simcord import interactions

from cogs.texts import LANGUAGE, UNSAID, catalogue
from cogs.texts.languages import languages
from tests.discord_limits.recorder import Recorder
from tests.e2e.accessibility import accessibility_problems
from tests.e2e.screen import MemberLanguage
from tests.e2e.table import open_table
from tests.e2e.test_full_games import play
from tests.e2e.test_traders_builders import BuilderPlayer

pytestmark = [pytest.mark.long, pytest.mark.soak]


@pytest.fixture(params=[code for code in languages() if code != LANGUAGE])
def spoken(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Everybody's Discord is in this language, which can be chosen, and so are the tables that they open."""
    code: str = request.param
    complete = languages()[code].offered
    payload = interactions.base_payload

    def told(*args: Any, **kwargs: Any) -> Any:
        record, made = payload(*args, **kwargs)
        return record, {**made, "locale": code}

    monkeypatch.setattr(interactions, "base_payload", told)
    monkeypatch.setitem(languages(), code, replace(languages()[code], offered=True))  # type: ignore[misc]
    monkeypatch.setattr(MemberLanguage, "language", code)
    UNSAID.clear()
    catalogue(code).unsaid.clear()
    yield code
    assert not (complete and UNSAID)
    assert not (complete and catalogue(code).unsaid)


async def test_a_game_with_all_boxes(tmp_path: Path, recorder: Recorder, no_drawing: None, spoken: str) -> None:
    async with open_table(tmp_path / "games.sqlite3", seed="every box 5") as table:
        await table.start(4, expansions="all")
        await play(table, 5, player=BuilderPlayer)
        assert [*recorder.problems(), *accessibility_problems(recorder)] == []


async def test_a_game_of_the_castle(tmp_path: Path, recorder: Recorder, no_drawing: None, spoken: str) -> None:
    async with open_table(tmp_path / "games.sqlite3", seed="game 12") as table:
        await table.start(2, game="the-castle")
        await play(table, 12, latest=200)
        assert [*recorder.problems(), *accessibility_problems(recorder)] == []
