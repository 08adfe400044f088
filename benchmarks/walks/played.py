"""The walks that are measured: each plays something on the real bot and a real database, and records the calls.

A walk warms the bot up before it starts to record (``trace.recording()``). Every picture is a stub of one pixel.
Sprites are drawn in advance by background threads, as always; a walk waits for them, so that its record does not depend
on their timing.
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
POLL_SECONDS: Final = 0.01
"""Interval of the checks whether sprites are still being drawn."""
FIRST_REMINDER_HOURS: Final = 41
"""Hours after which the first reminder is due: half of the eighty hours that the pace gives, and one."""


class WalkError(Exception):
    """The game or event took another course than the walk expects."""


@asynccontextmanager
async def _open_table(database: Path) -> AsyncIterator[Table]:
    """Open a table with stubbed pictures; events open their games without a pause."""
    with pytest.MonkeyPatch.context() as patch:
        stub_pictures(patch)
        patch.setattr(log, "GAME_CREATION_SPACING", timedelta(0))
        async with open_table(database, seed=SEED) as table:
            await _wait_for_sprites(table)
            yield table


async def _wait_for_sprites(table: Table) -> None:
    """Wait until no thread draws sprites in advance."""
    render_pool = table.bot.render_pool
    while render_pool._ahead or render_pool._stepping:  # noqa: ASYNC110 - the threads have no event
        await asyncio.sleep(POLL_SECONDS)


# -- a bid -------------------------------------------------------------------------------------------------------


async def bid(trace: Trace, database: Path, *, careful: bool) -> None:
    """Record the second bid of an auction, from the press until its card is posted and the old card has no buttons.

    The first bid warms the bot up. A quick player presses once, a careful one also confirms.
    """
    async with _play_to_auction(database, careful=careful) as table:
        await _make_bid(table, trace=None)
        await _make_bid(table, trace)


@asynccontextmanager
async def _play_to_auction(database: Path, *, careful: bool) -> AsyncIterator[Table]:
    """Open a table, and play until the first bid of an auction is due."""
    async with _open_table(database) as table:
        await table.start(BIDDERS, expansions=BCB)
        for actor in table.actors:
            await table.bot.host.preferences.set(actor.id, Preferences(confirm=careful))
        clicker = Clicker(table, Random(1), Habits(quick=not careful, typing=0.0))
        while not _is_play_to_auction(table):
            await clicker.move(table.card())
            await _settle(table)
        yield table


def _is_play_to_auction(table: Table) -> bool:
    return isinstance(table.stored().replayed().step, BidOnLot)


async def _make_bid(table: Table, trace: Trace | None) -> None:
    """Let the player who is asked make the lowest bid that has a button."""
    card, cards, stored = table.card(), len(table.cards()), table.stored()
    [member] = mentioned_users(card.components)[:1]
    button = next(button for button in buttons_by_kind(card.components)[Kind.ACT] if "bid" in button.key.argument)
    shown = await _press(table, member, card, button.custom_id, trace)
    for confirm in buttons_by_kind(shown.components).get(Kind.CONFIRM, ()):
        await _press(table, member, shown, confirm.custom_id, trace)
    log = table.stored().log
    if len(log) != len(stored.log) + 1 or not log[-1].startswith("bid") or len(table.cards()) != cards + 1:
        raise WalkError(f"{stored.log} became {log}, with {cards} cards before and {len(table.cards())} now")


async def _press(table: Table, member: int, shown: Shown, custom_id: str, trace: Trace | None) -> Shown:
    """Press a button, wait until the bot has settled, and return the visible effect."""
    if trace is None:
        effect = await table.press(member, shown, custom_id)
        await _settle(table)
        return effect
    with trace.recording():
        return await _press(table, member, shown, custom_id, trace=None)


async def _settle(table: Table) -> None:
    """Wait until all cards are posted; simcord, the offline Discord, does not wait for the publisher's threads."""
    await table.env.settle()
    if table.bot.publisher.queue.worker is not None:
        await table.bot.publisher.queue.worker
    await table.env.settle()
    await _wait_for_sprites(table)


# -- a clock -----------------------------------------------------------------------------------------------------


async def clock(trace: Trace, database: Path) -> None:
    """Record a clock by host and store alone, from the posted card that starts it to the reminder in the outbox."""
    time, store = SettableClock(), await open_store(database)
    host = Host(store, clock=time, settings=HostSettings(new_seed=lambda: SEED))
    game = await open_game(host, ADA, BEN, CLEO)
    with trace.recording():
        await send_posts_counting_reminders(host)  # records the card as posted
    await advance_with_heartbeat(host, time, FIRST_REMINDER_HOURS * 3600)
    with trace.recording():
        await host.timer_dispatcher.work()
    due = await host.outbox.due()
    await store.close()
    if [(post.kind, post.game_id) for post in due] != [(PostKind.REMINDER, game.id)]:
        raise WalkError(due)


# -- an event ----------------------------------------------------------------------------------------------------


async def whole_event(trace: Trace, database: Path, *, restarts: bool) -> None:
    """Record an event through Discord: planning, sign-up, check-in, two rounds of duels, podium, export.

    The second player of each game resigns. With ``restarts`` the bot is restarted before each round.
    """
    async with _open_table(database) as table:
        cup = EventTable(table)
        with trace.recording():
            await _sign_up(cup)
            await _play_rounds(cup, restarts=restarts)
            await _query_results(cup)
            await _wait_for_sprites(table)


async def _sign_up(cup: EventTable) -> None:
    """Plan and announce an event; let all entrants enter and check in."""
    await open_event(cup, "duel-weekend", rounds="2", pace="live")
    entrants, card = cup.table.actors[:ENTRANTS], cup.messages[0]
    for actor in entrants:
        await cup.press(actor, card, t("button.join"))
    await cup.settle(1)
    await cup.send_command(cup.organiser, "manage do", what="checkin", event=cup.code)
    await cup.settle(2)
    asked = cup.find_message("check-in")
    for actor in entrants:
        await cup.press(actor, asked, t("event.button.check_in"))


async def _play_rounds(cup: EventTable, *, restarts: bool) -> None:
    """Start the event, and play its rounds."""
    if restarts:
        await _restart(cup)
    await cup.send_command(cup.organiser, "manage do", what="start", event=cup.code)
    await cup.settle()
    games = await cup.play_all()
    await cup.settle()
    if restarts:
        await _restart(cup)
    games += await cup.play_all()
    await cup.settle()
    if games != ENTRANTS or not any("🥇" in words for words in cup.public_texts):
        raise WalkError(f"{games} games, and the last of {len(cup.public_texts)} messages is {cup.public_texts[-1]}")


async def _restart(cup: EventTable) -> None:
    """Replace the bot by a new one, as a restart does."""
    await _wait_for_sprites(cup.table)  # the old bot would drop its unfinished sprites
    await cup.table.restart()
    await cup.settle()


async def _query_results(cup: EventTable) -> None:
    """Send the commands that show the results."""
    first, second = cup.table.actors[:2]
    await cup.send_command(first, "show", page="standings", event=cup.code)
    await cup.send_command(first, "explain", player=first, other=second, event=cup.code)
    await cup.send_command(first, "show", page="log", event=cup.code)
    await cup.send_command(first, "show", page="files", event=cup.code)


# -- all walks ---------------------------------------------------------------------------------------------------

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
