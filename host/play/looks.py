"""Looking at games: from memory where the narrow row of a game says that nothing is newer, else from what is stored."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace

from host.clock import Clock
from host.errors import ErrorCode, HostError
from host.locks import KeyedLocks
from host.play.lists import NOBODY, Lists
from host.play.memory import Played
from host.play.tables import Tables, between
from host.play.turns import Turns
from host.trouble import Trouble
from host.values import Moment, Post, Table
from store import Game, GameTiming, Preferences, Store, Transaction, UnreadableError, game_headers, games, moves, outbox


@dataclass(frozen=True, slots=True)
class Look:
    """What somebody who asks for a game finds at one moment: with its table if that is in memory."""

    game: Game
    found: Played | None = None
    preferences: Preferences | None = None
    """How who asks wants to play, where that was read with it."""
    waits: bool = False
    """Whether a move of who asks waits to be published."""

    @property
    def table(self) -> Table | None:
        """The game with a copy of its position and its log, if they were in memory."""
        return None if self.found is None else table_at(self.game, self.found)


class Looks(Lists):
    """What can be told of games, and of their positions."""

    def __init__(self, store: Store, trouble: Trouble, tables: Tables, clock: Clock) -> None:
        super().__init__(store, trouble, clock)
        self._tables = tables
        self._locks = KeyedLocks()
        self._turns = Turns()

    async def look(self, ref: int | str, user_id: int = NOBODY) -> Look:
        """A game as somebody finds it; of a table in memory no more than one narrow row is read.

        Raises:
            HostError: ``unknown_game``.
        """
        known = self._tables.memory.id_of(ref)
        seen = None if known is None else self._tables.memory.find(known)
        async with self._store.reading() as tx:
            glance = None if known is None else await game_headers.get(tx, known, user_id)
            found = None if glance is None else self._tables.known(glance, user_id)
            if glance is not None and found is not None:
                return Look(*found, glance.preferences, glance.waits)
            game = await self._find(tx, ref)
            waiting = None if user_id == NOBODY else await moves.pending_of(tx, game.id)
        if await self._tables.went_back(seen, game.stamp):
            return await self.look(ref, user_id)
        waits = waiting is not None and (waiting.user_id, waiting.stamp) == (user_id, game.stamp)
        return Look(game, waits=waits)

    async def game(self, ref: int | str) -> Game:
        """A game without its position.

        Raises:
            HostError: ``unknown_game``.
        """
        return (await self.look(ref)).game

    async def game_in(self, guild_id: int | None, ref: int | str) -> Game:
        """The same in its own server.

        Raises:
            HostError: ``unknown_game``, in any other one, too.
        """
        game = await self.game(ref)
        if game.guild_id != guild_id:
            raise HostError(ErrorCode.UNKNOWN_GAME, ref=ref)
        return game

    async def table(self, ref: int | str | Look) -> Table:
        """A game, by its name or as somebody has found it, with a copy of its position and its log.

        Raises:
            HostError: ``unknown_game``, ``frozen``.
        """
        return table_at(*await (self._followed(ref) if isinstance(ref, Look) else self._look(ref)))

    async def moment(self, ref: int | str, from_ply: int, ply: int) -> Moment:
        """A span of a game, from which its card is drawn.

        Raises:
            HostError: ``unknown_game``, ``frozen``.
            ValueError: the game has no such span.
        """
        return await self._span(*await self._look(ref), from_ply, ply)

    async def moment_of(self, post: Post) -> Moment:
        """The span that a message shows, with how who is asked now wants to play, as far as that cost no look more.

        Raises:
            HostError: ``frozen``, ``stale`` where it was undone.
        """
        from_ply = min(post.from_ply, post.ply)  # what was undone is not there any more
        asked = post.game.person_to_act
        look, around = await self._look_at_card(post.game.id, NOBODY if asked is None else asked.user_id)
        try:
            moment: Moment | None = await self._span(*await self._followed(look), from_ply, post.ply)
        except ValueError:
            moment = None
        if (moment is None or moment.taken_back != post.taken_back) and await self._is_undone(post):
            raise HostError(ErrorCode.STALE, revision=post.revision, current=post.game.revision)
        if moment is None:
            raise ValueError(f"game {post.game.code}: no span from {from_ply} to {post.ply}")
        return replace(moment, taken_back=post.taken_back, wishes=look.preferences if asked else None, around=around)

    async def _look_at_card(self, game_id: int, user_id: int) -> tuple[Look, GameTiming | None]:
        """A game as :meth:`look` finds it, and what its card tells beside the position: no read more for both."""
        async with self._store.reading() as tx:
            seen = await game_headers.with_timing(tx, game_id, user_id, self._clock.now())
        if seen is None:
            return await self.look(game_id, user_id), None
        glance, around = seen
        found = self._tables.known(glance, user_id)
        if found is None:
            return await self.look(game_id, user_id), around
        return Look(*found, glance.preferences, glance.waits), around

    async def _is_undone(self, post: Post) -> bool:
        async with self._store.reading() as tx:
            return await outbox.is_undone(tx, post.id)

    async def _look(self, ref: int | str) -> tuple[Game, Played]:
        return await self._followed(await self.look(ref))

    async def _followed(self, look: Look) -> tuple[Game, Played]:
        if look.found is not None:
            return look.game, look.found
        # Whoever moves it meanwhile keeps the newer table.
        async with self._turns.turn(), self._locks.hold(look.game.id):
            return await self._tables.follow(look.game)

    async def _span(self, game: Game, played: Played, from_ply: int, ply: int) -> Moment:
        newest = played.span(game, from_ply, ply)
        if newest is not None:
            return newest
        async with self._turns.turn():
            return await asyncio.to_thread(between, game, played, from_ply, ply)

    async def _find(self, tx: Transaction, ref: int | str) -> Game:
        try:
            if isinstance(ref, int):
                record = await games.by_id(tx, ref)
            else:
                record = await games.by_code(tx, ref.strip().upper())
        except UnreadableError as error:
            self._trouble.report(error)
            raise HostError(ErrorCode.UNREADABLE, code=ref) from error
        if record is None:
            raise HostError(ErrorCode.UNKNOWN_GAME, ref=ref)
        return record


def table_at(game: Game, played: Played) -> Table:
    """The table of a game for who may do with it what he likes."""
    return Table(game, played.position.copy(), played.log, played.earlier)
