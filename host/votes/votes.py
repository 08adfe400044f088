"""Votes: a player requests something, such as an undo, and it is done once all of the other players agree.

A *request* is stored together with a post that asks the *voters*, and a timer that ends it. When the last voter agrees,
it is *granted*: its effect takes place in the same transaction. One voter who declines ends it. The post carries the id
of the request in its *nonce*, a text that identifies the message.

Each kind of request is a :class:`Motion`, registered with :meth:`Votes.register` by the service that offers it
(``undo``, ``pauses``, ``substitutions``). That service drafts a request, and submits it to the voters or, if nobody has
to be asked, has it granted at once.
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
from host.games.move import remember_interaction
from host.games.moves import Moves
from host.games.outbox import Outbox, notice_post, storing
from host.games.reader import GameReader
from host.observability import game_fields
from host.retry import retried
from host.settings import HostSettings
from host.values import Post
from store import absences, moves, outbox, requests, timers
from store.connection.database import Store, Transaction
from store.errors import PlyConflictError
from store.play.requests import Request, RequestKind, RequestState
from store.records import Game, GameStatus, PostKind, Timer, TimerKind

log = logging.getLogger(__name__)

VOTE_DURATION: Final = timedelta(hours=24)
"""The time to answer a request; after it, silence counts as a no, unless the motion says otherwise."""
ACTIVE_WITHIN: Final = timedelta(days=7)
"""Players who have acted in the game within this time are the voters."""
REPEAT_INTERVAL: Final = timedelta(hours=1)
"""The time after which a declined request may be repeated; it may at once when the game has moved on."""
INVITED_USER: Final = "user_id"
"""The key, in the details of a request, of the user who is invited to play."""
STAND_IN_LEVEL: Final = "level"
"""The key, in the details of a request, of the level of a computer that is to take over a seat."""
COMPUTER_NAME: Final = "computer"
"""The key, in the details of a request, of the name of the computer whose seat a person would take over."""
BOUND_TO_POSITION: Final = frozenset({RequestKind.UNDO})
"""The kinds of requests that end with the next move, since they refer to the present position."""


@dataclass(frozen=True, slots=True)
class VoteResult:
    """The request after an answer, and the game, which has changed if the request was granted."""

    request: Request
    game: Game


@dataclass(frozen=True, slots=True)
class TableChange:
    """A game after a change that is not a plain move, such as a granted request."""

    game: Game
    played: PlayedGame
    begun: Post | None = None
    """The card of the change, if this process has begun to send it."""


Effect = Callable[[Transaction, datetime], Awaitable[TableChange]]
"""Carries out a request, in the transaction that records that everybody agrees."""


async def never_by_silence(_request: Request, _game: Game, _played: PlayedGame, _agreed: Collection[int]) -> bool:
    """Return False: silence is a no, whatever the request."""
    return False


@dataclass(frozen=True, slots=True)
class Motion:
    """One kind of request: what happens when it is granted, and what silence means."""

    prepare: Callable[[Game, PlayedGame, Request], Awaitable[Effect]]
    """Computes the effect before the transaction, without applying it."""
    silence_agrees: Callable[[Request, Game, PlayedGame, Collection[int]], Awaitable[bool]] = never_by_silence
    """Returns whether silence counts as a yes; the last argument is the ids of the users who have agreed."""


class Votes:
    """Submits requests to the voters, records their answers, and grants requests to which all agree."""

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
        """Register the motion for a kind of request."""
        self._motions[kind] = motion

    # -- for players ----------------------------------------------------------------------------------------------

    @retried
    async def answer(
        self, ref: int | str, request_id: int, user_id: int, interaction_id: int, *, agrees: bool
    ) -> VoteResult:
        """Record a voter's answer; the last one to agree has the request granted. Its author withdraws it by declining.

        Raises:
            HostError: ``unknown_game``, ``frozen``, ``request_gone``, ``not_asked``.
        """
        async with self._games.holding(ref) as game_id:
            while True:
                game, answered, pending = await self._games.current(game_id, interaction_id)
                game, played = await self._games.load_to_move(game)
                request = await self._request(game, request_id, is_repeated=answered is not None)
                if answered is not None:
                    return VoteResult(request, game)
                if user_id not in (*required_voters(request, game), *([] if agrees else [request.user_id])):
                    raise HostError(ErrorCode.NOT_ASKED, code=game.code)
                with suppress(PlyConflictError):
                    if not agrees:
                        return await self._decline(game, request, interaction_id)
                    if pending is not None and request.kind not in BOUND_TO_POSITION:
                        await self._moves.publish(game, pending)  # a confirmed move counts before the request
                        continue
                    return await self._agree(game, played, request, user_id, interaction_id)

    async def request_of(self, post: Post) -> Request | None:
        """Return the request that a post shows to the voters; None if it cannot be answered any more."""
        async with self._store.reading() as tx:
            request = await requests.get(tx, request_in(post.nonce))
            game = await self._games.find(tx, post.game_id)
        return request if request is not None and is_open(request, game) else None

    async def lapse(self, timer: Timer) -> None:
        """End a request whose time is over: grant it if its motion says that silence is a yes, else close it."""
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
        """Return the users who have to agree to a player's request: the other players who have acted recently.

        If none has, these are all other players with ``fall_back``, and nobody without it.
        """
        now = self._clock.now()
        others = [person.user_id for person in game.players if person.user_id != user_id]
        recently_active = {entry.user_id for entry in played.log if now - entry.at <= ACTIVE_WITHIN}
        return tuple(other for other in others if other in recently_active) or tuple(others if fall_back else ())

    async def submit(self, game: Game, request: Request, interaction_id: int) -> Request:
        """Store a request with the post that asks the voters and the timer that ends it; return it with its id.

        A repeated interaction returns the request that it has stored before.

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
            await timers.save(tx, Timer(game.id, TimerKind.LAPSE, request.lapses_at, subject=request.id))
            await outbox.add(tx, notice_post(game, PostKind.ASKED, f"q{request.id}"), now)
            await remember_interaction(tx, game, interaction_id, now)
        log.info(
            "request submitted", extra={**game_fields(game), "user": request.user_id, "request": request.kind.value}
        )
        return request

    async def check_submission(self, game: Game, request: Request) -> None:
        """Check that a request may be submitted now.

        Raises:
            HostError: ``asked_already``, ``asked_lately``.
        """
        async with self._store.reading() as tx:
            if await self._find_open(tx, game, request.kind, request.subject) is not None:
                raise HostError(ErrorCode.ASKED_ALREADY, code=game.code)
            await self._check_not_lately(tx, game, request)

    async def open_request(self, game: Game, kind: RequestKind) -> Request | None:
        """Return the open request of a kind that concerns no particular player; None if there is none."""
        return await self._store.read(self._find_open, game, kind)

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
        """Carry out a request, exactly once: with the last answer, or with the timer if silence counts as a yes.

        ``user_id`` is the voter who agrees last, and ``interaction_id`` their interaction. A request that was not
        submitted, because nobody has to be asked, has no id.

        Raises:
            PlyConflictError: the game has moved on, or the request was closed elsewhere.
        """
        effect = await self._motions[request.kind].prepare(game, played, request)
        async with storing(self._outbox, game.id) as stored:
            tx, now = stored.tx, self._clock.now()
            await claim_timer(tx, timer)
            if interaction_id is not None:
                await remember_interaction(tx, game, interaction_id, now)
            if request.id and user_id is not None:
                await requests.add_agreement(tx, request.id, user_id, now)
            if request.id:
                await self._close(tx, game, request, RequestState.GRANTED)
            change = await effect(tx, now)
            stored.begun = change.begun
        self._games.cache.store(change.game, change.played)
        log.info(
            "all agree", extra={**game_fields(change.game), "request": request.kind.value, "subject": request.subject}
        )
        return VoteResult(replace(request, state=RequestState.GRANTED), change.game)

    # -- inside ---------------------------------------------------------------------------------------------------

    async def _check_not_lately(self, tx: Transaction, game: Game, request: Request) -> None:
        """Check that the same request was not declined a short while ago, without a move since.

        Raises:
            HostError: ``asked_lately``.
        """
        since = self._clock.now() - REPEAT_INTERVAL
        for former in await requests.declined_since(tx, game.id, request.user_id, request.kind, request.subject, since):
            if former.stamp == game.stamp and former.details.get(INVITED_USER) == request.details.get(INVITED_USER):
                allowed_at = former.lapses_at - VOTE_DURATION + REPEAT_INTERVAL
                raise HostError(ErrorCode.ASKED_LATELY, code=game.code, again=int(allowed_at.timestamp()))

    async def _find_open(self, tx: Transaction, game: Game, kind: RequestKind, subject: int = 0) -> Request | None:
        """Return the open request of a kind about a player (``subject``, 0 for nobody in particular), if any."""
        request = await requests.newest_open(tx, game.id, kind, subject)
        return request if request is not None and is_open(request, game) else None

    async def _request(self, game: Game, request_id: int, *, is_repeated: bool) -> Request:
        """Return a request of a game that can still be answered; for a repeated interaction, in any state.

        Raises:
            HostError: ``request_gone``.
        """
        request = await self._store.read(requests.get, request_id)
        if request is None or request.game_id != game.id:
            raise HostError(ErrorCode.REQUEST_GONE, code=game.code)
        if not is_repeated and (not is_open(request, game) or request.lapses_at <= self._clock.now()):
            raise HostError(ErrorCode.REQUEST_GONE, code=game.code)
        return request

    async def _agree_in_silence(self, timer: Timer) -> bool:
        """Grant a request whose time is over if silence is a yes to it; return whether it was granted."""
        game, _, pending = await self._games.current(timer.game_id)
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
        if pending is not None:
            await self._moves.publish(game, pending)
            return await self._agree_in_silence(timer)
        await self.grant(game, played, request, timer=timer)
        return True

    async def _decline(self, game: Game, request: Request, interaction_id: int) -> VoteResult:
        """Close a request because a voter declines it, or its author withdraws it."""
        async with self._store.writing(game=game.id) as tx:
            await self._close(tx, game, request, RequestState.DECLINED)
            await remember_interaction(tx, game, interaction_id, self._clock.now())
        return VoteResult(replace(request, state=RequestState.DECLINED), game)

    async def _agree(
        self, game: Game, played: PlayedGame, request: Request, user_id: int, interaction_id: int
    ) -> VoteResult:
        """Store that a voter agrees with a request, and grant the request if nobody else has to agree.

        Raises:
            PlyConflictError: another process has stored an answer meanwhile.
        """
        agreed = {*await self._store.read(requests.agreeing_users, request.id), user_id}
        # The last answer, by what is stored so far: grant the request. Otherwise store the answer, and check that no
        # other process has stored one meanwhile, since both together may be enough; the caller then tries again.
        if set(required_voters(request, game)) <= agreed:
            return await self.grant(game, played, request, user_id, interaction_id)
        async with self._store.writing(game=game.id) as tx:
            now = self._clock.now()
            if not set(await requests.add_agreement(tx, request.id, user_id, now)) <= agreed:
                raise PlyConflictError(game.id, game.ply)
            await remember_interaction(tx, game, interaction_id, now)
        return VoteResult(request, game)

    async def _close(self, tx: Transaction, game: Game, request: Request, state: RequestState) -> None:
        """Close a request with this state, and delete its timer.

        Raises:
            PlyConflictError: another process has closed it.
        """
        if not await requests.close(tx, request.id, state):
            raise PlyConflictError(game.id, game.ply)
        await timers.remove(tx, Timer(game.id, TimerKind.LAPSE, request.lapses_at, subject=request.id))


async def claim_timer(tx: Transaction, timer: Timer | None) -> None:
    """Claim a timer, if one is passed, so that only this transaction acts on it.

    Raises:
        PlyConflictError: another process has claimed it.
    """
    if timer is not None and not await timers.claim(tx, timer):
        raise PlyConflictError(timer.game_id, 0)


def required_voters(request: Request, game: Game) -> tuple[int, ...]:
    """Return the users who have to agree: the voters who still play, and the user who is invited to play."""
    return tuple(user for user in request.voters if game.plays(user) or user == request.details.get(INVITED_USER))


def request_in(nonce: str) -> int:
    """Return the id of the request in the nonce of its post; 0 for the nonce of any other post."""
    number = nonce.rpartition("-q")[2]
    return int(number) if number.isdecimal() else 0


def is_open(request: Request, game: Game) -> bool:
    """Return whether a request can still be answered."""
    applies = request.kind not in BOUND_TO_POSITION or request.stamp == game.stamp
    return request.state is RequestState.OPEN and applies
