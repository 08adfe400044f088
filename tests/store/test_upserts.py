"""Concurrent upserts of one row by two stores: none fails.

An upsert inserts a row or updates the existing one. Each function in `WRITES` takes a transaction, the id of a game and
`n`, the number of the write. It derives the values of its row from `n`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import timedelta

import pytest

from store import (
    Allowance,
    Ban,
    BanKind,
    GuildSettings,
    Heartbeat,
    Preferences,
    RatingRecord,
    Store,
    Timer,
    TimerKind,
    Transaction,
    guilds,
    operators,
    preferences,
    processes,
    ratings,
    timers,
)
from tests.store.rows import ADA, NOW, store_game

RATING = RatingRecord(
    guild_id=7, scale="carcassonne", person=ADA, mean=25.0, deviation=8.0, games=1, before=0, shown=1, active_at=NOW
)
"""A sample row of a player's rating."""
WRITES: dict[str, Callable[[Transaction, int, int], Awaitable[None]]] = {
    "preferences": lambda tx, _, n: preferences.save(tx, ADA.user_id, Preferences(confirm=n > 3)),
    "settings of a server": lambda tx, _, n: guilds.save_settings(tx, 7, GuildSettings(opener_role=n)),
    "notes": lambda tx, game, n: preferences.save_note(tx, game, ADA.user_id, str(n), NOW),
    "plans": lambda tx, game, n: preferences.save_plan(tx, game, ADA.user_id, str(n), NOW),
    "timers": lambda tx, game, n: timers.save(tx, Timer(game, TimerKind.CLOCK, NOW + timedelta(seconds=n))),
    "wishes of a turn": lambda tx, game, n: timers.save_wish(tx, game, ADA.user_id, n),
    "command copies": lambda tx, *_: guilds.add_command_copy(tx, 7),
    "marks": lambda tx, _, n: processes.save_mark(tx, "name", n, NOW),
    "bans": lambda tx, _, n: guilds.save_ban(tx, Ban(BanKind.USER, ADA.user_id, str(n), NOW)),
    "allowances": lambda tx, _, n: guilds.save_allowance(tx, 7, Allowance(games=n)),
    "operator holds": lambda tx, game, n: operators.hold(tx, game, str(n), NOW),
    "locales": lambda tx, _, n: preferences.save_locales(tx, dict.fromkeys((1, 2, 3) if n % 2 else (3, 2, 1), f"{n}")),
    "ratings": lambda tx, _, n: ratings.save(tx, [replace(RATING, games=n)]),
    "heartbeats": lambda tx, _, n: processes.save_heartbeat(tx, Heartbeat(0, 1, NOW + timedelta(seconds=n))),
}
"""Functions that write one row each, with a description of the row."""


@pytest.mark.parametrize("name", WRITES)
async def test_concurrent_writes_of_a_row_all_succeed(store: Store, location: str, name: str) -> None:
    game_id = await store_game(store)
    second_store = await Store.open(location)

    async def write(writer: Store, number: int) -> None:
        """Write the row once, in a transaction of its own."""
        async with writer.writing() as tx:
            await WRITES[name](tx, game_id, number)

    await asyncio.gather(*(write(writer, number) for number, writer in enumerate((store, second_store) * 3)))
    await second_store.close()
