"""What the managers of a server decide: where games may be played, and who else manages them."""

from __future__ import annotations

from dataclasses import dataclass, replace

from host.errors import ErrorCode, HostError
from host.rights import Asker, require_manager
from store import Game, GuildSettings, Store, going, guilds, lobbies


@dataclass(frozen=True, slots=True)
class Venue:
    """A channel or thread, as Discord describes it: what it lies in, and which members who matter cannot see it."""

    id: int
    within: tuple[int, ...] = ()
    """The channel of a thread, and the category."""
    unseen_by: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Counts:
    """How much goes on in a server."""

    lobbies: int
    games: int


class Servers:
    """The settings of the servers."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def get(self, guild_id: int) -> GuildSettings:
        """What was decided in a server, or the defaults."""
        async with self._store.reading() as tx:
            return await guilds.get(tx, guild_id)

    async def counts(self, guild_id: int) -> Counts:
        """How many lobbies are open in a server, and how many games go on."""
        async with self._store.reading() as tx:
            return Counts(await lobbies.count_open(tx, guild_id), await going.count(tx, guild_id))

    async def set_channels(self, asker: Asker, channels: tuple[int, ...]) -> GuildSettings:
        """Say in which channels games may be opened; without any, in all of them.

        Raises:
            HostError: ``not_manager``.
        """
        async with self._store.writing() as tx:
            settings = await guilds.get(tx, asker.guild_id)
            require_manager(asker, settings, asker.guild_id)
            settings = replace(settings, channels=channels)
            await guilds.put(tx, asker.guild_id, settings)
            return settings

    async def set_role(self, asker: Asker, role: int | None) -> GuildSettings:
        """Say which role manages games too; whoever manages by the role alone cannot.

        Raises:
            HostError: ``not_manager``.
        """
        async with self._store.writing() as tx:
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


def require_venue(settings: GuildSettings, game: Game, venue: Venue) -> None:
    """Make sure that a game may go on in a place, and that all who play it can see it.

    Raises:
        HostError: ``channel_closed``, ``not_seen``.
    """
    require_open_place(settings, venue)
    for person in game.players:
        if person.user_id in venue.unseen_by:
            raise HostError(ErrorCode.NOT_SEEN, player=person.name)
