"""The network between the bot and its database is away for minutes: every click is answered, and all goes on."""

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
AWAY = 300.0
ANSWERED = 15.0
"""Seconds within which a click is answered, whatever the answer is."""
BETWEEN = 5.0
POSTED = 60.0
"""Seconds within which everything is posted when the network is there again."""


async def answered(table: SocketTable) -> float:
    """Press [Play]; seconds until an answer is shown."""
    card = table.card()
    member = table.server.world.users[mentioned_users(card.components)[-1]]
    began = monotonic()
    done = await table.server.click(member, card.handle, buttons_by_kind(card.components)[Kind.PLAY][0].custom_id)
    await table.server.until(lambda: bool(done.ephemeral_messages or done.error), timeout=2 * ANSWERED)
    assert not done.error
    return monotonic() - began


async def test_the_network_is_away_for_five_minutes(tmp_path: Path, location: str, postgresql: Cluster) -> None:
    async with (
        proxy(postgresql.folder) as network,
        socket_table(tmp_path, address=network.url(location), cluster=postgresql) as table,
    ):
        await table.open(2)
        await table.settle()
        identifies, began = table.server.gateway.identifies, monotonic()
        network.swallow()
        while monotonic() - began < AWAY:
            assert await answered(table) < ANSWERED
            await asyncio.sleep(BETWEEN)
        network.heal()
        await move_with_retries(Clicker(table, Random(1), Habits(quick=True)), table)
        await table.settle(timeout=POSTED)
        check_cards(table, table.stored())
        assert len(table.cards()) > 1
        assert table.server.gateway.identifies == identifies, "whoever is at Discord stays there"
        assert table.problems() == []
