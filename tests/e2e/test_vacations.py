"""Vacations: announced by command, modal and settings; ended early; refused if invalid; shown on cards.

A vacation holds a player's clocks for whole local days, of which they have a limited number a year.
"""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from cogs.commands.settings import DAYS_FIELD, FIRST_DAY_FIELD
from cogs.presenting.ids import Op
from host import YEARLY_VACATION_DAYS
from tests.discord_limits.recorder import Recorder
from tests.e2e.player import Shown, button_for, offered_ops
from tests.e2e.raw_interactions import last_answer, send_press
from tests.e2e.screen import localized, mentioned_users, says, words
from tests.e2e.table import Table, open_table, wait_until_posted

pytestmark = pytest.mark.usefixtures("random_language")


@pytest.fixture
async def table(tmp_path: Path, recorder: Recorder, no_drawing: None) -> AsyncIterator[Table]:
    """Yield a game of two with clocks."""
    async with open_table(tmp_path / "games.sqlite3", seed="one", usual_pace="standard") as table:
        await table.start(2)
        yield table
    assert recorder.problems() == []


def iso_day(ahead: int) -> str:
    """Return the ISO date this many days from today."""
    return (datetime.now(UTC) + timedelta(days=ahead)).date().isoformat()


def vacation_line(first: str, days: int) -> str:
    """Return the beginning of the line about a vacation."""
    return localized("vacation.line", count=days, first=first, start="|", end="|").split("|")[0]


async def send_vacation(table: Table, member: int, **options: object) -> Shown:
    """Send ``/carc vacation`` and return its answer."""
    return table.shown(await table.members[member].slash(table.place, "carc vacation", **options))


async def test_a_vacation_is_announced_and_dropped_by_command(table: Table) -> None:
    ana, *_ = table.members
    assert localized("vacation.none") in words((await send_vacation(table, ana)).components)
    shown = await send_vacation(table, ana, first=iso_day(3), days=5)
    assert vacation_line(iso_day(3), 5) in words(shown.components)
    assert iso_day(3) not in words((await send_vacation(table, ana, drop=iso_day(3))).components)


async def test_a_vacation_is_announced_from_the_settings_by_modal(table: Table) -> None:
    ana, *_ = table.members
    settings = table.shown(await table.members[ana].slash(table.place, "carc settings", quiet="22:00-07:00"))
    panel = await table.press(ana, settings, button_for(settings, Op.VACATION).custom_id)
    modal = await table.press(ana, panel, button_for(panel, Op.DAYS).custom_id)
    shown = await table.submit(ana, modal, {FIRST_DAY_FIELD: iso_day(4), DAYS_FIELD: "2"})
    assert vacation_line(iso_day(4), 2) in words(shown.components)
    assert offered_ops(shown) == {Op.VACATION, Op.DAYS}
    again = await table.press(ana, shown, button_for(shown, Op.VACATION).custom_id)
    assert localized("vacation.none") in words(again.components)
    modal = await table.press(ana, again, button_for(again, Op.DAYS).custom_id)
    refused = await table.submit(ana, modal, {FIRST_DAY_FIELD: "tomorrow", DAYS_FIELD: "2"})
    assert words(refused.components) == localized("refusal.bad_date", typed="tomorrow")


async def test_vacations_appear_on_the_card(table: Table) -> None:
    ana, ben, *_ = table.members
    for member in (ana, ben):
        await send_vacation(table, member, first=iso_day(3), days=5)
    game = await table.bot.host.games.get(table.stored().code)
    await table.bot.publisher.show_again(game)
    await table.env.settle()
    card = words(table.card().components)
    for player in ("Ana", "Ben"):
        assert localized("card.away", player=player, start="|", end="|").split("|")[0] in card


async def test_invalid_vacations_are_refused(table: Table) -> None:
    ana, *_ = table.members
    answers = [
        ({"first": iso_day(-2)}, localized("error.vacation_past", first=iso_day(-2).replace("-", "\\-"))),
        ({"first": iso_day(1)}, localized("error.vacation_soon", first=iso_day(1).replace("-", "\\-"))),
        ({"first": "2031-02-30"}, localized("refusal.bad_date", typed="2031\\-02\\-30")),
        ({"days": 3}, localized("refusal.bad_date", typed="")),
        ({"drop": iso_day(9)}, localized("error.no_vacation", first=iso_day(9).replace("-", "\\-"))),
    ]
    for options, answer in answers:
        assert words((await send_vacation(table, ana, **options)).components) == answer
    await send_vacation(table, ana, first=iso_day(5), days=4)
    overlaps = await send_vacation(table, ana, first=iso_day(7), days=4)
    assert words(overlaps.components).startswith(localized("error.vacation_overlaps", first="#", days=4).split("#")[0])


async def begin_vacation(table: Table) -> int:
    """Put the player to move on a vacation of five days since yesterday, so that clocks are held; return their id."""
    mover = (await table.bot.host.games.get(table.stored().code)).person_to_act
    assert mover is not None
    await send_vacation(table, mover.user_id, first=iso_day(3), days=5)
    days = timedelta(days=4) // timedelta(milliseconds=1)
    with closing(sqlite3.connect(table.database)) as file, file:
        file.execute(
            "update vacations set starts_at = starts_at - :days, ends_at = ends_at - :days, first = :first",
            {"days": days, "first": iso_day(-1)},
        )
        file.execute("update timers set due_at = due_at - ? where kind = 'vacation'", [days])
    await run_due_work(table)
    assert clocks_held(table)
    return mover.user_id


async def run_due_work(table: Table) -> None:
    """Run the timers that are due and wait until their posts are sent."""
    await table.bot.host.timer_dispatcher.work()
    table.bot.publisher.wake()
    await wait_until_posted(table)


def clocks_held(table: Table) -> bool:
    """Return whether clocks of the game are held."""
    with closing(sqlite3.connect(table.database)) as file:
        return bool(file.execute("select max(held) from clocks").fetchone()[0])


def days_left_text(*used: str) -> str:
    """Return the text about the vacation days left this year, after the used days."""
    year = datetime.now(UTC).year
    return localized(
        "vacation.left", count=YEARLY_VACATION_DAYS - sum(date.fromisoformat(day).year == year for day in used)
    )


async def test_a_running_vacation_is_ended_by_its_button(table: Table) -> None:
    away = await begin_vacation(table)
    before = len(table.cards())
    panel, other_panel = await send_vacation(table, away), await send_vacation(table, away)
    assert localized("vacation.begun") in words(panel.components)
    back = button_for(panel, Op.BACK)
    shown = await table.press(away, panel, back.custom_id)
    assert offered_ops(shown) == {Op.DAYS}
    for line in (localized("vacation.ended"), localized("vacation.none"), days_left_text(iso_day(-1), iso_day(0))):
        assert line in words(shown.components)
    await run_due_work(table)
    assert not clocks_held(table)
    notice = table.card()
    game = await table.bot.host.games.get(table.stored().code)
    name = game.seats[game.seat_of(away) or 0].name
    assert localized("card.back", player=name, name=game.name, code=game.code) in words(notice.components)
    assert says(words(notice.components), "card.deadline")
    assert mentioned_users(notice.components) == []
    assert len(table.cards()) == before + 1
    # The button of a second open panel has no further effect and gives the same answer.
    again = await table.press(away, other_panel, back.custom_id)
    assert words(again.components) == words(shown.components)
    await run_due_work(table)
    assert len(table.cards()) == before + 1


async def test_a_running_vacation_is_ended_by_the_command(table: Table) -> None:
    away = await begin_vacation(table)
    shown = await send_vacation(table, away, end=True)
    assert localized("vacation.ended") in words(shown.components)
    await run_due_work(table)
    assert not clocks_held(table)
    assert says(words(table.card().components), "card.back")
    assert words((await send_vacation(table, away, end=True)).components) == localized("error.not_away")


async def test_a_running_vacation_is_not_ended_by_others_nor_dropped(table: Table) -> None:
    away = await begin_vacation(table)
    other = next(member for member in table.stored().seats if member != away)
    panel = await send_vacation(table, away)
    own = await send_vacation(table, other)
    forged = send_press(table.env, table.members[other], own.handle, button_for(panel, Op.BACK).custom_id)
    await table.env.settle()
    assert last_answer(forged) == localized("error.not_away")
    refused = await send_vacation(table, away, drop=iso_day(-1))
    assert words(refused.components) == localized("error.no_vacation", first=iso_day(-1).replace("-", "\\-"))
    await run_due_work(table)
    assert clocks_held(table)
