"""An outage of the database: clicks are answered with an error and have no effect; afterwards the game continues.

The database is made read-only by a PRAGMA, and the host does not retry, since the clock of the offline Discord stands
still.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest

from cogs.presenting.ids import Op
from tests.discord_limits.recorder import Recorder
from tests.e2e.answers import nothing_changes
from tests.e2e.lobby_cards import open_lobby_of_two
from tests.e2e.player import button_for
from tests.e2e.raw_interactions import SentInteraction, last_answer, send_press
from tests.e2e.screen import localized, words
from tests.e2e.table import Table, open_table
from tests.store.faults import READ_ONLY, set_pragma

pytestmark = pytest.mark.usefixtures("random_language")

NO_RETRIES = timedelta(seconds=0.1)
"""A deadline before the first retry, as the clock stands still."""


@pytest.fixture
async def table(tmp_path: Path, recorder: Recorder, no_drawing: None) -> AsyncIterator[Table]:
    """Yield members whose bot does not retry statements."""
    async with open_table(tmp_path / "games.sqlite3", seed="one", patience=NO_RETRIES) as table:
        yield table
    assert recorder.problems() == []


async def test_a_failed_join_takes_no_seat(table: Table) -> None:
    ben = table.actors[1]
    lobby = await open_lobby_of_two(table)
    join = button_for(lobby, Op.JOIN)

    async def press_join() -> SentInteraction:
        """Press the button to join as Ben."""
        sent = send_press(table.env, ben, lobby.handle, join.custom_id)
        await table.env.settle()
        return sent

    async with set_pragma(table.bot.host._store, READ_ONLY):
        assert last_answer(await press_join()) == localized("answer.not_stored")
    assert [person.user_id for person in (await table.bot.host.lobbies.get(1)).members] == [table.actors[0].id]
    await press_join()
    assert len((await table.bot.host.lobbies.get(1)).members) == 2


async def test_a_failed_move_is_not_made(table: Table) -> None:
    await table.start(2)
    mover = table.members[table.stored().seats[0]]
    (offer, *_) = await mover.autocomplete(table.place, "carc play", "move", "")
    with nothing_changes(table):
        async with set_pragma(table.bot.host._store, READ_ONLY):
            refused = await mover.slash(table.place, "carc play", move=offer["value"])
            await table.env.settle()
    assert refused.response is not None
    assert localized("answer.not_stored") in words(refused.response.components)
    await mover.slash(table.place, "carc play", move=offer["value"])
    await table.env.settle()
    assert table.stored().ply > 0
