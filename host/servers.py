"""Settings that the managers of a server decide: channels in which games may be played, and further managers."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from host.clocks import NO_PACE, PACES
from host.errors import ErrorCode, HostError
from host.naming import unique_name_of
from host.rights import Asker, is_manager, require_manager
from host.settings import HostSettings
from store import Game, GuildSettings, Store, TableSettings, games, guilds, lobbies


@dataclass(frozen=True, slots=True)
class Venue:
    """A channel or thread, as Discord describes it: what it lies in, and which members who matter cannot see it."""

    id: int
    within: tuple[int, ...] = ()
    """The channel of a thread, and the category."""
    unseen_by: frozenset[int] = frozenset()
    guild_id: int | None = None
    """The server, where it is not that of the game."""
    members: frozenset[int] = frozenset()
    """The relevant users who are members of that server, as Discord has just said."""

    @property
    def channel_id(self) -> int:
        """The channel itself, or that in which the thread lies."""
        return self.within[0] if self.within else self.id


@dataclass(frozen=True, slots=True)
class Counts:
    """The numbers of open lobbies and running games of a server."""

    lobbies: int
    games: int


class Servers:
    """The settings of the servers."""

    def __init__(self, store: Store, settings: HostSettings) -> None:
        self._store = store
        self._most = settings.games_of_member
        self._usual_pace = settings.usual_pace

    async def get(self, guild_id: int) -> GuildSettings:
        """Return the decisions of a server, or the defaults."""
        async with self._store.reading() as tx:
            return await guilds.get(tx, guild_id)

    async def managed_by(self, asker: Asker) -> GuildSettings:
        """The same for who manages the server.

        Raises:
            HostError: ``not_manager``.
        """
        settings = await self.get(asker.guild_id)
        require_manager(asker, settings, asker.guild_id)
        return settings

    async def counts(self, guild_id: int) -> Counts:
        """Return the numbers of open lobbies and of running games in a server."""
        async with self._store.reading() as tx:
            return Counts(await lobbies.count_open(tx, guild_id), await games.count_unfinished(tx, guild_id))

    async def set_channels(self, asker: Asker, channels: tuple[int, ...]) -> GuildSettings:
        """Say in which channels games may be opened; without any, in all of them.

        Raises:
            HostError: ``not_manager``.
        """
        return await self._decide(asker, channels=channels)

    async def set_openers(self, asker: Asker, role: int | None) -> GuildSettings:
        """Say which role one needs to open games; without any, everybody may.

        Raises:
            HostError: ``not_manager``.
        """
        return await self._decide(asker, opener_role=None if role == asker.guild_id else role)

    async def set_organisers(self, asker: Asker, role: int | None) -> GuildSettings:
        """Say which role creates events, too; without any, only those who manage the server do.

        Raises:
            HostError: ``not_manager``.
        """
        return await self._decide(asker, organiser_role=None if role == asker.guild_id else role)

    async def set_games_of_member(self, asker: Asker, most: int | None) -> GuildSettings:
        """Say how many games a member may play here at a time; None for as many as anywhere.

        Raises:
            HostError: ``not_manager``.
            ValueError: nobody could play, or more than anywhere.
        """
        if most is not None and not 1 <= most <= self._most:
            raise ValueError(f"not between 1 and {self._most}: {most}")
        return await self._decide(asker, games_of_member=most)

    async def set_hints(self, asker: Asker, *, hints: bool) -> GuildSettings:
        """Say whether tables begin with hints.

        Raises:
            HostError: ``not_manager``.
        """
        return await self._decide(asker, hints=hints)

    async def set_pace(self, asker: Asker, pace: str) -> GuildSettings:
        """Say with which pace tables begin; an empty one is the usual one.

        Raises:
            HostError: ``not_manager``.
            ValueError: there is no such pace.
        """
        if pace not in ("", NO_PACE, *PACES):
            raise ValueError(f"no pace: {pace!r}")
        return await self._decide(asker, pace=pace)

    async def set_language(self, asker: Asker, language: str) -> GuildSettings:
        """Say in which language tables are told; with an empty one Discord says it, or who opens one.

        Raises:
            HostError: ``not_manager``.
        """
        return await self._decide(asker, language=language)

    async def usual_settings(self, guild_id: int, *, language: str = "") -> TableSettings:
        """Return the default settings of a table in a server, given at most its language."""
        decided = await self.get(guild_id)
        pace = decided.pace or self._usual_pace
        return TableSettings(hints=decided.hints, pace=pace, language=language or decided.language)

    async def _decide(self, asker: Asker, **decided: Any) -> GuildSettings:  # noqa: ANN401 - a field of the settings
        async with self._store.writing(f"server {asker.guild_id}") as tx:
            settings = await guilds.get(tx, asker.guild_id)
            require_manager(asker, settings, asker.guild_id)
            settings = replace(settings, **decided)
            await guilds.put(tx, asker.guild_id, settings)
            return settings

    async def set_role(self, asker: Asker, role: int | None) -> GuildSettings:
        """Say which role manages games too; whoever manages by the role alone cannot.

        Raises:
            HostError: ``not_manager``.
        """
        async with self._store.writing(f"server {asker.guild_id}") as tx:
            settings = await guilds.get(tx, asker.guild_id)
            require_manager(asker, replace(settings, manager_role=None), asker.guild_id)
            settings = replace(settings, manager_role=role)
            await guilds.put(tx, asker.guild_id, settings)
            return settings


def require_open_place(settings: GuildSettings, place: Venue) -> None:
    """Make sure that games may be played in a place.

    Raises:
        HostError: ``channel_closed``.
    """
    if settings.channels and not {place.id, *place.within} & set(settings.channels):
        raise HostError(ErrorCode.CHANNEL_CLOSED, channels=settings.channels)


def require_opener(settings: GuildSettings, asker: Asker) -> None:
    """Make sure that somebody may open games in a server; who manages it may.

    Raises:
        HostError: ``not_opener``.
    """
    role = settings.opener_role
    if role is not None and role not in asker.roles and not is_manager(asker, settings):
        raise HostError(ErrorCode.NOT_OPENER, role=role)


def require_event_creator(settings: GuildSettings, asker: Asker) -> None:
    """Make sure that somebody may create events in a server.

    Raises:
        HostError: ``not_manager``, where there is a role for it ``not_event_creator``.
    """
    role = settings.organiser_role
    if is_manager(asker, settings) or (role is not None and role in asker.roles):
        return
    if role is None:
        raise HostError(ErrorCode.NOT_MANAGER)
    raise HostError(ErrorCode.NOT_EVENT_CREATOR, role=role)


def require_members(game: Game, venue: Venue) -> None:
    """Make sure that all who play a game are members of the server to which it is to move.

    Raises:
        HostError: ``not_members``.
    """
    missing = [
        unique_name_of(game.seats, person.user_id) for person in game.players if person.user_id not in venue.members
    ]
    if missing:
        raise HostError(ErrorCode.NOT_MEMBERS, players=", ".join(missing))


def require_venue(settings: GuildSettings, game: Game, venue: Venue) -> None:
    """Make sure that a game may go on in a place, and that all who play it can see it.

    Raises:
        HostError: ``channel_closed``, ``not_seen``.
    """
    require_open_place(settings, venue)
    for person in game.players:
        if person.user_id in venue.unseen_by:
            raise HostError(ErrorCode.NOT_SEEN, player=unique_name_of(game.seats, person.user_id))


@dataclass(eq=False)
class CommandCopies:
    """Servers for which the commands were registered apart."""

    _store: Store

    async def all(self) -> frozenset[int]:
        """The ids of these servers."""
        async with self._store.reading() as tx:
            return await guilds.with_command_copies(tx)

    async def remember(self, guild_id: int) -> None:
        """A server has a copy, or is about to."""
        if guild_id not in await self.all():
            async with self._store.writing() as tx:
                await guilds.add_command_copy(tx, guild_id)

    async def forget(self, guild_id: int) -> None:
        """A server has none any more."""
        async with self._store.writing() as tx:
            await guilds.remove_command_copy(tx, guild_id)
