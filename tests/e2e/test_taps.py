"""The number of taps of a move, from the card to the panel that says *Sent*, counted over whole games.

Three in quick mode (Play, spot, figure), four with confirmation; one more for each rotation, one or two with a bridge.
A turn without a figure is not confirmed where it can be undone.
A castle decision is one tap, a bazaar decision one or two, each one more with confirmation. In The Castle a question is
one tap more; with confirmation the answer to the last one confirms. A player with a second tile continues without Play.
"""

from collections import Counter
from datetime import timedelta
from pathlib import Path
from random import Random
from statistics import median

import pytest

from cogs.presenting.ids import Op
from engine.carcassonne.double_turns import first_tile
from engine.carcassonne.expansions import TRADERS_BUILDERS
from tests.discord_limits.recorder import Recorder
from tests.e2e.player import Clicker, Habits, Move, Shown, button_for, offered_ops
from tests.e2e.screen import Kind, buttons_by_kind, localized, mentioned_users, says, words
from tests.e2e.table import Table, open_table
from tests.e2e.test_traders_builders import BuilderPlayer
from tests.e2e.test_undo import publish_due

pytestmark = pytest.mark.usefixtures("random_language")

EXTRA_TAPS = frozenset({Kind.ROTATE, Kind.BRIDGE, Kind.PAGE, Kind.QUESTION})
"""Kinds of taps that are not part of every move."""
QUICK_TAPS = [Kind.PLAY, Kind.SPOT, Kind.FOLLOWER]
"""The taps of a move in quick mode."""
CAREFUL_TAPS = [*QUICK_TAPS, Kind.CONFIRM]
"""The taps of a move with confirmation."""


async def moves_of_a_game(table: Table, habits: Habits) -> list[Move]:
    """Play a whole game, checking that each move is followed by one card; return its moves."""
    clicker = Clicker(table, Random(5), habits)
    moves: list[Move] = []
    while not table.over:
        cards = len(table.cards())
        moves.append(await clicker.move(table.card()))
        assert len(table.cards()) == cards + 1
        if len(moves) == 30:
            await table.restart()
    return moves


@pytest.mark.long
@pytest.mark.usefixtures("game_length")
@pytest.mark.parametrize(
    ("game", "quick", "expected"),
    [
        ("carcassonne", True, QUICK_TAPS),
        ("the-castle", False, CAREFUL_TAPS),
        pytest.param("carcassonne", False, CAREFUL_TAPS, marks=pytest.mark.soak),
        pytest.param("the-castle", True, QUICK_TAPS, marks=pytest.mark.soak),
    ],
)
async def test_a_move_takes_the_expected_taps(
    tmp_path: Path, no_drawing: None, quick: bool, expected: list[Kind], game: str
) -> None:
    habits = Habits(quick=quick, paging=0, wavering=0, declining=0, typing=0)
    async with open_table(tmp_path / "games.sqlite3", seed="taps") as table:
        await table.start(2, game=game)
        moves = await moves_of_a_game(table, habits)
    tiles = [move.taps for move in moves if move.of_tile and Kind.DECLINE not in move.taps]
    assert len(tiles) > 25
    for taps in tiles:
        confirmed = [Kind.CONFIRM if tap is Kind.QUESTION and tap is taps[-1] and not quick else tap for tap in taps]
        assert [tap for tap in confirmed if tap not in EXTRA_TAPS] == expected
        assert taps.count(Kind.BRIDGE) + taps.count(Kind.PAGE) <= 2
    assert median(len(taps) for taps in tiles) == len(expected)
    assert {len(taps) - len(expected) for taps in tiles} >= {0, 1}
    others = Counter(len(move.taps) for move in moves if not move.of_tile)
    assert set(others) <= ({1, 2} if quick else {2, 3})


@pytest.mark.parametrize("game", ["carcassonne", "the-castle"])
async def test_a_turn_without_a_figure_takes_three_taps_if_it_can_be_undone(
    tmp_path: Path, no_drawing: None, recorder: Recorder, game: str
) -> None:
    async with open_table(tmp_path / "games.sqlite3", seed="taps", publish_window=timedelta(seconds=60)) as table:
        await table.start(2, game=game)
        (member,) = mentioned_users(table.card().components)
        panel = await table.press(member, table.card(), button_for(table.card(), Op.PLAY).custom_id)
        panel = await table.press(member, panel, buttons_by_kind(panel.components)[Kind.SPOT][0].custom_id)
        *_, without_figure = buttons_by_kind(panel.components)[Kind.FOLLOWER]
        waiting = await table.press(member, panel, without_figure.custom_id)
        assert says(words(waiting.components), "panel.waits")
        assert offered_ops(waiting) == {Op.UNDO}
        await publish_due(table)
        assert table.stored().ply > 0
        assert recorder.problems() == []


@pytest.mark.parametrize("quick", [True, False])
async def test_the_second_tile_of_a_turn_appears_in_the_same_panel(
    tmp_path: Path, no_drawing: None, recorder: Recorder, quick: bool
) -> None:
    habits = Habits(quick=quick, turning=0, paging=0, wavering=0, declining=0)
    async with open_table(tmp_path / "games.sqlite3", seed="game 22") as table:
        await table.start(2, expansions=TRADERS_BUILDERS)
        clicker = BuilderPlayer(table, Random(3), habits)
        member, position = -1, table.stored().replayed()
        while member < 0 or first_tile(position) < 0:
            member = (await clicker.move(table.card())).member
            position = table.stored().replayed()
        panel = clicker.last
        assert panel is not None
        assert localized("panel.tile_second", turn=position.turn, tile="|").partition("|")[0] in words(panel.components)
        cards = len(table.cards())
        second = await clicker.complete_turn(member, panel)
        assert [tap for tap in second.taps if tap is not Kind.BRIDGE] == (QUICK_TAPS if quick else CAREFUL_TAPS)[1:]
        assert len(table.cards()) == cards + 1
        assert recorder.problems() == []


async def test_the_panel_of_the_first_tile_leads_to_the_second_once_it_is_posted(
    tmp_path: Path, no_drawing: None, recorder: Recorder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("discord.Interaction.is_expired", lambda _: False)  # the offline Discord has its own clock
    habits = Habits(quick=True, turning=0, paging=0, wavering=0, declining=0)
    minute = timedelta(seconds=60)
    async with open_table(tmp_path / "games.sqlite3", seed="game 22", publish_window=minute) as table:
        await table.start(2, expansions=TRADERS_BUILDERS)
        clicker, position = BuilderPlayer(table, Random(3), habits), table.stored().replayed()
        member = -1
        while member < 0 or first_tile(position) < 0:
            member = (await clicker.move(table.card())).member
            await publish_due(table)
            position = table.stored().replayed()
        panel = clicker.last
        assert panel is not None
        posted = table.env.backend.get_message(panel.handle.channel_id, panel.handle.id)
        play = button_for(Shown(panel.handle, posted.components), Op.PLAY)
        second = await table.press(member, panel, play.custom_id)
        assert second.handle.id == panel.handle.id
        assert localized("panel.tile_second", turn=position.turn, tile="|").partition("|")[0] in words(
            second.components
        )
        assert recorder.problems() == []
