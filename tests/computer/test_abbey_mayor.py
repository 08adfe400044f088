"""The computer's terms of *Abbey & Mayor*: abbeys, mayors, wagons and barns."""

from __future__ import annotations

import pytest

from computer import Level, Player
from computer.carcassonne.evaluator import Evaluator
from computer.weights import TUNED, read_weights
from engine import parse_action
from engine.actions import Action, Deploy, Pass
from engine.carcassonne import PlaceTile, Position
from engine.carcassonne.expansions import ABBEY_MAYOR
from engine.carcassonne.expansions.abbey_mayor import BARN, DecideAbbey, DecideWagon, MoveWagon, PutBarn, UseAbbey
from gallery.built_positions import arrange
from tests.computer.positions import random_positions
from tests.scenarios.vocabulary import place_tile

WEIGHTS = read_weights(TUNED, "carcassonne")
"""The weights with which the computer plays."""
QUICK = Player(Level.QUICK)
"""The player of the tests."""
AROUND_POINT = ["base/B 0,0", "base/B 1,0", "base/B 1,1"]
"""Three of the four tiles around a point; the fourth one is laid at M14."""


def table(*actions: str, **changes: object) -> Position:
    """Return a position of two players with the box, after these actions."""
    position = arrange(
        **{  # type: ignore[arg-type]  # the arguments of arrange
            "players": 2,
            "pile": ["base/B", "base/U", "base/D"] * 6,
            "expansions": (ABBEY_MAYOR,),
            **changes,
        }
    )
    for action in actions:
        position.apply(parse_action(action))
    return position


def values(position: Position) -> dict[Action, float]:
    """Return the values of the candidates of a decision."""
    return {candidate.action: candidate.value for candidate in QUICK.candidates(position)}


# -- the mayor --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("middle", "is_strong"), [("base/G", False), ("base/F", True)])
def test_a_mayor_is_worth_something_where_there_are_pennants(middle: str, is_strong: bool) -> None:
    """AM-22, AM-23."""
    position = arrange(tiles=["base/E 0,0 90", f"{middle} 1,0"], hand="base/E", expansions=(ABBEY_MAYOR,))
    place_tile(position, "2,0", 270)
    found = values(position)
    mayor, follower = found[Deploy("city.W", "mayor")], found[Deploy("city.W")]
    assert (mayor >= follower) == is_strong


def test_a_mayor_is_not_spent_on_a_city_without_a_pennant() -> None:
    """AM-23: alone there, it gets no points."""
    found = values(table("N13/90", tiles=["base/B 0,0"], hand="base/E"))
    assert found[Deploy("city.E", "mayor")] < found[Pass()]


# -- the wagon --------------------------------------------------------------------------------------------------------


def scored_wagon(**changes: object) -> Position:
    """Return the position in which Ana's wagon leaves a road between two empty monasteries (AM-33)."""
    before = {"tiles": ["base/A 0,0"], "hand": "base/A", "followers": ["0 0,0 road.S wagon"], **changes}
    position = table("M14/180", "pass", **before)
    assert isinstance(position.step, DecideWagon)
    return position


def test_a_scored_wagon_moves_on_to_what_is_worth_most() -> None:
    """The monastery with more tiles around it is the better one."""
    position = scored_wagon(tiles=["base/A 0,0", "base/B -1,0", "base/B 1,0", "base/B 0,-1"])
    assert QUICK.decide(position).chosen.action == parse_action("wagon:M13.monastery")


def test_a_wagon_stays_where_its_owner_has_no_other_follower() -> None:
    """At home it is the last follower that could be deployed next."""
    position = scored_wagon(supply={"follower": [0, 7], "mayor": [0, 1]})
    assert QUICK.decide(position).chosen.action == Pass()


def test_places_of_a_wagon_on_one_feature_are_worth_the_same_and_valued_once() -> None:
    """A road of thirteen tiles has fourteen places."""
    around = [f"base/B {x},{y}" for x, y in ((-1, -1), (0, -1), (1, -1), (-1, 0), (-1, 1), (1, 1))]
    road = [f"base/U 0,{y} 90" for y in range(1, 13)]
    position = table("N13/0", "pass", tiles=["base/A 0,0", *road, *around], followers=["0 0,0 monastery wagon"])
    evaluator = Evaluator(position.veiled(), WEIGHTS)
    found = {entry.value for entry in evaluator.candidates() if isinstance(entry.action, MoveWagon)}
    assert len(found) == 1
    assert evaluator.evaluations < 5


def test_a_wagon_is_worth_more_where_its_feature_is_likely_to_be_completed() -> None:
    """The worth of moving on is credited with the chance of it; without any, the wagon is worth the less."""
    position = table("M14/90", tiles=["base/A 0,0"], hand="base/U", pile=["base/A"] * 20)
    without = Player(Level.QUICK, weights_by_game={"carcassonne": {**WEIGHTS, "wagon_on": 0.0}})
    worth = [
        next(entry.value for entry in player.candidates(position) if entry.action == Deploy("road.N", "wagon"))
        for player in (QUICK, without)
    ]
    assert 0 < worth[0] - worth[1] <= WEIGHTS["wagon_on"]


# -- the barn ---------------------------------------------------------------------------------------------------------


def barn(position: Position) -> tuple[float, float]:
    """Return the values of a barn at the north-east corner and of passing."""
    found = values(position)
    return found[PutBarn("NE")], found[Pass()]


def test_a_barn_sends_a_rival_s_farmers_home_with_their_points_and_own_ones_with_theirs() -> None:
    """AM-50, AM-52: it scores at once, and is worth more to the player whose farmers score."""
    cities = ["base/E 0,-1", "base/E 0,-2 180"]
    gains = []
    for seat in (0, 1):
        position = table("M14/0", tiles=[*AROUND_POINT, *cities], followers=[f"{seat} 1,0 field.NL"])
        with_barn, without = barn(position)
        candidate = next(entry for entry in QUICK.candidates(position) if entry.action == PutBarn("NE"))
        gains.append(with_barn - without)
        scored = candidate.parts["points"] - next(
            entry.parts.get("points", 0.0) for entry in QUICK.candidates(position) if entry.action == Pass()
        )
        assert scored == pytest.approx(3 if seat == 0 else -3)
    own, rival = gains
    assert own != rival


def test_a_barn_is_expected_to_score_more_than_a_farmer_who_may_lose_the_field() -> None:
    """AM-53, AM-58: 4 points for each city instead of 3, and no farmer can come any more."""
    cities = ["base/E 0,-1", "base/E 0,-2 180"]
    found = values(table("M14/0", tiles=[*AROUND_POINT, *cities]))
    assert found[PutBarn("NE")] > found[Deploy("field.NL")] > found[Pass()]


def test_a_placement_is_credited_with_the_barn_that_may_follow_it() -> None:
    cities = ["base/E 0,-1", "base/E 0,-2 180", "base/E 2,-1", "base/E 2,-2 180", "base/B 2,0"]
    with_barn, without = (
        next(entry for entry in QUICK.candidates(position) if str(entry.action) == "M14/0")
        for position in (
            table(tiles=[*AROUND_POINT, *cities], hand="base/B"),
            table(tiles=[*AROUND_POINT, *cities], hand="base/B", supply={BARN: [0, 1]}),
        )
    )
    assert with_barn.follow_up == PutBarn("NE")
    assert with_barn.value > without.value


def test_farmers_who_join_a_barn_score_once_and_go_home() -> None:
    """AM-54: nothing is left for them at the end, while the barn keeps its cities."""
    tiles = ["base/B 0,0", "base/B 1,0", "base/B 1,1", "base/B 0,1", "base/E 0,-1", "base/E 0,-2 180", "base/B 3,0"]
    position = table("O13/0", tiles=tiles, hand="base/B", followers=["1 1,1 field.NL barn", "0 3,0 field.NL"])
    passing = next(entry for entry in QUICK.candidates(position) if entry.action == Pass())
    assert passing.parts["points"] == pytest.approx(1)
    assert passing.parts["figures"] > 0


# -- the abbey --------------------------------------------------------------------------------------------------------

GAP = ["base/B 0,0", "base/B 2,0", "base/B 1,-1", "base/B 1,1"]
"""Tiles around a gap at N13."""


def before_draw(**changes: object) -> Position:
    """Return the position in which Ben may lay his abbey instead of drawing."""
    position = table("M12/0", "pass", tiles=GAP, hand="base/B", **changes)
    assert isinstance(position.step, DecideAbbey)
    return position


def test_an_abbey_is_laid_after_the_last_tile() -> None:
    """AM-19: nothing can be drawn instead, and a monk scores what lies around."""
    assert QUICK.decide(before_draw(pile=[])).chosen.action == UseAbbey()


def test_an_abbey_is_kept_while_it_would_bring_little() -> None:
    assert QUICK.decide(before_draw()).chosen.action == Pass()


def test_an_abbey_closes_the_gap_of_a_great_city() -> None:
    """AM-08: the city of three tiles is completed, which no tile of the pile can do."""
    city = ["base/R 1,1", "base/E 0,1 90", "base/E 2,1 270", "base/B 0,0", "base/B 2,0", "base/B 1,-1"]
    position = table("M12/0", "pass", tiles=city, hand="base/B", followers=["1 1,1 city.N"])
    assert isinstance(position.step, DecideAbbey)
    assert QUICK.decide(position).chosen.action == UseAbbey()


# -- as a whole -------------------------------------------------------------------------------------------------------


def test_figures_and_barns_that_are_expected_to_follow_a_placement_are_legal() -> None:
    seen = 0
    for position in random_positions("carcassonne", 2, (ABBEY_MAYOR, "traders-builders"), "", seed=5):
        if not isinstance(position.step, PlaceTile) or position.ply % 4:
            continue
        assert isinstance(position, Position)
        for candidate in Evaluator(position.veiled(), WEIGHTS).candidates():
            if isinstance(candidate.follow_up, PutBarn):
                after = position.copy()
                after.play(candidate.action)
                assert candidate.follow_up in after.legal_actions
                seen += 1
    assert seen
