"""The current and earlier boards of a game: ``/carc board``, and the four buttons of its panel."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable
from pathlib import Path
from random import Random

import pytest
import simcord

from cogs.commands.records import NO_GAME
from cogs.presenting.ids import Key, Op
from cogs.texts import t
from engine import Action, Position, begin
from engine.selfplay import random_action
from tests.cogs.walked import ALL_GAMES, SEED, attached, enabled, interactions, move_of, moves, now, played, slash, step
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
    async with open_table(tmp_path / "games.sqlite3", seed=SEED) as table:
        yield table
    assert recorder.problems() == []


@ALL_GAMES
async def test_the_board_of_an_earlier_turn_is_shown(table: Table, name: str) -> None:
    game, position = await played(table, name, 60)
    log = [entry.action for entry in (await table.bot.host.games.table(game.id)).log]
    stops = await moves(table, game)
    for turn in (0, 1, 5, 999):
        shown = await slash(table, "board", game=game.code, turn=turn)
        ply = stops.of_turn(turn)
        assert move_of(shown) == stops.number(ply)
        board = replayed(position, log[:ply])
        if 0 < turn < 999:
            laid = [placed for placed in board.placed() if placed.player >= 0]
            assert len(laid) == turn
        assert (t("button.hints") in [button.label for button in buttons(shown.components)]) == (turn == 999)
    assert move_of(await slash(table, "board", game=game.code)) == stops.number(60)


def replayed(position: Position, actions: Iterable[Action]) -> Position:
    board = begin(position.setup)
    for action in actions:
        board.apply(action)
    return board


@ALL_GAMES
async def test_a_stored_game_is_stepped_through(table: Table, name: str) -> None:
    game, _ = await played(table, name, 40)
    shown = await slash(table, "board", game=game.code, member=3)
    assert enabled(shown) == {"first", "back"}
    shown = await step(table, shown, "first", member=3)
    await table.restart()
    seen = [move_of(shown)]
    while "on" in enabled(shown):
        shown = await step(table, shown, "on", member=3)
        seen.append(move_of(shown))
        assert all(alt_texts(shown.components))
        assert len(attached(table, shown)) == 1
    assert seen == list(range((await moves(table, game)).number(40) + 1)), "each press advances by one"


async def test_a_panel_follows_the_progress_of_the_game(table: Table) -> None:
    game, position = await played(table, "carcassonne", 20)
    former = await moves(table, game)
    shown = await step(table, await slash(table, "board", game=game.code), "back")
    random = Random(1)
    for _ in range(4):
        ply = position.ply
        seat, actions = play_decision(position, lambda here: random_action(here, random))  # type: ignore[arg-type]
        await table.bot.host.moves.act(game.id, game.seats[seat].user_id, ply, actions, next(interactions))
    assert move_of(await step(table, shown, "last")) == former.number(20), "the button names the ply that was the last"
    assert "on" in enabled(now(table, shown))
    assert move_of(await step(table, now(table, shown), "last")) == (await moves(table, game)).number(position.ply)


async def test_the_last_step_of_a_finished_game_shows_the_result(table: Table) -> None:
    for over, key in ((True, "board.old_over"), (False, "board.old")):
        game, _ = await played(table, "carcassonne", 20, over=over)
        said = words((await slash(table, "board", game=game.code, turn=2)).components)
        assert t(key, link="").rstrip() in said


async def test_forged_steps_are_refused(table: Table) -> None:
    game, _ = await played(table, "carcassonne", 10)
    await table.actors[0].slash(table.channel, "carc new", players=2)
    lobby = table.channel.last_message
    assert lobby is not None
    public = simcord.ResponseMessage(table.env, table.env.backend.get_message(table.channel.id, lobby.id))
    before = words(public.components)
    for key in (Key(Op.STEP, game.code, 3, "on"), Key(Op.RECORD, NO_GAME, 3, "on")):
        sent = send_press(table.env, table.actors[1], public, str(key))
        await table.env.settle()
        assert sent.said == t("refusal.unknown_button")
    assert words(public.components) == before
    board = await slash(table, "board", game=game.code)
    for key, said in (
        (Key(Op.RECORD, NO_GAME, 3, "on"), t("refusal.record_gone")),
        (Key(Op.STEP, "XXXX", 3, "on"), t("error.unknown_game")),
    ):
        sent = send_press(table.env, table.actors[0], board.handle, str(key))
        await table.env.settle()
        assert said in sent.said
    sent = send_press(table.env, table.actors[0], board.handle, str(Key(Op.STEP, game.code, 99999, "on")))
    await table.env.settle()
    assert move_of(now(table, board)) == (await moves(table, game)).number(10)
