"""Checks of stored data, and of the health of a running bot.

- :class:`GameChecks` replays stored games in the background, and *freezes* those that do not lead to their stored
  position: nobody can move in them until the cause is found.
- Functions such as :func:`broken_games` look for faults without changing anything, for an operator's command. They
  yield a :class:`Finding` for each fault.
- :class:`HealthCheck` looks for what is stuck, such as the *outbox* of messages to send. :class:`Health` keeps the
  result, for the probes by which a container platform restarts a bot.
"""

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
from host.new_games import free_label
from host.observability import OLDEST_COMPUTER_TURN, OLDEST_UNSENT, UNFINISHED_GAMES, UNSENT_POSTS, UnreadableRows
from host.retry import retry_forever
from host.settings import random_seed
from host.values import CheckReport
from store import games, lobbies, outbox, thinking, whole_database
from store.connection.database import Store, Transaction
from store.errors import UnreadableError
from store.records import ActionRecord, Game, GameStatus, NewLobby, Person


@dataclass(eq=False)
class GameChecks:
    """Replays stored games and compares them with their stored positions."""

    _store: Store
    _reader: GameReader
    _unreadable: UnreadableRows

    async def check_all(self) -> CheckReport:
        """Replay every unfinished game, one after another, and freeze those that do not lead to the stored position.

        It may run in the background for as long as it takes. A game that is played before its turn comes is checked by
        that move, since its position has to be rebuilt from the log. During outages of the database it waits.
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
        """Check one game, for example after a part of it could not be shown; ignore unknown and unreadable games."""
        with suppress(LookupError, UnreadableError):
            await self._verify(game_id)

    async def count_unfinished(self) -> int:
        """Return the number of unfinished games."""
        return len(await self._unfinished())

    async def _unfinished(self) -> Sequence[int]:
        """Return the ids of all unfinished games."""
        return await self._store.read(games.unfinished_ids)

    async def _verify(self, game_id: int) -> tuple[Game, bool]:
        """Replay a game under its lock; return it as stored afterwards, and whether it replays."""
        async with self._reader.locks.hold(game_id):
            return await self._reader.verify(game_id)


STUCK_AFTER: Final = timedelta(hours=1)
"""The age from which an unsent post is reported as stuck."""
COMPUTER_STUCK_AFTER: Final = timedelta(days=1)
"""The time without a decision after which a game that waits for a computer is reported."""
MAX_STUCK_COMPUTERS: Final = 100
"""The most games that are reported because they wait for a computer."""
_IMPOSSIBLE_ID: Final = 1
"""An id that Discord never gives to a server, channel or user."""

OnReplayed = Callable[[int, int], None]
"""A progress callback: the number of games replayed so far, and of all."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A fault in the stored data."""

    kind: str
    """The kind of the fault, such as "stuck post"."""
    subject: str
    """The game or row that has the fault."""
    reason: str
    is_frozen: bool = False
    """True if the fault is of a game that is frozen already."""

    def __str__(self) -> str:
        return f"{self.kind}: {self.subject}: {self.reason}"


async def broken_games(tx: Transaction, on_replayed: OnReplayed) -> AsyncIterator[Finding]:
    """Yield a finding for every unfinished game that cannot be read, does not replay, or is frozen."""
    unfinished = await games.unfinished_ids(tx)
    for count, game_id in enumerate(unfinished, start=1):
        finding = await _find_fault(tx, game_id)
        if finding is not None:
            yield finding
        on_replayed(count, len(unfinished))


async def _find_fault(tx: Transaction, game_id: int) -> Finding | None:
    """Replay an unfinished game and return its fault, if it has one."""
    try:
        game = await games.get(tx, game_id)
    except UnreadableError as error:
        return Finding("unreadable", f"game {game_id}", str(error))
    reason, is_frozen = await why_broken(tx, game), game.status is GameStatus.FROZEN
    if reason:
        return Finding("does not replay", game.code, reason, is_frozen)
    return Finding("frozen", game.code, "it replays: thaw it, or restart the bot", is_frozen) if is_frozen else None


async def why_broken(tx: Transaction, game: Game) -> str:
    """Return the reason why a game does not replay to its stored position; empty if it does."""
    return await asyncio.to_thread(replay_error, game, await games.log(tx, game.id))


def replay_error(game: Game, actions: Sequence[ActionRecord]) -> str:
    """Return the reason why these actions do not lead to the stored position of a game; empty if they do."""
    try:
        rebuild(game, actions)
    except Exception as error:  # noqa: BLE001 - an engine may raise anything for a damaged log
        return str(error) or type(error).__name__
    return ""


async def stuck_posts(tx: Transaction, now: datetime) -> AsyncIterator[Finding]:
    """Yield a finding for every post that has been unsent for longer than ``STUCK_AFTER``."""
    for post in await outbox.unsent_since(tx, now - STUCK_AFTER):
        reason = "its place is closed to the bot, or gone" if post.refused else f"tried {post.attempts} times"
        subject = f"{post.code} at {post.ply}, {post.kind}"
        yield Finding("stuck post", subject, f"since {post.since.isoformat()}, {reason}")


async def stuck_computers(tx: Transaction, now: datetime) -> AsyncIterator[Finding]:
    """Yield a finding for the games that have waited longest for a computer, for over :data:`COMPUTER_STUCK_AFTER`."""
    for game in await thinking.waiting_longest(tx, MAX_STUCK_COMPUTERS):
        if now - game.since > COMPUTER_STUCK_AFTER:
            yield Finding("stuck computer", game.code, f"has not decided since {game.since.isoformat()}")


async def damaged_rows(tx: Transaction) -> AsyncIterator[Finding]:
    """Yield a finding for every row that refers to a missing row, or has a value that some database refuses."""
    async for orphan in whole_database.orphans(tx):
        yield Finding("orphan", orphan.where, f"there is no {orphan.refers_to}")
    async for misfit in whole_database.misfits(tx):
        yield Finding("misfit", misfit.where, misfit.why)


async def try_to_open(tx: Transaction, now: datetime) -> None:
    """Open a game to test whether that is possible. The caller has to roll the transaction back.

    Raises:
        StoreError: no game can be opened; an error of SQLAlchemy means the same.
    """
    people = (Person(_IMPOSSIBLE_ID, "first"), Person(_IMPOSSIBLE_ID + 1, "second"))
    new_lobby = NewLobby(
        guild_id=_IMPOSSIBLE_ID,
        channel_id=_IMPOSSIBLE_ID,
        owner=people[0],
        game=DEFAULT_GAME,
        capacity=len(people),
        expansions=(),
        options={},
    )
    lobby = await lobbies.get(tx, await lobbies.add(tx, new_lobby, now))
    if lobby is None:
        raise LookupError("the lobby that was just stored does not exist")
    label = await free_label(tx)
    new = await asyncio.to_thread(new_game_of, replace(lobby, members=people), random_seed(), label)
    await games.add(tx, new, now)


LOOP_STALLED_AFTER: Final = 30.0
"""Seconds without a report from the event loop after which it counts as stalled."""
OUTBOX_STUCK_AFTER: Final = timedelta(minutes=2)
"""The age of the oldest due post from which the outbox counts as stuck."""


@dataclass(slots=True)
class Health:
    """The health of the bot as last reported."""

    seen: float = field(default_factory=monotonic)
    """The time of the last report, in seconds of :func:`time.monotonic`."""
    problems: Mapping[str, str] = field(default_factory=lambda: {"start": "not connected yet"})
    """The reason for each part that does not work, by the name of the part."""

    def live(self) -> bool:
        """Answer the liveness probe: return whether the event loop runs, since only a restart helps a stalled one."""
        return monotonic() - self.seen < LOOP_STALLED_AFTER

    def ready(self) -> bool:
        """Answer the readiness probe: return whether everything works."""
        return self.live() and not self.problems

    def note(self, problems: Mapping[str, str]) -> None:
        """Record that the event loop runs, and the present problems."""
        self.seen, self.problems = monotonic(), dict(problems)


@dataclass(eq=False)
class HealthCheck:
    """Checks the database, the outbox and the games that wait for computers, for metrics and health."""

    _store: Store
    _clock: Clock

    async def check(self) -> dict[str, str]:
        """Set the gauges of games, unsent posts and computers; return the reason for each part that does not work."""
        try:
            async with self._store.reading() as tx:
                backlog, by_status = await outbox.backlog(tx), await games.count_by_status(tx)
                waiting_games = await thinking.waiting_longest(tx, 1)
        except Exception as error:  # noqa: BLE001 - any failure of the database is the answer here
            return {"database": type(error).__name__}
        for status in (GameStatus.RUNNING, GameStatus.FROZEN):
            UNFINISHED_GAMES.labels(status).set(by_status.get(status, 0))
        UNSENT_POSTS.labels("to be sent").set(backlog.due)
        UNSENT_POSTS.labels("for its place").set(backlog.parked)
        now = self._clock.now()
        OLDEST_COMPUTER_TURN.set(max(((now - game.since).total_seconds() for game in waiting_games), default=0.0))
        age = timedelta(0) if backlog.oldest is None else now - backlog.oldest
        OLDEST_UNSENT.set(age.total_seconds())
        if age <= OUTBOX_STUCK_AFTER:
            return {}
        return {"outbox": f"the oldest post has waited for {int(age.total_seconds())} s"}
