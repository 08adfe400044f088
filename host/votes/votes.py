"""Votes: requests of players to which the others have to agree, each carried out once.

A request is stored with a post that asks the voters and a timer that ends it. When the last voter agrees, it is carried
out in the same transaction. The effect of each kind of request, such as an undo, is a :class:`Motion`, registered by
the service that offers it.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Collection
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

from host.clock import Clock
from host.errors import ErrorCode, HostError
from host.games.cache import PlayedGame
from host.games.moves import Moves
from host.games.outbox import Outbox, storing
from host.games.reader import GameReader
from host.observability import game_fields
from host.retry import retried
from host.settings import HostSettings
from host.values import Post
from store import absences, moves, outbox, requests, timers
from store.connection.database import Store, Transaction
from store.errors import PlyConflictError
from store.play.requests import Request, RequestKind, RequestState
from store.records import AnsweredInteraction, Game, GameStatus, NewPost, PostKind, Timer, TimerKind

log = logging.getLogger(__name__)

VOTE_DURATION: Final = timedelta(hours=24)
"""Time to answer; silence after it counts as a no, unless the motion says otherwise."""
ACTIVE_WITHIN: Final = timedelta(days=7)
"""Players who acted in the game within this time are asked."""
REPEAT_INTERVAL: Final = timedelta(hours=1)
"""Time before a declined request may be repeated, unless the game has moved on."""
INVITED_USER: Final = "user_id"
"""The key, in the details of a request, of the user who is invited to play."""
BOUND_TO_POSITION: Final = frozenset({RequestKind.UNDO})
"""Kinds of requests that the next move ends."""


@dataclass(frozen=True, slots=True)
class VoteResult:
    """The outcome of an answer: the current state of the request, and the game."""

    request: Request
    game: Game


@dataclass(frozen=True, slots=True)
class TableChange:
    """The game and its table after a granted request, and the card whose first attempt has begun."""

    game: Game
    played: PlayedGame
    begun: Post | None = None


Effect = Callable[[Transaction, datetime], Awaitable[TableChange]]
"""Carries out a request, within the transaction that records the agreement of all."""


async def never_by_silence(_request: Request, _game: Game, _played: PlayedGame, _agreed: Collection[int]) -> bool:
    """Answer that silence is a no."""
    return False


@dataclass(frozen=True, slots=True)
class Motion:
    """The effect of one kind of request when it is granted."""

    prepare: Callable[[Game, PlayedGame, Request], Awaitable[Effect]]
    """Computes the effect without applying it."""
    silence_agrees: Callable[[Request, Game, PlayedGame, Collection[int]], Awaitable[bool]] = never_by_silence
    """Returns whether silence counts as a yes; the last argument are the users who have agreed."""


class Votes:
    """Puts requests to the other players, and grants them."""

    def __init__(
        self, store: Store, clock: Clock, settings: HostSettings, outbox: Outbox, games: GameReader, moves: Moves
    ) -> None:
        self._store = store
        self._clock = clock
        self._outbox = outbox
        self._games = games
        self._moves = moves
        self._motions: dict[RequestKind, Motion] = {}
        self.patience = settings.patience

    def register(self, kind: RequestKind, motion: Motion) -> None:
        """Register the motion of a kind of request."""
        self._motions[kind] = motion

    # -- for players ----------------------------------------------------------------------------------------------

    @retried
    async def answer(
        self, ref: int | str, request_id: int, user_id: int, interaction_id: int, *, agrees: bool
    ) -> VoteResult:
        """Answer a request; the last voter to agree has it carried out. Its author may take it back by declining.

        Raises:
            HostError: ``unknown_game``, ``frozen``, ``request_gone``, ``not_asked``.
        """
        game_id = await self._games.id_of(ref)
        async with self._games.locks.hold(game_id):
            while True:
                game, done, waiting = await self._games.current(game_id, interaction_id)
                game, played = await self._games.load_to_move(game)
                request = await self._request(game, request_id, answered=done is not None)
                if done is not None:
                    return VoteResult(request, game)
                if user_id not in (*required_voters(request, game), *([] if agrees else [request.user_id])):
                    raise HostError(ErrorCode.NOT_ASKED, code=game.code)
                with suppress(PlyConflictError):
                    if not agrees:
                        return await self._decline(game, request, interaction_id)
                    if waiting is not None and request.kind not in BOUND_TO_POSITION:
                        await self._moves.publish(game, waiting)  # a confirmed move comes first
                        continue
                    return await self._agree(game, played, request, user_id, interaction_id)

    async def request_of(self, post: Post) -> Request | None:
        """Return the request that a post asks, while it can be answered."""
        async with self._store.reading() as tx:
            request = await requests.get(tx, request_in(post.nonce))
            game = await self._games.find(tx, post.game_id)
        return request if request is not None and is_open(request, game) else None

    async def lapse(self, timer: Timer) -> None:
        """End a request whose time is over: silence is a no, unless its motion says otherwise."""
        async with self._games.locks.hold(timer.game_id):
            with suppress(PlyConflictError):  # another process was quicker, or the timer comes up again
                if not await self._agree_in_silence(timer):
                    async with self._store.writing(game=timer.game_id) as tx:
                        if await timers.claim(tx, timer):
                            await requests.close(tx, timer.subject, RequestState.LAPSED)

    # -- for services that register motions -----------------------------------------------------------------------

    def draft(self, game: Game, kind: RequestKind, user_id: int, voters: tuple[int, ...]) -> Request:
        """Return a new request that is not stored yet."""
        lapses_at = self._clock.now() + VOTE_DURATION
        return Request(
            game_id=game.id, kind=kind, user_id=user_id, stamp=game.stamp, voters=voters, lapses_at=lapses_at
        )

    def voters(self, game: Game, played: PlayedGame, user_id: int, *, fall_back: bool = True) -> tuple[int, ...]:
        """Return the voters: the other players who acted recently; if none did, with ``fall_back`` all others."""
        now = self._clock.now()
        others = [person.user_id for person in game.players if person.user_id != user_id]
        recently_active = {entry.user_id for entry in played.log if now - entry.at <= ACTIVE_WITHIN}
        return tuple(other for other in others if other in recently_active) or tuple(others if fall_back else ())

    async def submit(self, game: Game, request: Request, interaction_id: int) -> Request:
        """Store a request with its post and timer; a repeated interaction returns the request that it has stored.

        Raises:
            HostError: ``asked_already``, ``asked_lately``.
        """
        now = self._clock.now()
        async with self._outbox.writing(game=game.id) as tx:
            open_request = await self._find_open(tx, game, request.kind, request.subject)
            if open_request is not None:
                if await moves.interaction_by_id(tx, interaction_id) is not None:
                    return open_request
                raise HostError(ErrorCode.ASKED_ALREADY, code=game.code)
            await self._check_not_lately(tx, game, request)
            request = replace(request, id=await requests.add(tx, request, now))
            await timers.put(tx, Timer(game.id, TimerKind.LAPSE, request.lapses_at, subject=request.id))
            await outbox.add(tx, request_post(game, request), now)
            await _remember(tx, game, interaction_id, now)
        log.info(
            "the others are asked", extra={**game_fields(game), "user": request.user_id, "request": request.kind.value}
        )
        return request

    async def check_submission(self, game: Game, request: Request) -> None:
        """Make sure that a request can be put now.

        Raises:
            HostError: ``asked_already``, ``asked_lately``.
        """
        async with self._store.reading() as tx:
            if await self._find_open(tx, game, request.kind, request.subject) is not None:
                raise HostError(ErrorCode.ASKED_ALREADY, code=game.code)
            await self._check_not_lately(tx, game, request)

    async def open_request(self, game: Game, kind: RequestKind) -> Request | None:
        """Return the open request of a kind that concerns no particular player."""
        async with self._store.reading() as tx:
            return await self._find_open(tx, game, kind)

    async def grant(
        self,
        game: Game,
        played: PlayedGame,
        request: Request,
        user_id: int | None = None,
        interaction_id: int | None = None,
        *,
        timer: Timer | None = None,
    ) -> VoteResult:
        """Carry out a request once: with the last answer, or with the timer if silence counts as a yes.

        Raises:
            PlyConflictError: the game has moved on, or the request was closed elsewhere.
        """
        effect = await self._motions[request.kind].prepare(game, played, request)
        async with storing(self._outbox, game.id) as stored:
            tx, now = stored.tx, self._clock.now()
            if timer is not None:
                await _claim(tx, timer)
            if interaction_id is not None:
                await _remember(tx, game, interaction_id, now)
            if request.id and user_id is not None:
                await requests.add_agreement(tx, request.id, user_id, now)
            if request.id:
                await self._close(tx, game, request, RequestState.GRANTED)
            done = await effect(tx, now)
            stored.begun = done.begun
        self._games.cache.store(done.game, done.played)
        log.info(
            "all agree", extra={**game_fields(done.game), "request": request.kind.value, "subject": request.subject}
        )
        return VoteResult(replace(request, state=RequestState.GRANTED), done.game)

    # -- inside ---------------------------------------------------------------------------------------------------

    async def _check_not_lately(self, tx: Transaction, game: Game, request: Request) -> None:
        """Make sure that a request is not repeated shortly after it was declined in the same position.

        Raises:
            HostError: ``asked_lately``.
        """
        since = self._clock.now() - REPEAT_INTERVAL
        for former in await requests.declined_since(tx, game.id, request.user_id, request.kind, request.subject, since):
            if former.stamp == game.stamp and former.details.get(INVITED_USER) == request.details.get(INVITED_USER):
                allowed_at = former.lapses_at - VOTE_DURATION + REPEAT_INTERVAL
                raise HostError(ErrorCode.ASKED_LATELY, code=game.code, again=int(allowed_at.timestamp()))

    async def _find_open(self, tx: Transaction, game: Game, kind: RequestKind, subject: int = 0) -> Request | None:
        request = await requests.newest_open(tx, game.id, kind, subject)
        return request if request is not None and is_open(request, game) else None

    async def _request(self, game: Game, request_id: int, *, answered: bool) -> Request:
        async with self._store.reading() as tx:
            request = await requests.get(tx, request_id)
        if request is None or request.game_id != game.id:
            raise HostError(ErrorCode.REQUEST_GONE, code=game.code)
        if not answered and (not is_open(request, game) or request.lapses_at <= self._clock.now()):
            raise HostError(ErrorCode.REQUEST_GONE, code=game.code)
        return request

    async def _agree_in_silence(self, timer: Timer) -> bool:
        """Grant a request to which silence agrees; return whether it does."""
        game, _, waiting = await self._games.current(timer.game_id)
        async with self._store.reading() as tx:
            request = await requests.get(tx, timer.subject)
            agreed = await requests.agreeing_users(tx, timer.subject)
            if await absences.closed_since(tx, game.id) is not None:
                return False  # nobody could answer while the place was closed
        if request is None or game.status is not GameStatus.RUNNING or not is_open(request, game):
            return False
        game, played = await self._games.load_to_move(game)
        if not await self._motions[request.kind].silence_agrees(request, game, played, agreed):
            return False
        if waiting is not None:
            await self._moves.publish(game, waiting)
            return await self._agree_in_silence(timer)
        await self.grant(game, played, request, timer=timer)
        return True

    async def _decline(self, game: Game, request: Request, interaction_id: int) -> VoteResult:
        async with self._store.writing(game=game.id) as tx:
            await self._close(tx, game, request, RequestState.DECLINED)
            await _remember(tx, game, interaction_id, self._clock.now())
        return VoteResult(replace(request, state=RequestState.DECLINED), game)

    async def _agree(
        self, game: Game, played: PlayedGame, request: Request, user_id: int, interaction_id: int
    ) -> VoteResult:
        async with self._store.reading() as tx:
            agreed = {*await requests.agreeing_users(tx, request.id), user_id}
        if set(required_voters(request, game)) <= agreed:
            return await self.grant(game, played, request, user_id, interaction_id)
        async with self._store.writing(game=game.id) as tx:
            now = self._clock.now()
            before = agreed - {user_id}
            if not set(await requests.add_agreement(tx, request.id, user_id, now)) <= {*before, user_id}:
                raise PlyConflictError(
                    game.id, game.ply
                )  # another process has stored an answer; together they may be enough
            await _remember(tx, game, interaction_id, now)
        return VoteResult(request, game)

    async def _close(self, tx: Transaction, game: Game, request: Request, state: RequestState) -> None:
        """End a request.

        Raises:
            PlyConflictError: it was closed elsewhere.
        """
        if not await requests.close(tx, request.id, state):
            raise PlyConflictError(game.id, game.ply)
        await timers.remove(tx, Timer(game.id, TimerKind.LAPSE, request.lapses_at, subject=request.id))


async def _claim(tx: Transaction, timer: Timer) -> None:
    """Claim a timer, so that this transaction alone does what it is for.

    Raises:
        PlyConflictError: another process has claimed it.
    """
    if not await timers.claim(tx, timer):
        raise PlyConflictError(timer.game_id, 0)


def required_voters(request: Request, game: Game) -> tuple[int, ...]:
    """Return the users who have to agree: the voters who still play, and the user invited to play."""
    return tuple(user for user in request.voters if game.plays(user) or user == request.details.get(INVITED_USER))


def request_post(game: Game, request: Request) -> NewPost:
    """Return the post that asks; its nonce names the request."""
    nonce = f"{game.code}-{game.revision}-q{request.id}"
    return NewPost(
        game_id=game.id, from_ply=game.ply, ply=game.ply, kind=PostKind.ASKED, nonce=nonce, taken_back=game.taken_back
    )


def request_in(nonce: str) -> int:
    """Return the id of the request that a post asks, given the post's nonce."""
    number = nonce.rpartition("-q")[2]
    return int(number) if number.isdecimal() else 0


def is_open(request: Request, game: Game) -> bool:
    """Return whether a request can still be answered."""
    in_place = request.kind not in BOUND_TO_POSITION or request.stamp == game.stamp
    return request.state is RequestState.OPEN and in_place


async def _remember(tx: Transaction, game: Game, interaction_id: int, now: datetime) -> None:
    answered = AnsweredInteraction(
        id=interaction_id, game_id=game.id, before_ply=game.ply, ply=game.ply, taken_back=game.taken_back
    )
    await moves.add_interaction(tx, answered, now)
