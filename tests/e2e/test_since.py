"""The events since a player's last move, in the panel of [Play] and in the log.

[Play] opens the panel in which a player puts a move together; it begins with what the others have done since the
player's last move.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from random import Random

import pytest
from simcord.components import walk_components

from host import BY_EAR, Preferences
from tests.discord_limits.recorder import Recorder
from tests.e2e.answers import answer_to
from tests.e2e.player import Clicker, Habits, Shown
from tests.e2e.screen import Kind, buttons_by_kind, localized, mentioned_users, words
from tests.e2e.table import Table, open_table

pytestmark = pytest.mark.usefixtures("random_language")


@pytest.fixture
async def table(tmp_path: Path, recorder: Recorder, no_drawing: None) -> AsyncIterator[Table]:
    """Yield a game of three without expansions."""
    async with open_table(tmp_path / "games.sqlite3", seed="one") as table:
        await table.start(3, expansions="base")
        yield table
    assert recorder.problems() == []


def since_prefix() -> str:
    """Return the beginning of the line about missed moves."""
    return localized("panel.since", story="").strip()


async def open_panel(table: Table) -> Shown:
    """Open the panel of the newest card as the player to move."""
    card = table.card()
    return await table.press(
        mentioned_users(card.components)[0], card, buttons_by_kind(card.components)[Kind.PLAY][0].custom_id
    )


async def test_a_returning_player_reads_the_missed_moves(table: Table) -> None:
    clicker = Clicker(table, Random(4), Habits(quick=True))
    assert since_prefix() not in words((await open_panel(table)).components), "the player has not moved yet"
    first = mentioned_users(table.card().components)[0]
    for _ in range(3):
        await clicker.move(table.card())
        await table.env.settle()
    assert mentioned_users(table.card().components)[0] == first
    panel = words((await open_panel(table)).components)
    names = dict(zip(table.stored().seats, table.stored().names, strict=True))
    missed = next(line for line in panel.splitlines() if line.startswith(since_prefix()))
    for user, name in names.items():
        assert (localized("story.placed", player=name, cell="|", tile="").split("|")[0] in missed) is (user != first), (
            name
        )
    log = answer_to(await table.members[first].slash(table.place, "carc log", since=True))
    assert names[first] not in log
    assert all(name in log for user, name in names.items() if user != first)
    game = await table.bot.host.games.get(table.stored().code)
    assert log.startswith(localized("log.title_since", name=game.name, code=game.code))
    last = table.stored().seats[-1]
    nothing = answer_to(await table.members[last].slash(table.place, "carc log", since=True))
    assert nothing.endswith(localized("log.empty_since"))


async def test_the_only_missed_move_is_not_told_again_below_its_card(table: Table) -> None:
    """Regression: in a game of two the panel repeated the card above it. Who listens is told it there."""
    await table.start(2, expansions="base")
    clicker = Clicker(table, Random(4), Habits(quick=True))
    for _ in range(2):
        await clicker.move(table.card())
        await table.env.settle()
    player = mentioned_users(table.card().components)[0]
    assert since_prefix() not in words((await open_panel(table)).components)
    await table.bot.host.preferences.set(player, Preferences(choices={BY_EAR: "on"}))
    assert since_prefix().strip("*-# ") in words((await open_panel(table)).components)


async def test_an_onlooker_reads_the_whole_log(table: Table) -> None:
    await Clicker(table, Random(4), Habits(quick=True)).move(table.card())
    await table.env.settle()
    onlooker = table.actors[4]
    assert answer_to(await onlooker.slash(table.place, "carc log", since=True)) == answer_to(
        await onlooker.slash(table.place, "carc log")
    )


async def test_waiting_games_are_listed_and_linked_after_a_move(table: Table) -> None:
    before, me = table.place, mentioned_users(table.card().components)[0]
    await table.start(3, expansions="base")
    assert mentioned_users(table.card().components) == [me], "the seed determines the seats"
    result = await table.members[me].slash(table.channel, "carc games")
    assert result.response is not None
    listed = words(result.response.components)
    assert all(f"/{place.id}/" in listed for place in (before, table.place)), "jump links"
    clicker = Clicker(table, Random(4), Habits(quick=True))
    await clicker.move(table.card())
    assert clicker.last is not None
    links = [part for part in walk_components(clicker.last.components) if "url" in part]
    assert [link["label"] for link in links] == [localized("button.next_game", count=1)]
    assert f"/{before.id}" in links[0]["url"]
