"""The game host: everything the cogs ask for, without Discord."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta

from engine import Action, Resign
from host.clock import Clock, SystemClock
from host.copies import CommandCopies
from host.epochs import Epochs
from host.errors import ErrorCode, HostError
from host.lobbies import Lobbies
from host.looks import Looks
from host.memory import Played
from host.moves import Move, log_move
from host.orders import Planned, obeying, planning
from host.outbox import Outbox
from host.personal import PersonalPreferences
from host.rights import Asker, check_playing, check_revision, require_manager
from host.servers import Servers, Venue, require_venue
from host.settings import HostSettings
from host.sweep import Sweep
from host.tables import Tables, between
from host.timers import Timers
from host.trouble import Trouble
from host.values import CheckReport, Outcome
from store import (
    Game,
    GameStatus,
    Interaction,
    Person,
    PlyConflictError,
    Store,
    UnreadableError,
    games,
    guilds,
    interactions,
    outbox,
    plans,
    seating,
)

log = logging.getLogger(__name__)


class Host(Looks):
    """Lobbies, tables and the outbox on one store.

    Nothing is kept here that another host on the same store could not rebuild. A game is named by its id or, as text,
    by its public code.

    >>> host = Host(await Store.open("castellan.db"))
    >>> await host.start()
    """

    def __init__(self, store: Store, *, clock: Clock | None = None, settings: HostSettings | None = None) -> None:
        self._clock = clock or SystemClock()
        self._settings = settings or HostSettings()
        trouble = Trouble()
        self.outbox = Outbox(store, self._clock, self._settings, trouble)
        super().__init__(store, trouble, Tables(store, self._clock, self.outbox, self._settings))
        self.epochs = Epochs(store, self._clock, self.outbox)
        self.lobbies = Lobbies(store, self._clock, self._settings, self.outbox)
        self.timers = Timers(store, self._clock)
        self.sweep = Sweep(store, self._clock)
        self.servers = Servers(store)
        self.preferences = PersonalPreferences(store)
        self.command_copies = CommandCopies(store)

    async def start(self) -> None:
        """Take over the outbox; games can be played from now on."""
        await self.outbox.take_over()
        async with self._store.writing() as tx:
            await interactions.forget(tx, self._clock.now() - self._settings.remember_interactions)

    async def check_games(self) -> CheckReport:
        """Replay every unfinished game, one after another: those that do not lead to what is stored are frozen.

        Meant to run beside everything else, however many games there are: a game that is looked at or played before
        its turn comes is checked then, for its table has to be built from the log.
        """
        async with self._store.reading() as tx:
            unfinished = await games.unfinished(tx)
        verified: list[str] = []
        frozen: list[str] = []
        thawed: list[str] = []
        unclear: list[int] = []
        for game_id in unfinished:
            try:
                game, replays = await self._verify(game_id)
            except (LookupError, UnreadableError) as error:
                if isinstance(error, UnreadableError):
                    self._trouble.report(error)
                unclear.append(game_id)
                continue
            if replays:
                verified.append(game.code)
                thawed += [game.code] if game.status is GameStatus.FROZEN else []
            elif game.status is GameStatus.FROZEN:
                frozen.append(game.code)
            else:
                unclear.append(game_id)
        return CheckReport(tuple(verified), tuple(frozen), tuple(thawed), tuple(unclear))

    async def check_game(self, game_id: int) -> None:
        """The same for one game, of which something could not be shown."""
        with suppress(LookupError, UnreadableError):
            await self._verify(game_id)

    async def _verify(self, game_id: int) -> tuple[Game, bool]:
        async with self._locks.hold(game_id):
            return await self._tables.verify(game_id)

    async def unfinished(self) -> int:
        """How many games are not over."""
        async with self._store.reading() as tx:
            return len(await games.unfinished(tx))

    async def close(self) -> None:
        """Wait for the moves that are being made; the store is closed by who opened it."""
        await self._locks.idle()

    # -- playing --------------------------------------------------------------------------------------------------

    async def act(
        self, ref: int | str, user_id: int, revision: int, actions: Sequence[Action], interaction_id: int
    ) -> Outcome:
        """Carry out what a player decided at this revision: all of the actions, or none.

        Checked in this order: repeated interaction (answered with its first outcome), player of the game, game over,
        frozen, resigned, stale, turn, legality.

        Raises:
            HostError: ``unknown_game``, ``not_a_player``, ``game_over``, ``frozen``, ``resigned``, ``stale``,
                ``not_your_turn``, ``illegal``.
            ValueError: no actions.
        """
        if not actions:
            raise ValueError("no actions")
        return await self._perform(await self._id_of(ref), user_id, revision, actions, interaction_id)

    async def resign(self, ref: int | str, user_id: int, interaction_id: int) -> Outcome:
        """Leave a game for good, whoever's turn it is.

        Raises:
            HostError: ``unknown_game``, ``not_a_player``, ``game_over``, ``frozen``, ``resigned``.
        """
        game = await self.game(ref)
        return await self._perform(game.id, user_id, None, [Resign(_seat(game, user_id))], interaction_id)

    async def plan(self, ref: int | str, user_id: int, plan: str, interaction_id: int) -> Outcome:
        """Keep what a player plans in a game, sealed, in place of what he planned before; empty for nothing any more.

        If the game waits for him, what the plan says is done at once; else the outcome is that of no action.

        Raises:
            HostError: ``unknown_game``, ``not_a_player``, ``game_over``, ``frozen``, ``resigned``, ``illegal``.
        """
        game_id = await self._id_of(ref)
        async with self._locks.hold(game_id):
            while True:
                async with self._store.reading() as tx:
                    record = await self._find(tx, game_id)
                move = planning(*await self._tables.follow_to_move(record), user_id, plan)
                with suppress(PlyConflictError):
                    return await self._commit(move, interaction_id, Planned(user_id, plan))

    async def planned(self, game: Game, user_id: int) -> str:
        """What somebody has planned in a game; empty for nothing."""
        async with self._store.reading() as tx:
            return await plans.get(tx, game.id, user_id)

    async def set_thread(self, game_id: int, thread_id: int) -> None:
        """Say where the cards of a game go; those that had nowhere to go are due at once.

        Raises:
            HostError: ``unknown_game``.
        """
        async with self.outbox.writing() as tx:
            if not await games.set_thread(tx, game_id, thread_id):
                raise HostError(ErrorCode.UNKNOWN_GAME, ref=game_id)
            now = self._clock.now()
            await outbox.try_again(tx, now, game_id=game_id)

    async def move_here(self, ref: int | str, user_id: int, place: Venue) -> Game:
        """Let a player move the cards of a game that goes on to another channel or thread of its server.

        Raises:
            HostError: ``unknown_game``, ``not_a_player``, ``game_over``, ``frozen``, ``resigned``, ``channel_closed``,
                ``not_seen`` by another player, ``moved_lately``.
        """
        game = await self.game(ref)
        check_playing(game, user_id)
        now, pause = self._clock.now(), self._settings.move_pause
        async with self.outbox.writing() as tx:
            require_venue(await guilds.get(tx, game.guild_id), game, place)
            if not await seating.move(tx, game.id, place.id, now, now - pause):
                raise HostError(ErrorCode.MOVED_LATELY, minutes=pause // timedelta(minutes=1))
            await outbox.try_again(tx, now, game_id=game.id)
        about = {"game": game.code, "ply": game.ply, "server": game.guild_id, "user": user_id}
        log.info("table moved", extra={**about, "place": place.id, "before": game.place})
        return await self.game(game.id)

    async def remove_player(self, ref: int | str, asker: Asker, user_id: int, interaction_id: int) -> Outcome:
        """Let a manager of the server take a player out of a game, as if they had resigned.

        Raises:
            HostError: ``unknown_game``, ``not_manager``, ``not_a_player``, ``game_over``, ``frozen``, ``resigned``.
        """
        game = await self.game(ref)
        if game.guild_id != asker.guild_id:
            raise HostError(ErrorCode.UNKNOWN_GAME, ref=ref)
        require_manager(asker, await self.servers.get(game.guild_id), game.guild_id)
        resign = [Resign(_seat(game, user_id))]
        return await self._perform(game.id, user_id, None, resign, interaction_id, by=asker.user_id)

    async def rename(self, game: Game, person: Person) -> Game:
        """The game with the name by which a player goes now; stored only where it is another one than before."""
        seat = game.seat_of(person.user_id)
        if seat is None or game.seats[seat] == person:
            return game
        async with self._store.writing() as tx:
            await seating.rename(tx, game.id, person)
        renamed = replace(game, seats=(*game.seats[:seat], person, *game.seats[seat + 1 :]))
        self._tables.renamed(renamed)
        return renamed

    # -- inside ---------------------------------------------------------------------------------------------------

    async def _id_of(self, ref: int | str) -> int:
        known = ref if isinstance(ref, int) else self._tables.memory.id_of(ref)
        return (await self.game(ref)).id if known is None else known

    async def _perform(
        self,
        game_id: int,
        user_id: int,
        revision: int | None,
        actions: Sequence[Action],
        interaction_id: int,
        *,
        by: int | None = None,
    ) -> Outcome:
        """One move under the table's lock; looked at afresh when another process was quicker.

        What is in memory is judged without looking: whether it is right the write finds out. Nobody is refused for it.
        ``by`` is who has decided it for the player.
        """
        async with self._locks.hold(game_id):
            seen = self._tables.memory.find(game_id)
            if seen is not None:
                with suppress(HostError, PlyConflictError):
                    move = self._judged(seen.game, seen.played, user_id, revision, actions, by)
                    return await self._commit(move, interaction_id)
            while True:
                game, done = await self._recall(game_id, interaction_id)
                if done is not None:
                    return await self._answer_again(game, done)
                try:
                    move = await self._judged_afresh(game, user_id, revision, actions, by)
                except HostError:
                    game, done = await self._recall(game_id, interaction_id)
                    if done is None:
                        raise
                    return await self._answer_again(game, done)  # another process was quicker with this very press
                with suppress(PlyConflictError):
                    return await self._commit(move, interaction_id)

    async def _judged_afresh(
        self, game: Game, user_id: int, revision: int | None, actions: Sequence[Action], by: int | None
    ) -> Move:
        _check_goes_on(game, user_id)
        return self._judged(*await self._tables.follow_to_move(game), user_id, revision, actions, by)

    def _judged(
        self, game: Game, played: Played, user_id: int, revision: int | None, actions: Sequence[Action], by: int | None
    ) -> Move:
        seat = _check_goes_on(game, user_id)
        if played.position.withdrawn[seat]:
            raise HostError(ErrorCode.RESIGNED, code=game.code)
        check_revision(game, revision)
        return Move.judge(game, played, seat, actions, self._clock.now(), by=by)

    async def _recall(self, game_id: int, interaction_id: int) -> tuple[Game, Interaction | None]:
        async with self._store.reading() as tx:
            game = await self._find(tx, game_id)
            done = await interactions.get(tx, interaction_id)
        return game, done if done is not None and done.game_id == game_id else None

    async def _answer_again(self, game: Game, done: Interaction) -> Outcome:
        game, played = await self._tables.follow(game)
        if done.taken_back != game.taken_back:
            return Outcome(game, done.before_ply, done.ply, (), repeated=True)  # what it did may be undone
        moment = await asyncio.to_thread(between, game, played, done.before_ply, done.ply)
        return Outcome(game, done.before_ply, done.ply, moment.events, repeated=True, preset=moment.preset)

    async def _commit(self, move: Move, interaction_id: int, planned: Planned | None = None) -> Outcome:
        outcome: Outcome | None = None
        try:
            async with self.outbox.writing() as tx:
                if planned is not None:
                    await planned.keep(tx, move.game, self._clock.now())
                move = await obeying(tx, move, self._clock.now())
                if not move.made:
                    return Outcome(move.game, move.game.ply, move.game.ply, (), repeated=False)
                outcome = await move.write(tx, self.outbox, interaction_id, self._clock.now())
        except BaseException:  # a commit that was interrupted may have happened
            self.outbox.hand_over(None if outcome is None else outcome.begun, stored=False)
            raise
        self.outbox.hand_over(outcome.begun)
        self._tables.memory.keep(outcome.game, move.after)
        log_move(move, outcome, interaction_id)
        return outcome


def _seat(game: Game, user_id: int) -> int:
    seat = game.seat_of(user_id)
    if seat is None:
        raise HostError(ErrorCode.NOT_A_PLAYER, code=game.code)
    return seat


def _check_goes_on(game: Game, user_id: int) -> int:
    """The seat of somebody who plays in a game that is not over."""
    seat = _seat(game, user_id)
    if game.status is GameStatus.FINISHED:
        raise HostError(ErrorCode.GAME_OVER, code=game.code)
    return seat
