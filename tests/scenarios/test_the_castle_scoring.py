"""Completing and scoring features during the game (TC-30 … TC-48), and keeps on the largest houses (TC-49 … TC-52).

Two players lay tiles within a castle wall, on whose squares the score track runs. Cells are named by labels such as
``E2``, tiles by ids such as ``D20``; ``"D20 E2 180"`` is a tile, its cell and its rotation (see
``vocabulary_the_castle.py``).

Paths, towers and houses score when they are completed; a keep marks its player's largest house. Codes such as TC-30 are
rules of the rule digest; each test is named by the rule that it shows.
"""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from engine.events import Completed, Returned
from engine.the_castle import ChooseFeature, PlaceTile, Position, ScoreFeature
from engine.the_castle.events import KeepMoved
from tests.engine.built_castle_positions import arrange
from tests.scenarios.vocabulary import assert_illegal, events_of, legal_segments
from tests.scenarios.vocabulary_the_castle import (
    BLACK,
    HOUSE_OF_FOUR,
    HOUSE_OF_ONE,
    HOUSE_OF_THREE,
    HOUSE_OF_TWO,
    PATH_AND_HOUSE,
    PATH_OF_TWO,
    TOWER_OF_FOUR,
    TOWER_OF_THREE,
    TWO_TOWERS,
    WHITE,
    cell,
    feature,
    place_tile,
    play_turn,
    scores,
    standing_figures,
)

# -- paths ------------------------------------------------------------------------------------------------------------


def test_TC_30_a_path_from_a_square_to_the_wall() -> None:
    position = arrange(tiles=PATH_OF_TWO, figures=["0 E3 path.N"], hand="D29")
    play_turn(position, "E2")
    assert feature(position, "E2", "path.N").complete
    assert position.scores == [2, 0]


def test_TC_30_a_path_that_ends_at_a_building() -> None:
    position = arrange(tiles=["D29 D13"], figures=["0 D13 path.N"], hand="D56")
    assert scores(play_turn(position, "D12")) == [(BLACK, "path", 2)]


def test_TC_30_a_path_that_is_a_ring() -> None:
    tiles = ["D38 F8 90", "D38 G8 180", "D38 F9 0"]
    position = arrange(tiles=tiles, figures=["1 F8 path.E"], hand="D38")
    assert not feature(position, "F8", "path.E").complete
    assert scores(play_turn(position, "G9", 270)) == [(WHITE, "path", 4)]


@pytest.mark.parametrize(("last", "rotation", "complete"), [("D29", 0, False), ("D56", 180, True)])
def test_TC_31_all_branches_of_a_path_need_an_end(last: str, rotation: int, *, complete: bool) -> None:
    """The path has three arms; D29 only extends the third, D56 ends it."""
    tiles = ["D46 G8", "D56 G7 0", "D56 H8 90"]
    position = arrange(tiles=tiles, figures=["0 G8 path.N"], hand=last)
    events = play_turn(position, "G9", rotation)
    assert bool(scores(events)) == complete
    assert feature(position, "G8", "path.N").complete == complete


@pytest.mark.parametrize(
    ("heralds", "winner"), [(["0 G9"], BLACK), (["0 D9", "1 F9", "1 H9"], WHITE), (["0 D9", "1 F9"], None)]
)
def test_TC_32_a_path_scores_a_point_a_tile_for_most_heralds(heralds: list[str], winner: int | None) -> None:
    """The path runs from a building on C9 to the start space J9."""
    tiles = [f"D29 {label} 90" for label in ("D9", "E9", "F9", "G9", "H9")]
    position = arrange(tiles=[*tiles, "D56 C9 270"], figures=[f"{herald} path.E" for herald in heralds], hand="D29")
    assert scores(play_turn(position, "I9", 90)) == ([] if winner is None else [(winner, "path", 8)])


PATH_FROM_START_SPACE = ["D29 C11 90", "D29 D11 90"]
"""A path from the start space B11: D56 on E11 at 90 degrees completes it, three tiles and the start space."""


def test_TC_33_the_start_space_counts_for_a_path() -> None:
    position = arrange(tiles=PATH_FROM_START_SPACE, figures=["0 C11 path.E"], hand="D56")
    assert scores(play_turn(position, "E11", 90)) == [(BLACK, "path", 4)]


@pytest.mark.parametrize("wells", [1, 2])
def test_TC_34_a_fountain_doubles_and_more_add_nothing(wells: int) -> None:
    tiles = [text.replace("D29", "D28") for text in PATH_FROM_START_SPACE[:wells]] + PATH_FROM_START_SPACE[wells:]
    position = arrange(tiles=tiles, figures=["0 C11 path.E"], hand="D56")
    assert scores(play_turn(position, "E11", 90)) == [(BLACK, "path", 8)]


def test_TC_34_the_fountain_may_stand_on_the_last_tile() -> None:
    position = arrange(tiles=PATH_FROM_START_SPACE, figures=["0 C11 path.E"], hand="D57")
    events = play_turn(position, "E11", 90)
    assert scores(events) == [(BLACK, "path", 8)]


# -- towers and houses ------------------------------------------------------------------------------------------------

TOWER_WITH_HOLE = ["D20 F7 270", "D07 G7 180", "D20 H7 0", "D07 F8 90", "D07 H8 270", "D20 F9 180", "D07 G9 0"]
"""A tower around the empty cell G8 without H9: D20 at 90 degrees completes the ring."""


def test_TC_35_a_tower_with_a_hole_is_not_complete() -> None:
    position = arrange(tiles=TOWER_WITH_HOLE, figures=["0 G7 tower.ER"], hand="D20", pile=["D03", "D03"])
    assert scores(play_turn(position, "H9", 90)) == []
    assert not feature(position, "G7", "tower.ER").complete
    assert scores(play_turn(position, "G8")) == [(BLACK, "tower", 16)]
    assert feature(position, "G7", "tower.ER").complete


@pytest.mark.parametrize("around", ["D03", "D02", "D29"], ids=["court", "house", "path"])
def test_TC_35_anything_else_ends_a_tower(around: str) -> None:
    tiles = ["D20 G8 0", f"{around} F8"]
    position = arrange(tiles=tiles, figures=["0 G8 tower.SR"], hand=around)
    assert scores(play_turn(position, "G9", 90)) == [(BLACK, "tower", 2)]


def test_TC_36_a_tower_scores_two_points_a_tile() -> None:
    position = arrange(tiles=TOWER_OF_FOUR, figures=["0 F8 tower.ER"], hand="D20")
    assert scores(play_turn(position, "G9", 90)) == [(BLACK, "tower", 8)]


def test_TC_36_the_start_space_counts_for_a_tower() -> None:
    """E6, E7 and E8 at the start space D7."""
    position = arrange(tiles=["D20 E6 0", "D07 E7 270"], figures=["0 E7 tower.NL"], hand="D20")
    assert scores(play_turn(position, "E8", 90)) == [(BLACK, "tower", 8)]


def test_TC_37_a_house_of_one_tile() -> None:
    position = arrange(tiles=HOUSE_OF_ONE, hand="D22")
    play_turn(position, "C13", 0, deploy="house.SR")
    assert feature(position, "C13", "house.SR").complete


def test_TC_37_a_house_with_an_open_side_is_not_complete() -> None:
    position = arrange(tiles=["D03 D12"], hand="D22")
    play_turn(position, "D13", 0, deploy="house.SR")
    assert not feature(position, "D13", "house.SR").complete
    assert position.scores == [0, 0]


def test_TC_38_a_house_scores_a_point_a_tile() -> None:
    position = arrange(tiles=HOUSE_OF_ONE, hand="D22")
    assert scores(play_turn(position, "C13", 0, deploy="house.SR")) == [(BLACK, "house", 1)]
    position = arrange(tiles=HOUSE_OF_FOUR, figures=["1 F8 house.ER"], hand="D22")
    assert scores(play_turn(position, "G9", 90)) == [(WHITE, "house", 4)]


def test_TC_38_the_start_space_counts_for_a_house() -> None:
    position = arrange(tiles=["D03 J3"], hand="D10")
    assert scores(play_turn(position, "J4", 90, deploy="house.NR")) == [(BLACK, "house", 2)]


def test_TC_39_tiles_are_not_connected_diagonally() -> None:
    position = arrange(tiles=["D22 F8 270", "D03 G8", "D03 F9"], figures=["0 F8 house.ER"], hand="D22")
    assert "house.NL" in legal_segments(place_tile(position, "G9", 90))
    assert feature(position, "F8", "house.ER") != feature(position, "G9", "house.NL")
    assert feature(position, "G9", "house.NL").tiles == 1


def test_TC_40_the_owner_scores_even_on_the_opponents_tile() -> None:
    position = arrange(tiles=TOWER_OF_FOUR, figures=["1 F8 tower.ER"], hand="D20")
    assert position.player == BLACK
    assert scores(play_turn(position, "G9", 90)) == [(WHITE, "tower", 8)]


def test_TC_41_a_tie_gives_nothing_to_anyone() -> None:
    position = arrange(tiles=TOWER_OF_THREE, figures=["0 E2 tower.NR", "1 G2 tower.NL"], hand="D07")
    events = play_turn(position, "F2")
    assert [(event.kind, event.points) for event in events_of(Completed, events)] == [("tower", 6)]
    assert scores(events) == []


THREE_TOWERS = ["D20 E2 180", "D20 G2 90", "D07 F3", "D03 E3", "D03 G3"]
"""Three towers that D01 on F2 joins."""


@pytest.mark.parametrize(("third", "winner"), [(BLACK, BLACK), (WHITE, WHITE)])
def test_TC_41_the_majority_takes_all(third: int, winner: int) -> None:
    knights = ["0 E2 tower.NR", "1 G2 tower.NL", f"{third} F3 tower.NL"]
    position = arrange(tiles=THREE_TOWERS, figures=knights, hand="D01")
    assert scores(play_turn(position, "F2")) == [(winner, "tower", 8)]


def test_TC_42_figures_return_even_from_a_tie() -> None:
    position = arrange(tiles=TOWER_OF_THREE, figures=["0 E2 tower.NR", "1 G2 tower.NL"], hand="D07")
    assert position.supply["follower"] == [5, 5]
    events = play_turn(position, "F2")
    assert sorted(event.player for event in events_of(Returned, events)) == [BLACK, WHITE]
    assert position.supply["follower"] == [6, 6]
    assert standing_figures(position) == set()


def test_TC_42_returned_figures_are_usable_from_the_next_turn() -> None:
    position = arrange(tiles=TOWER_OF_FOUR, figures=["0 F8 tower.ER"], supply=(0, 6), hand="D20")
    place_tile(position, "G9", 90)
    assert legal_segments(position) == set()


def test_TC_43_the_figure_of_an_open_feature_stays() -> None:
    position = arrange(tiles=["D01 G8"], figures=["0 G8 tower.NL"], hand="D03")
    play_turn(position, "G9")
    assert standing_figures(position) == {(BLACK, "G8", "tower.NL")}
    assert position.supply["follower"] == [5, 6]


def test_TC_44_quick_points_for_a_tower() -> None:
    position = arrange(tiles=["D03 C12", "D20 C13 270"], hand="D20")
    events = play_turn(position, "D13", 0, deploy="tower.SR")
    assert scores(events) == [(BLACK, "tower", 4)]
    assert position.supply["follower"] == [6, 6]


def test_TC_44_quick_points_for_a_path() -> None:
    position = arrange(tiles=["D03 C12"], hand="D56")
    assert scores(play_turn(position, "C13", 0, deploy="path.S")) == [(BLACK, "path", 1)]
    assert position.supply["follower"] == [6, 6]


# -- several at once --------------------------------------------------------------------------------------------------


def test_TC_45_points_are_marked_at_once() -> None:
    """The first score is on the track before the player decides which feature is next."""
    position = arrange(tiles=TWO_TOWERS, figures=["0 D12 path.S", "0 C13 tower.ER", "0 E13 tower.SR"], hand="D30")
    play_turn(position, "D13")
    assert position.scores == [0, 0]
    _, points = choose_next_feature(position, 0)
    assert isinstance(position.step, ChooseFeature)
    assert position.scores == [points, 0]


def choose_next_feature(position: Position, number: int) -> tuple[ScoreFeature, int]:
    """Score the option with this number next; return its action and points."""
    step = position.step
    assert isinstance(step, ChooseFeature)
    position.apply(step.options[number][0])
    return step.options[number]


def test_TC_46_the_track_continues_after_99() -> None:
    position = arrange(tiles=TOWER_OF_THREE, figures=["0 E2 tower.NR"], hand="D07", scores=(98, 0))
    play_turn(position, "F2")
    assert position.scores == [104, 0]
    assert position.scores[BLACK] % 100 == 4


def complete_path_and_house(*, path: int | None, house: int | None) -> Position:
    """Arrange a path of 2 and a house of 3 with figures of these seats; Black's tile D34 on D13 completes both."""
    figures = [f"{path} D12 path.S"] if path is not None else []
    figures += [f"{house} C13 house.NR"] if house is not None else []
    return arrange(tiles=PATH_AND_HOUSE, figures=figures, hand="D34")


@pytest.mark.parametrize(
    ("path", "house", "order"),
    [
        (BLACK, WHITE, [(BLACK, "path", 2), (WHITE, "house", 3)]),
        (WHITE, BLACK, [(BLACK, "house", 3), (WHITE, "path", 2)]),
    ],
)
def test_TC_47_own_features_come_first(path: int, house: int, order: list[tuple[int, str, int]]) -> None:
    position = complete_path_and_house(path=path, house=house)
    assert scores(play_turn(position, "D13")) == order
    assert isinstance(position.step, PlaceTile)


@pytest.mark.parametrize("scorer", [BLACK, WHITE])
@pytest.mark.parametrize(("first", "order"), [("path", [2, 3]), ("house", [3, 2])])
def test_TC_47_the_placing_player_chooses_the_order(scorer: int, first: str, order: list[int]) -> None:
    position = complete_path_and_house(path=scorer, house=scorer)
    assert scores(play_turn(position, "D13")) == []
    step = position.step
    assert isinstance(step, ChooseFeature)
    assert (step.player, step.scorer) == (BLACK, scorer)
    assert {(action.segment, points) for action, points in step.options} == {("path.N", 2), ("house.SR", 3)}
    action = next(action for action, _ in step.options if action.segment.startswith(first))
    assert_illegal(position, ScoreFeature(cell("D13"), "tower.NL"))
    events = position.apply(action)
    assert scores(events) == [(scorer, kind, points) for kind, points in zip(kinds_in_order(first), order, strict=True)]
    assert isinstance(position.step, PlaceTile)


def kinds_in_order(first: str) -> Sequence[str]:
    """Return the two kinds of features with this one first."""
    return ("path", "house") if first == "path" else ("house", "path")


def test_TC_47_a_single_feature_needs_no_decision() -> None:
    position = complete_path_and_house(path=BLACK, house=None)
    assert scores(play_turn(position, "D13")) == [(BLACK, "path", 2)]
    assert isinstance(position.step, PlaceTile)


def test_TC_47_three_features_need_two_decisions() -> None:
    position = arrange(
        tiles=TWO_TOWERS, figures=["0 D12 path.S", "0 C13 tower.ER", "0 E13 tower.SR"], hand="D30", pile=["D03"]
    )
    play_turn(position, "D13")
    options_seen = []
    while isinstance(position.step, ChooseFeature):
        options_seen.append(len(position.step.options))
        position.apply(position.legal_actions[-1])
    assert options_seen == [3, 2]
    assert position.scores == [2 + 4 + 6, 0]


def test_TC_48_courts_are_not_scored_during_the_game() -> None:
    position = arrange(tiles=["D03 C12"], hand="D17")
    events = play_turn(position, "C13", 0, deploy="court.SR")
    assert scores(events) == []
    assert events_of(Completed, events) == []
    court = feature(position, "C13", "court.SR")
    assert (court.complete, court.open_ends) == (False, -1)
    assert standing_figures(position) == {(BLACK, "C13", "court.SR")}


# -- the keep ---------------------------------------------------------------------------------------------------------


def keep_size(position: Position, player: int) -> int:
    """Return the size of the house of a player's keep; 0 without a keep."""
    keep = position.keeps[player]
    return keep.size if keep else 0


def test_TC_49_the_first_completed_house_gets_the_keep() -> None:
    position = arrange(tiles=HOUSE_OF_ONE, hand="D22")
    events = play_turn(position, "C13", 0, deploy="house.SR")
    assert events_of(KeepMoved, events) == [KeepMoved(BLACK, 1, (cell("C13"),))]
    assert keep_size(position, BLACK) == 1
    assert position.supply["keep"] == [0, 1]
    house = position.house_of(BLACK)
    assert house is not None
    assert house == feature(position, "C13", "house.SR")
    assert position.house_of(WHITE) is None


def test_TC_49_towers_and_paths_have_no_keep() -> None:
    position = arrange(tiles=TOWER_OF_FOUR, figures=["0 F8 tower.ER"], hand="D20")
    play_turn(position, "G9", 90)
    assert keep_size(position, BLACK) == 0


KEEP_OF_TWO = ["D22 C13 270", "D22 D13 0"]
"""A house of two tiles that is complete."""


@pytest.mark.parametrize(
    ("tiles", "hand", "where", "rotation", "size"),
    [(HOUSE_OF_THREE, "D10", "F2", 0, 3), (HOUSE_OF_TWO, "D22", "F2", 90, 2)],
    ids=["larger", "equal"],
)
def test_TC_50_the_keep_moves_to_a_larger_house(
    tiles: list[str], hand: str, where: str, rotation: int, size: int
) -> None:
    position = arrange(tiles=[*KEEP_OF_TWO, *tiles], figures=["0 E2 house.NR"], keeps=["0 C13 house.ER"], hand=hand)
    assert keep_size(position, BLACK) == 2
    events = play_turn(position, where, rotation)
    assert scores(events) == [(BLACK, "house", size)]
    assert keep_size(position, BLACK) == size
    assert bool(events_of(KeepMoved, events)) == (size == 3)


def test_TC_50_the_keep_moves_only_with_the_majority() -> None:
    position = arrange(
        tiles=[*KEEP_OF_TWO, *HOUSE_OF_THREE],
        figures=["0 E2 house.NR", "1 G2 house.NL"],
        keeps=["0 C13 house.ER"],
        hand="D10",
    )
    play_turn(position, "F2")
    assert (keep_size(position, BLACK), keep_size(position, WHITE)) == (2, 0)


def test_TC_51_the_keep_marks_the_largest_house() -> None:
    """Houses of 1, 4 and 3 tiles, one after the other."""
    position = arrange(
        tiles=[*HOUSE_OF_ONE, *HOUSE_OF_FOUR, *HOUSE_OF_THREE],
        figures=["0 F8 house.ER", "0 E2 house.NR"],
        hand="D22",
        pile=["D03", "D22", "D03", "D10", "D03"],
    )
    sizes = []
    play_turn(position, "C13", 0, deploy="house.SR")
    sizes.append(keep_size(position, BLACK))
    play_turn(position, "J4")
    play_turn(position, "G9", 90)
    sizes.append(keep_size(position, BLACK))
    play_turn(position, "J3")
    assert scores(play_turn(position, "F2")) == [(BLACK, "house", 3)]
    sizes.append(keep_size(position, BLACK))
    assert sizes == [1, 4, 4]


LONG_HOUSE = ["D22 E2 180", "D22 G2 90"]
"""Two tiles of a house with a gap between them."""
BROAD_HOUSE = ["D02 C9", "D10 D9 270", "D03 C10"]
"""A house along the wall that lacks the cell D10: it covers six quarters of two tiles. D03 bounds it."""


def test_TC_52_size_is_counted_in_tiles() -> None:
    """A house of 2 tiles that covers 6 quarters of tiles, then one of 3 tiles that covers 4."""
    position = arrange(
        tiles=[*BROAD_HOUSE, *LONG_HOUSE],
        figures=["0 C9 house.NL", "0 E2 house.NR"],
        hand="D03",
        pile=["D03", "D10", "D03"],
    )
    assert scores(play_turn(position, "D10")) == [(BLACK, "house", 2)]
    assert keep_size(position, BLACK) == 2
    play_turn(position, "J4")
    play_turn(position, "F2")
    assert keep_size(position, BLACK) == 3
