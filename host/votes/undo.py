"""Undo of published moves: a player requests it, and it is done when the other active players agree.

Everything since the player's last decision is undone: the game goes back to the *ply* (the number of actions) at which
they decided. The order of the tiles is part of the game's setup, so the same tile comes up again. Undone actions are
stored apart from the log. They still count in the game's *revision*, so that no revision is used twice.

In a game of an event, the organiser may order an undo; in a rated event, players cannot request one.
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace
from datetime import datetime

from engine import Resign, state_digest
from host.errors import ErrorCode, HostError
from host.games import timekeeping
from host.games.cache import PlayedGame
from host.games.outbox import move_post
from host.games.reader import GameReader
from host.observability import game_fields
from host.retry import retried
from host.rights import Asker, Organisers, check_playing, check_revision
from host.settings import HostSettings
from host.values import LoggedAction, setup_of
from host.votes.votes import Effect, Motion, TableChange, Votes
from store import moves, outbox, preferences, timers
from store.connection.database import Store, Transaction
from store.play.moves import UndoneAction
from store.play.requests import Request, RequestKind, RequestState
from store.records import Game, PostKind, TimerKind

log = logging.getLogger(__name__)


class Undo:
    """Drafts, submits and carries out requests to undo moves."""

    def __init__(
        self, store: Store, settings: HostSettings, games: GameReader, organisers: Organisers, votes: Votes
    ) -> None:
        self._store = store
        self._games = games
        self._organisers = organisers
        self._votes = votes
        self.patience = settings.patience
        votes.register(RequestKind.UNDO, Motion(self._prepare_undo))

    @retried
    async def request(self, ref: int | str, user_id: int, revision: int | None, interaction_id: int) -> Request:
        """Ask the other players whether everything since a player's last decision may be undone.

        If there are none but computers, which are not asked, it is undone at once.

        Raises:
            HostError: ``unknown_game``, ``not_a_player``, ``game_over``, ``frozen``, ``resigned``, ``rated_event``,
                ``stale``, ``nothing_to_undo``, ``asked_already``, ``asked_lately``.
        """
        async with self._games.holding(ref) as game_id:
            game, answered, _ = await self._games.current(game_id, interaction_id)
            if answered is not None:
                granted = await self._granted_before(game, answered.ply + answered.taken_back)
                if granted is not None:
                    return granted
            game, played, request = await self._draft(game_id, user_id)
            check_revision(game, revision)
            if request.voters:
                return await self._votes.submit(game, request, interaction_id)
            return (await self._votes.grant(game, played, request, None, interaction_id)).request

    @retried
    async def order(self, ref: int | str, asker: Asker, revision: int | None, interaction_id: int) -> Request:
        """Undo the newest decision in a game and what followed from it, at the order of an organiser of its event.

        Raises:
            HostError: ``unknown_game``, ``only_organiser``, ``game_over``, ``frozen``, ``stale``, ``nothing_to_undo``.
        """
        async with self._games.holding(ref) as game_id:
            game, answered, _ = await self._games.current(game_id, interaction_id)
            is_event = await self._organisers.event_of(game) is not None
            if not is_event or not await self._organisers.organises(game, asker):
                raise HostError(ErrorCode.ONLY_ORGANISER, code=game.code)
            if game.seat_to_act is None:
                raise HostError(ErrorCode.GAME_OVER, code=game.code)
            if answered is not None:
                granted = await self._granted_before(game, answered.ply + answered.taken_back)
                if granted is not None:
                    return granted
            game, played = await self._games.load_to_move(game)
            check_revision(game, revision)
            decider = _last_decider(game, played)
            request = self._votes.draft(game, RequestKind.UNDO, decider, ())
            request = replace(request, to_ply=_last_decision(game, played, decider))
            return (await self._votes.grant(game, played, request, None, interaction_id)).request

    async def draft(self, ref: int | str, user_id: int) -> Request:
        """Return the request that :meth:`request` would submit, without submitting it.

        Raises:
            HostError: the same as :meth:`request`.
        """
        game, _, request = await self._draft(await self._games.id_of(ref), user_id)
        await self._votes.check_submission(game, request)
        return request

    async def open_request(self, game: Game) -> Request | None:
        """Return the open request for an undo in the present position of a game; None if there is none."""
        return await self._votes.open_request(game, RequestKind.UNDO)

    async def undone(self, ref: int | str) -> tuple[UndoneAction, ...]:
        """Return all undone actions of a game: the undos in their order, the actions of each in that of the log.

        Raises:
            HostError: ``unknown_game``.
        """
        game_id = await self._games.id_of(ref)
        return tuple(await self._store.read(moves.undone_in, game_id))

    async def undone_cards(self, game_id: int, revision: int) -> tuple[int, ...]:
        """Return the ids of the messages whose moves were undone by the undo that led to this revision."""
        return tuple(await self._store.read(outbox.undone_messages, game_id, revision))

    # -- inside ---------------------------------------------------------------------------------------------------

    async def _granted_before(self, game: Game, revision: int) -> Request | None:
        """Rebuild the request that was granted at once at a revision; None if none was.

        A repetition of the same interaction gets it.
        """
        undone = [entry for entry in await self.undone(game.id) if entry.by == revision + 1]
        if not undone:
            return None
        first = undone[0].action  # the decision began with it
        request = self._votes.draft(game, RequestKind.UNDO, first.user_id, ())
        return replace(request, to_ply=first.ply, state=RequestState.GRANTED)

    async def _draft(self, game_id: int, user_id: int) -> tuple[Game, PlayedGame, Request]:
        """Return a game as stored now, and a player's request for an undo in it."""
        game, _, _ = await self._games.current(game_id)
        check_playing(game, user_id)
        event = await self._organisers.event_of(game)
        if event is not None and event.rated:
            raise HostError(ErrorCode.RATED_EVENT, code=game.code)
        game, played = await self._games.load_to_move(game)
        to_ply = _last_decision(game, played, user_id)
        request = self._votes.draft(game, RequestKind.UNDO, user_id, self._votes.voters(game, played, user_id))
        return game, played, replace(request, to_ply=to_ply)

    async def _prepare_undo(self, game: Game, played: PlayedGame, request: Request) -> Effect:
        """Replay the game up to the ply of a request, and return the effect that takes the game back to it."""
        remaining_log = played.log[: request.to_ply]
        earlier = await asyncio.to_thread(PlayedGame.through, setup_of(game), remaining_log)
        position = earlier.position
        digest, seat = state_digest(position), position.player

        async def go_back(tx: Transaction, now: datetime) -> TableChange:
            stamp = await moves.undo_to(tx, game.id, game.stamp, request.to_ply, digest, seat, now)
            await timers.stop(tx, game.id, [TimerKind.PUBLISH])
            await preferences.drop_plans(tx, game.id)
            back = replace(
                game, ply=stamp.ply, taken_back=stamp.taken_back, digest=digest, seat_to_act=seat, updated_at=now
            )
            await outbox.add(tx, move_post(back, game.ply, back.ply, PostKind.UNDONE), now)
            await timekeeping.refund_undone_moves(tx, back, game.seat_of(request.user_id) or 0, now)
            log.info("moves undone", extra={**game_fields(back), "plies": game.ply - back.ply})
            return TableChange(back, earlier)

        return go_back


def _last_decision(game: Game, played: PlayedGame, user_id: int) -> int:
    """Return the ply at which a player's last own decision began; all actions confirmed at once are one decision.

    Raises:
        HostError: ``nothing_to_undo`` if there is none, or a player has left the game since.
    """
    entries = played.log
    ply = next((entry.ply for entry in reversed(entries) if _is_own(entry, user_id)), None)
    if ply is None or any(isinstance(entry.action, Resign) for entry in entries[ply:]):
        raise HostError(ErrorCode.NOTHING_TO_UNDO, code=game.code)
    while ply and _is_own(entries[ply - 1], user_id) and entries[ply - 1].at == entries[ply].at:
        ply -= 1
    return ply


def _last_decider(game: Game, played: PlayedGame) -> int:
    """Return the id of the player who made the newest decision.

    Raises:
        HostError: ``nothing_to_undo`` if nobody who still plays has decided anything.
    """
    for entry in reversed(played.log):
        if game.plays(entry.user_id) and not entry.preset:
            return entry.user_id
    raise HostError(ErrorCode.NOTHING_TO_UNDO, code=game.code)


def _is_own(entry: LoggedAction, user_id: int) -> bool:
    """Return whether a user decided on an action themselves, not by a standing order."""
    return entry.user_id == user_id and not entry.preset
