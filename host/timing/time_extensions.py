"""Time extensions: a player gives another player of the same game more time, and a notice tells everybody.

The time is added to the other player's *bank*, the time that they have for the whole game. The store calls such a gift
of time a :class:`~store.Gift`. How much can be given depends on the *pace*, the time control of the game. The notice
carries the id of the gift in its *nonce*, a text that identifies the message.
"""

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
from host.games.outbox import Outbox, notice_post
from host.observability import game_fields
from host.rights import check_playing
from host.values import Post
from store import Game, GameStatus, Gift, PostKind, SeatClock, Store, Transaction, clocks, games, outbox

log = logging.getLogger(__name__)

MAX_EXTENSION: Final = timedelta(days=1)
"""The longest single extension."""
EXTENSION_SPACING: Final = timedelta(hours=1)
"""The least time between two extensions by the same player in one game."""
OFFERED_EXTENSIONS: Final = (timedelta(hours=6), timedelta(hours=12), MAX_EXTENSION)
"""The extensions that a player can choose from in a game of days."""
OFFERED_LIVE_EXTENSIONS: Final = (timedelta(minutes=1), timedelta(minutes=5), timedelta(minutes=15))
"""The extensions that a player can choose from in a live game, which takes minutes."""


def offered_extensions(game: Game) -> Sequence[timedelta]:
    """Return the extensions to offer in a game, the default last; none if its clocks do not run."""
    pace = pace_of(game.settings.pace)
    if pace is None or game.status is not GameStatus.RUNNING:
        return ()
    return OFFERED_LIVE_EXTENSIONS if pace.live else OFFERED_EXTENSIONS


@dataclass(eq=False)
class TimeExtensions:
    """Lets players extend each other's time.

    The timer of the extended clock is not changed: when it fires too early, it is set again.
    """

    _store: Store
    _clock: Clock
    _outbox: Outbox

    async def give(
        self, game_id: int, user_id: int, receiver_id: int, amount: timedelta, interaction_id: int
    ) -> tuple[Game, Gift]:
        """Extend another player's time; return the game and the gift. A repeated interaction changes nothing.

        Raises:
            HostError: ``not_a_player``, ``game_over``, ``frozen``, ``resigned``, ``no_clocks``, ``gives_self``,
                ``has_left``, ``bad_gift``, ``gave_lately``.
        """
        async with self._outbox.writing(game=game_id) as tx:
            game, last = await games.get(tx, game_id), await clocks.last_gift_of(tx, game_id, user_id)
            if last is not None and last.interaction_id == interaction_id:
                return game, last
            check_playing(game, user_id)
            clock = await self._clock_of(tx, game, user_id, receiver_id)
            now = self._clock.now()
            if not timedelta(0) < amount <= MAX_EXTENSION:
                raise HostError(ErrorCode.BAD_GIFT, code=game.code, most=MAX_EXTENSION // timedelta(hours=1))
            if last is not None and now - last.at < EXTENSION_SPACING:
                raise HostError(
                    ErrorCode.GAVE_LATELY, code=game.code, again=int((last.at + EXTENSION_SPACING).timestamp())
                )
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
            await outbox.add(tx, notice_post(game, PostKind.GIVEN, f"t{gift.id}"), now)
        log.info(
            "time given", extra={**game_fields(game), "user": user_id, "seat": gift.seat, "milliseconds": gift.amount}
        )
        return game, gift

    async def announced_in(self, post: Post) -> Gift | None:
        """Return the gift that a post announces, whose id is in the post's nonce; None for any other post."""
        gift_id = post.nonce.rpartition("-t")[2]
        gift = await self._store.read(clocks.gift_by_id, int(gift_id)) if gift_id.isdecimal() else None
        return gift if gift is not None and gift.game_id == post.game_id else None

    async def _clock_of(self, tx: Transaction, game: Game, user_id: int, receiver_id: int) -> SeatClock:
        """Return the clock of the receiver; check that they may get time from this player.

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
