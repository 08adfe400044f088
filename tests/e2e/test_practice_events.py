"""A practice event through Discord: computers are added in the panel, play, and stand on the podium with a badge."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest
from simcord.backend.models import Message

from cogs.presenting.ids import Op
from cogs.texts import t
from host import GameStatus
from host.events.views import TableView
from tests.e2e.event_table import EventTable
from tests.e2e.screen import alt_texts, buttons, mentioned_users, says, words
from tests.host.computers.thinker import FakeThinker

pytestmark = [pytest.mark.long, pytest.mark.usefixtures("game_length")]

FINISH_SECONDS = 120.0
"""Seconds within which computers end a game, or fail to decide; generous, for a busy machine."""
BADGES = ("🤖 Adela", "🤖 Bertram")
"""The computers of the event, as messages name them."""


@pytest.fixture(autouse=True)
def thinks_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let computers think in this process, at once."""
    monkeypatch.setattr("host.host.WorkerPool", lambda _limits: FakeThinker())
    monkeypatch.setattr("host.games.outbox.READING_PAUSE", timedelta(0))


async def plan_practice(event: EventTable) -> None:
    """Create an event in the panel, with a quick and a standard computer, and open sign-up."""
    created = await event.organiser.slash(
        event.table.channel, "tourney create", name="Practice Cup", profile="duel-weekend"
    )
    event.code = (await event.host.events.reader.view(1)).code
    await event.send_command(event.organiser, "manage set", what="rounds", value="3", event=event.code)
    await event.send_command(event.organiser, "manage set", what="pace", value="live", event=event.code)
    panel = (await event.organiser.click(created.response, label=t("event.page.play"))).response
    for level in ("quick", "standard"):
        change = next(shown for shown in buttons(panel.components) if f"computers_{level} 1" in shown.key.argument)
        panel = (await event.organiser.click(panel, custom_id=str(change.key))).response
    assert not any(" rated " in shown.key.argument for shown in buttons(panel.components))  # it stays unrated
    await event.send_command(event.organiser, "manage do", what="announce", event=event.code)
    await event.settle(2)


async def settle(event: EventTable, rounds: int = 4) -> None:
    """Run the bot's periodic work, and let computers decide until a person has to."""
    for _ in range(rounds):
        await event.settle(1)
        await event.host.computers.idle()


async def tables(event: EventTable) -> tuple[TableView, ...]:
    """Return the tables of the newest round."""
    return (await event.host.events.reader.round(event.code)).tables


async def let_people_resign(event: EventTable) -> None:
    """Let the first person of each running game of the round leave it."""
    for table in await tables(event):
        game = await event.host.games.get(table.code)
        if game.players and game.status is GameStatus.RUNNING:
            await event.host.moves.resign(game.id, game.players[0].user_id, next(event.numbers))


async def test_two_people_and_two_computers_play_to_the_podium(event: EventTable) -> None:
    await plan_practice(event)
    card = event.find_message("Practice Cup")
    shown = words(card.components)
    assert t("event.practice") in shown
    assert all(badge in shown for badge in BADGES)
    assert t("event.unrated") in shown
    ana, ben = players = event.table.actors[:2]
    for actor in players:
        await event.press(actor, card, t("button.join"))
    await event.settle(1)
    assert "Entered (4 of 256)" in words(event.find_message("Practice Cup").components)
    await event.send_command(event.organiser, "manage do", what="checkin", event=event.code)
    await event.settle(2)
    check_in_card = event.find_message("check-in")
    assert mentioned_users(check_in_card.components) == [ana.id, ben.id]
    for actor in players:
        await event.press(actor, check_in_card, t("event.button.check_in"))
    await event.send_command(event.organiser, "manage do", what="start", event=event.code)
    await settle(event)
    assert len(event.table.channel.threads) == 2
    for thread, table in zip(event.table.channel.threads, await tables(event), strict=True):
        assert len([person for person in table.people if person is not None]) == 1
        assert any(badge in thread.name for badge in BADGES)
    await let_people_resign(event)
    await settle(event)
    await event.table.restart()
    await settle(event)
    await let_people_resign(event)
    await settle(event)
    assert t("event.reason.computers-meet") in words(event.find_message("Round 3").components)
    await event.table.restart()
    await let_people_resign(event)
    async with asyncio.timeout(FINISH_SECONDS):
        while (view := await event.host.events.reader.view(event.code)).finished_at is None:
            await settle(event, 1)
    await event.settle(1)
    podium = event.find_message("🥇")
    assert all(badge in words(podium.components).partition("🥉")[0] for badge in BADGES)
    assert any("Adela (CPU)" in alt for alt in alt_texts(podium.components))  # as in the picture
    assert set(mentioned_users(podium.components)) < {ana.id, ben.id}
    for page in ("standings", "games"):
        assert BADGES[0] in await event.send_command(ana, "show", page=page, event=event.code)
    guild_id = view.guild_id
    assert not any([await event.host.events.ratings.profile(guild_id, actor.id) for actor in players])


async def test_commands_about_players_name_computers(event: EventTable) -> None:
    """A member asks who ranks ahead, and the organiser punishes, warns and disqualifies a computer."""
    await plan_practice(event)
    for actor in event.table.actors[:2]:
        await event.send_command(actor, "join", event=event.code)
    await event.send_command(event.organiser, "manage do", what="start", event=event.code)
    await settle(event)
    ana, ben = event.table.actors[:2]
    offered = await ana.autocomplete(event.table.channel, "tourney explain", "other", "a", event=event.code)
    assert [choice["name"] for choice in offered] == ["Ana", BADGES[0], BADGES[1]]
    adela = next(choice["value"] for choice in offered if choice["name"] == BADGES[0])
    explained = await event.send_command(ana, "explain", player=f"<@{ana.id}>", other=adela, event=event.code)
    assert BADGES[0] in explained
    about = {"event": event.code, "reason": "a defect", "player": "bertram"}
    await event.send_command(event.organiser, "manage penalty", points=0.5, **about)
    await event.send_command(event.organiser, "manage warn", **about)
    await settle(event)
    for said in ("gets a penalty: \N{MINUS SIGN}½. a defect", "has been warned. a defect"):
        assert f"{BADGES[1]} {said}" in words(event.find_message(said).components)
    nobody = {**about, "player": "@Cleo"}
    assert "Cleo is not in this event" in await event.send_command(event.organiser, "manage disqualify", **nobody)
    assert "organisers" in await event.send_command(ben, "manage disqualify", **about)
    await event.send_command(event.organiser, "manage disqualify", **about)
    await settle(event)
    log = await event.send_command(ben, "show", page="log", event=event.code)
    assert f"{BADGES[1]} disqualified" in log
    finished = [table for table in await tables(event) if table.outcome is not None]
    assert len(finished) == 1
    assert len(finished[0].outcome.out) == 1


async def test_a_computer_that_does_not_decide_offers_its_seat_to_nobody(event: EventTable) -> None:
    await plan_practice(event)
    event.host.computers._thinker.failing = ("quick", "standard")
    for actor in event.table.actors[:2]:
        await event.send_command(actor, "join", event=event.code)
    await event.send_command(event.organiser, "manage do", what="start", event=event.code)
    async with asyncio.timeout(FINISH_SECONDS):
        while len(notices := find_notices(event)) < 2:
            await settle(event, 1)
    assert not any(shown.key.op is Op.TAKE for message in notices for shown in buttons(message.components))
    assert not any(t("card.stalled_offer") in words(message.components) for message in notices)


def find_notices(event: EventTable) -> list[Message]:
    """Return the messages in the threads of games that a computer does not decide."""
    return [
        message
        for thread in event.table.channel.threads
        for message in event.table.env.backend.messages[thread.id].values()
        if says(words(message.components), "card.stalled")
    ]
