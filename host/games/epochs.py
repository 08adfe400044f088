"""Detect games that went back in time: their database was restored from a backup, or a failover lost recent writes.

Discord does not go back with the database, so two things give it away. A thread shows a *card*, the message with the
board and the buttons of a move, that this database has never sent. Or, while the bot runs, the cache holds a game
that is further on than the stored one.

The game then begins a new *epoch*: a number that becomes part of the names of its cards, so that new cards cannot be
confused with those posted before. Its players are told once that the game went back.
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
    """A card found in a game's thread, identified by the numbers that its buttons carry."""

    epoch: int
    revision: int


class Epoch(NamedTuple):
    """The period of a game since it last went back."""

    number: int
    notice_id: int | None
    """The id of the message that tells the players of it; None until that message is sent."""


class Epochs:
    """Detects that a game went back, and lets it continue in a new epoch."""

    def __init__(self, store: Store, clock: Clock, messages: Outbox) -> None:
        self._store = store
        self._clock = clock
        self._outbox = messages
        self.on_restored: Callable[[], None] | None = None
        """Called when a cached game was newer than the stored one: all other games may have gone back, too."""

    async def of(self, code: str) -> Epoch | None:
        """Return the epoch of the game with this code; None if it never went back."""
        async with self._store.reading() as tx:
            row = await games.epoch_of_code(tx, code)
            if row is None:
                return None
            game_id, number = row
            return Epoch(number, await outbox.notice_message(tx, game_id, PostKind.WENT_BACK))

    async def has_unknown_card(self, game: Game, seen: Collection[CardSeen], trying: Post | None = None) -> bool:
        """Return whether the database does not know one of the cards seen in a thread.

        An attempt to send a card is stored before the card is sent, so every card in a thread must be among the
        attempts. ``trying`` is the post that is about to be sent, as it was before this attempt; it is no proof of an
        earlier one. Look at the thread before calling this: then cards that another process posts meanwhile do no harm.
        """
        async with self._store.reading() as tx:
            record = await games.get(tx, game.id)
            present = {card.revision for card in seen if card.epoch == record.epoch}
            nonces = {move_nonce(record.code, revision, record.epoch) for revision in present}
            tried = await outbox.attempted_nonces(tx, nonces)
        if record.status is GameStatus.FINISHED:  # older posts may have been deleted, so only newer ones are a proof
            return any((card.epoch, card.revision) > (record.epoch, record.revision) for card in seen)
        if trying is not None and trying.first_attempt_at is None:
            tried.discard(trying.nonce)
        return nonces != tried or any(card.epoch > record.epoch for card in seen)

    async def begin(self, game: Game, seen: Collection[CardSeen], ply: int) -> bool:
        """Begin a new epoch of a game that went back to ``ply``; return False if another process was quicker.

        Unsent posts are renamed after the new epoch, and a notice is posted before them. If no unsent post shows the
        present state of the game, its newest card is posted again.
        """
        latest = max((card.epoch for card in seen), default=0)
        async with self._outbox.writing(game=game.id) as tx:
            record = await games.get(tx, game.id)
            return record.epoch == game.epoch and await self._begin(tx, record, latest, ply)

    async def begin_if_behind(self, cached: Game) -> None:
        """Begin a new epoch if the stored game is older than the cached one."""
        async with self._outbox.writing(game=cached.id) as tx:
            record = await games.by_id(tx, cached.id)
            is_behind = record is not None and (record.epoch, record.revision) < (cached.epoch, cached.revision)
            if record is None or not (is_behind and await self._begin(tx, record, cached.epoch, record.ply)):
                return
        about = {"game": cached.code, "ply": record.ply, "server": record.guild_id, "known": cached.revision}
        log.error("a game went back: the stored one is older than the one in memory; a failover?", extra=about)
        if self.on_restored is not None:
            self.on_restored()

    async def _begin(self, tx: Transaction, record: Game, latest: int, ply: int) -> bool:
        """Begin an epoch later than the stored one and the ``latest`` seen; return False if another process has."""
        now = self._clock.now()
        # The time makes a number that no earlier epoch has used, even one of which neither database nor thread knows.
        epoch = max(int(now.timestamp()), record.epoch + 1, latest + 1)
        if not await games.begin_epoch(tx, record.id, record.epoch, epoch):
            return False
        unsent_revisions = await outbox.rename_unsent(
            tx, record.id, lambda revision: move_nonce(record.code, revision, epoch), now
        )
        await self._outbox.add_notice(tx, replace(record, ply=ply), PostKind.WENT_BACK)
        if record.status is not GameStatus.FROZEN and record.revision not in unsent_revisions:
            await self._post_newest_card(tx, record, epoch)
        return True

    async def _post_newest_card(self, tx: Transaction, record: Game, epoch: int) -> None:
        """Post the newest card again, from which the players continue."""
        newest = await outbox.last_sent(tx, record.id, cards_only=True)
        if newest is not None and newest.revision == record.revision:
            card = move_post(replace(record, epoch=epoch), newest.from_ply, newest.ply, newest.kind)
            await outbox.add(tx, card, self._clock.now())
