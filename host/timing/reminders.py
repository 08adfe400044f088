"""Turn reminders: limited in number, at most one message an hour, as the player chose, and never obsolete."""

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

MAX_REMINDERS_PER_DAY: Final = 6
"""Reminders a user gets in a day at most; those of the last hours are always sent."""
DAY: Final = timedelta(days=1)
REMINDER_SPACING: Final = timedelta(hours=1)
"""Time after a reminder within which anything due waits for the next one."""
MAX_REMINDER_HOURS: Final = 168
"""Longest delay, in hours, after which a player can ask to be reminded."""


class ReminderDecision(NamedTuple):
    """The decision whether to remind a user now; if not, the time to decide again, or None if they know already."""

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

    A mark before the user's latest notification is dropped: that message said how many games wait for them.
    """
    if await timers.is_hushed(tx, game.id, user_id, game.revision):
        return ReminderDecision(now=False)
    if await moves.pending_of(tx, game.id) is not None:
        return ReminderDecision(now=False)
    verdict = ReminderDecision(now=True) if last else await may_notify(tx, user_id, mark, now)
    if verdict.now:
        await timers.add_reminder(tx, user_id, game.id, Reminder(now, last), forget=now - DAY)
    return verdict


async def may_notify(tx: Transaction, user_id: int, mark: datetime | None, now: datetime) -> ReminderDecision:
    """Decide whether a user may be notified now of a matter that was due at ``mark``, or has to wait.

    ``mark`` is None for a matter that notifications of other games do not cover: it waits until an hour after them.
    """
    lately = await timers.reminders_since(tx, user_id, now - DAY)
    if lately and lately[-1].at > now - REMINDER_SPACING:
        latest = lately[-1].at
        return ReminderDecision(
            now=False, again=None if mark is not None and mark <= latest else latest + REMINDER_SPACING
        )
    return ReminderDecision(now=sum(not called.exempt for called in lately) < MAX_REMINDERS_PER_DAY)


async def quiet_ends(tx: Transaction, user_ids: Iterable[int], now: datetime) -> dict[int, datetime]:
    """Return the users who have quiet hours now, with the end of these."""
    user_preferences = await preferences.some(tx, user_ids)
    spans = {user_id: quiet_at(now, quiet_of(each)) for user_id, each in user_preferences.items()}
    return {user_id: span.end for user_id, span in spans.items() if span is not None}


@dataclass(eq=False)
class TurnReminders:
    """The reminders that players have asked for, and deferred notifications of turns."""

    _store: Store
    _clock: Clock
    _messages: Outbox

    async def remind_in(self, game: Game, user_id: int, revision: int | None, hours: int) -> datetime:
        """Schedule a further reminder of the current decision; return its time. It replaces an earlier one.

        Raises:
            HostError: ``bad_hours``, and as for a move.
        """
        check_turn(game, user_id, revision)
        if not 1 <= hours <= MAX_REMINDER_HOURS:
            raise HostError(ErrorCode.BAD_HOURS, most=MAX_REMINDER_HOURS)
        at = self._clock.now() + timedelta(hours=hours)
        async with self._store.writing(game=game.id) as tx:
            await timers.put_wish(tx, game.id, user_id, game.revision)
            await timers.put(tx, Timer(game.id, TimerKind.REMIND, at, subject=user_id))
        return at

    async def mute(self, game: Game, user_id: int, revision: int | None) -> None:
        """Send a user no more reminders of the current decision.

        Raises:
            HostError: as for a move.
        """
        check_turn(game, user_id, revision)
        async with self._store.writing(game=game.id) as tx:
            await timers.put_wish(tx, game.id, user_id, game.revision, hushed=True)
            await timers.done(tx, Timer(game.id, TimerKind.REMIND, self._clock.now(), subject=user_id))

    async def send_due(self, timer: Timer) -> None:
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
                await timers.drop_due(
                    tx, Timer(game.id, TimerKind.NEWS, now, subject=user_id), now
                )  # the reminder includes the deferred notifications
                await self._messages.notice(tx, game, game.ply, PostKind.REMINDER)

    async def delivery_mode(
        self, game: Game, revision: int, user_id: int, user_preferences: Preferences | None = None
    ) -> DeliveryMode:
        """Return the delivery mode for the player whom a card asks; quiet hours defer it until they end."""
        if user_preferences is None:
            async with self._store.reading() as tx:
                user_preferences = await preferences.get(tx, user_id)
        span = quiet_at(self._clock.now(), quiet_of(user_preferences))
        person = game.person_to_act
        if span is not None and person is not None and (person.user_id, game.revision) == (user_id, revision):
            async with self._store.writing(game=game.id) as tx:
                await timers.put_wish(tx, game.id, user_id, revision)
                await timers.put(tx, Timer(game.id, TimerKind.CALL, span.end, subject=user_id))
        return DeliveryMode(span is not None, user_preferences.direct_messages)

    async def delivery_modes(self, user_ids: Iterable[int]) -> dict[int, DeliveryMode]:
        """Return the delivery modes for users who are not to move: nothing is sent to them when quiet hours end."""
        now = self._clock.now()
        async with self._store.reading() as tx:
            user_preferences = await preferences.some(tx, user_ids)
        return {
            user_id: DeliveryMode(quiet_at(now, quiet_of(each)) is not None, each.direct_messages)
            for user_id, each in user_preferences.items()
        }

    async def cannot_write(self, game: Game, user_id: int) -> bool:
        """Turn off direct messages to a user who has closed them: they are mentioned at the table, and told once."""
        async with self._messages.writing(f"preferences {user_id}") as tx:
            user_preferences = await preferences.get(tx, user_id)
            if not user_preferences.direct_messages:
                return False
            await preferences.put(tx, user_id, user_preferences.having(DIRECT, ""))
            await self._messages.notice(tx, game, game.ply, PostKind.UNREACHED)
        return True

    async def drop_late(self, post: Post) -> bool:
        """Drop a reminder, or a message that a player is back, if it is obsolete; return whether it was dropped."""
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
