"""Publishing and undoing, interrupted at every statement: after a restart each has happened once, or happens then."""

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


class StoppedError(BaseException):
    """The process is no more."""


class Guillotine:
    """Stops at the n-th statement of a writing transaction, or when it is committed."""

    def __init__(self, at: int) -> None:
        self.left = at
        self.fell = False

    def step(self) -> None:
        self.left -= 1
        if self.left < 0:
            self.fell = True
            raise StoppedError


@contextmanager
def stopped_at(number: int) -> Iterator[Guillotine]:
    """Every statement within a writing transaction counts, and so does its end, before and after the commit."""
    guillotine, execute, writing = Guillotine(number), AsyncConnection.execute, Store.writing
    inside = False

    async def counted(self: AsyncConnection, *args: object, **options: object) -> object:
        if inside:
            guillotine.step()
        return await execute(self, *args, **options)  # type: ignore[call-overload]

    @asynccontextmanager
    async def watched(self: Store, *names: str, **about: Any) -> AsyncIterator[AsyncConnection]:
        nonlocal inside
        async with writing(self, *names, **about) as tx:
            inside = True
            try:
                yield tx
                guillotine.step()
            finally:
                inside = False
        guillotine.step()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(AsyncConnection, "execute", counted)
        patch.setattr(Store, "writing", watched)
        yield guillotine


async def rows(host: Host, table: str) -> int:
    async with host._store.reading() as tx:
        return int(await tx.scalar(text(f"select count(*) from {table}")) or 0)  # noqa: S608


async def confirmed(host: Host, game: Game) -> None:
    table = await host.games.table(game.id)
    user_id = table.game.seats[table.position.player].user_id
    action = random_action(table.position, Random(1))
    await host.moves.act(game.id, user_id, table.game.revision, [action], click_id(), window=WINDOW)


async def test_publishing(new_host: NewHost, clock: SettableClock) -> None:
    """By the sweep, which comes again."""
    for number in count():
        host = await new_host()
        game = await start_game(host)
        cards, done = await rows(host, "outbox"), await rows(host, "processed_interactions")
        await confirmed(host, game)
        clock.advance(60)
        with stopped_at(number) as guillotine, suppress(StoppedError):
            await host.timer_dispatcher.work()
        again = await new_host()
        clock.advance(61)
        await again.timer_dispatcher.work()
        table = await again.games.table(game.id)
        assert (table.game.revision, len(table.log)) == (1, 1), number
        assert (await rows(again, "outbox"), await rows(again, "processed_interactions")) == (cards + 1, done + 1)
        assert await rows(again, "pending") == 0
        if not guillotine.fell:
            assert number > 5
            return


async def test_undoing(new_host: NewHost) -> None:
    """The last player asked answers, and presses again because no reply came."""
    for number in count():
        host = await new_host()
        game = await start_game(host)
        asker = game.seats[(await host.games.table(game.id)).position.player].user_id
        await play_random_action(host, game.id, Random(number))
        request = await host.undo.request(game.id, asker, None, click_id())
        first, second = request.voters
        await host.votes.answer(game.id, request.id, first, click_id(), agrees=True)
        cards, pressed = await rows(host, "outbox"), click_id()
        with stopped_at(number) as guillotine, suppress(StoppedError):
            await host.votes.answer(game.id, request.id, second, pressed, agrees=True)
        again = await new_host()
        with suppress(HostError):
            await again.votes.answer(game.id, request.id, second, pressed, agrees=True)
        table = await again.games.table(game.id)
        assert (table.game.revision, len(table.log)) == (2, 0), number
        assert len(await again.undo.undone(game.id)) == 1
        assert await rows(again, "outbox") == cards + 1
        if not guillotine.fell:
            assert number > 8
            return
