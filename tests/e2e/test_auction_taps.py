"""Taps of decisions that commit a player to as little as possible: a pass, the lowest bid.

Such a decision is one tap and is sent at once, even by players who confirm each move: while it waits to be posted, it
can be undone. Without that window it is confirmed as everything else. Whatever is confirmed stands below the picture of
the board and the lots.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path
from random import Random
from typing import Any

import pytest
from simcord.components import walk_components
from simcord.http import _helpers as simcord_helpers

from cogs.games.carcassonne.boxes.bridges_castles_bazaars.bazaars import AMOUNT_FIELD
from cogs.presenting.ids import Op
from cogs.presenting.presenter import THEME
from cogs.texts import t
from cogs.texts.languages import speaking
from engine.carcassonne import Position
from engine.carcassonne.expansions.bridges_castles_bazaars import BidOnLot, BuyOrSell, ChooseLot
from host import LANGUAGE, PUBLISH_WINDOW, Preferences
from tests.discord_limits.recorder import Recorder
from tests.e2e.player import Clicker, Habits, Shown, offered_ops
from tests.e2e.raw_interactions import send_press
from tests.e2e.screen import Button, Kind, MemberLanguage, alt_texts, buttons_by_kind, picture_urls, says, words
from tests.e2e.table import Table, open_table, wait_until_posted
from tests.e2e.test_undo import publish_due

pytestmark = pytest.mark.usefixtures("random_language")


@pytest.fixture
async def table(tmp_path: Path, recorder: Recorder, no_drawing: None) -> AsyncIterator[Table]:
    """Yield a bazaar of two members who confirm each move, and can undo it for a minute."""
    async with open_table(tmp_path / "games.sqlite3", seed="one", publish_window=timedelta(seconds=60)) as table:
        await table.start(2)
        for member in list(table.members)[:2]:
            await table.bot.host.preferences.set(member, Preferences(confirm=False, choices={PUBLISH_WINDOW: "0"}))
        clicker = Clicker(table, Random(1), Habits())
        while not isinstance(position(table).step, ChooseLot):
            await clicker.move(table.card())
            await table.env.settle()
        for member in list(table.members)[:2]:
            await table.bot.host.preferences.set(member, Preferences())
        yield table
    assert recorder.problems() == []


def position(table: Table) -> Position:
    """Return the current position, replayed from the log."""
    return table.stored().replayed()


def member_to_move(table: Table) -> int:
    """Return the member whose decision it is."""
    return table.stored().seats[position(table).player]


def decision(shown: Shown, argument: str) -> Button:
    """Return the button of a decision."""
    return next(button for button in buttons_by_kind(shown.components)[Kind.ACT] if button.key.argument == argument)


async def publish(table: Table) -> None:
    """Publish the confirmed move, whose window is over."""
    await publish_due(table)
    await wait_until_posted(table)


async def open_with_nothing(table: Table, member: int) -> Shown:
    """Choose the first tile and open it with no points, by two taps; return the panel afterwards."""
    lot = buttons_by_kind(table.card().components)[Kind.LOT][0]
    opening = await table.press(member, table.card(), lot.custom_id)
    return await table.press(member, opening, decision(opening, "lot:1@0").custom_id)


async def test_an_auction_of_two_without_bids_takes_three_taps(table: Table) -> None:
    panel = await open_with_nothing(table, member_to_move(table))
    assert says(words(panel.components), "panel.waits")
    assert offered_ops(panel) == {Op.UNDO}
    await publish(table)
    card, member = table.card(), member_to_move(table)
    panel = await table.press(member, card, decision(card, "pass").custom_id)
    assert says(words(panel.components), "panel.waits")
    await publish(table)
    assert not isinstance(position(table).step, ChooseLot | BidOnLot)


async def test_a_pass_can_be_undone_and_made_again(table: Table) -> None:
    await open_with_nothing(table, member_to_move(table))
    await publish(table)
    card, member, ply = table.card(), member_to_move(table), table.stored().ply
    passing = decision(card, "pass").custom_id
    panel = await table.press(member, card, passing)
    await table.press(member, panel, next(iter(buttons_by_kind(panel.components).values()))[0].custom_id)
    await publish(table)
    assert table.stored().ply == ply
    await table.press(member, card, passing)
    await publish(table)
    assert table.stored().ply > ply


async def test_a_higher_bid_is_confirmed(table: Table) -> None:
    await open_with_nothing(table, member_to_move(table))
    await publish(table)
    card, member = table.card(), member_to_move(table)
    panel = await table.press(member, card, decision(card, "bid:2").custom_id)
    assert Kind.CONFIRM in buttons_by_kind(panel.components)
    lowest = await table.press(member, card, decision(card, "bid:1").custom_id)
    assert offered_ops(lowest) == {Op.UNDO}


async def test_a_pass_that_cannot_be_undone_is_confirmed(table: Table) -> None:
    await open_with_nothing(table, member_to_move(table))
    await publish(table)
    card, member = table.card(), member_to_move(table)
    await table.bot.host.preferences.set(member, Preferences(choices={PUBLISH_WINDOW: "0"}))
    panel = await table.press(member, card, decision(card, "pass").custom_id)
    assert Kind.CONFIRM in buttons_by_kind(panel.components)


@pytest.mark.parametrize("restarted", [False, True])
async def test_a_pass_is_made_once_by_two_taps(table: Table, *, restarted: bool) -> None:
    await open_with_nothing(table, member_to_move(table))
    await publish(table)
    card, member, ply, cards = table.card(), member_to_move(table), table.stored().ply, len(table.cards())
    passing = decision(card, "pass").custom_id
    for _ in range(2):
        send_press(table.env, table.members[member], card.handle, passing)
    await table.env.settle()
    if restarted:
        await table.restart()
    await publish(table)
    stored = table.stored()
    assert [str(action) for action in stored.log[ply:]] == ["pass"]
    assert len(table.cards()) == cards + 1


def attachments(table: Table, panel: Shown) -> list[str]:
    """Return the ids of the files of a panel."""
    stored = table.env.backend.get_message(panel.handle.channel_id, panel.handle.id)
    return [str(entry["id"]) for entry in stored.attachments]


def shows_the_lots(panel: Shown) -> bool:
    """Return whether a panel has the one picture with the board and the lots, described in words."""
    return [says(words, "alt.lots") for words in alt_texts(panel.components)] == [True]


def shows_the_picture_of_the_card(table: Table, panel: Shown) -> bool:
    """Return whether a panel refers to the picture of the newest card, and nothing was uploaded for it."""
    return (
        picture_urls(panel.components) == picture_urls(table.card().components) != []
        and attachments(table, panel) == []
    )


def current(table: Table, panel: Shown) -> Shown:
    """Return a panel as it is now."""
    stored = table.env.backend.get_message(panel.handle.channel_id, panel.handle.id)
    return Shown(panel.handle, stored.components)


def uploads_its_picture(table: Table, panel: Shown) -> bool:
    """Return whether the picture of a panel was uploaded for it."""
    return shows_the_lots(panel) and len(attachments(table, panel)) == 1


async def other_amount(table: Table, member: int, shown: Shown, amount: int) -> Shown:
    """Type an amount into the form behind *Other Amount*; return the panel that asks to confirm it."""
    modal = await table.press(member, shown, buttons_by_kind(shown.components)[Kind.OTHER][0].custom_id)
    return await table.submit(member, modal, {AMOUNT_FIELD: str(amount)})


async def test_the_confirmation_of_an_opening_keeps_the_picture_of_its_panel(table: Table) -> None:
    """The picture is neither drawn nor uploaded once more, from the choice of a tile to the way back."""
    member = member_to_move(table)
    lot = buttons_by_kind(table.card().components)[Kind.LOT][0]
    opening = await table.press(member, table.card(), lot.custom_id)
    assert shows_the_picture_of_the_card(table, opening)
    confirming = await table.press(member, opening, decision(opening, "lot:1@2").custom_id)
    assert Kind.CONFIRM in buttons_by_kind(confirming.components)
    assert shows_the_lots(confirming)
    assert shows_the_picture_of_the_card(table, confirming)


async def test_a_panel_in_other_colours_has_a_picture_of_its_own(table: Table) -> None:
    """Upload the picture once, and keep it in the confirmation."""
    member = member_to_move(table)
    await table.bot.host.preferences.set(member, Preferences(choices={THEME: "contrast"}))
    lot = buttons_by_kind(table.card().components)[Kind.LOT][0]
    opening = await table.press(member, table.card(), lot.custom_id)
    assert uploads_its_picture(table, opening)
    files = attachments(table, opening)
    confirming = await table.press(member, opening, decision(opening, "lot:1@2").custom_id)
    assert shows_the_lots(confirming)
    assert attachments(table, confirming) == files


async def test_a_panel_in_another_language_has_a_picture_described_in_it(table: Table) -> None:
    member = member_to_move(table)
    other = "pl" if MemberLanguage.language == "de" else "de"
    await table.bot.host.preferences.set(member, Preferences(choices={LANGUAGE: other}))
    lot = buttons_by_kind(table.card().components)[Kind.LOT][0]
    opening = await table.press(member, table.card(), lot.custom_id)
    assert len(attachments(table, opening)) == 1
    [description] = alt_texts(opening.components)
    with speaking(other):
        assert t("alt.lots", lots="").strip() in description


@pytest.mark.parametrize("from_panel", [False, True])
async def test_a_picture_that_discord_does_not_load_is_uploaded(
    table: Table, monkeypatch: pytest.MonkeyPatch, *, from_panel: bool
) -> None:
    """Discord accepts a message with the URL of a picture, and may never show it."""
    resolve = simcord_helpers.resolve_attachment_references

    def resolve_slowly(components: Any, files: Any) -> Any:
        """Resolve the references of a message; its other pictures are not loaded yet."""
        resolved = resolve(components, files)
        for part in walk_components(resolved):
            for item in part.get("items", ()):
                item["media"]["loading_state"] = 2 if "attachment_id" in item["media"] else 1
        return resolved

    monkeypatch.setattr(simcord_helpers, "resolve_attachment_references", resolve_slowly)
    member, card = member_to_move(table), table.card()
    if from_panel:
        panel = await table.press(member, card, buttons_by_kind(card.components)[Kind.LOT][0].custom_id)
    else:
        await open_with_nothing(table, member)
        await publish(table)
        card, member = table.card(), member_to_move(table)
        panel = await table.press(member, card, decision(card, "bid:2").custom_id)
    assert uploads_its_picture(table, current(table, panel))


async def test_the_confirmation_of_a_typed_opening_keeps_the_picture(table: Table) -> None:
    member = member_to_move(table)
    lot = buttons_by_kind(table.card().components)[Kind.LOT][0]
    opening = await table.press(member, table.card(), lot.custom_id)
    confirming = await other_amount(table, member, opening, 4)
    assert Kind.CONFIRM in buttons_by_kind(confirming.components)
    assert shows_the_lots(confirming)
    assert shows_the_picture_of_the_card(table, confirming)


async def test_the_confirmation_of_a_bid_on_the_card_shows_the_lots(table: Table) -> None:
    await open_with_nothing(table, member_to_move(table))
    await publish(table)
    card, member = table.card(), member_to_move(table)
    pressed = await table.press(member, card, decision(card, "bid:2").custom_id)
    assert Kind.CONFIRM in buttons_by_kind(pressed.components)
    assert shows_the_lots(pressed)
    assert shows_the_picture_of_the_card(table, pressed)
    typed = await other_amount(table, member, card, 3)
    assert Kind.CONFIRM in buttons_by_kind(typed.components)
    assert shows_the_lots(typed)
    assert shows_the_picture_of_the_card(table, typed)


async def test_the_confirmation_of_buying_and_selling_shows_the_lots(table: Table) -> None:
    await open_with_nothing(table, member_to_move(table))
    await publish(table)
    card, member = table.card(), member_to_move(table)
    await table.press(member, card, decision(card, "bid:1").custom_id)
    await publish(table)
    card, selector = table.card(), member_to_move(table)
    assert isinstance(position(table).step, BuyOrSell)
    for argument in ("buy", "sell"):
        panel = await table.press(selector, card, decision(card, argument).custom_id)
        assert shows_the_lots(panel)
        assert shows_the_picture_of_the_card(table, panel)
    sent = await table.press(selector, panel, buttons_by_kind(panel.components)[Kind.CONFIRM][0].custom_id)
    assert says(words(sent.components), "panel.waits")
    assert attachments(table, sent) == []
