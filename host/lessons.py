"""First lessons: short private games against the weakest computer, in which the bot explains what comes up.

A lesson is an ordinary game, whose settings say that it is one. Its pile is authored, and all that it has explained
follows from its log, so nothing else is stored. It is played in a private thread, or in the direct messages of the
learner, which have the number 0 in place of a server's id.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from engine import GAMES, Setup
from host.clock import Clock
from host.computers.levels import QUICK
from host.errors import ErrorCode, HostError
from host.games.outbox import Outbox
from host.naming import computers_named, new_label
from host.new_games import add_game, free_label, new_game
from host.observability import game_fields
from host.retry import retried
from host.rights import GameLimits
from host.servers import Venue, require_open_place
from host.settings import HostSettings
from store import games, guilds
from store.connection.database import Store, Transaction
from store.errors import UnreadableError
from store.records import Game, GameStatus, NewGame, Person, Player, TableSettings

log = logging.getLogger(__name__)

_LESSON_SETUP: Final[Callable[[], Setup]] = next(game.lesson for game in GAMES.values() if game.lesson is not None)
"""Returns the setup of the lesson, in which the learner has the first seat."""


def _new_lesson(person: Person, venue: Venue, language: str) -> NewGame:
    """Return the lesson of a person, before it is stored; its label may be taken."""
    seats: tuple[Player, ...] = (person, *computers_named([QUICK]))
    settings = TableSettings(language=language, lesson=True)
    return new_game(_LESSON_SETUP(), new_label(), seats, venue.guild_id or 0, venue.id, settings)


class Lessons:
    """Begins lessons: one at a time for each person."""

    def __init__(self, store: Store, clock: Clock, settings: HostSettings, outbox: Outbox, limits: GameLimits) -> None:
        self._store = store
        self._clock = clock
        self._settings = settings
        self._outbox = outbox
        self._limits = limits
        self.patience = settings.patience

    async def running(self, user_id: int) -> Game | None:
        """Return the lesson that a user is taking; None if there is none."""
        return await self._store.read(self._running, user_id)

    @retried
    async def check(self, user_id: int, venue: Venue) -> None:
        """Check that a user may begin a lesson in a channel, before a thread is opened for it.

        Raises:
            HostError: ``no_computers``, ``kept_out``, ``server_kept_out``, ``channel_closed``, ``too_many_games_here``.
        """
        await self._store.read(self._check, user_id, venue)

    @retried
    async def begin(self, person: Person, venue: Venue, language: str, *, thread_id: int | None = None) -> Game:
        """Begin a lesson in a channel or its thread; if the person is taking one already, return that one.

        Raises:
            HostError: as for :meth:`check`.
        """
        new = await asyncio.to_thread(_new_lesson, person, venue, language)
        async with self._outbox.writing(f"lesson of {person.user_id}") as tx:
            running = await self._running(tx, person.user_id)
            if running is not None:
                return running
            await self._check(tx, person.user_id, venue)
            code, name = await free_label(tx)
            new = replace(new, code=code, name=name, thread_id=thread_id)
            game = await add_game(tx, new, self._clock.now())
        log.info("lesson begun", extra={**game_fields(game), "user": person.user_id, "place": game.place})
        return game

    async def _check(self, tx: Transaction, user_id: int, venue: Venue) -> None:
        """Do what :meth:`check` does, in a transaction."""
        if not self._settings.workers.workers:
            raise HostError(ErrorCode.NO_COMPUTERS)
        guild_id = venue.guild_id or 0
        await self._limits.check_ban(tx, guild_id, user_id)
        if guild_id:
            require_open_place(await guilds.get(tx, guild_id), venue)
            await self._limits.check_guild(tx, guild_id)

    async def _running(self, tx: Transaction, user_id: int) -> Game | None:
        """Return the lesson that a user is taking."""
        found = await games.by_ids(tx, await games.unfinished_of_player(tx, user_id))
        playable = (game for game in found.values() if not isinstance(game, UnreadableError))
        return next((game for game in playable if game.settings.lesson and game.status is GameStatus.RUNNING), None)
