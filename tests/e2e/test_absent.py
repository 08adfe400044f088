"""Absent players: ``/carc absent``, the vote on a substitute or on continuing without them, and the cards.

Ana plays against Ben; Cleo is a possible substitute. Voters answer by buttons on a public question.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path

import pytest

from cogs.presenting.ids import Op
from tests.discord_limits.recorder import Recorder
from tests.e2e.player import Shown, button_for, offered_ops
from tests.e2e.screen import localized, mentioned_users, says, words
from tests.e2e.table import Table, open_table, wait_until_posted

pytestmark = pytest.mark.usefixtures("random_language")


@pytest.fixture
async def table(tmp_path: Path, recorder: Recorder, no_drawing: None) -> AsyncIterator[Table]:
    """Yield a game of two that has just started; the other members are onlookers."""
    async with open_table(tmp_path / "games.sqlite3", seed="one") as table:
        await table.start(2)
        yield table
    assert recorder.problems() == []


async def absent(table: Table, member: int, player: str, substitute: int | None = None) -> Shown:
    """Send ``/carc absent`` and return its answer."""
    options = {"player": player} | ({} if substitute is None else {"substitute": table.members[substitute]})
    return table.shown(await table.members[member].slash(table.place, "carc absent", **options))


async def test_a_substitute_takes_the_seat_when_all_have_agreed(table: Table) -> None:
    ana, ben, cleo, *_ = table.members
    offer = await absent(table, ana, "Ben", cleo)
    assert offered_ops(offer) == {Op.SEAT}
    await table.press(ana, offer, button_for(offer, Op.SEAT).custom_id)
    await wait_until_posted(table)
    question = table.card()
    assert set(mentioned_users(question.components)) == {ben, cleo}
    assert localized("asking.dropped") in words(question.components)
    for member in (cleo, ben):
        await table.press(member, question, button_for(question, Op.AGREE).custom_id)
        await wait_until_posted(table)
    stored = table.stored()
    assert set(stored.seats) == {ana, cleo}
    card = table.card()
    assert localized("card.replaced", player="Ben", substitute="Cleo") in words(card.components)
    assert len([shown for shown in table.cards() if Op.PLAY in offered_ops(shown)]) == 1
    log = table.shown(await table.members[ana].slash(table.place, "carc log"))
    assert says(words(log.components), "log.taken_over")
    refused = table.shown(await table.members[ben].slash(table.place, "carc play"))
    assert Op.GO not in offered_ops(refused)


async def test_a_game_of_two_ends_when_the_absent_player_agrees(table: Table) -> None:
    ana, ben, *_ = table.members
    offer = await absent(table, ana, str(ben))
    await table.press(ana, offer, button_for(offer, Op.SEAT).custom_id)
    await wait_until_posted(table)
    question = table.card()
    await table.press(ben, question, button_for(question, Op.AGREE).custom_id)
    await wait_until_posted(table)
    assert table.over
    assert localized("story.agreed", player="Ben") in words(table.card().components)


async def test_invalid_players_substitutes_and_strangers_are_refused(table: Table) -> None:
    ana, ben, cleo, dan, *_ = table.members
    players = ", ".join({ana: "Ana", ben: "Ben"}[seat] for seat in table.stored().seats)
    answers = {
        localized("refusal.no_such_player", players=players): (ana, "Zoe", None),
        localized("error.seated_already", player="Ben"): (ana, "Ana", ben),
        localized("error.not_organiser"): (cleo, "Ana", dan),
    }
    for answer, (member, player, substitute) in answers.items():
        assert words((await absent(table, member, player, substitute)).components) == answer
    own = words((await absent(table, ana, "Ana")).components)
    assert says(own, "asking.computer_offer")
    assert not says(own, "asking.withdraw_offer"), "players leave with another command"


async def test_a_player_who_left_the_server_is_named_and_then_withdrawn(table: Table) -> None:
    ana, ben, *_ = table.members
    table.channel.guild.remove_member(table.members[ben])  # type: ignore[union-attr]
    host = table.bot.host
    for kind in ("present", "left"):
        async with host._store.writing() as tx:
            await tx.exec_driver_sql("update timers set due_at = 0 where kind = ?", (kind,))
        await host.timer_dispatcher.work()
        if kind == "present":
            await host.outbox.try_again()
            await table.bot.publisher.show_again(await host.games.get(table.stored().code))
            await table.env.settle()
            assert localized("card.gone", players="Ben") in words(table.card().components)
    table.bot.publisher.wake()
    await wait_until_posted(table)
    assert table.over
    assert localized("story.departed", player="Ben") in words(table.card().components)
    assert ana in table.stored().seats


async def test_a_game_whose_players_all_left_the_server_is_closed_with_a_public_notice(table: Table) -> None:
    host, guild = table.bot.host, table.channel.guild
    assert guild is not None
    for user_id in table.stored().seats:
        guild.remove_member(table.members[user_id])
    table.bot.lookups._cache.clear()
    age_departures(table, days=2)
    await host.timer_dispatcher.work()
    table.bot.publisher.wake()
    await wait_until_posted(table)
    assert says(words(table.card().components), "card.vanished")
    table.env.backend.delete_channel(table.place.id)
    await table.env.settle()
    age_departures(table, days=4)
    await asyncio.sleep(1)  # notices are identified by their time in seconds
    table.bot.lookups._cache.clear()
    await host.timer_dispatcher.work()
    table.bot.publisher.wake()
    await wait_until_posted(table)
    assert table.stored().status == "finished"
    newest = list(table.env.backend.messages[table.channel.id].values())[-1]
    assert says(words(newest.components), "card.vanished_closed"), "posted in the channel, as the thread is gone"


def age_departures(table: Table, *, days: int) -> None:
    """Move all timers, and the times at which departures were noticed, this many days into the past."""
    with closing(sqlite3.connect(table.database)) as file, file:
        file.execute("update timers set due_at = due_at - ?", [days * 86_400_000])
        file.execute("update departures set found_at = found_at - ?", [days * 86_400_000])
