"""[Watch It Again]: drawn once, kept, and never in the way of a card."""

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


@pytest.fixture
async def over(tmp_path: Path, recorder: Recorder, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Table]:
    """A game of two that has ended; whatever is sent must keep Discord's limits."""
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


async def test_twelve_presses_of_one_onlooker_hold_up_no_card(over: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    order: list[str] = []
    begun, go_on = threading.Event(), threading.Event()

    def slow(*_: object) -> list[AltPicture]:
        begun.set()
        assert go_on.wait(30)
        order.append("film")
        return FILM

    monkeypatch.setattr(board, "_draw_film", slow)
    onlooker, card = over.actors[5], over.card()
    [button] = [button for button in buttons(card.components) if button.key.op is Op.REPLAY]
    presses = [send_press(over.env, onlooker, card.handle, button.custom_id) for _ in range(12)]
    assert await asyncio.to_thread(begun.wait, 30)
    for _ in range(4):
        await over.bot.render_pool.draw(lambda: order.append("card"))
    go_on.set()
    await over.env.settle()
    assert order == ["card"] * 4 + ["film"]
    told = [sent.said for sent in presses]
    assert len([text for text in told if re.search(r"next one <t:\d+:R>", text)]) == 11
    assert all(told)


async def test_a_film_that_was_drawn_is_kept_for_others(over: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[object] = []
    monkeypatch.setattr(board, "_draw_film", lambda table, _: drawn.append(table) or FILM)
    code = over.stored().code
    for actor in over.actors[:3]:
        await actor.slash(over.channel, "carc replay", game=code)
    assert len(drawn) == 1


def test_a_pause_ends_by_itself_and_is_each_persons_own() -> None:
    clock = MagicMock(return_value=100.0)
    pace = Throttle(clock)
    assert pace.left(1, Costly.FILM) <= 0
    pace.rest(1, Costly.FILM)
    assert pace.left(1, Costly.FILM) == PAUSES[Costly.FILM]
    assert pace.left(2, Costly.FILM) <= 0
    assert pace.left(1, Costly.RECORD) <= 0
    clock.return_value += PAUSES[Costly.FILM]
    assert pace.left(1, Costly.FILM) <= 0
    pace.rest(2, Costly.FILM)
    assert list(pace._free_at) == [(2, Costly.FILM)]
