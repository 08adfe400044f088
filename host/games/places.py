"""The places of games: the channels and threads in which their cards are posted.

A place is *closed* when it is deleted, locked or forbidden to the bot, or when the bot was removed from its server. An
archived thread is not closed: the next message opens it. While the place of a game is closed, its clocks are held. They
run again when a card, the message that asks a player to move, is posted there or elsewhere.

Players can move their game to another channel, or play from one while the place is closed. A *nonce* is a text by which
Discord recognises a message that is sent twice.
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
from host.games.outbox import Outbox, notice_post
from host.games.reader import GameReader
from host.rights import GameLimits, check_playing
from host.servers import Venue, require_members, require_venue
from host.settings import HostSettings
from host.values import Post
from store import absences, games, guilds, outbox, timers
from store.connection.database import Store, Transaction
from store.errors import UnreadableError
from store.records import Game, GameStatus, PostKind, Timer, TimerKind

log = logging.getLogger(__name__)

_NONCE_EPOCH: Final = datetime(2025, 1, 1, tzinfo=UTC)
"""The moment from which nonces of messages about places count milliseconds."""

PlaceCheck = Callable[[Game], Awaitable[bool | None]]
"""Returns True if the place of a game is open to the bot, False if it is closed, None if that is unknown."""
_NONCE_LETTERS: Final = {PostKind.SHUT: "x", PostKind.REOPENED: "o"}
"""The letter of each kind of message about a place, in its nonce."""


async def place_unknown(_game: Game) -> bool | None:
    """Return None, for unknown: the default without Discord."""
    return None


class Places:
    """Moves games between channels, and records which places are closed to the bot."""

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
        outbox.on_reopened = self._release_clocks

    async def set_thread(self, game_id: int, thread_id: int) -> None:
        """Set the thread in which a game's cards are posted; posts that were refused elsewhere become due.

        Raises:
            HostError: ``unknown_game``.
        """
        async with self._outbox.writing(game=game_id) as tx:
            if not await games.set_thread(tx, game_id, thread_id):
                raise HostError(ErrorCode.UNKNOWN_GAME, ref=game_id)
            await outbox.retry_refused(tx, self._clock.now(), game_id=game_id)

    async def move_here(self, ref: int | str, user_id: int, place: Venue) -> Game:
        """Move a game to another channel or thread, also of another server, at the request of a player.

        Raises:
            HostError: ``unknown_game``, ``not_a_player``, ``game_over``, ``frozen``, ``resigned``, ``channel_closed``,
                ``not_seen``, ``moved_lately``; in another server also ``not_members``, ``too_many_games``,
                ``too_many_games_here``.
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
                for departed_id in await absences.departed_from(tx, game.id):  # all are members of the new server
                    await clear_departure(tx, game, departed_id)
            await outbox.retry_refused(tx, now, game_id=game.id)
            await absences.forget_closed_place(tx, game.id)
            await self.add_card(tx, replace(game, thread_id=place.id))
        about = {"game": game.code, "ply": game.ply, "server": server, "user": user_id}
        log.info("table moved", extra={**about, "place": place.id, "before": game.place})
        return await self._games.get(game.id)

    async def unfinished_at(self, *, place_id: int | None = None, guild_id: int | None = None) -> list[Game]:
        """Return the unfinished games that are played or were opened in a place, or those of a server."""
        async with self._store.reading() as tx:
            games_by_id = await games.by_ids(tx, await games.unfinished_at(tx, place_id=place_id, guild_id=guild_id))
        return [game for game in games_by_id.values() if not isinstance(game, UnreadableError)]

    async def servers(self) -> set[int]:
        """Return the ids of the servers that have unfinished games."""
        return await self._store.read(games.servers_with_games)

    async def closed(self, game_ids: Collection[int]) -> set[int]:
        """Return those of these games whose place is recorded as closed, by id."""
        return await self._store.read(absences.games_with_closed_place, game_ids)

    async def is_closed(self, game: Game) -> bool:
        """Ask Discord whether the place of a game is closed; if so, record it, which holds the game's clocks."""
        if await self.ask(game) is not False:
            return False
        await self.close([game.id])
        return True

    async def close(self, game_ids: Iterable[int], *, tell: bool = False, anywhere: bool = False) -> int:
        """Record that the places of these games are closed, and hold their clocks; return how many were open before.

        Set ``tell`` if the players can be told in the channel of a closed thread. A game whose newest card was posted
        in another place continues, unless ``anywhere`` says that nothing can be posted at all.
        """
        count = 0
        for game_id in game_ids:
            async with self._outbox.writing(game=game_id) as tx:
                count += await self._close(tx, await games.get(tx, game_id), tell=tell, anywhere=anywhere)
        return count

    async def reopen(self, game_ids: Iterable[int]) -> int:
        """Add cards for those of these games whose place was closed and may be open again; return their number."""
        count = 0
        for game_id in await self.closed(list(game_ids)):
            async with self._outbox.writing(game=game_id) as tx:
                count += await self.add_card(tx, await games.get(tx, game_id))
        return count

    async def add_card(self, tx: Transaction, game: Game) -> bool:
        """Add a card for a running game whose place was closed; return False if none is needed."""
        is_closed = await absences.closed_since(tx, game.id) is not None
        if not is_closed or game.status is not GameStatus.RUNNING or await outbox.has_unsent_card(tx, game.id):
            return False
        await self._add(tx, game, PostKind.REOPENED)
        return True

    async def card_waits(self, game: Game) -> bool:
        """Return whether a card of a game waits to be posted."""
        return await self._store.read(outbox.has_unsent_card, game.id)

    async def drop_late(self, post: Post) -> bool:
        """Drop a message about a place if it is obsolete; return whether it was dropped."""
        async with self._store.reading() as tx:
            game, closed_since = await games.get(tx, post.game_id), await absences.closed_since(tx, post.game_id)
            replaced_by_card = post.kind is PostKind.SHUT and await outbox.has_unsent_card(tx, game.id)
        is_current = game.revision == post.revision and game.status is not GameStatus.FINISHED
        if closed_since is not None and is_current and not replaced_by_card:
            return False
        await self._outbox.drop(post)
        return True

    async def _close(self, tx: Transaction, game: Game, *, tell: bool, anywhere: bool) -> bool:
        """Record that the place of a game is closed, and hold its clocks; return False if nothing has changed."""
        if game.status is GameStatus.FINISHED:
            return False
        now = self._clock.now()
        if not await absences.close_place(tx, game.id, now, anywhere=anywhere):
            return False
        await timekeeping.settle_clocks(tx, game, now)
        if tell and game.place != game.channel_id and not await outbox.has_unsent_card(tx, game.id):
            await self._add(tx, game, PostKind.SHUT)
        log.warning("the place of a game is closed, its clocks are held", extra=_about(game))
        return True

    async def _add(self, tx: Transaction, game: Game, kind: PostKind) -> None:
        """Add a message about a place; its nonce contains milliseconds, since a thread may soon be locked again."""
        now = self._clock.now()
        mark = f"{_NONCE_LETTERS[kind]}{milliseconds_between(_NONCE_EPOCH, now)}"
        await outbox.add(tx, notice_post(game, kind, mark), now)

    async def _release_clocks(self, tx: Transaction, game_id: int, now: datetime, elsewhere: bool) -> None:  # noqa: FBT001
        """Release the clocks of a game, or restart the wait of an untimed one, once a card is posted again.

        ``elsewhere`` says that the card was posted in another place, while the game's own is still closed.
        """
        if elsewhere:
            await absences.mark_posted_elsewhere(tx, game_id, now)
        else:
            await absences.reopen_place(tx, game_id)
        game = await games.get(tx, game_id)
        await timekeeping.settle_clocks(tx, game, now)
        await timers.restart_untimed(tx, game_id, now)
        log.info("a card was posted, the clocks run again", extra={**_about(game), "elsewhere": elsewhere})


async def clear_departure(tx: Transaction, game: Game, user_id: int) -> None:
    """Delete the record that a player has left the server, and the timer that would withdraw them."""
    await absences.drop_departure(tx, game.id, user_id)
    await timers.remove(tx, Timer(game.id, TimerKind.LEFT, game.created_at, subject=user_id))


def _about(game: Game) -> dict[str, object]:
    """Return the log fields of a game and its place."""
    return {"game": game.code, "ply": game.ply, "server": game.guild_id, "place": game.place}
