"""The walks: what is played on the real bot and a real database, and which of it is recorded.

Every picture is one pixel. Tiles are drawn ahead as always, and waited for, since threads do that when they come to it.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from datetime import timedelta
from functools import partial
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Final

import pytest

from benchmarks.walks.trace import RecordedWalk, Trace
from cogs.texts import t
from engine.carcassonne.expansions import BCB
from engine.carcassonne.expansions.bridges_castles_bazaars import BidOnLot
from host import Host, HostSettings, PostKind, Preferences
from host.events import log
from tests.e2e.event_table import EventTable, open_event
from tests.e2e.pictures import stub_pictures
from tests.e2e.player import Clicker, Habits, Shown
from tests.e2e.screen import Kind, buttons_by_kind, mentioned_users
from tests.e2e.table import Table, open_table
from tests.host.people import ADA, BEN, CLEO, SettableClock
from tests.host.test_clocks import advance_with_heartbeat, open_game
from tests.host.test_reminders import send_posts_counting_reminders
from tests.store.empty_database import open_store

SEED: Final = "one"
"""The seed of a game whose first tile opens a bazaar."""
BIDDERS: Final = 4
ENTRANTS: Final = 4
PAUSE_SECONDS: Final = 0.01
"""Seconds between two looks at what is drawn ahead."""
HALF_OF_THE_TIME_HOURS: Final = 41
"""Hours after which the first reminder is due, at the pace that gives eighty."""


class WalkError(Exception):
    """Something else happened than what was to be recorded."""


@asynccontextmanager
async def _seated(database: Path) -> AsyncIterator[Table]:
    """A channel with members and the bot, which draws nothing that is asked for and opens games without a pause."""
    with pytest.MonkeyPatch.context() as patch:
        stub_pictures(patch)
        patch.setattr(log, "PACED", timedelta(0))
        async with open_table(database, seed=SEED) as table:
            await _drawn_ahead(table)
            yield table


async def _drawn_ahead(table: Table) -> None:
    """Wait until no thread draws ahead."""
    render_pool = table.bot.render_pool
    while render_pool._ahead or render_pool._stepping:  # noqa: ASYNC110 - the threads tell nobody when they are through
        await asyncio.sleep(PAUSE_SECONDS)


# -- a bid -------------------------------------------------------------------------------------------------------


async def bid(trace: Trace, database: Path, *, careful: bool) -> None:
    """Record the second bid of an auction, from the press until its card is posted and the one before has no buttons.

    The bid before it has warmed the bot up. A quick player presses once, a careful one confirms.
    """
    async with _auction(database, careful=careful) as table:
        await _bid(table, trace=None)
        await _bid(table, trace)


@asynccontextmanager
async def _auction(database: Path, *, careful: bool) -> AsyncIterator[Table]:
    async with _seated(database) as table:
        await table.start(BIDDERS, expansions=BCB)
        for actor in table.actors:
            await table.bot.host.preferences.set(actor.id, Preferences(confirm=careful))
        clicker = Clicker(table, Random(1), Habits(quick=not careful, typing=0.0))
        while not _is_auction(table):
            await clicker.move(table.card())
            await _settled(table)
        yield table


def _is_auction(table: Table) -> bool:
    return isinstance(table.stored().replayed().step, BidOnLot)


async def _bid(table: Table, trace: Trace | None) -> None:
    """Let whoever is asked bid the least that has a button."""
    card, cards, stored = table.card(), len(table.cards()), table.stored()
    [member] = mentioned_users(card.components)[:1]
    button = next(button for button in buttons_by_kind(card.components)[Kind.ACT] if "bid" in button.key.argument)
    shown = await _pressed(table, member, card, button.custom_id, trace)
    for confirm in buttons_by_kind(shown.components).get(Kind.CONFIRM, ()):
        await _pressed(table, member, shown, confirm.custom_id, trace)
    log = table.stored().log
    if len(log) != len(stored.log) + 1 or not log[-1].startswith("bid") or len(table.cards()) != cards + 1:
        raise WalkError(f"{stored.log} became {log}, with {cards} cards before and {len(table.cards())} now")


async def _pressed(table: Table, member: int, shown: Shown, custom_id: str, trace: Trace | None) -> Shown:
    """Press a button, and wait for all that it sets off; what is shown then."""
    if trace is None:
        found = await table.press(member, shown, custom_id)
        await _settled(table)
        return found
    with trace.recording():
        return await _pressed(table, member, shown, custom_id, trace=None)


async def _settled(table: Table) -> None:
    """Wait until all cards are posted; the offline Discord does not see what threads do for them."""
    await table.env.settle()
    if table.bot.publisher.queue.worker is not None:
        await table.bot.publisher.queue.worker
    await table.env.settle()
    await _drawn_ahead(table)


# -- a clock -----------------------------------------------------------------------------------------------------


async def clock(trace: Trace, database: Path) -> None:
    """Record a clock of host and store alone, from the sent card that starts it to the reminder in the outbox."""
    time, store = SettableClock(), await open_store(database)
    host = Host(store, clock=time, settings=HostSettings(new_seed=lambda: SEED))
    game = await open_game(host, ADA, BEN, CLEO)
    with trace.recording():
        await send_posts_counting_reminders(host)  # Discord takes the card
    await advance_with_heartbeat(host, time, HALF_OF_THE_TIME_HOURS * 3600)
    with trace.recording():
        await host.timer_dispatcher.work()
    due = await host.outbox.due()
    await store.close()
    if [(post.kind, post.game_id) for post in due] != [(PostKind.REMINDER, game.id)]:
        raise WalkError(due)


# -- an event ----------------------------------------------------------------------------------------------------


async def whole_event(trace: Trace, database: Path, *, restarts: bool) -> None:
    """Record an event through Discord: planned, signed up, checked in, two rounds of duels, podium, export.

    Whoever sits second leaves each game. With ``restarts`` the bot is restarted before each round.
    """
    async with _seated(database) as table:
        cup = EventTable(table)
        with trace.recording():
            await _signed_up(cup)
            await _played(cup, restarts=restarts)
            await _looked_up(cup)
            await _drawn_ahead(table)


async def _signed_up(cup: EventTable) -> None:
    """Plan and announce an event, let everybody enter and check in."""
    await open_event(cup, "duel-weekend", rounds="2", pace="live")
    entrants, card = cup.table.actors[:ENTRANTS], cup.messages[0]
    for actor in entrants:
        await cup.press(actor, card, t("button.join"))
    await cup.settle(1)
    await cup.typed(cup.boss, "manage do", what="checkin", event=cup.code)
    await cup.settle(2)
    asked = cup.with_words("check-in")
    for actor in entrants:
        await cup.press(actor, asked, t("event.button.check_in"))


async def _played(cup: EventTable, *, restarts: bool) -> None:
    """Start the event, and play its rounds."""
    if restarts:
        await _restarted(cup)
    await cup.typed(cup.boss, "manage do", what="start", event=cup.code)
    await cup.settle()
    games = await cup.play_all()
    await cup.settle()
    if restarts:
        await _restarted(cup)
    games += await cup.play_all()
    await cup.settle()
    if games != ENTRANTS or not any("🥇" in words for words in cup.said):
        raise WalkError(f"{games} games, and the last of {len(cup.said)} messages is {cup.said[-1]}")


async def _restarted(cup: EventTable) -> None:
    """Let another process take over."""
    await _drawn_ahead(cup.table)  # the old one would drop what it has not drawn
    await cup.table.restart()
    await cup.settle()


async def _looked_up(cup: EventTable) -> None:
    """Ask for what can be looked up at the end."""
    one, other = cup.table.actors[:2]
    await cup.typed(one, "standings", event=cup.code)
    await cup.typed(one, "explain", player=one, other=other, event=cup.code)
    await cup.typed(one, "audit", event=cup.code)
    await cup.typed(one, "export", event=cup.code)


# -- all of them -------------------------------------------------------------------------------------------------

WALKS: Final[Mapping[str, Callable[[Trace, Path], Awaitable[None]]]] = {
    "bid": partial(bid, careful=False),
    "careful bid": partial(bid, careful=True),
    "clock": clock,
    "event": partial(whole_event, restarts=False),
    "event with restarts": partial(whole_event, restarts=True),
}
"""All walks by name."""


def record(name: str) -> RecordedWalk:
    """Record a walk in this process."""
    trace = Trace()
    with TemporaryDirectory() as folder, trace.installed():
        asyncio.run(WALKS[name](trace, Path(folder) / "games.sqlite3"))
    return trace.walk()
