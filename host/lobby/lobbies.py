"""Lobbies: people gather, and a game begins."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Final

from engine import EngineError
from host.agreements import end_dates
from host.clock import Clock
from host.clockwork.presence import EVERY
from host.errors import ErrorCode, HostError
from host.limits import Limits
from host.lobby.founding import Label, found, new_label
from host.lobby.gathering import check_rules, check_start, known_lobby, open_lobby, rematch_lobby, remove_member
from host.patience import patient
from host.people.servers import Venue, require_open_place, require_opener
from host.play import holding, timekeeping
from host.play.outbox import Outbox, move_post
from host.rights import Asker, not_owner, require_host_of
from host.settings import LOBBY_LIFE, HostSettings
from store import (
    Game,
    Interaction,
    Lobby,
    LobbyState,
    NewLobby,
    Person,
    PostKind,
    Store,
    TableRules,
    Timer,
    TimerKind,
    Transaction,
    games,
    guilds,
    interactions,
    lobbies,
    outbox,
    timers,
)

log = logging.getLogger(__name__)

MOST_AT_ONCE: Final = 25
"""Lobbies that are listed or that expire at a time."""

STARTING: Final = timedelta(seconds=30)
"""How long who starts a lobby is waited for."""


class Lobbies:
    """Opening, joining, leaving and starting.

    Each happens in one transaction with the interaction that asked for it: a repeated one answers with the lobby (or
    game) as it is now, and changes nothing.
    """

    def __init__(self, store: Store, clock: Clock, settings: HostSettings, messages: Outbox) -> None:
        self._store = store
        self._clock = clock
        self._settings = settings
        self._messages = messages
        self._limits = Limits(settings)

    async def get(self, lobby_id: int) -> Lobby:
        """The lobby with this id.

        Raises:
            HostError: ``unknown_lobby``.
        """
        async with self._store.reading() as tx:
            return await known_lobby(tx, lobby_id)

    @patient
    async def open(
        self, new: NewLobby, interaction_id: int, venue: Venue | None = None, asker: Asker | None = None
    ) -> Lobby:
        """A new lobby with its owner, who ``asker`` is, as the first member; ``venue`` says in what its channel lies.

        Raises:
            HostError: ``bad_players``, ``bad_options``, ``channel_closed``, ``not_opener``, ``too_many_lobbies``,
                ``too_many_lobbies_here``, ``too_many_games``, ``too_many_games_here``.
        """
        await asyncio.to_thread(check_rules, new.game, new.capacity, new.expansions, new.options)
        async with self._store.writing(f"server {new.guild_id}") as tx:
            done = await interactions.get(tx, interaction_id)
            if done is not None and done.lobby_id is not None:
                return await known_lobby(tx, done.lobby_id)
            return await self._add(tx, new, interaction_id, venue, asker)

    async def _add(
        self, tx: Transaction, new: NewLobby, interaction_id: int, venue: Venue | None, asker: Asker | None
    ) -> Lobby:
        decided = await guilds.get(tx, new.guild_id)
        require_open_place(decided, venue or Venue(new.channel_id))
        require_opener(decided, asker or Asker(new.owner.user_id, new.guild_id))
        await self._limits.check_opening(tx, new)
        lobby_id = await lobbies.add(tx, new, self._clock.now())
        await self._remember(tx, interaction_id, lobby_id)
        lobby = await known_lobby(tx, lobby_id)
        about = {"server": new.guild_id, "channel": new.channel_id, "user": new.owner.user_id}
        log.info("lobby opened", extra={**about, "lobby": lobby_id, "plays": new.game, "capacity": new.capacity})
        return lobby

    @patient
    async def rematch(
        self, ref: str, person: Person, interaction_id: int, venue: Venue | None = None, asker: Asker | None = None
    ) -> Lobby:
        """The lobby for the rematch of a game that is over, opened by one of its players in the channel of that game.

        There is one for each game: whoever asks again gets the same, until everybody has left it.

        Raises:
            HostError: ``unknown_game``, ``not_a_player``, ``not_over``, ``bad_options``, and as :meth:`open` does.
        """
        async with self._store.reading() as tx:
            new = await rematch_lobby(tx, ref, person)
        await asyncio.to_thread(check_rules, new.game, new.capacity, new.expansions, new.options)
        async with self._store.writing(f"server {new.guild_id}") as tx:
            lobby_id = await lobbies.rematch_of(tx, new.rematch_of or 0)
            known = None if lobby_id is None else await known_lobby(tx, lobby_id)
            if known is not None and known.state in {LobbyState.OPEN, LobbyState.STARTED}:
                return known
            if known is not None:
                await lobbies.forget_rematch(tx, known.id)
            return await self._add(tx, new, interaction_id, venue, asker)

    @patient
    async def join(self, lobby_id: int, person: Person, interaction_id: int) -> Lobby:
        """Take a chair.

        Raises:
            HostError: ``unknown_lobby``, ``lobby_started``, ``lobby_closed``, ``already_joined``,
                ``removed_from_lobby``, ``lobby_full``, ``too_many_games``.
        """
        async with self._changing(lobby_id, interaction_id, "lobby joined", person.user_id) as (tx, lobby):
            if lobby is not None:
                if lobby.member(person.user_id):
                    raise HostError(ErrorCode.ALREADY_JOINED)
                if any(person.user_id == barred.user_id for barred in lobby.barred):
                    raise HostError(ErrorCode.REMOVED_FROM_LOBBY)
                if lobby.full:
                    raise HostError(ErrorCode.LOBBY_FULL, capacity=lobby.capacity)
                await self._limits.check_player(tx, lobby.guild_id, person)
                await lobbies.add_member(tx, lobby_id, person)
            return await known_lobby(tx, lobby_id)

    @patient
    async def set_rules(self, lobby_id: int, user_id: int, rules: TableRules, interaction_id: int) -> Lobby:
        """Change the rules of a game that has not begun, and how its table is kept; its owner may.

        Raises:
            HostError: ``unknown_lobby``, ``lobby_started``, ``lobby_closed``, ``not_owner``, ``bad_options``.
        """
        known = await self.get(lobby_id)
        await asyncio.to_thread(check_rules, known.game, known.capacity, rules.expansions, rules.options)
        async with self._changing(lobby_id, interaction_id, "rules of a lobby changed", user_id) as (tx, lobby):
            if lobby is not None:
                if lobby.owner_id != user_id:
                    raise not_owner(lobby)
                await lobbies.set_rules(tx, lobby_id, rules)
            return await known_lobby(tx, lobby_id)

    @patient
    async def leave(self, lobby_id: int, user_id: int, interaction_id: int) -> Lobby:
        """Give a chair back; who joined next becomes the owner, and the last one who leaves closes the lobby.

        Raises:
            HostError: ``unknown_lobby``, ``lobby_started``, ``lobby_closed``, ``not_in_lobby``.
        """
        async with self._changing(lobby_id, interaction_id, "lobby left", user_id) as (tx, lobby):
            if lobby is not None:
                await remove_member(tx, lobby, user_id)
            return await known_lobby(tx, lobby_id)

    @patient
    async def remove(self, lobby_id: int, asker: Asker, user_id: int, interaction_id: int) -> Lobby:
        """Take a member's seat away for good; the owner may, and who manages the server.

        Raises:
            HostError: ``unknown_lobby``, ``lobby_started``, ``lobby_closed``, ``not_owner``, ``not_in_lobby``.
        """
        async with self._hosting(lobby_id, asker, interaction_id, "member of a lobby removed") as (tx, lobby):
            if lobby is not None:
                member = lobby.member(user_id)
                await remove_member(tx, lobby, user_id)
                if member is not None and user_id != asker.user_id:
                    await lobbies.bar(tx, lobby_id, member)
            return await known_lobby(tx, lobby_id)

    @patient
    async def readmit(self, lobby_id: int, asker: Asker, user_id: int, interaction_id: int) -> Lobby:
        """Let somebody join again who was removed.

        Raises:
            HostError: ``unknown_lobby``, ``lobby_started``, ``lobby_closed``, ``not_owner``.
        """
        async with self._hosting(lobby_id, asker, interaction_id, "let into a lobby again") as (tx, lobby):
            if lobby is not None:
                await lobbies.unbar(tx, lobby_id, user_id)
            return await known_lobby(tx, lobby_id)

    @patient
    async def close(self, lobby_id: int, asker: Asker, interaction_id: int) -> Lobby:
        """Close a lobby before its game begins; the owner may, and who manages the server.

        Raises:
            HostError: ``unknown_lobby``, ``lobby_started``, ``lobby_closed``, ``not_owner``.
        """
        async with self._hosting(lobby_id, asker, interaction_id, "lobby closed") as (tx, lobby):
            if lobby is not None:
                await lobbies.set_closed(tx, lobby_id)
            return await known_lobby(tx, lobby_id)

    async def expire(self) -> list[Lobby]:
        """Close the lobbies in which nothing has changed for too long, a limited number at a time; those closed now."""
        async with self._store.writing() as tx:
            ids = await lobbies.unchanged_since(tx, self._clock.now() - LOBBY_LIFE, MOST_AT_ONCE)
            for lobby_id in ids:
                await lobbies.set_closed(tx, lobby_id, LobbyState.EXPIRED)
            return [await known_lobby(tx, lobby_id) for lobby_id in ids]

    async def open_in(self, guild_id: int) -> list[Lobby]:
        """The newest open lobbies of a server."""
        async with self._store.reading() as tx:
            return [await known_lobby(tx, lobby_id) for lobby_id in await lobbies.open_in(tx, guild_id, MOST_AT_ONCE)]

    async def rename(self, lobby: Lobby, person: Person) -> None:
        """Remember the name by which a member goes now; stored only where it is another one than before."""
        known = lobby.member(person.user_id)
        if known is None or known == person or lobby.state is not LobbyState.OPEN:
            return
        async with self._store.writing() as tx:
            await lobbies.rename(tx, lobby.id, person)

    async def label(self) -> Label:
        """What the next game may be called, for who has to name its thread before it begins."""
        async with self._store.reading() as tx:
            return await _free_label(tx, None)

    @patient
    async def start(
        self,
        lobby_id: int,
        user_id: int,
        interaction_id: int,
        *,
        thread_id: int | None = None,
        label: Label | None = None,
    ) -> Game:
        """Turn the lobby into a game: the owner from two members on, any member once it is full.

        ``thread_id`` is where its cards go; without one, into the lobby's channel. ``label`` is what it is called.

        Seats follow from the seed as :func:`host.founding.seat_order` says, not from the order of joining.

        Raises:
            HostError: ``unknown_lobby``, ``lobby_started``, ``lobby_closed``, ``not_in_lobby``, ``not_owner``,
                ``too_few_players``, ``too_many_games_here``, ``bad_options``.
        """
        async with self._changing(lobby_id, interaction_id, "lobby started", user_id) as (tx, lobby):
            if lobby is not None:
                check_start(lobby, user_id)
                await self._limits.check_guild(tx, lobby.guild_id)
                await self._found(tx, lobby, thread_id, label)
            started = await known_lobby(tx, lobby_id)
            if started.game_id is None:
                raise LookupError(f"interaction {interaction_id} started no game")
            game = await games.get(tx, started.game_id)
        if lobby is not None:
            about = {"game": game.code, "ply": game.ply, "server": game.guild_id, "interaction": interaction_id}
            log.info("game opened", extra={**about, "lobby": lobby_id, "place": game.place, "players": len(game.seats)})
        return game

    @asynccontextmanager
    async def starting(self, lobby_id: int, interaction_id: int) -> AsyncIterator[bool]:
        """Begin the game of an open lobby, and open its thread before that, alone; False while another one does."""
        now = self._clock.now()
        async with self._store.writing(lobby=lobby_id) as tx:
            claimed = await lobbies.claim(tx, lobby_id, interaction_id, now, now + STARTING)
        try:
            yield claimed
        finally:
            async with self._store.writing() as tx:
                await lobbies.unclaim(tx, lobby_id, interaction_id)

    async def set_message(self, lobby_id: int, message_id: int) -> None:
        """Remember the card that shows the lobby."""
        async with self._store.writing() as tx:
            await lobbies.set_message(tx, lobby_id, message_id)

    @asynccontextmanager
    async def _changing(
        self, lobby_id: int, interaction_id: int, event: str, user_id: int
    ) -> AsyncIterator[tuple[Transaction, Lobby | None]]:
        """A transaction with the open lobby; None instead of it when the interaction was carried out before.

        What has changed is an event of the log.
        """
        async with self._messages.writing(lobby=lobby_id) as tx:
            if await interactions.get(tx, interaction_id) is not None:
                yield tx, None
                return
            lobby = await open_lobby(tx, lobby_id)
            await lobbies.touch(tx, lobby_id, self._clock.now())
            yield tx, lobby
            await self._remember(tx, interaction_id, lobby_id)
        about = {"server": lobby.guild_id, "interaction": interaction_id, "user": user_id}
        log.info(event, extra={**about, "lobby": lobby_id})

    @asynccontextmanager
    async def _hosting(
        self, lobby_id: int, asker: Asker, interaction_id: int, event: str
    ) -> AsyncIterator[tuple[Transaction, Lobby | None]]:
        """The same for who may say who sits at the table."""
        async with self._changing(lobby_id, interaction_id, event, asker.user_id) as (tx, lobby):
            if lobby is not None:
                require_host_of(lobby, asker, await guilds.get(tx, lobby.guild_id))
            yield tx, lobby

    async def _remember(self, tx: Transaction, interaction_id: int, lobby_id: int) -> None:
        await interactions.remember(tx, Interaction(id=interaction_id, lobby_id=lobby_id), self._clock.now())

    async def _found(self, tx: Transaction, lobby: Lobby, thread_id: int | None, wished: Label | None) -> None:
        label = await _free_label(tx, wished)
        material = self._settings.material.get(lobby.game, {})
        try:
            new = await asyncio.to_thread(found, lobby, self._settings.new_seed(), label, thread_id, material)
        except EngineError as error:
            raise HostError(ErrorCode.BAD_OPTIONS, reason=str(error)) from error
        now = self._clock.now()
        game_id = await games.add(tx, new, now)
        await timekeeping.begin(tx, game_id, new, now)
        await lobbies.set_started(tx, lobby.id, game_id)
        game = await games.get(tx, game_id)
        await holding.begin(tx, game, now)
        if new.settings.ends_after:
            await end_dates.put(tx, game, now + timedelta(days=new.settings.ends_after), now)
        await timers.put(tx, Timer(game_id, TimerKind.PRESENT, now + EVERY))
        await outbox.add(tx, move_post(game, 0, 0, PostKind.START), now)


async def _free_label(tx: Transaction, wished: Label | None) -> Label:
    """The label if no game has its code, else another one."""
    label = wished or new_label()
    while await games.is_taken(tx, label.code):
        label = new_label()
    return label
