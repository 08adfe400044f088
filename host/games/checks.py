"""Checks of unfinished games: each is replayed once after a start, and frozen if it no longer replays."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from functools import partial

from host.games.reader import GameReader
from host.observability import UnreadableRows
from host.retry import retry_forever
from host.values import CheckReport
from store import Game, GameStatus, Store, UnreadableError, games


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
