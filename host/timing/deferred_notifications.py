"""Notifications deferred by quiet hours, delivered in one message when the quiet hours end.

They concern players who are not to move; :mod:`host.timing.reminders` notifies the player to move. Only the end of the
quiet hours is stored, as a timer. The notifications themselves are read back from the outbox: the posts sent during
those hours. Only those that are still relevant are delivered, such as a question that can still be answered.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, NamedTuple, assert_never

from engine import GAMES, EngineError
from engine.actions import Seat
from host.clock import Clock
from host.clocks import Quiet, quiet_at, quiet_of
from host.errors import HostError
from host.games.cache import Played
from host.games.outbox import Outbox
from host.games.reader import GameReader
from host.notifications import CONDITIONS, DEFERRED, POSTS, URGENT_MATTERS, Condition, Matter, Obsolete
from host.timing.reminders import DAY, TurnReminders, may_notify, quiet_ends
from host.timing.untimed_games import is_warned
from host.values import Post
from host.votes.votes import INVITED, is_open, needed, request_in
from store import (
    Game,
    GameStatus,
    LobbyState,
    NewPost,
    PostKind,
    Reminder,
    Store,
    Timer,
    TimerKind,
    Transaction,
    absences,
    games,
    lobbies,
    outbox,
    preferences,
    requests,
    timers,
)

DELIVERY_DELAY: Final = timedelta(minutes=1)
"""Longest delivery of a message: one that arrived this soon after quiet hours still counts as sent during them."""


class DeferredItem(NamedTuple):
    """A deferred notification, with the message in which it was first posted."""

    matter: Matter
    channel_id: int
    message_id: int | None


@dataclass(eq=False)
class DeferredNotifications:
    """Keeps and delivers the notifications that players did not get because of their quiet hours."""

    _store: Store
    _clock: Clock
    _outbox: Outbox
    _games: GameReader
    _reminders: TurnReminders

    async def asleep(self, game: Game, user_ids: Iterable[int]) -> frozenset[int]:
        """Return the recipients of a message who have quiet hours now, and schedule their notification for the end.

        The timers are stored before the message is sent. A process that crashes in between sends the message after
        its restart and finds the timers stored.
        """
        now = self._clock.now()
        async with self._store.reading() as tx:
            ends = await quiet_ends(tx, user_ids, now)
        if ends:
            async with self._store.writing(game=game.id) as tx:
                for user_id, end in ends.items():
                    await timers.put(tx, Timer(game.id, TimerKind.NEWS, end, subject=user_id))
        return frozenset(ends)

    async def deliver_due(self, timer: Timer) -> None:
        """Deliver what is still relevant in one message, now that a player's quiet hours are over.

        If a turn reminder is due as well, it is sent first: it carries the urgent notifications and drops this timer.
        """
        now, user_id = self._clock.now(), timer.subject
        async with self._store.reading() as tx:
            game = await games.get(tx, timer.game_id)
            called_at = await timers.due_at(tx, game.id, TimerKind.CALL, user_id)
        if called_at is not None and called_at <= now:
            await self._reminders.send_due(Timer(game.id, TimerKind.CALL, called_at, subject=user_id))
        found = await self.of(game, user_id)
        async with self._outbox.writing(game=game.id) as tx:
            if await timers.claim(tx, timer) and found:
                await self._post_deferred(tx, game, user_id, now)

    async def _post_deferred(self, tx: Transaction, game: Game, user_id: int, now: datetime) -> None:
        """Post the notifications, or postpone them if the player had a reminder within the last hour."""
        verdict = await may_notify(tx, user_id, None, now)
        if verdict.again is not None:
            await timers.put(tx, Timer(game.id, TimerKind.NEWS, verdict.again, subject=user_id))
        nonce = await _deferred_nonce(tx, game, user_id, now)
        if verdict.now and nonce:
            await timers.add_reminder(tx, user_id, game.id, Reminder(now, exempt=False), forget=now - DAY)
            about = {"game_id": game.id, "from_ply": game.ply, "ply": game.ply, "taken_back": game.taken_back}
            await outbox.add(tx, NewPost(**about, kind=PostKind.NEWS, nonce=nonce), now)

    async def of(self, game: Game, user_id: int) -> list[DeferredItem]:
        """Return a player's deferred notifications of a game that are still relevant.

        While the place of the game is closed to the bot, only the notice of that is returned: nothing posted in the
        place itself can be read.
        """
        unplanned = await self._lacks_plan(game, user_id)
        now = self._clock.now()
        async with self._store.reading() as tx:
            quiet = quiet_of(await preferences.get(tx, user_id))
            sent = await outbox.written_since(tx, game.id, DEFERRED, now - DAY)
            shut = await absences.closed_since(tx, game.id) is not None
            found: dict[Matter, DeferredItem] = {}
            for post in sent:
                matter = DEFERRED[post.kind]
                heard = matter not in found and post.sent_at is not None and not _is_quiet(post.sent_at, quiet)
                if not heard and shut is (matter is Matter.SHUT):
                    holds = unplanned if matter is Matter.PLAN else await _holds(tx, game, user_id, matter, post.nonce)
                    place = game.channel_id if matter in (Matter.OPENING, Matter.SHUT) else game.place
                    found |= {matter: DeferredItem(matter, place, post.message_id)} if holds else {}
            found |= await _move_notice(tx, game, quiet, now - DAY)
            found |= await _rematch_notice(tx, game, user_id, quiet, now - DAY)
        return list(found.values())

    async def urgent(self, game: Game) -> list[DeferredItem]:
        """Return the urgent notifications, which a reminder to the player to move includes."""
        person = game.person_to_act
        if person is None:
            return []
        return [item for item in await self.of(game, person.user_id) if item.matter in URGENT_MATTERS]

    async def told_by(self, post: Post) -> tuple[int, list[DeferredItem]]:
        """Return the recipient of a post, 0 for none, and the notifications in it that are still relevant."""
        async with self._store.reading() as tx:
            game, user_id = await games.get(tx, post.game_id), await _recipient_of(tx, post)
        return user_id, await self.of(game, user_id) if user_id > 0 else []

    async def waiting_for(self, game: Game, user_id: int) -> int:
        """Count the games, apart from this one, that wait for a player."""
        person = game.person_to_act
        async with self._store.reading() as tx:
            here = person is not None and person.user_id == user_id
            return await games.count_waiting_for(tx, user_id) - here

    async def drop_late(self, post: Post) -> bool:
        """Drop a post if none of its notifications is relevant any more; return True if it was dropped."""
        if POSTS[post.kind].obsolete is not Obsolete.NOTHING_HOLDS or (await self.told_by(post))[1]:
            return False
        async with self._outbox.writing() as tx:
            await outbox.drop(tx, post.id, self._clock.now())
        return True

    async def _lacks_plan(self, game: Game, user_id: int) -> bool:
        """Return True if a player could plan their answer to the current decision of another, and has not."""
        person, seat = game.person_to_act, game.seat_of(user_id)
        if game.status is not GameStatus.RUNNING or person is None or seat is None or person.user_id == user_id:
            return False
        try:
            _, played = await self._games.load(game)
        except HostError:  # the game is frozen
            return False
        async with self._store.reading() as tx:
            plan = await preferences.plan_of(tx, game.id, user_id)
        return _is_unplanned(played, Seat(seat), plan)


def _is_unplanned(played: Played, seat: Seat, plan: str) -> bool:
    """Return True if a seat may plan now, and its stored plan does not fit this decision."""
    position = played.position
    kind = GAMES[position.setup.game]
    if not kind.may_plan(position, seat):
        return False
    try:
        kind.check_plan(position, seat, plan)
    except EngineError:
        return True
    return False


async def _holds(tx: Transaction, game: Game, user_id: int, matter: Matter, nonce: str) -> bool:
    """Return whether the matter's condition, of :data:`CONDITIONS`, is still met."""
    match CONDITIONS[matter]:
        case Condition.UNANSWERED:
            return await _awaits_answer(tx, game, user_id, nonce)
        case Condition.WARNED:
            known = await timers.untimed(tx, game.id)
            return game.status is GameStatus.RUNNING and known is not None and is_warned(game, known)
        case Condition.HAS_END_DATE:
            return game.status is GameStatus.RUNNING and game.ends_at is not None
        case Condition.RUNNING:
            return game.status is GameStatus.RUNNING
        case Condition.UNPLANNED | Condition.PLACE_CLOSED | Condition.NOT_JOINED | Condition.ALWAYS:
            return True  # the caller reads these from what is stored, not from a message
        case never:
            assert_never(never)


async def _awaits_answer(tx: Transaction, game: Game, user_id: int, nonce: str) -> bool:
    """Return True if a request is open and still needs this user's answer."""
    request = await requests.get(tx, request_in(nonce))
    if request is None or not is_open(request, game) or user_id not in needed(request, game):
        return False
    return user_id not in await requests.agreed(tx, request.id)


async def _move_notice(tx: Transaction, game: Game, quiet: Quiet | None, since: datetime) -> dict[Matter, DeferredItem]:
    """Return the notification that a running game was moved elsewhere during quiet hours, if it was."""
    at = await games.moved_at(tx, game.id) if game.status is GameStatus.RUNNING else None
    if at is None or at <= since or not _is_quiet(at, quiet):
        return {}
    return {Matter.MOVED: DeferredItem(Matter.MOVED, game.place, None)}


async def _rematch_notice(
    tx: Transaction, game: Game, user_id: int, quiet: Quiet | None, since: datetime
) -> dict[Matter, DeferredItem]:
    """Return the notification of an open rematch lobby created in quiet hours, unless the player has joined it."""
    lobby_id = await lobbies.rematch_of(tx, game.id) if game.status is GameStatus.FINISHED else None
    lobby = None if lobby_id is None else await lobbies.get(tx, lobby_id)
    if lobby is None or lobby.state is not LobbyState.OPEN or lobby.member(user_id) is not None:
        return {}
    if lobby.created_at <= since or not _is_quiet(lobby.created_at, quiet):
        return {}
    return {Matter.REMATCH: DeferredItem(Matter.REMATCH, lobby.channel_id, lobby.message_id)}


def _is_quiet(at: datetime, quiet: Quiet | None) -> bool:
    """Return True if a message that arrived at this time was sent in quiet hours."""
    return any(quiet_at(each, quiet) is not None for each in (at, at - DELIVERY_DELAY))


async def _deferred_nonce(tx: Transaction, game: Game, user_id: int, now: datetime) -> str:
    """Return the nonce of a player's message; "" if the user neither plays nor is invited to a seat.

    The nonce names the recipient: "n" and their seat, or "i" and the request that invites them to a seat.
    :func:`_recipient_of` reads it.
    """
    seat = game.seat_of(user_id)
    if seat is not None:
        return f"{game.code}-{game.revision}-n{seat}{int(now.timestamp())}"
    asked = await outbox.written_since(tx, game.id, [PostKind.ASKED], now - DAY)
    found = [await requests.get(tx, request_in(post.nonce)) for post in asked]
    invited = [request.id for request in found if request and request.details.get(INVITED) == user_id]
    return f"{game.code}-{game.revision}-i{invited[-1]}.{int(now.timestamp()) // 3600}" if invited else ""


async def _recipient_of(tx: Transaction, post: Post) -> int:
    """Return the recipient that the nonce of a post names; 0 if their invitation no longer exists."""
    sign = post.nonce.rpartition("-")[2]
    if sign.startswith("n"):
        return post.game.seats[int(sign[1])].user_id
    request = await requests.get(tx, int(sign[1:].partition(".")[0]))
    return 0 if request is None else int(request.details.get(INVITED, 0))
