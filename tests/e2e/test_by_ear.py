"""Whole games by ear: played by what is said and how things are called, without pictures, positions or custom ids."""

from pathlib import Path
from random import Random

import pytest

from cogs.texts.languages import languages
from engine import parse_action
from tests.discord_limits.recorder import Recorder
from tests.e2e.by_pictures import taps_with_pictures
from tests.e2e.listener import Listener, require_words_first
from tests.e2e.screen import buttons, read, words
from tests.e2e.table import Table, seated
from tests.e2e.tongue import all_speak

GAMES = [{"expansions": "base"}, {"expansions": "all"}, {"game": "the-castle"}]
SHORT = 8
"""Turns of a game that is only begun."""
every_game = pytest.mark.parametrize("rules", GAMES, ids=["base", "all boxes", "the castle"])


async def listen(table: Table, players: int, rules: dict[str, str], turns: int, seed: int = 1) -> Listener:
    """Play so many turns, or to the end."""
    await table.start(players, **rules)
    listener = Listener(table, Random(seed))
    await listener.begin()
    while not table.over and turns:
        before = table.stored()
        turn = await listener.turn()
        done = [parse_action(text) for text in table.stored().log[len(before.log) :]]
        assert len(turn.taps) <= taps_with_pictures(before.replayed(), done) + 1, turn.taps
        turns -= 1
    return listener


@pytest.mark.usefixtures("drawn_language")
@every_game
async def test_a_game_is_begun_by_ear(
    tmp_path: Path, recorder: Recorder, no_drawing: None, rules: dict[str, str]
) -> None:
    async with seated(tmp_path / "games.sqlite3", seed="by ear") as table:
        await listen(table, 2, rules, SHORT)
        assert len(table.stored().log) >= SHORT
    assert recorder.problems() == []


@pytest.mark.soak
@every_game
@pytest.mark.parametrize("language", languages())
async def test_a_game_is_finished_by_ear(
    tmp_path: Path, recorder: Recorder, no_drawing: None, rules: dict[str, str], language: str
) -> None:
    with all_speak(language, language):
        async with seated(tmp_path / "games.sqlite3", seed="by ear") as table:
            await listen(table, 2, rules, 400)
            assert table.over
    assert recorder.problems() == []


@pytest.mark.usefixtures("drawn_language")
async def test_it_is_left_with_one_press(tmp_path: Path, recorder: Recorder, no_drawing: None) -> None:
    async with seated(tmp_path / "games.sqlite3", seed="by ear") as table:
        listener = await listen(table, 2, {"expansions": "base"}, 0)
        actor = table.actors[0]
        board = table._seen(await actor.slash(table.place, "carc board"))
        require_words_first(board)
        left = await listener.press(actor.id, board, read("button.tiles"))
        require_words_first(left)
        assert read("tell.part.left") in words(left.components)
        told = await listener.press(actor.id, board, read("button.tell"))
        panel = await listener.press(actor.id, told, read("button.leave_ear"))
        assert read("setting.ear.off") in [button.label for button in buttons(panel.components)]
        board = table._seen(await actor.slash(table.place, "carc board"))
        assert "●" in words(board.components)
        assert (await table.bot.host.preferences.get(actor.id)).by_ear is False
    assert recorder.problems() == []
