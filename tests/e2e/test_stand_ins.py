"""Computers that take over seats, in Discord: the setting of a table, the vote, and the button to come back.

Ana and Ben play; Cleo has no seat.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import timedelta
from random import Random
from typing import Any

import pytest
import simcord

from cogs.presenting.ids import Key, Op
from store import personal_data
from tests.e2e.answers import is_sentence, nothing_changes
from tests.e2e.lobby_cards import lobby_text, open_lobby
from tests.e2e.player import Clicker, Habits, Shown, button_for, offered_ops
from tests.e2e.raw_interactions import last_answer, send_press
from tests.e2e.screen import buttons, localized, mentioned_users, says, words
from tests.e2e.table import Table, wait_until_posted
from tests.e2e.test_appointments import TYPED
from tests.e2e.test_computers import let_think, wait_for_card
from tests.e2e.test_leaks import ACTING_COMMANDS, READING_COMMANDS
from tests.host.computers.thinker import FakeThinker

pytestmark = pytest.mark.usefixtures("random_language")

OTHER_COMMANDS = frozenset({"new", "learn", "challenge", "resign", "manage", "import", "replay"})
"""Commands that say nothing about the players of a game, or end it."""
MENTION = re.compile(r"<@[!&]?([^>]*)>")
"""A mention of a user or of a role."""


@pytest.fixture(autouse=True)
def thinks_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let computers think in this process, at once."""
    monkeypatch.setattr("host.host.WorkerPool", lambda _limits: FakeThinker())
    monkeypatch.setattr("host.games.outbox.READING_PAUSE", timedelta(0))


async def start(table: Table, *, computers: int = 0, stand_in: str = "quick", players: int = 2) -> None:
    """Start a game of the first members and of computers; a computer of this level takes the seat of who leaves."""
    ana = table.actors[0]
    lobby = await open_lobby(table, players + computers, seated=players)
    if stand_in:
        panel = table.shown(await ana.click(lobby, label=localized("button.ruling")))
        panel = await table.press(ana.id, panel, str(Key(Op.CHANGE, "1", 0, "table")))
        await table.press(ana.id, panel, str(Key(Op.CHANGE, "1", 0, f"table standin {stand_in}")))
        level = localized(f"computer.level.{stand_in}")
        assert localized("rules.stand_in", level=level) in lobby_text(table)
    for _ in range(computers):
        panel = table.shown(await ana.click(lobby, label=localized("button.computers")))
        await table.press(ana.id, panel, str(Key(Op.COMPUTER, "1", 0, "+quick")))
    await ana.click(lobby, label=localized("button.start"))
    table.place = table.channel.threads[-1]
    await let_think(table)


async def resign(table: Table, actor: simcord.MemberActor) -> Shown:
    """Leave the game by the command and its confirmation; return the last answer."""
    panel = table.shown(await actor.slash(table.place, "carc resign"))
    answer = await table.press(actor.id, panel, button_for(panel, Op.RESIGN).custom_id)
    await wait_for_card(table)
    return answer


async def test_a_computer_plays_for_who_leaves_until_they_come_back(table: Table) -> None:
    await start(table)
    ana, ben, cleo = table.actors[:3]
    panel = table.shown(await ben.slash(table.place, "carc resign"))
    assert says(words(panel.components), "resign.ask_stand_in")
    answer = await table.press(ben.id, panel, button_for(panel, Op.RESIGN).custom_id)
    assert says(words(answer.components), "resign.stood_in")
    await wait_for_card(table)
    adela = localized("computer.badge", player="Adela")
    assert localized("card.stood_in", computer=adela, player="Ben") in words(table.card().components)
    await let_think(table)
    await table.restart()
    await let_think(table)
    card = table.card()
    back = button_for(card, Op.RETURN).custom_id
    assert mentioned_users(card.components) == [ana.id]
    with nothing_changes(table):
        for stranger in (ana, cleo):
            sent = send_press(table.env, stranger, card.handle, back)
            await table.env.settle()
            assert is_sentence("error.not_awaited", last_answer(sent))
    sent = send_press(table.env, ben, card.handle, back)
    sent.resend()
    await table.env.settle()
    await wait_for_card(table)
    assert says(last_answer(sent), "computer.returned")
    assert set(table.stored().seats) == {ana.id, ben.id}
    returned = table.card()
    assert localized("card.came_back", computer=adela, player="Ben") in words(returned.components)
    assert Op.RETURN not in offered_ops(returned)
    with nothing_changes(table):
        stale = send_press(table.env, ben, card.handle, back)
        await table.env.settle()
        assert is_sentence("error.not_awaited", last_answer(stale))
    log = words(table.shown(await ana.slash(table.place, "carc log")).components)
    assert says(log, "log.taken_over")
    assert adela in log


async def test_the_others_agree_to_a_computer(table: Table) -> None:
    await start(table, stand_in="")
    ana, ben = table.actors[:2]
    offer = table.shown(await ana.slash(table.place, "carc absent", player="Ben"))
    assert says(words(offer.components), "asking.withdraw_offer")
    assert says(words(offer.components), "asking.computer_offer")
    assert words(offer.components).count(localized("asking.silence_no")) == 1, "both are asked of the same players"
    levels = [localized(f"computer.level.{level}") for level in ("quick", "standard", "strong")]
    labels = [localized("button.withdraw"), *(localized("button.computer_seat", level=level) for level in levels)]
    assert [button.label for button in buttons(offer.components)] == labels
    await table.press(ana.id, offer, str(Key(Op.SEAT, table.stored().code, 0, f"{ben.id} +quick")))
    await wait_until_posted(table)
    question = table.card()
    assert set(mentioned_users(question.components)) == {ben.id}
    assert says(words(question.components), "asking.computer_question")
    await table.press(ben.id, question, button_for(question, Op.AGREE).custom_id)
    await wait_for_card(table)
    assert set(table.stored().seats) == {ana.id, None}
    own = table.shown(await ana.slash(table.place, "carc absent", player="Ana"))
    assert is_sentence("error.own_seat", words(own.components)), "nobody else would be left"


async def test_forged_requests_for_computers_are_refused(table: Table) -> None:
    await start(table, stand_in="")
    ana, ben = table.actors[:2]
    offer = table.shown(await ana.slash(table.place, "carc absent", player="Ben"))
    code = table.stored().code
    with nothing_changes(table):
        for argument, refusal in (
            (f"{ben.id} +divine", "error.bad_level"),
            (f"{ben.id} +", "refusal.unknown_button"),
            ("+quick", "refusal.unknown_button"),
        ):
            sent = send_press(table.env, ana, offer.handle, str(Key(Op.SEAT, code, 0, argument)))
            await table.env.settle()
            assert is_sentence(refusal, last_answer(sent)), argument


async def test_too_many_computers_are_refused_in_a_sentence(table: Table) -> None:
    ana = table.actors[0]
    for options in ({"players": 2, "computers": 3}, {"game": "the-castle", "computers": 5}):
        answer = table.shown(await ana.slash(table.channel, "carc new", **options))
        assert is_sentence("error.too_many_computers", words(answer.components)), options
    await ana.slash(table.channel, "carc new", players=3, computers=2)
    assert localized("computer.badge", player="Bertram") in lobby_text(table)


async def test_the_card_says_that_a_computer_will_play_for_who_left_the_server(table: Table) -> None:
    await start(table)
    ana, ben = table.actors[:2]
    host, guild = table.bot.host, table.channel.guild
    assert guild is not None
    guild.remove_member(ben)
    for kind in ("present", "left"):
        table.bot.lookups._cache.clear()
        async with host._store.writing() as tx:
            await tx.exec_driver_sql("update timers set due_at = 0 where kind = ?", (kind,))
        await host.timer_dispatcher.work()
        if kind == "present":
            await table.bot.publisher.show_again(await host.games.get(1))
            await table.env.settle()
            assert localized("card.gone_stand_in", players="Ben") in words(table.card().components)
    table.bot.publisher.wake()
    await wait_for_card(table)
    assert set(table.stored().seats) == {ana.id, None}
    assert says(words(table.card().components), "card.stood_in")


def texts_of(message: object) -> Iterator[str]:
    """Yield all texts within the components of a message, alt texts and labels included."""
    if isinstance(message, dict):
        for value in message.values():
            yield from texts_of(value)
    elif isinstance(message, list):
        for value in message:
            yield from texts_of(value)
    elif isinstance(message, str):
        yield message


async def look_back_and_be_forgotten(table: Table, actor: simcord.MemberActor) -> None:
    """Ask for statistics and records of a finished game, for all that is stored, and for its deletion."""
    for command in ("replay", "profile", "leaderboard", "games", "export", "log"):
        table.bot.pace._free_at.clear()
        table.bot.host.quotas._full_at.clear()
        await actor.slash(table.place, f"carc {command}")
    panel = table.shown(await actor.slash(table.place, "forget-me"))
    await table.press(actor.id, panel, button_for(panel, Op.DATA).custom_id)
    answer = await table.press(actor.id, panel, button_for(panel, Op.FORGET).custom_id)
    assert says(words(answer.components), "forget.done")
    async with table.bot.host._store.reading() as tx:
        assert actor.id not in await personal_data.known_people(tx)


async def test_no_message_mentions_a_computer(table: Table) -> None:
    """Everything that players and an onlooker can ask for, with a computer from the beginning and one for Ben.

    All mentions in any answer and any public message are of members, and no computer appears as a value of the program.
    After the game both players ask for what is stored about them, and to be forgotten.
    """
    await start(table, computers=1)
    ana, ben, cleo = table.actors[:3]
    clicker = Clicker(table, Random(2), Habits(quick=True))
    for _ in range(2):
        await clicker.move(table.card())
        await let_think(table)
    await resign(table, ben)
    await let_think(table)
    acting: dict[str, dict[str, Any]] = {
        "play": {},
        "undo": {},
        "here": {},
        "absent": {"player": "Ana"},
        "time give": {},
        "time pause": {"days": 2},
        "time resume": {},
        "time keep": {},
        "time remind": {"hours": 3},
        "time end": {"date": "2031-01-01"},
        "time meet": {"when": TYPED},
    }
    assert acting.keys() | OTHER_COMMANDS == ACTING_COMMANDS
    for actor in (ana, ben, cleo):
        for command, variants in READING_COMMANDS.items():
            for options in variants:
                table.bot.pace._free_at.clear()
                table.bot.host.quotas._full_at.clear()
                await actor.slash(table.place, f"carc {command}", **options)
        for command, typed in acting.items():
            await actor.slash(table.place, f"carc {command}", **typed)
    for command, option in (("absent", "player"), ("board", "game"), ("play", "move")):
        suggestions = await ana.autocomplete(table.place, f"carc {command}", option, "")
        assert "None" not in json.dumps(suggestions, default=str)
    assert (await table.bot.host.games.get(1)).status.value == "running"
    leaving = table.shown(await ana.slash(table.place, "carc resign"))
    assert says(words(leaving.components), "resign.ask_last"), "nobody but computers will be left"
    await table.press(ana.id, leaving, button_for(leaving, Op.RESIGN).custom_id)
    await wait_for_card(table)
    assert table.over, "nobody but computers was left"
    final = table.card()
    assert set(mentioned_users(final.components)) == {ana.id}
    await table.press(ana.id, final, button_for(final, Op.REMATCH).custom_id)
    await table.env.settle()
    for actor in (ana, ben):
        await look_back_and_be_forgotten(table, actor)
    members = {str(member) for member in table.members}
    said = list[str]()
    for messages in table.env.backend.messages.values():
        for message in messages.values():
            said += [message.content or "", *texts_of(message.components)]
    mentioned = {user for text in said for user in MENTION.findall(text)}
    assert mentioned <= members, mentioned - members
    assert not [text for text in said if re.search(r"\bNone\b|Computer\(", text)]
