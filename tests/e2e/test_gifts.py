"""Gifts of time: by command or by buttons; announced in public, refused in private.

A gift is an amount of time that a player adds to another player's clock. The standard pace gives each player a bank
of 72 hours.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import date, timedelta
from pathlib import Path

import pytest

from cogs.presenting.ids import Op
from host import Host
from tests.discord_limits.recorder import Recorder
from tests.e2e.answers import answer_to, is_sentence, nothing_changes
from tests.e2e.player import button_for
from tests.e2e.screen import buttons, localized, words
from tests.e2e.table import Table, open_table

pytestmark = pytest.mark.usefixtures("random_language")


@pytest.fixture
async def table(tmp_path: Path, recorder: Recorder, no_drawing: None) -> AsyncIterator[Table]:
    """Yield a game of three at the default pace."""
    async with open_table(tmp_path / "games.sqlite3", seed="one", usual_pace="standard") as table:
        await table.start(3)
        yield table
    assert recorder.problems() == []


async def time_left(host: Host, code: str) -> tuple[timedelta, ...]:
    """Return the remaining time of each seat."""
    times = await host.times.of(await host.games.get(code))
    assert times is not None
    return times.left


async def test_time_is_given_with_three_presses_from_the_card(table: Table) -> None:
    ana, host, game = table.actors[0], table.bot.host, table.stored()
    before, card = await time_left(host, game.code), table.card()
    notes = button_for(card, Op.NOTES)
    opened = await table.press(ana.id, card, notes.custom_id)
    give = button_for(opened, Op.GIVE)
    panel = await table.press(ana.id, opened, give.custom_id)
    offers = [button for button in buttons(panel.components) if button.key.op is Op.GIVE]
    assert len(offers) == 6, "three amounts for each of the two others"
    seat = int(offers[0].key.argument.split()[0])
    await table.press(ana.id, panel, offers[0].custom_id)
    await table.env.settle()
    after = await time_left(host, game.code)
    assert after[seat] - before[seat] == timedelta(hours=6)
    assert sum(after, timedelta()) - sum(before, timedelta()) == timedelta(hours=6)
    text = words(table.card().components)
    assert game.names[seat] in text
    assert localized("gift.hours", count=6) in text
    assert any(button.key.op is Op.PLAY for button in buttons(table.cards()[-2].components)), "the card stays"


async def test_a_typed_gift_is_a_day_by_default(table: Table) -> None:
    (ana, ben, *_), host, game = table.actors, table.bot.host, table.stored()
    seats, before = game.seats, await time_left(host, game.code)
    answer = answer_to(await ana.slash(table.place, "carc time give", player=ben))
    assert localized("gift.hours", count=24) in answer
    await ben.slash(table.place, "carc time give", player=ana, hours=1, minutes=30)
    after = await time_left(host, game.code)
    assert after[seats.index(ben.id)] - before[seats.index(ben.id)] == timedelta(days=1)
    assert after[seats.index(ana.id)] - before[seats.index(ana.id)] == timedelta(minutes=90)


async def test_refusals_are_private_and_change_nothing(table: Table) -> None:
    ana, ben, _, stranger = table.actors[:4]
    code = table.stored().code
    with nothing_changes(table):
        for giver, key, options in (
            (ana, "gives_self", {"player": ana}),
            (ana, "has_left", {"player": stranger}),
            (ana, "bad_gift", {"player": ben, "hours": 25}),
            (ana, "bad_gift", {"player": ben, "minutes": 0}),
            (stranger, "not_a_player", {"player": ben, "game": code}),
            (stranger, "not_a_player", {"game": code}),
        ):
            assert is_sentence(f"error.{key}", answer_to(await giver.slash(table.place, "carc time give", **options)))
    await ana.slash(table.place, "carc time give", player=ben)
    await table.env.settle()
    with nothing_changes(table):
        again = answer_to(await ana.slash(table.place, "carc time give", player=ben))
    assert is_sentence("error.gave_lately", again)


async def test_a_game_without_clocks_offers_no_gifts(tmp_path: Path, no_drawing: None) -> None:
    async with open_table(tmp_path / "plain.sqlite3", seed="one") as table:
        await table.start(2)
        ana, ben = table.actors[:2]
        notes = button_for(table.card(), Op.NOTES)
        opened = await table.press(ana.id, table.card(), notes.custom_id)
        assert not [button for button in buttons(opened.components) if button.key.op is Op.GIVE]
        for away in (False, True):
            if away:
                await table.bot.host.vacations.announce(ben.id, date.today() + timedelta(days=3), 2)  # noqa: DTZ011
            for options in ({}, {"player": ben}):
                assert is_sentence(
                    "error.no_clocks", answer_to(await ana.slash(table.place, "carc time give", **options))
                )
