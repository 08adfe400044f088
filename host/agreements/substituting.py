"""Replacing a player who cannot go on, or going on without: by consent of the others, or by an organiser.

Nobody takes over a seat without agreeing to it, and nobody who still plays loses one without being asked. Silence is a
yes where somebody left the server, ran out of time, or has let a table without a clock wait for long.
"""

from __future__ import annotations

import logging
from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from engine import Resign
from engine.actions import Seat
from host.agreements.consent import INVITED, Done, Grant, Granted, voters
from host.agreements.undoing import Undoing
from host.errors import ErrorCode, HostError
from host.limits import Limits
from host.naming import called_among
from host.play import holding
from host.play.memory import Played
from host.play.moves import NOBODY, Move
from host.play.orders import obeying
from host.play.outbox import move_post
from host.play.timekeeping import LATEST
from host.rights import Asker, check_playing
from host.time.paces import pace_of
from host.traces import about
from host.values import Post
from store import (
    Game,
    Person,
    PlyConflictError,
    PostKind,
    Request,
    RequestKind,
    Substitution,
    Transaction,
    absences,
    outbox,
)

log = logging.getLogger(__name__)

WAITED_FOR: Final = timedelta(days=14)
"""After so long at a table without a clock who is waited for counts as absent."""
_NAME: Final = "name"


class Substituting(Undoing):
    """What becomes of the seat of somebody who does not play on."""

    async def ask_about(
        self, ref: int | str, asker: Asker, user_id: int, interaction_id: int, *, substitute: Person | None = None
    ) -> Request:
        """Ask whether somebody may take over a player's seat; without a substitute, whether the game goes on without.

        An organiser asks nobody but the substitute. Where nobody is left to be asked it happens at once.

        Raises:
            HostError: ``unknown_game``, ``game_over``, ``frozen``, ``resigned``, ``not_organiser``, ``not_at_table``,
                ``own_seat``, ``seated_already``, ``too_many_games``, ``asked_already``, ``asked_lately``,
                ``seats_of_event``.
        """
        game_id = await self._id_of(ref)
        async with self._locks.hold(game_id):
            game, played, asked = await self._prepared_about(game_id, asker, user_id, substitute)
            if asked.voters:
                return await self._ask(game, asked, interaction_id)
            _, _, waiting = await self._recall(game_id)
            if waiting is not None:
                await self._publish(game, waiting)
                game, played, asked = await self._prepared_about(game_id, asker, user_id, substitute)
            return (await self._let_happen(game, played, asked, None, interaction_id)).request

    async def may_ask_about(
        self, ref: int | str, asker: Asker, user_id: int, *, substitute: Person | None = None
    ) -> Request:
        """What somebody would ask; nobody is asked yet.

        Raises:
            HostError: as for :meth:`ask_about`.
        """
        game, _, asked = await self._prepared_about(await self._id_of(ref), asker, user_id, substitute)
        await self._check_may_ask(game, asked)
        return asked

    async def silence_agrees(self, game: Game, user_id: int) -> bool:
        """Whether the silence of the others is a yes to replacing this player."""
        game, played = await self._tables.follow(game)
        return await self._is_absent(game, played, user_id)

    async def substitutions(self, game_id: int) -> tuple[Substitution, ...]:
        """Who has taken over whose seat in a game, in order."""
        async with self._store.reading() as tx:
            return await absences.substitutions_in(tx, game_id)

    async def replaced_by(self, post: Post) -> Substitution | None:
        """Of whose seat a message tells; None for one that tells of something else."""
        if post.kind is not PostKind.REPLACED:
            return None
        found = await self.substitutions(post.game_id)
        return next((entry for entry in found if entry.revision == post.revision), None)

    async def take_over(self, game_id: int, user_id: int, person: Person) -> None:
        """Let somebody take over a seat without asking anybody, as the event of the game says.

        Raises:
            HostError: ``unknown_game``, ``game_over``, ``frozen``, ``request_gone``: who sat there does not any more.
        """
        async with self._locks.hold(game_id):
            while True:
                game, _, waiting = await self._recall(game_id)
                if waiting is not None:
                    await self._publish(game, waiting)
                    continue
                game, played = await self._tables.follow_to_move(game)
                with suppress(PlyConflictError):
                    async with self.outbox.writing(game=game_id) as tx:
                        done = await self._replace(tx, game, played, user_id, person, self._clock.now())
                    self._tables.memory.keep(done.game, done.played)
                    return

    # -- inside ---------------------------------------------------------------------------------------------------

    async def _prepared_about(
        self, game_id: int, asker: Asker, user_id: int, substitute: Person | None
    ) -> tuple[Game, Played, Request]:
        game, _, _ = await self._recall(game_id)
        if await self.event_of(game) is not None:
            raise HostError(ErrorCode.SEATS_OF_EVENT, code=game.code)
        organises = await self._organises(game, asker)
        if not organises:
            check_playing(game, asker.user_id)
        game, played = await self._tables.follow_to_move(game)
        if game.seat_to_act is None:
            raise HostError(ErrorCode.GAME_OVER, code=game.code)
        if not game.plays(user_id):
            raise HostError(ErrorCode.NOT_AT_TABLE, code=game.code)
        kind = RequestKind.WITHDRAW if substitute is None else RequestKind.REPLACE
        asks: tuple[int, ...] = ()
        if not organises:
            absent = await self._is_absent(game, played, user_id)
            asks = voters(game, played, asker.user_id, self._clock.now(), fall_back=False)
            asks += () if absent or user_id in (*asks, asker.user_id) else (user_id,)
        if substitute is None:
            if user_id == asker.user_id:
                raise HostError(ErrorCode.OWN_SEAT, code=game.code)
            return game, played, replace(self._request_of(game, kind, asker.user_id, asks), subject=user_id)
        await self._check_free(game, substitute)
        asked = self._request_of(game, kind, asker.user_id, (*asks, substitute.user_id))
        details = {INVITED: substitute.user_id, _NAME: substitute.name}
        return game, played, replace(asked, subject=user_id, details=details)

    async def _is_absent(self, game: Game, played: Played, user_id: int) -> bool:
        """Whether somebody was found to have left the server, or :func:`is_absent`."""
        async with self._store.reading() as tx:
            gone = user_id in await absences.departed_from(tx, game.id)
        return gone or is_absent(game, played, user_id, self._clock.now())

    async def _organises(self, game: Game, asker: Asker) -> bool:
        """Whether who asks is an organiser, or has a seat in the game.

        Raises:
            HostError: ``not_organiser``: neither.
        """
        if game.seat_of(asker.user_id) is not None:
            return False
        if not await self._is_organiser(game, asker):
            raise HostError(ErrorCode.NOT_ORGANISER, code=game.code)
        return True

    async def _check_free(self, game: Game, substitute: Person) -> None:
        known = {entry.before.user_id for entry in await self.substitutions(game.id)}
        if game.seat_of(substitute.user_id) is not None or substitute.user_id in known:
            called = called_among(game.seats, substitute.user_id) or substitute.name
            raise HostError(ErrorCode.SEATED_ALREADY, player=called)
        async with self._store.reading() as tx:
            await Limits(self._settings).check_player(tx, game.guild_id, substitute)

    def _grants(self) -> Mapping[RequestKind, Grant]:
        return {
            **super()._grants(),
            RequestKind.REPLACE: self._grant_replacing,
            RequestKind.WITHDRAW: self._grant_withdrawing,
        }

    async def _is_a_yes(self, request: Request, game: Game, played: Played, agreed: Collection[int]) -> bool:
        wanted = request.kind is RequestKind.REPLACE and request.details.get(INVITED) in agreed
        return wanted and await self._is_absent(game, played, request.subject)

    async def _grant_replacing(self, game: Game, played: Played, request: Request) -> Granted:
        person = Person(int(request.details[INVITED]), str(request.details[_NAME]))

        async def happen(tx: Transaction, now: datetime) -> Done:
            return await self._replace(tx, game, played, request.subject, person, now)

        return Granted(happen)

    async def _replace(
        self, tx: Transaction, game: Game, played: Played, user_id: int, person: Person, now: datetime
    ) -> Done:
        """Somebody takes over a seat: the game stands where it stood, and its card is due."""
        seat = _seat_of(game, user_id)
        stamp = await absences.substitute(tx, game.id, game.stamp, seat, game.seats[seat], person, now)
        people = (*game.seats[:seat], person, *game.seats[seat + 1 :])
        after = replace(game, seats=people, taken_back=stamp.taken_back, updated_at=now)
        await outbox.add(tx, move_post(after, after.ply, after.ply, PostKind.REPLACED), now)
        await self.timekeeping.replaced(tx, after, played.position, seat, now)
        await holding.begin(tx, after, now)
        await absences.drop_departure(tx, game.id, user_id)
        log.info("a seat is taken over", extra={**about(after), "before": user_id, "user": person.user_id})
        return Done(after, replace(played, last=None))

    async def _grant_withdrawing(self, game: Game, played: Played, request: Request) -> Granted:
        seat = _seat_of(game, request.subject)

        async def happen(tx: Transaction, now: datetime) -> Done:
            move = Move.judge(game, played, seat, [Resign(Seat(seat))], now, by=request.user_id)
            move = await obeying(tx, move, now)
            outcome = await move.write(tx, self.outbox, None, now)
            await self.timekeeping.published(tx, move, LATEST, now)
            return Done(outcome.game, move.after, outcome.begun)

        return Granted(happen)


def is_absent(game: Game, played: Played, user_id: int, now: datetime) -> bool:
    """Whether somebody's time ran out when he was last asked, or a table without a clock waits for him for long."""
    seat = game.seat_of(user_id)
    own = [entry for entry in played.log if entry.seat == seat]
    if own and own[-1].user_id == NOBODY:
        return True
    since = played.log[-1].at if played.log else game.created_at
    waits = seat == game.seat_to_act and pace_of(game.settings.pace) is None
    return waits and now - since >= WAITED_FOR


def _seat_of(game: Game, user_id: int) -> int:
    """The seat of somebody who plays.

    Raises:
        HostError: ``request_gone``: he does not any more.
    """
    seat = game.seat_of(user_id)
    if seat is None or not game.plays(user_id):
        raise HostError(ErrorCode.REQUEST_GONE, code=game.code)
    return seat
