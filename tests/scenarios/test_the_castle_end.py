"""The end of The Castle and its final scoring (TC-69 … TC-91): wall tiles 4 to 9, keeps, empty areas and courts.

Two players lay tiles within a castle wall, on whose squares the score track runs. Cells are named by labels such as
``E2``, tiles by ids such as ``D20``; ``"D20 E2 180"`` is a tile, its cell and its rotation (see
``vocabulary_the_castle.py``).

Wall tiles, numbered from 1 to 9, are bonuses that lie on the corner towers of the wall; the player whose score marker
stops there takes one. A keep marks its player's largest house; merchants are the figures in courts. Codes such as TC-69
are rules of the rule digest; each test is named by the rule that it shows.
"""

from __future__ import annotations

import pytest

from engine.actions import Pass, Resign
from engine.events import Completed, Event, GameOver, Scored, Term
from engine.the_castle import (
    ExtraTurn,
    Position,
    WallTile,
    court_results,
    empty_areas,
    keep_result,
    new_setup,
    wall,
    wall_tile_results,
)
from engine.the_castle.events import KeepsCompared
from engine.the_castle.final import MARKET_POINTS
from engine.the_castle.scoring import POINTS
from tests.engine.built_castle_positions import arrange
from tests.scenarios.vocabulary import events_of
from tests.scenarios.vocabulary_the_castle import (
    BLACK,
    HOUSE_OF_FOUR,
    HOUSE_OF_ONE,
    HOUSE_OF_THREE,
    HOUSE_OF_TWO,
    PATH_AND_HOUSE,
    PATH_OF_TWO,
    TOWER_OF_THREE,
    WHITE,
    feature,
    fill_with_courts,
    final_scores,
    play_turn,
    row_of,
    scores,
    standing_figures,
    wall_tiles_taken,
)


def play_last_turn(**arrangement: object) -> tuple[Position, list[Event]]:
    """Have Black place the last tile, a court on J4 far from everything; return the position and the events."""
    position = arrange(hand="D03", pile=(), **arrangement)
    events = play_turn(position, "J4")
    assert position.is_over
    return position, events


# -- the end ----------------------------------------------------------------------------------------------------------


def test_TC_69_the_game_ends_after_the_turn_of_the_last_tile() -> None:
    position = arrange(hand="D03", pile=["D03"])
    play_turn(position, "J4")
    assert not position.is_over
    events = play_turn(position, "J3", deploy="court.NL")
    assert position.is_over
    assert isinstance(events[-1], GameOver)
    assert list(position.legal_actions) == []


def test_TC_69_features_completed_by_the_last_tile_are_scored() -> None:
    position = arrange(tiles=PATH_OF_TWO, figures=["0 E3 path.N"], hand="D29", pile=())
    assert scores(play_turn(position, "E2")) == [(BLACK, "path", 2)]
    assert position.is_over


def test_TC_70_nothing_is_taken_from_the_wall_in_the_final_scoring() -> None:
    position, events = play_last_turn(scores=(28, 0), hands=((9,), ()), wall_tiles={32: 4})
    assert position.scores[BLACK] == 33
    assert wall_tiles_taken(events) == []
    assert position.corners == ()


def test_TC_71_unfinished_features_are_worth_nothing() -> None:
    _, events = play_last_turn(tiles=[*row_of("D01", count=6), "D29 D11"], figures=["0 D9 tower.NL", "1 D11 path.N"])
    assert final_scores(events) == []


def test_TC_72_order_of_the_final_scoring() -> None:
    _, events = play_last_turn(
        tiles=[*row_of("D01", count=4), "D03 D13", "D22 C13"],
        figures=["0 D9 tower.NL", "0 D13 court.NL"],
        keeps=["0 C13 house.SR"],
        hands=((5, 7, 9), ()),
    )
    assert [kind for _, kind, _ in final_scores(events)] == ["keep", "court", "wall_tile_5", "wall_tile_9"]
    assert isinstance(events[-1], GameOver)


# -- wall tiles 4 to 6, and 9 -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("hands", [(4,), (4, 4)])
def test_TC_73_tile_4_scores_an_incomplete_path(hands: tuple[int, ...]) -> None:
    """A fountain path of 5 tiles, by the original rules."""
    _, events = play_last_turn(
        tiles=["D28 D9 90", *row_of("D29", count=5, rotation=90)[1:]], figures=["0 D9 path.E"], hands=(hands, ())
    )
    assert final_scores(events) == [(BLACK, "wall_tile_4", 5 * len(hands))]


def test_TC_74_tile_5_scores_an_incomplete_tower() -> None:
    _, events = play_last_turn(tiles=row_of("D01", count=4), figures=["0 D9 tower.NL"], hands=((5,), ()))
    assert final_scores(events) == [(BLACK, "wall_tile_5", 8)]


def test_TC_75_tile_6_scores_an_incomplete_house() -> None:
    _, events = play_last_turn(tiles=row_of("D02", count=5), figures=["1 D9 house.NL"], hands=((), (6,)))
    assert final_scores(events) == [(WHITE, "wall_tile_6", 5)]


@pytest.mark.parametrize(
    ("kind", "tile", "segment"), [(4, "D29", "path.N"), (5, "D01", "tower.NL"), (6, "D02", "house.NL")]
)
def test_TC_73_tiles_4_to_6_score_no_feature_of_another_kind(kind: int, tile: str, segment: str) -> None:
    others = {4: "D01 E6", 5: "D02 E6", 6: "D29 E6"}
    _, events = play_last_turn(tiles=[f"{tile} G8", others[kind]], figures=[f"1 G8 {segment}"], hands=((kind,), ()))
    assert final_scores(events) == []


def test_TC_76_two_equal_tiles_score_the_same_feature_twice() -> None:
    _, events = play_last_turn(
        tiles=[*row_of("D01", count=4), "D01 D12"], figures=["0 D9 tower.NL", "0 D12 tower.NL"], hands=((5, 5), ())
    )
    assert final_scores(events) == [(BLACK, "wall_tile_5", 16)]
    (score,) = events_of(Scored, events)
    assert score.terms == (Term("tiles", 4, 8), Term("again", 1, 8))


@pytest.mark.parametrize(("sevens", "points"), [((), 15), ((7,), 20), ((7, 7), 40)])
def test_TC_77_and_TC_78_tile_7_raises_a_court(sevens: tuple[int, ...], points: int) -> None:
    _, events = play_last_turn(tiles=row_of("D03", count=5), figures=["0 D9 court.NL"], hands=(sevens, ()))
    assert final_scores(events) == [(BLACK, "court", points)]


def test_TC_77_only_one_court_is_raised() -> None:
    _, events = play_last_turn(
        tiles=["D03 D9", "D03 E9", "D03 D13"], figures=["0 D9 court.NL", "0 D13 court.NL"], hands=((7,), ())
    )
    assert sorted(final_scores(events)) == [(BLACK, "court", 3), (BLACK, "court", 8)]


def test_TC_78_two_tiles_7_raise_one_court() -> None:
    _, events = play_last_turn(tiles=row_of("D03", count=5), figures=["0 D9 court.NL"], hands=((7, 7), ()))
    (score,) = events_of(Scored, events)
    assert score.terms == (Term("markets", 5, 15), Term("raised", 2, 25))


TWO_KEEPS = [*HOUSE_OF_THREE, "D10 F2", *HOUSE_OF_FOUR, "D22 G9 90"]
"""Complete houses of 3 and of 4 tiles."""
KEEPS_ON_THEM = ["0 E2 house.NR", "1 F8 house.ER"]


@pytest.mark.parametrize(
    ("black", "white", "player"), [((), (), WHITE), ((8,), (), BLACK), ((8,), (8,), WHITE), ((8, 8), (8,), BLACK)]
)
def test_TC_79_tile_8_enlarges_the_keep(black: tuple[int, ...], white: tuple[int, ...], player: int) -> None:
    """Keeps on houses of 3 and 4 tiles."""
    _, events = play_last_turn(tiles=TWO_KEEPS, keeps=KEEPS_ON_THEM, hands=(black, white))
    (compared,) = events_of(KeepsCompared, events)
    assert compared.sizes == (3, 4)
    assert compared.counted == (3 + 2 * len(black), 4 + 2 * len(white))
    assert compared.player == player
    assert [seat for seat, kind, _ in final_scores(events) if kind == "keep"] == [player]


@pytest.mark.parametrize("count", [1, 2])
def test_TC_80_tile_9_gives_five_points(count: int) -> None:
    position, events = play_last_turn(hands=((), (9,) * count))
    assert final_scores(events) == [(WHITE, "wall_tile_9", 5 * count)]
    assert position.scores == [0, 5 * count]


# -- the keep ---------------------------------------------------------------------------------------------------------


def test_TC_81_the_largest_keep_scores() -> None:
    position, events = play_last_turn(tiles=TWO_KEEPS, keeps=KEEPS_ON_THEM)
    ((player, kind, points),) = final_scores(events)
    assert (player, kind) == (WHITE, "keep")
    assert points == 76 - len(list(position.placed()))


def test_TC_81_a_tie_of_keeps_gives_no_points() -> None:
    houses = [*HOUSE_OF_TWO, "D22 F2 90", "D22 C13 270", "D22 D13 0"]
    _, events = play_last_turn(tiles=houses, keeps=["0 E2 house.NR", "1 C13 house.ER"])
    assert final_scores(events) == []
    assert events_of(KeepsCompared, events) == [KeepsCompared((2, 2), (2, 2), -1)]


ELEVEN_CELLS = ["E6", "F6", "G6", "H6", "I6", "E8", "F8", "G8", "E7", "F7", "G7"]
"""Eleven connected cells; the start space D7 faces one of them."""


def play_last_turn_with_gaps(*gaps: str, **args: object) -> tuple[Position, list[Event]]:
    """Play the last turn in a castle full of courts except for these gaps, with Black's keep on a house of one tile."""
    tiles = fill_with_courts(except_for=["C13", "J4", *gaps])
    return play_last_turn(tiles=[*tiles, "D22 C13"], keeps=["0 C13 house.SR"], **args)


def test_TC_82_the_largest_keep_scores_the_largest_empty_area() -> None:
    position, events = play_last_turn_with_gaps(*ELEVEN_CELLS, "C9", "C10", "I12")
    assert [area.size for area in empty_areas(position)] == [11, 2, 1]
    assert final_scores(events) == [(BLACK, "keep", 11)]
    (score,) = events_of(Scored, events)
    assert score.terms == (Term("spaces", 11, 11),)
    assert {cell.label for cell in score.cells} == set(ELEVEN_CELLS)


def test_TC_82_a_full_castle_is_worth_nothing() -> None:
    position, events = play_last_turn_with_gaps()
    assert empty_areas(position) == []
    assert final_scores(events) == []


def test_TC_83_at_least_sixteen_cells_stay_empty() -> None:
    assert len(wall().interior) - len(new_setup(seed="x").pile) == 16
    position = Position(new_setup(seed="x"))
    assert sum(area.size for area in empty_areas(position)) == 76


# -- courts -----------------------------------------------------------------------------------------------------------


def test_TC_85_a_path_splits_a_court() -> None:
    position, events = play_last_turn(tiles=["D03 F8", "D28 G8", "D03 H8"], figures=["0 F8 court.NL", "1 H8 court.NL"])
    assert feature(position, "F8", "court.NL") != feature(position, "H8", "court.NL")
    assert sorted(final_scores(events)) == [(BLACK, "court", 3), (WHITE, "court", 3)]


def test_TC_85_several_courts_on_one_tile() -> None:
    position = arrange(tiles=["D47 G8"])
    assert feature(position, "G8", "court.NL") != feature(position, "G8", "court.ER")


def test_TC_85_a_court_is_scored_as_it_is_bounded_at_the_end() -> None:
    """Score a court that has no tile around it."""
    _, events = play_last_turn(tiles=["D03 G8"], figures=["0 G8 court.NL"])
    assert final_scores(events) == [(BLACK, "court", 3)]


@pytest.mark.parametrize(
    ("merchants", "expected"),
    [
        (["0 D9", "0 H9", "1 F9"], [(BLACK, "court", 15)]),
        (["0 D9", "1 F9"], []),
        (["1 D9"], [(WHITE, "court", 15)]),
        ([], []),
    ],
)
def test_TC_86_three_points_a_market_for_most_merchants(
    merchants: list[str], expected: list[tuple[int, str, int]]
) -> None:
    _, events = play_last_turn(tiles=row_of("D03", count=5), figures=[f"{merchant} court.NL" for merchant in merchants])
    assert final_scores(events) == expected


def test_TC_86_a_court_without_a_market_is_worth_nothing() -> None:
    position, events = play_last_turn(tiles=["D20 G8"], figures=["0 G8 court.NL"])
    assert final_scores(events) == []
    assert court_results(position) == []


def test_TC_87_the_market_of_a_start_space_counts() -> None:
    _, events = play_last_turn(tiles=["D03 E2", "D03 F2", "D03 G2", "D03 E3"], figures=["0 E2 court.NL"])
    assert final_scores(events) == [(BLACK, "court", 15)]


# -- who has won ------------------------------------------------------------------------------------------------------


def test_TC_88_most_points_win() -> None:
    position, _ = play_last_turn(scores=(79, 80))
    assert position.winners() == (WHITE,)
    assert position.ranking() == ((WHITE,), (BLACK,))


def test_TC_88_a_tie_is_shared() -> None:
    position, _ = play_last_turn(scores=(80, 80))
    assert position.winners() == (BLACK, WHITE)


def test_TC_89_points() -> None:
    assert POINTS == {"path": 1, "tower": 2, "house": 1}
    assert MARKET_POINTS == 3


def test_TC_90_figures_give_no_points() -> None:
    """Neither figures in the supply nor those on incomplete features count."""
    position, events = play_last_turn()
    assert position.supply["follower"] == [6, 6]
    assert final_scores(events) == []
    assert position.scores == [0, 0]

    unfinished = [*PATH_OF_TWO, "D01 E7", "D02 G9"]
    standing = ["0 E3 path.N", "1 E7 tower.NL", "0 G9 house.NL"]
    position, events = play_last_turn(tiles=unfinished, figures=standing)
    assert position.supply["follower"] == [4, 5]
    assert standing_figures(position) == {(BLACK, "E3", "path.N"), (WHITE, "E7", "tower.NL"), (BLACK, "G9", "house.NL")}
    assert final_scores(events) == []
    assert position.scores == [0, 0]


# -- readings ---------------------------------------------------------------------------------------------------------


def test_TC_91_a_start_space_counts_for_the_keep() -> None:
    position = arrange(tiles=["D03 J3"], hand="D10")
    play_turn(position, "J4", 90, deploy="house.NR")
    keep = position.keeps[BLACK]
    assert keep is not None
    assert keep.size == 2


def test_TC_91_a_start_space_counts_for_tiles_4_to_6() -> None:
    position, _ = play_last_turn(tiles=["D01 E7"], figures=["0 E7 tower.NL"], hands=((5,), ()))
    assert [result.points for result in wall_tile_results(position)] == [4]


def test_TC_91_a_tied_house_gets_no_keep() -> None:
    position = arrange(tiles=HOUSE_OF_THREE, figures=["0 E2 house.NR", "1 G2 house.NL"], hand="D10")
    play_turn(position, "F2")
    assert position.keeps == [None, None]


def test_TC_91_without_a_keep_tile_8_does_nothing() -> None:
    position, events = play_last_turn(hands=((8, 8), ()))
    assert keep_result(position).counted == (0, 0)
    assert final_scores(events) == []


def test_TC_91_two_tiles_8_add_four() -> None:
    position, _ = play_last_turn(tiles=TWO_KEEPS, keeps=KEEPS_ON_THEM, hands=((8, 8), ()))
    assert keep_result(position).counted == (7, 4)


def test_TC_91_without_keeps_no_player_scores_the_empty_area() -> None:
    position, events = play_last_turn()
    assert keep_result(position).player == -1
    assert final_scores(events) == []


def test_TC_91_a_tied_feature_has_no_place_in_the_order() -> None:
    """Black's path is scored without a decision on the order, though a tied house is completed, too."""
    position = arrange(tiles=PATH_AND_HOUSE, figures=["0 D12 path.S", "0 C12 house.ER", "1 C13 house.NR"], hand="D34")
    events = play_turn(position, "D13")
    assert [event.kind for event in events_of(Completed, events)] == ["path", "tower", "house"]
    assert scores(events) == [(BLACK, "path", 2)]
    assert position.player == WHITE


def test_TC_91_tile_1_cannot_be_played_with_an_empty_pile() -> None:
    position = arrange(hand="D03", hands=((1,), ()), pile=())
    play_turn(position, "J4")
    assert position.is_over
    position = arrange(hand="D03", hands=((1,), ()), pile=["D03"])
    play_turn(position, "J4")
    assert isinstance(position.step, ExtraTurn)


def test_TC_91_a_tile_won_in_the_opponents_turn_is_usable_from_the_own_next_turn() -> None:
    position = arrange(
        tiles=[*TOWER_OF_THREE, "D20 F8 270", "D20 G8 0", "D20 F9 180"],
        figures=["1 E2 tower.NR", "1 F8 tower.ER"],
        hand="D07",
        pile=["D20", "D03"],
        scores=(0, 26),
        wall_tiles={32: 2},
    )
    assert wall_tiles_taken(play_turn(position, "F2")) == [(WHITE, 2, 32)]
    play_turn(position, "G9", 90)
    assert position.player == WHITE
    assert len(position.legal_actions) == 2


def test_TC_91_the_turn_passes_when_no_tile_fits() -> None:
    blocked = [f"D03 {start.inside.label}" for start in wall().starts]
    position = arrange(tiles=blocked, hand="D03", hands=((1,), ()), pile=["D48"])
    play_turn(position, "E8")
    position.apply(Pass())
    assert position.is_over


def test_resigning_ends_the_game_after_the_placement_in_progress() -> None:
    position = arrange(tiles=PATH_OF_TWO, figures=["0 E3 path.N"], hand="D29", hands=((), (9,)))
    position.apply(next(action for action in position.legal_actions if str(action) == "E2/0"))
    events = position.apply(Resign(WHITE))
    assert scores(events) == [(BLACK, "path", 2), (WHITE, "wall_tile_9", 5)]
    assert position.is_over
    assert position.winners() == (BLACK,)


def test_a_house_of_one_tile_takes_the_keep() -> None:
    position = arrange(tiles=HOUSE_OF_ONE, hand="D22", pile=(), hands=((8,), ()))
    events = play_turn(position, "C13", deploy="house.SR")
    assert keep_result(position).counted == (3, 0)
    assert [kind for _, kind, _ in final_scores(events)] == ["keep"]
    assert WallTile.LARGER_KEEP in position.hands[BLACK]
