"""A lobby becomes a game: whoever may start it claims it first, since a thread may be opened before there is a game."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import timedelta
from typing import Final

from engine import EngineError
from host.agreements import end_dates
from host.ahead import Ahead, worked_out
from host.clock import Clock
from host.clockwork.presence import EVERY
from host.errors import ErrorCode, HostError
from host.limits import Limits
from host.lobby.founding import Label, found, new_label
from host.lobby.gathering import check_start, known_lobby, open_lobby
from host.patience import patient
from host.play import holding, timekeeping
from host.play.outbox import Outbox, move_post
from host.settings import HostSettings
from store import (
    AnsweredInteraction,
    Game,
    Lobby,
    NewGame,
    PostKind,
    Store,
    Timer,
    TimerKind,
    Transaction,
    games,
    interactions,
    lobbies,
    outbox,
    timers,
)

log = logging.getLogger(__name__)

STARTING: Final = timedelta(seconds=30)
"""How long who starts a lobby is waited for."""


class StartingLobbies:
    """What changes a lobby in one transaction, and its start above all."""

    def __init__(self, store: Store, clock: Clock, settings: HostSettings, messages: Outbox) -> None:
        self._store = store
        self._clock = clock
        self._settings = settings
        self._messages = messages
        self._limits = Limits(settings)

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

        async def begin(ahead: Ahead) -> Game:
            async with self._changing(lobby_id, interaction_id, "lobby started", user_id) as (tx, lobby):
                if lobby is not None:
                    check_start(lobby, user_id)
                    await self._limits.check_guild(tx, lobby.guild_id)
                    new = ahead.of(lobby, lambda: self._drawn_up(lobby))
                    await self._found(tx, lobby, replace(new, thread_id=thread_id), label)
                started = await known_lobby(tx, lobby_id)
                if started.game_id is None:
                    raise LookupError(f"interaction {interaction_id} started no game")
                game = await games.get(tx, started.game_id)
            if lobby is not None:
                about = {"game": game.code, "ply": game.ply, "server": game.guild_id, "interaction": interaction_id}
                told = {**about, "lobby": lobby_id, "place": game.place, "players": len(game.seats)}
                log.info("game opened", extra=told)
            return game

        return await worked_out(begin)

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

    async def _remember(self, tx: Transaction, interaction_id: int, lobby_id: int) -> None:
        await interactions.remember(tx, AnsweredInteraction(id=interaction_id, lobby_id=lobby_id), self._clock.now())

    def _drawn_up(self, lobby: Lobby) -> NewGame:
        """The game of a lobby as it is now, under a label that it need not keep: everything shuffled."""
        material = self._settings.material.get(lobby.game, {})
        try:
            return found(lobby, self._settings.new_seed(), new_label(), None, material)
        except EngineError as error:
            raise HostError(ErrorCode.BAD_OPTIONS, reason=str(error)) from error

    async def _found(self, tx: Transaction, lobby: Lobby, drawn_up: NewGame, wished: Label | None) -> None:
        label, now = await _free_label(tx, wished), self._clock.now()
        new = replace(drawn_up, code=label.code, name=label.name)
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
