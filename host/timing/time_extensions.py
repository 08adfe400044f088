"""Giving time: a player lets another one have more of it, and the whole table is told."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Final

from host import clocks as arithmetic
from host.clock import Clock
from host.clocks import MILLISECOND, pace_of
from host.errors import ErrorCode, HostError
from host.games.outbox import Outbox
from host.observability import game_fields
from host.rights import check_playing
from host.values import Post
from store import Game, GameStatus, Gift, NewPost, PostKind, SeatClock, Store, Transaction, clocks, games, outbox

log = logging.getLogger(__name__)

MOST: Final = timedelta(days=1)
"""Longest extension that can be given at a time."""
APART: Final = timedelta(hours=1)
"""Time for which a player who has given time in a game gives none again there."""
AMOUNTS: Final = (timedelta(hours=6), timedelta(hours=12), MOST)
LIVE_AMOUNTS: Final = (timedelta(minutes=1), timedelta(minutes=5), timedelta(minutes=15))


def usual_gifts(game: Game) -> Sequence[timedelta]:
    """Return the extensions that are offered, the default last; none where no clocks run any more."""
    pace = pace_of(game.settings.pace)
    if pace is None or game.status is not GameStatus.RUNNING:
        return ()
    return LIVE_AMOUNTS if pace.live else AMOUNTS


@dataclass(eq=False)
class TimeExtensions:
    """Time that players give each other.

    The timer of the game's clock stays as it is: when it comes up, it finds the new zero, and waits for that.
    """

    _store: Store
    _clock: Clock
    _messages: Outbox

    async def give(
        self, game_id: int, user_id: int, receiver_id: int, amount: timedelta, interaction_id: int
    ) -> tuple[Game, Gift]:
        """Let a player have more time; the same interaction gives it once.

        Raises:
            HostError: ``not_a_player``, ``game_over``, ``frozen``, ``resigned``, ``no_clocks``, ``gives_self``,
                ``has_left``, ``bad_gift``, ``gave_lately``.
        """
        async with self._messages.writing(game=game_id) as tx:
            game, last = await games.get(tx, game_id), await clocks.last_gift_of(tx, game_id, user_id)
            if last is not None and last.interaction_id == interaction_id:
                return game, last
            check_playing(game, user_id)
            clock = await self._clock_of(tx, game, user_id, receiver_id)
            now = self._clock.now()
            if not timedelta(0) < amount <= MOST:
                raise HostError(ErrorCode.BAD_GIFT, code=game.code, most=MOST // timedelta(hours=1))
            if last is not None and now - last.at < APART:
                raise HostError(ErrorCode.GAVE_LATELY, code=game.code, again=int((last.at + APART).timestamp()))
            gift = Gift(
                game_id=game.id,
                user_id=user_id,
                seat=clock.seat,
                amount=amount // MILLISECOND,
                at=now,
                interaction_id=interaction_id,
            )
            await clocks.save(tx, [arithmetic.grant(clock, gift.amount)])
            gift = replace(gift, id=await clocks.add_gift(tx, gift))
            await outbox.add(tx, _told(game, gift), now)
        log.info(
            "time given", extra={**game_fields(game), "user": user_id, "seat": gift.seat, "milliseconds": gift.amount}
        )
        return game, gift

    async def told_by(self, post: Post) -> Gift | None:
        """The gift of which a message tells."""
        number = post.nonce.rpartition("-t")[2]
        async with self._store.reading() as tx:
            gift = await clocks.gift_by_id(tx, int(number)) if number.isdecimal() else None
        return gift if gift is not None and gift.game_id == post.game_id else None

    async def _clock_of(self, tx: Transaction, game: Game, user_id: int, receiver_id: int) -> SeatClock:
        """The clock of whom something is given.

        Raises:
            HostError: ``no_clocks``, ``gives_self``, ``has_left``.
        """
        seats = (await clocks.of_game(tx, game.id)).seats if pace_of(game.settings.pace) else ()
        if not seats:
            raise HostError(ErrorCode.NO_CLOCKS, code=game.code)
        if receiver_id == user_id:
            raise HostError(ErrorCode.GIVES_SELF, code=game.code)
        seat = game.seat_of(receiver_id)
        if seat is None or not game.plays(receiver_id):
            raise HostError(ErrorCode.HAS_LEFT, code=game.code)
        return seats[seat]


def _told(game: Game, gift: Gift) -> NewPost:
    nonce = f"{game.code}-{game.revision}-t{gift.id}"
    return NewPost(
        game_id=game.id, from_ply=game.ply, ply=game.ply, kind=PostKind.GIVEN, nonce=nonce, taken_back=game.taken_back
    )
