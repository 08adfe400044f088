"""Games played with a screen reader: by texts and the names of controls, without pictures or positions.

*By ear* is a setting for players who use a screen reader; panels then have menus and words instead of pictures.
`ScreenReader` is such a player: it finishes its moves with at most one tap more than the shortest way with pictures.
"""

from pathlib import Path
from random import Random

import pytest

from cogs.presenting.ids import parse_key
from cogs.texts.languages import languages
from engine import parse_action
from host import BY_EAR, Preferences
from tests.discord_limits.recorder import Recorder
from tests.e2e.accessibility import accessibility_problems
from tests.e2e.locales import use_locale
from tests.e2e.picture_taps import taps_with_pictures
from tests.e2e.player import Clicker, Habits, Shown
from tests.e2e.screen import buttons, localized, mentioned_users, words
from tests.e2e.screen_reader import Control, ScreenReader, assert_readable_aloud, controls
from tests.e2e.table import Table, open_table
from tests.e2e.test_sixth_language import COMMANDS, EXCLUDED_OPS

GAMES = [{"expansions": "base"}, {"expansions": "all"}, {"game": "the-castle"}]
"""Options of the command that opens a table, one set for each kind of game."""
COMPLEX_COMMANDS = ("settings", "time give", "hints", "vacation")
"""Commands whose panels have many buttons or long texts."""
SHORT_GAME_TURNS = 8
"""Turns of a game that is not played to its end."""
each_game = pytest.mark.parametrize("rules", GAMES, ids=["base", "all boxes", "the castle"])


async def play_by_ear(table: Table, players: int, rules: dict[str, str], turns: int, seed: int = 1) -> ScreenReader:
    """Start a game and play this many turns by ear, or to the end; return the player."""
    await table.start(players, **rules)
    listener = ScreenReader(table, Random(seed))
    await listener.enable_for_all()
    while not table.over and turns:
        before = table.stored()
        turn = await listener.turn()
        actions = [parse_action(text) for text in table.stored().log[len(before.log) :]]
        assert len(turn.taps) <= taps_with_pictures(before.replayed(), actions) + 1, turn.taps
        turns -= 1
    return listener


@pytest.mark.usefixtures("random_language")
@each_game
async def test_the_first_turns_are_played_by_ear(
    tmp_path: Path, recorder: Recorder, no_drawing: None, rules: dict[str, str]
) -> None:
    async with open_table(tmp_path / "games.sqlite3", seed="by ear") as table:
        await play_by_ear(table, 2, rules, SHORT_GAME_TURNS)
        assert len(table.stored().log) >= SHORT_GAME_TURNS
    assert [*recorder.problems(), *accessibility_problems(recorder)] == []


@pytest.mark.soak
@each_game
@pytest.mark.parametrize("language", languages())
async def test_a_whole_game_is_played_by_ear(
    tmp_path: Path, recorder: Recorder, no_drawing: None, rules: dict[str, str], language: str
) -> None:
    with use_locale(language, language):
        async with open_table(tmp_path / "games.sqlite3", seed="by ear") as table:
            await play_by_ear(table, 2, rules, 400)
            assert table.over
    assert [*recorder.problems(), *accessibility_problems(recorder)] == []


@pytest.mark.usefixtures("random_language")
@pytest.mark.parametrize("presses", [1, pytest.param(12, marks=pytest.mark.soak)])
async def test_every_panel_is_readable_aloud(
    tmp_path: Path, recorder: Recorder, no_drawing: None, presses: int
) -> None:
    """Check the panels that commands and cards open, and those that their buttons lead to."""
    async with open_table(tmp_path / "games.sqlite3", seed="panels", usual_pace="standard") as table:
        await table.start(2, expansions="all")
        clicker = Clicker(table, Random(3), Habits(quick=True))
        for _ in range(2):
            await clicker.move(table.card())
        actor, card = table.members[mentioned_users(table.card().components)[0]], table.card()
        await table.bot.host.preferences.set(actor.id, Preferences(choices={BY_EAR: "on"}))
        await actor.slash(table.channel, "carc new", players=4, expansions="all")
        lobby = table.channel.last_message
        await open_every_button(
            table, actor.id, table.shown(await actor.click(lobby, label=localized("button.ruling"))), presses
        )
        for button in buttons(card.components):
            assert_readable_aloud(await table.press(actor.id, card, button.custom_id))
        for command, options in COMMANDS if presses > 1 else [(name, {}) for name in COMPLEX_COMMANDS]:
            answer = await actor.slash(table.place, f"carc {command}", **options)
            if answer.modal is None:
                await open_every_button(table, actor.id, table.shown(answer), presses)
    assert [*recorder.problems(), *accessibility_problems(recorder)] == []


async def open_every_button(table: Table, member: int, panel: Shown, presses: int) -> None:
    """Check a panel, and the panels that this many of its buttons lead to."""
    assert_readable_aloud(panel)
    seen: set[str] = set()
    while remaining := [
        control.custom_id
        for control in controls(panel.components)
        if control.custom_id not in seen and is_followed(control)
    ]:
        seen.add(remaining[0])
        shown = await table.press(member, panel, remaining[0])
        if not shown.modal:
            assert_readable_aloud(shown)
            panel = shown
        if len(seen) >= presses:
            break


def is_followed(control: Control) -> bool:
    """Return whether it is a button that neither ends the game, nor opens the rules, nor changes language or mode."""
    key = parse_key(control.custom_id)
    return not (control.value or key is None or key.op in EXCLUDED_OPS or key.argument.startswith((BY_EAR, "language")))


@pytest.mark.usefixtures("random_language")
async def test_the_mode_by_ear_is_left_with_one_press(tmp_path: Path, recorder: Recorder, no_drawing: None) -> None:
    async with open_table(tmp_path / "games.sqlite3", seed="by ear") as table:
        listener = await play_by_ear(table, 2, {"expansions": "base"}, 0)
        actor = table.actors[0]
        board = table.shown(await actor.slash(table.place, "carc board"))
        assert_readable_aloud(board)
        panel_with_pictures = await listener.press(actor.id, board, localized("button.tiles"))
        assert_readable_aloud(panel_with_pictures)
        assert localized("tell.part.left") in words(panel_with_pictures.components)
        board = await listener.press(actor.id, panel_with_pictures, localized("button.board"))
        answer = await listener.press(actor.id, board, localized("button.tell"))
        panel = await listener.press(actor.id, answer, localized("button.leave_ear"))
        assert localized("setting.ear.off") in [button.label for button in buttons(panel.components)]
        board = table.shown(await actor.slash(table.place, "carc board"))
        assert "●" in words(board.components)
        assert (await table.bot.host.preferences.get(actor.id)).by_ear is False
    assert [*recorder.problems(), *accessibility_problems(recorder)] == []
