"""The network to the database is down for minutes: every click is answered, and the game continues afterwards.

The bot runs in a process of its own, on sockets to a loopback Discord; a proxy before PostgreSQL blocks all traffic.
"""

import asyncio
from pathlib import Path
from random import Random
from time import monotonic

import pytest

from tests.cluster import Cluster
from tests.e2e.player import Clicker, Habits
from tests.e2e.screen import Kind, buttons_by_kind, mentioned_users
from tests.e2e.sockets import SocketTable, socket_table
from tests.e2e.test_four_processes import move_with_retries
from tests.e2e.test_kill import check_cards
from tests.proxy import proxy

pytestmark = [pytest.mark.soak, pytest.mark.postgresql, pytest.mark.usefixtures("random_language")]
OUTAGE_SECONDS = 300.0
"""Length of the outage: longer than every retry."""
ANSWER_TIMEOUT = 15.0
"""Seconds within which a click is answered, whatever the answer is."""
CLICK_INTERVAL = 5.0
"""Seconds between two clicks during the outage."""
POSTING_TIMEOUT = 60.0
"""Seconds within which everything is posted once the network is back."""


async def press_and_time(table: SocketTable) -> float:
    """Press [Play] and return the seconds until an answer is shown."""
    card = table.card()
    member = table.server.world.users[mentioned_users(card.components)[-1]]
    began = monotonic()
    interaction = await table.server.click(
        member, card.handle, buttons_by_kind(card.components)[Kind.PLAY][0].custom_id
    )
    await table.server.until(
        lambda: bool(interaction.ephemeral_messages or interaction.error), timeout=2 * ANSWER_TIMEOUT
    )
    assert not interaction.error
    return monotonic() - began


async def test_clicks_are_answered_without_the_database(tmp_path: Path, location: str, postgresql: Cluster) -> None:
    async with (
        proxy(postgresql.folder) as network,
        socket_table(tmp_path, address=network.url(location), cluster=postgresql) as table,
    ):
        await table.open(2)
        await table.settle()
        identifies, began = table.server.gateway.identifies, monotonic()
        network.block()
        while monotonic() - began < OUTAGE_SECONDS:
            assert await press_and_time(table) < ANSWER_TIMEOUT
            await asyncio.sleep(CLICK_INTERVAL)
        network.unblock()
        await move_with_retries(Clicker(table, Random(1), Habits(quick=True)), table)
        await table.settle(timeout=POSTING_TIMEOUT)
        check_cards(table, table.stored())
        assert len(table.cards()) > 1
        assert table.server.gateway.identifies == identifies, "the gateway connection was kept"
        assert table.problems() == []
