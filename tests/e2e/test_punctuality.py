"""Punctuality in Discord: the setting, the list of players before joining, and tables that ask for a least."""

from __future__ import annotations

import pytest
import simcord

from cogs.presenting.ids import Op
from host import PUNCTUALITY, PunctualityRecord
from store.play import punctuality
from tests.e2e.answers import answer_to, is_sentence, nothing_changes
from tests.e2e.screen import buttons, localized, words
from tests.e2e.table import Table
from tests.e2e.test_challenges import challenge, newest_card

pytestmark = pytest.mark.usefixtures("random_language")


async def show_record(table: Table, actor: simcord.MemberActor, *counts: int) -> None:
    """Store a record of this member, and let them show it to others."""
    async with table.bot.host._store.writing() as tx:
        await punctuality.add(tx, [PunctualityRecord(actor.id, *counts)])
    await actor.slash(table.channel, "carc settings", choose=f"{PUNCTUALITY} on")


def record_in(key: str, *counts: int, **values: object) -> str:
    """Return the sentence about a record of these counts."""
    record = PunctualityRecord(0, *counts)
    names = ("finished", "timeouts", "withdrawals")
    return localized(key, **dict(zip(names, counts, strict=True)), percent=record.percent, **values)


async def test_the_settings_tell_the_own_record(table: Table) -> None:
    ana = table.actors[0]
    assert record_in("punctuality.own", 0, 0, 0) in answer_to(await ana.slash(table.channel, "carc settings"))
    await show_record(table, ana, 7, 2, 1)
    panel = (await ana.slash(table.channel, "carc settings")).response
    assert record_in("punctuality.own", 7, 2, 1) in words(panel.components)
    await ana.click(
        panel,
        custom_id=next(
            shown.custom_id for shown in buttons(panel.components) if shown.key.argument == f"{PUNCTUALITY} off"
        ),
    )
    assert await table.bot.host.punctuality.shown_by([ana.id]) == {}


async def test_records_are_seen_before_joining(table: Table) -> None:
    ana, ben, cleo = table.actors[:3]
    await ana.slash(table.channel, "carc new", players=3)
    card = newest_card(table)
    await ben.click(card.handle, label=localized("button.join"))
    await show_record(table, ana, 12, 1, 0)
    panel = (await cleo.click(card.handle, label=localized("button.seats"))).response
    assert record_in("punctuality.player", 12, 1, 0, player="Ana") in words(panel.components)
    assert localized("lobby.member", player="Ben") in words(panel.components).splitlines()


async def test_who_is_challenged_sees_the_record_of_the_challenger(table: Table) -> None:
    ana, ben = table.actors[:2]
    card = await challenge(table, ben)
    await show_record(table, ana, 3, 0, 0)
    panel = (await ben.click(card.handle, label=localized("button.seats"))).response
    assert record_in("punctuality.player", 3, 0, 0, player="Ana") in words(panel.components)
    assert {shown.key.op for shown in buttons(panel.components)} == {Op.MEET}


async def test_the_owner_asks_for_a_least_and_others_are_told_what_to_do(table: Table) -> None:
    ana, ben, cleo = table.actors[:3]
    await ana.slash(table.channel, "carc new", players=3)
    card = newest_card(table)
    page = (await ana.click(card.handle, label=localized("button.ruling"))).response
    for argument in ("time", "time punctual 50"):
        shown = next(shown for shown in buttons(page.components) if shown.key.argument == argument)
        page = (await ana.click(page, custom_id=shown.custom_id)).response
    assert localized("rules.least_punctuality", percent=50) in words(newest_card(table).components)
    with nothing_changes(table):
        answer = answer_to(await ben.click(card.handle, label=localized("button.join")))
        assert is_sentence("error.punctuality_hidden", answer)
    await show_record(table, ben, 1, 1, 1)
    with nothing_changes(table):
        answer = answer_to(await ben.click(card.handle, label=localized("button.join")))
        assert is_sentence("error.not_punctual", answer)
    await show_record(table, cleo, 1, 0, 0)
    await cleo.click(card.handle, label=localized("button.join"))
    assert localized("lobby.member", player="Cleo") in words(newest_card(table).components)
