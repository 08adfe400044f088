"""Substitutions: a user or a computer takes over the seat of a player, or the game continues without the player.

The other players have to agree, unless an organiser decides it. So does a user who is to be the substitute in any case,
and the player, as long as they are present. The seat of a computer that does not decide is offered to anybody, if the
people at the table agree. A player for whom a computer plays need not ask (:meth:`host.votes.seats.Seats.come_back`).

Silence counts as a yes to replacing a player who is *absent*: they have left the server, have run out of time, or have
kept a game without clocks waiting for long.
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
from host.games.seating import give_seat, leaves_people
from host.naming import free_computer_name
from host.rights import Asker, Organisers, check_playing
from host.values import Consequence
from host.votes.seats import Seats, seat_of
from host.votes.votes import COMPUTER_NAME, INVITED_USER, STAND_IN_LEVEL, Effect, Motion, TableChange, Votes
from store import Computer, Game, GameStatus, Person, Player, Request, RequestKind, Store, Transaction, absences

ABSENT_AFTER: Final = timedelta(days=14)
"""The time after which a player for whom a game without clocks waits counts as absent."""
_NAME: Final = "name"
"""The key of the substitute's name in the details of a request."""
_SEAT: Final = "seat"
"""The key, in the details of a request, of the seat of a computer."""


@dataclass(eq=False)
class Absences:
    """Decides which players count as absent, so that silence is a yes to replacing them."""

    _store: Store
    _clock: Clock

    async def is_absent(self, game: Game, played: PlayedGame, user_id: int) -> bool:
        """Return whether a player has left the server, has run out of time, or has kept the game waiting for long."""
        has_left = user_id in await self._store.read(absences.departed_from, game.id)
        return has_left or is_absent(game, played, user_id, self._clock.now())


@dataclass(eq=False)
class Substitutions:
    """Drafts, submits and carries out requests to replace or withdraw a player."""

    _games: GameReader
    _moves: Moves
    _seats: Seats
    _absences: Absences
    _organisers: Organisers
    _votes: Votes
    _levels: Collection[str]
    """The levels of the computers that the bot offers; passed in, since the computers depend on votes."""

    def __post_init__(self) -> None:
        self._votes.register(RequestKind.REPLACE, Motion(self._prepare_replacing, self._silence_agrees))
        self._votes.register(RequestKind.WITHDRAW, Motion(self._prepare_withdrawing))
        self._votes.register(RequestKind.TAKE, Motion(self._prepare_taking))

    async def request(
        self,
        ref: int | str,
        asker: Asker,
        user_id: int,
        interaction_id: int,
        *,
        substitute: Person | None = None,
        level: str = "",
    ) -> Request:
        """Ask the others whether a substitute, or a computer of a level, may take over a player's seat.

        Without either, ask whether the player may be withdrawn. An organiser has to ask only the substitute. If nobody
        has to be asked, the request is granted at once.

        Raises:
            HostError: ``unknown_game``, ``game_over``, ``frozen``, ``resigned``, ``not_organiser``, ``not_at_table``,
                ``own_seat``, ``seated_already``, ``too_many_games``, ``asked_already``, ``asked_lately``,
                ``seats_of_event``, ``no_computers``, ``bad_level``, ``last_person``.
        """
        async with self._games.holding(ref) as game_id:
            game, played, request = await self._draft(game_id, asker, user_id, substitute, level)
            if request.voters:
                return await self._votes.submit(game, request, interaction_id)
            _, _, pending = await self._games.current(game_id)
            if pending is not None:
                await self._moves.publish(game, pending)
                game, played, request = await self._draft(game_id, asker, user_id, substitute, level)
            return (await self._votes.grant(game, played, request, None, interaction_id)).request

    async def draft(
        self, ref: int | str, asker: Asker, user_id: int, *, substitute: Person | None = None, level: str = ""
    ) -> Request:
        """Return the request that :meth:`request` would submit, without submitting it.

        Raises:
            HostError: the same as :meth:`request`.
        """
        game, _, request = await self._draft(await self._games.id_of(ref), asker, user_id, substitute, level)
        await self._votes.check_submission(game, request)
        return request

    async def silence_agrees(self, game: Game, user_id: int) -> bool:
        """Return whether silence is a yes to replacing this player, because they are absent."""
        return await self._absences.is_absent(*await self._games.load(game), user_id)

    async def remove(self, ref: int | str, asker: Asker, user_id: int, interaction_id: int) -> Consequence:
        """Withdraw a player from a game at the order of a manager of the server, as if the player had resigned.

        Raises:
            HostError: ``unknown_game``, ``not_manager``, ``not_a_player``, ``game_over``, ``frozen``, ``resigned``.
        """
        game = await self._games.get_in(asker.guild_id, ref)
        await self._organisers.require_manager(game, asker)
        return await self._moves.withdraw(game, user_id, interaction_id, by=asker.user_id)

    async def take(self, ref: int | str, person: Person, revision: int, interaction_id: int) -> Request:
        """Ask the people at a table whether a person may take over the seat of the computer that does not decide.

        ``revision`` is that at which the seat was offered.

        Raises:
            HostError: ``unknown_game``, ``game_over``, ``frozen``, ``stale`` if the computer has decided after all,
                ``seats_of_event``, ``seated_already``, ``kept_out``, ``server_kept_out``, ``too_many_games``,
                ``asked_already``, ``asked_lately``.
        """
        async with self._games.holding(ref) as game_id:
            game, _, _ = await self._games.current(game_id)
            await self._check_no_event(game)
            if game.status is GameStatus.FINISHED:
                raise HostError(ErrorCode.GAME_OVER, code=game.code)
            game, played = await self._games.load_to_move(game)
            computer = game.computer_to_act
            if computer is None or game.revision != revision:
                raise HostError(ErrorCode.STALE, revision=revision, current=game.revision)
            await self._seats.check_substitute(game, person)
            voters = self._votes.voters(game, played, person.user_id)
            request = self._votes.draft(game, RequestKind.TAKE, person.user_id, voters)
            invited = {INVITED_USER: person.user_id, _NAME: person.name}
            details = {**invited, _SEAT: game.seat_to_act, COMPUTER_NAME: computer.name}
            return await self._votes.submit(game, replace(request, details=details), interaction_id)

    # -- inside ---------------------------------------------------------------------------------------------------

    async def _draft(
        self, game_id: int, asker: Asker, user_id: int, substitute: Person | None, level: str
    ) -> tuple[Game, PlayedGame, Request]:
        """Return a game as stored now, and the request about the seat of one of its players."""
        game, _, _ = await self._games.current(game_id)
        await self._check_no_event(game)
        organises = await self._organisers.organises_or_plays(game, asker)
        if not organises:
            check_playing(game, asker.user_id)
        game, played = await self._games.load_to_move(game)
        if game.seat_to_act is None:
            raise HostError(ErrorCode.GAME_OVER, code=game.code)
        if not game.plays(user_id):
            raise HostError(ErrorCode.NOT_AT_TABLE, code=game.code)
        kind = RequestKind.REPLACE if substitute is not None or level else RequestKind.WITHDRAW
        voters: tuple[int, ...] = ()
        if not organises:
            absent = await self._absences.is_absent(game, played, user_id)
            voters = self._votes.voters(game, played, asker.user_id, fall_back=False)
            voters += () if absent or user_id in (*voters, asker.user_id) else (user_id,)
        if level:
            self._check_computer(game, user_id, level)
            request = self._votes.draft(game, kind, asker.user_id, voters)
            return game, played, replace(request, subject=user_id, details={STAND_IN_LEVEL: level})
        if substitute is None:
            if user_id == asker.user_id:
                raise HostError(ErrorCode.OWN_SEAT, code=game.code)
            return game, played, replace(self._votes.draft(game, kind, asker.user_id, voters), subject=user_id)
        await self._seats.check_substitute(game, substitute)
        request = self._votes.draft(game, kind, asker.user_id, (*voters, substitute.user_id))
        details = {INVITED_USER: substitute.user_id, _NAME: substitute.name}
        return game, played, replace(request, subject=user_id, details=details)

    async def _check_no_event(self, game: Game) -> None:
        """Check that a game is no part of an event, in which only the organisers name substitutes.

        Raises:
            HostError: ``seats_of_event``.
        """
        if await self._organisers.event_of(game) is not None:
            raise HostError(ErrorCode.SEATS_OF_EVENT, code=game.code)

    def _check_computer(self, game: Game, user_id: int, level: str) -> None:
        """Check that a computer of this level may take over a player's seat.

        Raises:
            HostError: ``no_computers``, ``bad_level``, ``last_person``.
        """
        if not self._levels:
            raise HostError(ErrorCode.NO_COMPUTERS)
        if level not in self._levels:
            raise HostError(ErrorCode.BAD_LEVEL, level=level)
        self._check_leaves_people(game, user_id)

    def _check_leaves_people(self, game: Game, user_id: int) -> None:
        """Check that a person would be left if a computer took over a player's seat.

        Raises:
            HostError: ``request_gone`` if the player has no seat any more, ``last_person``.
        """
        if not leaves_people(game, seat_of(game, user_id)):
            raise HostError(ErrorCode.LAST_PERSON, code=game.code)

    async def _silence_agrees(self, request: Request, game: Game, played: PlayedGame, agreed: Collection[int]) -> bool:
        """Return whether silence grants a request: the player is absent, and a substitute who is a user has agreed."""
        if INVITED_USER in request.details and request.details[INVITED_USER] not in agreed:
            return False
        seat = game.seat_of(request.subject) if game.plays(request.subject) else None
        if seat is None or (STAND_IN_LEVEL in request.details and not leaves_people(game, seat)):
            return False
        return await self._absences.is_absent(game, played, request.subject)

    async def _prepare_replacing(self, game: Game, played: PlayedGame, request: Request) -> Effect:
        """Return the effect of a request: it gives the player's seat to the substitute or to a computer."""
        if STAND_IN_LEVEL in request.details:
            self._check_leaves_people(game, request.subject)
            player: Player = Computer(free_computer_name(game.seats), str(request.details[STAND_IN_LEVEL]))
        else:
            player = Person(int(request.details[INVITED_USER]), str(request.details[_NAME]))

        async def replace_player(tx: Transaction, now: datetime) -> TableChange:
            return await self._seats.replace(tx, game, played, request.subject, player, now)

        return replace_player

    async def _prepare_taking(self, game: Game, played: PlayedGame, request: Request) -> Effect:
        """Return the effect of a request: it gives the seat of a computer to a person.

        Raises:
            HostError: ``request_gone`` if another player has the seat by now.
        """
        seat, person = int(request.details[_SEAT]), Person(request.user_id, str(request.details[_NAME]))
        if not isinstance(game.seats[seat], Computer):
            raise HostError(ErrorCode.REQUEST_GONE, code=game.code)

        async def take_seat(tx: Transaction, now: datetime) -> TableChange:
            return TableChange(*await give_seat(tx, game, played, seat, person, now))

        return take_seat

    async def _prepare_withdrawing(self, game: Game, played: PlayedGame, request: Request) -> Effect:
        """Return the effect of a request: it withdraws the player, and their seat stays empty."""
        seat_of(game, request.subject)  # checks that the player still has a seat

        async def withdraw(tx: Transaction, now: datetime) -> TableChange:
            return await self._seats.leave_empty(tx, game, played, request.subject, request.user_id, now)

        return withdraw


def is_absent(game: Game, played: PlayedGame, user_id: int, now: datetime) -> bool:
    """Return whether a player's last decision was a timeout, or a game without clocks has waited for them for long."""
    seat = game.seat_of(user_id)
    actions_of_seat = [entry for entry in played.log if entry.seat == seat]
    if actions_of_seat and actions_of_seat[-1].user_id == TIMEOUT_USER_ID:
        return True
    turn_start = played.log[-1].at if played.log else game.created_at
    waits = seat == game.seat_to_act and pace_of(game.settings.pace) is None
    return waits and now - turn_start >= ABSENT_AFTER
