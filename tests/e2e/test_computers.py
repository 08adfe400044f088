"""Computers at a table in Discord: the owner seats them, they play, and nobody is pinged or asked for them."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta
from random import Random

import pytest

from cogs.presenting.ids import Key, Op
from host import WorkerLimits
from store import TimerKind, timers
from tests.e2e.answers import is_sentence, nothing_changes
from tests.e2e.lobby_cards import lobby_text, open_lobby
from tests.e2e.player import Clicker, Habits, button_for
from tests.e2e.raw_interactions import last_answer, send_press
from tests.e2e.screen import buttons, localized, mentioned_users, says, words
from tests.e2e.table import Table
from tests.host.computers.thinker import FakeThinker

pytestmark = pytest.mark.usefixtures("random_language")

CARD_SECONDS = 60.0
"""Seconds within which a card is posted; generous, for a busy machine."""


@pytest.fixture(autouse=True)
def thinks_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let computers think in this process, at once."""
    monkeypatch.setattr("host.host.WorkerPool", lambda _limits: FakeThinker())
    monkeypatch.setattr("host.games.outbox.READING_PAUSE", timedelta(0))


async def let_think(table: Table, game_id: int = 1) -> None:
    """Let computers decide until a person has to."""
    host = table.bot.host
    await wait_for_card(table, game_id)
    while await host.timer_dispatcher.work():
        await host.computers.idle()
        table.bot.publisher.wake()
        await wait_for_card(table, game_id)


async def wait_for_card(table: Table, game_id: int = 1) -> None:
    """Wait until the card of the newest move is posted."""
    async with asyncio.timeout(CARD_SECONDS):
        while True:
            await table.env.settle()
            game, sent = await table.bot.host.games.get(game_id), await table.bot.host.outbox.last_sent(game_id)
            if sent is not None and sent.revision == game.revision:
                return
            await asyncio.sleep(0.02)


async def test_the_owner_seats_a_computer_and_plays_against_it(table: Table) -> None:
    ana, ben = table.actors[:2]
    lobby = await open_lobby(table, 2, seated=1)
    panel = (await ana.click(lobby, label=localized("button.computers"))).response
    assert panel is not None
    assert panel.ephemeral
    await ana.click(panel, custom_id=str(Key(Op.COMPUTER, "1", 0, "+quick")))
    assert localized("computer.badge", player="Adela") in lobby_text(table)
    sent = send_press(table.env, ben, lobby, str(Key(Op.JOIN, "1")))
    await table.env.settle()
    assert is_sentence("error.lobby_full", last_answer(sent))
    await ana.click(lobby, label=localized("button.start"))
    table.place = table.channel.threads[-1]
    game = await table.bot.host.games.get(1)
    clicker = Clicker(table, Random(1), Habits(quick=True))
    for _ in range(4):
        await let_think(table)
        card = table.card()
        assert ana.id in mentioned_users(card.components)
        await clicker.move(card)
        await wait_for_card(table)
        if (await table.bot.host.games.get(1)).computer_to_act is not None:
            waiting = table.card()
            assert localized("computer.badge", player="Adela") in words(waiting.components)
            assert not any(shown.key.op is Op.PLAY for shown in buttons(waiting.components))
    assert (await table.bot.host.games.get(1)).ply > game.ply + 4


async def test_only_the_owner_seats_computers(table: Table) -> None:
    ana, ben = table.actors[:2]
    lobby = await open_lobby(table, 4, seated=2)
    reading = (await ben.click(lobby, label=localized("button.computers"))).response
    assert reading is not None
    assert not buttons(reading.components)
    with nothing_changes(table):
        for argument in ("+quick", "-Adela"):
            sent = send_press(table.env, ben, reading, str(Key(Op.COMPUTER, "1", 0, argument)))
            await table.env.settle()
            assert is_sentence("error.not_owner", last_answer(sent))
        for argument, refusal in (
            ("+divine", "error.bad_level"),
            ("", "refusal.unknown_button"),
            ("x", "refusal.unknown_button"),
        ):
            panel = (await ana.click(lobby, label=localized("button.computers"))).response
            sent = send_press(table.env, ana, panel, str(Key(Op.COMPUTER, "1", 0, argument)))
            await table.env.settle()
            assert is_sentence(refusal, last_answer(sent))


async def test_a_computer_leaves_the_table_again(table: Table) -> None:
    ana = table.actors[0]
    lobby = await open_lobby(table, 3, seated=1)
    panel = (await ana.click(lobby, label=localized("button.computers"))).response
    added = (await ana.click(panel, custom_id=str(Key(Op.COMPUTER, "1", 0, "+quick")))).response
    await ana.click(added, custom_id=str(Key(Op.COMPUTER, "1", 0, "-Adela")))
    assert localized("computer.badge", player="Adela") not in lobby_text(table)


async def test_a_practice_table_is_opened_by_one_command(table: Table) -> None:
    ana = table.actors[0]
    await ana.slash(table.channel, "carc new", computers=2)
    assert localized("computer.badge", player="Bertram") in lobby_text(table)
    lobby = table.channel.last_message
    await ana.click(lobby, label=localized("button.start"))
    assert len((await table.bot.host.games.get(1)).computers) == 2


async def start_practice(table: Table, level: str) -> FakeThinker:
    """Let Ana start a game against one computer; return what thinks for it."""
    ana = table.actors[0]
    lobby = await open_lobby(table, 2, seated=1)
    panel = (await ana.click(lobby, label=localized("button.computers"))).response
    await ana.click(panel, custom_id=str(Key(Op.COMPUTER, "1", 0, f"+{level}")))
    await ana.click(lobby, label=localized("button.start"))
    table.place = table.channel.threads[-1]
    thinker = table.bot.host.computers._thinker
    assert isinstance(thinker, FakeThinker)
    return thinker


async def move_until_computer(table: Table) -> None:
    """Let computers decide, and Ana move if it is her turn."""
    await let_think(table)
    if (await table.bot.host.games.get(1)).computer_to_act is None:
        await Clicker(table, Random(1), Habits(quick=True)).move(table.card())
        await let_think(table)


async def count_notices(table: Table, key: str) -> int:
    """Return how many messages of the game's thread say this, once there is one and everything is posted."""
    count = 0
    async with asyncio.timeout(CARD_SECONDS):
        while not count or table.bot.publisher.queue.busy:
            table.bot.publisher.wake()
            await table.env.settle()
            await asyncio.sleep(0.02)
            count = sum(says(words(message.components), key) for message in table.cards())
    return count


async def test_a_computer_that_does_not_decide_says_so_once(table: Table) -> None:
    thinker = await start_practice(table, "quick")
    thinker.failing = ("quick",)
    await move_until_computer(table)
    assert await count_notices(table, "card.stalled") == 1
    timer = await table.bot.host._store.read(timers.due_at, 1, TimerKind.THINK)
    assert timer is not None, "it is tried again"


async def test_somebody_takes_the_seat_of_a_computer_that_does_not_decide(table: Table) -> None:
    ana, ben = table.actors[:2]
    thinker = await start_practice(table, "quick")
    thinker.failing = ("quick",)
    await move_until_computer(table)
    await count_notices(table, "card.stalled")
    offer = next(card for card in table.cards() if says(words(card.components), "card.stalled"))
    answer = (await ben.click(offer.handle, custom_id=button_for(offer, Op.TAKE).custom_id)).response
    assert answer is not None
    assert says(words(answer.components), "asking.asked")
    await count_notices(table, "asking.take_question")
    question = table.card()
    assert localized("computer.badge", player="Adela") in words(question.components)
    await ana.click(question.handle, custom_id=button_for(question, Op.AGREE).custom_id)
    await wait_for_card(table)
    game = await table.bot.host.games.get(1)
    assert game.person_to_act is not None
    assert game.person_to_act.user_id == ben.id
    assert ben.id in mentioned_users(table.card().components)


async def test_computers_that_have_thought_enough_today_play_on_quickly(table: Table) -> None:
    thinker = await start_practice(table, "standard")
    table.bot.host.thinking_time._limits = WorkerLimits(person_seconds=1.0)
    thinker.seconds = 1.0
    for _ in range(3):
        await move_until_computer(table)
    assert {thought.level for thought in thinker.told} == {"standard", "quick"}
    assert await count_notices(table, "card.spent") == 1


async def test_the_log_says_that_a_computer_was_updated(table: Table) -> None:
    ana, thinker = table.actors[0], await start_practice(table, "quick")
    for version in (1, 2):
        thinker.version = version
        answer = (await ana.slash(table.place, "carc log")).response
        assert answer is not None
        assert not says(words(answer.components), "log.updated")
        await move_until_computer(table)
    await move_until_computer(table)
    answer = (await ana.slash(table.place, "carc log")).response
    assert answer is not None
    assert says(words(answer.components), "log.updated")


async def test_a_bot_without_computers_says_so_where_they_are_added(table: Table) -> None:
    ana = table.actors[0]
    table.bot.host.lobbies._settings = replace(table.bot.host.lobbies._settings, workers=WorkerLimits(workers=0))
    answer = (await ana.slash(table.channel, "carc new", computers=1)).response
    assert answer is not None
    assert says(words(answer.components), "error.no_computers")
    lobby = await open_lobby(table, 2, seated=1)
    panel = (await ana.click(lobby, label=localized("button.computers"))).response
    assert panel is not None
    assert says(words(panel.components), "error.no_computers")
    assert not buttons(panel.components)


async def test_an_undo_against_computers_asks_nobody(table: Table) -> None:
    ana = table.actors[0]
    await ana.slash(table.channel, "carc new", computers=1, expansions="base")
    await ana.click(table.channel.last_message, label=localized("button.start"))
    table.place = table.channel.threads[-1]
    await let_think(table)
    await Clicker(table, Random(1), Habits(quick=True)).move(table.card())
    await let_think(table)
    before = await table.bot.host.games.get(1)
    answer = await ana.slash(table.place, "carc undo")
    await let_think(table)
    after = await table.bot.host.games.get(1)
    assert after.revision > before.revision
    assert after.ply < before.ply
    assert answer.response is not None
