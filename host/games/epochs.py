"""Detect games that went back after a database was restored from a backup or a failover lost recent writes.

What was posted after the copy was made is still in the thread, and at a start nothing else tells of it. So a card
there that this file has never sent is the proof; while the bot runs, as in a failover, so is a table in memory that is
further on than what is stored. The game then begins a new epoch, whose cards are known by other names, and says once
that it went back.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection
from dataclasses import replace
from typing import NamedTuple

from host.clock import Clock
from host.games.outbox import Outbox, move_nonce, move_post
from host.values import Post
from store import Game, GameStatus, PostKind, Store, Transaction, games, outbox

log = logging.getLogger(__name__)


class CardSeen(NamedTuple):
    """A card of a game that stands in its thread, by what is written in its buttons."""

    epoch: int
    revision: int


class Epoch(NamedTuple):
    """A period of a game since it went back: its number, and the id of the notice once it is sent."""

    number: int
    notice_id: int | None


class Epochs:
    """Detects that a game went back, and continues it in a new epoch."""

    def __init__(self, store: Store, clock: Clock, messages: Outbox) -> None:
        self._store = store
        self._clock = clock
        self._outbox = messages
        self.when_noticed: Callable[[], None] | None = None
        """Called when a cached game was newer than the stored one: all other games may have gone back, too."""

    async def of(self, code: str) -> Epoch | None:
        """Return the epoch of the game with this code, if it ever went back."""
        async with self._store.reading() as tx:
            found = await games.epoch_of_code(tx, code)
            if found is None:
                return None
            game_id, number = found
            return Epoch(number, await outbox.notice_message(tx, game_id, PostKind.WENT_BACK))

    async def is_ahead(self, game: Game, seen: Collection[CardSeen], trying: Post | None = None) -> bool:
        """Return True if the database does not know one of the cards: each attempt to send one is stored before it.

        ``trying`` is the post that is about to be sent, as it was before this attempt. The cards were seen before this
        is asked, so that what another process posts meanwhile is known here.
        """
        async with self._store.reading() as tx:
            record = await games.get(tx, game.id)
            present = {card.revision for card in seen if card.epoch == record.epoch}
            nonces = {move_nonce(record.code, revision, record.epoch) for revision in present}
            tried = await outbox.attempted_nonces(tx, nonces)
        if record.status is GameStatus.FINISHED:  # its older posts may be thinned out, and it never goes on
            return any((card.epoch, card.revision) > (record.epoch, record.revision) for card in seen)
        if trying is not None and trying.first_attempt_at is None:
            tried.discard(trying.nonce)
        return nonces != tried or any(card.epoch > record.epoch for card in seen)

    async def begin(self, game: Game, seen: Collection[CardSeen], ply: int) -> bool:
        """Begin a new epoch of a game that went back to ``ply``; return False if another process has.

        Everything unsent gets a name of the new epoch, a notice comes before it, and the newest card is posted again
        where it would not come by itself.
        """
        latest = max((card.epoch for card in seen), default=0)
        async with self._outbox.writing(game=game.id) as tx:
            record = await games.get(tx, game.id)
            return record.epoch == game.epoch and await self._begun(tx, record, latest, ply)

    async def fell_behind(self, known: Game) -> bool:
        """Begin a new epoch if the stored game is older than the cached one; return False if it is not."""
        async with self._outbox.writing(game=known.id) as tx:
            record = await games.by_id(tx, known.id)
            is_behind = record is not None and (record.epoch, record.revision) < (known.epoch, known.revision)
            if record is None or not (is_behind and await self._begun(tx, record, known.epoch, record.ply)):
                return False
        about = {"game": known.code, "ply": record.ply, "server": record.guild_id, "known": known.revision}
        log.error("a game went back: it is stored as it was before what is in memory; a failover?", extra=about)
        if self.when_noticed is not None:
            self.when_noticed()
        return True

    async def _begun(self, tx: Transaction, record: Game, latest: int, ply: int) -> bool:
        """Begin an epoch after the stored one and the latest that was seen; False when somebody else has."""
        now = self._clock.now()
        epoch = max(int(now.timestamp()), record.epoch + 1, latest + 1)
        if not await games.begin_epoch(tx, record.id, record.epoch, epoch):
            return False
        waiting = await outbox.rename_unsent(
            tx, record.id, lambda revision: move_nonce(record.code, revision, epoch), now
        )
        await self._outbox.notice(tx, record, ply, PostKind.WENT_BACK)
        if record.status is not GameStatus.FROZEN and record.revision not in waiting:
            await self._repeat(tx, record, epoch)
        return True

    async def _repeat(self, tx: Transaction, record: Game, epoch: int) -> None:
        """Post the newest card again, from which the players continue."""
        newest = await outbox.last_sent(tx, record.id, cards_only=True)
        if newest is not None and newest.revision == record.revision:
            again = move_post(replace(record, epoch=epoch), newest.from_ply, newest.ply, newest.kind)
            await outbox.add(tx, again, self._clock.now())
