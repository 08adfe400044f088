"""Challenges: lobbies that only the people who were challenged may join.

There is a seat for each of them. They accept a challenge by joining it, decline it, or change its rules: then it
becomes their own, and all others are asked again. When everybody has accepted, any of them starts the game.

Everybody can keep a private list of people whom they *avoid*. A challenge by such a person is declined in their name
some time later, so that it reads like any other decline.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Collection
from typing import Final

from engine import GAMES
from host.clock import Clock
from host.errors import ErrorCode, HostError
from host.lobbies import LOBBY_BATCH_SIZE, Lobbies, check_match, check_rules, schedule_declines
from host.retry import retried
from host.settings import HostSettings
from host.timing.reminders import quiet_ends
from store import Lobby, LobbyState, Person, Store, TableRules, Transaction, lobbies, preferences

log = logging.getLogger(__name__)

MAX_AVOIDED: Final = 25
"""The most people whom somebody can avoid."""


class Challenges:
    """Changes challenges, which :class:`Lobbies` opens, and keeps the lists of avoided people."""

    def __init__(self, store: Store, clock: Clock, settings: HostSettings, open_lobbies: Lobbies) -> None:
        self._store = store
        self._clock = clock
        self._lobbies = open_lobbies
        self.patience = settings.patience

    @retried
    async def decline(self, lobby_id: int, user_id: int, interaction_id: int) -> Lobby:
        """Decline a challenge; if too few people are left for the game, it is closed.

        Raises:
            HostError: ``unknown_lobby``, ``lobby_started``, ``lobby_closed``, ``not_challenged``.
        """
        async with self._lobbies.changing(lobby_id, interaction_id, "challenge declined", user_id) as (tx, lobby):
            if lobby is not None:
                await _decline(tx, lobby, user_id)
        return await self._lobbies.get(lobby_id)

    async def decline_due(self) -> list[Lobby]:
        """Decline challenges in the name of those who avoid their owners, a limited number at a time; return these."""
        declined = []
        for lobby_id, user_id in await self._store.read(lobbies.declining, self._clock.now(), LOBBY_BATCH_SIZE):
            async with self._store.writing(lobby=lobby_id) as tx:
                lobby = await lobbies.get(tx, lobby_id)
                is_asked = lobby is not None and lobby.state is LobbyState.OPEN and _is_challenged(lobby, user_id)
                if lobby is None or not is_asked:  # they have answered, or the challenge is closed
                    await lobbies.schedule_decline(tx, lobby_id, user_id, None)
                    continue
                await _decline(tx, lobby, user_id)
                await lobbies.touch(tx, lobby_id, self._clock.now())
            declined.append(await self._lobbies.get(lobby_id))
        return declined

    @retried
    async def revise(self, lobby_id: int, user_id: int, rules: TableRules, interaction_id: int) -> Lobby:
        """Change the rules of a challenge. It becomes the user's own, and all others are asked again.

        Raises:
            HostError: ``unknown_lobby``, ``lobby_started``, ``lobby_closed``, ``not_challenged``, ``bad_options``,
                ``bad_match``.
        """
        current = await self._lobbies.get(lobby_id)
        await asyncio.to_thread(check_rules, current.game, current.capacity, rules.expansions, rules.options)
        async with self._lobbies.changing(lobby_id, interaction_id, "challenge changed", user_id) as (tx, lobby):
            if lobby is not None:
                check_match(lobby, rules.settings)
                await self._take_over(tx, lobby, user_id)
                await lobbies.set_rules(tx, lobby_id, rules)
        return await self._lobbies.get(lobby_id)

    async def _take_over(self, tx: Transaction, lobby: Lobby, user_id: int) -> None:
        """Make a participant the owner and only member of a challenge, and challenge all others.

        Raises:
            HostError: ``not_challenged``.
        """
        others = {person.user_id: person for person in (*lobby.members, *lobby.challenged)}
        if user_id not in others:
            raise HostError(ErrorCode.NOT_CHALLENGED)
        owner = others.pop(user_id)
        for member in lobby.members:
            await lobbies.remove_member(tx, lobby.id, member.user_id)
        await lobbies.add_member(tx, lobby.id, owner)
        await lobbies.set_owner(tx, lobby.id, user_id)
        await lobbies.challenge(tx, lobby.id, others.values())
        await schedule_declines(tx, lobby.id, user_id, others.keys(), self._clock.now())

    async def open_in(self, guild_id: int) -> list[Lobby]:
        """Return the newest open challenges of a server."""
        async with self._store.reading() as tx:
            ids = await lobbies.open_in(tx, guild_id, LOBBY_BATCH_SIZE, challenges=True)
        return [await self._lobbies.get(lobby_id) for lobby_id in ids]

    async def called(self, lobby: Lobby) -> tuple[list[int], Collection[int]]:
        """Return those who have to answer a challenge and do not avoid its owner, and who of them has quiet hours."""
        asked = [person.user_id for person in lobby.challenged]
        if not asked:
            return [], ()
        async with self._store.reading() as tx:
            avoiding = await preferences.avoiding(tx, lobby.owner_id, asked)
            quiet = await quiet_ends(tx, asked, self._clock.now())
        return [user_id for user_id in asked if user_id not in avoiding], quiet.keys()

    async def avoided_by(self, user_id: int) -> tuple[Person, ...]:
        """Return the people whom a user avoids, by name."""
        return await self._store.read(preferences.avoided_by, user_id)

    async def avoid(self, user_id: int, person: Person) -> None:
        """Put a person on a user's list of people to avoid.

        Raises:
            HostError: ``bad_challenge`` for the user themselves, ``too_many_avoided``.
        """
        if person.user_id == user_id:
            raise HostError(ErrorCode.BAD_CHALLENGE)
        async with self._store.writing(f"avoided by {user_id}") as tx:
            if len(await preferences.avoided_by(tx, user_id)) >= MAX_AVOIDED:
                raise HostError(ErrorCode.TOO_MANY_AVOIDED, most=MAX_AVOIDED)
            await preferences.avoid(tx, user_id, person, self._clock.now())

    async def meet_again(self, user_id: int, avoided_id: int) -> None:
        """Remove a person from a user's list of people to avoid."""
        await self._store.write(preferences.meet_again, user_id, avoided_id)


def _is_challenged(lobby: Lobby, user_id: int) -> bool:
    """Return whether a user still has to answer a challenge."""
    return any(person.user_id == user_id for person in lobby.challenged)


async def _decline(tx: Transaction, lobby: Lobby, user_id: int) -> None:
    """Store that a user declines a challenge, and close it if too few people are left for the game.

    Raises:
        HostError: ``not_challenged``.
    """
    if not _is_challenged(lobby, user_id):
        raise HostError(ErrorCode.NOT_CHALLENGED)
    await lobbies.decline(tx, lobby.id, user_id, lobby.capacity - 1)
    if lobby.capacity - 1 < GAMES[lobby.game].players[0]:
        await lobbies.set_closed(tx, lobby.id)
