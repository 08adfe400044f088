"""Actions of operators: the people who run the bot, and may look into and change any game.

They list faults, freeze, thaw, close and move games, ban members and servers, and set the limits of servers. To
*freeze* a game is to stop it and its clocks until it is *thawed*. Every action is logged in the database together with
the operator (``by``) who took it.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Final

from host.admin.checks import Finding, replay_error, stuck_computers, stuck_posts, why_broken
from host.clock import Clock
from host.errors import ErrorCode, HostError
from host.games.move import schedule_follow_up
from host.games.outbox import Outbox
from host.games.reader import freeze, thaw
from host.observability import game_fields
from host.retry import Precomputed, run_with_precomputed
from store import games, guilds, moves, operators, outbox
from store.admin.operators import OperatorAction
from store.connection.database import Store, Transaction
from store.errors import TransientError, UnreadableError
from store.guilds import Allowance, Ban, BanKind, GuildSettings
from store.records import Game, GameStatus, PostKind

log = logging.getLogger(__name__)

SHOWN_ACTIONS: Final = 50
"""The number of logged actions that are shown by default."""


@dataclass(eq=False)
class Operators:
    """Carries out and logs the actions of operators. Arguments named ``by`` are the operator's name."""

    _store: Store
    _clock: Clock
    _outbox: Outbox

    async def faults(self) -> list[Finding]:
        """Return the frozen games, and the posts and computers that are stuck, each with the reason."""
        now = self._clock.now()
        async with self._store.reading() as tx:
            findings = [await _frozen_finding(tx, game_id) for game_id in await games.frozen_ids(tx)]
            findings += [finding async for finding in stuck_posts(tx, now)]
            return findings + [finding async for finding in stuck_computers(tx, now)]

    async def freeze(self, code: str, by: str, reason: str) -> Game:
        """Freeze a game until an operator thaws it, and post a notice in its thread.

        Raises:
            HostError: ``unknown_game``, ``game_over``, ``frozen``, ``unreadable``.
        """
        async with self._logged_action(by, "freeze", code, reason=reason) as (tx, game):
            if game.status is GameStatus.FINISHED:
                raise HostError(ErrorCode.GAME_OVER, code=code)
            if await operators.hold_reason(tx, game.id) is not None:
                raise HostError(ErrorCode.FROZEN, code=code)
            now = self._clock.now()
            await freeze(tx, game, self._outbox, now, PostKind.HELD)
            await operators.hold(tx, game.id, reason, now)
        return game

    async def thaw(self, code: str, by: str) -> Game:
        """Thaw a frozen game, if it replays to its stored position.

        Raises:
            HostError: ``unknown_game``, ``not_frozen``; ``unreadable``, with the reason, if it does not replay.
        """

        async def thaw_once(precomputed: Precomputed) -> Game:
            async with self._logged_action(by, "thaw", code) as (tx, game):
                if game.status is not GameStatus.FROZEN:
                    raise HostError(ErrorCode.NOT_FROZEN, code=code)
                actions = await games.log(tx, game.id)
                reason = precomputed.of((game, actions), lambda: replay_error(game, actions))
                if reason:
                    raise HostError(ErrorCode.UNREADABLE, code=code, reason=reason)
                await operators.end_hold(tx, game.id)
                await thaw(tx, game, self._outbox, self._clock.now())
            return game

        return await run_with_precomputed(thaw_once)

    async def close(self, code: str, by: str, reason: str) -> Game:
        """End a game without a result, also a frozen one, and post a notice in its thread.

        Raises:
            HostError: ``unknown_game``, ``game_over``, ``unreadable``.
            PlyConflictError: a move was stored meanwhile; the caller may try again.
        """
        now = self._clock.now()
        async with self._logged_action(by, "close", code, reason=reason) as (tx, game):
            if game.status is GameStatus.FINISHED:
                raise HostError(ErrorCode.GAME_OVER, code=code)
            if await games.set_status(tx, game.id, GameStatus.FROZEN, GameStatus.RUNNING):
                await outbox.delete_unsent(tx, game.id)
            await operators.end_hold(tx, game.id)
            await moves.drop_pending(tx, game.id)
            await games.close(tx, game.id, game.stamp, now)
            await schedule_follow_up(tx, game, now)
            await self._outbox.add_notice(tx, game, PostKind.ENDED)
        return game

    async def move(self, code: str, by: str, place_id: int) -> Game:
        """Move a game to another thread or channel of its server; posts that were refused before are sent there.

        Raises:
            HostError: ``unknown_game``, ``unreadable``.
        """
        async with self._logged_action(by, "move", code, place=str(place_id)) as (tx, game):
            now = self._clock.now()
            await games.move_to_place(tx, game.id, place_id, now, now)
            await outbox.retry_refused(tx, now, game_id=game.id)
        return game

    async def ban(self, kind: BanKind, subject: int, by: str, reason: str) -> None:
        """Ban a member or a server from opening and joining games; running games continue."""
        async with self._store.writing() as tx:
            await guilds.save_ban(tx, Ban(kind, subject, reason, self._clock.now()))
            await self._log(tx, by, "ban", kind=kind, subject=str(subject), reason=reason)

    async def unban(self, kind: BanKind, subject: int, by: str) -> bool:
        """Lift the ban of a member or a server; return False if there was none."""
        async with self._store.writing() as tx:
            was_banned = await guilds.lift_ban(tx, kind, subject)
            if was_banned:
                await self._log(tx, by, "unban", kind=kind, subject=str(subject))
        return was_banned

    async def bans(self) -> list[Ban]:
        """Return all bans."""
        return await self._store.read(guilds.all_bans)

    async def allow(self, guild_id: int, allowed: Allowance, by: str) -> None:
        """Set the limits on games and lobbies of a server; None in them means the general limit."""
        async with self._store.writing() as tx:
            await guilds.save_allowance(tx, guild_id, allowed)
            await self._log(tx, by, "limit", server=str(guild_id), games=allowed.games, lobbies=allowed.lobbies)

    async def open_to(
        self, guild_id: int, by: str, *, channels: tuple[int, ...] | None = None, opener: int | None = None
    ) -> GuildSettings:
        """Set the channels of a server in which games may be opened, and the role that opening them requires.

        An empty tuple of channels allows all, role 0 lets everyone open games, and None changes nothing. These are the
        same settings that the managers of the server have, and they may change them afterwards.
        """
        details: dict[str, object] = {"server": str(guild_id)}
        async with self._store.writing(f"server {guild_id}") as tx:
            settings = await guilds.get(tx, guild_id)
            if channels is not None:
                settings = replace(settings, channels=channels)
                details["channels"] = ",".join(map(str, channels)) or "all"
            if opener is not None:
                settings = replace(settings, opener_role=opener or None)
                details["opener"] = str(opener or "everybody")
            await guilds.save_settings(tx, guild_id, settings)
            await self._log(tx, by, "limit", **details)
        return settings

    async def log_view(self, by: str, what: str, **details: object) -> None:
        """Log that an operator has read something; an outage of the database only causes a warning then."""
        try:
            async with self._store.writing() as tx:
                await self._log(tx, by, what, **details)
        except TransientError as error:
            log.warning("could not log what an operator has read: %s", error, extra={"by": by, "what": what})

    async def logged_actions(self, limit: int = SHOWN_ACTIONS) -> list[OperatorAction]:
        """Return the newest logged actions of operators, newest first."""
        return await self._store.read(operators.newest_actions, limit)

    @asynccontextmanager
    async def _logged_action(
        self, by: str, what: str, code: str, **details: object
    ) -> AsyncIterator[tuple[Transaction, Game]]:
        """Open a transaction with the game that has this code, and log the action at its end."""
        game_id = (await self._store.read(_game_by_code, code)).id
        async with self._outbox.writing(game=game_id) as tx:
            game = await _game_by_code(tx, code)
            yield tx, game
            await self._log(tx, by, what, game=game.code, **details)
        log.warning("operator's action: %s", what, extra=game_fields(game))

    async def _log(self, tx: Transaction, by: str, what: str, **details: object) -> None:
        """Store an action of an operator in the log."""
        await operators.log_action(tx, OperatorAction(self._clock.now(), by, what, details))


async def _game_by_code(tx: Transaction, code: str) -> Game:
    """Return the game with this code.

    Raises:
        HostError: ``unknown_game``, ``unreadable``.
    """
    try:
        game = await games.by_code(tx, code.upper())
    except UnreadableError as error:
        raise HostError(ErrorCode.UNREADABLE, code=code, reason=str(error)) from error
    if game is None:
        raise HostError(ErrorCode.UNKNOWN_GAME, ref=code)
    return game


async def _frozen_finding(tx: Transaction, game_id: int) -> Finding:
    """Return a frozen game as a finding: with the operator's reason, or the reason why it does not replay."""
    try:
        game = await games.get(tx, game_id)
    except UnreadableError as error:
        return Finding("unreadable", f"game {game_id}", str(error))
    operators_reason = await operators.hold_reason(tx, game_id)
    if operators_reason is not None:
        return Finding("frozen by hand", game.code, operators_reason or "no reason given")
    return Finding("frozen", game.code, await why_broken(tx, game) or "it replays again: thaw it")
