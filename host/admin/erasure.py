"""Export and erasure of a person's data, at their request.

An erasure first resigns the person's open games, in which others wait for them. Of finished games only the records
remain, with the seat's number in place of the person.

A backup that is restored later may bring the data back. So each erasure is remembered as a keyed hash of the user's id,
which identifies nobody by itself. After a restore, everybody whose hash is remembered is erased again
(:func:`apply_again`).
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

_HASH_KEY_NAME: Final = "forget key"
"""The name under which the key of the hashes is stored."""
_MAX_SEATS: Final = 16
"""More seats than any game has, so that every seat resigns with an interaction id of its own."""


@dataclass(frozen=True, slots=True)
class RememberedErasures:
    """The erasures that a database remembers."""

    key: str = ""
    """The secret key of the hashes; empty before the first erasure."""
    hashes: dict[str, datetime] = field(default_factory=dict)
    """The time of each erasure, by the hash of the user's id."""


@dataclass(eq=False)
class Erasure:
    """Exports and erases the data of a person."""

    _store: Store
    _clock: Clock
    _cache: GameCache
    _games: GameReader
    _moves: Moves
    _locales: LocaleCache
    _sign_up: SignUp

    async def export(self, user_id: int) -> dict[str, list[dict[str, Any]]]:
        """Return all rows about a user, by table."""
        return await self._store.read(personal_data.rows_about, user_id)

    async def count_open_games(self, user_id: int) -> int:
        """Return the number of open games that an erasure would resign."""
        return len(await self._store.read(games.unfinished_of_player, user_id))

    async def erase(self, user_id: int) -> int:
        """Erase a person's data; return the number of games resigned. After a crash half-way it can be repeated."""
        open_games = await self._store.read(games.unfinished_of_player, user_id)
        await self._sign_up.leave_all(user_id)
        for game_id in open_games:
            await self._resign(game_id, user_id)
        now = self._clock.now()
        async with self._store.writing("forgotten") as tx:
            for lobby_id in await lobbies.open_of_member(tx, user_id):
                await remove_member(tx, await require_lobby(tx, lobby_id), user_id)
            played = await personal_data.games_of(tx, user_id)
            await personal_data.erase(tx, user_id)
            key = (await remembered_erasures(tx)).key or secrets.token_hex(32)
            await processes.save_mark(tx, _HASH_KEY_NAME, key, now)
            await personal_data.add_forgotten_keys(tx, [_hash(key, user_id)], now)
        self._locales.forget(user_id)
        for game_id in played:
            self._cache.evict(game_id)
        log.info("a person was erased", extra={"games": len(open_games)})
        return len(open_games)

    async def resign_erased_players(self, game_id: int) -> None:
        """Resign an open game for erased players who still have a seat in it, as they may after a restore."""
        for person in (await self._games.get(game_id)).players:
            if person.user_id < 0:
                await self._resign(game_id, person.user_id)

    async def _resign(self, game_id: int, user_id: int) -> None:
        """Resign a game for a player; one in which that is not possible, such as a frozen game, stays as it is."""
        game = await self._games.get(game_id)
        seat = game.seat_of(user_id)
        if seat is None:
            return
        try:
            await self._moves.withdraw(game, user_id, -(game_id * _MAX_SEATS + seat + 1))
        except HostError as error:
            log.info("a game could not be resigned: %s", error, extra=game_fields(game))


async def remembered_erasures(tx: Transaction) -> RememberedErasures:
    """Return the erasures that a database remembers."""
    return RememberedErasures(await processes.mark_of(tx, _HASH_KEY_NAME) or "", await personal_data.forgotten_keys(tx))


async def apply_again(tx: Transaction, other: RememberedErasures, now: datetime) -> None:
    """Erase again everybody who was erased in this database, or in another one whose erasures are ``other``.

    Their seats in open games stay, as those of absent players: their clocks run, or the others have them replaced.
    """
    for erasures in (await remembered_erasures(tx), other):
        if not erasures.key:
            continue
        for user_id in await personal_data.known_people(tx):
            if _hash(erasures.key, user_id) in erasures.hashes:
                await personal_data.erase(tx, user_id)
    if other.key:
        await processes.save_mark(tx, _HASH_KEY_NAME, other.key, now)
        await personal_data.add_forgotten_keys(tx, other.hashes, now)


def _hash(key: str, user_id: int) -> str:
    """Return the keyed hash by which a user is recognised."""
    return hmac.new(key.encode(), str(user_id).encode(), "sha256").hexdigest()
