"""Erase a person's data when they ask for it, and again after an older backup was restored.

Open games are resigned first, since others wait in them. Of a finished game only its record remains, in which the seat
replaces the person. Each erasure is remembered as a keyed hash of the user's id: it names no one, but it finds the same
person in a backup that was made before.
"""

from __future__ import annotations

import hmac
import logging
import secrets
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from host.clock import Clock
from host.errors import HostError
from host.events.sign_up import SignUp
from host.games.cache import GameCache
from host.games.moves import Moves
from host.games.reader import GameReader
from host.lobbies import remove_member, require_lobby
from host.observability import game_fields
from host.preferences import LocaleCache
from store import Store, Transaction, games, lobbies, personal_data, processes

log = logging.getLogger(__name__)

_KEY: Final = "forget key"
_MAX_SEATS: Final = 16
"""More seats than any table has, so that every seat resigns with an interaction id of its own."""


@dataclass(frozen=True, slots=True)
class Kept:
    """The erasures of a database: the key of the hashes, and the time of each hash."""

    key: str = ""
    hashes: dict[str, datetime] = field(default_factory=dict)


@dataclass(eq=False)
class Erasure:
    """Export and erasure of the data of a person."""

    _store: Store
    _clock: Clock
    _cache: GameCache
    _games: GameReader
    _moves: Moves
    _locales: LocaleCache
    _sign_up: SignUp

    async def everything(self, user_id: int) -> dict[str, list[dict[str, Any]]]:
        """Return every row about a user, by table."""
        async with self._store.reading() as tx:
            return await personal_data.rows_about(tx, user_id)

    async def open_games(self, user_id: int) -> int:
        """Return the number of open games that an erasure would resign."""
        async with self._store.reading() as tx:
            return len(await games.unfinished_of_player(tx, user_id))

    async def forget(self, user_id: int) -> int:
        """Erase a person and return the number of games resigned. It can be repeated, also after a crash half-way."""
        async with self._store.reading() as tx:
            open_games = await games.unfinished_of_player(tx, user_id)
        await self._sign_up.leave_all(user_id)
        for game_id in open_games:
            await self._leave(game_id, user_id)
        now = self._clock.now()
        async with self._store.writing("forgotten") as tx:
            for lobby_id in await lobbies.open_of_member(tx, user_id):
                await remove_member(tx, await require_lobby(tx, lobby_id), user_id)
            played = await personal_data.games_of(tx, user_id)
            await personal_data.erase(tx, user_id)
            kept = await kept_of(tx)
            key = kept.key or secrets.token_hex(32)
            await processes.save_mark(tx, _KEY, key, now)
            await personal_data.add_forgotten_keys(tx, [_hash(key, user_id)], now)
        self._locales.forget(user_id)
        for game_id in played:
            self._cache.evict(game_id)
        log.info("a person was forgotten", extra={"games": len(open_games)})
        return len(open_games)

    async def leave_empty(self, game_id: int) -> None:
        """Resign an open game for erased players who still have a seat in it, as after a restore."""
        for person in (await self._games.get(game_id)).players:
            if person.user_id < 0:
                await self._leave(game_id, person.user_id)

    async def _leave(self, game_id: int, user_id: int) -> None:
        """Resign a game for a player; a game that refuses, as a frozen one does, stays as it is."""
        game = await self._games.get(game_id)
        seat = game.seat_of(user_id)
        if seat is None:
            return
        try:
            await self._moves.withdraw(game, user_id, -(game_id * _MAX_SEATS + seat + 1))
        except HostError as refused:
            log.info("a game is not resigned: %s", refused, extra=game_fields(game))


async def kept_of(tx: Transaction) -> Kept:
    """Return the erasures of a database."""
    return Kept(await processes.mark_of(tx, _KEY) or "", await personal_data.forgotten_keys(tx))


async def apply_again(tx: Transaction, kept: Kept, now: datetime) -> None:
    """Erase again everyone who was erased in this database, or in the one that ``kept`` comes from.

    Their seats in open games stay empty: their clocks run, or the other players have them replaced.
    """
    for each in (await kept_of(tx), kept):
        if not each.key:
            continue
        for user_id in await personal_data.known_people(tx):
            if _hash(each.key, user_id) in each.hashes:
                await personal_data.erase(tx, user_id)
    if kept.key:
        await processes.save_mark(tx, _KEY, kept.key, now)
        await personal_data.add_forgotten_keys(tx, kept.hashes, now)


def _hash(key: str, user_id: int) -> str:
    return hmac.new(key.encode(), str(user_id).encode(), "sha256").hexdigest()
