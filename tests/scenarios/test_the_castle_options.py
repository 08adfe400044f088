"""Each option of The Castle with each of its values (O-16 … O-20, O-29 … O-31), and the house rule HV-06.

An option is a point on which editions of the rules differ. Two players lay tiles within a castle wall, on whose squares
the score track runs. Cells are named by labels such as ``E2``, tiles by ids such as ``D20``; ``"D20 E2 180"`` is a
tile, its cell and its rotation (see ``vocabulary_the_castle.py``).

Wall tiles, numbered from 1 to 9, are bonuses that lie on the corner towers of the wall; the player whose score marker
stops there takes one. A keep marks its player's largest house. Codes such as HV-06 are rules of the rule digest; each
test is named by the rule that it shows.
"""

from __future__ import annotations

from dataclasses import fields

import pytest

from engine import NotationError
from engine.events import Event, Scored, Term
from engine.the_castle import PRESETS, ChooseFeature, ExtraTurn, Options, PlayAgain, Position, empty_areas, keep_result
from tests.engine.built_castle_positions import arrange
from tests.scenarios.vocabulary import events_of
from tests.scenarios.vocabulary_the_castle import (
    BLACK,
    HOUSE_OF_THREE,
    PATH_AND_HOUSE,
    PATH_OF_TWO,
    TOWER_OF_THREE,
    WHITE,
    fill_with_courts,
    final_scores,
    play_turn,
    row_of,
    scores,
    wall_tiles_taken,
)


def test_the_options_are_those_of_the_digest() -> None:
    numbers = {entry.name: entry.metadata["number"] for entry in fields(Options)}
    assert list(numbers.values()) == ["O-16", "O-17", "O-18", "O-19", "O-20", "O-29", "O-30", "O-31"]
    assert all(entry.metadata["rules"] for entry in fields(Options))


def test_the_presets_have_these_options() -> None:
    assert list(PRESETS) == ["tc_original", "tc_rgg"]
    assert PRESETS["tc_original"].differences() == {}
    assert PRESETS["tc_rgg"].differences() == {"tc_incomplete_path_fountain": 2}


def test_an_invalid_option_value_is_refused() -> None:
    with pytest.raises(NotationError, match="tc_final_tie"):
        Options.of({"tc_final_tie": "dice"})


@pytest.mark.parametrize(("value", "points"), [(1, 5), (2, 10)])
def test_O_16_points_for_an_incomplete_fountain_path(value: int, points: int) -> None:
    position = arrange(
        tiles=["D28 D9 90", *row_of("D29", count=5, rotation=90)[1:]],
        figures=["0 D9 path.E"],
        hands=((4,), ()),
        hand="D03",
        pile=(),
        options=Options(tc_incomplete_path_fountain=value),
    )
    assert final_scores(play_turn(position, "J4")) == [(BLACK, "wall_tile_4", points)]


@pytest.mark.parametrize("value", [1, 2])
def test_O_16_a_path_without_a_fountain_is_worth_the_same(value: int) -> None:
    position = arrange(
        tiles=row_of("D29", count=5, rotation=90),
        figures=["0 D9 path.E"],
        hands=((4,), ()),
        hand="D03",
        pile=(),
        options=Options(tc_incomplete_path_fountain=value),
    )
    assert final_scores(play_turn(position, "J4")) == [(BLACK, "wall_tile_4", 5)]


def score_path_then_house(score: int, value: str) -> list[Event]:
    """Have Black score 2 for a path, then 3 for a house; return the events."""
    position = arrange(
        tiles=PATH_AND_HOUSE,
        figures=["0 D12 path.S", "0 C13 house.NR"],
        hand="D34",
        scores=(score, 0),
        wall_tiles={32: 9},
        options=Options(tc_wall_pickup=value),
    )
    play_turn(position, "D13")
    step = position.step
    assert isinstance(step, ChooseFeature)
    return list(position.apply(next(action for action, points in step.options if points == 2)))


@pytest.mark.parametrize(
    ("value", "score", "expected"),
    [
        ("per_feature", 31, [(BLACK, 9, 33)]),
        ("per_feature", 28, [(BLACK, 9, 33)]),
        ("per_feature", 29, []),
        ("end_of_turn", 31, []),
        ("end_of_turn", 28, [(BLACK, 9, 33)]),
        ("end_of_turn", 29, []),
    ],
)
def test_O_17_and_HV_06_the_option_decides_when_a_wall_tile_is_taken(
    value: str, score: int, expected: list[tuple[int, int, int]]
) -> None:
    """Black's marker stops at a corner between the two scores, after both of them, or at neither."""
    assert wall_tiles_taken(score_path_then_house(score, value)) == expected


def test_HV_06_the_placing_player_takes_first() -> None:
    """Both markers stop at the same corner."""
    position = arrange(
        tiles=PATH_AND_HOUSE,
        figures=["0 D12 path.S", "1 C13 house.NR"],
        hand="D34",
        scores=(31, 29),
        wall_tiles={32: 9},
        options=Options(tc_wall_pickup="end_of_turn"),
    )
    assert wall_tiles_taken(play_turn(position, "D13")) == [(BLACK, 9, 33)]


def test_HV_06_only_a_player_whose_marker_moved_takes_one() -> None:
    position = arrange(
        tiles=PATH_OF_TWO,
        figures=["0 E3 path.N"],
        hand="D29",
        scores=(0, 32),
        wall_tiles={32: 9},
        options=Options(tc_wall_pickup="end_of_turn"),
    )
    assert wall_tiles_taken(play_turn(position, "E2")) == []


def test_HV_06_a_tile_1_may_be_played_at_once() -> None:
    position = arrange(
        tiles=PATH_OF_TWO,
        figures=["0 E3 path.N"],
        hand="D29",
        scores=(31, 0),
        wall_tiles={32: 1},
        options=Options(tc_wall_pickup="end_of_turn"),
    )
    assert wall_tiles_taken(play_turn(position, "E2")) == [(BLACK, 1, 33)]
    assert isinstance(position.step, ExtraTurn)


@pytest.mark.parametrize("value", ["same_turn_allowed", "later_turn_only"])
def test_O_18_the_option_decides_when_tile_1_may_be_played(value: str) -> None:
    position = arrange(
        tiles=PATH_OF_TWO,
        figures=["0 E3 path.N"],
        hand="D29",
        pile=["D03"] * 4,
        scores=(31, 0),
        wall_tiles={32: 1},
        options=Options(tc_tile1_timing=value),
    )
    assert wall_tiles_taken(play_turn(position, "E2")) == [(BLACK, 1, 33)]
    assert isinstance(position.step, ExtraTurn) == (value == "same_turn_allowed")
    if value == "later_turn_only":
        play_turn(position, "J4")
        play_turn(position, "J3")
        assert isinstance(position.step, ExtraTurn)
        position.apply(PlayAgain())
    assert position.player == BLACK


@pytest.mark.parametrize("value", ["self_completed_with_majority", "any_completion_with_majority"])
def test_O_19_the_option_decides_whose_completion_moves_the_keep(value: str) -> None:
    position = arrange(
        tiles=HOUSE_OF_THREE, figures=["1 E2 house.NR"], hand="D10", options=Options(tc_keep_trigger=value)
    )
    assert scores(play_turn(position, "F2")) == [(WHITE, "house", 3)]
    sizes = [keep.size if keep else 0 for keep in position.keeps]
    assert sizes == ([0, 0] if value == "self_completed_with_majority" else [0, 3])


ELEVEN_CELLS = ["E6", "F6", "G6", "H6", "I6", "E8", "F8", "G8", "E7", "F7", "G7"]
"""Eleven connected cells; the start space D7 faces one of them."""


def play_last_turn_with_gaps(*cells: str, options: Options) -> tuple[Position, list[Event]]:
    """Have Black place the last tile in a castle full of courts except for these cells; return position and events.

    Black's keep is on C13.
    """
    tiles = fill_with_courts(except_for=["C13", "J4", *cells])
    position = arrange(tiles=[*tiles, "D22 C13"], keeps=["0 C13 house.SR"], hand="D03", pile=(), options=options)
    return position, play_turn(position, "J4")


@pytest.mark.parametrize(("value", "points"), [(False, 11), (True, 12)])
def test_TC_84_and_O_20_unused_start_spaces_may_count(value: bool, points: int) -> None:
    _, events = play_last_turn_with_gaps(*ELEVEN_CELLS, options=Options(tc_empty_area_includes_start_spaces=value))
    assert final_scores(events) == [(BLACK, "keep", points)]
    (score,) = events_of(Scored, events)
    assert score.terms == (Term("spaces", 11, 11), *([Term("start_spaces", 1, 1)] if value else []))


def test_O_20_only_those_beside_the_area_count() -> None:
    position, _ = play_last_turn_with_gaps(
        *ELEVEN_CELLS, "E2", options=Options(tc_empty_area_includes_start_spaces=True)
    )
    assert [(len(area.cells), area.starts) for area in empty_areas(position)] == [(11, 1), (1, 1)]


@pytest.mark.parametrize(("value", "sizes"), [("tiles", (2, 3)), ("quarters", (6, 4))])
def test_O_29_the_option_decides_how_keeps_are_measured(value: str, sizes: tuple[int, int]) -> None:
    """Black's house has 2 tiles but covers 6 quarters of tiles, White's has 3 tiles and covers 4 quarters."""
    position = arrange(
        tiles=["D02 C9", "D10 D9 270", "D03 C10", "D03 D10", *HOUSE_OF_THREE, "D10 F2"],
        keeps=["0 C9 house.NL", "1 E2 house.NR"],
        options=Options(tc_keep_measure=value),
    )
    result = keep_result(position)
    assert result.sizes == sizes
    assert result.player == (WHITE if value == "tiles" else BLACK)


@pytest.mark.parametrize(("value", "bonus"), [("tiles", 2), ("quarters", 8)])
def test_O_29_tile_8_adds_two_tiles(value: str, bonus: int) -> None:
    position = arrange(
        tiles=[*HOUSE_OF_THREE, "D10 F2"],
        keeps=["0 E2 house.NR"],
        hands=((8,), ()),
        options=Options(tc_keep_measure=value),
    )
    result = keep_result(position)
    assert result.counted[BLACK] == result.sizes[BLACK] + bonus


@pytest.mark.parametrize("value", ["tiles", "quarters"])
def test_O_29_the_keep_moves_by_the_same_measure(value: str) -> None:
    """The second house has more tiles than the first (3 and 2), but fewer quarters of tiles (4 and 6)."""
    position = arrange(
        tiles=["D02 C9", "D10 D9 270", "D03 C10", "D03 D10", *HOUSE_OF_THREE],
        keeps=["0 C9 house.NL"],
        figures=["0 E2 house.NR"],
        hand="D10",
        options=Options(tc_keep_measure=value),
    )
    play_turn(position, "F2")
    keep = position.keeps[BLACK]
    assert keep is not None
    assert keep.size == (3 if value == "tiles" else 6)


@pytest.mark.parametrize(("value", "areas"), [("orthogonal", [3, 2]), ("diagonal", [5])])
def test_O_30_the_option_decides_which_empty_cells_are_connected(value: str, areas: list[int]) -> None:
    position, events = play_last_turn_with_gaps(
        "F6", "G6", "G7", "H8", "I8", options=Options(tc_empty_area_adjacency=value)
    )
    assert [area.size for area in empty_areas(position)] == areas
    assert final_scores(events) == [(BLACK, "keep", areas[0])]


@pytest.mark.parametrize(("value", "winners"), [("shared", (BLACK, WHITE)), ("none", ())])
def test_O_31_the_option_decides_who_wins_a_tie(value: str, winners: tuple[int, ...]) -> None:
    position = arrange(hand="D03", pile=(), scores=(80, 80), options=Options(tc_final_tie=value))
    play_turn(position, "J4")
    assert position.winners() == winners
    assert position.ranking() == ((BLACK, WHITE),)


@pytest.mark.parametrize("value", ["shared", "none"])
def test_O_31_most_points_win_with_either_value(value: str) -> None:
    position = arrange(hand="D03", pile=(), scores=(81, 80), options=Options(tc_final_tie=value))
    play_turn(position, "J4")
    assert position.winners() == (BLACK,)


@pytest.mark.parametrize("preset", PRESETS)
def test_a_game_can_be_played_by_every_preset(preset: str) -> None:
    position = arrange(tiles=TOWER_OF_THREE, figures=["0 E2 tower.NR"], hand="D07", options=PRESETS[preset])
    assert scores(play_turn(position, "F2")) == [(BLACK, "tower", 6)]
