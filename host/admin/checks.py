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
from host.lobbies import found
from host.naming import new_label
from host.observability import GAMES, OLDEST, UNSENT, UnreadableRows
from host.retry import retry_forever
from host.settings import random_seed
from host.values import CheckReport
from store import (
    ActionRecord,
    Game,
    GameStatus,
    NewLobby,
    Person,
    Store,
    Transaction,
    UnreadableError,
    games,
    lobbies,
    outbox,
    whole_database,
)


class GameChecks:
    """Replays games to see whether they lead to what is stored."""

    def __init__(self, store: Store, reader: GameReader, unreadable: UnreadableRows) -> None:
        self._store = store
        self._reader = reader
        self._unreadable = unreadable

    async def check_all(self) -> CheckReport:
        """Replay every unfinished game, one after another; freeze those that do not lead to what is stored.

        Meant to run beside everything else, however many games there are: a game that is looked at or played before
        its turn comes is checked then, since its table has to be built from the log. Outages of the database are
        waited for.
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
        """Check one game, of which something could not be shown."""
        with suppress(LookupError, UnreadableError):
            await self._verify(game_id)

    async def count_unfinished(self) -> int:
        """Return how many games are not over."""
        return len(await self._unfinished())

    async def _unfinished(self) -> Sequence[int]:
        async with self._store.reading() as tx:
            return await games.unfinished(tx)

    async def _verify(self, game_id: int) -> tuple[Game, bool]:
        async with self._reader.locks.hold(game_id):
            return await self._reader.verify(game_id)


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


class HealthCheck:
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
