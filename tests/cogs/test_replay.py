"""Replays of finished games, requested by [Watch Again]: cached, and of lower priority than cards.

A replay is an animated picture of a whole game ("film"); a card is a public message about a move, for which players
wait. Drawing is blocked by events until all requests have arrived.
"""

from __future__ import annotations

import asyncio
import re
import threading
from collections.abc import AsyncIterator
from pathlib import Path
from unittest.mock import MagicMock

import pytest

from cogs.commands import board
from cogs.presenting.ids import Op
from cogs.presenting.presenter import AltPicture
from cogs.services.rate_limits import PAUSES, Costly, Throttle
from renderers import Picture
from tests.discord_limits.recorder import Recorder
from tests.e2e.pictures import stub_pictures
from tests.e2e.raw_interactions import send_press
from tests.e2e.screen import buttons
from tests.e2e.table import Table, open_table

FILM = [AltPicture(Picture(b"GIF89a", "replay.gif", 1, 1), "the game")]
"""A stub of a replay."""


@pytest.fixture
async def finished_table(tmp_path: Path, recorder: Recorder, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Table]:
    """Yield a finished game of two; all requests have to keep Discord's limits."""
    stub_pictures(monkeypatch)
    async with open_table(tmp_path / "games.sqlite3", seed="one") as table:
        await table.start(2)
        stored = table.stored()
        await table.bot.host.moves.resign(stored.code, stored.seats[0], 1)
        table.bot.publisher.wake()
        async with asyncio.timeout(60):
            while not table.over:  # noqa: ASYNC110 - the card comes from the publisher's own tasks
                await asyncio.sleep(0.01)
        yield table
    assert recorder.problems() == []


async def test_twelve_presses_of_an_onlooker_do_not_delay_a_card(
    finished_table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[str] = []
    drawing_started, drawing_may_finish = threading.Event(), threading.Event()

    def draw_slowly(*_: object) -> list[AltPicture]:
        """Wait until the test lets the drawing finish."""
        drawing_started.set()
        assert drawing_may_finish.wait(30)
        drawn.append("film")
        return FILM

    monkeypatch.setattr(board, "_draw_film", draw_slowly)
    onlooker, card = finished_table.actors[5], finished_table.card()
    [button] = [button for button in buttons(card.components) if button.key.op is Op.REPLAY]
    presses = [send_press(finished_table.env, onlooker, card.handle, button.custom_id) for _ in range(12)]
    assert await asyncio.to_thread(drawing_started.wait, 30)
    for _ in range(4):
        await finished_table.bot.render_pool.draw(lambda: drawn.append("card"))
    drawing_may_finish.set()
    await finished_table.env.settle()
    assert drawn == ["card"] * 4 + ["film"]
    answers = [sent.text for sent in presses]
    assert len([text for text in answers if re.search(r"next one <t:\d+:R>", text)]) == 11
    assert all(answers)


async def test_a_drawn_replay_is_cached_for_others(finished_table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    drawings: list[object] = []
    monkeypatch.setattr(board, "_draw_film", lambda table, _: drawings.append(table) or FILM)
    code = finished_table.stored().code
    for actor in finished_table.actors[:3]:
        await actor.slash(finished_table.channel, "carc replay", game=code)
    assert len(drawings) == 1


def test_the_rate_limit_of_replays_is_per_user_and_expires() -> None:
    clock = MagicMock(return_value=100.0)
    throttle = Throttle(clock)
    assert throttle.remaining_seconds(1, Costly.FILM) <= 0
    throttle.start_pause(1, Costly.FILM)
    assert throttle.remaining_seconds(1, Costly.FILM) == PAUSES[Costly.FILM]
    assert throttle.remaining_seconds(2, Costly.FILM) <= 0
    assert throttle.remaining_seconds(1, Costly.RECORD) <= 0
    clock.return_value += PAUSES[Costly.FILM]
    assert throttle.remaining_seconds(1, Costly.FILM) <= 0
    throttle.start_pause(2, Costly.FILM)
    assert list(throttle._free_at) == [(2, Costly.FILM)]
