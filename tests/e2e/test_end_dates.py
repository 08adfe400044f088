"""Tables with an end date: shown before joining and on cards, moved by organisers, enforced.

Buttons on the lobby's panel are found by their argument, such as "time ends 14" for an end after 14 days.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from cogs.presenting.ids import Op
from tests.discord_limits.recorder import Recorder
from tests.e2e.answers import answer_to, is_sentence, nothing_changes
from tests.e2e.lobby_cards import custom_id_for, lobby_text, open_lobby_of_two
from tests.e2e.player import button_for
from tests.e2e.screen import localized, words
from tests.e2e.table import Table, make_manager, open_table

pytestmark = pytest.mark.usefixtures("random_language")


@pytest.fixture
async def table(tmp_path: Path, recorder: Recorder, no_drawing: None) -> AsyncIterator[Table]:
    """Yield members in a channel; all requests have to keep Discord's limits."""
    async with open_table(tmp_path / "games.sqlite3", seed="one", usual_pace="standard") as table:
        yield table
    assert recorder.problems() == []


def day(ahead: int) -> str:
    """Return the ISO date this many days from today."""
    return (datetime.now(UTC).date() + timedelta(days=ahead)).isoformat()


async def test_the_owner_chooses_the_end_date_with_buttons(table: Table) -> None:
    ana = table.actors[0]
    lobby = await open_lobby_of_two(table)
    ruling = button_for(lobby, Op.RULING)
    panel = await table.press(ana.id, lobby, ruling.custom_id)
    panel = await table.press(ana.id, panel, custom_id_for(panel, "time"))
    assert localized("ruling.ends_never") in words(panel.components)
    panel = await table.press(ana.id, panel, custom_id_for(panel, "time ends 14"))
    assert localized("rules.ends_after", count=14) in words(panel.components)
    panel = await table.press(ana.id, panel, custom_id_for(panel, "time ends 30"))
    assert localized("rules.ends_after", count=30) in lobby_text(table)


async def test_a_typed_end_date_appears_on_the_cards(table: Table) -> None:
    await table.start(3, ends=45)
    text = words(table.card().components)
    assert localized("rules.ends_after", count=45) in text
    game = await table.bot.host.games.get(table.stored().code)
    assert game.ends_at is not None
    assert localized("card.ends_at", at=int(game.ends_at.timestamp())) in text


async def test_an_organiser_moves_the_end_date_and_all_players_are_mentioned(table: Table) -> None:
    await table.start(2, ends=45)
    organiser, code = make_manager(table), table.stored().code
    answer = answer_to(await organiser.slash(table.place, "carc time end", date=day(100), game=code))
    await table.env.settle()
    game = await table.bot.host.games.get(code)
    assert game.ends_at == datetime.fromisoformat(f"{day(101)}T00:00+00:00"), "the whole day is played"
    at = int(game.ends_at.timestamp())
    assert answer == localized("ending.moved", name=game.name, code=code, at=at)
    called = " ".join(f"<@{person.user_id}>" for person in game.seats)
    assert localized("card.ends", players=called, name=game.name, code=code, at=at) in words(table.card().components)
    await organiser.slash(table.place, "carc time end", date="Never", game=code)
    await table.env.settle()
    assert (await table.bot.host.games.get(code)).ends_at is None
    assert localized("card.ends_never", players=called, name=game.name, code=code) in words(table.card().components)


async def test_refusals_are_private_and_change_nothing(table: Table) -> None:
    await table.start(2, ends=45)
    organiser, ana, stranger, code = make_manager(table), table.actors[0], table.actors[2], table.stored().code
    with nothing_changes(table):
        for asker in (ana, stranger):
            answer = answer_to(await asker.slash(table.place, "carc time end", date=day(20), game=code))
            assert is_sentence("error.only_organiser", answer)
        for invalid_date in (day(-3), day(0), day(729)):
            answer = answer_to(await organiser.slash(table.place, "carc time end", date=invalid_date, game=code))
            assert is_sentence("error.bad_end", answer) or is_sentence("refusal.bad_date", answer), invalid_date
        for invalid_date in ("soon", "2026-02-30", "x" * 300):
            assert is_sentence(
                "refusal.bad_date",
                answer_to(await organiser.slash(table.place, "carc time end", date=invalid_date, game=code)),
            )


async def test_the_final_card_names_the_reason_of_the_end(table: Table) -> None:
    await table.start(2, ends=45)
    await table.bot.host.endings.adjudicate(table.stored().code)
    table.bot.publisher.wake()
    for _ in range(100):
        if table.over:
            break
        await asyncio.sleep(0.05)
    assert localized("story.adjudicated") in words(table.card().components)
    shown = await table.actors[0].slash(table.place, "carc log", game=table.stored().code)
    assert localized("story.adjudicated") in answer_to(shown)
