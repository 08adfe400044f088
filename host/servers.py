"""Settings of servers, set by their managers: channels open to games, required roles, defaults of tables."""

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
    """A channel or thread as Discord describes it: what it lies in, and which of the relevant members cannot see it."""

    id: int
    within: tuple[int, ...] = ()
    """The ids of the channel and the category around it."""
    unseen_by: frozenset[int] = frozenset()
    guild_id: int | None = None
    """The server, if it is not the game's."""
    members: frozenset[int] = frozenset()
    """The relevant users who are members of that server, as Discord has just said."""

    @property
    def channel_id(self) -> int:
        """The channel itself, or the thread's parent channel."""
        return self.within[0] if self.within else self.id


@dataclass(frozen=True, slots=True)
class Counts:
    """The numbers of open lobbies and running games of a server."""

    lobbies: int
    games: int


class Servers:
    """Reads and changes the settings of servers."""

    def __init__(self, store: Store, settings: HostSettings) -> None:
        self._store = store
        self._most = settings.games_of_member
        self._usual_pace = settings.usual_pace

    async def get(self, guild_id: int) -> GuildSettings:
        """Return the settings of a server, or the defaults."""
        async with self._store.reading() as tx:
            return await guilds.get(tx, guild_id)

    async def managed_by(self, asker: Asker) -> GuildSettings:
        """Return the settings of a server for one of its managers.

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
        """Set the channels in which games may be opened; none means all.

        Raises:
            HostError: ``not_manager``.
        """
        return await self._decide(asker, channels=channels)

    async def set_openers(self, asker: Asker, role: int | None) -> GuildSettings:
        """Set the role required to open games; none means everyone.

        Raises:
            HostError: ``not_manager``.
        """
        return await self._decide(asker, opener_role=None if role == asker.guild_id else role)

    async def set_organisers(self, asker: Asker, role: int | None) -> GuildSettings:
        """Set a role whose members may create events, too; without it only managers can.

        Raises:
            HostError: ``not_manager``.
        """
        return await self._decide(asker, organiser_role=None if role == asker.guild_id else role)

    async def set_games_of_member(self, asker: Asker, most: int | None) -> GuildSettings:
        """Set how many games a member may play here at a time; None means the global limit.

        Raises:
            HostError: ``not_manager``.
            ValueError: the number is below one, or above the global limit.
        """
        if most is not None and not 1 <= most <= self._most:
            raise ValueError(f"not between 1 and {self._most}: {most}")
        return await self._decide(asker, games_of_member=most)

    async def set_hints(self, asker: Asker, *, hints: bool) -> GuildSettings:
        """Set whether tables begin with hints turned on.

        Raises:
            HostError: ``not_manager``.
        """
        return await self._decide(asker, hints=hints)

    async def set_pace(self, asker: Asker, pace: str) -> GuildSettings:
        """Set the pace of new tables; an empty one means the default.

        Raises:
            HostError: ``not_manager``.
            ValueError: the pace is unknown.
        """
        if pace not in ("", NO_PACE, *PACES):
            raise ValueError(f"no pace: {pace!r}")
        return await self._decide(asker, pace=pace)

    async def set_language(self, asker: Asker, language: str) -> GuildSettings:
        """Set the language of tables; an empty one means Discord's, or that of the member who opens one.

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
        """Set a role whose members manage games, too; only managers by permission may.

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
    """Check that games may be played in a place.

    Raises:
        HostError: ``channel_closed``.
    """
    if settings.channels and not {place.id, *place.within} & set(settings.channels):
        raise HostError(ErrorCode.CHANNEL_CLOSED, channels=settings.channels)


def require_opener(settings: GuildSettings, asker: Asker) -> None:
    """Check that a member may open games in a server; managers always may.

    Raises:
        HostError: ``not_opener``.
    """
    role = settings.opener_role
    if role is not None and role not in asker.roles and not is_manager(asker, settings):
        raise HostError(ErrorCode.NOT_OPENER, role=role)


def require_event_creator(settings: GuildSettings, asker: Asker) -> None:
    """Check that a member may create events in a server.

    Raises:
        HostError: ``not_manager``, or ``not_event_creator`` if a role is set.
    """
    role = settings.organiser_role
    if is_manager(asker, settings) or (role is not None and role in asker.roles):
        return
    if role is None:
        raise HostError(ErrorCode.NOT_MANAGER)
    raise HostError(ErrorCode.NOT_EVENT_CREATOR, role=role)


def require_members(game: Game, venue: Venue) -> None:
    """Check that all players of a game are members of the server it is to move to.

    Raises:
        HostError: ``not_members``.
    """
    missing = [
        unique_name_of(game.seats, person.user_id) for person in game.players if person.user_id not in venue.members
    ]
    if missing:
        raise HostError(ErrorCode.NOT_MEMBERS, players=", ".join(missing))


def require_venue(settings: GuildSettings, game: Game, venue: Venue) -> None:
    """Check that a game may continue in a place, and that all its players can see it.

    Raises:
        HostError: ``channel_closed``, ``not_seen``.
    """
    require_open_place(settings, venue)
    for person in game.players:
        if person.user_id in venue.unseen_by:
            raise HostError(ErrorCode.NOT_SEEN, player=unique_name_of(game.seats, person.user_id))


@dataclass(eq=False)
class CommandCopies:
    """Servers that have their own registration of the commands."""

    _store: Store

    async def all(self) -> frozenset[int]:
        """Return the ids of these servers."""
        async with self._store.reading() as tx:
            return await guilds.with_command_copies(tx)

    async def remember(self, guild_id: int) -> None:
        """Record that a server has its own registration, or is about to."""
        if guild_id not in await self.all():
            async with self._store.writing() as tx:
                await guilds.add_command_copy(tx, guild_id)

    async def forget(self, guild_id: int) -> None:
        """Record that a server has none any more."""
        async with self._store.writing() as tx:
            await guilds.remove_command_copy(tx, guild_id)
