"""Read games and their positions, from the cache or by replaying the stored log.

:meth:`GameReader.snapshot` returns a game as one viewer may see it. If the game is cached, it reads only the *header*,
a narrow row that shows whether anything newer is stored; otherwise :meth:`GameReader.played` rebuilds the position
from the setup and the log.

- A *ply* is the number of actions applied so far; a *revision* also counts those that were undone.
- A *span* is the part of a game from one ply to another.
- A *digest* is a hash of the position, by which a rebuilt position is compared with the stored one.
- A game is *frozen*, so that nobody can move in it, if it does not replay to the stored position. This takes two
  failures with a pause between them, and only happens before a move or in a check, never when a game is just shown.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final, NamedTuple

from engine import DIGEST_FORM, Position, parse_action, replay, state_digest
from engine.events import Event
from host.clock import Clock
from host.errors import ErrorCode, HostError
from host.games.cache import CachedGame, GameCache, PlayedGame
from host.games.epochs import Epochs
from host.games.outbox import Outbox
from host.games.timekeeping import settle_clocks
from host.locks import KeyedLocks, ReplayQueue
from host.observability import UnreadableRows, game_fields
from host.settings import HostSettings
from host.values import LoggedAction, Moment, Post, Table, setup_of
from store import game_headers, games, moves, operators, outbox
from store.connection.database import Store, Transaction
from store.errors import UnreadableError
from store.play.game_headers import GameHeader, GameTiming
from store.play.moves import PendingMove
from store.preferences import Preferences
from store.records import ActionRecord, AnsweredInteraction, Game, GameStatus, PostKind, Stamp

log = logging.getLogger(__name__)


async def freeze(
    tx: Transaction, game: Game, game_outbox: Outbox, now: datetime, notice: PostKind = PostKind.FROZEN
) -> bool:
    """Freeze a game, hold its clocks and post a notice; return False if it is not running."""
    if not await games.set_status(tx, game.id, GameStatus.RUNNING, GameStatus.FROZEN):
        return False
    await outbox.park_game(tx, game.id)
    await game_outbox.add_notice(tx, game, notice)
    await settle_clocks(tx, replace(game, status=GameStatus.FROZEN), now)
    return True


async def thaw(tx: Transaction, game: Game, game_outbox: Outbox, now: datetime) -> bool:
    """Thaw a frozen game, release its clocks and post a notice; return False if it is not frozen."""
    if not await games.set_status(tx, game.id, GameStatus.FROZEN, GameStatus.RUNNING):
        return False
    await outbox.unpark(tx, game.id, now)
    await game_outbox.add_notice(tx, game, PostKind.THAWED)
    await settle_clocks(tx, replace(game, status=GameStatus.RUNNING), now)
    return True


def rebuild(game: Game, actions: Iterable[ActionRecord]) -> PlayedGame:
    """Rebuild a game by replaying its stored actions.

    Raises:
        EngineError: the engine does not accept the setup, the text of an action, or an action.
        ValueError: the replay leads to another position than the stored one.
    """
    logged = tuple(
        LoggedAction(row.ply, row.seat, row.user_id, parse_action(row.text), row.at, row.preset) for row in actions
    )
    played = PlayedGame.through(setup_of(game), logged)
    if not _is_stored(played.position, game):
        raise ValueError(f"game {game.code}: the replay does not lead to the position that is stored at ply {game.ply}")
    return played


def _is_stored(position: Position, game: Game) -> bool:
    """Return whether a position is the stored one of its game.

    A digest of an older form cannot be computed any more; then only the ply and the player to move are compared.
    """
    to_act = None if position.is_over else position.player
    if (position.ply, to_act) != (game.ply, game.seat_to_act):
        return False
    return not game.digest.startswith(DIGEST_FORM) or state_digest(position) == game.digest


def replay_span(game: Game, played: PlayedGame, from_ply: int, ply: int) -> Moment:
    """Return a span of a game, from one ply to another, by replaying it.

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


NO_VIEWER: Final = 0
"""The viewer id of a snapshot that is for no particular user."""


@dataclass(frozen=True, slots=True)
class GameSnapshot:
    """A game as one viewer may see it at one moment."""

    game: Game
    played: PlayedGame | None = None
    """The position and log; None if they were not cached."""
    preferences: Preferences | None = None
    """The viewer's preferences, if they were read along with the game."""
    has_pending_move: bool = False
    """True if the viewer has a pending move."""

    @property
    def table(self) -> Table | None:
        """The game with its log and a copy of its position; None if they were not cached."""
        return None if self.played is None else copy_table(self.game, self.played)


class CurrentGame(NamedTuple):
    """A game as stored now, with all that a change of it has to consider."""

    game: Game
    answered: AnsweredInteraction | None
    """The first outcome of the interaction; None if it was not carried out before."""
    pending: PendingMove | None
    """The confirmed move that is not published yet, if there is one."""


class GameReader:
    """Reads games, through the cache or from the log, and owns the locks under which they are changed.

    Methods that take a ``ref`` accept the id of a game or its public code.
    """

    def __init__(
        self, store: Store, clock: Clock, settings: HostSettings, outbox: Outbox, unreadable: UnreadableRows
    ) -> None:
        self._store = store
        self._clock = clock
        self._outbox = outbox
        self._unreadable = unreadable
        self._second_look = settings.second_look.total_seconds()
        self.cache = GameCache(settings.table_bytes, clock)
        self.epochs = Epochs(store, clock, outbox)
        self.locks = KeyedLocks()
        """The lock of each game. It orders the changes of this process; those of other processes are detected when a
        change is stored (compare-and-set)."""
        self.replays = ReplayQueue()

    # -- for viewers ----------------------------------------------------------------------------------------------

    async def snapshot(self, ref: int | str, viewer_id: int = NO_VIEWER) -> GameSnapshot:
        """Return a game as a viewer may see it; with its position only if that is cached and current.

        Raises:
            HostError: ``unknown_game``.
        """
        cache = self.cache
        game_id = cache.id_of(ref)
        cached = None if game_id is None else cache.find(game_id)
        async with self._store.reading() as tx:
            header = None if game_id is None else await game_headers.get(tx, game_id, viewer_id)
            cached_now = None if header is None else self._cached_if_current(header, viewer_id)
            if header is not None and cached_now is not None:
                return GameSnapshot(*cached_now, header.preferences, header.waits)
            game = await self.find(tx, ref)
            waiting = None if viewer_id == NO_VIEWER else await moves.pending_of(tx, game.id)
        if await self._was_restored(cached, game.stamp):
            return await self.snapshot(ref, viewer_id)
        is_own = waiting is not None and (waiting.user_id, waiting.stamp) == (viewer_id, game.stamp)
        return GameSnapshot(game, has_pending_move=is_own)

    async def get(self, ref: int | str) -> Game:
        """Return a game without its position.

        Raises:
            HostError: ``unknown_game``.
        """
        return (await self.snapshot(ref)).game

    async def get_in(self, guild_id: int | None, ref: int | str) -> Game:
        """Return a game without its position, if it belongs to this server.

        Raises:
            HostError: ``unknown_game``, also for a game of another server.
        """
        game = await self.get(ref)
        if game.guild_id != guild_id:
            raise HostError(ErrorCode.UNKNOWN_GAME, ref=ref)
        return game

    async def table(self, ref: int | str | GameSnapshot) -> Table:
        """Return a game with its log and a copy of its position, which the caller may change.

        Raises:
            HostError: ``unknown_game``, ``frozen``.
        """
        return copy_table(*await self.played(ref))

    async def moment(self, ref: int | str, from_ply: int, ply: int) -> Moment:
        """Return the part of a game between two plies, which a card (the message that shows a move) can show.

        Raises:
            HostError: ``unknown_game``, ``frozen``.
            ValueError: the game has no such span.
        """
        return await self._span(*await self.played(ref), from_ply, ply)

    async def moment_of(self, post: Post) -> Moment:
        """Return the span of a game that a post shows, with the clocks and the preferences of the player to move.

        Raises:
            HostError: ``frozen``; ``stale`` if the span was undone.
        """
        from_ply = min(post.from_ply, post.ply)  # an undo leads from a later ply to an earlier one: show only its end
        person = post.game.person_to_act
        snapshot, timing = await self._snapshot_for_card(post.game.id, NO_VIEWER if person is None else person.user_id)
        try:
            moment: Moment | None = await self._span(*await self.played(snapshot), from_ply, post.ply)
        except ValueError:
            moment = None
        is_other = moment is None or moment.taken_back != post.taken_back
        if is_other and await self._store.read(outbox.is_undone, post.id):
            raise HostError(ErrorCode.STALE, revision=post.revision, current=post.game.revision)
        if moment is None:
            raise ValueError(f"game {post.game.code}: no span from {from_ply} to {post.ply}")
        preferences = snapshot.preferences if person else None
        return replace(moment, taken_back=post.taken_back, user_preferences=preferences, timing=timing)

    async def played(self, ref: int | str | GameSnapshot) -> tuple[Game, PlayedGame]:
        """Return a game with its position and log, rebuilt if they are not cached. The caller must not change them.

        Raises:
            HostError: ``unknown_game``, ``frozen``, ``too_much_at_once``.
        """
        snapshot = ref if isinstance(ref, GameSnapshot) else await self.snapshot(ref)
        if snapshot.played is not None:
            return snapshot.game, snapshot.played
        # Under the lock: a replay must not overwrite the newer table of a move that is made meanwhile.
        async with self.replays.turn(), self.locks.hold(snapshot.game.id):
            return await self.load(snapshot.game)

    # -- for changes ----------------------------------------------------------------------------------------------

    async def id_of(self, ref: int | str) -> int:
        """Return the id of a game, given its id or code.

        Raises:
            HostError: ``unknown_game``.
        """
        game_id = ref if isinstance(ref, int) else self.cache.id_of(ref)
        return (await self.get(ref)).id if game_id is None else game_id

    @asynccontextmanager
    async def holding(self, ref: int | str) -> AsyncIterator[int]:
        """Find a game, and hold its lock for the block; yield its id.

        Raises:
            HostError: ``unknown_game``.
        """
        game_id = await self.id_of(ref)
        async with self.locks.hold(game_id):
            yield game_id

    async def current(self, game_id: int, interaction_id: int = 0) -> CurrentGame:
        """Read a game as stored now, before changing it: with its pending move, and the outcome of an interaction.

        Raises:
            HostError: ``unknown_game``.
        """
        cached = self.cache.find(game_id)
        async with self._store.reading() as tx:
            game = await self.find(tx, game_id)
            answered = await moves.interaction_by_id(tx, interaction_id) if interaction_id else None
            pending = await moves.pending_of(tx, game_id)
        if await self._was_restored(cached, game.stamp):
            return await self.current(game_id, interaction_id)
        if pending is not None and pending.stamp != game.stamp:
            pending = None  # obsolete: a release without pending moves has made another move
        return CurrentGame(game, answered if answered is not None and answered.game_id == game_id else None, pending)

    async def find(self, tx: Transaction, ref: int | str) -> Game:
        """Read a game's row in a transaction.

        Raises:
            HostError: ``unknown_game``, ``unreadable``.
        """
        try:
            record = await (games.by_id(tx, ref) if isinstance(ref, int) else games.by_code(tx, ref.strip().upper()))
        except UnreadableError as error:
            self._unreadable.report(error)
            raise HostError(ErrorCode.UNREADABLE, code=ref) from error
        if record is None:
            raise HostError(ErrorCode.UNKNOWN_GAME, ref=ref)
        return record

    async def load(self, game: Game) -> tuple[Game, PlayedGame]:
        """Return a game as stored now, with its position and log; call this under the game's lock.

        ``game`` may be slightly out of date. A game that does not replay is not frozen by this.

        Raises:
            HostError: ``frozen``, ``unreadable``.
        """
        played = self._played(game)
        if game.status is not GameStatus.FROZEN and played is None:
            game, played = await self._read(game.id, level=logging.INFO)
            if played is None:  # once more, at once: another process may have been writing
                game, played = await self._read(game.id, level=logging.WARNING)
        return self._cache_or_refuse(game, played)

    async def load_to_move(self, game: Game) -> tuple[Game, PlayedGame]:
        """Load a game like :meth:`load` before a move; one that does not replay is checked again and may be frozen.

        Raises:
            HostError: ``frozen``, ``unreadable``.
        """
        try:
            return await self.load(game)
        except HostError as error:
            if error.code is not ErrorCode.UNREADABLE:
                raise
        game, played = await self._judge(game.id)
        return self._cache_or_refuse(game, played)

    async def verify(self, game_id: int) -> tuple[Game, bool]:
        """Replay a game; return it as stored afterwards, and whether it replays and is not frozen.

        A running game that fails twice is frozen. A frozen one that replays is thawed, unless an operator froze it.
        """
        game, played = await self._judge(game_id)
        if played is not None and game.status is GameStatus.FROZEN:
            return game, await self._thaw(game)
        return game, played is not None

    def refresh_names(self, game: Game) -> None:
        """Replace the row of a cached game after a player was renamed."""
        cached = self.cache.find(game.id)
        if cached is not None and cached.game.stamp == game.stamp:
            self.cache.store(game, cached.played)

    # -- inside ---------------------------------------------------------------------------------------------------

    def _cached_if_current(self, header: GameHeader, user_id: int) -> tuple[Game, PlayedGame] | None:
        """Return the cached game and its position if the header shows that nothing newer is stored, else None."""
        cached = self.cache.find(header.game_id)
        game = None if cached is None else cached.updated_by(header, user_id)
        if cached is None or game is None:
            return None
        self.cache.store(game, cached.played)
        return game, cached.played

    async def _was_restored(self, cached: CachedGame | None, stamp: Stamp) -> bool:
        """Return whether the stored game is older than the one that was cached when the read began.

        Then the database was restored to an earlier state under the running bot. The game begins a new epoch and is
        evicted from the cache; the caller reads it again.
        """
        if cached is None or (stamp.epoch, stamp.revision) >= (cached.game.epoch, cached.game.revision):
            return False
        await self.epochs.begin_if_behind(cached.game)
        self.cache.evict(cached.game.id)
        return True

    def _cache_or_refuse(self, game: Game, played: PlayedGame | None) -> tuple[Game, PlayedGame]:
        """Cache a game that was read, and return it.

        Raises:
            HostError: ``frozen``; ``unreadable`` if it does not replay.
        """
        if game.status is not GameStatus.FROZEN and played is not None:
            self.cache.store(game, played)
            return game, played
        is_frozen = game.status is not GameStatus.RUNNING
        raise HostError(ErrorCode.FROZEN if is_frozen else ErrorCode.UNREADABLE, code=game.code)

    def _played(self, game: Game) -> PlayedGame | None:
        """Return the cached position and log if no move was stored since, else None."""
        cached = self.cache.find(game.id)
        return cached.played if cached is not None and cached.game.revision == game.revision else None

    async def _judge(self, game_id: int) -> tuple[Game, PlayedGame | None]:
        """Read a game; if it does not replay, read it again after a pause, and freeze it if it has not changed.

        Call this under the game's lock. While a newer release shares the database, this one freezes nothing: the log
        may contain actions that only the newer release can read.
        """
        game, played = await self._read(game_id, level=logging.WARNING)
        if (
            played is not None
            or game.status is not GameStatus.RUNNING
            or await self._outbox.newer_releases.is_running()
        ):
            return game, played
        await asyncio.sleep(self._second_look)
        reread, played = await self._read(game_id, level=logging.ERROR)
        if played is None and reread == game:
            reread = await self._freeze(reread)
        return reread, played

    async def _read(self, game_id: int, *, level: int) -> tuple[Game, PlayedGame | None]:
        """Read row and log of a game in one snapshot and rebuild its position; None if it does not replay.

        ``level`` is the level at which a failure is logged; at ERROR the traceback is included.
        """
        cached = self.cache.find(game_id)
        async with self._store.reading() as tx:
            game = await games.get(tx, game_id)
            actions = await games.log(tx, game_id)
        if await self._was_restored(cached, game.stamp):
            return await self._read(game_id, level=level)
        played = self._played(game)
        if played is not None:
            return game, played
        try:
            rebuilt = await asyncio.to_thread(rebuild, game, actions)
        except Exception as error:
            # A changed engine may fail on an old log in any way: only this game is affected.
            details = error if level >= logging.ERROR else None
            log.log(level, "a game does not replay: %s", error, extra=game_fields(game), exc_info=details)
        else:
            return await self._with_current_digest(game, rebuilt), rebuilt
        return game, None

    async def _with_current_digest(self, game: Game, rebuilt: PlayedGame) -> Game:
        """Return the game with a digest of the present form; one of an older form is replaced in the database."""
        if game.digest.startswith(DIGEST_FORM):
            return game
        digest = state_digest(rebuilt.position)
        await self._store.write(games.replace_digest, game.id, game.ply, game.digest, digest)
        return replace(game, digest=digest)

    async def _freeze(self, game: Game) -> Game:
        """Freeze a game, whose cards cannot be drawn until it is thawed; return it as stored."""
        async with self._outbox.writing(game=game.id) as tx:
            await freeze(tx, game, self._outbox, self._clock.now())
            log.error("game frozen", extra=game_fields(game))
            return await games.get(tx, game.id)

    async def _thaw(self, game: Game) -> bool:
        """Thaw a game that replays again; return False if an operator has frozen it."""
        async with self._outbox.writing(game=game.id) as tx:
            if await operators.hold_reason(tx, game.id) is not None:
                return False
            await thaw(tx, game, self._outbox, self._clock.now())
        log.warning("game thawed: it replays again and goes on", extra=game_fields(game))
        return True

    async def _snapshot_for_card(self, game_id: int, viewer_id: int) -> tuple[GameSnapshot, GameTiming | None]:
        """Return a snapshot with the times that a card shows, in one read if the game is cached."""
        async with self._store.reading() as tx:
            header_and_timing = await game_headers.with_timing(tx, game_id, viewer_id, self._clock.now())
        if header_and_timing is None:
            return await self.snapshot(game_id, viewer_id), None
        header, timing = header_and_timing
        cached = self._cached_if_current(header, viewer_id)
        if cached is None:
            return await self.snapshot(game_id, viewer_id), timing
        return GameSnapshot(*cached, header.preferences, header.waits), timing

    async def _span(self, game: Game, played: PlayedGame, from_ply: int, ply: int) -> Moment:
        """Return a span of a game: at once if it is the newest move, else by a replay."""
        newest = played.span(game, from_ply, ply)
        if newest is not None:
            return newest
        async with self.replays.turn():
            return await asyncio.to_thread(replay_span, game, played, from_ply, ply)


def copy_table(game: Game, played: PlayedGame) -> Table:
    """Return a game with its log and a copy of its position, which the caller may change."""
    return Table(game, played.position.copy(), played.log, played.earlier)
