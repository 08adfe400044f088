"""Undoing what is published: asked for by whoever decided it, granted when all agree who have played lately.

Everything since the asker's last decision is undone. The pile is in the setup, so that the same tile comes up again.
What was undone stays, apart from the log, and no revision is ever used twice.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime

from engine import Resign, state_digest
from host.agreements.consent import Consent, Done, Grant, Granted, voters
from host.errors import ErrorCode, HostError
from host.patience import patient
from host.play.memory import Played
from host.play.outbox import move_nonce
from host.rights import Asker, check_playing, check_revision, is_manager
from host.traces import about
from host.values import LoggedAction, setup_of
from store import (
    Game,
    NewPost,
    PostKind,
    Request,
    RequestKind,
    RequestState,
    TimerKind,
    Transaction,
    UndoneAction,
    guilds,
    moves,
    outbox,
    private,
    timers,
)

log = logging.getLogger(__name__)


class Undoing(Consent):
    """Going back by consent."""

    @patient
    async def ask_undo(self, ref: int | str, user_id: int, revision: int | None, interaction_id: int) -> Request:
        """Ask the others whether everything since somebody's last decision may be undone.

        Raises:
            HostError: ``unknown_game``, ``not_a_player``, ``game_over``, ``frozen``, ``resigned``, ``rated_event``,
                ``stale``, ``nothing_to_undo``, ``asked_already``, ``asked_lately``.
        """
        game_id = await self._id_of(ref)
        async with self._locks.hold(game_id):
            game, asked = await self._prepared(game_id, user_id)
            check_revision(game, revision)
            return await self._ask(game, asked, interaction_id)

    @patient
    async def order_undo(self, ref: int | str, asker: Asker, revision: int | None, interaction_id: int) -> Request:
        """Undo, as the organiser of the game's event, what was last decided by a player, and what has followed from it.

        Raises:
            HostError: ``unknown_game``, ``only_organiser``, ``game_over``, ``frozen``, ``stale``, ``nothing_to_undo``.
        """
        game_id = await self._id_of(ref)
        async with self._locks.hold(game_id):
            game, done, _ = await self._recall(game_id, interaction_id)
            if await self.event_of(game) is None or not await self._is_organiser(game, asker):
                raise HostError(ErrorCode.ONLY_ORGANISER, code=game.code)
            if game.seat_to_act is None:
                raise HostError(ErrorCode.GAME_OVER, code=game.code)
            if done is not None:
                return await self._ordered_before(game, done.ply + done.taken_back)
            game, played = await self._tables.follow_to_move(game)
            check_revision(game, revision)
            decider = _last_decider(game, played)
            asked = self._request_of(game, RequestKind.UNDO, decider, ())
            asked = replace(asked, to_ply=_last_decision(game, played, decider))
            return (await self._let_happen(game, played, asked, None, interaction_id)).request

    async def may_ask(self, ref: int | str, user_id: int) -> Request:
        """What somebody would ask; nobody is asked yet.

        Raises:
            HostError: as for :meth:`ask_undo`.
        """
        game, asked = await self._prepared(await self._id_of(ref), user_id)
        await self._check_may_ask(game, asked)
        return asked

    async def open_request(self, game: Game) -> Request | None:
        """The undo that somebody asks for in a game that stands there."""
        async with self._store.reading() as tx:
            return await self._open_like(tx, game, RequestKind.UNDO)

    async def undone(self, ref: int | str) -> tuple[UndoneAction, ...]:
        """All that was undone in a game, in the order of the undos, and of each in that of the log.

        Raises:
            HostError: ``unknown_game``.
        """
        game_id = await self._id_of(ref)
        async with self._store.reading() as tx:
            return tuple(await moves.undone_in(tx, game_id))

    async def undone_cards(self, game_id: int, revision: int) -> tuple[int, ...]:
        """The messages of what was undone when the game came to this revision."""
        async with self._store.reading() as tx:
            return tuple(await outbox.undone_messages(tx, game_id, revision))

    # -- inside ---------------------------------------------------------------------------------------------------

    async def _is_organiser(self, game: Game, asker: Asker) -> bool:
        """Whether somebody without a seat in a game organises its event or, where it has none, manages its server."""
        if game.seat_of(asker.user_id) is not None:
            return False
        event = await self.event_of(game)
        if event is not None:
            return event.organises(asker)
        if asker.guild_id != game.guild_id:
            return False
        async with self._store.reading() as tx:
            return is_manager(asker, await guilds.get(tx, game.guild_id))

    async def _ordered_before(self, game: Game, revision: int) -> Request:
        """What was undone by order when a game was at this revision; whoever ordered it asks again."""
        undone = [entry for entry in await self.undone(game.id) if entry.by == revision + 1]
        first = undone[0].action  # with which the decision began
        asked = self._request_of(game, RequestKind.UNDO, first.user_id, ())
        return replace(asked, to_ply=first.ply, state=RequestState.GRANTED)

    async def _prepared(self, game_id: int, user_id: int) -> tuple[Game, Request]:
        game, _, _ = await self._recall(game_id)
        check_playing(game, user_id)
        event = await self.event_of(game)
        if event is not None and event.rated:
            raise HostError(ErrorCode.RATED_EVENT, code=game.code)
        game, played = await self._tables.follow_to_move(game)
        to_ply = _last_decision(game, played, user_id)
        asked = self._request_of(game, RequestKind.UNDO, user_id, voters(game, played, user_id, self._clock.now()))
        return game, replace(asked, to_ply=to_ply)

    def _grants(self) -> Mapping[RequestKind, Grant]:
        return {**super()._grants(), RequestKind.UNDO: self._grant_undo}

    async def _grant_undo(self, game: Game, played: Played, request: Request) -> Granted:
        start = played.log[: request.to_ply]
        back_then = await asyncio.to_thread(Played.through, setup_of(game), start)
        position = back_then.position
        digest, seat = state_digest(position), position.player

        async def happen(tx: Transaction, now: datetime) -> Done:
            stamp = await moves.go_back(tx, game.id, game.stamp, request.to_ply, digest, seat, now)
            await timers.stop(tx, game.id, [TimerKind.PUBLISH])
            await private.drop_plans(tx, game.id)
            back = replace(
                game, ply=stamp.ply, taken_back=stamp.taken_back, digest=digest, seat_to_act=seat, updated_at=now
            )
            await outbox.add(tx, _answer(back, game.ply), now)
            await self.timekeeping.undone(tx, back, game.seat_of(request.user_id) or 0, now)
            log.info("moves undone", extra={**about(back), "plies": game.ply - back.ply})
            return Done(back, back_then)

        return Granted(happen)


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


def _last_decider(game: Game, played: Played) -> int:
    """Who of those at the table has decided something last.

    Raises:
        HostError: ``nothing_to_undo``: nobody.
    """
    for entry in reversed(played.log):
        if game.plays(entry.user_id) and not entry.preset:
            return entry.user_id
    raise HostError(ErrorCode.NOTHING_TO_UNDO, code=game.code)


def _is_own(entry: LoggedAction, user_id: int) -> bool:
    return entry.user_id == user_id and not entry.preset


def _answer(back: Game, from_ply: int) -> NewPost:
    """The card of a game that went back; its span leads backwards."""
    nonce = move_nonce(back.code, back.revision, back.epoch)
    return NewPost(
        game_id=back.id, from_ply=from_ply, ply=back.ply, kind=PostKind.UNDONE, nonce=nonce, taken_back=back.taken_back
    )
