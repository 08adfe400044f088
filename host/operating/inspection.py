"""Looking a whole database through from outside, without changing anything: what an operator wants to know of it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

from engine import DEFAULT_GAME
from host.lobby.founding import found, new_label
from host.play.tables import rebuild
from host.settings import random_seed
from store import (
    ActionRecord,
    Game,
    GameStatus,
    NewLobby,
    Person,
    Transaction,
    UnreadableError,
    games,
    lobbies,
    outbox,
    whole_database,
)

STUCK_AFTER: Final = timedelta(hours=1)
"""How long a post waits until it counts as stuck."""
_NOWHERE: Final = 1
"""The id of a server and a channel that there cannot be."""

OnReplayed = Callable[[int, int], None]
"""Who is told how many games of how many are done."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that is not as it should be: what, of which game or row, and why."""

    what: str
    about: str
    why: str
    rests: bool = False
    """Whether it is a game that rests already."""

    def __str__(self) -> str:
        return f"{self.what}: {self.about}: {self.why}"


async def broken_games(tx: Transaction, told: OnReplayed) -> AsyncIterator[Finding]:
    """Every unfinished game that cannot be read, does not replay to what is stored, or rests because of that."""
    unfinished = await games.unfinished(tx)
    for done, game_id in enumerate(unfinished, start=1):
        finding = await _broken(tx, game_id)
        if finding is not None:
            yield finding
        told(done, len(unfinished))


async def _broken(tx: Transaction, game_id: int) -> Finding | None:
    try:
        game = await games.get(tx, game_id)
    except UnreadableError as error:
        return Finding("unreadable", f"game {game_id}", str(error))
    reason, rests = await why_broken(tx, game), game.status is GameStatus.FROZEN
    if reason:
        return Finding("does not replay", game.code, reason, rests)
    return Finding("frozen", game.code, "it replays: thaw it, or restart the bot", rests) if rests else None


async def why_broken(tx: Transaction, game: Game) -> str:
    """Why a game does not replay to what is stored; empty when it does."""
    return await asyncio.to_thread(fault_of, game, await games.log(tx, game.id))


def fault_of(game: Game, actions: Sequence[ActionRecord]) -> str:
    """Why these actions do not lead to what is stored of a game; empty when they do."""
    try:
        rebuild(game, actions)
    except Exception as error:  # noqa: BLE001 - whatever an engine makes of a log that is damaged
        return str(error) or type(error).__name__
    return ""


async def stuck_posts(tx: Transaction, now: datetime) -> AsyncIterator[Finding]:
    """Every post that waits for long, or waits for somebody to do something."""
    for post in await outbox.waiting_since(tx, now - STUCK_AFTER):
        why = "its place is closed to the bot, or gone" if post.refused else f"tried {post.attempts} times"
        yield Finding("stuck post", f"{post.code} at {post.ply}, {post.kind}", f"since {post.since.isoformat()}, {why}")


async def damaged_rows(tx: Transaction) -> AsyncIterator[Finding]:
    """Every row that refers to one that is not there, or that holds what not every database takes."""
    async for orphan in whole_database.orphans(tx):
        yield Finding("orphan", orphan.where, f"there is no {orphan.refers_to}")
    async for misfit in whole_database.misfits(tx):
        yield Finding("misfit", misfit.where, misfit.why)


async def try_to_open(tx: Transaction, now: datetime) -> str:
    """Open a game, to see whether that is possible; its code. The transaction is to be given up after it.

    Raises:
        StoreError, sqlalchemy's errors: it is not.
    """
    people = (Person(_NOWHERE, "first"), Person(_NOWHERE + 1, "second"))
    opened = NewLobby(
        guild_id=_NOWHERE,
        channel_id=_NOWHERE,
        owner=people[0],
        game=DEFAULT_GAME,
        capacity=len(people),
        expansions=(),
        options={},
    )
    lobby = await lobbies.get(tx, await lobbies.add(tx, opened, now))
    if lobby is None:
        raise LookupError("a lobby that was stored is not there")
    label = new_label()
    while await games.is_taken(tx, label.code):
        label = new_label()
    new = await asyncio.to_thread(found, replace(lobby, members=people), random_seed(), label)
    await games.add(tx, new, now)
    return label.code
