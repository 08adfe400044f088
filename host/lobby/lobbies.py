"""Lobbies: people gather, and a game begins."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Final

from host.clockwork.calling import ends_of_quiet
from host.errors import ErrorCode, HostError
from host.lobby.gathering import check_rules, finished_game, known_lobby, rematch_lobby, remove_member
from host.lobby.starting import StartingLobbies
from host.patience import patient
from host.people.servers import Venue, require_open_place, require_opener
from host.rights import Asker, not_owner, require_host_of
from host.settings import LOBBY_LIFE, LOBBY_NOTICES, LOBBY_NOTICES_WAIT
from host.values import ClosingNotice
from store import Lobby, LobbyState, NewLobby, Person, TableRules, Transaction, guilds, interactions, lobbies

log = logging.getLogger(__name__)

MOST_AT_ONCE: Final = 25
"""Lobbies that are listed or that expire at a time."""


class Lobbies(StartingLobbies):
    """Opening, joining, leaving and starting.

    Each happens in one transaction with the interaction that asked for it: a repeated one answers with the lobby (or
    game) as it is now, and changes nothing.
    """

    async def get(self, lobby_id: int) -> Lobby:
        """The lobby with this id.

        Raises:
            HostError: ``unknown_lobby``.
        """
        async with self._store.reading() as tx:
            return await known_lobby(tx, lobby_id)

    async def get_in(self, guild_id: int | None, lobby_id: int, channel_id: int | None = None) -> Lobby:
        """The same in its own server, and in its own channel if one is given.

        Raises:
            HostError: ``unknown_lobby``, anywhere else, too.
        """
        lobby = await self.get(lobby_id)
        if lobby.guild_id != guild_id or channel_id not in (None, lobby.channel_id):
            raise HostError(ErrorCode.UNKNOWN_LOBBY, lobby_id=lobby_id)
        return lobby

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
            game = await finished_game(tx, ref, person)
        new = await asyncio.to_thread(rematch_lobby, game, person)
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

    @patient
    async def keep(self, lobby_id: int, user_id: int, interaction_id: int) -> Lobby:
        """Let a lobby stay open for as long as if something had changed; its members may.

        Raises:
            HostError: ``unknown_lobby``, ``lobby_started``, ``lobby_closed``, ``not_in_lobby``.
        """
        async with self._changing(lobby_id, interaction_id, "lobby kept", user_id) as (tx, lobby):
            if lobby is not None and lobby.member(user_id) is None:
                raise HostError(ErrorCode.NOT_IN_LOBBY)
            return await known_lobby(tx, lobby_id)

    async def closing_soon(self) -> list[ClosingNotice]:
        """What is to be told now of lobbies that close, a limited number at a time; it comes again until it is told.

        Where that comes late, since nobody was there to tell it or a member sleeps, they stay open for longer.
        """
        found, now = [], self._clock.now()
        async with self._store.reading() as tx:
            for told, ahead in enumerate(LOBBY_NOTICES):
                latest = now - (LOBBY_LIFE - ahead)
                for lobby_id in await lobbies.unchanged_since(tx, latest, MOST_AT_ONCE, notices=told):
                    lobby = await known_lobby(tx, lobby_id)
                    asleep = await ends_of_quiet(tx, [person.user_id for person in lobby.members], now)
                    if asleep and lobby.changed_at > latest - LOBBY_NOTICES_WAIT:
                        continue
                    later = replace(lobby, changed_at=max(lobby.changed_at, latest))
                    found.append(ClosingNotice(later, told + 1, lobby.changed_at, frozenset(asleep)))
        return found

    async def told(self, notice: ClosingNotice) -> None:
        """Its members know that a lobby closes, or nobody can tell them; where something has changed it does not."""
        lobby, since = notice.lobby, notice.unchanged_since
        async with self._store.writing(lobby=lobby.id) as tx:
            await lobbies.count_notice(tx, lobby.id, notice.number, since, lobby.changed_at)

    async def expire(self) -> list[Lobby]:
        """Close the lobbies in which nothing has changed for too long, a limited number at a time; those closed now."""
        async with self._store.writing() as tx:
            then, told = self._clock.now() - LOBBY_LIFE, len(LOBBY_NOTICES)
            ids = await lobbies.unchanged_since(tx, then, MOST_AT_ONCE, notices=told)
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

    async def set_message(self, lobby_id: int, message_id: int) -> None:
        """Remember the card that shows the lobby."""
        async with self._store.writing() as tx:
            await lobbies.set_message(tx, lobby_id, message_id)

    @asynccontextmanager
    async def _hosting(
        self, lobby_id: int, asker: Asker, interaction_id: int, event: str
    ) -> AsyncIterator[tuple[Transaction, Lobby | None]]:
        """The same for who may say who sits at the table."""
        async with self._changing(lobby_id, interaction_id, event, asker.user_id) as (tx, lobby):
            if lobby is not None:
                require_host_of(lobby, asker, await guilds.get(tx, lobby.guild_id))
            yield tx, lobby
