"""What was posted in somebody's quiet hours, and called others than who is asked: it is told when they end.

Nothing but the end is stored, as a timer. What there is to be told stands in the outbox: what was sent in those hours.
Of that only what still holds is told: a question that can be answered, a decision for which nothing is planned.
"""

from __future__ import annotations

from collections.abc import Iterable
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
from host.timing.reminders import DAY, TurnReminders, ends_of_quiet, room_for
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

BELATED: Final = timedelta(minutes=1)
"""A message that was on its way when quiet hours ended is held for one of them."""


class DeferredItem(NamedTuple):
    """Something to be told, and where it was."""

    matter: Matter
    channel_id: int
    message_id: int | None


class DeferredNotifications:
    """Whom messages did not call, because of quiet hours, and what is due to them."""

    def __init__(self, store: Store, clock: Clock, outbox: Outbox, games: GameReader, calling: TurnReminders) -> None:
        self._store = store
        self._clock = clock
        self._outbox = outbox
        self._games = games
        self._calling = calling

    async def asleep(self, game: Game, user_ids: Iterable[int]) -> frozenset[int]:
        """Which of these people, whom a message calls, have quiet hours now; they are told when those end.

        That is stored before the message is sent: whoever is stopped in between sends it, and finds it stored.
        """
        now = self._clock.now()
        async with self._store.reading() as tx:
            ends = await ends_of_quiet(tx, user_ids, now)
        if ends:
            async with self._store.writing(game=game.id) as tx:
                for user_id, end in ends.items():
                    await timers.put(tx, Timer(game.id, TimerKind.NEWS, end, subject=user_id))
        return frozenset(ends)

    async def tell(self, timer: Timer) -> None:
        """Somebody's quiet hours are over: one message says what still holds, unless the call to his turn does."""
        now, user_id = self._clock.now(), timer.subject
        async with self._store.reading() as tx:
            game = await games.get(tx, timer.game_id)
            called_at = await timers.due_at(tx, game.id, TimerKind.CALL, user_id)
        if called_at is not None and called_at <= now:
            await self._calling.call(Timer(game.id, TimerKind.CALL, called_at, subject=user_id))
        found = await self.of(game, user_id)
        async with self._outbox.writing(game=game.id) as tx:
            if await timers.claim(tx, timer) and found:
                await self._tell(tx, game, user_id, now)

    async def _tell(self, tx: Transaction, game: Game, user_id: int, now: datetime) -> None:
        """Let it be said, as far as somebody is not called too often: within the hour after a reminder it waits."""
        verdict = await room_for(tx, user_id, None, now)
        if verdict.again is not None:
            await timers.put(tx, Timer(game.id, TimerKind.NEWS, verdict.again, subject=user_id))
        nonce = await _nonce(tx, game, user_id, now)
        if verdict.now and nonce:
            await timers.add_reminder(tx, user_id, game.id, Reminder(now, exempt=False), forget=now - DAY)
            about = {"game_id": game.id, "from_ply": game.ply, "ply": game.ply, "taken_back": game.taken_back}
            await outbox.add(tx, NewPost(**about, kind=PostKind.NEWS, nonce=nonce), now)

    async def of(self, game: Game, user_id: int) -> list[DeferredItem]:
        """What somebody is to be told of a game that was sent in his quiet hours and still holds.

        Nobody reads what is said in a place that is closed, but where that was said.
        """
        unplanned = await self._may_plan(game, user_id)
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
            found |= await _moved(tx, game, quiet, now - DAY)
            found |= await _rematch(tx, game, user_id, quiet, now - DAY)
        return list(found.values())

    async def urgent(self, game: Game) -> list[DeferredItem]:
        """What is said with a reminder to who is asked."""
        person = game.person_to_act
        if person is None:
            return []
        return [item for item in await self.of(game, person.user_id) if item.matter in URGENT_MATTERS]

    async def told_by(self, post: Post) -> tuple[int, list[DeferredItem]]:
        """Whom a message calls, and of what, as that is now."""
        async with self._store.reading() as tx:
            game, user_id = await games.get(tx, post.game_id), await _called_by(tx, post)
        return user_id, await self.of(game, user_id) if user_id > 0 else []

    async def waiting_for(self, game: Game, user_id: int) -> int:
        """How many games but this one wait for somebody."""
        person = game.person_to_act
        async with self._store.reading() as tx:
            here = person is not None and person.user_id == user_id
            return await games.count_waiting_for(tx, user_id) - here

    async def drop_late(self, post: Post) -> bool:
        """Whether nothing of what a message was to say holds any more; then it never is sent."""
        if POSTS[post.kind].obsolete is not Obsolete.NOTHING_HOLDS or (await self.told_by(post))[1]:
            return False
        async with self._outbox.writing() as tx:
            await outbox.drop(tx, post.id, self._clock.now())
        return True

    async def _may_plan(self, game: Game, user_id: int) -> bool:
        """Whether somebody may plan what others decide now, and has not."""
        person, seat = game.person_to_act, game.seat_of(user_id)
        if game.status is not GameStatus.RUNNING or person is None or seat is None or person.user_id == user_id:
            return False
        try:
            _, played = await self._games.load(game)
        except HostError:  # the game rests
            return False
        async with self._store.reading() as tx:
            plan = await preferences.plan_of(tx, game.id, user_id)
        return _is_unplanned(played, Seat(seat), plan)


def _is_unplanned(played: Played, seat: Seat, plan: str) -> bool:
    """Whether something can be planned, and what is planned is for something else."""
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
            return await _asks(tx, game, user_id, nonce)
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


async def _asks(tx: Transaction, game: Game, user_id: int, nonce: str) -> bool:
    """Whether a question can be answered, and somebody is to answer it who has not."""
    request = await requests.get(tx, request_in(nonce))
    if request is None or not is_open(request, game) or user_id not in needed(request, game):
        return False
    return user_id not in await requests.agreed(tx, request.id)


async def _moved(tx: Transaction, game: Game, quiet: Quiet | None, since: datetime) -> dict[Matter, DeferredItem]:
    """That somebody has let a game that goes on go on elsewhere."""
    at = await games.moved_at(tx, game.id) if game.status is GameStatus.RUNNING else None
    if at is None or at <= since or not _is_quiet(at, quiet):
        return {}
    return {Matter.MOVED: DeferredItem(Matter.MOVED, game.place, None)}


async def _rematch(
    tx: Transaction, game: Game, user_id: int, quiet: Quiet | None, since: datetime
) -> dict[Matter, DeferredItem]:
    """The lobby that gathers for the same game again, and called somebody in his quiet hours who has not joined it."""
    lobby_id = await lobbies.rematch_of(tx, game.id) if game.status is GameStatus.FINISHED else None
    lobby = None if lobby_id is None else await lobbies.get(tx, lobby_id)
    if lobby is None or lobby.state is not LobbyState.OPEN or lobby.member(user_id) is not None:
        return {}
    if lobby.created_at <= since or not _is_quiet(lobby.created_at, quiet):
        return {}
    return {Matter.REMATCH: DeferredItem(Matter.REMATCH, lobby.channel_id, lobby.message_id)}


def _is_quiet(at: datetime, quiet: Quiet | None) -> bool:
    """Whether a message that was there at a time was sent in quiet hours."""
    return any(quiet_at(each, quiet) is not None for each in (at, at - BELATED))


async def _nonce(tx: Transaction, game: Game, user_id: int, now: datetime) -> str:
    """By what a message is known that tells somebody: his seat, or the question of whom others want in one."""
    seat = game.seat_of(user_id)
    if seat is not None:
        return f"{game.code}-{game.revision}-n{seat}{int(now.timestamp())}"
    asked = await outbox.written_since(tx, game.id, [PostKind.ASKED], now - DAY)
    found = [await requests.get(tx, request_in(post.nonce)) for post in asked]
    invited = [request.id for request in found if request and request.details.get(INVITED) == user_id]
    return f"{game.code}-{game.revision}-i{invited[-1]}.{int(now.timestamp()) // 3600}" if invited else ""


async def _called_by(tx: Transaction, post: Post) -> int:
    """Whom a message calls, by what it is known; 0 for nobody any more."""
    sign = post.nonce.rpartition("-")[2]
    if sign.startswith("n"):
        return post.game.seats[int(sign[1])].user_id
    request = await requests.get(tx, int(sign[1:].partition(".")[0]))
    return 0 if request is None else int(request.details.get(INVITED, 0))
