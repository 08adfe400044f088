"""Operators' views and decisions: inspection of the whole database, health, and changes by hand, each logged.

Health is stored by a task of the bot and read by another thread, which answers monitoring.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from time import monotonic
from typing import Final

from engine import DEFAULT_GAME
from host.ahead import Ahead, worked_out
from host.clock import Clock
from host.errors import ErrorCode, HostError
from host.games.outbox import Outbox
from host.games.reader import freeze, rebuild, thaw
from host.games.timers import after_the_end
from host.lobby.founding import found, new_label
from host.observability import GAMES, OLDEST, UNSENT
from host.settings import random_seed
from store import (
    ActionRecord,
    Allowance,
    Ban,
    BanKind,
    Game,
    GameStatus,
    GuildSettings,
    NewLobby,
    OperatorAction,
    Person,
    PostKind,
    Store,
    Transaction,
    TransientError,
    UnreadableError,
    games,
    guilds,
    lobbies,
    moves,
    operators,
    outbox,
    whole_database,
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

        async def let_go(ahead: Ahead) -> Game:
            async with self._doing(by, "thaw", code) as (tx, game):
                if game.status is not GameStatus.FROZEN:
                    raise HostError(ErrorCode.NOT_FROZEN, code=code)
                actions = await games.log(tx, game.id)
                why = ahead.of((game, actions), lambda: fault_of(game, actions))
                if why:
                    raise HostError(ErrorCode.UNREADABLE, code=code, reason=why)
                await operators.end_hold(tx, game.id)
                await thaw(tx, game, self._messages, self._clock.now())
            return game

        return await worked_out(let_go)

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


STUCK_AFTER: Final = timedelta(hours=1)
"""How long a post waits until it counts as stuck."""
_NOWHERE: Final = 1
"""The id of a server and a channel that there cannot be."""

OnReplayed = Callable[[int, int], None]
"""Who is told how many games of how many are done."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that is not as it should be: what, of which game or row, and why."""

    what: str
    about: str
    why: str
    rests: bool = False
    """Whether it is a game that rests already."""

    def __str__(self) -> str:
        return f"{self.what}: {self.about}: {self.why}"


async def broken_games(tx: Transaction, told: OnReplayed) -> AsyncIterator[Finding]:
    """Every unfinished game that cannot be read, does not replay to what is stored, or rests because of that."""
    unfinished = await games.unfinished(tx)
    for done, game_id in enumerate(unfinished, start=1):
        finding = await _broken(tx, game_id)
        if finding is not None:
            yield finding
        told(done, len(unfinished))


async def _broken(tx: Transaction, game_id: int) -> Finding | None:
    try:
        game = await games.get(tx, game_id)
    except UnreadableError as error:
        return Finding("unreadable", f"game {game_id}", str(error))
    reason, rests = await why_broken(tx, game), game.status is GameStatus.FROZEN
    if reason:
        return Finding("does not replay", game.code, reason, rests)
    return Finding("frozen", game.code, "it replays: thaw it, or restart the bot", rests) if rests else None


async def why_broken(tx: Transaction, game: Game) -> str:
    """Why a game does not replay to what is stored; empty when it does."""
    return await asyncio.to_thread(fault_of, game, await games.log(tx, game.id))


def fault_of(game: Game, actions: Sequence[ActionRecord]) -> str:
    """Why these actions do not lead to what is stored of a game; empty when they do."""
    try:
        rebuild(game, actions)
    except Exception as error:  # noqa: BLE001 - whatever an engine makes of a log that is damaged
        return str(error) or type(error).__name__
    return ""


async def stuck_posts(tx: Transaction, now: datetime) -> AsyncIterator[Finding]:
    """Every post that waits for long, or waits for somebody to do something."""
    for post in await outbox.waiting_since(tx, now - STUCK_AFTER):
        why = "its place is closed to the bot, or gone" if post.refused else f"tried {post.attempts} times"
        yield Finding("stuck post", f"{post.code} at {post.ply}, {post.kind}", f"since {post.since.isoformat()}, {why}")


async def damaged_rows(tx: Transaction) -> AsyncIterator[Finding]:
    """Every row that refers to one that is not there, or that holds what not every database takes."""
    async for orphan in whole_database.orphans(tx):
        yield Finding("orphan", orphan.where, f"there is no {orphan.refers_to}")
    async for misfit in whole_database.misfits(tx):
        yield Finding("misfit", misfit.where, misfit.why)


async def try_to_open(tx: Transaction, now: datetime) -> str:
    """Open a game, to see whether that is possible; its code. The transaction is to be given up after it.

    Raises:
        StoreError, sqlalchemy's errors: it is not.
    """
    people = (Person(_NOWHERE, "first"), Person(_NOWHERE + 1, "second"))
    opened = NewLobby(
        guild_id=_NOWHERE,
        channel_id=_NOWHERE,
        owner=people[0],
        game=DEFAULT_GAME,
        capacity=len(people),
        expansions=(),
        options={},
    )
    lobby = await lobbies.get(tx, await lobbies.add(tx, opened, now))
    if lobby is None:
        raise LookupError("a lobby that was stored is not there")
    label = new_label()
    while await games.is_taken(tx, label.code):
        label = new_label()
    new = await asyncio.to_thread(found, replace(lobby, members=people), random_seed(), label)
    await games.add(tx, new, now)
    return label.code


STILL: Final = 30.0
"""Seconds without a sign of the event loop after which it stands still."""
WAITS: Final = timedelta(minutes=2)
"""How long a post that may be sent waits until the outbox counts as stuck."""


@dataclass(slots=True)
class Health:
    """What is known of the bot; ``troubles`` name what is stuck, each with why."""

    seen: float = field(default_factory=monotonic)
    troubles: Mapping[str, str] = field(default_factory=lambda: {"start": "not connected yet"})

    def live(self) -> bool:
        """Whether the event loop moves. Nothing else is a reason to begin anew."""
        return monotonic() - self.seen < STILL

    def ready(self) -> bool:
        """Whether everything works."""
        return self.live() and not self.troubles

    def note(self, troubles: Mapping[str, str]) -> None:
        """The event loop moves, and this is stuck."""
        self.seen, self.troubles = monotonic(), dict(troubles)


class Looking:
    """Looks what waits, for meters and health."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    async def look(self) -> dict[str, str]:
        """Set the meters of what waits; what is stuck, and why."""
        try:
            async with self._store.reading() as tx:
                waiting, by_status = await outbox.backlog(tx), await games.count_by_status(tx)
        except Exception as error:  # noqa: BLE001 - whatever is wrong with the database is what is looked for
            return {"database": type(error).__name__}
        for status in (GameStatus.RUNNING, GameStatus.FROZEN):
            GAMES.labels(status).set(by_status.get(status, 0))
        UNSENT.labels("to be sent").set(waiting.due)
        UNSENT.labels("for its place").set(waiting.parked)
        age = self._age(waiting.oldest)
        OLDEST.set(age.total_seconds())
        return {"outbox": f"the oldest post has waited for {int(age.total_seconds())} s"} if age > WAITS else {}

    def _age(self, oldest: datetime | None) -> timedelta:
        return timedelta(0) if oldest is None else self._clock.now() - oldest
