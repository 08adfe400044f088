"""Challenges in Discord: their card, the answers, other rules, the list of people to avoid, and wrong presses."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest
import simcord

from cogs.presenting.ids import Key, Op
from tests.e2e.answers import answer_to, is_sentence, nothing_changes
from tests.e2e.player import Shown
from tests.e2e.raw_interactions import last_answer, send_press
from tests.e2e.screen import buttons, localized, mentioned_users, words
from tests.e2e.table import Table

pytestmark = pytest.mark.usefixtures("random_language")


async def challenge(table: Table, *challenged: simcord.MemberActor) -> Shown:
    """Let the first member challenge others; return the card."""
    names = ("player", "second", "third")
    await table.actors[0].slash(table.channel, "carc challenge", **dict(zip(names, challenged, strict=False)))
    return newest_card(table)


def newest_card(table: Table) -> Shown:
    """Return the newest public message of the channel."""
    messages = [
        message for message in table.env.backend.messages[table.channel.id].values() if message.visible_to(None)
    ]
    return Shown(simcord.ResponseMessage(table.env, messages[-1]), messages[-1].components)


async def press_wrongly(table: Table, actor: simcord.MemberActor, card: Shown, op: Op, argument: str = "") -> str:
    """Press a button that the card may not have for this member; return the answer."""
    sent = send_press(table.env, actor, card.handle, str(Key(op, "1", 0, argument)))
    await table.env.settle()
    return last_answer(sent)


async def test_the_last_to_accept_starts_the_game(table: Table) -> None:
    ana, ben, cleo = table.actors[:3]
    card = await challenge(table, ben, cleo)
    assert mentioned_users(card.components) == [ben.id, cleo.id]
    await ben.click(card.handle, label=localized("button.accept"))
    assert localized("challenge.accepted", player="Ben") in words(newest_card(table).components)
    await cleo.click(card.handle, label=localized("button.accept"))
    game = await table.bot.host.games.get(1)
    assert {person.user_id for person in game.players} == {ana.id, ben.id, cleo.id}
    assert game.thread_id is not None


async def test_who_was_not_challenged_is_told_what_to_do(table: Table) -> None:
    _, ben, cleo = table.actors[:3]
    card = await challenge(table, ben)
    with nothing_changes(table):
        for op in (Op.ACCEPT, Op.REFUSE, Op.JOIN):
            assert is_sentence("error.not_challenged", await press_wrongly(table, cleo, card, op))


async def test_a_declined_challenge_says_who_declined(table: Table) -> None:
    _, ben = table.actors[:2]
    card = await challenge(table, ben)
    await ben.click(card.handle, label=localized("button.refuse"))
    text = words(newest_card(table).components)
    assert text == localized("challenge.refused", owner="Ana", players="Ben")
    assert not buttons(newest_card(table).components)
    assert is_sentence("error.lobby_closed", await press_wrongly(table, ben, card, Op.ACCEPT))


async def test_the_challenger_withdraws(table: Table) -> None:
    ana, ben = table.actors[:2]
    card = await challenge(table, ben)
    await ana.click(card.handle, label=localized("button.refuse"))
    assert words(newest_card(table).components) == localized("challenge.withdrawn", owner="Ana")


async def test_other_rules_ask_the_challenger(table: Table) -> None:
    ana, ben = table.actors[:2]
    card = await challenge(table, ben)
    panel = (await ben.click(card.handle, label=localized("button.ruling"))).response
    time = next(shown for shown in buttons(panel.components) if shown.key.argument == "time")
    page = (await ben.click(panel, custom_id=time.custom_id)).response
    live = next(shown for shown in buttons(page.components) if shown.key.argument == "time pace live")
    await ben.click(page, custom_id=live.custom_id)
    lobby = await table.bot.host.lobbies.get(1)
    assert (lobby.owner_id, lobby.settings.pace) == (ben.id, "live")
    assert mentioned_users(newest_card(table).components) == [ana.id]
    await ana.click(card.handle, label=localized("button.accept"))
    assert (await table.bot.host.games.get(1)).settings.pace == "live"


async def test_an_accepted_match_opens_its_first_game(table: Table) -> None:
    ana, ben = table.actors[:2]
    await ana.slash(table.channel, "carc challenge", player=ben, match=3, rated=True)
    card = newest_card(table)
    assert localized("challenge.rated", count=3) in words(card.components)
    await ben.click(card.handle, label=localized("button.accept"))
    event = await table.bot.host.events.reader.view(1)
    assert (event.name, event.plan.parameters.pace) == ("Ana \N{EN DASH} Ben", "standard")
    await table.bot.host.events.driver.work()
    await table.bot.host.events.openings.open_tables()
    assert {person.user_id for person in (await table.bot.host.games.get(1)).players} == {ana.id, ben.id}


async def test_bots_and_oneself_are_not_challenged(table: Table) -> None:
    ana = table.actors[0]
    with nothing_changes(table):
        answer = answer_to(await ana.slash(table.channel, "carc challenge", player=ana))
        assert is_sentence("error.bad_challenge", answer)


async def test_the_open_challenges_are_listed(table: Table) -> None:
    ana, ben, cleo = table.actors[:3]
    nothing = await cleo.slash(table.channel, "carc challenge")
    assert localized("challenge.none") in answer_to(nothing)
    await challenge(table, ben)
    listed = answer_to(await cleo.slash(table.channel, "carc challenge"))
    assert "Ana" in listed
    assert "Ben" in listed
    assert ana.id not in mentioned_users(newest_card(table).components)


async def test_an_avoided_challenger_sees_an_ordinary_decline(table: Table) -> None:
    ana, ben = table.actors[:2]
    avoiding = await ben.slash(table.channel, "carc challenge", avoid=ana)
    assert "Ana" in str([shown.label for shown in buttons(avoiding.response.components)])
    await challenge(table, ben)
    with closing(sqlite3.connect(table.database)) as file:  # the clock of these tests is the machine's
        file.execute("update lobby_challenged set declines_at = 0")
        file.commit()
    await table.bot.cleanup.show_declines()
    assert words(newest_card(table).components) == localized("challenge.refused", owner="Ana", players="Ben")


async def test_somebody_is_taken_off_the_list_again(table: Table) -> None:
    ana, ben = table.actors[:2]
    avoiding = (await ben.slash(table.channel, "carc challenge", avoid=ana)).response
    await ben.click(avoiding, custom_id=str(Key(Op.AVOID, "0", 0, str(ana.id))))
    assert await table.bot.host.challenges.avoided_by(ben.id) == ()
