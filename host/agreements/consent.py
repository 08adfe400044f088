"""Asking the other players: who is asked, what silence means, and that what all agree to happens once.

All that players may ask of each other goes this way: a request is a row with a message that asks and a timer that ends
it; the last one who agrees lets it happen, in one transaction.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

from host.errors import ErrorCode, HostError
from host.patience import patient
from host.play.memory import Played
from host.play.publishing import Publishing
from host.play.storing import storing
from host.traces import about
from host.values import Post
from store import (
    AnsweredInteraction,
    Game,
    GameStatus,
    NewPost,
    PlyConflictError,
    PostKind,
    Request,
    RequestKind,
    RequestState,
    Timer,
    TimerKind,
    Transaction,
    game_places,
    interactions,
    outbox,
    requests,
    timers,
)

log = logging.getLogger(__name__)

LAPSES_AFTER: Final = timedelta(hours=24)
"""After so long silence is an answer, in general a no."""
ACTIVE_WITHIN: Final = timedelta(days=7)
"""Who has acted in the game within this time is asked."""
ASKS_AGAIN_AFTER: Final = timedelta(hours=1)
"""What was refused, or taken back, the same person asks again after so long, or once somebody has decided something."""
INVITED: Final = "user_id"
"""Who is to play, in the details of a request."""
BOUND: Final = frozenset({RequestKind.UNDO})
"""What counts only where the game still stands: the next move ends it."""


@dataclass(frozen=True, slots=True)
class Answered:
    """What has come of an answer: the request as it is now, and the game."""

    request: Request
    game: Game


@dataclass(frozen=True, slots=True)
class Done:
    """The game and its table after what was asked for, and the card whose first attempt has begun."""

    game: Game
    played: Played
    begun: Post | None = None


@dataclass(frozen=True, slots=True)
class Granted:
    """What is done when all agree, within the transaction that says so."""

    happen: Callable[[Transaction, datetime], Awaitable[Done]]


Grant = Callable[[Game, Played, Request], Awaitable[Granted]]
"""Says what is done when all agree; nothing happens yet."""


class Consent(Publishing):
    """Requests, and their answers."""

    @patient
    async def answer_request(
        self, ref: int | str, request_id: int, user_id: int, interaction_id: int, *, agrees: bool
    ) -> Answered:
        """Answer a request; the last one who agrees lets it happen. Whoever has asked may take the request back.

        Raises:
            HostError: ``unknown_game``, ``frozen``, ``request_gone``, ``not_asked``.
        """
        game_id = await self._id_of(ref)
        async with self._locks.hold(game_id):
            while True:
                game, done, waiting = await self._recall(game_id, interaction_id)
                game, played = await self._tables.follow_to_move(game)
                request = await self._request(game, request_id, answered=done is not None)
                if done is not None:
                    return Answered(request, game)
                if user_id not in (*needed(request, game), *([] if agrees else [request.user_id])):
                    raise HostError(ErrorCode.NOT_ASKED, code=game.code)
                with suppress(PlyConflictError):
                    if not agrees:
                        return await self._decline(game, request, interaction_id)
                    if waiting is not None and request.kind not in BOUND:
                        await self._publish(game, waiting)  # what was confirmed comes before
                        continue
                    return await self._agree(game, played, request, user_id, interaction_id)

    async def lapse(self, timer: Timer) -> None:
        """A request that not all have answered in time is over: silence is a no, or now and then a yes."""
        async with self._locks.hold(timer.game_id):
            with suppress(PlyConflictError):  # another process was quicker, or the timer comes up again
                if not await self._agree_in_silence(timer):
                    async with self._store.writing(game=timer.game_id) as tx:
                        if await timers.claim(tx, timer):
                            await requests.close(tx, timer.subject, RequestState.LAPSED)

    async def asked_by(self, post: Post) -> Request | None:
        """What a message asks, as long as it is asked."""
        async with self._store.reading() as tx:
            request = await requests.get(tx, request_in(post.nonce))
            game = await self._find(tx, post.game_id)
        return request if request is not None and stands(request, game) else None

    # -- inside ---------------------------------------------------------------------------------------------------

    def _request_of(self, game: Game, kind: RequestKind, user_id: int, voters: tuple[int, ...]) -> Request:
        lapses_at = self._clock.now() + LAPSES_AFTER
        return Request(
            game_id=game.id, kind=kind, user_id=user_id, stamp=game.stamp, voters=voters, lapses_at=lapses_at
        )

    async def _ask(self, game: Game, asked: Request, interaction_id: int) -> Request:
        """Store a request, with its message and its end; one that the same interaction has made is found again.

        Raises:
            HostError: ``asked_already``, ``asked_lately``.
        """
        now = self._clock.now()
        async with self.outbox.writing(game=game.id) as tx:
            known = await self._open_like(tx, game, asked.kind, asked.subject)
            if known is not None:
                if await interactions.get(tx, interaction_id) is not None:
                    return known
                raise HostError(ErrorCode.ASKED_ALREADY, code=game.code)
            await self._check_not_lately(tx, game, asked)
            asked = replace(asked, id=await requests.add(tx, asked, now))
            await timers.put(tx, Timer(game.id, TimerKind.LAPSE, asked.lapses_at, subject=asked.id))
            await outbox.add(tx, asked_post(game, asked), now)
            await _remember(tx, game, interaction_id, now)
        log.info("the others are asked", extra={**about(game), "user": asked.user_id, "request": asked.kind.value})
        return asked

    async def _check_may_ask(self, game: Game, asked: Request) -> None:
        """Make sure that something can be asked now.

        Raises:
            HostError: ``asked_already``, ``asked_lately``.
        """
        async with self._store.reading() as tx:
            if await self._open_like(tx, game, asked.kind, asked.subject) is not None:
                raise HostError(ErrorCode.ASKED_ALREADY, code=game.code)
            await self._check_not_lately(tx, game, asked)

    async def _check_not_lately(self, tx: Transaction, game: Game, asked: Request) -> None:
        """Make sure that nobody asks again, and calls all who answer, what has just been refused where the game stands.

        Raises:
            HostError: ``asked_lately``.
        """
        since = self._clock.now() - ASKS_AGAIN_AFTER
        for former in await requests.declined_of(tx, game.id, asked.user_id, asked.kind, asked.subject, since):
            if former.stamp == game.stamp and former.details.get(INVITED) == asked.details.get(INVITED):
                again = former.lapses_at - LAPSES_AFTER + ASKS_AGAIN_AFTER
                raise HostError(ErrorCode.ASKED_LATELY, code=game.code, again=int(again.timestamp()))

    async def _open_like(self, tx: Transaction, game: Game, kind: RequestKind, subject: int = 0) -> Request | None:
        found = await requests.open_of(tx, game.id, kind, subject)
        return found if found is not None and stands(found, game) else None

    async def _request(self, game: Game, request_id: int, *, answered: bool) -> Request:
        async with self._store.reading() as tx:
            request = await requests.get(tx, request_id)
        if request is None or request.game_id != game.id:
            raise HostError(ErrorCode.REQUEST_GONE, code=game.code)
        if not answered and (not stands(request, game) or request.lapses_at <= self._clock.now()):
            raise HostError(ErrorCode.REQUEST_GONE, code=game.code)
        return request

    async def _agree_in_silence(self, timer: Timer) -> bool:
        """Let happen what silence agrees to; False for all else."""
        game, _, waiting = await self._recall(timer.game_id)
        async with self._store.reading() as tx:
            request = await requests.get(tx, timer.subject)
            agreed = await requests.agreed(tx, timer.subject)
            if await game_places.since(tx, game.id) is not None:
                return False  # nobody could answer where it was asked
        if request is None or game.status is not GameStatus.RUNNING or not stands(request, game):
            return False
        game, played = await self._tables.follow_to_move(game)
        if not await self._is_a_yes(request, game, played, agreed):
            return False
        if waiting is not None:
            await self._publish(game, waiting)
            return await self._agree_in_silence(timer)
        await self._let_happen(game, played, request, timer=timer)
        return True

    async def _is_a_yes(self, request: Request, game: Game, played: Played, agreed: Collection[int]) -> bool:  # noqa: ARG002
        """Whether the silence of those who have not answered is a yes."""
        return False

    async def _decline(self, game: Game, request: Request, interaction_id: int) -> Answered:
        async with self._store.writing(game=game.id) as tx:
            await self._close(tx, game, request, RequestState.DECLINED)
            await _remember(tx, game, interaction_id, self._clock.now())
        return Answered(replace(request, state=RequestState.DECLINED), game)

    async def _agree(self, game: Game, played: Played, request: Request, user_id: int, interaction_id: int) -> Answered:
        async with self._store.reading() as tx:
            agreed = {*await requests.agreed(tx, request.id), user_id}
        if set(needed(request, game)) <= agreed:
            return await self._let_happen(game, played, request, user_id, interaction_id)
        async with self._store.writing(game=game.id) as tx:
            now = self._clock.now()
            before = agreed - {user_id}
            if not set(await requests.agree(tx, request.id, user_id, now)) <= {*before, user_id}:
                raise PlyConflictError(game.id, game.ply)  # with another process' answer it may be enough
            await _remember(tx, game, interaction_id, now)
        return Answered(request, game)

    async def _let_happen(
        self,
        game: Game,
        played: Played,
        request: Request,
        user_id: int | None = None,
        interaction_id: int | None = None,
        timer: Timer | None = None,
    ) -> Answered:
        """What was asked for happens, once: with the last answer, or with the timer when silence is a yes."""
        granted = await self._grants()[request.kind](game, played, request)
        async with storing(self.outbox, game.id) as stored:
            tx, now = stored.tx, self._clock.now()
            if timer is not None:
                await _claim(tx, timer)
            if interaction_id is not None:
                await _remember(tx, game, interaction_id, now)
            if request.id and user_id is not None:
                await requests.agree(tx, request.id, user_id, now)
            if request.id:
                await self._close(tx, game, request, RequestState.GRANTED)
            done = await granted.happen(tx, now)
            stored.begun = done.begun
        self._tables.memory.keep(done.game, done.played)
        log.info("all agree", extra={**about(done.game), "request": request.kind.value, "subject": request.subject})
        return Answered(replace(request, state=RequestState.GRANTED), done.game)

    async def _close(self, tx: Transaction, game: Game, request: Request, state: RequestState) -> None:
        """End a request.

        Raises:
            PlyConflictError: that has happened already.
        """
        if not await requests.close(tx, request.id, state):
            raise PlyConflictError(game.id, game.ply)
        await timers.done(tx, Timer(game.id, TimerKind.LAPSE, request.lapses_at, subject=request.id))

    def _grants(self) -> Mapping[RequestKind, Grant]:
        """How each kind of request is granted."""
        return {}


def voters(game: Game, played: Played, user_id: int, now: datetime, *, fall_back: bool = True) -> tuple[int, ...]:
    """Who is asked: the others who acted lately; where none of them did, all others, or nobody."""
    others = [person.user_id for person in game.players if person.user_id != user_id]
    lately = {entry.user_id for entry in played.log if now - entry.at <= ACTIVE_WITHIN}
    return tuple(other for other in others if other in lately) or tuple(others if fall_back else ())


async def _claim(tx: Transaction, timer: Timer) -> None:
    """Do what a timer is for in this transaction alone.

    Raises:
        PlyConflictError: somebody else has.
    """
    if not await timers.claim(tx, timer):
        raise PlyConflictError(timer.game_id, 0)


def needed(request: Request, game: Game) -> tuple[int, ...]:
    """Who has to agree: of all who were asked those who still play, and who is to."""
    return tuple(user for user in request.voters if game.plays(user) or user == request.details.get(INVITED))


def asked_post(game: Game, request: Request) -> NewPost:
    """The message that asks; its nonce names the request."""
    nonce = f"{game.code}-{game.revision}-q{request.id}"
    return NewPost(
        game_id=game.id, from_ply=game.ply, ply=game.ply, kind=PostKind.ASKED, nonce=nonce, taken_back=game.taken_back
    )


def request_in(nonce: str) -> int:
    """The request that a message asks, by what it is known."""
    number = nonce.rpartition("-q")[2]
    return int(number) if number.isdecimal() else 0


def stands(request: Request, game: Game) -> bool:
    """Whether what is asked can still be answered."""
    in_place = request.kind not in BOUND or request.stamp == game.stamp
    return request.state is RequestState.OPEN and in_place


async def _remember(tx: Transaction, game: Game, interaction_id: int, now: datetime) -> None:
    done = AnsweredInteraction(
        id=interaction_id, game_id=game.id, before_ply=game.ply, ply=game.ply, taken_back=game.taken_back
    )
    await interactions.remember(tx, done, now)
