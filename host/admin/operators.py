"""Operators' views and decisions: inspection of the whole database, health, and changes by hand, each logged.

Health is stored by a task of the bot and read by another thread, which answers monitoring.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Final

from host.admin.checks import Finding, fault_of, stuck_posts, why_broken
from host.clock import Clock
from host.errors import ErrorCode, HostError
from host.games.move import after_the_end
from host.games.outbox import Outbox
from host.games.reader import freeze, thaw
from host.retry import Precomputed, run_with_precomputed
from store import (
    Allowance,
    Ban,
    BanKind,
    Game,
    GameStatus,
    GuildSettings,
    OperatorAction,
    PostKind,
    Store,
    Transaction,
    TransientError,
    UnreadableError,
    games,
    guilds,
    moves,
    operators,
    outbox,
)

log = logging.getLogger(__name__)

NEWEST: Final = 50
"""Deeds that are shown."""


class Operators:
    """The hand of who runs the bot."""

    def __init__(self, store: Store, clock: Clock, messages: Outbox) -> None:
        self._store = store
        self._clock = clock
        self._messages = messages

    async def troubles(self) -> list[Finding]:
        """The games that rest, each with why, then the posts that are stuck."""
        async with self._store.reading() as tx:
            resting = [await _resting(tx, game_id) for game_id in await games.frozen(tx)]
            return resting + [finding async for finding in stuck_posts(tx, self._clock.now())]

    async def freeze(self, code: str, by: str, reason: str) -> Game:
        """Let a game rest until it is thawed by hand, its clocks too; said in its thread.

        Raises:
            HostError: ``unknown_game``, ``game_over``, ``frozen``, ``unreadable``.
        """
        async with self._doing(by, "freeze", code, {"reason": reason}) as (tx, game):
            if game.status is GameStatus.FINISHED:
                raise HostError(ErrorCode.GAME_OVER, code=code)
            if await operators.hold_reason(tx, game.id) is not None:
                raise HostError(ErrorCode.FROZEN, code=code)
            now = self._clock.now()
            await freeze(tx, game, self._messages, now, PostKind.HELD)
            await operators.hold(tx, game.id, reason, now)
        return game

    async def thaw(self, code: str, by: str) -> Game:
        """Let a game go on that rests, if it replays.

        Raises:
            HostError: ``unknown_game``, ``not_frozen``, ``unreadable`` with why it does not replay.
        """

        async def let_go(precomputed: Precomputed) -> Game:
            async with self._doing(by, "thaw", code) as (tx, game):
                if game.status is not GameStatus.FROZEN:
                    raise HostError(ErrorCode.NOT_FROZEN, code=code)
                actions = await games.log(tx, game.id)
                why = precomputed.of((game, actions), lambda: fault_of(game, actions))
                if why:
                    raise HostError(ErrorCode.UNREADABLE, code=code, reason=why)
                await operators.end_hold(tx, game.id)
                await thaw(tx, game, self._messages, self._clock.now())
            return game

        return await run_with_precomputed(let_go)

    async def close(self, code: str, by: str, reason: str) -> Game:
        """End a game without a result, also one that rests; said in its thread.

        Raises:
            HostError: ``unknown_game``, ``game_over``, ``unreadable``.
            PlyConflictError: a move was quicker; try again.
        """
        now = self._clock.now()
        async with self._doing(by, "close", code, {"reason": reason}) as (tx, game):
            if game.status is GameStatus.FINISHED:
                raise HostError(ErrorCode.GAME_OVER, code=code)
            if await games.set_status(tx, game.id, GameStatus.FROZEN, GameStatus.RUNNING):
                await outbox.give_up(tx, game.id)
            await operators.end_hold(tx, game.id)
            await moves.drop_pending(tx, game.id)
            await games.close(tx, game.id, game.stamp, now)
            await after_the_end(tx, game, now)
            await self._messages.notice(tx, game, game.ply, PostKind.ENDED)
        return game

    async def move(self, code: str, by: str, place_id: int) -> Game:
        """Let the cards of a game go to another thread or channel of its server, those too that could not be posted.

        Raises:
            HostError: ``unknown_game``, ``unreadable``.
        """
        async with self._doing(by, "move", code, {"place": str(place_id)}) as (tx, game):
            now = self._clock.now()
            await games.move(tx, game.id, place_id, now, now)
            await outbox.try_again(tx, now, game_id=game.id)
        return game

    async def keep_out(self, kind: BanKind, subject: int, by: str, reason: str) -> None:
        """Let a member or a server open and join no games any more; games that run go on."""
        now = self._clock.now()
        async with self._store.writing() as tx:
            await guilds.put_ban(tx, Ban(kind, subject, reason, now))
            await _write_down(
                tx, OperatorAction(now, by, "ban", {"kind": kind, "subject": str(subject), "reason": reason})
            )

    async def let_in(self, kind: BanKind, subject: int, by: str) -> bool:
        """Let a member or a server in again; False when nobody kept them out."""
        async with self._store.writing() as tx:
            gone = await guilds.lift_ban(tx, kind, subject)
            if gone:
                details = {"kind": kind, "subject": str(subject)}
                await _write_down(tx, OperatorAction(self._clock.now(), by, "unban", details))
        return gone

    async def kept_out(self) -> list[Ban]:
        """Everybody who is kept out."""
        async with self._store.reading() as tx:
            return await guilds.all_bans(tx)

    async def allow(self, guild_id: int, allowed: Allowance, by: str) -> None:
        """Say how much may go on in a server at once; None for as much as in any other."""
        async with self._store.writing() as tx:
            await guilds.put_allowance(tx, guild_id, allowed)
            details = {"server": str(guild_id), "games": allowed.games, "lobbies": allowed.lobbies}
            await _write_down(tx, OperatorAction(self._clock.now(), by, "limit", details))

    async def open_to(
        self, guild_id: int, by: str, *, channels: tuple[int, ...] | None = None, opener: int | None = None
    ) -> GuildSettings:
        """Say where games may be opened in a server, all of them for none, and which role that takes, 0 for none.

        What is None stays. It is what its managers decide, too, who may decide something else.
        """
        details: dict[str, object] = {"server": str(guild_id)}
        async with self._store.writing(f"server {guild_id}") as tx:
            decided = await guilds.get(tx, guild_id)
            if channels is not None:
                decided = replace(decided, channels=channels)
                details["channels"] = ",".join(map(str, channels)) or "all"
            if opener is not None:
                decided = replace(decided, opener_role=opener or None)
                details["opener"] = str(opener or "everybody")
            await guilds.put(tx, guild_id, decided)
            await _write_down(tx, OperatorAction(self._clock.now(), by, "limit", details))
        return decided

    async def looked(self, by: str, what: str, **details: object) -> None:
        """Write down that somebody has only looked at something; where nothing can be stored, that is no obstacle."""
        try:
            async with self._store.writing() as tx:
                await _write_down(tx, OperatorAction(self._clock.now(), by, what, details))
        except TransientError as error:
            log.warning("what an operator looked at was not written down: %s", error, extra={"by": by, "what": what})

    async def deeds(self, limit: int = NEWEST) -> list[OperatorAction]:
        """What was done by hand, the newest first."""
        async with self._store.reading() as tx:
            return await operators.newest_actions(tx, limit)

    @asynccontextmanager
    async def _doing(
        self, by: str, what: str, code: str, details: Mapping[str, object] | None = None
    ) -> AsyncIterator[tuple[Transaction, Game]]:
        """A transaction with the game of this code, in which what is done to it is written down."""
        async with self._store.reading() as tx:
            game_id = (await _known(tx, code)).id
        async with self._messages.writing(game=game_id) as tx:
            game = await _known(tx, code)
            yield tx, game
            await _write_down(tx, OperatorAction(self._clock.now(), by, what, {"game": game.code, **(details or {})}))
        log.warning("an operator's hand: %s", what, extra={"game": game.code, "ply": game.ply, "server": game.guild_id})


async def _known(tx: Transaction, code: str) -> Game:
    try:
        game = await games.by_code(tx, code.upper())
    except UnreadableError as error:
        raise HostError(ErrorCode.UNREADABLE, code=code, reason=str(error)) from error
    if game is None:
        raise HostError(ErrorCode.UNKNOWN_GAME, ref=code)
    return game


async def _resting(tx: Transaction, game_id: int) -> Finding:
    try:
        game = await games.get(tx, game_id)
    except UnreadableError as error:
        return Finding("unreadable", f"game {game_id}", str(error))
    by_hand = await operators.hold_reason(tx, game_id)
    if by_hand is not None:
        return Finding("frozen by hand", game.code, by_hand or "no reason given")
    return Finding("frozen", game.code, await why_broken(tx, game) or "it replays again: thaw it")


async def _write_down(tx: Transaction, deed: OperatorAction) -> None:
    await operators.log_action(tx, deed)
