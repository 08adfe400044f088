"""The rules of a table, chosen by the buttons of its lobby.

A lobby is a table whose game has not started. Its panel of rules has a button for each value; the argument "bazaars
bazaar_mode 1" chooses the second value of an option on the page about bazaars.
"""

import pytest
import simcord

from cogs.interactions.admission import PRIVATE_OPS
from cogs.presenting.ids import LOBBY_OPS, Key, Op
from engine import read_setup
from host import NO_PACE, PACES
from tests.e2e.lobby_cards import custom_id_for, lobby_text, open_lobby_of_two
from tests.e2e.player import button_for
from tests.e2e.raw_interactions import send_press
from tests.e2e.screen import buttons, localized, words
from tests.e2e.table import Table

pytestmark = pytest.mark.usefixtures("random_language")


async def test_the_owner_chooses_rules_and_the_card_shows_them(table: Table) -> None:
    ana, ben = table.actors[:2]
    lobby = await open_lobby_of_two(table)
    ruling = button_for(lobby, Op.RULING)
    panel = await table.press(ana.id, lobby, ruling.custom_id)
    panel = await table.press(ana.id, panel, custom_id_for(panel, "editions"))
    panel = await table.press(ana.id, panel, custom_id_for(panel, "bazaars"))
    panel = await table.press(ana.id, panel, custom_id_for(panel, "bazaars bazaar_mode 1"))
    assert localized("option.bazaar_mode.draft") in words(panel.components)
    assert localized("option.bazaar_mode.draft") in lobby_text(table)
    panel = await table.press(ana.id, panel, custom_id_for(panel, "table"))
    panel = await table.press(ana.id, panel, custom_id_for(panel, "table hints all"))

    reading = await table.press(ben.id, lobby, ruling.custom_id)
    assert not [button for button in buttons(reading.components) if " " in button.key.argument]
    await table.restart()
    joining = button_for(lobby, Op.JOIN)
    await table.press(ben.id, lobby, joining.custom_id)
    await ana.click(lobby.handle, label=localized("button.start"))
    table.place = table.channel.threads[-1]
    setup = read_setup(table.stored().setup)
    assert setup.options.differences() == {"bazaar_mode": "draft"}
    assert not (await table.bot.host.games.get(table.stored().code)).settings.hints


async def test_every_pace_can_be_chosen_and_appears_on_the_card(table: Table) -> None:
    ana, ben = table.actors[:2]
    lobby = await open_lobby_of_two(table)
    ruling = button_for(lobby, Op.RULING)
    panel = await table.press(ana.id, lobby, ruling.custom_id)
    panel = await table.press(ana.id, panel, custom_id_for(panel, "time"))
    for name in (*PACES, NO_PACE, "slow"):
        assert localized(f"pace.{name}") in words(panel.components)
        panel = await table.press(ana.id, panel, custom_id_for(panel, f"time pace {name}"))
        assert localized("rules.pace", words=localized(f"pace_brief.{name}")) in lobby_text(table)
    joining = button_for(lobby, Op.JOIN)
    await table.press(ben.id, lobby, joining.custom_id)
    await ana.click(lobby.handle, label=localized("button.start"))
    table.place = table.channel.threads[-1]
    assert (await table.bot.host.games.get(table.stored().code)).settings.pace == "slow"


async def test_expansions_are_added_and_removed_by_their_buttons(table: Table) -> None:
    ana, ben = table.actors[:2]
    lobby = await open_lobby_of_two(table)
    ruling = button_for(lobby, Op.RULING)
    panel = await table.press(ana.id, lobby, ruling.custom_id)
    panel = await table.press(ana.id, panel, custom_id_for(panel, "boxes box traders-builders"))
    assert localized("expansion.traders-builders") in lobby_text(table)
    panel = await table.press(ana.id, panel, custom_id_for(panel, "boxes box bridges-castles-bazaars"))
    assert localized("expansion.bridges-castles-bazaars") not in lobby_text(table)
    reading = await table.press(ben.id, lobby, ruling.custom_id)
    assert localized("expansion.traders-builders") in words(reading.components)
    joining = button_for(lobby, Op.JOIN)
    await table.press(ben.id, lobby, joining.custom_id)
    await ana.click(lobby.handle, label=localized("button.start"))
    table.place = table.channel.threads[-1]
    assert read_setup(table.stored().setup).expansions == ("traders-builders",)


async def test_choosing_an_edition_lists_changed_and_kept_rules(table: Table) -> None:
    ana = table.actors[0]
    lobby = await open_lobby_of_two(table)
    ruling = button_for(lobby, Op.RULING)
    panel = await table.press(ana.id, lobby, ruling.custom_id)
    for argument in (
        "editions",
        "bazaars",
        "bazaars bazaar_mode 1",
        "castles",
        "castles castle_town_shape 1",
        "editions",
    ):
        panel = await table.press(ana.id, panel, custom_id_for(panel, argument))
    panel = await table.press(ana.id, panel, custom_id_for(panel, "editions preset c2_hig"))
    text = words(panel.components)
    shape, kept_option = (
        (f"option.castle_town_shape.{value}" for value in ("semicircles", "city_ends")),
        "bazaar_mode.draft",
    )
    assert localized("ruling.change", words=localized(next(shape)), before=localized(next(shape))) in text
    assert localized("ruling.rule", words=localized(f"option.{kept_option}")) in text
    assert localized(f"option.{kept_option}") in lobby_text(table)
    panel = await table.press(ana.id, panel, custom_id_for(panel, "editions own drop"))
    assert localized(f"option.{kept_option}") not in words(panel.components)
    assert localized(f"option.{kept_option}") not in lobby_text(table)
    assert localized("preset.c2_hig") in lobby_text(table)


async def test_only_the_owner_changes_the_rules(table: Table) -> None:
    lobby = await open_lobby_of_two(table)
    before = lobby_text(table)
    ruling = button_for(lobby, Op.RULING)
    forged = str(Key(Op.CHANGE, ruling.key.ref, 0, "bazaars bazaar_mode 1"))
    reading = await table.press(table.actors[1].id, lobby, ruling.custom_id)
    sent = send_press(table.env, table.actors[1], reading.handle, forged, offered=False)
    await table.env.settle()
    assert table.name_of(table.actors[0]) in sent.text
    assert lobby_text(table) == before
    panel = await table.press(table.actors[0].id, lobby, ruling.custom_id)
    for argument in ("bazaars bazaar_mode 9", "table theme pink", "x" * 60):
        forged = str(Key(Op.CHANGE, ruling.key.ref, 0, argument))
        sent = send_press(table.env, table.actors[0], panel.handle, forged, offered=False)
        await table.env.settle()
        assert sent.text
        assert lobby_text(table) == before


async def test_buttons_of_private_panels_are_refused_on_the_card(table: Table) -> None:
    lobby = await open_lobby_of_two(table)
    before, number = lobby_text(table), buttons(lobby.components)[0].key.ref
    for op in PRIVATE_OPS & LOBBY_OPS:
        sent = send_press(table.env, table.actors[0], lobby.handle, str(Key(op, number)))
        await table.env.settle()
        assert sent.text == localized("refusal.unknown_button")
        assert lobby_text(table) == before


async def test_a_deleted_card_is_posted_again_with_the_change(table: Table) -> None:
    ana, ben = table.actors[:2]
    lobby = await open_lobby_of_two(table)
    ruling = button_for(lobby, Op.RULING)
    panel = await table.press(ana.id, lobby, ruling.custom_id)
    table.env.backend.messages[table.channel.id].pop(lobby.handle.id)
    panel = await table.press(ana.id, panel, custom_id_for(panel, "editions"))
    panel = await table.press(ana.id, panel, custom_id_for(panel, "bazaars"))
    panel = await table.press(ana.id, panel, custom_id_for(panel, "bazaars bazaar_mode 1"))
    assert localized("option.bazaar_mode.draft") in words(panel.components)
    assert localized("option.bazaar_mode.draft") in lobby_text(table)
    again = simcord.ResponseMessage(
        table.env, table.env.backend.get_message(table.channel.id, newest_public_message(table))
    )
    await ben.click(again, label=localized("button.join"))
    assert "Ben" in lobby_text(table)


async def test_a_change_without_a_card_is_reported_in_private(table: Table) -> None:
    ana = table.actors[0]
    lobby = await open_lobby_of_two(table)
    ruling = button_for(lobby, Op.RULING)
    panel = await table.press(ana.id, lobby, ruling.custom_id)
    table.env.backend.messages[table.channel.id].pop(lobby.handle.id)
    table.env.inject_error("POST", f"/channels/{table.channel.id}/messages", status=403, code=50013)
    panel = await table.press(ana.id, panel, custom_id_for(panel, "editions"))
    panel = await table.press(ana.id, panel, custom_id_for(panel, "bazaars"))
    answer = await table.press(ana.id, panel, custom_id_for(panel, "bazaars bazaar_mode 1"))
    assert words(answer.components) == localized("lobby.unshown")
    assert (await table.bot.host.lobbies.get(1)).options == {"bazaar_mode": "draft"}


def newest_public_message(table: Table) -> int:
    """Return the id of the newest public message."""
    return max(number for number, it in table.env.backend.messages[table.channel.id].items() if it.visible_to(None))
