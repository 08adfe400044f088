"""Bad input to what is done about time and about others: a private answer says what is wrong, and nothing changes."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import simcord

from cogs.presenting.ids import Key, Op
from tests.discord_limits.recorder import Recorder
from tests.e2e.answers import answer_to, is_sentence, nothing_changes
from tests.e2e.player import Shown, button_for, offered_ops
from tests.e2e.raw_interactions import last_answer, send_press
from tests.e2e.table import Table, open_table

pytestmark = pytest.mark.usefixtures("random_language")

FOREVER = "9" * 40


@pytest.fixture
async def table(tmp_path: Path, recorder: Recorder, no_drawing: None) -> AsyncIterator[Table]:
    """A game of three with clocks, of which the first has moved; the others look on."""
    async with open_table(tmp_path / "games.sqlite3", seed="one", usual_pace="standard") as table:
        await table.start(3)
        mover = asked(table)
        (offer, *_) = await mover.autocomplete(table.place, "carc play", "move", "")
        await mover.slash(table.place, "carc play", move=offer["value"])
        await table.env.settle()
        yield table
    assert recorder.problems() == []


def asked(table: Table) -> simcord.MemberActor:
    """Whoever has to decide."""
    stored = table.stored()
    return table.members[stored.seats[stored.replayed().player]]


async def notes_of(table: Table, actor: simcord.MemberActor) -> Shown:
    """A private panel of somebody."""
    return await table.press(actor.id, table.card(), button_for(table.card(), Op.NOTES).custom_id)


async def forged(table: Table, actor: simcord.MemberActor, panel: Shown, op: Op, argument: str = "") -> str:
    """What the press of a button is answered that nobody was offered."""
    game = await table.bot.host.games.get(table.stored().code)
    sent = send_press(table.env, actor, panel.handle, str(Key(op, game.code, game.revision, argument)), offered=False)
    await table.env.settle()
    return last_answer(sent)


async def test_nobody_undoes_what_somebody_else_has_done(table: Table) -> None:
    stored, stranger = table.stored(), table.actors[3]
    mover = table.members[stored.seats[0]]
    assert table.stored().ply > 0
    with nothing_changes(table):
        for seat in stored.seats[1:]:
            other = table.members[seat]
            assert is_sentence("error.nothing_to_undo", answer_to(await other.slash(table.place, "carc undo")))
            panel = await notes_of(table, other)
            for op in (Op.ASK, Op.UNDO):
                assert is_sentence("error.nothing_to_undo", await forged(table, other, panel, op))
            assert is_sentence("error.nothing_waits", await forged(table, other, panel, Op.PUBLISH))
        told = answer_to(await stranger.slash(table.place, "carc undo", game=stored.code))
        assert is_sentence("error.not_a_player", told)
        offer = table.shown(await mover.slash(table.place, "carc undo"))
        assert offered_ops(offer) == {Op.ASK}


async def test_time_cannot_be_given_to_oneself_or_taken_by_a_forged_button(table: Table) -> None:
    stored = table.stored()
    giver = table.members[stored.seats[1]]
    panel = await notes_of(table, giver)
    with nothing_changes(table):
        assert is_sentence("error.gives_self", await forged(table, giver, panel, Op.GIVE, "1 60"))
        for argument in ("0 0", f"0 {60 * 25}", "0 100000"):
            assert is_sentence("error.bad_gift", await forged(table, giver, panel, Op.GIVE, argument)), argument
        for argument in ("0 -60", "0", "9 60", "x y", f"0 {FOREVER}", f"{FOREVER} 60", "0 60 60"):
            assert is_sentence("refusal.unknown_button", await forged(table, giver, panel, Op.GIVE, argument)), argument


async def test_a_pause_is_as_long_as_pauses_are(table: Table) -> None:
    player, stranger = table.members[table.stored().seats[1]], table.actors[3]
    panel = await notes_of(table, player)
    with nothing_changes(table):
        for argument in ("0", "15", "1000"):
            assert is_sentence("error.bad_pause", await forged(table, player, panel, Op.PAUSE, argument)), argument
        for argument in ("x", "-1", "1 2", FOREVER):
            assert is_sentence("refusal.unknown_button", await forged(table, player, panel, Op.PAUSE, argument)), (
                argument
            )
        assert is_sentence("error.not_paused", await forged(table, player, panel, Op.RESUME))
        theirs = await notes_of(table, stranger)
        assert Op.PAUSE not in offered_ops(theirs)
        assert is_sentence("error.not_a_player", await forged(table, stranger, theirs, Op.PAUSE))
        assert is_sentence("error.not_organiser", await forged(table, stranger, theirs, Op.PAUSE, "3"))


async def test_vacations_that_are_none(table: Table) -> None:
    ana = table.actors[0]
    with nothing_changes(table):
        for first in ("2030-13-01", "0000-00-00", "next week", "-1", "1" * 50):
            told = answer_to(await ana.slash(table.place, "carc vacation", first=first, days=3))
            assert is_sentence("refusal.bad_date", told), first
        last_week = (datetime.now(UTC) - timedelta(days=7)).date().isoformat()
        told = answer_to(await ana.slash(table.place, "carc vacation", first=last_week, days=3))
        assert is_sentence("error.vacation_past", told)


async def test_a_seat_that_is_not_ones_own_to_give(table: Table) -> None:
    ana, ben, cleo, dan = table.actors[:4]
    code = table.stored().code
    with nothing_changes(table):
        told = answer_to(await dan.slash(table.place, "carc absent", player="Ana", game=code))
        assert is_sentence("error.not_organiser", told)
        told = answer_to(await ana.slash(table.place, "carc absent", player="Nobody"))
        assert is_sentence("refusal.no_such_player", told)
        told = answer_to(await ana.slash(table.place, "carc absent", player="Ben", substitute=cleo))
        assert is_sentence("error.seated_already", told)
        panel = await notes_of(table, ana)
        for argument in ("", "x", f"{FOREVER}", f"{ben.id} {FOREVER}", f"{dan.id}"):
            said = await forged(table, ana, panel, Op.SEAT, argument)
            known = ("refusal.unknown_button", "error.not_at_table", "error.request_gone")
            assert any(is_sentence(key, said) for key in known), (argument, said)


async def test_reminders_that_nobody_can_ask_for(table: Table) -> None:
    waits, other = asked(table), table.members[table.stored().seats[0]]
    with nothing_changes(table):
        if other is not waits:
            told = answer_to(await other.slash(table.place, "carc remind", hours=3))
            assert is_sentence("error.not_your_turn_at", told)
        panel = await notes_of(table, waits)
        assert is_sentence("error.bad_hours", await forged(table, waits, panel, Op.LATER, "169"))
        for argument in ("x", FOREVER, "-1"):
            said = await forged(table, waits, panel, Op.LATER, argument)
            assert is_sentence("refusal.unknown_button", said), argument
