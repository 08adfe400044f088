"""Reminders of a player's turn, and notifications that wait for the end of a player's quiet hours.

:class:`TurnReminders` sends reminders: only if the player wants them and the game still waits for them, at most one an
hour and a few a day, over all games of the player.

:class:`UntimedGames` does the same in games without clocks, and closes games that nobody plays any more. Its due times
follow from the last move, and a timer checks them at least once a day, so that a move need not set a timer. While the
place of a game is closed to the bot, nobody is reminded, and that time does not count towards closing the game.

:class:`DeferredNotifications` keeps what a player who is not to move has missed in their *quiet hours*, in which they
are not pinged, and delivers it in one message when these end. Only that end is stored, as a timer. What was missed is
read back from the outbox: the posts sent in those hours, as far as they are still relevant (a question that can still
be answered, for example).
"""

from __future__ import annotations

import logging
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Final, NamedTuple, assert_never

from engine import GAMES, EngineError
from engine.actions import Seat
from host.clock import Clock
from host.clocks import Quiet, next_untimed_reminder, outside_quiet_hours, quiet_at, quiet_of
from host.errors import ErrorCode, HostError
from host.games.cache import PlayedGame
from host.games.move import schedule_follow_up
from host.games.outbox import Outbox, notice_post
from host.games.reader import GameReader
from host.games.timekeeping import IDLE_CHECK_INTERVAL
from host.notifications import CONDITIONS, DEFERRED, POSTS, URGENT_MATTERS, Condition, Matter, Obsolete
from host.observability import game_fields
from host.rights import check_playing, check_turn
from host.values import Post
from host.votes.votes import INVITED_USER, is_open, request_in, required_voters
from store import absences, games, lobbies, moves, outbox, preferences, requests, timers
from store.connection.database import Store, Transaction
from store.errors import PlyConflictError
from store.play.timers import Reminder, UntimedGame
from store.preferences import DIRECT_MESSAGES, Preferences, Reminders
from store.records import Game, GameStatus, LobbyState, PostKind, Timer, TimerKind

log = logging.getLogger(__name__)

IDLE_CLOSE_DELAY: Final = timedelta(days=60)
"""The time without a move after which a game without clocks is closed."""
CLOSING_NOTICE_LEADS: Final = (timedelta(days=7), timedelta(days=1))
"""The times before the closing at which it is announced."""
CONFLICT_RETRY_DELAY: Final = timedelta(minutes=5)
"""The delay before the next check if a move was made at the same moment."""
_NEVER: Final = datetime.max.replace(tzinfo=UTC)
"""The deadline of a turn without a clock."""


def last_activity(game: Game, untimed: UntimedGame) -> datetime:
    """Return the last time at which a player moved or asked to keep the game."""
    return max(game.updated_at, untimed.since, untimed.kept_at or untimed.since)


def without_answered_warnings(game: Game, untimed: UntimedGame) -> UntimedGame:
    """Return the record of a game without warnings that a move, or a request to keep the game, has answered."""
    answered = untimed.warned_at is not None and untimed.warned_at <= last_activity(game, untimed)
    return replace(untimed, warnings=0, warned_at=None) if answered else untimed


def is_warned(game: Game, untimed: UntimedGame) -> bool:
    """Return whether the closing of a game was announced and not answered."""
    return without_answered_warnings(game, untimed).warned_at is not None


def next_due(game: Game, untimed: UntimedGame) -> datetime:
    """Return the time at which the next warning is due or, after both warnings, the closing of the game."""
    if untimed.warned_at is None:
        return last_activity(game, untimed) + IDLE_CLOSE_DELAY - CLOSING_NOTICE_LEADS[0]
    waits = (*CLOSING_NOTICE_LEADS, timedelta(0))
    return untimed.warned_at + waits[untimed.warnings - 1] - waits[untimed.warnings]


def closes_at(game: Game, untimed: UntimedGame) -> datetime:
    """Return the time at which a game is closed unless a player reacts."""
    if untimed.warned_at is None:
        return last_activity(game, untimed) + IDLE_CLOSE_DELAY
    return untimed.warned_at + CLOSING_NOTICE_LEADS[untimed.warnings - 1]


@dataclass(eq=False)
class UntimedGames:
    """Sends reminders in games without clocks, and closes those that nobody plays any more."""

    _store: Store
    _clock: Clock
    _outbox: Outbox
    _games: GameReader

    async def adopt_existing(self) -> None:
        """Include games created by older releases, as if they had begun now."""
        now = self._clock.now()
        async with self._store.writing("idle") as tx:
            await timers.adopt_untimed(tx, now, now + IDLE_CHECK_INTERVAL)

    async def check_game(self, timer: Timer) -> None:
        """Remind the player of a game, announce its closing, or close it, whichever is due; handles its timer."""
        async with self._games.locks.hold(timer.game_id):
            try:
                async with self._outbox.writing(game=timer.game_id) as tx:
                    if await timers.claim(tx, timer):
                        await self._check(tx, timer)
            except PlyConflictError:  # somebody has just moved, or has a pending move: the game is not abandoned
                await self._store.write(timers.lease, timer, self._clock.now() + CONFLICT_RETRY_DELAY)

    async def _check(self, tx: Transaction, timer: Timer) -> None:
        """Do whatever is due in a game, and set its next timer."""
        game, untimed = await games.get(tx, timer.game_id), await timers.untimed(tx, timer.game_id)
        now = self._clock.now()
        if game.status is GameStatus.FINISHED or untimed is None:
            return
        place_closed = await absences.closed_since(tx, game.id) is not None
        if place_closed or game.status is GameStatus.FROZEN:  # nobody can play: start counting the days again
            untimed = UntimedGame(game_id=game.id, since=now, looked_at=now)
        untimed = without_answered_warnings(game, untimed)

        if place_closed:
            reminded_until, check_at = now, now + IDLE_CHECK_INTERVAL
        elif next_due(game, untimed) > now:
            reminded_until, check_at = await self._remind(tx, game, untimed, now)
        elif untimed.warnings < len(CLOSING_NOTICE_LEADS):
            await self._outbox.add_notice(tx, game, PostKind.CLOSING)
            untimed = replace(untimed, warnings=untimed.warnings + 1, warned_at=now)
            reminded_until, check_at = now, now + IDLE_CHECK_INTERVAL
        else:
            await self._close(tx, game, now)
            return

        await timers.save_untimed(tx, replace(untimed, looked_at=reminded_until))
        check_at = min(check_at, next_due(game, untimed), now + IDLE_CHECK_INTERVAL)
        await timers.save(tx, Timer(game.id, TimerKind.IDLE, check_at))

    async def _remind(
        self, tx: Transaction, game: Game, untimed: UntimedGame, now: datetime
    ) -> tuple[datetime, datetime]:
        """Remind the player to move if that is due and wanted; nobody is reminded of a lesson.

        Return the time up to which all reminders are dealt with, and the time of the next check that this needs.
        """
        person = game.person_to_act
        if person is None or game.status is not GameStatus.RUNNING or game.settings.lesson:
            return now, now + IDLE_CHECK_INTERVAL
        vacations = [entry for entry in await absences.coming_vacations(tx, [person.user_id], now) if entry.covers(now)]
        if vacations:  # players on vacation are reminded after it
            return untimed.looked_at, vacations[0].ends_at
        user_preferences = await preferences.get(tx, person.user_id)
        turn_start, quiet = max(game.updated_at, untimed.since), quiet_of(user_preferences)
        mark = outside_quiet_hours(next_untimed_reminder(turn_start, max(turn_start, untimed.looked_at)), _NEVER, quiet)
        if mark > now:
            return untimed.looked_at, mark
        if user_preferences.reminders is Reminders.ALL:
            wanted, retry_at = await may_remind(tx, game, person.user_id, mark, now, last=False)
            if retry_at is not None:
                return untimed.looked_at, retry_at
            if wanted:
                await self._outbox.add_notice(tx, game, PostKind.REMINDER)
        return now, outside_quiet_hours(next_untimed_reminder(turn_start, now), _NEVER, quiet)

    async def _close(self, tx: Transaction, game: Game, now: datetime) -> None:
        """Close a game without a result, and post a notice."""
        await games.close(tx, game.id, game.stamp, now)
        await schedule_follow_up(tx, game, now)
        await self._outbox.add_notice(tx, game, PostKind.CLOSED)
        log.info("game closed: abandoned by its players", extra=game_fields(game))

    async def closes_at(self, game: Game) -> datetime | None:
        """Return the time at which a game will be closed as announced; None if no announcement holds."""
        untimed = await self._store.read(timers.untimed, game.id)
        if untimed is None or game.status is GameStatus.FINISHED or not is_warned(game, untimed):
            return None
        return closes_at(game, untimed)

    async def keep(self, game: Game, user_id: int) -> datetime:
        """Keep a game open at the request of a player; return the time at which it would be closed now.

        Raises:
            HostError: ``not_a_player``, ``game_over``, ``frozen``, ``resigned``, ``not_idle``.
        """
        check_playing(game, user_id)
        async with self._store.writing(game=game.id) as tx:
            untimed = await timers.untimed(tx, game.id)
            if untimed is None:
                raise HostError(ErrorCode.NOT_IDLE, code=game.code)
            untimed = replace(untimed, kept_at=self._clock.now(), warnings=0, warned_at=None)
            await timers.save_untimed(tx, untimed)
        log.info("table kept", extra={**game_fields(game), "user": user_id})
        return closes_at(game, untimed)


MAX_REMINDERS_PER_DAY: Final = 6
"""The most reminders that a user gets in a day over all games, apart from those of the last hours of a clock."""
DAY: Final = timedelta(days=1)
"""The time over which reminders are counted, and for which missed notifications are looked up."""
REMINDER_SPACING: Final = timedelta(hours=1)
"""The least time between two reminders of a user over all games; one that is due sooner waits."""
MAX_REMINDER_HOURS: Final = 168
"""The longest delay, in hours, after which a player can ask to be reminded."""


class ReminderDecision(NamedTuple):
    """The decision whether to remind a user."""

    now: bool
    """True to remind them now."""
    again: datetime | None = None
    """The time at which to decide again; None if the reminder is dropped or sent now."""


class DeliveryMode(NamedTuple):
    """The way in which a user is notified."""

    quiet: bool
    """True if the user has quiet hours, and so must not be pinged now."""
    direct: bool
    """True if the user wants a direct message as well."""


async def may_remind(
    tx: Transaction, game: Game, user_id: int, mark: datetime, now: datetime, *, last: bool
) -> ReminderDecision:
    """Decide whether to send now the reminder of a turn that was due at ``mark``; if so, count it.

    ``last`` says that it is the reminder of a clock's last hours, which no limit holds back. A reminder that was due
    before the user's latest one is dropped, since that one said how many games were waiting.
    """
    if await timers.is_hushed(tx, game.id, user_id, game.revision):
        return ReminderDecision(now=False)
    if await moves.pending_of(tx, game.id) is not None:
        return ReminderDecision(now=False)
    decision = ReminderDecision(now=True) if last else await may_notify(tx, user_id, mark, now)
    if decision.now:
        await timers.add_reminder(tx, user_id, game.id, Reminder(now, last), forget=now - DAY)
    return decision


async def may_notify(tx: Transaction, user_id: int, mark: datetime | None, now: datetime) -> ReminderDecision:
    """Decide whether a user may be notified now within the limits, later, or not at all.

    ``mark`` is the time at which the notification was due, if the latest one of another game may stand for it. It is
    None for a notification that must not be dropped; then it waits until the spacing is kept.
    """
    recent = await timers.reminders_since(tx, user_id, now - DAY)
    if recent and recent[-1].at > now - REMINDER_SPACING:
        latest = recent[-1].at
        return ReminderDecision(
            now=False, again=None if mark is not None and mark <= latest else latest + REMINDER_SPACING
        )
    return ReminderDecision(now=sum(not reminder.exempt for reminder in recent) < MAX_REMINDERS_PER_DAY)


async def quiet_ends(tx: Transaction, user_ids: Iterable[int], now: datetime) -> dict[int, datetime]:
    """Return the end of the present quiet hours of each of these users who has any, by user id."""
    user_preferences = await preferences.of_users(tx, user_ids)
    spans = {user_id: quiet_at(now, quiet_of(user)) for user_id, user in user_preferences.items()}
    return {user_id: span.end for user_id, span in spans.items() if span is not None}


@dataclass(eq=False)
class TurnReminders:
    """Sends reminders that players have asked for, and turns that quiet hours have kept from being announced."""

    _store: Store
    _clock: Clock
    _outbox: Outbox

    async def remind_in(self, game: Game, user_id: int, revision: int | None, hours: int) -> datetime:
        """Schedule a reminder of the current decision in some hours, in place of an earlier one; return its time.

        Raises:
            HostError: ``bad_hours``, and those of :func:`~host.rights.check_turn`.
        """
        check_turn(game, user_id, revision)
        if not 1 <= hours <= MAX_REMINDER_HOURS:
            raise HostError(ErrorCode.BAD_HOURS, most=MAX_REMINDER_HOURS)
        at = self._clock.now() + timedelta(hours=hours)
        async with self._store.writing(game=game.id) as tx:
            await timers.save_wish(tx, game.id, user_id, game.revision)
            await timers.save(tx, Timer(game.id, TimerKind.REMIND, at, subject=user_id))
        return at

    async def mute(self, game: Game, user_id: int, revision: int | None) -> None:
        """Stop all reminders of the current decision to a user.

        Raises:
            HostError: those of :func:`~host.rights.check_turn`.
        """
        check_turn(game, user_id, revision)
        async with self._store.writing(game=game.id) as tx:
            await timers.save_wish(tx, game.id, user_id, game.revision, hushed=True)
            await timers.remove(tx, Timer(game.id, TimerKind.REMIND, self._clock.now(), subject=user_id))

    async def send_due(self, timer: Timer) -> None:
        """Send a reminder that was asked for or deferred by quiet hours, unless the user has moved since."""
        now, user_id = self._clock.now(), timer.subject
        async with self._outbox.writing(game=timer.game_id) as tx:
            if not await timers.claim(tx, timer):
                return
            game = await games.get(tx, timer.game_id)
            if await absences.closed_since(tx, game.id) is not None:
                return  # nobody could read it, and the card that reopens the place mentions the player
            if game.revision == await timers.wished_turn(tx, game.id, user_id) and await is_awaited(tx, game, user_id):
                await timers.add_reminder(tx, user_id, game.id, Reminder(now, exempt=True), forget=now - DAY)
                await timers.drop_due(
                    tx, Timer(game.id, TimerKind.NEWS, now, subject=user_id), now
                )  # the reminder includes the deferred notifications
                await self._outbox.add_notice(tx, game, PostKind.REMINDER)

    async def delivery_mode(
        self, game: Game, revision: int, user_id: int, user_preferences: Preferences | None = None
    ) -> DeliveryMode:
        """Return how to notify a player that it is their turn; in quiet hours, schedule a reminder for their end.

        Pass the user's preferences if they are known; otherwise they are read.
        """
        if user_preferences is None:
            user_preferences = await self._store.read(preferences.get, user_id)
        span = quiet_at(self._clock.now(), quiet_of(user_preferences))
        person = game.person_to_act
        if span is not None and person is not None and (person.user_id, game.revision) == (user_id, revision):
            async with self._store.writing(game=game.id) as tx:
                await timers.save_wish(tx, game.id, user_id, revision)
                await timers.save(tx, Timer(game.id, TimerKind.CALL, span.end, subject=user_id))
        return DeliveryMode(span is not None, user_preferences.direct_messages)

    async def delivery_modes(self, user_ids: Iterable[int]) -> dict[int, DeliveryMode]:
        """Return how to notify users who are not to move, by user id; nothing is scheduled for them."""
        now = self._clock.now()
        preferences_by_user = await self._store.read(preferences.of_users, user_ids)
        return {
            user_id: DeliveryMode(quiet_at(now, quiet_of(user)) is not None, user.direct_messages)
            for user_id, user in preferences_by_user.items()
        }

    async def turn_off_direct_messages(self, game: Game, user_id: int) -> bool:
        """Turn off direct messages to a user whom they do not reach, and tell them once in the game's thread.

        Return False if they were turned off already.
        """
        async with self._outbox.writing(f"preferences {user_id}") as tx:
            user_preferences = await preferences.get(tx, user_id)
            if not user_preferences.direct_messages:
                return False
            await preferences.save(tx, user_id, user_preferences.with_choice(DIRECT_MESSAGES, ""))
            await self._outbox.add_notice(tx, game, PostKind.UNREACHED)
        return True

    async def drop_late(self, post: Post) -> bool:
        """Drop a post that asks for a move, such as a reminder, if the move was made; return whether it was dropped."""
        if POSTS[post.kind].obsolete is not Obsolete.NOT_AWAITED:
            return False
        async with self._store.reading() as tx:
            game = await games.get(tx, post.game_id)
            person = game.person_to_act
            still_waits = game.revision == post.revision and person and await is_awaited(tx, game, person.user_id)
        if still_waits:
            return False
        await self._outbox.drop(post)
        return True

    async def others_waiting(self, game: Game) -> int:
        """Count the other games that wait for the player to move in this one."""
        if game.person_to_act is None:
            return 0
        return max(0, await self._store.read(games.count_waiting_for, game.person_to_act.user_id) - 1)


async def is_awaited(tx: Transaction, game: Game, user_id: int) -> bool:
    """Return whether a game waits for this player, who has no pending move either."""
    person = game.person_to_act
    is_to_move = game.status is GameStatus.RUNNING and person is not None and person.user_id == user_id
    return is_to_move and await moves.pending_of(tx, game.id) is None


DELIVERY_DELAY: Final = timedelta(minutes=1)
"""The longest time to deliver a message; one that arrives this soon after quiet hours counts as sent during them."""


class DeferredItem(NamedTuple):
    """A deferred notification, with the place and the id of the message that posted it first, if there is one."""

    matter: Matter
    channel_id: int
    message_id: int | None


@dataclass(eq=False)
class DeferredNotifications:
    """Defers notifications of players in their quiet hours, and delivers them when these end."""

    _store: Store
    _clock: Clock
    _outbox: Outbox
    _games: GameReader
    _reminders: TurnReminders

    async def defer_quiet(self, game: Game, user_ids: Iterable[int]) -> frozenset[int]:
        """Return those of these users who have quiet hours now, and schedule a notification for the end of these.

        The timers are stored before the message is sent. A process that crashes in between sends the message after its
        restart, and finds the timers stored.
        """
        now = self._clock.now()
        ends = await self._store.read(quiet_ends, user_ids, now)
        if ends:
            async with self._store.writing(game=game.id) as tx:
                for user_id, end in ends.items():
                    await timers.save(tx, Timer(game.id, TimerKind.NEWS, end, subject=user_id))
        return frozenset(ends)

    async def deliver_due(self, timer: Timer) -> None:
        """Deliver a player's notifications that are still relevant, in one message; handles timers of this kind.

        If a reminder of the player's turn is due as well, it is sent first. It includes the urgent notifications and
        deletes this timer.
        """
        now, user_id = self._clock.now(), timer.subject
        async with self._store.reading() as tx:
            game = await games.get(tx, timer.game_id)
            called_at = await timers.due_at(tx, game.id, TimerKind.CALL, user_id)
        if called_at is not None and called_at <= now:
            await self._reminders.send_due(Timer(game.id, TimerKind.CALL, called_at, subject=user_id))
        items = await self.of(game, user_id)
        async with self._outbox.writing(game=game.id) as tx:
            if await timers.claim(tx, timer) and items:
                await self._post_deferred(tx, game, user_id, now)

    async def _post_deferred(self, tx: Transaction, game: Game, user_id: int, now: datetime) -> None:
        """Post a player's notifications, or postpone them to keep the spacing of reminders."""
        decision = await may_notify(tx, user_id, None, now)
        if decision.again is not None:
            await timers.save(tx, Timer(game.id, TimerKind.NEWS, decision.again, subject=user_id))
        mark = await _recipient_mark(tx, game, user_id, now)
        if decision.now and mark:
            await timers.add_reminder(tx, user_id, game.id, Reminder(now, exempt=False), forget=now - DAY)
            await outbox.add(tx, notice_post(game, PostKind.NEWS, mark), now)

    async def of(self, game: Game, user_id: int) -> list[DeferredItem]:
        """Return the notifications about a game that a player has missed in quiet hours and that are still relevant.

        While the place of the game is closed to the bot, only the notice of that is returned, since nobody can read
        what was posted in the place itself.
        """
        unplanned = await self._lacks_plan(game, user_id)
        now = self._clock.now()
        async with self._store.reading() as tx:
            quiet = quiet_of(await preferences.get(tx, user_id))
            sent = await outbox.posts_since(tx, game.id, DEFERRED, now - DAY)
            place_closed = await absences.closed_since(tx, game.id) is not None
            items: dict[Matter, DeferredItem] = {}
            for post in sent:
                matter = DEFERRED[post.kind]
                was_notified = matter not in items and post.sent_at is not None and not _is_quiet(post.sent_at, quiet)
                if not was_notified and place_closed is (matter is Matter.SHUT):
                    holds = (
                        unplanned
                        if matter is Matter.PLAN
                        else await _is_relevant(tx, game, user_id, matter, post.nonce)
                    )
                    place = game.channel_id if matter in (Matter.OPENING, Matter.SHUT) else game.place
                    items |= {matter: DeferredItem(matter, place, post.message_id)} if holds else {}
            items |= await _move_notice(tx, game, quiet, now - DAY)
            items |= await _rematch_notice(tx, game, user_id, quiet, now - DAY)
        return list(items.values())

    async def urgent(self, game: Game) -> list[DeferredItem]:
        """Return the urgent notifications for the player to move, which a reminder of their turn includes."""
        person = game.person_to_act
        if person is None:
            return []
        return [item for item in await self.of(game, person.user_id) if item.matter in URGENT_MATTERS]

    async def contents_of(self, post: Post) -> tuple[int, list[DeferredItem]]:
        """Return the recipient of a post of deferred notifications (0 for none), and those that are still relevant."""
        async with self._store.reading() as tx:
            game, user_id = await games.get(tx, post.game_id), await _recipient_of(tx, post)
        return user_id, await self.of(game, user_id) if user_id > 0 else []

    async def waiting_for(self, game: Game, user_id: int) -> int:
        """Count the games, apart from this one, that wait for a player."""
        person = game.person_to_act
        waits_here = person is not None and person.user_id == user_id
        return await self._store.read(games.count_waiting_for, user_id) - waits_here

    async def drop_late(self, post: Post) -> bool:
        """Drop a post if none of its notifications is relevant any more; return True if it was dropped."""
        if POSTS[post.kind].obsolete is not Obsolete.NOTHING_HOLDS or (await self.contents_of(post))[1]:
            return False
        await self._outbox.drop(post)
        return True

    async def _lacks_plan(self, game: Game, user_id: int) -> bool:
        """Return whether a player could plan for the current decision of another player, and has not."""
        person, seat = game.person_to_act, game.seat_of(user_id)
        if game.status is not GameStatus.RUNNING or person is None or seat is None or person.user_id == user_id:
            return False
        try:
            _, played = await self._games.load(game)
        except HostError:  # the game is frozen
            return False
        plan = await self._store.read(preferences.plan_of, game.id, user_id)
        return _is_unplanned(played, Seat(seat), plan)


def _is_unplanned(played: PlayedGame, seat: Seat, plan: str) -> bool:
    """Return whether a seat may plan now, and its stored plan does not fit this position."""
    position = played.position
    kind = GAMES[position.setup.game]
    if not kind.may_plan(position, seat):
        return False
    try:
        kind.check_plan(position, seat, plan)
    except EngineError:
        return True
    return False


async def _is_relevant(tx: Transaction, game: Game, user_id: int, matter: Matter, nonce: str) -> bool:
    """Return whether the matter's condition, of :data:`CONDITIONS`, is still met."""
    match CONDITIONS[matter]:
        case Condition.UNANSWERED:
            return await _awaits_answer(tx, game, user_id, nonce)
        case Condition.WARNED:
            untimed = await timers.untimed(tx, game.id)
            return game.status is GameStatus.RUNNING and untimed is not None and is_warned(game, untimed)
        case Condition.HAS_END_DATE:
            return game.status is GameStatus.RUNNING and game.ends_at is not None
        case Condition.RUNNING:
            return game.status is GameStatus.RUNNING
        case Condition.UNPLANNED | Condition.PLACE_CLOSED | Condition.NOT_JOINED | Condition.ALWAYS:
            return True  # the caller checks these conditions itself
        case never:
            assert_never(never)


async def _awaits_answer(tx: Transaction, game: Game, user_id: int, nonce: str) -> bool:
    """Return whether the request in a post's nonce is open and still needs this user's answer."""
    request = await requests.get(tx, request_in(nonce))
    if request is None or not is_open(request, game) or user_id not in required_voters(request, game):
        return False
    return user_id not in await requests.agreeing_users(tx, request.id)


async def _move_notice(tx: Transaction, game: Game, quiet: Quiet | None, since: datetime) -> dict[Matter, DeferredItem]:
    """Return the notification that a running game was moved during quiet hours; empty if it was not."""
    at = await games.moved_at(tx, game.id) if game.status is GameStatus.RUNNING else None
    if at is None or at <= since or not _is_quiet(at, quiet):
        return {}
    return {Matter.MOVED: DeferredItem(Matter.MOVED, game.place, None)}


async def _rematch_notice(
    tx: Transaction, game: Game, user_id: int, quiet: Quiet | None, since: datetime
) -> dict[Matter, DeferredItem]:
    """Return the notification of a rematch whose lobby was opened in quiet hours; empty if it is obsolete."""
    lobby_id = await lobbies.rematch_of(tx, game.id) if game.status is GameStatus.FINISHED else None
    lobby = None if lobby_id is None else await lobbies.get(tx, lobby_id)
    if lobby is None or lobby.state is not LobbyState.OPEN or lobby.member(user_id) is not None:
        return {}
    if lobby.created_at <= since or not _is_quiet(lobby.created_at, quiet):
        return {}
    return {Matter.REMATCH: DeferredItem(Matter.REMATCH, lobby.channel_id, lobby.message_id)}


def _is_quiet(at: datetime, quiet: Quiet | None) -> bool:
    """Return whether a message that arrived at this time may have been sent in quiet hours."""
    return any(quiet_at(sent_at, quiet) is not None for sent_at in (at, at - DELIVERY_DELAY))


async def _recipient_mark(tx: Transaction, game: Game, user_id: int, now: datetime) -> str:
    """Return the end of the nonce of a user's notifications; empty if they neither play nor are invited to.

    It identifies the recipient, for :func:`_recipient_of`: by "n" and their seat, or by "i" and the id of the
    request that invites them to a seat.
    """
    seat = game.seat_of(user_id)
    if seat is not None:
        return f"n{seat}{int(now.timestamp())}"
    request_posts = await outbox.posts_since(tx, game.id, [PostKind.ASKED], now - DAY)
    open_requests = [await requests.get(tx, request_in(post.nonce)) for post in request_posts]
    invited = [request.id for request in open_requests if request and request.details.get(INVITED_USER) == user_id]
    return f"i{invited[-1]}.{int(now.timestamp()) // 3600}" if invited else ""


async def _recipient_of(tx: Transaction, post: Post) -> int:
    """Return the user whom the nonce of a post identifies; 0 for nobody: no invitation any more, or a computer."""
    recipient = post.nonce.rpartition("-")[2]
    if recipient.startswith("n"):
        return post.game.seats[int(recipient[1])].user_id or 0
    request = await requests.get(tx, int(recipient[1:].partition(".")[0]))
    return 0 if request is None else int(request.details.get(INVITED_USER, 0))
