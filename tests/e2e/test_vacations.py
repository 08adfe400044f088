"""Vacations: announced by command, by the modal and from the settings, ended early; refused clearly; seen by others."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from cogs.commands.vacations import DAYS, FIRST
from cogs.presenting.ids import Op
from host import DAYS_OF_YEAR
from tests.discord_limits.recorder import Recorder
from tests.e2e.player import Shown, button_for, offered_ops
from tests.e2e.raw_interactions import last_answer, send_press
from tests.e2e.screen import localized, mentioned_users, says, words
from tests.e2e.table import Table, open_table, wait_until_posted

pytestmark = pytest.mark.usefixtures("random_language")


@pytest.fixture
async def table(tmp_path: Path, recorder: Recorder, no_drawing: None) -> AsyncIterator[Table]:
    """A game of two with a clock."""
    async with open_table(tmp_path / "games.sqlite3", seed="one", usual_pace="standard") as table:
        await table.start(2)
        yield table
    assert recorder.problems() == []


def day(ahead: int) -> str:
    return (datetime.now(UTC) + timedelta(days=ahead)).date().isoformat()


def told(first: str, days: int) -> str:
    """How the line of a vacation begins."""
    return localized("vacation.line", count=days, first=first, start="|", end="|").split("|")[0]


async def vacation(table: Table, member: int, **options: object) -> Shown:
    return table.shown(await table.members[member].slash(table.place, "carc vacation", **options))


async def test_the_typed_way(table: Table) -> None:
    ana, *_ = table.members
    assert localized("vacation.none") in words((await vacation(table, ana)).components)
    shown = await vacation(table, ana, first=day(3), days=5)
    assert told(day(3), 5) in words(shown.components)
    assert day(3) not in words((await vacation(table, ana, drop=day(3))).components)


async def test_by_the_settings_and_the_modal(table: Table) -> None:
    ana, *_ = table.members
    settings = table.shown(await table.members[ana].slash(table.place, "carc settings", quiet="22:00-07:00"))
    panel = await table.press(ana, settings, button_for(settings, Op.VACATION).custom_id)
    modal = await table.press(ana, panel, button_for(panel, Op.DAYS).custom_id)
    shown = await table.submit(ana, modal, {FIRST: day(4), DAYS: "2"})
    assert told(day(4), 2) in words(shown.components)
    assert offered_ops(shown) == {Op.VACATION, Op.DAYS}
    again = await table.press(ana, shown, button_for(shown, Op.VACATION).custom_id)
    assert localized("vacation.none") in words(again.components)
    modal = await table.press(ana, again, button_for(again, Op.DAYS).custom_id)
    refused = await table.submit(ana, modal, {FIRST: "tomorrow", DAYS: "2"})
    assert words(refused.components) == localized("refusal.bad_date", typed="tomorrow")


async def test_everybody_sees_it(table: Table) -> None:
    ana, ben, *_ = table.members
    for member in (ana, ben):
        await vacation(table, member, first=day(3), days=5)
    game = await table.bot.host.games.get(table.stored().code)
    await table.bot.publisher.show_again(game)
    await table.env.settle()
    card = words(table.card().components)
    for player in ("Ana", "Ben"):
        assert localized("card.away", player=player, start="|", end="|").split("|")[0] in card


async def test_what_is_refused(table: Table) -> None:
    ana, *_ = table.members
    year = int(day(5)[:4])
    answers = [
        ({"first": day(-2)}, localized("error.vacation_past", first=day(-2).replace("-", "\\-"))),
        ({"first": day(1)}, localized("error.vacation_soon", first=day(1).replace("-", "\\-"))),
        ({"first": "2031-02-30"}, localized("refusal.bad_date", typed="2031\\-02\\-30")),
        ({"days": 3}, localized("refusal.bad_date", typed="")),
        ({"drop": day(9)}, localized("error.no_vacation", first=day(9).replace("-", "\\-"))),
    ]
    for options, answer in answers:
        assert words((await vacation(table, ana, **options)).components) == answer
    await vacation(table, ana, first=day(5), days=4)
    overlaps = await vacation(table, ana, first=day(7), days=4)
    assert words(overlaps.components).startswith(localized("error.vacation_overlaps", first="#", days=4).split("#")[0])
    assert year


async def on_vacation(table: Table) -> int:
    """Whoever is asked has been on vacation since yesterday, for five days; their clock stands still."""
    asked = (await table.bot.host.games.get(table.stored().code)).person_to_act
    assert asked is not None
    await vacation(table, asked.user_id, first=day(3), days=5)
    days = timedelta(days=4) // timedelta(milliseconds=1)
    with closing(sqlite3.connect(table.database)) as file, file:
        file.execute(
            "update vacations set starts_at = starts_at - :days, ends_at = ends_at - :days, first = :first",
            {"days": days, "first": day(-1)},
        )
        file.execute("update timers set due_at = due_at - ? where kind = 'vacation'", [days])
    await swept(table)
    assert held(table)
    return asked.user_id


async def swept(table: Table) -> None:
    """What is due is done, and posted."""
    await table.bot.host.sweep.work()
    table.bot.publisher.wake()
    await wait_until_posted(table)


def held(table: Table) -> bool:
    with closing(sqlite3.connect(table.database)) as file:
        return bool(file.execute("select max(held) from clocks").fetchone()[0])


def left_after(*used: str) -> str:
    """What the panel says is left of the year."""
    year = datetime.now(UTC).year
    return localized("vacation.left", count=DAYS_OF_YEAR - sum(date.fromisoformat(each).year == year for each in used))


async def test_one_that_has_begun_is_ended_by_its_button(table: Table) -> None:
    away = await on_vacation(table)
    before = len(table.cards())
    panel, other_panel = await vacation(table, away), await vacation(table, away)
    assert localized("vacation.begun") in words(panel.components)
    back = button_for(panel, Op.BACK)
    shown = await table.press(away, panel, back.custom_id)
    assert offered_ops(shown) == {Op.DAYS}
    for line in (localized("vacation.ended"), localized("vacation.none"), left_after(day(-1), day(0))):
        assert line in words(shown.components)
    await swept(table)
    assert not held(table)
    told = table.card()
    game = await table.bot.host.games.get(table.stored().code)
    name = game.seats[game.seat_of(away) or 0].name
    assert localized("card.back", player=name, name=game.name, code=game.code) in words(told.components)
    assert says(words(told.components), "card.deadline")
    assert mentioned_users(told.components) == []
    assert len(table.cards()) == before + 1
    # The button of a panel that still stands somewhere else does no harm, and tells the same.
    again = await table.press(away, other_panel, back.custom_id)
    assert words(again.components) == words(shown.components)
    await swept(table)
    assert len(table.cards()) == before + 1


async def test_one_that_has_begun_is_ended_by_the_command(table: Table) -> None:
    away = await on_vacation(table)
    shown = await vacation(table, away, end=True)
    assert localized("vacation.ended") in words(shown.components)
    await swept(table)
    assert not held(table)
    assert says(words(table.card().components), "card.back")
    assert words((await vacation(table, away, end=True)).components) == localized("error.not_away")


async def test_nobody_else_ends_it_and_it_is_not_taken_back(table: Table) -> None:
    away = await on_vacation(table)
    other = next(member for member in table.stored().seats if member != away)
    panel = await vacation(table, away)
    own = await vacation(table, other)
    forged = send_press(table.env, table.members[other], own.handle, button_for(panel, Op.BACK).custom_id)
    await table.env.settle()
    assert last_answer(forged) == localized("error.not_away")
    refused = await vacation(table, away, drop=day(-1))
    assert words(refused.components) == localized("error.no_vacation", first=day(-1).replace("-", "\\-"))
    await swept(table)
    assert held(table)
