"""``/carc board`` shows the current and earlier boards of a game; four buttons of its panel step through the moves.

The games are played through the host, the panels are opened in an offline Discord (simcord).
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable
from pathlib import Path
from random import Random

import pytest
import simcord

from cogs.commands.records import NO_GAME_CODE
from cogs.presenting.ids import Key, Op
from cogs.texts import t
from engine import Action, Position, begin
from engine.selfplay import random_action
from tests.cogs.replay_panels import (
    ALL_GAMES,
    HIDDEN_SEED,
    attached_files,
    displayed_move,
    enabled_buttons,
    interaction_ids,
    play_game,
    press_step,
    refreshed,
    replay_stops,
    run_command,
)
from tests.discord_limits.recorder import Recorder
from tests.e2e.fast_forward import play_decision
from tests.e2e.pictures import stub_pictures
from tests.e2e.raw_interactions import send_press
from tests.e2e.screen import alt_texts, buttons, words
from tests.e2e.table import Table, open_table


@pytest.fixture
async def table(tmp_path: Path, recorder: Recorder, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Table]:
    """Yield six members in a channel; all requests have to keep Discord's limits."""
    stub_pictures(monkeypatch)
    async with open_table(tmp_path / "games.sqlite3", seed=HIDDEN_SEED) as table:
        yield table
    assert recorder.problems() == []


@ALL_GAMES
async def test_the_board_of_an_earlier_turn_is_shown(table: Table, name: str) -> None:
    game, position = await play_game(table, name, 60)
    log = [entry.action for entry in (await table.bot.host.games.table(game.id)).log]
    stops = await replay_stops(table, game)
    for turn in (0, 1, 5, 999):
        message = await run_command(table, "board", game=game.code, turn=turn)
        ply = stops.of_turn(turn)
        assert displayed_move(message) == stops.number(ply)
        board = position_after(position, log[:ply])
        if 0 < turn < 999:
            laid = [placed for placed in board.placed() if placed.player >= 0]
            assert len(laid) == turn
        assert (t("button.hints") in [button.label for button in buttons(message.components)]) == (turn == 999)
    assert displayed_move(await run_command(table, "board", game=game.code)) == stops.number(60)


def position_after(position: Position, actions: Iterable[Action]) -> Position:
    """Return the position after these actions from the beginning of the game."""
    after = begin(position.setup)
    for action in actions:
        after.apply(action)
    return after


@ALL_GAMES
async def test_a_stored_game_is_stepped_through(table: Table, name: str) -> None:
    game, _ = await play_game(table, name, 40)
    message = await run_command(table, "board", game=game.code, member=3)
    assert enabled_buttons(message) == {"first", "back"}
    message = await press_step(table, message, "first", member=3)
    await table.restart()
    moves = [displayed_move(message)]
    while "on" in enabled_buttons(message):
        message = await press_step(table, message, "on", member=3)
        moves.append(displayed_move(message))
        assert all(alt_texts(message.components))
        assert len(attached_files(table, message)) == 1
    assert moves == list(range((await replay_stops(table, game)).number(40) + 1)), "each press advances by one"


async def test_a_panel_follows_the_progress_of_the_game(table: Table) -> None:
    game, position = await play_game(table, "carcassonne", 20)
    old_stops = await replay_stops(table, game)
    message = await press_step(table, await run_command(table, "board", game=game.code), "back")
    rng = Random(1)
    for _ in range(4):
        ply = position.ply
        seat, actions = play_decision(position, lambda current: random_action(current, rng))  # type: ignore[arg-type]
        await table.bot.host.moves.act(game.id, game.seats[seat].user_id, ply, actions, next(interaction_ids))
    message = await press_step(table, message, "last")
    assert displayed_move(message) == old_stops.number(20), (
        "the pressed button contains the ply that was the last when it was sent"
    )
    assert "on" in enabled_buttons(message)
    message = await press_step(table, message, "last")
    assert displayed_move(message) == (await replay_stops(table, game)).number(position.ply)


async def test_the_last_step_of_a_finished_game_shows_the_result(table: Table) -> None:
    for finished, key in ((True, "board.old_over"), (False, "board.old")):
        game, _ = await play_game(table, "carcassonne", 20, finished=finished)
        text = words((await run_command(table, "board", game=game.code, turn=2)).components)
        assert t(key, link="").partition("[")[0] in text


async def test_forged_steps_are_refused(table: Table) -> None:
    game, _ = await play_game(table, "carcassonne", 10)
    await table.actors[0].slash(table.channel, "carc new", players=2)
    lobby = table.channel.last_message
    assert lobby is not None
    public = simcord.ResponseMessage(table.env, table.env.backend.get_message(table.channel.id, lobby.id))
    text_before = words(public.components)
    for key in (Key(Op.STEP, game.code, 3, "on"), Key(Op.RECORD, NO_GAME_CODE, 3, "on")):
        sent = send_press(table.env, table.actors[1], public, str(key))
        await table.env.settle()
        assert sent.text == t("refusal.unknown_button")
    assert words(public.components) == text_before
    board = await run_command(table, "board", game=game.code)
    for key, refusal in (
        (Key(Op.RECORD, NO_GAME_CODE, 3, "on"), t("refusal.record_gone")),
        (Key(Op.STEP, "XXXX", 3, "on"), t("error.unknown_game")),
    ):
        sent = send_press(table.env, table.actors[0], board.handle, str(key))
        await table.env.settle()
        assert refusal in sent.text
    sent = send_press(table.env, table.actors[0], board.handle, str(Key(Op.STEP, game.code, 99999, "on")))
    await table.env.settle()
    assert displayed_move(refreshed(table, board)) == (await replay_stops(table, game)).number(10)
