"""Publishing and undoing while the process dies at each statement in turn: after a restart each happens once.

A confirmed move is *pending* until its window, 60 seconds here, has passed; then it is published. The process dies at
the n-th statement, for each n, by an exception that no handler catches.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from datetime import timedelta
from itertools import count
from random import Random
from typing import Any

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from engine.selfplay import random_action
from host import Game, Host, HostError
from store import Store
from tests.host.conftest import NewHost
from tests.host.people import SettableClock, click_id, play_random_action, start_game

WINDOW = timedelta(seconds=60)
"""Time in which a confirmed move is not yet published."""


class StoppedError(BaseException):
    """Stands for the end of the process; a `BaseException`, so that no handler catches it."""


class Interrupter:
    """Raises `StoppedError` at the n-th statement of a writing transaction, counting its commit twice."""

    def __init__(self, at: int) -> None:
        self.remaining = at
        self.stopped = False

    def step(self) -> None:
        """Count one statement; end the process if it is the n-th."""
        self.remaining -= 1
        if self.remaining < 0:
            self.stopped = True
            raise StoppedError


@contextmanager
def stopped_at(number: int) -> Iterator[Interrupter]:
    """Stop the process at this statement of writing transactions; before and after a commit counts as one each."""
    interrupter, execute, writing = Interrupter(number), AsyncConnection.execute, Store.writing
    inside = False

    async def counted(self: AsyncConnection, *args: object, **options: object) -> object:
        if inside:
            interrupter.step()
        return await execute(self, *args, **options)  # type: ignore[call-overload]

    @asynccontextmanager
    async def watched(self: Store, *names: str, **about: Any) -> AsyncIterator[AsyncConnection]:
        nonlocal inside
        async with writing(self, *names, **about) as tx:
            inside = True
            try:
                yield tx
                interrupter.step()
            finally:
                inside = False
        interrupter.step()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(AsyncConnection, "execute", counted)
        patch.setattr(Store, "writing", watched)
        yield interrupter


async def count_rows(host: Host, table: str) -> int:
    """Return the number of rows of a table."""
    async with host._store.reading() as tx:
        return int(await tx.scalar(text(f"select count(*) from {table}")) or 0)  # noqa: S608


async def confirm_move(host: Host, game: Game) -> None:
    """Make a random move that waits a minute to be published."""
    table = await host.games.table(game.id)
    user_id = table.game.seats[table.position.player].user_id
    action = random_action(table.position, Random(1))
    await host.moves.act(game.id, user_id, table.game.revision, [action], click_id(), window=WINDOW)


async def test_an_interrupted_publication_happens_once(new_host: NewHost, clock: SettableClock) -> None:
    """Interrupt the timer dispatcher; after the restart it publishes the move, unless that is done already."""
    for number in count():
        host = await new_host()
        game = await start_game(host)
        cards, processed = await count_rows(host, "outbox"), await count_rows(host, "processed_interactions")
        await confirm_move(host, game)
        clock.advance(60)
        with stopped_at(number) as interrupter, suppress(StoppedError):
            await host.timer_dispatcher.work()
        again = await new_host()
        clock.advance(61)
        await again.timer_dispatcher.work()
        table = await again.games.table(game.id)
        assert (table.game.revision, len(table.log)) == (1, 1), number
        assert (await count_rows(again, "outbox"), await count_rows(again, "processed_interactions")) == (
            cards + 1,
            processed + 1,
        )
        assert await count_rows(again, "pending") == 0
        if not interrupter.stopped:
            assert number > 5
            return


async def test_an_interrupted_undo_happens_once(new_host: NewHost) -> None:
    """Interrupt the last vote; the voter presses again after the restart."""
    for number in count():
        host = await new_host()
        game = await start_game(host)
        asker = game.seats[(await host.games.table(game.id)).position.player].user_id
        await play_random_action(host, game.id, Random(number))
        request = await host.undo.request(game.id, asker, None, click_id())
        first, second = request.voters
        await host.votes.answer(game.id, request.id, first, click_id(), agrees=True)
        cards, pressed = await count_rows(host, "outbox"), click_id()
        with stopped_at(number) as interrupter, suppress(StoppedError):
            await host.votes.answer(game.id, request.id, second, pressed, agrees=True)
        again = await new_host()
        with suppress(HostError):
            await again.votes.answer(game.id, request.id, second, pressed, agrees=True)
        table = await again.games.table(game.id)
        assert (table.game.revision, len(table.log)) == (2, 0), number
        assert len(await again.undo.undone(game.id)) == 1
        assert await count_rows(again, "outbox") == cards + 1
        if not interrupter.stopped:
            assert number > 8
            return
