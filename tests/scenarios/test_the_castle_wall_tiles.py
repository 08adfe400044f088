"""Wall tiles: taking them at the corners of the track (TC-53 … TC-58), and using tiles 1 to 3 (TC-59 … TC-68).

Tile 1 gives an extra turn, tile 2 doubles a tower, tile 3 a house.

Two players lay tiles within a castle wall, on whose squares the score track runs. Cells are named by labels such as
``E2``, tiles by ids such as ``D20``; ``"D20 E2 180"`` is a tile, its cell and its rotation (see
``vocabulary_the_castle.py``).

Wall tiles, numbered from 1 to 9, are bonuses that lie on the corner towers of the wall; the player whose score marker
stops there takes one. Codes such as TC-53 are rules of the rule digest; each test is named by the rule that it shows.
"""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from engine.actions import Action, Pass, Resign
from engine.events import Event, Scored, Term, TileDrawn
from engine.notation.positions import format_position, parse_position
from engine.the_castle import (
    ChooseFeature,
    Double,
    DoubleFeature,
    ExtraTurn,
    Options,
    PlaceTile,
    PlayAgain,
    Position,
    Triple,
    WallTile,
)
from engine.the_castle.events import WallTilesUsed
from tests.engine.built_castle_positions import arrange
from tests.scenarios.vocabulary import assert_illegal, events_of
from tests.scenarios.vocabulary_the_castle import (
    BLACK,
    HOUSE_OF_FOUR,
    PATH_AND_HOUSE,
    PATH_OF_TWO,
    TOWER_OF_FOUR,
    TOWER_OF_THREE,
    TWO_TOWERS,
    WHITE,
    cross_of_five,
    feature,
    play_turn,
    scores,
    wall_tiles_taken,
)

# -- taking wall tiles -------------------------------------------------------------------------------------------------


def path_of_two(score: int, **args: object) -> Position:
    """Arrange a path that gives Black 2 points with D29 on E2; a wall tile 9 lies at the corner of spaces 32 and 33."""
    return arrange(
        tiles=PATH_OF_TWO, figures=["0 E3 path.N"], hand="D29", scores=(score, 0), wall_tiles={32: 9}, **args
    )


@pytest.mark.parametrize("score", [30, 31])
def test_TC_53_a_marker_that_stops_at_a_corner_takes_its_tile(score: int) -> None:
    position = path_of_two(score)
    assert wall_tiles_taken(play_turn(position, "E2")) == [(BLACK, 9, score + 2)]
    assert position.hands == [(WallTile.FIVE_POINTS,), ()]
    assert position.corners == ()


def test_TC_53_a_marker_between_corners_takes_nothing() -> None:
    position = path_of_two(28)
    assert wall_tiles_taken(play_turn(position, "E2")) == []
    assert position.corners == (32,)


def test_TC_54_passing_a_corner_gives_nothing() -> None:
    position = arrange(tiles=TOWER_OF_FOUR, figures=["0 F8 tower.ER"], hand="D20", scores=(31, 0), wall_tiles={32: 9})
    assert wall_tiles_taken(play_turn(position, "G9", 90)) == []
    assert position.scores[BLACK] == 39
    assert position.corners == (32,)


def test_TC_55_tiles_are_taken_after_each_single_score() -> None:
    position = arrange(
        tiles=PATH_AND_HOUSE, figures=["0 D12 path.S", "0 C13 house.NR"], hand="D34", scores=(31, 0), wall_tiles={32: 9}
    )
    play_turn(position, "D13")
    step = position.step
    assert isinstance(step, ChooseFeature)
    path = next(action for action, points in step.options if points == 2)
    assert wall_tiles_taken(position.apply(path)) == [(BLACK, 9, 33)]
    assert position.scores[BLACK] == 36


def test_TC_56_the_second_lap_counts() -> None:
    position = path_of_two(131)
    assert wall_tiles_taken(play_turn(position, "E2")) == [(BLACK, 9, 33)]
    assert position.scores[BLACK] == 133


def test_TC_57_a_taken_corner_is_empty() -> None:
    position = arrange(
        tiles=[*PATH_OF_TWO, "D49 G3"],
        figures=["0 E3 path.N", "1 G3 path.N"],
        hand="D29",
        pile=["D29", "D03"],
        scores=(31, 30),
        wall_tiles={32: 9},
    )
    assert wall_tiles_taken(play_turn(position, "E2")) == [(BLACK, 9, 33)]
    assert wall_tiles_taken(play_turn(position, "G2")) == []
    assert position.scores == [33, 32]
    assert position.hands == [(WallTile.FIVE_POINTS,), ()]


def test_TC_58_the_other_player_takes_one_too() -> None:
    position = arrange(tiles=TOWER_OF_FOUR, figures=["1 F8 tower.ER"], hand="D20", scores=(0, 24), wall_tiles={32: 4})
    assert wall_tiles_taken(play_turn(position, "G9", 90)) == [(WHITE, 4, 32)]
    assert position.hands == [(), (WallTile.OPEN_PATH,)]


# -- using wall tiles --------------------------------------------------------------------------------------------------


def apply_actions(position: Position, *actions: Action) -> list[Event]:
    """Apply decisions in turn; return the events."""
    return [event for action in actions for event in position.apply(action)]


def tower_of_three(hands: Sequence[Sequence[int]], *, knights: Sequence[str] = ("0 E2",), **args: object) -> Position:
    """Arrange a tower of three tiles that Black completes with D07 on F2."""
    figures = [f"{knight} tower.{'NR' if knight.endswith('E2') else 'NL'}" for knight in knights]
    return arrange(tiles=TOWER_OF_THREE, figures=figures, hand="D07", hands=hands, **args)


def test_TC_59_a_player_may_use_any_number_in_their_own_turn() -> None:
    position = arrange(
        tiles=PATH_AND_HOUSE, figures=["0 C13 house.NR"], hand="D34", hands=((1, 3), ()), pile=["D03", "D03"]
    )
    play_turn(position, "D13")
    events = apply_actions(position, Double(), PlayAgain())
    assert events_of(WallTilesUsed, events) == [
        WallTilesUsed(BLACK, WallTile.DOUBLE_HOUSE, 1),
        WallTilesUsed(BLACK, WallTile.EXTRA_TURN, 1),
    ]
    assert position.hands == [(), ()]


def test_TC_59_a_tile_may_be_kept() -> None:
    position = tower_of_three(((2,), ()))
    play_turn(position, "F2")
    assert scores(apply_actions(position, Pass())) == [(BLACK, "tower", 6)]
    assert position.hands == [(WallTile.DOUBLE_TOWER,), ()]


def test_TC_60_never_in_the_opponents_turn() -> None:
    position = tower_of_three(((), (2,)), knights=["1 E2"])
    assert scores(play_turn(position, "F2")) == [(WHITE, "tower", 6)]
    assert position.hands == [(), (WallTile.DOUBLE_TOWER,)]


def test_TC_60_a_player_does_not_use_the_opponents_tiles() -> None:
    position = tower_of_three(((2,), ()), knights=["1 E2"])
    assert scores(play_turn(position, "F2")) == [(WHITE, "tower", 6)]


@pytest.mark.parametrize("kind", range(4, 10))
def test_TC_61_tiles_4_to_9_are_not_used_during_the_game(kind: int) -> None:
    position = tower_of_three(((kind, kind), ()))
    assert scores(play_turn(position, "F2")) == [(BLACK, "tower", 6)]
    assert isinstance(position.step, PlaceTile)
    assert len(position.hands[BLACK]) == 2


def test_TC_61_tiles_1_to_3_are_not_used_at_the_end() -> None:
    position = tower_of_three(((1, 1, 2, 3), ()), pile=())
    play_turn(position, "F2")
    events = apply_actions(position, Pass())
    assert position.is_over
    assert [entry for entry in scores(events) if entry[1].startswith("wall_tile")] == []
    assert_illegal(position, PlayAgain())


def test_TC_62_wall_tiles_need_the_majority() -> None:
    position = tower_of_three(((2, 5), (2, 5)), knights=["0 E2", "1 G2"])
    assert scores(play_turn(position, "F2")) == []
    assert isinstance(position.step, PlaceTile)


def test_TC_62_wall_tiles_need_the_majority_at_the_end_too() -> None:
    position = arrange(
        tiles=["D01 G8", "D01 G10", "D03 E7"],
        figures=["0 G8 tower.NL", "1 G10 tower.NL"],
        hand="D01",
        hands=((5,), ()),
        pile=(),
    )
    events = play_turn(position, "G9")
    assert position.is_over
    assert feature(position, "G8", "tower.NL").owners == (BLACK, WHITE)
    assert scores(events) == []


def test_TC_63_tile_1_gives_another_complete_turn() -> None:
    position = arrange(
        tiles=["D49 E3", "D49 G3"],
        figures=["0 E3 path.N", "0 G3 path.N"],
        hand="D29",
        hands=((1,), ()),
        pile=["D29", "D03"],
        scores=(0, 0),
    )
    play_turn(position, "E2")
    step = position.step
    assert isinstance(step, ExtraTurn)
    assert list(position.legal_actions) == [Pass(), PlayAgain()]
    (used, drawn) = position.apply(PlayAgain())
    assert isinstance(used, WallTilesUsed)
    assert isinstance(drawn, TileDrawn)
    assert drawn.player == position.player == BLACK
    assert scores(play_turn(position, "G2", deploy="court.NL")) == [(BLACK, "path", 2)]
    assert position.scores == [4, 0]
    assert position.player == WHITE


def test_TC_63_declining_tile_1_ends_the_turn() -> None:
    position = tower_of_three(((1,), ()))
    play_turn(position, "F2")
    position.apply(Pass())
    assert position.player == WHITE
    assert position.hands[BLACK] == (WallTile.EXTRA_TURN,)


def test_TC_64_tile_1_is_usable_in_the_turn_in_which_it_is_taken() -> None:
    position = arrange(tiles=PATH_OF_TWO, figures=["0 E3 path.N"], hand="D29", scores=(31, 0), wall_tiles={32: 1})
    assert wall_tiles_taken(play_turn(position, "E2")) == [(BLACK, 1, 33)]
    assert isinstance(position.step, ExtraTurn)
    position.apply(PlayAgain())
    assert position.player == BLACK


def test_TC_64_tile_1_may_be_kept_for_later() -> None:
    position = tower_of_three(((1,), ()), pile=["D03"] * 4)
    play_turn(position, "F2")
    position.apply(Pass())
    play_turn(position, "J4")
    play_turn(position, "J3")
    assert isinstance(position.step, ExtraTurn)


def test_TC_64_two_tiles_1_give_two_extra_turns_in_a_row() -> None:
    position = tower_of_three(((1, 1), ()), pile=["D03"] * 4)
    play_turn(position, "F2")
    position.apply(PlayAgain())
    play_turn(position, "J4")
    assert isinstance(position.step, ExtraTurn)
    position.apply(PlayAgain())
    play_turn(position, "J3")
    assert position.player == WHITE
    assert position.hands == [(), ()]


def test_TC_65_tile_2_doubles_a_tower() -> None:
    position = tower_of_three(((2,), ()))
    play_turn(position, "F2")
    step = position.step
    assert isinstance(step, DoubleFeature)
    assert (step.kind, step.count, step.points) == (WallTile.DOUBLE_TOWER, 1, 6)
    assert list(position.legal_actions) == [Pass(), Double()]
    events = apply_actions(position, Double())
    assert scores(events) == [(BLACK, "tower", 12)]
    (score,) = events_of(Scored, events)
    assert score.terms == (Term("tiles", 3, 6), Term("doubled", 1, 6))


def test_TC_65_tile_3_does_not_double_a_tower() -> None:
    assert scores(play_turn(tower_of_three(((3,), ())), "F2")) == [(BLACK, "tower", 6)]


def house_of_five(hands: Sequence[Sequence[int]]) -> Position:
    """Arrange a house of five tiles that Black completes with D10 on F11."""
    return arrange(tiles=cross_of_five("D02", "D10"), figures=["0 F10 house.NL"], hand="D10", hands=hands)


def test_TC_66_tile_3_doubles_a_house() -> None:
    position = house_of_five(((3,), ()))
    play_turn(position, "F11")
    assert scores(apply_actions(position, Double())) == [(BLACK, "house", 10)]


def test_TC_66_quick_points_can_be_doubled() -> None:
    position = arrange(tiles=["D03 C12"], hand="D22", hands=((3,), ()))
    play_turn(position, "C13", deploy="house.SR")
    assert scores(apply_actions(position, Double())) == [(BLACK, "house", 2)]


def two_towers(wall_tile: int, **args: object) -> Position:
    """Arrange towers of 4 and 6 points (one with a start space) that Black completes with D30 on D13."""
    return arrange(
        tiles=TWO_TOWERS,
        figures=["0 C13 tower.ER", "0 E13 tower.SR"],
        hand="D30",
        scores=(28, 0),
        wall_tiles={32: wall_tile},
        **args,
    )


def test_TC_67_doubling_tiles_are_not_usable_in_the_turn_in_which_they_are_taken() -> None:
    position = two_towers(2)
    play_turn(position, "D13")
    step = position.step
    assert isinstance(step, ChooseFeature)
    smaller = next(action for action, points in step.options if points == 4)
    events = position.apply(smaller)
    assert wall_tiles_taken(events) == [(BLACK, 2, 32)]
    assert scores(events) == [(BLACK, "tower", 4), (BLACK, "tower", 6)]
    assert position.hands == [(WallTile.DOUBLE_TOWER,), ()]


def test_TC_67_an_extra_turn_counts_as_a_later_turn() -> None:
    position = arrange(
        tiles=[*TWO_TOWERS, *TOWER_OF_FOUR],
        figures=["0 C13 tower.ER", "0 F8 tower.ER"],
        hand="D30",
        scores=(28, 0),
        wall_tiles={32: 2},
        hands=((1,), ()),
        pile=["D20", "D03"],
    )
    assert wall_tiles_taken(play_turn(position, "D13")) == [(BLACK, 2, 32)]
    position.apply(PlayAgain())
    play_turn(position, "G9", 90)
    assert scores(apply_actions(position, Double())) == [(BLACK, "tower", 16)]


@pytest.mark.parametrize("timing", ["per_feature", "end_of_turn"])
def test_TC_59_a_tile_taken_by_the_opponent_does_not_block_the_players_own(timing: str) -> None:
    """Black completes White's path, White takes a tile 1, and Black uses a tile 1 taken earlier."""
    position = arrange(
        tiles=PATH_OF_TWO,
        figures=["1 E3 path.N"],
        hand="D29",
        scores=(0, 30),
        wall_tiles={32: 1},
        hands=((1,), ()),
        pile=["D03", "D03"],
        options=Options.of({"tc_tile1_timing": "later_turn_only", "tc_wall_pickup": timing}),
    )
    assert wall_tiles_taken(play_turn(position, "E2")) == [(WHITE, 1, 32)]
    assert isinstance(position.step, ExtraTurn)
    assert position.player == BLACK


def test_TC_67_an_earlier_tile_may_be_used_beside_a_new_one() -> None:
    position = two_towers(2, hands=((2,), ()))
    play_turn(position, "D13")
    step = position.step
    assert isinstance(step, ChooseFeature)
    smaller = next(action for action, points in step.options if points == 4)
    apply_actions(position, smaller, Pass())
    doubling = position.step
    assert isinstance(doubling, DoubleFeature)
    assert doubling.count == 1
    assert scores(apply_actions(position, Double())) == [(BLACK, "tower", 12)]
    assert position.hands == [(WallTile.DOUBLE_TOWER,), ()]


@pytest.mark.parametrize(("choice", "points"), [(Pass(), 6), (Double(), 12), (Triple(), 18)])
def test_TC_68_two_tiles_triple_one_tower(choice: Action, points: int) -> None:
    position = tower_of_three(((2, 2), ()))
    play_turn(position, "F2")
    assert list(position.legal_actions) == [Pass(), Double(), Triple()]
    assert scores(apply_actions(position, choice)) == [(BLACK, "tower", points)]


def test_TC_68_two_tiles_triple_one_house() -> None:
    position = house_of_five(((3, 3), ()))
    play_turn(position, "F11")
    assert scores(apply_actions(position, Triple())) == [(BLACK, "house", 15)]
    assert position.hands == [(), ()]


def test_TC_68_two_tiles_may_double_a_tower_each() -> None:
    position = two_towers(9, hands=((2, 2), ()))
    play_turn(position, "D13")
    step = position.step
    assert isinstance(step, ChooseFeature)
    events = apply_actions(position, step.options[0][0], Double(), Double())
    assert sorted(scores(events)) == [(BLACK, "tower", 8), (BLACK, "tower", 12)]
    assert position.hands == [(), ()]


def test_a_doubled_house_takes_the_keep_at_its_true_size() -> None:
    position = arrange(tiles=HOUSE_OF_FOUR, figures=["0 F8 house.ER"], hand="D22", hands=((3, 3), ()))
    play_turn(position, "G9", 90)
    apply_actions(position, Triple())
    keep = position.keeps[BLACK]
    assert keep is not None
    assert keep.size == 4


def test_a_player_who_resigns_while_deciding_keeps_their_tiles() -> None:
    position = tower_of_three(((2,), ()))
    play_turn(position, "F2")
    assert isinstance(position.step, DoubleFeature)
    events = position.apply(Resign(BLACK))
    assert scores(events)[0] == (BLACK, "tower", 6)
    assert events_of(WallTilesUsed, events) == []
    assert position.is_over


def test_TC_47_features_waiting_for_their_order_round_trip_as_text() -> None:
    position = two_towers(2)
    play_turn(position, "D13")
    assert isinstance(position.step, ChooseFeature)
    text = format_position(position)
    read = parse_position(text)
    assert format_position(read) == text
    assert list(read.legal_actions) == list(position.legal_actions)


def test_TC_47_resigning_while_ordering_scores_the_features_as_listed() -> None:
    position = two_towers(2)
    play_turn(position, "D13")
    step = position.step
    assert isinstance(step, ChooseFeature)
    points_offered = [points for _, points in step.options]
    events = position.apply(Resign(BLACK))
    assert [points for _, kind, points in scores(events) if kind == "tower"][:2] == points_offered
    assert position.is_over
