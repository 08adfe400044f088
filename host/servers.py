"""Settings of Discord servers, and checks of the places in which games may be played.

The managers of a server choose in which channels games may be opened, which role that needs, and the defaults of new
tables, such as their pace. A *table* is a game with its players and settings; its *place* is the channel or thread in
which its cards are posted.
"""

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
    """A channel or thread to which a game may move, as Discord describes it at this moment."""

    id: int
    within: tuple[int, ...] = ()
    """The ids of the channel and the category that contain it, the innermost first."""
    unseen_by: frozenset[int] = frozenset()
    """The players of the game who cannot see it."""
    guild_id: int | None = None
    """The id of its server; None if that is the game's own server."""
    members: frozenset[int] = frozenset()
    """The players of the game who are members of its server."""

    @property
    def channel_id(self) -> int:
        """The id of the channel itself, or of a thread's parent channel."""
        return self.within[0] if self.within else self.id


@dataclass(frozen=True, slots=True)
class Counts:
    """The numbers of open lobbies and running games of a server."""

    lobbies: int
    games: int


class Servers:
    """Reads the settings of servers, and changes them for their managers."""

    def __init__(self, store: Store, settings: HostSettings) -> None:
        self._store = store
        self._max_games_of_member = settings.games_of_member
        self._usual_pace = settings.usual_pace

    async def get(self, guild_id: int) -> GuildSettings:
        """Return the settings of a server, with defaults for everything that was not set."""
        return await self._store.read(guilds.get, guild_id)

    async def require_manager(self, asker: Asker) -> None:
        """Check that a user manages their server.

        Raises:
            HostError: ``not_manager``.
        """
        require_manager(asker, await self.get(asker.guild_id), asker.guild_id)

    async def counts(self, guild_id: int) -> Counts:
        """Return the numbers of open lobbies and of running games in a server."""
        async with self._store.reading() as tx:
            return Counts(await lobbies.count_open(tx, guild_id), await games.count_unfinished(tx, guild_id))

    async def change(self, asker: Asker, **changes: Any) -> GuildSettings:  # noqa: ANN401 - fields of the settings
        """Change fields of a server's settings for one of its managers; return the new settings.

        The role that everyone has, whose id is that of the server, stands for no role to open games or create events.
        Only managers by Discord's permission may change the role of managers, so that the role cannot pass itself on.

        Raises:
            HostError: ``not_manager``.
            ValueError: the limit of games is below one or above the global limit, or the pace is unknown.
        """
        limit, pace = changes.get("games_of_member"), changes.get("pace", "")
        if limit is not None and not 1 <= limit <= self._max_games_of_member:
            raise ValueError(f"not between 1 and {self._max_games_of_member}: {limit}")
        if pace not in ("", NO_PACE, *PACES):
            raise ValueError(f"unknown pace: {pace!r}")
        changes |= {role: None for role in ("opener_role", "organiser_role") if changes.get(role) == asker.guild_id}
        async with self._store.writing(f"server {asker.guild_id}") as tx:
            settings = await guilds.get(tx, asker.guild_id)
            judged = replace(settings, manager_role=None) if "manager_role" in changes else settings
            require_manager(asker, judged, asker.guild_id)
            settings = replace(settings, **changes)
            await guilds.save_settings(tx, asker.guild_id, settings)
            return settings

    async def usual_settings(self, guild_id: int, *, language: str = "") -> TableSettings:
        """Return the settings of a new table in a server; ``language`` overrides that of the server's settings."""
        settings = await self.get(guild_id)
        pace = settings.pace or self._usual_pace
        return TableSettings(hints=settings.hints, pace=pace, language=language or settings.language)


def require_open_place(settings: GuildSettings, place: Venue) -> None:
    """Check that the server's settings allow games in a place, or in the channel or category that contains it.

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
    """Check that a game may move to a place: it is allowed there, and all players can see it.

    Raises:
        HostError: ``channel_closed``, ``not_seen``.
    """
    require_open_place(settings, venue)
    for person in game.players:
        if person.user_id in venue.unseen_by:
            raise HostError(ErrorCode.NOT_SEEN, player=unique_name_of(game.seats, person.user_id))


@dataclass(eq=False)
class CommandCopies:
    """Records the servers in which the bot has registered its commands apart from the global registration."""

    _store: Store

    async def all(self) -> frozenset[int]:
        """Return the ids of these servers."""
        return await self._store.read(guilds.with_command_copies)

    async def remember(self, guild_id: int) -> None:
        """Record that a server has its own registration, or is about to."""
        if guild_id not in await self.all():
            await self._store.write(guilds.add_command_copy, guild_id)

    async def forget(self, guild_id: int) -> None:
        """Record that a server has none any more."""
        await self._store.write(guilds.remove_command_copy, guild_id)
