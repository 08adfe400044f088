"""Check stored data and health: replay games, find damaged rows and stuck posts, watch the event loop."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import partial
from time import monotonic
from typing import Final

from engine import DEFAULT_GAME
from host.clock import Clock
from host.games.reader import GameReader, rebuild
from host.lobbies import new_game_of
from host.naming import new_label
from host.observability import OLDEST_UNSENT, UNFINISHED_GAMES, UNSENT_POSTS, UnreadableRows
from host.retry import retry_forever
from host.settings import random_seed
from host.values import CheckReport
from store import games, lobbies, outbox, whole_database
from store.connection.database import Store, Transaction
from store.errors import UnreadableError
from store.records import ActionRecord, Game, GameStatus, NewLobby, Person


@dataclass(eq=False)
class GameChecks:
    """The check of stored games: each is replayed and compared with its stored position."""

    _store: Store
    _reader: GameReader
    _unreadable: UnreadableRows

    async def check_all(self) -> CheckReport:
        """Replay every unfinished game, one after another; freeze those whose replay differs from the stored state.

        Meant to run in the background, however many games there are: a game that is read or played before its turn
        comes is checked then, since its table has to be built from the log. Reads are retried during outages of the
        database.
        """
        verified: list[str] = []
        frozen: list[str] = []
        thawed: list[str] = []
        unclear: list[int] = []
        for game_id in await retry_forever(self._unfinished):
            try:
                game, replays = await retry_forever(partial(self._verify, game_id))
            except (LookupError, UnreadableError) as error:
                if isinstance(error, UnreadableError):
                    self._unreadable.report(error)
                unclear.append(game_id)
                continue
            if replays:
                verified.append(game.code)
                thawed += [game.code] if game.status is GameStatus.FROZEN else []
            elif game.status is GameStatus.FROZEN:
                frozen.append(game.code)
            else:
                unclear.append(game_id)
        return CheckReport(tuple(verified), tuple(frozen), tuple(thawed), tuple(unclear))

    async def check(self, game_id: int) -> None:
        """Check one game after a part of it could not be shown; unknown and unreadable games are ignored."""
        with suppress(LookupError, UnreadableError):
            await self._verify(game_id)

    async def count_unfinished(self) -> int:
        """Return the number of unfinished games."""
        return len(await self._unfinished())

    async def _unfinished(self) -> Sequence[int]:
        async with self._store.reading() as tx:
            return await games.unfinished_ids(tx)

    async def _verify(self, game_id: int) -> tuple[Game, bool]:
        async with self._reader.locks.hold(game_id):
            return await self._reader.verify(game_id)


STUCK_AFTER: Final = timedelta(hours=1)
"""The age from which an operator sees a waiting post as stuck."""
_IMPOSSIBLE_ID: Final = 1
"""An id that Discord never gives to a server, channel or user."""

OnReplayed = Callable[[int, int], None]
"""A progress callback: the number of games replayed so far, and of all."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A fault in the stored data: its kind, the game or row it concerns, and the reason."""

    what: str
    about: str
    why: str
    rests: bool = False
    """True if the fault is of a game that is frozen already."""

    def __str__(self) -> str:
        return f"{self.what}: {self.about}: {self.why}"


async def broken_games(tx: Transaction, told: OnReplayed) -> AsyncIterator[Finding]:
    """Yield every unfinished game that cannot be read, does not replay to its stored state, or is frozen."""
    unfinished = await games.unfinished_ids(tx)
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
    """Return the reason why a game does not replay to its stored state; empty if it does."""
    return await asyncio.to_thread(fault_of, game, await games.log(tx, game.id))


def fault_of(game: Game, actions: Sequence[ActionRecord]) -> str:
    """Return the reason why these actions do not lead to the stored state of a game; empty if they do."""
    try:
        rebuild(game, actions)
    except Exception as error:  # noqa: BLE001 - an engine may raise anything for a damaged log
        return str(error) or type(error).__name__
    return ""


async def stuck_posts(tx: Transaction, now: datetime) -> AsyncIterator[Finding]:
    """Yield every post that has waited longer than ``STUCK_AFTER``."""
    for post in await outbox.unsent_since(tx, now - STUCK_AFTER):
        why = "its place is closed to the bot, or gone" if post.refused else f"tried {post.attempts} times"
        yield Finding("stuck post", f"{post.code} at {post.ply}, {post.kind}", f"since {post.since.isoformat()}, {why}")


async def damaged_rows(tx: Transaction) -> AsyncIterator[Finding]:
    """Yield every row that refers to a missing row, or holds a value that not every database accepts."""
    async for orphan in whole_database.orphans(tx):
        yield Finding("orphan", orphan.where, f"there is no {orphan.refers_to}")
    async for misfit in whole_database.misfits(tx):
        yield Finding("misfit", misfit.where, misfit.why)


async def try_to_open(tx: Transaction, now: datetime) -> str:
    """Open a game to test that it is possible, and return its code. The caller has to roll the transaction back.

    Raises:
        StoreError, sqlalchemy's errors: no game can be opened.
    """
    people = (Person(_IMPOSSIBLE_ID, "first"), Person(_IMPOSSIBLE_ID + 1, "second"))
    opened = NewLobby(
        guild_id=_IMPOSSIBLE_ID,
        channel_id=_IMPOSSIBLE_ID,
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
    while await games.is_code_taken(tx, label.code):
        label = new_label()
    new = await asyncio.to_thread(new_game_of, replace(lobby, members=people), random_seed(), label)
    await games.add(tx, new, now)
    return label.code


LOOP_STALLED_AFTER: Final = 30.0
"""Seconds without a report from the event loop after which it counts as stalled."""
OUTBOX_STUCK_AFTER: Final = timedelta(minutes=2)
"""The age of the oldest post that may be sent from which the outbox counts as stuck."""


@dataclass(slots=True)
class Health:
    """The health of the bot as last reported; ``problems`` maps each part that is stuck to the reason."""

    seen: float = field(default_factory=monotonic)
    problems: Mapping[str, str] = field(default_factory=lambda: {"start": "not connected yet"})

    def live(self) -> bool:
        """Return whether the event loop runs: the liveness probe, since only a stalled loop calls for a restart."""
        return monotonic() - self.seen < LOOP_STALLED_AFTER

    def ready(self) -> bool:
        """Return whether everything works: the readiness probe."""
        return self.live() and not self.problems

    def note(self, problems: Mapping[str, str]) -> None:
        """Record that the event loop runs, and the parts that are stuck."""
        self.seen, self.problems = monotonic(), dict(problems)


@dataclass(eq=False)
class HealthCheck:
    """The check of the database and the outbox, for metrics and health."""

    _store: Store
    _clock: Clock

    async def check(self) -> dict[str, str]:
        """Set the gauges of games and waiting posts; return the parts that are stuck, each with the reason."""
        try:
            async with self._store.reading() as tx:
                waiting, by_status = await outbox.backlog(tx), await games.count_by_status(tx)
        except Exception as error:  # noqa: BLE001 - any failure of the database is the answer here
            return {"database": type(error).__name__}
        for status in (GameStatus.RUNNING, GameStatus.FROZEN):
            UNFINISHED_GAMES.labels(status).set(by_status.get(status, 0))
        UNSENT_POSTS.labels("to be sent").set(waiting.due)
        UNSENT_POSTS.labels("for its place").set(waiting.parked)
        age = self._age(waiting.oldest)
        OLDEST_UNSENT.set(age.total_seconds())
        return (
            {"outbox": f"the oldest post has waited for {int(age.total_seconds())} s"}
            if age > OUTBOX_STUCK_AFTER
            else {}
        )

    def _age(self, oldest: datetime | None) -> timedelta:
        return timedelta(0) if oldest is None else self._clock.now() - oldest
