"""How much may go on in a server at a time, so that nobody fills it alone."""

from __future__ import annotations

from host.errors import ErrorCode, HostError
from host.naming import called_among
from host.settings import HostSettings
from store import BanKind, Game, NewLobby, Person, Transaction, games, guilds, limits, lobbies


class Limits:
    """The limits that the settings name."""

    def __init__(self, settings: HostSettings) -> None:
        self._settings = settings

    async def check_opening(self, tx: Transaction, new: NewLobby) -> None:
        """Make sure that one more lobby may be opened.

        Raises:
            HostError: ``kept_out``, ``server_kept_out``, ``too_many_lobbies``, ``too_many_lobbies_here``,
                ``too_many_games``, ``too_many_games_here``.
        """
        settings = self._settings
        if await lobbies.count_open(tx, new.guild_id, new.owner.user_id) >= settings.lobbies_of_member:
            raise HostError(ErrorCode.TOO_MANY_LOBBIES, most=settings.lobbies_of_member)
        allowed = (await limits.allowance_of(tx, new.guild_id)).lobbies
        most = settings.lobbies_of_guild if allowed is None else allowed
        if await lobbies.count_open(tx, new.guild_id) >= most:
            raise HostError(ErrorCode.TOO_MANY_LOBBIES_HERE, most=most)
        await self.check_player(tx, new.guild_id, new.owner)
        await self.check_guild(tx, new.guild_id)

    async def check_player(self, tx: Transaction, guild_id: int, person: Person, called: str = "") -> None:
        """Make sure that somebody, perhaps called otherwise among others, may play one more game in a server.

        Raises:
            HostError: ``kept_out``, ``server_kept_out``, ``too_many_games``.
        """
        kept_out = await limits.banned(tx, person.user_id, guild_id)
        if kept_out is not None:
            raise HostError(ErrorCode.KEPT_OUT if kept_out is BanKind.USER else ErrorCode.SERVER_KEPT_OUT)
        most = self._settings.games_of_member
        decided = (await guilds.get(tx, guild_id)).games_of_member
        most = most if decided is None else min(most, decided)
        if await games.count_unfinished(tx, guild_id, person.user_id) >= most:
            raise HostError(ErrorCode.TOO_MANY_GAMES, player=called or person.name, most=most)

    async def check_guild(self, tx: Transaction, guild_id: int) -> None:
        """Make sure that one more game may go on in a server.

        Raises:
            HostError: ``too_many_games_here``.
        """
        allowed = (await limits.allowance_of(tx, guild_id)).games
        most = self._settings.games_of_guild if allowed is None else allowed
        if await games.count_unfinished(tx, guild_id) >= most:
            raise HostError(ErrorCode.TOO_MANY_GAMES_HERE, most=most)

    async def check_moving(self, tx: Transaction, guild_id: int, game: Game) -> None:
        """Make sure that a game may go on in another server.

        Raises:
            HostError: ``too_many_games``, ``too_many_games_here``.
        """
        await self.check_guild(tx, guild_id)
        for person in game.players:
            await self.check_player(tx, guild_id, person, called_among(game.seats, person.user_id))
