"""Undoing what is published: asked for by whoever decided it, granted when all agree who have played lately.

Everything since the asker's last decision is undone. The pile is in the setup, so that the same tile comes up again.
What was undone stays, apart from the log, and no revision is ever used twice.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

from engine import Resign, replay, state_digest
from host.errors import ErrorCode, HostError
from host.memory import Played
from host.outbox import move_nonce
from host.publishing import Publishing
from host.rights import check_playing, check_revision
from host.values import LoggedAction, setup_of
from store import (
    Game,
    Interaction,
    NewPost,
    PlyConflictError,
    PostKind,
    RequestState,
    Timer,
    TimerKind,
    Transaction,
    Undone,
    UndoRequest,
    interactions,
    outbox,
    plans,
    requests,
    timers,
    undoing,
)

log = logging.getLogger(__name__)

LAPSES_AFTER: Final = timedelta(hours=24)
"""After so long silence is a no."""
ACTIVE_WITHIN: Final = timedelta(days=7)
"""Who has acted in the game within this time is asked."""


@dataclass(frozen=True, slots=True)
class Answered:
    """What has come of an answer: the request as it is now, and the game."""

    request: UndoRequest
    game: Game


class Undoing(Publishing):
    """Requests to undo, and their answers."""

    async def ask_undo(self, ref: int | str, user_id: int, revision: int | None, interaction_id: int) -> UndoRequest:
        """Ask the others whether everything since somebody's last decision may be undone.

        Raises:
            HostError: ``unknown_game``, ``not_a_player``, ``game_over``, ``frozen``, ``resigned``, ``stale``,
                ``nothing_to_undo``, ``asked_already``.
        """
        game_id = await self._id_of(ref)
        async with self._locks.hold(game_id):
            game, asked = await self._prepared(game_id, user_id)
            check_revision(game, revision)
            now = self._clock.now()
            async with self.outbox.writing() as tx:
                known = await requests.open_of(tx, game.id, game.stamp)
                if known is not None:
                    if await interactions.get(tx, interaction_id) is not None:
                        return known
                    raise HostError(ErrorCode.ASKED_ALREADY, code=game.code)
                asked = replace(asked, id=await requests.add(tx, asked, now))
                await timers.put(tx, Timer(game.id, TimerKind.LAPSE, asked.lapses_at, subject=asked.id))
                await outbox.add(tx, _question(game, asked), now)
                await _remember(tx, game, interaction_id, now)
        log.info("undo asked for", extra={**_about(game), "user": user_id, "plies": game.ply - asked.to_ply})
        return asked

    async def may_ask(self, ref: int | str, user_id: int) -> UndoRequest:
        """What somebody would ask; nobody is asked yet.

        Raises:
            HostError: as for :meth:`ask_undo`.
        """
        game, asked = await self._prepared(await self._id_of(ref), user_id)
        if await self.open_request(game) is not None:
            raise HostError(ErrorCode.ASKED_ALREADY, code=game.code)
        return asked

    async def _prepared(self, game_id: int, user_id: int) -> tuple[Game, UndoRequest]:
        game, _, _ = await self._recall(game_id)
        check_playing(game, user_id)
        game, played = await self._tables.follow_to_move(game)
        now = self._clock.now()
        asked = UndoRequest(
            id=0,
            game_id=game.id,
            user_id=user_id,
            stamp=game.stamp,
            to_ply=_last_decision(game, played, user_id),
            voters=_voters(game, played, user_id, now),
            lapses_at=now + LAPSES_AFTER,
            state=RequestState.OPEN,
        )
        return game, asked

    async def answer_undo(
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
                request = await self._request(game, request_id, done is not None)
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

    async def open_request(self, game: Game) -> UndoRequest | None:
        """What somebody asks the others in a game that stands there."""
        async with self._store.reading() as tx:
            return await requests.open_of(tx, game.id, game.stamp)

    async def undone(self, ref: int | str) -> tuple[Undone, ...]:
        """All that was undone in a game, in the order of the undos, and of each in that of the log.

        Raises:
            HostError: ``unknown_game``.
        """
        game_id = await self._id_of(ref)
        async with self._store.reading() as tx:
            return tuple(await undoing.of_game(tx, game_id))

    async def undone_cards(self, game_id: int, revision: int) -> tuple[int, ...]:
        """The messages of what was undone when the game came to this revision."""
        async with self._store.reading() as tx:
            return tuple(await undoing.cards(tx, game_id, revision))

    # -- inside ---------------------------------------------------------------------------------------------------

    async def _request(self, game: Game, request_id: int, answered: bool) -> UndoRequest:  # noqa: FBT001
        async with self._store.reading() as tx:
            request = await requests.get(tx, request_id)
        known = request is not None and request.game_id == game.id
        if request is None or not known:
            raise HostError(ErrorCode.REQUEST_GONE, code=game.code)
        stands = request.state is RequestState.OPEN and request.stamp == game.stamp
        if not answered and (not stands or request.lapses_at <= self._clock.now()):
            raise HostError(ErrorCode.REQUEST_GONE, code=game.code)
        return request

    async def _decline(self, game: Game, request: UndoRequest, interaction_id: int) -> Answered:
        async with self._store.writing() as tx:
            if not await requests.close(tx, request.id, RequestState.DECLINED):
                raise PlyConflictError(game.id, game.ply)
            await timers.done(tx, Timer(game.id, TimerKind.LAPSE, request.lapses_at, subject=request.id))
            await _remember(tx, game, interaction_id, self._clock.now())
        return Answered(replace(request, state=RequestState.DECLINED), game)

    async def _agree(
        self, game: Game, played: Played, request: UndoRequest, user_id: int, interaction_id: int
    ) -> Answered:
        start = played.log[: request.to_ply]
        position = await asyncio.to_thread(replay, setup_of(game), [entry.action for entry in start])
        async with self.outbox.writing() as tx:
            now = self._clock.now()
            agreed = await requests.agree(tx, request.id, user_id, now)
            await _remember(tx, game, interaction_id, now)
            if not set(request.voters) <= set(agreed):
                return Answered(request, game)
            if not await requests.close(tx, request.id, RequestState.GRANTED):
                raise PlyConflictError(game.id, game.ply)
            digest, seat = state_digest(position), position.player
            stamp = await undoing.go_back(tx, game.id, game.stamp, request.to_ply, digest, seat, now)
            await timers.stop(tx, game.id, [TimerKind.LAPSE, TimerKind.PUBLISH])
            await plans.void(tx, game.id)
            back = replace(
                game, ply=stamp.ply, taken_back=stamp.taken_back, digest=digest, seat_to_act=seat, updated_at=now
            )
            await outbox.add(tx, _answer(back, game.ply), now)
            await self.timekeeping.undone(tx, back, game.seat_of(request.user_id) or 0, now)
        self._tables.memory.keep(back, Played(position, start))
        log.info("moves undone", extra={**_about(back), "plies": game.ply - back.ply, "interaction": interaction_id})
        return Answered(replace(request, state=RequestState.GRANTED), back)


def _last_decision(game: Game, played: Played, user_id: int) -> int:
    """The ply at which somebody last decided something himself: what was done with one confirmation is one decision.

    Raises:
        HostError: ``nothing_to_undo``: there is none, or somebody has left the game since.
    """
    entries = played.log
    ply = next((entry.ply for entry in reversed(entries) if _is_own(entry, user_id)), None)
    if ply is None or any(isinstance(entry.action, Resign) for entry in entries[ply:]):
        raise HostError(ErrorCode.NOTHING_TO_UNDO, code=game.code)
    while ply and _is_own(entries[ply - 1], user_id) and entries[ply - 1].at == entries[ply].at:
        ply -= 1
    return ply


def _is_own(entry: LoggedAction, user_id: int) -> bool:
    return entry.user_id == user_id and not entry.preset


def _voters(game: Game, played: Played, user_id: int, now: datetime) -> tuple[int, ...]:
    """Who is asked: the others who acted lately; where none of them did, all others."""
    others = [person.user_id for person in game.players if person.user_id != user_id]
    lately = {entry.user_id for entry in played.log if now - entry.at <= ACTIVE_WITHIN}
    return tuple(other for other in others if other in lately) or tuple(others)


def _question(game: Game, request: UndoRequest) -> NewPost:
    nonce = f"{game.code}-{game.revision}-q{request.id}"
    return NewPost(
        game_id=game.id, from_ply=game.ply, ply=game.ply, kind=PostKind.ASKED, nonce=nonce, taken_back=game.taken_back
    )


def _answer(back: Game, from_ply: int) -> NewPost:
    """The card of a game that went back; its span leads backwards."""
    nonce = move_nonce(back.code, back.revision, back.epoch)
    return NewPost(
        game_id=back.id, from_ply=from_ply, ply=back.ply, kind=PostKind.UNDONE, nonce=nonce, taken_back=back.taken_back
    )


async def _remember(tx: Transaction, game: Game, interaction_id: int, now: datetime) -> None:
    done = Interaction(
        id=interaction_id, game_id=game.id, before_ply=game.ply, ply=game.ply, taken_back=game.taken_back
    )
    await interactions.remember(tx, done, now)


def _about(game: Game) -> dict[str, object]:
    return {"game": game.code, "ply": game.ply, "server": game.guild_id}
