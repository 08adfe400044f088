"""Hints (projected scores, completable features, dead cells, owners of fields): texts, settings, and message limits.

A dead cell is one that no remaining tile fits. A table can switch off each kind of hint. Ana (RED) has the first mark,
Ben (BLUE) the second.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from cogs.commands.board import panel_view
from cogs.games.presenters import PRESENTERS, presenter_of
from cogs.panels.cards import hint_buttons
from cogs.panels.composer import Composer
from cogs.panels.hints import HintPanel, allowed_hints, hint_panel, require
from cogs.presenting.ids import Op, parse_key
from cogs.presenting.turn import Plan
from cogs.texts import t
from cogs.words.alt_texts import MAX_ALT_LENGTH
from cogs.words.names import MARKS
from cogs.words.refusals import RefusedError
from engine import GAMES, Cell, Pass, Place, Position, hints_on
from engine.events import Scored
from engine.hints import Hint
from engine.selfplay import random_game
from gallery.built_positions import arrange
from host import Game, Preferences, TableSettings
from renderers import DAY
from tests.cogs.positions import LONG_NAMES, game_of
from tests.discord_limits.components import Kind, component_problems, walk
from tests.e2e.pictures import stub_pictures

RED, BLUE = 0, 1
"""Numbers of the seats."""


@pytest.fixture(autouse=True)
def _no_drawing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replace all pictures by stubs."""
    stub_pictures(monkeypatch)


def game_at(position: Position, **settings: Any) -> Game:
    """Return the game of a position at a table with these settings."""
    return replace(game_of(position), settings=TableSettings(**settings))


def panel_for(position: Position, seat: int | None = RED, **settings: Any) -> HintPanel:
    """Return the hint panel of the player in a seat."""
    return hint_panel(presenter_of(position), game_at(position, **settings), position, seat, DAY)


def text_for(position: Position, seat: int | None = RED, **settings: Any) -> str:
    """Return the whole text of the hint panel."""
    return "\n".join(panel_for(position, seat, **settings).texts)


def random_position(name: str, players: int, seed: int, plies: int) -> Position:
    """Return a position of a random game."""
    game = GAMES[name]
    setup = game.new_setup(players=players, seed=str(seed), options=game.options(), expansions=game.expansions[:1])
    return random_game(setup, Random(seed), plies=plies)[0]


ROAD_AND_FIELD = arrange(
    players=2,
    tiles=["base/D 0,0 0", "base/E 0,-1 180", "base/A -1,0 270", "base/B 2,1 0"],
    followers=["0 0,0 road.E", "1 0,0 field.WR"],
    scores=[5, 7],
    hand="base/U",
    pile=["base/A", "base/A", "base/W"],
)
"""A position with a road of Ana's and a field of Ben's."""


def test_the_projected_scores_are_shown() -> None:
    words = text_for(ROAD_AND_FIELD)
    assert t("hints.projected", mark=MARKS[0], player="Ana", now=5, total=7, parts="roads 2") in words
    assert t("hints.projected", mark=MARKS[1], player="Ben", now=7, total=10, parts="fields 3") in words


def test_features_completable_with_one_tile_are_shown() -> None:
    feature = t("hints.feature", kind="Road", cell="M13", count=2)
    tiles = "end of a road, monastery (2); 3 roads that end here (1)"
    line = t("hints.at_once", marks=MARKS[0], feature=feature, count=3, cell="N13", tiles=tiles)
    assert line in text_for(ROAD_AND_FIELD, RED)


def test_players_see_their_own_features_and_onlookers_all() -> None:
    assert t("hints.no_features") in text_for(ROAD_AND_FIELD, BLUE)
    assert t("hints.completion") in text_for(ROAD_AND_FIELD, BLUE)
    onlookers_text = text_for(ROAD_AND_FIELD, None)
    assert t("hints.completion_all") in onlookers_text
    assert t("hints.feature", kind="Road", cell="M13", count=2) in onlookers_text


def test_a_feature_that_needs_several_tiles_names_its_gaps() -> None:
    position = arrange(
        players=2, tiles=["base/G 0,0 0"], followers=["0 0,0 city.E"], hand="base/E", pile=["base/E", "base/B"]
    )
    feature = t("hints.feature", kind="City", cell="M13", count=1)
    gaps = f"{t('hints.gap', cell='L13', count=2)} and {t('hints.gap', cell='N13', count=2)}"
    assert t("hints.several", marks=MARKS[0], feature=feature, count=2, gaps=gaps) in text_for(position)


def test_a_feature_that_cannot_be_completed_is_shown() -> None:
    blocked_city = ["base/E 1,0 180", "base/E 0,1 90", "base/E 2,1 270", "base/B 1,2 0"]
    position = arrange(players=2, tiles=blocked_city, followers=["0 1,0 city.S"], hand="base/B", pile=["base/B"] * 5)
    feature = t("hints.feature", kind="City", cell="N13", count=1)
    assert t("hints.dead", marks=MARKS[0], feature=feature, cells="N14") in text_for(position)
    too_few_tiles = arrange(players=2, tiles=["base/G 0,0 0"], followers=["0 0,0 city.E"], hand="base/E", pile=[])
    assert t("hints.too_few", marks=MARKS[0], feature=t("hints.feature", kind="City", cell="M13", count=1)) in text_for(
        too_few_tiles
    )


def test_a_required_bridge_is_named() -> None:
    tiles = ["base/A 0,0 270", "base/B 1,1 0", "base/A 2,0 90"]
    position = arrange(players=2, tiles=tiles, followers=["0 0,0 road.E"], hand="base/B", pile=["base/B"])
    assert t("hints.tile_aided", tile="monastery", number=2) in text_for(position)


def test_the_owners_of_fields_are_shown() -> None:
    line = t("hints.field", marks=MARKS[1], cell="M13", shares="Ben 3", terms=t("term.cities", count=1))
    assert line in text_for(ROAD_AND_FIELD)
    empty_position = arrange(players=2, hand="base/U")
    assert t("hints.no_fields") in text_for(empty_position)


def test_dead_cells_are_named_in_text_and_alt_text() -> None:
    position = arrange(players=2, tiles=["base/D 0,0 0"], hand="base/B", pile=[], supply={"bridge": [0, 0]})
    cells = "M12, L13, and N13"
    assert t("hints.dead_cells", count=3, cells=cells) in text_for(position)
    (picture,) = panel_for(position).pictures
    assert cells in picture.alt
    assert "**" not in picture.alt
    assert t("hints.no_dead_cells") in text_for(arrange(players=2, hand="base/U", pile=["base/R", "base/X", "base/B"]))
    aided = arrange(players=2, tiles=["base/U 0,0 0", "base/B 1,1 0"], hand="base/B", pile=[])
    assert t("hints.aided_cells", cells="L13, N13, and L14").split(" at ")[0] in text_for(aided)


# ---------------------------------------------------------------- hints that are switched off


@pytest.mark.parametrize("hint", Hint)
def test_each_hint_can_be_switched_off(hint: Hint) -> None:
    headings = {
        Hint.CELLS: t("hints.no_dead_cells"),
        Hint.COMPLETION: t("hints.completion"),
        Hint.PROJECTION: t("hints.projection"),
        Hint.FIELDS: t("hints.fields"),
    }
    position = arrange(players=2, hand="base/U", pile=["base/R", "base/X", "base/B"])
    words = text_for(position, hints_off=(str(hint),))
    assert t("hints.off", hints=t(f"hint.{hint}")) in words
    assert {other for other, heading in headings.items() if heading in words} == set(headings) - {hint}
    with pytest.raises(RefusedError) as refused:
        require(game_at(position, hints_off=(str(hint),)), hint)
    assert refused.value.key == "hint_off"


def test_a_table_without_hints_shows_none() -> None:
    position = arrange(players=2, hand="base/U")
    game = game_at(position, hints=False)
    assert allowed_hints(game, position) == frozenset()
    assert hint_buttons(game, 0) == []
    for hint in Hint:
        with pytest.raises(RefusedError) as refused:
            require(game, hint)
        assert refused.value.key == "no_hints"


def test_disabled_hints_are_not_computed(monkeypatch: pytest.MonkeyPatch) -> None:
    computed: list[str] = []
    for name in ("dead_cells", "completion", "projection", "holdings"):
        monkeypatch.setattr(type(hints_on(ROAD_AND_FIELD)), name, lambda *_, name=name: computed.append(name))
    words = text_for(ROAD_AND_FIELD, hints_off=("cells", "completion", "projection", "fields"))
    assert computed == []
    assert not panel_for(ROAD_AND_FIELD, hints_off=("cells", "completion", "projection", "fields")).pictures
    assert t("hints.off", hints="").strip() in words


def test_the_picture_shows_enabled_hints_only() -> None:
    drawn: list[Any] = []
    position = arrange(players=2, tiles=["base/D 0,0 0"], followers=["0 0,0 field.WR"], hand="base/C", pile=["base/B"])
    recording_presenter = replace(
        presenter_of(position), hints_picture=lambda _position, *guides: drawn.append(guides[:2])
    )
    for hints_off in ((), ("fields",), ("cells",)):
        hint_panel(recording_presenter, game_at(position, hints_off=hints_off), position, RED, DAY)
    (all_dead, all_fields), (dead, no_fields), (no_dead, fields) = drawn
    assert dead == all_dead != no_dead
    assert fields == all_fields != no_fields
    assert not any(no_dead)


def test_the_composer_compares_no_rotations_if_hints_are_off() -> None:
    position = arrange(players=2, tiles=["base/D 0,0 0"], hand="base/V", pile=["base/B"])

    def spots(**settings: Any) -> list[Plan]:
        """Return the plans of the spots at a table with these settings."""
        composer = Composer(presenter_of(position), game_at(position, **settings), position, Preferences())
        return [Plan.parse(offer.argument) for offer in composer.panel(Plan()).offers[0]]

    assert any(plan.spot is not None for plan in spots())
    assert all(plan.place is not None for plan in spots(hints_off=("completion",)))


def test_the_composer_shows_no_points_if_hints_are_off() -> None:
    position = arrange(
        players=2, tiles=["base/D 0,0 0", "base/A -1,0 270"], followers=["0 0,0 road.E"], hand="base/A", pile=["base/B"]
    )
    place = Place(Cell(1, 0), 90)

    def confirming(**settings: Any) -> str:
        """Return the text that asks for confirmation at a table with these settings."""
        composer = Composer(presenter_of(position), game_at(position, **settings), position, Preferences(confirm=True))
        return composer.panel(Plan(place=place, figure=Pass())).text

    first, *prospects = confirming().splitlines()
    assert "3" in " ".join(prospects)
    assert confirming(hints=False) == confirming(hints_off=("completion",)) == first


def test_the_buttons_match_the_enabled_hints() -> None:
    position = arrange(players=2, hand="base/U")

    def operations(**settings: Any) -> list[Op]:
        """Return the operations of the hint buttons at such a table."""
        keys = [parse_key(button.custom_id) for button in hint_buttons(game_at(position, **settings), 3)]
        return [key.op for key in keys if key]

    assert operations() == [Op.TILES, Op.HINTS]
    assert operations(hints_off=("tiles",)) == [Op.HINTS]
    assert operations(hints_off=("cells", "completion", "projection", "fields")) == [Op.TILES]


# ---------------------------------------------------------------- every game, every position


@pytest.mark.parametrize("name", GAMES)
def test_hints_of_any_position_keep_the_limits_of_a_message(name: str) -> None:
    max_players = max(GAMES[name].players)
    for seed in range(4):
        for plies in (0, 40, 120, 200):
            position = random_position(name, max_players, seed, plies)
            if position.is_over:
                continue
            game = game_of(position, LONG_NAMES)
            for seat in (None, *range(max_players)):
                panel = hint_panel(presenter_of(position), game, position, seat, DAY)
                assert not list(component_problems(panel_view(game, position.ply, panel).to_components(), v2=True))
                assert all(len(picture.alt) <= MAX_ALT_LENGTH for picture in panel.pictures)


@pytest.mark.parametrize("name", GAMES)
def test_every_projected_gain_has_a_category(name: str) -> None:
    categories = set(PRESENTERS[name].categories)
    for seed in range(10):
        position = random_position(name, min(GAMES[name].players), seed, 10_000)
        assert position.is_over
        for plies in (30, 90, 150):
            _, events = random_position(name, min(GAMES[name].players), seed, plies).concluded()
            assert {event.kind for event in events if isinstance(event, Scored)} <= categories


def test_the_panel_has_buttons_for_board_and_tiles() -> None:
    position = arrange(players=2, hand="base/U")
    view = panel_view(game_at(position), 7, panel_for(position))
    keys = [parse_key(part["custom_id"]) for _, part in walk(view.to_components()) if part["type"] == Kind.BUTTON]
    assert [(key.op, key.revision) for key in keys if key] == [(Op.BOARD, 7), (Op.TILES, 7)]
