"""Changes of seats: another player takes a seat over, it is left empty or given back, or its player has a new name.

Nobody is asked here. The votes on substitutions (``host/votes/substitutions.py``) and the rules of events decide first,
and then call :class:`Seats`.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime

from engine import Resign
from engine.actions import Seat
from host.clock import Clock
from host.errors import ErrorCode, HostError
from host.games import timekeeping
from host.games.cache import PlayedGame
from host.games.move import Move, apply_standing_orders, remember_interaction
from host.games.moves import Moves
from host.games.outbox import Outbox, storing
from host.games.reader import GameReader
from host.games.seating import awaited_people, give_seat
from host.naming import unique_name_of
from host.retry import retried
from host.rights import GameLimits
from host.values import Post
from host.votes.votes import TableChange
from store import games, moves
from store.connection.database import Store, Transaction
from store.errors import PlyConflictError
from store.play.moves import Substitution
from store.records import Game, GameStatus, Person, Player, PostKind


@dataclass(eq=False)
class Seats:
    """Changes the players of a game, and reads earlier changes."""

    _store: Store
    _clock: Clock
    _outbox: Outbox
    _games: GameReader
    _moves: Moves
    _limits: GameLimits

    def __post_init__(self) -> None:
        self.patience = self._moves.patience

    async def substitutions(self, game_id: int) -> tuple[Substitution, ...]:
        """Return the substitutions of a game, the earliest first."""
        return await self._store.read(moves.substitutions_in, game_id)

    async def awaited(self, game: Game) -> Mapping[int, Person]:
        """Return the people for whom computers play and who may take their seats back, by seat."""
        return awaited_people(await self.substitutions(game.id) if game.computers and game.taken_back else ())

    async def substitution_of(self, post: Post) -> Substitution | None:
        """Return the substitution that a post announces; None for any other post."""
        if post.kind is not PostKind.REPLACED:
            return None
        substitutions = await self.substitutions(post.game_id)
        return next((entry for entry in substitutions if entry.revision == post.revision), None)

    async def check_substitute(self, game: Game, substitute: Person) -> None:
        """Check that a substitute never had a seat in this game, and may play one more game.

        Raises:
            HostError: ``seated_already``, ``kept_out``, ``server_kept_out``, ``too_many_games``.
        """
        former_players = {entry.before.user_id for entry in await self.substitutions(game.id)}
        if game.seat_of(substitute.user_id) is not None or substitute.user_id in former_players:
            name = unique_name_of(game.seats, substitute.user_id) or substitute.name
            raise HostError(ErrorCode.SEATED_ALREADY, player=name)
        await self._limits.check_player_now(game.guild_id, substitute)

    async def rename(self, game: Game, person: Person) -> Game:
        """Store the present name of a player if it has changed; return the game with it."""
        seat = game.seat_of(person.user_id)
        if seat is None or game.seats[seat] == person:
            return game
        await self._store.write(games.rename_player, game.id, person)
        renamed = replace(game, seats=(*game.seats[:seat], person, *game.seats[seat + 1 :]))
        self._games.refresh_names(renamed)
        return renamed

    async def take_over(self, game_id: int, user_id: int, person: Person) -> None:
        """Give the seat of player ``user_id`` to another person, because the game's event says so.

        A pending move of the game is published first.

        Raises:
            HostError: ``unknown_game``, ``game_over``, ``frozen``; ``request_gone`` if the player has no seat any more.
        """
        async with self._games.locks.hold(game_id):
            while True:
                game, played = await self._load_settled(game_id)
                with suppress(PlyConflictError):
                    async with self._outbox.writing(game=game_id) as tx:
                        change = await self.replace(tx, game, played, user_id, person, self._clock.now())
                    self._games.cache.store(change.game, change.played)
                    return

    @retried
    async def come_back(self, ref: int | str, person: Person, interaction_id: int) -> Game:
        """Give a person the seat back in which a computer plays for them; return the game.

        A pending move is published first. They go on with the time that they had left.

        Raises:
            HostError: ``unknown_game``, ``game_over``, ``frozen``, ``not_awaited``, ``kept_out``, ``server_kept_out``,
                ``too_many_games``.
        """
        async with self._games.holding(ref) as game_id:
            while True:
                game, answered, pending = await self._games.current(game_id, interaction_id)
                if answered is not None:
                    return game
                if game.status is GameStatus.FINISHED:
                    raise HostError(ErrorCode.GAME_OVER, code=game.code)
                game, played = await self._games.load_to_move(game)
                awaited = await self.awaited(game)
                seat = next((seat for seat, away in awaited.items() if away.user_id == person.user_id), None)
                if seat is None:
                    raise HostError(ErrorCode.NOT_AWAITED, code=game.code)
                await self._limits.check_player_now(game.guild_id, person)
                with suppress(PlyConflictError):
                    if pending is not None:
                        await self._moves.publish(game, pending)
                        continue
                    async with self._outbox.writing(game=game.id) as tx:
                        now = self._clock.now()
                        await remember_interaction(tx, game, interaction_id, now)
                        game, played = await give_seat(tx, game, played, seat, person, now, keeps_time=True)
                    self._games.cache.store(game, played)
                    return game

    async def replace(
        self, tx: Transaction, game: Game, played: PlayedGame, user_id: int, player: Player, now: datetime
    ) -> TableChange:
        """Give the seat of player ``user_id`` to another player in the caller's transaction.

        Raises:
            HostError: ``request_gone`` if ``user_id`` has no seat any more.
        """
        return TableChange(*await give_seat(tx, game, played, seat_of(game, user_id), player, now))

    async def leave_empty(
        self, tx: Transaction, game: Game, played: PlayedGame, user_id: int, by: int, now: datetime
    ) -> TableChange:
        """Withdraw player ``user_id`` in the caller's transaction; the user ``by`` has requested it.

        Raises:
            HostError: ``request_gone`` if the player has no seat any more.
        """
        return await self._resign(tx, game, played, seat_of(game, user_id), now, by=by)

    async def withdraw_computer(self, game_id: int, seat: int) -> bool:
        """Withdraw the computer in a seat, because the game's event says so; return whether it was still playing.

        A pending move of the game is published first.

        Raises:
            HostError: ``unknown_game``, ``frozen``.
        """
        async with self._games.locks.hold(game_id):
            while True:
                game, played = await self._load_settled(game_id)
                if game.status is GameStatus.FINISHED or played.position.withdrawn[seat]:
                    return False
                with suppress(PlyConflictError):
                    async with storing(self._outbox, game_id) as stored:
                        change = await self._resign(stored.tx, game, played, seat, self._clock.now())
                        stored.begun = change.begun
                    self._games.cache.store(change.game, change.played)
                    return True

    async def _load_settled(self, game_id: int) -> tuple[Game, PlayedGame]:
        """Load a game whose lock is held, after publishing its pending move."""
        while True:
            game, _, pending = await self._games.current(game_id)
            if pending is None:
                return await self._games.load_to_move(game)
            await self._moves.publish(game, pending)

    async def _resign(
        self, tx: Transaction, game: Game, played: PlayedGame, seat: int, now: datetime, *, by: int | None = None
    ) -> TableChange:
        """Leave a seat empty in the caller's transaction; ``by`` is the user who decided it, None for its player."""
        move = Move.judge(game, played, seat, [Resign(Seat(seat))], now, by=by)
        move = await apply_standing_orders(tx, move, now)
        outcome = await move.write(tx, self._outbox, None, now)
        await timekeeping.advance(tx, move, timekeeping.NO_INTERACTION, now)
        return TableChange(outcome.game, move.after, outcome.begun)


def seat_of(game: Game, user_id: int) -> int:
    """Return the seat of a player who has not left the game.

    Raises:
        HostError: ``request_gone``.
    """
    seat = game.seat_of(user_id)
    if seat is None or not game.plays(user_id):
        raise HostError(ErrorCode.REQUEST_GONE, code=game.code)
    return seat
