"""Bad input about undo, time, pauses, vacations and seats is answered in private, and changes nothing.

A request is a wish that other players have to agree to. A *forged* press has a custom id that no button of the panel
carries.
"""

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

HUGE_NUMBER = "9" * 40
"""A number that fits into no column of the database."""


@pytest.fixture
async def table(tmp_path: Path, recorder: Recorder, no_drawing: None) -> AsyncIterator[Table]:
    """Yield a game of three with clocks, in which the first player has moved; the other members are onlookers."""
    async with open_table(tmp_path / "games.sqlite3", seed="one", usual_pace="standard") as table:
        await table.start(3)
        mover = actor_to_move(table)
        (offer, *_) = await mover.autocomplete(table.place, "carc play", "move", "")
        await mover.slash(table.place, "carc play", move=offer["value"])
        await table.env.settle()
        yield table
    assert recorder.problems() == []


def actor_to_move(table: Table) -> simcord.MemberActor:
    """Return the member who has to decide."""
    stored = table.stored()
    return table.members[stored.seats[stored.replayed().player]]


async def notes_panel(table: Table, actor: simcord.MemberActor) -> Shown:
    """Open the private panel of a member's notes."""
    return await table.press(actor.id, table.card(), button_for(table.card(), Op.NOTES).custom_id)


async def forge(table: Table, actor: simcord.MemberActor, panel: Shown, op: Op, argument: str = "") -> str:
    """Press a forged button on a panel; return the answer."""
    game = await table.bot.host.games.get(table.stored().code)
    sent = send_press(table.env, actor, panel.handle, str(Key(op, game.code, game.revision, argument)), offered=False)
    await table.env.settle()
    return last_answer(sent)


async def test_only_the_mover_can_undo_or_publish_a_move(table: Table) -> None:
    stored, stranger = table.stored(), table.actors[3]
    mover = table.members[stored.seats[0]]
    assert table.stored().ply > 0
    with nothing_changes(table):
        for seat in stored.seats[1:]:
            other = table.members[seat]
            assert is_sentence("error.nothing_to_undo", answer_to(await other.slash(table.place, "carc undo")))
            panel = await notes_panel(table, other)
            for op in (Op.ASK, Op.UNDO):
                assert is_sentence("error.nothing_to_undo", await forge(table, other, panel, op))
            assert is_sentence("error.nothing_waits", await forge(table, other, panel, Op.PUBLISH))
        answer = answer_to(await stranger.slash(table.place, "carc undo", game=stored.code))
        assert is_sentence("error.not_a_player", answer)
        offer = table.shown(await mover.slash(table.place, "carc undo"))
        assert offered_ops(offer) == {Op.ASK}


async def test_forged_gifts_of_time_are_refused(table: Table) -> None:
    stored = table.stored()
    giver = table.members[stored.seats[1]]
    panel = await notes_panel(table, giver)
    with nothing_changes(table):
        assert is_sentence("error.gives_self", await forge(table, giver, panel, Op.GIVE, "1 60"))
        for argument in ("0 0", f"0 {60 * 25}", "0 100000"):
            assert is_sentence("error.bad_gift", await forge(table, giver, panel, Op.GIVE, argument)), argument
        for argument in ("0 -60", "0", "9 60", "x y", f"0 {HUGE_NUMBER}", f"{HUGE_NUMBER} 60", "0 60 60"):
            assert is_sentence("refusal.unknown_button", await forge(table, giver, panel, Op.GIVE, argument)), argument


async def test_pauses_of_an_invalid_length_are_refused(table: Table) -> None:
    player, stranger = table.members[table.stored().seats[1]], table.actors[3]
    panel = await notes_panel(table, player)
    with nothing_changes(table):
        for argument in ("0", "15", "1000"):
            assert is_sentence("error.bad_pause", await forge(table, player, panel, Op.PAUSE, argument)), argument
        for argument in ("x", "-1", "1 2", HUGE_NUMBER):
            assert is_sentence("refusal.unknown_button", await forge(table, player, panel, Op.PAUSE, argument)), (
                argument
            )
        assert is_sentence("error.not_paused", await forge(table, player, panel, Op.RESUME))
        theirs = await notes_panel(table, stranger)
        assert Op.PAUSE not in offered_ops(theirs)
        assert is_sentence("error.not_a_player", await forge(table, stranger, theirs, Op.PAUSE))
        assert is_sentence("error.not_organiser", await forge(table, stranger, theirs, Op.PAUSE, "3"))


async def test_invalid_dates_of_vacations_are_refused(table: Table) -> None:
    ana = table.actors[0]
    with nothing_changes(table):
        for first in ("2030-13-01", "0000-00-00", "next week", "-1", "1" * 50):
            answer = answer_to(await ana.slash(table.place, "carc vacation", first=first, days=3))
            assert is_sentence("refusal.bad_date", answer), first
        last_week = (datetime.now(UTC) - timedelta(days=7)).date().isoformat()
        answer = answer_to(await ana.slash(table.place, "carc vacation", first=last_week, days=3))
        assert is_sentence("error.vacation_past", answer)


async def test_invalid_requests_for_a_substitute_are_refused(table: Table) -> None:
    ana, ben, cleo, dan = table.actors[:4]
    code = table.stored().code
    with nothing_changes(table):
        answer = answer_to(await dan.slash(table.place, "carc absent", player="Ana", game=code))
        assert is_sentence("error.not_organiser", answer)
        answer = answer_to(await ana.slash(table.place, "carc absent", player="Nobody"))
        assert is_sentence("refusal.no_such_player", answer)
        answer = answer_to(await ana.slash(table.place, "carc absent", player="Ben", substitute=cleo))
        assert is_sentence("error.seated_already", answer)
        panel = await notes_panel(table, ana)
        for argument in ("", "x", f"{HUGE_NUMBER}", f"{ben.id} {HUGE_NUMBER}", f"{dan.id}"):
            reply = await forge(table, ana, panel, Op.SEAT, argument)
            expected_keys = ("refusal.unknown_button", "error.not_at_table", "error.request_gone")
            assert any(is_sentence(key, reply) for key in expected_keys), (argument, reply)


async def test_invalid_reminders_are_refused(table: Table) -> None:
    mover, other = actor_to_move(table), table.members[table.stored().seats[0]]
    with nothing_changes(table):
        if other is not mover:
            answer = answer_to(await other.slash(table.place, "carc time remind", hours=3))
            assert is_sentence("error.not_your_turn_at", answer)
        panel = await notes_panel(table, mover)
        assert is_sentence("error.bad_hours", await forge(table, mover, panel, Op.LATER, "169"))
        for argument in ("x", HUGE_NUMBER, "-1"):
            reply = await forge(table, mover, panel, Op.LATER, argument)
            assert is_sentence("refusal.unknown_button", reply), argument
