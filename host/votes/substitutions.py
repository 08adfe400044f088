"""Substitutions: replacing a player who cannot go on, or going on without them, by consent or by an organiser.

Nobody gets a seat without agreeing to it, and nobody who still plays loses one without being asked. Silence is a yes
about a player who has left the server, ran out of time, or has let a game without a clock wait for long.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

from host.clock import Clock
from host.clocks import pace_of
from host.errors import ErrorCode, HostError
from host.games.cache import PlayedGame
from host.games.move import TIMEOUT_USER_ID
from host.games.moves import Moves
from host.games.reader import GameReader
from host.naming import unique_name_of
from host.rights import Asker, GameLimits, Organisers, check_playing
from host.values import Consequence
from host.votes.seats import Seats, seat_of
from host.votes.votes import INVITED_USER, Effect, Motion, TableChange, Votes
from store import Game, Person, Request, RequestKind, Store, Transaction, absences

ABSENT_AFTER: Final = timedelta(days=14)
"""Time after which a player for whom a game without clocks waits counts as absent."""
_NAME: Final = "name"


@dataclass(eq=False)
class Absences:
    """Tells which players count as absent, so that silence agrees to replacing them."""

    _store: Store
    _clock: Clock

    async def is_absent(self, game: Game, played: PlayedGame, user_id: int) -> bool:
        """Return whether a player was found to have left the server, ran out of time, or is waited for too long."""
        async with self._store.reading() as tx:
            gone = user_id in await absences.departed_from(tx, game.id)
        return gone or is_absent(game, played, user_id, self._clock.now())


class Substitutions:
    """Asks about the seats of players who do not play on."""

    def __init__(
        self,
        games: GameReader,
        moves: Moves,
        seats: Seats,
        absences: Absences,
        organisers: Organisers,
        votes: Votes,
        limits: GameLimits,
    ) -> None:
        self._games = games
        self._moves = moves
        self._seats = seats
        self._absences = absences
        self._organisers = organisers
        self._votes = votes
        self._limits = limits
        votes.register(RequestKind.REPLACE, Motion(self._prepare_replacing, self._silence_agrees))
        votes.register(RequestKind.WITHDRAW, Motion(self._prepare_withdrawing))

    async def request(
        self, ref: int | str, asker: Asker, user_id: int, interaction_id: int, *, substitute: Person | None = None
    ) -> Request:
        """Ask whether a substitute may take over a player's seat or, without one, whether the game goes on without.

        An organiser asks nobody but the substitute. If nobody is left to be asked, it happens at once.

        Raises:
            HostError: ``unknown_game``, ``game_over``, ``frozen``, ``resigned``, ``not_organiser``, ``not_at_table``,
                ``own_seat``, ``seated_already``, ``too_many_games``, ``asked_already``, ``asked_lately``,
                ``seats_of_event``.
        """
        game_id = await self._games.id_of(ref)
        async with self._games.locks.hold(game_id):
            game, played, asked = await self._drafted(game_id, asker, user_id, substitute)
            if asked.voters:
                return await self._votes.submit(game, asked, interaction_id)
            _, _, waiting = await self._games.current(game_id)
            if waiting is not None:
                await self._moves.publish(game, waiting)
                game, played, asked = await self._drafted(game_id, asker, user_id, substitute)
            return (await self._votes.grant(game, played, asked, None, interaction_id)).request

    async def draft(self, ref: int | str, asker: Asker, user_id: int, *, substitute: Person | None = None) -> Request:
        """Return what somebody would request; nobody is asked yet.

        Raises:
            HostError: as for :meth:`request`.
        """
        game, _, asked = await self._drafted(await self._games.id_of(ref), asker, user_id, substitute)
        await self._votes.check_submission(game, asked)
        return asked

    async def silence_agrees(self, game: Game, user_id: int) -> bool:
        """Return whether the silence of the others is a yes to replacing this player."""
        return await self._absences.is_absent(*await self._games.load(game), user_id)

    async def remove(self, ref: int | str, asker: Asker, user_id: int, interaction_id: int) -> Consequence:
        """Let a manager of the server take a player out of a game, as if the player had resigned.

        Raises:
            HostError: ``unknown_game``, ``not_manager``, ``not_a_player``, ``game_over``, ``frozen``, ``resigned``.
        """
        game = await self._games.get_in(asker.guild_id, ref)
        await self._organisers.require_manager(game, asker)
        return await self._moves.withdraw(game, user_id, interaction_id, by=asker.user_id)

    # -- inside ---------------------------------------------------------------------------------------------------

    async def _drafted(
        self, game_id: int, asker: Asker, user_id: int, substitute: Person | None
    ) -> tuple[Game, PlayedGame, Request]:
        game, _, _ = await self._games.current(game_id)
        if await self._organisers.event_of(game) is not None:
            raise HostError(ErrorCode.SEATS_OF_EVENT, code=game.code)
        organises = await self._organisers.organises_or_plays(game, asker)
        if not organises:
            check_playing(game, asker.user_id)
        game, played = await self._games.load_to_move(game)
        if game.seat_to_act is None:
            raise HostError(ErrorCode.GAME_OVER, code=game.code)
        if not game.plays(user_id):
            raise HostError(ErrorCode.NOT_AT_TABLE, code=game.code)
        kind = RequestKind.WITHDRAW if substitute is None else RequestKind.REPLACE
        asks: tuple[int, ...] = ()
        if not organises:
            absent = await self._absences.is_absent(game, played, user_id)
            asks = self._votes.voters(game, played, asker.user_id, fall_back=False)
            asks += () if absent or user_id in (*asks, asker.user_id) else (user_id,)
        if substitute is None:
            if user_id == asker.user_id:
                raise HostError(ErrorCode.OWN_SEAT, code=game.code)
            return game, played, replace(self._votes.draft(game, kind, asker.user_id, asks), subject=user_id)
        await self._check_free(game, substitute)
        asked = self._votes.draft(game, kind, asker.user_id, (*asks, substitute.user_id))
        details = {INVITED_USER: substitute.user_id, _NAME: substitute.name}
        return game, played, replace(asked, subject=user_id, details=details)

    async def _check_free(self, game: Game, substitute: Person) -> None:
        known = {entry.before.user_id for entry in await self._seats.substitutions(game.id)}
        if game.seat_of(substitute.user_id) is not None or substitute.user_id in known:
            called = unique_name_of(game.seats, substitute.user_id) or substitute.name
            raise HostError(ErrorCode.SEATED_ALREADY, player=called)
        await self._limits.check_player_now(game.guild_id, substitute)

    async def _silence_agrees(self, request: Request, game: Game, played: PlayedGame, agreed: Collection[int]) -> bool:
        """Return whether the invited player agrees and the one to be replaced is absent."""
        if request.details.get(INVITED_USER) not in agreed:
            return False
        return await self._absences.is_absent(game, played, request.subject)

    async def _prepare_replacing(self, game: Game, played: PlayedGame, request: Request) -> Effect:
        person = Person(int(request.details[INVITED_USER]), str(request.details[_NAME]))

        async def replace_player(tx: Transaction, now: datetime) -> TableChange:
            return await self._seats.replace(tx, game, played, request.subject, person, now)

        return replace_player

    async def _prepare_withdrawing(self, game: Game, played: PlayedGame, request: Request) -> Effect:
        seat_of(game, request.subject)

        async def withdraw(tx: Transaction, now: datetime) -> TableChange:
            return await self._seats.leave_empty(tx, game, played, request.subject, request.user_id, now)

        return withdraw


def is_absent(game: Game, played: PlayedGame, user_id: int, now: datetime) -> bool:
    """Return whether a player's time ran out when they were last asked, or a game without a clock waits for long."""
    seat = game.seat_of(user_id)
    own = [entry for entry in played.log if entry.seat == seat]
    if own and own[-1].user_id == TIMEOUT_USER_ID:
        return True
    since = played.log[-1].at if played.log else game.created_at
    waits = seat == game.seat_to_act and pace_of(game.settings.pace) is None
    return waits and now - since >= ABSENT_AFTER
