"""Plans of a turn in the composer: text form, spots, rotations, legality.

A plan is what a button's id contains: "p0" is the first page of spots, "M12/90~M13WE @road.W" a tile on M12 rotated
by 90 degrees, with a bridge on M13 from west to east and a follower on the road. Spots that need a bridge ("aided")
are offered separately.
"""

from random import Random

import pytest

from cogs.games.carcassonne.presenter import TURN
from cogs.presenting.turn import Plan, orientations, placements, position_with, spots
from engine import Action, Deploy, IllegalActionError, NotationError, Pass, Place
from engine.carcassonne import Decline, DeployFollower, Options, PlaceTile, Position, new_setup
from gallery.built_positions import arrange
from tests.cogs.positions import position_with_many_spots, random_game


@pytest.mark.parametrize(
    "text",
    [
        "p0",
        "p2b",
        "M12",
        "-A-3",
        "M12/0",
        "M12/90~M13WE",
        "M12/90 ~M13WE @road.W",
        "M12/0 pass",
        "M12/0 @monastery",
        "decline",
    ],
)
def test_a_plan_survives_its_text_form(text: str) -> None:
    assert str(Plan.parse(text)) == text


@pytest.mark.parametrize(
    "text",
    [
        "",
        "p",
        "p0c",
        "pass",
        "@road.W",
        "M12/0 M12/0",
        "M12/0 @road.W @road.W",
        "M12/0 resign:1",
        "M12/0 pass skip",
        "bid:3",
        "M12/45",
        "ZZ999",
        "M12 pass",
        "p1 M12/0",
        "decline pass",
    ],
)
def test_an_invalid_plan_is_refused(text: str) -> None:
    with pytest.raises(NotationError):
        Plan.parse(text)


@pytest.mark.parametrize("seed", range(3))
def test_placements_of_the_same_look_are_offered_once(seed: int) -> None:
    for position, _, _ in random_game(3, seed):
        if not isinstance(position.step, PlaceTile):
            continue
        offered = [*placements(position, aided=False), *placements(position, aided=True)]
        legal = [action for action in position.legal_actions if isinstance(action, Place)]
        assert len(set(offered)) == len(offered)
        assert set(offered) <= set(legal)
        assert {place.cell for place in offered} == {place.cell for place in legal}
        distinct_looks = {
            (place.cell, frozenset(position.step.tile.faces[place.rotation // 90].segments)) for place in legal
        }
        assert len(distinct_looks) == len({(place.cell, place.rotation) for place in offered})


def test_spots_are_ordered_from_top_left_to_bottom_right() -> None:
    cells = spots(placements(position_with_many_spots(), aided=False))
    assert cells == sorted(cells, key=lambda cell: (cell.y, cell.x))
    assert len(cells) > 70


def test_rotation_cycles_through_the_legal_orientations() -> None:
    position = arrange(players=2, tiles=["base/D 0,0 0"], player=0, hand="base/U", pile=["base/V"] * 5)
    places = placements(position, aided=False)
    for cell in spots(places):
        assert orientations(places, cell) == sorted(orientations(places, cell), key=lambda place: place.rotation)
        assert {place.cell for place in orientations(places, cell)} == {cell}


@pytest.mark.parametrize("timing", ["after_tile", "any_time"])
@pytest.mark.parametrize("seed", range(2))
def test_every_complete_plan_is_a_legal_turn(seed: int, timing: str) -> None:
    rng = Random(seed)
    position = Position(new_setup(players=2, seed=str(seed), options=Options(bridge_timing=timing)))  # type: ignore[arg-type]
    while position.step is not None:
        if not isinstance(position.step, PlaceTile):
            position.apply(rng.choice(position.legal_actions))
            continue
        aided = bool(placements(position, aided=True)) and rng.random() < 0.3
        places = placements(position, aided=aided) or placements(position, aided=not aided)
        plan = Plan(place=rng.choice(places))
        assert plan.place is not None
        bridges: list[Action | None] = [None, *TURN.buildable(position_with(position, plan.place))]
        plan = Plan(place=plan.place, built=rng.choice(bridges))
        choices: list[Deploy | Pass] = [Pass(), *TURN.deployments(position, plan)]
        complete_plan = Plan.parse(str(Plan(place=plan.place, built=plan.built, figure=rng.choice(choices))))
        actions = TURN.complete(position, complete_plan)
        assert actions
        mover = position.player
        for action in actions:
            assert position.player == mover
            position.apply(action)
        assert not isinstance(position.step, DeployFollower)


@pytest.mark.parametrize("text", ["M12/0 pass ~M12WE", "M12/0 castle", "M12/0 fairy:M13.road.W", "M12/0 pass pass"])
def test_actions_out_of_order_are_refused(text: str) -> None:
    position = arrange(players=2, tiles=["base/D 0,0 0"], hand="base/U", pile=["base/V"] * 5)
    with pytest.raises(IllegalActionError):
        TURN.outcome(position, Plan.parse(text), {})


def test_an_impossible_plan_is_refused() -> None:
    position = Position(new_setup(players=2, seed="1"))
    assert TURN.complete(position, Plan.parse("Z30/0 pass")) == ()
    assert Decline() not in position.legal_actions
