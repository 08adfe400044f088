"""Lobbies: players gather in a lobby, agree on the rules, and start a game.

The member who opens a lobby is its *owner*; if they leave, the next member is. A lobby that has become a game, was
closed or has expired cannot be changed any more.

A start takes two steps, because the game's thread is opened in Discord before the game is stored. First the lobby is
*claimed*, so that no other start runs meanwhile (:meth:`Lobbies.starting`); then it becomes a game
(:meth:`Lobbies.start`). All random choices are derived from a *seed*, which is revealed after the game. A *label* is
the code and the name of a game.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Collection, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import datetime, timedelta
from hashlib import sha256
from random import SystemRandom
from typing import Any, Final, assert_never

from engine import GAMES, EngineError
from host.clock import Clock
from host.clocks import NO_PACE
from host.computers.levels import LEVELS
from host.errors import ErrorCode, HostError
from host.games import end_dates
from host.games.outbox import Outbox
from host.games.seating import awaited_people
from host.naming import Label, free_computer_name, new_label
from host.new_games import add_game, free_label, new_game
from host.punctuality import require_punctual
from host.retry import Precomputed, retried, run_with_precomputed
from host.rights import Asker, GameLimits, not_owner, require_lobby_owner
from host.servers import Venue, require_open_place, require_opener
from host.settings import LOBBY_LIFE, LOBBY_NOTICES, LOBBY_NOTICES_WAIT, HostSettings
from host.timing.reminders import quiet_ends
from host.values import ClosingNotice, setup_of
from store import appointments, games, guilds, lobbies, moves, preferences
from store.connection.database import Store, Transaction
from store.errors import UnreadableError
from store.records import (
    AnsweredInteraction,
    Computer,
    Game,
    GameStatus,
    Lobby,
    LobbyState,
    NewGame,
    NewLobby,
    Person,
    Player,
    TableRules,
    TableSettings,
)

_NO_MATERIAL: Final[Mapping[str, Any]] = {}
"""An empty mapping: a game with no setup fields but those that its lobby determines."""


def seat_order(players: Iterable[Player], seed: str) -> tuple[Player, ...]:
    """Return the order of play, drawn by the seed, so that anyone can verify it when the seed is revealed.

    Players are sorted by the SHA-256 of ``seed:user id``, or ``seed:name`` for a computer.
    """
    return tuple(sorted(players, key=lambda player: sha256(f"{seed}:{_identity(player)}".encode()).digest()))


def seats_of(lobby: Lobby, seed: str) -> tuple[Player, ...]:
    """Return the players in order of play: drawn by the seed or, in a rematch of the same ones, rotated by one."""
    players = {_identity(player): player for player in lobby.players}
    if lobby.former and {_identity(player) for player in lobby.former} == players.keys():
        return tuple(players[_identity(player)] for player in rotated_seats(lobby.former))
    return seat_order(lobby.players, seed)


def _identity(player: Player) -> int | str:
    """Return what tells a player from the others at a table: a person's user id, or a computer's name."""
    return player.name if isinstance(player, Computer) else player.user_id


def rotated_seats(seats: tuple[Player, ...]) -> tuple[Player, ...]:
    """Return the seats of a rematch: the former second player begins."""
    return (*seats[1:], *seats[:1])


def new_game_of(lobby: Lobby, seed: str, label: Label, material: Mapping[str, Any] = _NO_MATERIAL) -> NewGame:
    """Return the game that the members of a lobby start; all random choices are derived from the seed.

    ``material`` holds further setup fields.

    Raises:
        NotationError: the engine does not know the options or expansions of the lobby (any more).
    """
    game = GAMES[lobby.game]
    setup = game.new_setup(
        players=len(lobby.players),
        seed=seed,
        options=game.options.of(lobby.options),
        expansions=lobby.expansions,
        **material,
    )
    return new_game(setup, label, seats_of(lobby, seed), lobby.guild_id, lobby.channel_id, lobby.settings)


async def finished_game(tx: Transaction, ref: str, person: Person) -> Game:
    """Return a finished game, given its code and one of its players.

    Raises:
        HostError: ``unknown_game``, ``not_a_player``, ``not_over``.
    """
    game = await games.by_code(tx, ref)
    if game is None:
        raise HostError(ErrorCode.UNKNOWN_GAME, ref=ref)
    if game.seat_of(person.user_id) is None:
        raise HostError(ErrorCode.NOT_A_PLAYER, code=game.code)
    if game.status is not GameStatus.FINISHED:
        raise HostError(ErrorCode.NOT_OVER, code=game.code)
    return game


def rematch_lobby(game: Game, person: Person, stand_ins: Collection[int]) -> NewLobby:
    """Return the lobby for a rematch of a game, with the same rules and settings; ``person`` owns it.

    The computers play again, except those that only stood in for people, in these seats.
    """
    setup = setup_of(game)
    return NewLobby(
        guild_id=game.guild_id,
        channel_id=game.channel_id,
        owner=person,
        game=setup.game,
        capacity=setup.players,
        expansions=setup.expansions,
        options=setup.options.differences(),
        settings=replace(game.settings, lesson=False),
        rematch_of=game.id,
        computers=tuple(
            player for seat, player in enumerate(game.seats) if isinstance(player, Computer) and seat not in stand_ins
        ),
    )


def check_rules(name: str, capacity: int, expansions: tuple[str, ...], options: Mapping[str, Any]) -> None:
    """Check that there is a game of this name, and that it can be played with these rules by this number of players.

    Raises:
        HostError: ``bad_players``, ``bad_options``.
    """
    game = GAMES.get(name)
    if game is None:
        raise HostError(ErrorCode.BAD_OPTIONS, reason=f"unknown game {name!r}")
    if capacity not in game.players:
        raise HostError(ErrorCode.BAD_PLAYERS, capacity=capacity, least=game.players[0], most=game.players[-1])
    try:
        game.new_setup(players=capacity, seed="", options=game.options.of(options), expansions=expansions)
    except EngineError as error:
        raise HostError(ErrorCode.BAD_OPTIONS, reason=str(error)) from error


def check_start(lobby: Lobby, user_id: int) -> None:
    """Check that a user may start the game of a lobby now.

    Raises:
        HostError: ``not_in_lobby``, ``too_few_players``, ``not_owner``.
    """
    if lobby.member(user_id) is None:
        raise HostError(ErrorCode.NOT_IN_LOBBY)
    least = GAMES[lobby.game].players[0]
    if len(lobby.players) < least:
        raise HostError(ErrorCode.TOO_FEW_PLAYERS, players=len(lobby.players), least=least)
    if lobby.owner_id != user_id and not lobby.full:
        raise not_owner(lobby)


async def require_lobby(tx: Transaction, lobby_id: int) -> Lobby:
    """Return the lobby with this id, whether open or not.

    Raises:
        HostError: ``unknown_lobby``.
    """
    try:
        lobby = await lobbies.get(tx, lobby_id)
    except UnreadableError as error:
        raise HostError(ErrorCode.UNKNOWN_LOBBY, lobby_id=lobby_id) from error
    if lobby is None:
        raise HostError(ErrorCode.UNKNOWN_LOBBY, lobby_id=lobby_id)
    return lobby


async def open_lobby(tx: Transaction, lobby_id: int) -> Lobby:
    """Return the lobby with this id, if it is still open.

    Raises:
        HostError: ``unknown_lobby``, ``lobby_started``, ``lobby_closed``.
    """
    lobby = await require_lobby(tx, lobby_id)
    match lobby.state:
        case LobbyState.STARTED:
            raise HostError(ErrorCode.LOBBY_STARTED, game_id=lobby.game_id)
        case LobbyState.CLOSED | LobbyState.EXPIRED:
            raise HostError(ErrorCode.LOBBY_CLOSED if lobby.event_id is None else ErrorCode.LOBBY_STARTED)
        case LobbyState.OPEN:
            return lobby
        case never:
            assert_never(never)


def check_match(lobby: Lobby | NewLobby, settings: TableSettings) -> None:
    """Check that a challenge to a match can be played so: by two players, with clocks.

    Raises:
        HostError: ``bad_match``.
    """
    if lobby.is_match and (lobby.capacity != DUEL_SEATS or settings.pace == NO_PACE):
        raise HostError(ErrorCode.BAD_MATCH)


def require_open_table(lobby: Lobby) -> None:
    """Check that anybody may sit down in a lobby: that it is no challenge.

    Raises:
        HostError: ``not_challenged``.
    """
    if lobby.is_challenge:
        raise HostError(ErrorCode.NOT_CHALLENGED)


async def schedule_declines(
    tx: Transaction, lobby_id: int, owner_id: int, challenged: Collection[int], now: datetime
) -> None:
    """Store when those who avoid the owner of a challenge will have declined it: at a random time, as people do."""
    for user_id in await preferences.avoiding(tx, owner_id, challenged):
        await lobbies.schedule_decline(
            tx, lobby_id, user_id, now + SystemRandom().uniform(*DECLINE_DELAYS) * timedelta(hours=1)
        )


async def remove_member(tx: Transaction, lobby: Lobby, user_id: int) -> None:
    """Remove a member from a lobby; if it was the owner, the next member becomes it. An empty lobby is closed.

    Raises:
        HostError: ``not_in_lobby``.
    """
    if lobby.member(user_id) is None:
        raise HostError(ErrorCode.NOT_IN_LOBBY)
    await lobbies.remove_member(tx, lobby.id, user_id)
    remaining = [person for person in lobby.members if person.user_id != user_id]
    if not remaining:
        await lobbies.set_closed(tx, lobby.id)
    elif lobby.owner_id == user_id:
        await lobbies.set_owner(tx, lobby.id, remaining[0].user_id)


log = logging.getLogger(__name__)

DECLINE_DELAYS: Final = (0.3, 8.0)
"""The least and the longest time, in hours, after which a challenge is declined in the name of somebody who avoids its
owner."""
DUEL_SEATS: Final = 2
"""The number of players of a match."""
START_CLAIM_DURATION: Final = timedelta(seconds=30)
"""The time for which a claim keeps other members from starting the lobby; a start takes a few seconds."""


class StartingLobbies:
    """Turns lobbies into games; the base of :class:`Lobbies`, with the transaction in which a lobby is changed."""

    def __init__(
        self, store: Store, clock: Clock, settings: HostSettings, game_outbox: Outbox, limits: GameLimits
    ) -> None:
        self._store = store
        self._clock = clock
        self._settings = settings
        self._outbox = game_outbox
        self._limits = limits
        self.patience = settings.patience

    @property
    def offers_computers(self) -> bool:
        """True if the bot's owner offers computers."""
        return self._settings.workers.workers > 0

    def _require_computers(self) -> None:
        """Check that the bot's owner offers computers.

        Raises:
            HostError: ``no_computers``.
        """
        if not self.offers_computers:
            raise HostError(ErrorCode.NO_COMPUTERS)

    async def free_label(self) -> Label:
        """Return a label that no game has now, to name the game's thread before the game exists."""
        return await self._store.read(free_label)

    @retried
    async def start(
        self,
        lobby_id: int,
        user_id: int,
        interaction_id: int,
        *,
        thread_id: int | None = None,
        label: Label | None = None,
    ) -> Game:
        """Turn a lobby into a game: its owner may as soon as enough members have joined, any member once it is full.

        ``thread_id`` is the thread of the game's cards, by default the lobby's channel. ``label`` is the preferred code
        and name; if another game has taken the code meanwhile, the game gets a new one.

        Raises:
            HostError: ``unknown_lobby``, ``lobby_started``, ``lobby_closed``, ``not_in_lobby``, ``not_owner``,
                ``too_few_players``, ``no_computers``, ``too_many_games_here``, ``bad_options``.
        """

        async def begin(precomputed: Precomputed) -> Game:
            async with self.changing(lobby_id, interaction_id, "lobby started", user_id) as (tx, lobby):
                if lobby is not None:
                    check_start(lobby, user_id)
                    if lobby.computers:
                        self._require_computers()
                    await self._limits.check_guild(tx, lobby.guild_id)
                    new = precomputed.of(lobby, lambda: self._shuffled_game(lobby))
                    await self._create_game(tx, lobby, replace(new, thread_id=thread_id), label)
                started = await require_lobby(tx, lobby_id)
                if started.game_id is None:
                    raise LookupError(f"interaction {interaction_id} started no game")
                game = await games.get(tx, started.game_id)
            if lobby is not None:
                about = {"game": game.code, "ply": game.ply, "server": game.guild_id, "interaction": interaction_id}
                fields = {**about, "lobby": lobby_id, "place": game.place, "players": len(game.seats)}
                log.info("game opened", extra=fields)
            return game

        return await run_with_precomputed(begin)

    @asynccontextmanager
    async def starting(self, lobby_id: int, interaction_id: int) -> AsyncIterator[bool]:
        """Claim an open lobby for the block; yield False if another start has claimed it."""
        now = self._clock.now()
        async with self._store.writing(lobby=lobby_id) as tx:
            claimed = await lobbies.claim(tx, lobby_id, interaction_id, now, now + START_CLAIM_DURATION)
        try:
            yield claimed
        finally:
            await self._store.write(lobbies.unclaim, lobby_id, interaction_id)

    @asynccontextmanager
    async def changing(
        self, lobby_id: int, interaction_id: int, event: str, user_id: int
    ) -> AsyncIterator[tuple[Transaction, Lobby | None]]:
        """Open a transaction that changes an open lobby, and remember the interaction in it.

        Yield None instead of the lobby if the interaction was carried out before. ``event`` is the text to log.
        """
        async with self._outbox.writing(lobby=lobby_id) as tx:
            if await moves.interaction_by_id(tx, interaction_id) is not None:
                yield tx, None
                return
            lobby = await open_lobby(tx, lobby_id)
            await lobbies.touch(tx, lobby_id, self._clock.now())
            yield tx, lobby
            await self._remember(tx, interaction_id, lobby_id)
        about = {"server": lobby.guild_id, "interaction": interaction_id, "user": user_id}
        log.info(event, extra={**about, "lobby": lobby_id})

    async def _remember(self, tx: Transaction, interaction_id: int, lobby_id: int) -> None:
        """Record that an interaction was carried out, so that it does nothing when it is repeated."""
        await moves.add_interaction(tx, AnsweredInteraction(id=interaction_id, lobby_id=lobby_id), self._clock.now())

    def _shuffled_game(self, lobby: Lobby) -> NewGame:
        """Return the game that a lobby would become now, shuffled by a new seed, with a provisional label."""
        material = self._settings.material.get(lobby.game, {})
        try:
            return new_game_of(lobby, self._settings.new_seed(), new_label(), material)
        except EngineError as error:
            raise HostError(ErrorCode.BAD_OPTIONS, reason=str(error)) from error

    async def _create_game(self, tx: Transaction, lobby: Lobby, shuffled: NewGame, preferred: Label | None) -> None:
        """Store the game of a lobby, with its clocks, timers and first card."""
        label, now = await free_label(tx, preferred), self._clock.now()
        game = await add_game(tx, replace(shuffled, code=label.code, name=label.name), now)
        await lobbies.set_started(tx, lobby.id, game.id)
        await appointments.move_to_game(tx, lobby.id, game.id)
        if game.settings.ends_after:
            await end_dates.store_end_date(tx, game, now + timedelta(days=game.settings.ends_after), now)


LOBBY_BATCH_SIZE: Final = 25
"""The most lobbies that are listed, or closed because of their age, at a time."""


class Lobbies(StartingLobbies):
    """Opens and changes the lobbies of all servers.

    Each change is stored in one transaction with its interaction. A repeated interaction changes nothing, and returns
    the lobby or game as it is now.
    """

    async def get(self, lobby_id: int) -> Lobby:
        """Return the lobby with this id, whether open or not.

        Raises:
            HostError: ``unknown_lobby``.
        """
        return await self._store.read(require_lobby, lobby_id)

    async def get_in(self, guild_id: int | None, lobby_id: int, channel_id: int | None = None) -> Lobby:
        """Return a lobby of this server, and of this channel if one is given.

        Raises:
            HostError: ``unknown_lobby``, also for a lobby of another place.
        """
        lobby = await self.get(lobby_id)
        if lobby.guild_id != guild_id or channel_id not in (None, lobby.channel_id):
            raise HostError(ErrorCode.UNKNOWN_LOBBY, lobby_id=lobby_id)
        return lobby

    @retried
    async def open(
        self, new: NewLobby, interaction_id: int, venue: Venue | None = None, asker: Asker | None = None
    ) -> Lobby:
        """Open a lobby with its owner as the first member.

        ``venue`` describes its channel, and ``asker`` the roles of the owner; without them the channel is taken to lie
        in no category, and the owner to have no roles.

        Raises:
            HostError: ``bad_players``, ``bad_options``, ``no_computers``, ``too_many_computers``, ``bad_challenge`` for
                an owner who challenges themselves, ``bad_match``,
                ``channel_closed``, ``not_opener``, ``too_many_lobbies``, ``too_many_lobbies_here``,
                ``too_many_games``, ``too_many_games_here``.
        """
        await asyncio.to_thread(check_rules, new.game, new.capacity, new.expansions, new.options)
        async with self._store.writing(f"server {new.guild_id}") as tx:
            answered = await moves.interaction_by_id(tx, interaction_id)
            if answered is not None and answered.lobby_id is not None:
                return await require_lobby(tx, answered.lobby_id)
            return await self._add(tx, new, interaction_id, venue, asker)

    async def _add(
        self, tx: Transaction, new: NewLobby, interaction_id: int, venue: Venue | None, asker: Asker | None
    ) -> Lobby:
        """Store a new lobby; check the server's settings and the limits before."""
        if new.computers:
            self._require_computers()
        if 1 + len(new.computers) > new.capacity:
            raise HostError(ErrorCode.TOO_MANY_COMPUTERS, capacity=new.capacity, computers=len(new.computers))
        challenged = {person.user_id for person in new.challenged}
        if len(challenged) < len(new.challenged) or new.owner.user_id in challenged:
            raise HostError(ErrorCode.BAD_CHALLENGE)
        check_match(new, new.settings)
        guild_settings = await guilds.get(tx, new.guild_id)
        require_open_place(guild_settings, venue or Venue(new.channel_id))
        require_opener(guild_settings, asker or Asker(new.owner.user_id, new.guild_id))
        await self._limits.check_opening(tx, new)
        lobby_id = await lobbies.add(tx, new, now := self._clock.now())
        await schedule_declines(tx, lobby_id, new.owner.user_id, challenged, now)
        await self._remember(tx, interaction_id, lobby_id)
        lobby = await require_lobby(tx, lobby_id)
        about = {"server": new.guild_id, "channel": new.channel_id, "user": new.owner.user_id}
        log.info("lobby opened", extra={**about, "lobby": lobby_id, "plays": new.game, "capacity": new.capacity})
        return lobby

    @retried
    async def rematch(
        self, ref: str, person: Person, interaction_id: int, venue: Venue | None = None, asker: Asker | None = None
    ) -> Lobby:
        """Open a lobby for the rematch of a finished game, owned by one of its players, in the game's channel.

        A game has only one such lobby: the next player who asks for a rematch gets the same, until it is closed.

        Raises:
            HostError: ``unknown_game``, ``not_a_player``, ``not_over``, ``bad_options``, and as :meth:`open` does.
        """
        game = await self._store.read(finished_game, ref, person)
        stand_ins = awaited_people(await self._store.read(moves.substitutions_in, game.id))
        new = await asyncio.to_thread(rematch_lobby, game, person, stand_ins)
        await asyncio.to_thread(check_rules, new.game, new.capacity, new.expansions, new.options)
        async with self._store.writing(f"server {new.guild_id}") as tx:
            lobby_id = await lobbies.rematch_of(tx, new.rematch_of or 0)
            existing = None if lobby_id is None else await require_lobby(tx, lobby_id)
            if existing is not None and existing.state in {LobbyState.OPEN, LobbyState.STARTED}:
                return existing
            if existing is not None:
                await lobbies.forget_rematch(tx, existing.id)
            return await self._add(tx, new, interaction_id, venue, asker)

    @retried
    async def join(self, lobby_id: int, person: Person, interaction_id: int) -> Lobby:
        """Add a user to a lobby.

        Raises:
            HostError: ``unknown_lobby``, ``lobby_started``, ``lobby_closed``, ``already_joined``, ``not_challenged``,
                ``removed_from_lobby``, ``lobby_full``, ``punctuality_hidden``, ``not_punctual``, ``too_many_games``.
        """
        async with self.changing(lobby_id, interaction_id, "lobby joined", person.user_id) as (tx, lobby):
            if lobby is not None:
                if lobby.member(person.user_id):
                    raise HostError(ErrorCode.ALREADY_JOINED)
                if any(person.user_id == barred.user_id for barred in lobby.barred):
                    raise HostError(ErrorCode.REMOVED_FROM_LOBBY)
                if not any(person.user_id == challenged.user_id for challenged in lobby.challenged):
                    require_open_table(lobby)
                if lobby.full:
                    raise HostError(ErrorCode.LOBBY_FULL, capacity=lobby.capacity)
                if not lobby.is_challenge:
                    await require_punctual(tx, person.user_id, lobby.settings.least_punctuality)
                await self._limits.check_player(tx, lobby.guild_id, person)
                await lobbies.add_member(tx, lobby_id, person)
            return await require_lobby(tx, lobby_id)

    @retried
    async def add_computer(self, lobby_id: int, user_id: int, level: str, interaction_id: int) -> Lobby:
        """Let a computer of this level sit down, at the request of the lobby's owner.

        Raises:
            HostError: ``unknown_lobby``, ``lobby_started``, ``lobby_closed``, ``not_owner``, ``not_challenged``,
                ``no_computers``, ``bad_level``, ``lobby_full``.
        """
        async with self.changing(lobby_id, interaction_id, "computer added to a lobby", user_id) as (tx, lobby):
            if lobby is not None:
                if lobby.owner_id != user_id:
                    raise not_owner(lobby)
                require_open_table(lobby)
                self._require_computers()
                if level not in LEVELS:
                    raise HostError(ErrorCode.BAD_LEVEL, level=level)
                if lobby.full:
                    raise HostError(ErrorCode.LOBBY_FULL, capacity=lobby.capacity)
                added = Computer(free_computer_name(lobby.computers), level)
                await lobbies.set_computers(tx, lobby_id, [*lobby.computers, added])
            return await require_lobby(tx, lobby_id)

    @retried
    async def remove_computer(self, lobby_id: int, user_id: int, name: str, interaction_id: int) -> Lobby:
        """Let a computer stand up again, at the request of the lobby's owner; nothing changes if it has done so.

        Raises:
            HostError: ``unknown_lobby``, ``lobby_started``, ``lobby_closed``, ``not_owner``.
        """
        async with self.changing(lobby_id, interaction_id, "computer removed from a lobby", user_id) as (tx, lobby):
            if lobby is not None:
                if lobby.owner_id != user_id:
                    raise not_owner(lobby)
                remaining = [computer for computer in lobby.computers if computer.name != name]
                await lobbies.set_computers(tx, lobby_id, remaining)
            return await require_lobby(tx, lobby_id)

    @retried
    async def set_rules(self, lobby_id: int, user_id: int, rules: TableRules, interaction_id: int) -> Lobby:
        """Change the rules and settings of a lobby at the request of its owner.

        Raises:
            HostError: ``unknown_lobby``, ``lobby_started``, ``lobby_closed``, ``not_owner``, ``bad_options``.
        """
        current = await self.get(lobby_id)
        await asyncio.to_thread(check_rules, current.game, current.capacity, rules.expansions, rules.options)
        async with self.changing(lobby_id, interaction_id, "rules of a lobby changed", user_id) as (tx, lobby):
            if lobby is not None:
                if lobby.owner_id != user_id:
                    raise not_owner(lobby)
                await lobbies.set_rules(tx, lobby_id, rules)
            return await require_lobby(tx, lobby_id)

    @retried
    async def leave(self, lobby_id: int, user_id: int, interaction_id: int) -> Lobby:
        """Remove a user from a lobby at their own request; see :func:`remove_member`.

        Raises:
            HostError: ``unknown_lobby``, ``lobby_started``, ``lobby_closed``, ``not_in_lobby``.
        """
        async with self.changing(lobby_id, interaction_id, "lobby left", user_id) as (tx, lobby):
            if lobby is not None:
                await remove_member(tx, lobby, user_id)
            return await require_lobby(tx, lobby_id)

    @retried
    async def remove(self, lobby_id: int, asker: Asker, user_id: int, interaction_id: int) -> Lobby:
        """Remove a member for good, at the request of the owner or a manager of the server.

        Raises:
            HostError: ``unknown_lobby``, ``lobby_started``, ``lobby_closed``, ``not_owner``, ``not_in_lobby``.
        """
        async with self._changing_as_owner(lobby_id, asker, interaction_id, "member of a lobby removed") as (tx, lobby):
            if lobby is not None:
                member = lobby.member(user_id)
                await remove_member(tx, lobby, user_id)
                if member is not None and user_id != asker.user_id:
                    await lobbies.bar(tx, lobby_id, member)
            return await require_lobby(tx, lobby_id)

    @retried
    async def readmit(self, lobby_id: int, asker: Asker, user_id: int, interaction_id: int) -> Lobby:
        """Allow a removed member to join again, at the request of the owner or a manager of the server.

        Raises:
            HostError: ``unknown_lobby``, ``lobby_started``, ``lobby_closed``, ``not_owner``.
        """
        async with self._changing_as_owner(lobby_id, asker, interaction_id, "let into a lobby again") as (tx, lobby):
            if lobby is not None:
                await lobbies.unbar(tx, lobby_id, user_id)
            return await require_lobby(tx, lobby_id)

    @retried
    async def close(self, lobby_id: int, asker: Asker, interaction_id: int) -> Lobby:
        """Close a lobby at the request of its owner or a manager of the server.

        Raises:
            HostError: ``unknown_lobby``, ``lobby_started``, ``lobby_closed``, ``not_owner``.
        """
        async with self._changing_as_owner(lobby_id, asker, interaction_id, "lobby closed") as (tx, lobby):
            if lobby is not None:
                await lobbies.set_closed(tx, lobby_id)
            return await require_lobby(tx, lobby_id)

    @retried
    async def keep(self, lobby_id: int, user_id: int, interaction_id: int) -> Lobby:
        """Restart the time after which an unchanged lobby expires, at the request of a member.

        Raises:
            HostError: ``unknown_lobby``, ``lobby_started``, ``lobby_closed``, ``not_in_lobby``.
        """
        async with self.changing(lobby_id, interaction_id, "lobby kept", user_id) as (tx, lobby):
            if lobby is not None and lobby.member(user_id) is None:
                raise HostError(ErrorCode.NOT_IN_LOBBY)
            # Nothing else to do: every change restarts the time.
            return await require_lobby(tx, lobby_id)

    async def closing_soon(self) -> list[ClosingNotice]:
        """Return the due notices that lobbies will be closed, a limited number at a time.

        A notice is returned until :meth:`record_notice` is called. It waits for members in their quiet hours, but not
        for longer than ``LOBBY_NOTICES_WAIT``. If it is late, for example because the bot was down, the lobby stays
        open longer by the same time.
        """
        notices, now = [], self._clock.now()
        async with self._store.reading() as tx:
            for sent_count, lead in enumerate(LOBBY_NOTICES):
                latest = now - (LOBBY_LIFE - lead)
                for lobby_id in await lobbies.unchanged_since(tx, latest, LOBBY_BATCH_SIZE, notices=sent_count):
                    lobby = await require_lobby(tx, lobby_id)
                    quiet = await quiet_ends(tx, [person.user_id for person in lobby.members], now)
                    if quiet and lobby.changed_at > latest - LOBBY_NOTICES_WAIT:
                        continue
                    lobby_after = replace(lobby, changed_at=max(lobby.changed_at, latest))
                    notices.append(ClosingNotice(lobby_after, sent_count + 1, lobby.changed_at, frozenset(quiet)))
        return notices

    async def record_notice(self, notice: ClosingNotice) -> None:
        """Record that a notice was sent, or cannot be; this is ignored if the lobby has changed since."""
        lobby, since = notice.lobby, notice.unchanged_since
        async with self._store.writing(lobby=lobby.id) as tx:
            await lobbies.count_notice(tx, lobby.id, notice.number, since, lobby.changed_at)

    async def expire(self) -> list[Lobby]:
        """Close lobbies that have not changed for too long, a limited number at a time; return them."""
        async with self._store.writing() as tx:
            latest = self._clock.now() - LOBBY_LIFE
            ids = await lobbies.unchanged_since(tx, latest, LOBBY_BATCH_SIZE, notices=len(LOBBY_NOTICES))
            for lobby_id in ids:
                await lobbies.set_closed(tx, lobby_id, LobbyState.EXPIRED)
            return [await require_lobby(tx, lobby_id) for lobby_id in ids]

    async def open_in(self, guild_id: int) -> list[Lobby]:
        """Return the newest open lobbies of a server."""
        async with self._store.reading() as tx:
            return [
                await require_lobby(tx, lobby_id) for lobby_id in await lobbies.open_in(tx, guild_id, LOBBY_BATCH_SIZE)
            ]

    async def rename(self, lobby: Lobby, person: Person) -> None:
        """Store the present name of a member, if it has changed."""
        member = lobby.member(person.user_id)
        if member is None or member == person or lobby.state is not LobbyState.OPEN:
            return
        await self._store.write(lobbies.rename, lobby.id, person)

    async def set_message(self, lobby_id: int, message_id: int) -> None:
        """Store the id of the message that shows a lobby."""
        await self._store.write(lobbies.set_message, lobby_id, message_id)

    @asynccontextmanager
    async def _changing_as_owner(
        self, lobby_id: int, asker: Asker, interaction_id: int, event: str
    ) -> AsyncIterator[tuple[Transaction, Lobby | None]]:
        """Open a transaction like :meth:`changing`, but only for the owner of the lobby or a manager of its server."""
        async with self.changing(lobby_id, interaction_id, event, asker.user_id) as (tx, lobby):
            if lobby is not None:
                require_lobby_owner(lobby, asker, await guilds.get(tx, lobby.guild_id))
            yield tx, lobby
