"""Reminders of turns: not too often, in one message for an hour, as they wish it in this turn, and never too late."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from host.clock import Clock
from host.clocks import quiet_at, quiet_of
from host.errors import ErrorCode, HostError
from host.games.outbox import Outbox
from host.notifications import POSTS, Obsolete
from host.rights import check_turn
from host.values import Post
from store import (
    DIRECT,
    Game,
    GameStatus,
    PostKind,
    Preferences,
    Reminder,
    Store,
    Timer,
    TimerKind,
    Transaction,
    absences,
    games,
    moves,
    outbox,
    preferences,
    timers,
)

MOST_A_DAY: Final = 6
"""Reminders that somebody gets in a day at most; those of the last hours come in any case."""
DAY: Final = timedelta(days=1)
APART: Final = timedelta(hours=1)
"""Time after a reminder within which whatever falls due waits for the next one."""
LONGEST_REMINDER: Final = 168
"""Hours after which somebody can ask to be reminded."""


class ReminderDecision(NamedTuple):
    """The decision whether to remind a user now; if not, the time to look again, or None if they have been told."""

    now: bool
    again: datetime | None = None


class DeliveryMode(NamedTuple):
    """The delivery of a notification: deferred by quiet hours or not, and with a direct message or without."""

    quiet: bool
    direct: bool


async def may_remind(
    tx: Transaction, game: Game, user_id: int, mark: datetime, now: datetime, *, last: bool
) -> ReminderDecision:
    """Decide whether to send the reminder that was due at ``mark`` now; if so, count it.

    Whatever was due when he was called last is part of that message, which says how many games wait for him.
    """
    if await timers.is_hushed(tx, game.id, user_id, game.revision):
        return ReminderDecision(now=False)
    if await moves.pending_of(tx, game.id) is not None:
        return ReminderDecision(now=False)
    verdict = ReminderDecision(now=True) if last else await room_for(tx, user_id, mark, now)
    if verdict.now:
        await timers.add_reminder(tx, user_id, game.id, Reminder(now, last), forget=now - DAY)
    return verdict


async def room_for(tx: Transaction, user_id: int, mark: datetime | None, now: datetime) -> ReminderDecision:
    """Decide whether a user was notified seldom enough to be notified now of what was due at ``mark``.

    None for what no message about another game says: that waits until an hour after it.
    """
    lately = await timers.reminders_since(tx, user_id, now - DAY)
    if lately and lately[-1].at > now - APART:
        latest = lately[-1].at
        return ReminderDecision(now=False, again=None if mark is not None and mark <= latest else latest + APART)
    return ReminderDecision(now=sum(not called.exempt for called in lately) < MOST_A_DAY)


async def ends_of_quiet(tx: Transaction, user_ids: Iterable[int], now: datetime) -> dict[int, datetime]:
    """Return the users who have quiet hours now, with the end of these."""
    wishes = await preferences.some(tx, user_ids)
    spans = {user_id: quiet_at(now, quiet_of(each)) for user_id, each in wishes.items()}
    return {user_id: span.end for user_id, span in spans.items() if span is not None}


@dataclass(eq=False)
class TurnReminders:
    """The reminders that players have asked for, and deferred notifications of turns."""

    _store: Store
    _clock: Clock
    _messages: Outbox

    async def remind_in(self, game: Game, user_id: int, revision: int | None, hours: int) -> datetime:
        """Remind a user again of the present question; return the time. Only the last request counts.

        Raises:
            HostError: ``bad_hours``, and as for a move.
        """
        check_turn(game, user_id, revision)
        if not 1 <= hours <= LONGEST_REMINDER:
            raise HostError(ErrorCode.BAD_HOURS, most=LONGEST_REMINDER)
        at = self._clock.now() + timedelta(hours=hours)
        async with self._store.writing(game=game.id) as tx:
            await timers.put_wish(tx, game.id, user_id, game.revision)
            await timers.put(tx, Timer(game.id, TimerKind.REMIND, at, subject=user_id))
        return at

    async def hush(self, game: Game, user_id: int, revision: int | None) -> None:
        """Send a user no more reminders of the present question.

        Raises:
            HostError: as for a move.
        """
        check_turn(game, user_id, revision)
        async with self._store.writing(game=game.id) as tx:
            await timers.put_wish(tx, game.id, user_id, game.revision, hushed=True)
            await timers.done(tx, Timer(game.id, TimerKind.REMIND, self._clock.now(), subject=user_id))

    async def call(self, timer: Timer) -> None:
        """Send a notification that was asked for or deferred by quiet hours, unless the user has moved since."""
        now, user_id = self._clock.now(), timer.subject
        async with self._messages.writing(game=timer.game_id) as tx:
            if not await timers.claim(tx, timer):
                return
            game = await games.get(tx, timer.game_id)
            if await absences.closed_since(tx, game.id) is not None:
                return  # no one could read it; the card that is posted when they can mentions them
            if game.revision == await timers.turn_of(tx, game.id, user_id) and await is_awaited(tx, game, user_id):
                await timers.add_reminder(tx, user_id, game.id, Reminder(now, exempt=True), forget=now - DAY)
                await timers.drop_due(tx, Timer(game.id, TimerKind.NEWS, now, subject=user_id), now)  # said with it
                await self._messages.notice(tx, game, game.ply, PostKind.REMINDER)

    async def manner(self, game: Game, revision: int, user_id: int, wishes: Preferences | None = None) -> DeliveryMode:
        """Return the delivery mode for the player whom a card asks; quiet hours defer it until they end."""
        if wishes is None:
            async with self._store.reading() as tx:
                wishes = await preferences.get(tx, user_id)
        span = quiet_at(self._clock.now(), quiet_of(wishes))
        person = game.person_to_act
        if span is not None and person is not None and (person.user_id, game.revision) == (user_id, revision):
            async with self._store.writing(game=game.id) as tx:
                await timers.put_wish(tx, game.id, user_id, revision)
                await timers.put(tx, Timer(game.id, TimerKind.CALL, span.end, subject=user_id))
        return DeliveryMode(span is not None, wishes.direct_messages)

    async def manners(self, user_ids: Iterable[int]) -> dict[int, DeliveryMode]:
        """Return the delivery modes for users whose turn it is not: nothing follows when their quiet hours end."""
        now = self._clock.now()
        async with self._store.reading() as tx:
            wishes = await preferences.some(tx, user_ids)
        return {
            user_id: DeliveryMode(quiet_at(now, quiet_of(each)) is not None, each.direct_messages)
            for user_id, each in wishes.items()
        }

    async def cannot_write(self, game: Game, user_id: int) -> bool:
        """Turn off direct messages to a user who has closed them: they are mentioned at the table, and told once."""
        async with self._messages.writing(f"preferences {user_id}") as tx:
            wishes = await preferences.get(tx, user_id)
            if not wishes.direct_messages:
                return False
            await preferences.put(tx, user_id, wishes.having(DIRECT, ""))
            await self._messages.notice(tx, game, game.ply, PostKind.UNREACHED)
        return True

    async def drop_late(self, post: Post) -> bool:
        """Drop a reminder, or a message that a player is back, if it is of no use any more; whether it was dropped."""
        if POSTS[post.kind].obsolete is not Obsolete.NOT_AWAITED:
            return False
        async with self._store.reading() as tx:
            game = await games.get(tx, post.game_id)
            person = game.person_to_act
            needed = game.revision == post.revision and person and await is_awaited(tx, game, person.user_id)
        if needed:
            return False
        async with self._messages.writing() as tx:
            await outbox.drop(tx, post.id, self._clock.now())
        return True

    async def others_waiting(self, game: Game) -> int:
        """Return the number of other games that wait for the player whom this one asks."""
        if game.person_to_act is None:
            return 0
        async with self._store.reading() as tx:
            return max(0, await games.count_waiting_for(tx, game.person_to_act.user_id) - 1)


async def is_awaited(tx: Transaction, game: Game, user_id: int) -> bool:
    """Return whether a game waits for a player, who has not decided yet."""
    person = game.person_to_act
    mine = game.status is GameStatus.RUNNING and person is not None and person.user_id == user_id
    return mine and await moves.pending_of(tx, game.id) is None
