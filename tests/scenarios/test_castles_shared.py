"""Towns shared by several players (CA-61 … CA-67), and the tokens of their castles (HV-05, O-25).

With two caps a town has room for two followers at most; the scenarios put any number there (IX-31).

A town is a completed city of two tiles, which may become a castle. The lord of a castle is the follower in it. The fief
of a castle is the block of six cells around it; a structure that is completed there feeds the castle, which scores the
same points. A token is the piece that a player pays for a castle. In the texts that describe positions, ``"base/E 0,1
90"`` is tile E of the base game, with its cell and rotation. Codes such as CA-61 are rules of the rule digest; each
test is named by the rule that it shows.
"""

from __future__ import annotations

import pytest

from engine.actions import Resign
from engine.carcassonne import Position
from engine.carcassonne.expansions.bridges_castles_bazaars import (
    BuildCastle,
    CastleBuilt,
    ScoreTown,
    castles_of,
    tokens_on,
)
from engine.carcassonne.options import Options
from engine.carcassonne.steps import PlaceTile
from engine.events import Completed, Event, Returned, Scored, Term
from gallery.built_positions import arrange
from tests.scenarios.vocabulary import BLUE, GREEN, RED, YELLOW, cell, events_of, feature, play_turn, points
from tests.scenarios.vocabulary_castles import (
    SOUTH_CAP,
    castle,
    castle_points,
    completed_structures,
    lords,
    pending_town,
    points_by_seat,
    unfinished_road,
)

SINGLE_TOKEN = {"castle_shared_token_display": "single"}
"""The option with which a shared castle has one token."""
TOWN_CELLS = {cell("0,0"), cell("0,1")}
"""The cells of the town."""


def shared_town(*seats: int, player: int = GREEN, options: Options | None = None, **overrides: object) -> Position:
    """Complete a town with a follower of each of these seats."""
    position = arrange(
        players=4,
        tiles=[SOUTH_CAP, *unfinished_road(1, 0, 4)],
        followers=[f"{seat} 0,0 city.S" for seat in seats],
        player=player,
        hand="base/E",
        pile=["base/A", *["base/B"] * 9],
        options=options,
        **overrides,  # type: ignore[arg-type]
    )
    play_turn(position, "0,1", 0)
    return position


def answer_questions(position: Position, *builds: bool) -> list[Event]:
    """Decide about a town in turn: True builds the castle, False scores the town."""
    events: list[Event] = []
    for build in builds:
        events += position.apply(BuildCastle() if build else ScoreTown())
    return events


def test_CA_61_a_sole_majority_decides_and_only_its_followers_go_in() -> None:
    position = shared_town(RED, RED, BLUE)
    assert pending_town(position) == (RED, TOWN_CELLS)
    events = answer_questions(position, True)
    assert lords(position, "0,0") == [RED, RED]
    assert [event.player for event in events_of(Returned, events)] == [BLUE]
    assert points(events) == []
    assert isinstance(position.step, PlaceTile)


def test_CA_61_a_sole_majority_may_score_instead() -> None:
    assert points_by_seat(answer_questions(shared_town(RED, RED, BLUE), False)) == {RED: 4}


def test_CA_62_tied_players_who_all_score_each_get_the_points() -> None:
    position = shared_town(RED, BLUE)
    assert pending_town(position) == (RED, TOWN_CELLS)
    assert answer_questions(position, False) == []
    assert pending_town(position) == (BLUE, TOWN_CELLS)
    events = answer_questions(position, False)
    assert points_by_seat(events) == {RED: 4, BLUE: 4}
    assert completed_structures(events) == [("city", 4)]
    assert castles_of(position) == ()


@pytest.mark.parametrize(("active", "order"), [(GREEN, (RED, BLUE)), (BLUE, (BLUE, RED))])
def test_CA_28a_2_the_active_player_answers_first_then_clockwise(active: int, order: tuple[int, int]) -> None:
    position = shared_town(RED, BLUE, player=active)
    first, second = order
    assert pending_town(position) == (first, TOWN_CELLS)
    answer_questions(position, True)
    assert pending_town(position) == (second, TOWN_CELLS)


def test_CA_63_when_all_convert_they_share_a_castle_and_all_score_it() -> None:
    position = shared_town(RED, BLUE)
    events = answer_questions(position, True, True)
    assert sorted(event.player for event in events_of(CastleBuilt, events)) == [RED, BLUE]
    assert events_of(Returned, events) == []
    assert points(events) == []
    (built,) = castles_of(position)
    assert built.player == RED  # the first to decide
    assert sorted(follower.player for follower in built.followers) == [RED, BLUE]
    events = play_turn(position, "4,0", 90)
    assert sorted(castle_points(events)) == [(RED, 4), (BLUE, 4)]
    assert position.supply["follower"] == [7, 7, 7, 7]


def test_CA_63_the_first_builder_chooses_the_source_for_all_lords() -> None:
    """Three roads end at (1, 0), one of 3 tiles and two of 2."""
    position = arrange(
        players=4,
        tiles=[SOUTH_CAP, "base/A 1,-2 0", "base/U 1,-1 90", "base/A 2,0 90", "base/A 1,1 180"],
        followers=["0 0,0 city.S", "1 0,0 city.S"],
        player=BLUE,
        hand="base/E",
        pile=["base/W", *["base/B"] * 9],
    )
    play_turn(position, "0,1", 0)
    answer_questions(position, True, True)
    play_turn(position, "1,0", 270)
    assert position.player == BLUE, "whose tile closed the town"
    choice = next(action for action in position.legal_actions if str(action) == "take:N13.road.N")
    assert sorted(castle_points(position.apply(choice))) == [(RED, 3), (BLUE, 3)]
    assert isinstance(position.step, PlaceTile), "no other player is asked"


def test_CA_63_followers_of_players_in_the_minority_return() -> None:
    position = shared_town(RED, RED, BLUE, BLUE, GREEN)
    events = answer_questions(position, True, True)
    assert [event.player for event in events_of(Returned, events)] == [GREEN]
    assert sorted(lords(position, "0,0")) == [RED, RED, BLUE, BLUE]


def test_CA_64_a_player_scores_without_counting_the_builders() -> None:
    position = shared_town(RED, RED, BLUE, BLUE, GREEN, player=YELLOW)
    events = answer_questions(position, True, False)
    assert events_of(Scored, events) == [
        Scored(BLUE, 4, "city", (Term("tiles", 2, 4),), (cell("0,0"), cell("0,1")), final=False)
    ]
    assert sorted(event.player for event in events_of(Returned, events)) == [BLUE, BLUE, GREEN]
    assert lords(position, "0,0") == [RED, RED]
    assert position.supply["follower"] == [5, 7, 7, 7]
    assert feature(position, "0,0", "city.S").followers == ()


def test_CA_64_of_three_tied_players_two_may_score() -> None:
    position = shared_town(RED, BLUE, GREEN, player=YELLOW)
    assert points_by_seat(answer_questions(position, False, True, False)) == {RED: 4, GREEN: 4}
    assert lords(position, "0,0") == [BLUE]
    assert position.supply["castle"] == [3, 2, 3, 3]


def test_CA_64_two_may_build_while_the_third_scores() -> None:
    position = shared_town(RED, BLUE, GREEN, player=YELLOW)
    assert points_by_seat(answer_questions(position, True, False, True)) == {BLUE: 4}
    assert sorted(lords(position, "0,0")) == [RED, GREEN]
    assert sorted(castle_points(play_turn(position, "4,0", 90))) == [(RED, 4), (GREEN, 4)]


def test_CA_64_no_points_before_all_have_decided() -> None:
    position = shared_town(RED, BLUE)
    assert points(answer_questions(position, True)) == []


def test_CA_28a_2_a_town_that_some_score_and_others_convert_feeds_no_castle() -> None:
    position = arrange(
        players=4,
        tiles=[SOUTH_CAP, "base/E -1,0 180", "base/E -1,1 0"],
        castles=["3 -1,0 -1,1"],
        followers=["0 0,0 city.S", "1 0,0 city.S"],
        player=GREEN,
        hand="base/E",
    )
    play_turn(position, "0,1", 0)
    events = answer_questions(position, True, False)
    assert points_by_seat(events) == {BLUE: 4}
    assert events_of(Completed, events) == []
    assert lords(position, "-1,0") == [YELLOW]


def test_CA_66_each_builder_pays_a_token() -> None:
    position = shared_town(RED, BLUE)
    answer_questions(position, True, True)
    assert position.supply["castle"] == [2, 2, 3, 3]


def test_CA_66_the_tokens_may_be_stacked() -> None:
    position = shared_town(RED, BLUE)
    answer_questions(position, True, True)
    assert tokens_on(position, castle(position, "0,0")) == (2, 0)


def test_HV_05_with_single_display_one_token_is_placed_and_the_others_leave_the_game() -> None:
    position = shared_town(RED, BLUE, options=Options.of(SINGLE_TOKEN))
    answer_questions(position, True, True)
    assert tokens_on(position, castle(position, "0,0")) == (1, 1)
    assert position.supply["castle"] == [2, 2, 3, 3]


@pytest.mark.parametrize("token_display", ["stack", "single"])
def test_HV_05_a_castle_of_one_player_has_one_token(token_display: str) -> None:
    position = shared_town(RED, options=Options.of({"castle_shared_token_display": token_display}))
    answer_questions(position, True)
    assert tokens_on(position, castle(position, "0,0")) == (1, 0)


def test_HV_05_a_castle_that_one_of_the_tied_players_built_has_one_token() -> None:
    position = shared_town(RED, BLUE)
    answer_questions(position, True, False)
    assert tokens_on(position, castle(position, "0,0")) == (1, 0)


def test_HV_05_the_tokens_stay_when_the_castle_has_scored() -> None:
    position = shared_town(RED, BLUE)
    answer_questions(position, True, True)
    play_turn(position, "4,0", 90)
    assert castle(position, "0,0").scored
    assert tokens_on(position, castle(position, "0,0")) == (2, 0)


def test_CA_67_without_a_token_a_tied_player_can_only_score() -> None:
    position = shared_town(RED, BLUE, supply={"castle": [0, 2, 3, 3]})
    assert pending_town(position) == (BLUE, TOWN_CELLS)
    assert points_by_seat(answer_questions(position, True)) == {RED: 4}
    assert lords(position, "0,0") == [BLUE]
    assert position.supply["castle"] == [0, 1, 3, 3]


def test_CA_67_without_any_token_no_player_is_asked() -> None:
    position = shared_town(RED, BLUE, supply={"castle": [0, 0, 3, 3]})
    assert isinstance(position.step, PlaceTile)
    assert position.scores == [4, 4, 0, 0]


def test_CA_08_by_the_later_edition_only_the_placing_player_may_convert_their_share() -> None:
    options = Options(castle_conversion_trigger="own_tile_only")
    position = shared_town(RED, BLUE, player=BLUE, options=options)
    assert pending_town(position) == (BLUE, TOWN_CELLS)
    assert points_by_seat(answer_questions(position, True)) == {RED: 4}
    assert lords(position, "0,0") == [BLUE]


def test_CA_08_no_owner_is_asked_about_another_players_tile() -> None:
    position = shared_town(RED, BLUE, options=Options(castle_conversion_trigger="own_tile_only"))
    assert isinstance(position.step, PlaceTile)
    assert position.scores == [4, 4, 0, 0]


def test_CA_64_the_option_order_first_changes_nothing() -> None:
    position = shared_town(RED, BLUE, options=Options(castle_simultaneous_choice="order_first"))
    assert points_by_seat(answer_questions(position, True, False)) == {BLUE: 4}
    assert lords(position, "0,0") == [RED]


def test_CA_64_a_player_who_resigns_while_asked_scores() -> None:
    position = shared_town(RED, BLUE)
    answer_questions(position, True)
    assert points_by_seat(position.apply(Resign(BLUE))) == {BLUE: 4}
    assert lords(position, "0,0") == [RED]
