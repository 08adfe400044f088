"""Lengths of texts: counting, truncation, and distribution within Discord's limits; the paged list of games.

Discord counts UTF-16 code units, of which an emoji has two.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from random import Random
from typing import Any

import pytest
from discord import ui

from cogs.commands.board import panel_view
from cogs.commands.info import GAMES_SHOWN, games_view
from cogs.games.presenters import presenter_of
from cogs.messages import MAX_TEXT, layout, notice
from cogs.panels.hints import hint_panel
from cogs.presenting.ids import Op, parse_key
from cogs.texts import t
from cogs.words.names import safe
from cogs.words.story import clip, fit_text, lines_within, units
from engine.carcassonne import new_setup
from engine.selfplay import random_game
from host import GameStatus, GameSummary, Person
from renderers import DAY
from tests.cogs.positions import LONG_NAMES, NOW, game_of
from tests.discord_limits.components import Kind, component_problems, walk
from tests.e2e.pictures import stub_pictures

EMOJI_NAME = "\N{FAMILY} " * 16
"""A display name of emoji, each of which has two UTF-16 code units."""
ME = 100
"""User id of the player whose games are listed."""


def text_displays(view: ui.LayoutView) -> list[str]:
    """Return all texts of a message."""
    return [part["content"] for _, part in walk(view.to_components()) if part["type"] == Kind.TEXT_DISPLAY]


def test_emoji_are_counted_in_utf_16_units() -> None:
    assert units("Ana") == 3
    assert units("\N{GRINNING FACE}") == 2
    assert clip("one two", 7) == "one two"
    assert clip("\N{GRINNING FACE}" * 4, 7) == "\N{GRINNING FACE}" * 3 + "…"
    assert clip("\N{GRINNING FACE}", 1) == "…"


def test_a_truncated_right_to_left_name_stays_isolated() -> None:
    assert clip(safe("يوسف يوسف"), 8) == safe("يوسف…")
    assert units(clip(safe("يوسف" * 9), 20)) == 20


@pytest.mark.parametrize("limit", range(1, 40))
def test_a_truncated_text_keeps_its_limit(limit: int) -> None:
    words = "Ben \N{GRINNING FACE}\N{GRINNING FACE} lays M13, then some more words"
    assert units(clip(words, limit)) <= limit
    assert units(fit_text(words, limit)) <= limit
    assert "…" not in fit_text(words, limit)


def test_omitted_lines_are_counted() -> None:
    lines = ["One line.", "Two lines.", "Three lines."]
    assert lines_within(lines, 99) == "One line.\nTwo lines.\nThree lines."
    assert lines_within(lines, 24) == f"One line.\n{t('card.and_more', number=2)}"
    assert lines_within(["x" * 30], 24) == t("card.and_more", number=1)
    for limit in range(12, 40):
        assert units(lines_within(lines, limit)) <= limit


@pytest.mark.parametrize("builder", [layout, notice])
def test_every_message_is_truncated_to_discords_limit(builder: Any) -> None:
    """Unexpectedly long messages are truncated, the longest text first; short texts stay complete."""
    view = builder("x " * 3000) if builder is notice else builder(*map(ui.TextDisplay, ("short", "x " * 3000, "y")))
    assert sum(map(units, text_displays(view))) <= MAX_TEXT
    if builder is layout:
        assert (text_displays(view)[0], text_displays(view)[2]) == ("short", "y")


@pytest.mark.parametrize("names", [LONG_NAMES, (EMOJI_NAME,) * 6])
@pytest.mark.parametrize("seed", range(6))
def test_hints_are_shortened_by_whole_lines_with_six_long_names(
    monkeypatch: pytest.MonkeyPatch, names: tuple[str, ...], seed: int
) -> None:
    stub_pictures(monkeypatch)
    setup = new_setup(players=6, seed=str(seed), expansions=("bridges-castles-bazaars", "traders-builders"))
    position = next(candidate for plies in range(150, 0, -1) if not (candidate := play(setup, seed, plies)).is_over)
    game = game_of(position, names)
    for seat in (0, None):
        panel = hint_panel(presenter_of(position), game, position, seat, DAY)
        assert sum(map(units, panel.texts)) <= MAX_TEXT
        assert "…" not in "".join([*panel.texts, *(picture.alt for picture in panel.pictures)])
        view = panel_view(game, position.ply, panel)
        assert not list(component_problems(view.to_components(), v2=True))


def play(setup: Any, seed: int, plies: int) -> Any:
    """Return the position after this many random actions."""
    return random_game(setup, Random(seed), plies=plies)[0]


# -- the list of games -------------------------------------------------------------------------------------------------


def summaries(count: int, names: tuple[str, ...] = LONG_NAMES) -> list[GameSummary]:
    """Return this many running games of six."""
    seats = tuple(Person(ME + seat, name) for seat, name in enumerate(names))
    game = GameSummary(
        id=1,
        code="K7QF",
        name="Winding Crossing",
        guild_id=10**18,
        channel_id=10**18,
        thread_id=10**18,
        status=GameStatus.RUNNING,
        ply=3,
        seats=seats,
        seat_to_act=1,
        to_act=seats[1],
        waiting_for_me=False,
        updated_at=NOW,
        last_message_id=10**18,
    )
    return [replace(game, id=n, code=f"K{n:03}", updated_at=NOW + timedelta(hours=n)) for n in range(count)]


def test_every_running_game_is_listed_on_a_page() -> None:
    """Regression: of forty games, twenty were shown without a hint at the others."""
    games, listed, skipped = summaries(40), list[str](), 0
    while True:
        view = games_view(games, skipped, ME)
        assert not list(component_problems(view.to_components(), v2=True))
        text = "\n".join(text_displays(view))
        assert t("games.title", count=40) in text
        listed += [line for line in text.splitlines() if line.startswith("- ")]
        buttons = [part for _, part in walk(view.to_components()) if part["type"] == Kind.BUTTON]
        next_page_buttons = [part for part in buttons if "More" in part["label"]]
        if not next_page_buttons:
            break
        key = parse_key(next_page_buttons[0]["custom_id"])
        assert key is not None
        assert key.op is Op.GAMES
        assert next_page_buttons[0]["label"] == t("button.more_games", count=40 - len(listed))
        skipped = int(key.argument)
    assert len(listed) == 40
    assert all(f"K{n:03}" in line for n, line in enumerate(listed))
    assert all("https://" in line for line in listed), "links are never truncated"


def test_few_games_have_no_page_buttons() -> None:
    view = games_view(summaries(GAMES_SHOWN), 0, ME)
    assert not [part for _, part in walk(view.to_components()) if part["type"] == Kind.BUTTON]
    assert text_displays(games_view([], 0, ME)) == [t("games.none")]
    assert text_displays(games_view(summaries(2), 30, ME)) == text_displays(games_view(summaries(2), 0, ME))


def test_the_list_names_a_game_by_name_code_and_opponents() -> None:
    line = text_displays(games_view(summaries(1, ("Ana", "Ben", "Cleo")), 0, ME))[0].splitlines()[1]
    assert "Winding Crossing · K000 · vs Ben, Cleo" in line
