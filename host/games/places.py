"""The channels and threads of games; while one is closed to the bot, the clocks of its games are held.

A place is closed when it is deleted, locked, or forbidden to the bot, or the bot was removed from its server. An
archived thread is not: the next message opens it. Clocks run again when a card of the game is posted. Players may
play on from another channel meanwhile, without a clock.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Collection, Iterable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Final

from host.clock import Clock
from host.clocks import milliseconds_between
from host.errors import ErrorCode, HostError
from host.games import timekeeping
from host.games.outbox import Outbox
from host.games.reader import GameReader
from host.rights import GameLimits, check_playing
from host.servers import Venue, require_members, require_venue
from host.settings import HostSettings
from host.values import Post
from store import absences, games, guilds, outbox, timers
from store.connection.database import Store, Transaction
from store.errors import UnreadableError
from store.records import Game, GameStatus, NewPost, PostKind, Timer, TimerKind

log = logging.getLogger(__name__)

_NONCE_EPOCH: Final = datetime(2025, 1, 1, tzinfo=UTC)

PlaceCheck = Callable[[Game], Awaitable[bool | None]]
"""Returns True if the place of a game is open to the bot; None if unknown."""
_LETTERS: Final = {PostKind.SHUT: "x", PostKind.REOPENED: "o"}


async def place_unknown(_game: Game) -> bool | None:
    """Answer that the state of the place is unknown."""
    return None


class Places:
    """Moves games between channels, and records which places are closed."""

    def __init__(
        self, store: Store, clock: Clock, settings: HostSettings, outbox: Outbox, games: GameReader, limits: GameLimits
    ) -> None:
        self._store = store
        self._clock = clock
        self._settings = settings
        self._outbox = outbox
        self._games = games
        self._limits = limits
        self.ask: PlaceCheck = place_unknown
        outbox.reopens = self._reopened

    async def set_thread(self, game_id: int, thread_id: int) -> None:
        """Set the thread of a game's cards; posts that had nowhere to go become due at once.

        Raises:
            HostError: ``unknown_game``.
        """
        async with self._outbox.writing(game=game_id) as tx:
            if not await games.set_thread(tx, game_id, thread_id):
                raise HostError(ErrorCode.UNKNOWN_GAME, ref=game_id)
            await outbox.retry_refused(tx, self._clock.now(), game_id=game_id)

    async def move_here(self, ref: int | str, user_id: int, place: Venue) -> Game:
        """Let a player move the cards of an unfinished game to another channel or thread, also of another server.

        Raises:
            HostError: ``unknown_game``, ``not_a_player``, ``game_over``, ``frozen``, ``resigned``, ``channel_closed``,
                ``not_seen`` by another player, ``moved_lately``; in another server also ``not_members``,
                ``too_many_games``, ``too_many_games_here``.
        """
        game = await self._games.get(ref)
        check_playing(game, user_id)
        now, pause = self._clock.now(), self._settings.move_pause
        server = place.guild_id or game.guild_id
        async with self._outbox.writing(game=game.id) as tx:
            if server != game.guild_id:
                require_members(game, place)
                await self._limits.check_moving(tx, server, game)
            require_venue(await guilds.get(tx, server), game, place)
            if not await games.move_to_place(tx, game.id, place.id, now, now - pause):
                raise HostError(ErrorCode.MOVED_LATELY, minutes=pause // timedelta(minutes=1))
            if server != game.guild_id:
                await games.move_to_server(tx, game.id, server, place.channel_id)
                for absent in await absences.departed_from(tx, game.id):  # all who play are members of the new server
                    await clear_departure(tx, game, absent)
            await outbox.retry_refused(tx, now, game_id=game.id)
            await absences.forget_closed_place(tx, game.id)
            await self.show(tx, replace(game, thread_id=place.id))
        about = {"game": game.code, "ply": game.ply, "server": server, "user": user_id}
        log.info("table moved", extra={**about, "place": place.id, "before": game.place})
        return await self._games.get(game.id)

    async def unfinished_at(self, *, place_id: int | None = None, guild_id: int | None = None) -> list[Game]:
        """Return the unfinished games that are played or were opened in a place, or those of a server."""
        async with self._store.reading() as tx:
            found = await games.by_ids(tx, await games.unfinished_at(tx, place_id=place_id, guild_id=guild_id))
        return [game for game in found.values() if not isinstance(game, UnreadableError)]

    async def servers(self) -> set[int]:
        """Return the servers that have unfinished games."""
        async with self._store.reading() as tx:
            return await games.servers_with_games(tx)

    async def closed(self, game_ids: Collection[int]) -> set[int]:
        """Return the ids of these games whose place is closed."""
        async with self._store.reading() as tx:
            return await absences.games_with_closed_place(tx, game_ids)

    async def is_closed(self, game: Game) -> bool:
        """Check whether the place of a game is closed; if so, hold its clocks and return True."""
        if await self.ask(game) is not False:
            return False
        await self.close([game.id])
        return True

    async def close(self, game_ids: Iterable[int], *, tell: bool = False, anywhere: bool = False) -> int:
        """Record that the place of these games is closed; return how many were open before.

        Set ``tell`` if the players can be told. A game whose newest card stands elsewhere continues, unless nothing can
        be posted ``anywhere``.
        """
        count = 0
        for game_id in game_ids:
            async with self._outbox.writing(game=game_id) as tx:
                count += await self._close(tx, await games.get(tx, game_id), tell=tell, anywhere=anywhere)
        return count

    async def reopen(self, game_ids: Iterable[int]) -> int:
        """Make cards due for games whose place may be open again; return how many."""
        count = 0
        for game_id in await self.closed(list(game_ids)):
            async with self._outbox.writing(game=game_id) as tx:
                count += await self.show(tx, await games.get(tx, game_id))
        return count

    async def show(self, tx: Transaction, game: Game) -> bool:
        """Add a card for a game whose place was closed; return False if one waits already or it was not closed."""
        is_closed = await absences.closed_since(tx, game.id) is not None
        if not is_closed or game.status is not GameStatus.RUNNING or await outbox.has_unsent_card(tx, game.id):
            return False
        await self._add(tx, game, PostKind.REOPENED)
        return True

    async def card_waits(self, game: Game) -> bool:
        """Return True if a card of a game waits to be posted."""
        async with self._store.reading() as tx:
            return await outbox.has_unsent_card(tx, game.id)

    async def drop_late(self, post: Post) -> bool:
        """Drop a message about a place if it is obsolete; return True if it was."""
        async with self._store.reading() as tx:
            game, since = await games.get(tx, post.game_id), await absences.closed_since(tx, post.game_id)
            answered = post.kind is PostKind.SHUT and await outbox.has_unsent_card(tx, game.id)
        goes_on = game.revision == post.revision and game.status is not GameStatus.FINISHED
        if since is not None and goes_on and not answered:
            return False
        await self.give_up(post)
        return True

    async def give_up(self, post: Post) -> None:
        """Drop a message that cannot be sent or is obsolete, so that nothing waits for it."""
        async with self._outbox.writing() as tx:
            await outbox.drop(tx, post.id, self._clock.now())

    async def _close(self, tx: Transaction, game: Game, *, tell: bool, anywhere: bool) -> bool:
        if game.status is GameStatus.FINISHED:
            return False
        now = self._clock.now()
        if not await absences.close_place(tx, game.id, now, anywhere=anywhere):
            return False
        await timekeeping.settle_clocks(tx, game, now)
        if tell and game.place != game.channel_id and not await outbox.has_unsent_card(tx, game.id):
            await self._add(tx, game, PostKind.SHUT)
        log.warning("a place is closed, the clocks stand still", extra=_about(game))
        return True

    async def _add(self, tx: Transaction, game: Game, kind: PostKind) -> None:
        """Add a message about a place, known by its millisecond: a thread may be locked, opened and locked quickly."""
        now = self._clock.now()
        nonce = f"{game.code}-{game.revision}-{_LETTERS[kind]}{milliseconds_between(_NONCE_EPOCH, now)}"
        about = {"game_id": game.id, "from_ply": game.ply, "ply": game.ply, "taken_back": game.taken_back}
        await outbox.add(tx, NewPost(**about, kind=kind, nonce=nonce), now)

    async def _reopened(self, tx: Transaction, game_id: int, now: datetime, elsewhere: bool) -> None:  # noqa: FBT001
        """Resume the clocks, or the wait of an untimed game, once a card is posted again."""
        if elsewhere:
            await absences.mark_posted_elsewhere(tx, game_id, now)
        else:
            await absences.reopen_place(tx, game_id)
        game = await games.get(tx, game_id)
        await timekeeping.settle_clocks(tx, game, now)
        await timers.restart_untimed(tx, game_id, now)
        log.info("a card is there again, the clocks go on", extra={**_about(game), "elsewhere": elsewhere})


async def clear_departure(tx: Transaction, game: Game, user_id: int) -> None:
    """Forget that a player had left the server, and the timer that would withdraw them."""
    await absences.drop_departure(tx, game.id, user_id)
    await timers.remove(tx, Timer(game.id, TimerKind.LEFT, game.created_at, subject=user_id))


def _about(game: Game) -> dict[str, object]:
    """Return the log fields of a game and its place."""
    return {"game": game.code, "ply": game.ply, "server": game.guild_id, "place": game.place}
