"""Asking the other players: who is asked, what silence means, and that what all agree to happens once.

All that players may ask of each other goes this way: a request is a row with a message that asks and a timer that ends
it; the last one who agrees lets it happen, in one transaction.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

from host.errors import ErrorCode, HostError
from host.memory import Played
from host.publishing import Publishing
from host.values import Post
from store import (
    Game,
    Interaction,
    NewPost,
    PlyConflictError,
    PostKind,
    Request,
    RequestKind,
    RequestState,
    Timer,
    TimerKind,
    Transaction,
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
BOUND: Final = frozenset({RequestKind.UNDO})
"""What counts only where the game still stands: the next move ends it."""


@dataclass(frozen=True, slots=True)
class Answered:
    """What has come of an answer: the request as it is now, and the game."""

    request: Request
    game: Game


@dataclass(frozen=True, slots=True)
class Granted:
    """What is done when all agree, within the transaction that says so, and the table as it is then."""

    happen: Callable[[Transaction, datetime], Awaitable[Game]]
    played: Played


Grant = Callable[[Game, Played, Request], Awaitable[Granted]]
"""Says what is done when all agree; nothing happens yet."""


class Consent(Publishing):
    """Requests, and their answers."""

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
                game, done, _ = await self._recall(game_id, interaction_id)
                game, played = await self._tables.follow_to_move(game)
                request = await self._request(game, request_id, answered=done is not None)
                if done is not None:
                    return Answered(request, game)
                if user_id not in (*request.voters, *([] if agrees else [request.user_id])):
                    raise HostError(ErrorCode.NOT_ASKED, code=game.code)
                with suppress(PlyConflictError):
                    if not agrees:
                        return await self._decline(game, request, interaction_id)
                    return await self._agree(game, played, request, user_id, interaction_id)

    async def lapse(self, timer: Timer) -> None:
        """A request that nobody has answered in time is over."""
        async with self._store.writing() as tx:
            if await timers.claim(tx, timer):
                await requests.close(tx, timer.subject, RequestState.LAPSED)

    async def asked_by(self, post: Post) -> Request | None:
        """What a message asks, as long as it is asked."""
        async with self._store.reading() as tx:
            request = await requests.get(tx, _request_in(post.nonce))
            game = await self._find(tx, post.game_id)
        return request if request is not None and _stands(request, game) else None

    # -- inside ---------------------------------------------------------------------------------------------------

    def _request_of(self, game: Game, kind: RequestKind, user_id: int, voters: tuple[int, ...]) -> Request:
        lapses_at = self._clock.now() + LAPSES_AFTER
        return Request(
            game_id=game.id, kind=kind, user_id=user_id, stamp=game.stamp, voters=voters, lapses_at=lapses_at
        )

    async def _ask(self, game: Game, asked: Request, interaction_id: int) -> Request:
        """Store a request, with its message and its end; one that the same interaction has made is found again.

        Raises:
            HostError: ``asked_already``.
        """
        now = self._clock.now()
        async with self.outbox.writing() as tx:
            known = await self._open_like(tx, game, asked.kind, asked.subject)
            if known is not None:
                if await interactions.get(tx, interaction_id) is not None:
                    return known
                raise HostError(ErrorCode.ASKED_ALREADY, code=game.code)
            asked = replace(asked, id=await requests.add(tx, asked, now))
            await timers.put(tx, Timer(game.id, TimerKind.LAPSE, asked.lapses_at, subject=asked.id))
            await outbox.add(tx, asked_post(game, asked), now)
            await _remember(tx, game, interaction_id, now)
        log.info("the others are asked", extra={**about(game), "user": asked.user_id, "request": asked.kind.value})
        return asked

    async def _open_like(self, tx: Transaction, game: Game, kind: RequestKind, subject: int = 0) -> Request | None:
        found = await requests.open_of(tx, game.id, kind, subject)
        return found if found is not None and _stands(found, game) else None

    async def _request(self, game: Game, request_id: int, *, answered: bool) -> Request:
        async with self._store.reading() as tx:
            request = await requests.get(tx, request_id)
        if request is None or request.game_id != game.id:
            raise HostError(ErrorCode.REQUEST_GONE, code=game.code)
        if not answered and (not _stands(request, game) or request.lapses_at <= self._clock.now()):
            raise HostError(ErrorCode.REQUEST_GONE, code=game.code)
        return request

    async def _decline(self, game: Game, request: Request, interaction_id: int) -> Answered:
        async with self._store.writing() as tx:
            await self._close(tx, game, request, RequestState.DECLINED)
            await _remember(tx, game, interaction_id, self._clock.now())
        return Answered(replace(request, state=RequestState.DECLINED), game)

    async def _agree(self, game: Game, played: Played, request: Request, user_id: int, interaction_id: int) -> Answered:
        granted = await self._grants()[request.kind](game, played, request)
        async with self.outbox.writing() as tx:
            now = self._clock.now()
            agreed = await requests.agree(tx, request.id, user_id, now)
            await _remember(tx, game, interaction_id, now)
            if not set(request.voters) <= set(agreed):
                return Answered(request, game)
            await self._close(tx, game, request, RequestState.GRANTED)
            after = await granted.happen(tx, now)
        self._tables.memory.keep(after, granted.played)
        log.info("all agree", extra={**about(after), "interaction": interaction_id, "request": request.kind.value})
        return Answered(replace(request, state=RequestState.GRANTED), after)

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


def voters(game: Game, played: Played, user_id: int, now: datetime) -> tuple[int, ...]:
    """Who is asked: the others who acted lately; where none of them did, all others."""
    others = [person.user_id for person in game.players if person.user_id != user_id]
    lately = {entry.user_id for entry in played.log if now - entry.at <= ACTIVE_WITHIN}
    return tuple(other for other in others if other in lately) or tuple(others)


def asked_post(game: Game, request: Request) -> NewPost:
    """The message that asks; its nonce names the request."""
    nonce = f"{game.code}-{game.revision}-q{request.id}"
    return NewPost(
        game_id=game.id, from_ply=game.ply, ply=game.ply, kind=PostKind.ASKED, nonce=nonce, taken_back=game.taken_back
    )


def about(game: Game) -> dict[str, object]:
    """What the log says of a game."""
    return {"game": game.code, "ply": game.ply, "server": game.guild_id}


def _request_in(nonce: str) -> int:
    number = nonce.rpartition("-q")[2]
    return int(number) if number.isdecimal() else 0


def _stands(request: Request, game: Game) -> bool:
    """Whether what is asked can still be answered."""
    in_place = request.kind not in BOUND or request.stamp == game.stamp
    return request.state is RequestState.OPEN and in_place


async def _remember(tx: Transaction, game: Game, interaction_id: int, now: datetime) -> None:
    done = Interaction(
        id=interaction_id, game_id=game.id, before_ply=game.ply, ply=game.ply, taken_back=game.taken_back
    )
    await interactions.remember(tx, done, now)
