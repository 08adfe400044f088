"""Vacations: announced by command, by the modal and from the settings; refused clearly; seen by the others."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from cogs.panels.vacations import DAYS, FIRST
from cogs.presenting.ids import Op
from tests.discord_limits.recorder import Recorder
from tests.e2e.player import Shown
from tests.e2e.screen import read, words
from tests.e2e.table import Table, seated
from tests.e2e.test_undo import offered, ops

pytestmark = pytest.mark.usefixtures("drawn_language")


@pytest.fixture
async def table(tmp_path: Path, recorder: Recorder, no_drawing: None) -> AsyncIterator[Table]:
    """A game of two with a clock."""
    async with seated(tmp_path / "games.sqlite3", seed="one", usual_pace="standard") as table:
        await table.start(2)
        yield table
    assert recorder.problems() == []


def day(ahead: int) -> str:
    return (datetime.now(UTC) + timedelta(days=ahead)).date().isoformat()


def told(first: str, days: int) -> str:
    """How the line of a vacation begins."""
    return read("vacation.line", count=days, first=first, start="|", end="|").split("|")[0]


async def vacation(table: Table, member: int, **options: object) -> Shown:
    return table._seen(await table.members[member].slash(table.place, "carc vacation", **options))


async def test_the_typed_way(table: Table) -> None:
    ana, *_ = table.members
    assert read("vacation.none") in words((await vacation(table, ana)).components)
    shown = await vacation(table, ana, first=day(3), days=5)
    assert told(day(3), 5) in words(shown.components)
    assert day(3) not in words((await vacation(table, ana, drop=day(3))).components)


async def test_by_the_settings_and_the_modal(table: Table) -> None:
    ana, *_ = table.members
    settings = table._seen(await table.members[ana].slash(table.place, "carc settings", quiet="22:00-07:00"))
    panel = await table.press(ana, settings, offered(settings, Op.VACATION).custom_id)
    modal = await table.press(ana, panel, offered(panel, Op.DAYS).custom_id)
    shown = await table.submit(ana, modal, {FIRST: day(4), DAYS: "2"})
    assert told(day(4), 2) in words(shown.components)
    assert ops(shown) == {Op.VACATION, Op.DAYS}
    again = await table.press(ana, shown, offered(shown, Op.VACATION).custom_id)
    assert read("vacation.none") in words(again.components)
    modal = await table.press(ana, again, offered(again, Op.DAYS).custom_id)
    refused = await table.submit(ana, modal, {FIRST: "tomorrow", DAYS: "2"})
    assert words(refused.components) == read("refusal.bad_date", typed="tomorrow")


async def test_everybody_sees_it(table: Table) -> None:
    ana, ben, *_ = table.members
    for member in (ana, ben):
        await vacation(table, member, first=day(3), days=5)
    game = await table.bot.host.game(table.stored().code)
    await table.bot.publisher.show_again(game)
    await table.env.settle()
    card = words(table.card().components)
    for player in ("Ana", "Ben"):
        assert read("card.away", player=player, start="|", end="|").split("|")[0] in card


async def test_what_is_refused(table: Table) -> None:
    ana, *_ = table.members
    year = int(day(5)[:4])
    answers = [
        ({"first": day(-2)}, read("error.vacation_past", first=day(-2).replace("-", "\\-"))),
        ({"first": day(1)}, read("error.vacation_soon", first=day(1).replace("-", "\\-"))),
        ({"first": "2031-02-30"}, read("refusal.bad_date", typed="2031\\-02\\-30")),
        ({"days": 3}, read("refusal.bad_date", typed="")),
        ({"drop": day(9)}, read("error.no_vacation", first=day(9).replace("-", "\\-"))),
    ]
    for options, answer in answers:
        assert words((await vacation(table, ana, **options)).components) == answer
    await vacation(table, ana, first=day(5), days=4)
    overlaps = await vacation(table, ana, first=day(7), days=4)
    assert words(overlaps.components).startswith(read("error.vacation_overlaps", first="#", days=4).split("#")[0])
    assert year
