"""Taking a person out of everything, when they ask for it, and again after an older copy was restored.

Open games are resigned first, since others wait in them. What remains of a finished game is its record, in which a seat
stands in the place of the person. That somebody was forgotten is kept as a keyed hash: it names nobody, but whoever
holds a copy from before can be found in it.
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
from host.lobbies import known_lobby, remove_member
from host.observability import game_fields
from host.preferences import LocaleCache
from store import Store, Transaction, games, lobbies, personal_data, processes

log = logging.getLogger(__name__)

_KEY: Final = "forget key"
_SEATS: Final = 16
"""More than there are at any table: so that no two seats resign by the same number."""


@dataclass(frozen=True, slots=True)
class Kept:
    """Who was forgotten in a database: the key, and the hashes."""

    key: str = ""
    hashes: dict[str, datetime] = field(default_factory=dict)


class Erasure:
    """Everything about a person, to see and to take out."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        cache: GameCache,
        games: GameReader,
        moves: Moves,
        tongues: LocaleCache,
        sign_up: SignUp,
    ) -> None:
        self._store = store
        self._clock = clock
        self._cache = cache
        self._games = games
        self._moves = moves
        self._tongues = tongues
        self._sign_up = sign_up

    async def everything(self, user_id: int) -> dict[str, list[dict[str, Any]]]:
        """Every row in which somebody stands, by table."""
        async with self._store.reading() as tx:
            return await personal_data.everything(tx, user_id)

    async def open_games(self, user_id: int) -> int:
        """How many games somebody would resign."""
        async with self._store.reading() as tx:
            return len(await games.unfinished_of(tx, user_id))

    async def forget(self, user_id: int) -> int:
        """Take a person out; how many games were resigned. Safe to repeat, and after a crash in the middle."""
        async with self._store.reading() as tx:
            open_games = await games.unfinished_of(tx, user_id)
        await self._sign_up.leave_all(user_id)
        for game_id in open_games:
            await self._leave(game_id, user_id)
        now = self._clock.now()
        async with self._store.writing("forgotten") as tx:
            for lobby_id in await lobbies.open_of(tx, user_id):
                await remove_member(tx, await known_lobby(tx, lobby_id), user_id)
            played = await personal_data.games_of(tx, user_id)
            await personal_data.forget(tx, user_id)
            kept = await kept_of(tx)
            key = kept.key or secrets.token_hex(32)
            await processes.put_mark(tx, _KEY, key, now)
            await personal_data.add_forgotten_keys(tx, [_hash(key, user_id)], now)
        self._tongues.forget(user_id)
        for game_id in played:
            self._cache.forget(game_id)
        log.info("a person was forgotten", extra={"games": len(open_games)})
        return len(open_games)

    async def leave_empty(self, game_id: int) -> None:
        """Resign an open game for all who were forgotten and still have a seat in it, as after a restore."""
        for person in (await self._games.get(game_id)).players:
            if person.user_id < 0:
                await self._leave(game_id, person.user_id)

    async def _leave(self, game_id: int, user_id: int) -> None:
        """Resign a game; one that rests or cannot be read is left as it is, but for the name."""
        game = await self._games.get(game_id)
        seat = game.seat_of(user_id)
        if seat is None:
            return
        try:
            await self._moves.withdraw(game, user_id, -(game_id * _SEATS + seat + 1))
        except HostError as refused:
            log.info("a game is not resigned: %s", refused, extra=game_fields(game))


async def kept_of(tx: Transaction) -> Kept:
    """Who was forgotten in a database."""
    return Kept(await processes.mark(tx, _KEY) or "", await personal_data.forgotten_keys(tx))


async def apply_again(tx: Transaction, kept: Kept, now: datetime) -> None:
    """Take all out who were forgotten, here or in the database of which these are kept.

    Their seats in open games stay empty: their clocks run, or the others have them replaced.
    """
    for each in (await kept_of(tx), kept):
        if not each.key:
            continue
        for user_id in await personal_data.known_people(tx):
            if _hash(each.key, user_id) in each.hashes:
                await personal_data.forget(tx, user_id)
    if kept.key:
        await processes.put_mark(tx, _KEY, kept.key, now)
        await personal_data.add_forgotten_keys(tx, kept.hashes, now)


def _hash(key: str, user_id: int) -> str:
    return hmac.new(key.encode(), str(user_id).encode(), "sha256").hexdigest()
