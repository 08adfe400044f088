"""The tables in memory: positions of games that somebody looked at or played lately.

A table is no more than what setup and log say. Whatever is not here, or is behind the stored game because another
process moved it on, is rebuilt from them. A game whose rebuilt position is not the stored one is frozen, if that is so
twice and at rest, and never because somebody only looked.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime

from engine import DIGEST_FORM, Position, parse_action, replay, state_digest
from engine.events import Event
from host.clock import Clock
from host.errors import ErrorCode, HostError
from host.play import holding
from host.play.epochs import Epochs
from host.play.memory import Played, Seen, TableMemory
from host.play.outbox import Outbox
from host.settings import HostSettings
from host.traces import about
from host.values import LoggedAction, Moment, setup_of
from store import (
    ActionRecord,
    Game,
    GameHeader,
    GameStatus,
    PostKind,
    Stamp,
    Store,
    Transaction,
    games,
    operators,
    outbox,
)

log = logging.getLogger(__name__)


class Tables:
    """Tables from memory where nothing has changed, else from setup and log."""

    def __init__(self, store: Store, clock: Clock, messages: Outbox, settings: HostSettings) -> None:
        self._store = store
        self._clock = clock
        self._messages = messages
        self._pause = settings.second_look.total_seconds()
        self.memory = TableMemory(settings.table_bytes, clock)
        self.epochs = Epochs(store, clock, messages)

    def known(self, glance: GameHeader, user_id: int) -> tuple[Game, Played] | None:
        """The game and its table from memory, if the narrow row that somebody has read says that nothing is newer."""
        seen = self.memory.find(glance.game_id)
        game = None if seen is None else seen.agreed(glance, user_id)
        if seen is None or game is None:
            return None
        self.memory.keep(game, seen.played)
        return game, seen.played

    async def went_back(self, seen: Seen | None, stamp: Stamp) -> bool:
        """Whether a game is stored as it was before what was in memory when somebody began to read it.

        Then the database went back while the bot runs, and memory is given up.
        """
        if seen is None or (stamp.epoch, stamp.revision) >= (seen.game.epoch, seen.game.revision):
            return False
        await self.epochs.fell_behind(seen.game)
        self.memory.forget(seen.game.id)
        return True

    def renamed(self, game: Game) -> None:
        """Players go by other names."""
        seen = self.memory.find(game.id)
        if seen is not None and seen.game.stamp == game.stamp:
            self.memory.keep(game, seen.played)

    async def follow(self, game: Game) -> tuple[Game, Played]:
        """The game and its table as they are stored now; ``game`` may be a little old.

        A game that cannot be replayed now is left as it is: it was only looked at.

        Raises:
            HostError: ``frozen``, ``unreadable``.
        """
        played = self._played(game)
        if game.status is not GameStatus.FROZEN and played is None:
            game, played = await self._read(game.id, level=logging.INFO)
            if played is None:  # once more, at once: another process may have been writing
                game, played = await self._read(game.id, level=logging.WARNING)
        return self._followed(game, played)

    async def follow_to_move(self, game: Game) -> tuple[Game, Played]:
        """The same for a move; whoever holds the table's lock finds out what is wrong with a game.

        Raises:
            HostError: ``frozen``, ``unreadable``.
        """
        try:
            return await self.follow(game)
        except HostError as error:
            if error.code is not ErrorCode.UNREADABLE:
                raise
        game, played = await self._judge(game.id)
        return self._followed(game, played)

    def _followed(self, game: Game, played: Played | None) -> tuple[Game, Played]:
        if game.status is not GameStatus.FROZEN and played is not None:
            self.memory.keep(game, played)
            return game, played
        rests = game.status is not GameStatus.RUNNING
        raise HostError(ErrorCode.FROZEN if rests else ErrorCode.UNREADABLE, code=game.code)

    def _played(self, game: Game) -> Played | None:
        """Its table, if that is in memory and nobody has moved the game on since."""
        seen = self.memory.find(game.id)
        return seen.played if seen is not None and seen.game.revision == game.revision else None

    async def verify(self, game_id: int) -> tuple[Game, bool]:
        """Replay a game: as it is stored after that, and whether it led to the stored position and goes on.

        A running game that does not, twice and at rest, is frozen; a frozen one that does goes on, unless an operator
        lets it rest.
        """
        game, played = await self._judge(game_id)
        if played is not None and game.status is GameStatus.FROZEN:
            return game, await self._thaw(game)
        return game, played is not None

    async def _judge(self, game_id: int) -> tuple[Game, Played | None]:
        """Read a game; one that does not replay is frozen if it fails again after a pause in which nothing changed.

        Meanwhile nobody else in this process moves it: this is done under the table's lock. While a newer release
        plays here, too, it may be right, and only it judges.
        """
        game, played = await self._read(game_id, level=logging.WARNING)
        if played is not None or game.status is not GameStatus.RUNNING or await self._messages.newer.is_about():
            return game, played
        await asyncio.sleep(self._pause)
        again, played = await self._read(game_id, level=logging.ERROR)
        if played is None and again == game:
            again = await self._freeze(again)
        return again, played

    async def _read(self, game_id: int, *, level: int) -> tuple[Game, Played | None]:
        """Row and log as they are at one moment, and what they lead to; None when that is not what is stored.

        ``level`` is how loudly that is said in the log; where it counts, with all that is known.
        """
        seen = self.memory.find(game_id)
        async with self._store.reading() as tx:
            game = await games.get(tx, game_id)
            actions = await games.log(tx, game_id)
        if await self.went_back(seen, game.stamp):
            return await self._read(game_id, level=level)
        played = self._played(game)
        if played is not None:
            return game, played
        try:
            rebuilt = await asyncio.to_thread(rebuild, game, actions)
        except Exception as error:
            # Whatever an engine that has changed makes of an old log: this game rests, all others go on.
            details = error if level >= logging.ERROR else None
            log.log(level, "a game does not replay: %s", error, extra=about(game), exc_info=details)
        else:
            return await self._stamped(game, rebuilt), rebuilt
        return game, None

    async def _stamped(self, game: Game, rebuilt: Played) -> Game:
        """The game with a digest of the present form, which it keeps where the stored one is of an older form."""
        if game.digest.startswith(DIGEST_FORM):
            return game
        digest = state_digest(rebuilt.position)
        async with self._store.writing() as tx:
            await games.restamp(tx, game.id, game.ply, game.digest, digest)
        return replace(game, digest=digest)

    async def _freeze(self, game: Game) -> Game:
        """Let a game rest; its cards cannot be drawn until it goes on."""
        async with self._messages.writing(game=game.id) as tx:
            await freeze(tx, game, self._messages, self._clock.now())
            log.error("game frozen", extra=about(game))
            return await games.get(tx, game.id)

    async def _thaw(self, game: Game) -> bool:
        async with self._messages.writing(game=game.id) as tx:
            if await operators.hold_reason(tx, game.id) is not None:
                return False
            await thaw(tx, game, self._messages, self._clock.now())
        log.warning("game thawed: it replays again and goes on", extra=about(game))
        return True


async def freeze(
    tx: Transaction, game: Game, messages: Outbox, now: datetime, notice: PostKind = PostKind.FROZEN
) -> bool:
    """Let a game rest, its clocks too, and say so; False when it does not run."""
    if not await games.set_status(tx, game.id, GameStatus.RUNNING, GameStatus.FROZEN):
        return False
    await outbox.park_game(tx, game.id)
    await messages.notice(tx, game, game.ply, notice)
    await holding.settle(tx, replace(game, status=GameStatus.FROZEN), now)
    return True


async def thaw(tx: Transaction, game: Game, messages: Outbox, now: datetime) -> bool:
    """Let a game go on that rested, and say so; False when it does not rest."""
    if not await games.set_status(tx, game.id, GameStatus.FROZEN, GameStatus.RUNNING):
        return False
    await outbox.unpark(tx, game.id, now)
    await messages.notice(tx, game, game.ply, PostKind.THAWED)
    await holding.settle(tx, replace(game, status=GameStatus.RUNNING), now)
    return True


def rebuild(game: Game, actions: Iterable[ActionRecord]) -> Played:
    """The table that setup and log lead to.

    Raises:
        EngineError: the engine does not accept the setup, an action's text or an action.
        ValueError: it leads to another position than the stored one; of a digest of an older form, which nobody can
            make any more, only ply and seat are compared.
    """
    logged = tuple(
        LoggedAction(row.ply, row.seat, row.user_id, parse_action(row.text), row.at, row.preset) for row in actions
    )
    played = Played.through(setup_of(game), logged)
    if not _is_stored(played.position, game):
        raise ValueError(f"game {game.code}: not the position that is stored at ply {game.ply}")
    return played


def _is_stored(position: Position, game: Game) -> bool:
    to_act = None if position.is_over else position.player
    if (position.ply, to_act) != (game.ply, game.seat_to_act):
        return False
    return not game.digest.startswith(DIGEST_FORM) or state_digest(position) == game.digest


def between(game: Game, played: Played, from_ply: int, ply: int) -> Moment:
    """A span of a game, replayed.

    Raises:
        ValueError: the log has no such span.
    """
    if not 0 <= from_ply <= ply <= played.position.ply:
        raise ValueError(f"game {game.code}: no span from {from_ply} to {ply}")
    span = played.log[from_ply:ply]
    before = replay(played.position.setup, [entry.action for entry in played.log[:from_ply]])
    after = before.copy()
    events: list[Event] = []
    preset: list[range] = []
    for entry in span:
        start = len(events)
        events += after.apply(entry.action)
        if entry.preset:
            preset.append(range(start, len(events)))
    return Moment(game, before, after, span, tuple(events), tuple(preset), game.taken_back)
