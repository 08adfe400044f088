"""The composer for players by ear: every spot is a menu option in words, and its described effect is correct.

In screen reader mode, a setting of the player, the composer has menus instead of letters in a picture.
"""

from collections import Counter
from random import Random
from typing import Any

import pytest
from discord import ui

from cogs.games.presenters import PRESENTERS, presenter_of
from cogs.messages import layout
from cogs.panels.composer import ENTRIES_PER_MENU, MAX_ENTRY_LENGTH, MAX_MENUS, EarComposer, SpotInWords
from cogs.presenting.turn import MAX_ARGUMENT_LENGTH, Plan, placements
from cogs.texts import t
from cogs.texts.languages import languages, speaking
from cogs.words.story import aloud, split_within
from engine import Pass, Position
from engine.events import Completed
from host import Preferences
from tests.cogs.positions import game_of, position_with_many_spots
from tests.cogs.test_telling import table_of
from tests.discord_limits.components import Kind

every_game = pytest.mark.parametrize("game", PRESENTERS)
"""Runs a test once for each game."""


def composer(position: Position) -> EarComposer:
    """Return the composer by ear of the player to move."""
    return EarComposer(presenter_of(position), game_of(position), position, Preferences())


def positions_with_tile(game: str, seeds: range) -> list[Position]:
    """Return positions with a tile in hand."""
    positions = [table_of(game, seed).position for seed in seeds]
    return [position for position in positions if position.hand is not None]


@every_game
def test_the_described_effect_of_a_spot_is_correct(game: str) -> None:
    rng = Random(1)
    completed_features = 0
    for position in positions_with_tile(game, range(8)):
        presenter, spots = presenter_of(position), composer(position).ranked(placements(position))
        for spot in [*spots[:2], *rng.sample(spots, min(2, len(spots)))]:
            after = position.copy()
            events = [*after.apply(spot.place), *after.apply(Pass())]
            if isinstance(after.step, presenter.turn.question_steps):
                continue  # some features are not scored yet
            kinds = [event.kind for event in events if isinstance(event, Completed) and event.kind != "castle"]
            completed = Counter(t(f"feature.{kind}") for kind in kinds)
            assert completed == Counter(feature.kind for feature in spot.completes)
            completed_features += completed.total()
    assert completed_features


@every_game
def test_spots_that_complete_or_continue_features_come_first(game: str) -> None:
    for position in positions_with_tile(game, range(3)):
        spots = composer(position).ranked(placements(position))
        assert [(-len(spot.completes), -len(spot.joins)) for spot in spots] == sorted(
            (-len(spot.completes), -len(spot.joins)) for spot in spots
        )


@every_game
@pytest.mark.parametrize("language", languages())
def test_every_spot_is_an_option_with_a_distinct_name(game: str, language: str) -> None:
    with speaking(language, listens=True):
        for position in positions_with_tile(game, range(3)):
            panel = composer(position).panel(Plan())
            choices = [choice for menu in panel.menus for choice in menu.entries]
            assert len({choice.label for choice in choices}) == len(choices)
            assert all(
                len(choice.label) <= MAX_ENTRY_LENGTH and len(choice.argument) <= MAX_ARGUMENT_LENGTH
                for choice in choices
            )
            assert all(choice.description and len(choice.description) <= MAX_ENTRY_LENGTH for choice in choices)
            assert all(aloud(choice.label) == choice.label for choice in choices)
            cells = {place.cell.label for place in placements(position)}
            assert {choice.label.split(" ")[0].rstrip(",:") for choice in choices} <= cells | {
                place.cell.label for place in placements(position, aided=True)
            }
            place = Plan.parse(choices[0].argument).place
            assert place is not None
            panel_after = composer(position).panel(Plan.parse(choices[0].argument))
            lies = t("spot.lies", tile=presenter_of(position).tile_aloud(position.hand, place.rotation))
            assert (lies in panel_after.text) is bool(place.rotation)


def test_names_in_menus_are_not_escaped() -> None:
    found = (
        position
        for position in positions_with_tile("carcassonne", range(20))
        if any(map(touches_figures, composer(position).ranked(placements(position))))
    )
    position = next(found)
    game = game_of(position, ("a_*b*", "c_*d*"))
    panel = EarComposer(presenter_of(position), game, position, Preferences()).panel(Plan())
    labels = " ".join(choice.label for menu in panel.menus for choice in menu.entries)
    assert "_*" in labels
    assert "\\" not in labels


def touches_figures(spot: SpotInWords) -> bool:
    """Return whether a placement completes or continues a feature with figures."""
    return any(feature.players for feature in (*spot.completes, *spot.joins))


def test_excess_spots_are_on_further_pages() -> None:
    position = position_with_many_spots()
    with speaking("en", listens=True):
        panel = composer(position).panel(Plan())
    count = len(placements(position))
    assert count > ENTRIES_PER_MENU
    assert sum(len(menu.entries) for menu in panel.menus) == min(count, ENTRIES_PER_MENU * MAX_MENUS)
    assert all(len(menu.entries) <= ENTRIES_PER_MENU for menu in panel.menus)


def test_the_panel_begins_with_a_short_text() -> None:
    long_text = "\n".join(f"Line {number}, of some length. And more of it." for number in range(40))
    first, rest = split_within(long_text, 600)
    assert len(first) <= 600
    assert f"{first}\n{rest}" == long_text
    assert split_within("a" * 30 + ". " + "b" * 30, 40) == ("a" * 30 + ".", "b" * 30)
    assert split_within("x" * 9, 5) == ("x" * 9, "")
    texts: list[ui.Item[Any]] = [ui.TextDisplay(text) for text in (long_text, "-# ● Ana")]
    button: ui.Button[Any] = ui.Button(label="⏮ Beginning")
    with speaking("en", listens=True):
        view = layout(texts[0], ui.ActionRow(button), texts[1])
    [frame] = view.to_components()
    kinds = [part["type"] for part in frame["components"]]  # type: ignore[typeddict-item]
    assert kinds == [Kind.TEXT_DISPLAY, Kind.ACTION_ROW, Kind.TEXT_DISPLAY, Kind.TEXT_DISPLAY]
    assert button.label == "Beginning"
    assert texts[1].content == "Ana"  # type: ignore[attr-defined]
