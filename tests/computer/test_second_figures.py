"""The computer's terms of *The Phantom*, *The Abbot*, *The River II* and *Games Quarterly 11*.

A phantom may follow another figure on the same tile, an abbot may be taken home, and a herd of pigs raises its field.
"""

from __future__ import annotations

import pytest

from computer.carcassonne.evaluator import SECOND_FIGURE, Evaluator
from computer.carcassonne.survey import Survey
from computer.players import Level, Player
from computer.weights import TUNED, read_weights
from engine import parse_action
from engine.actions import Action, Deploy, Pass, Place, Seat
from engine.carcassonne import Options, Position
from engine.carcassonne.expansions.abbot import ABBOT, TakeAbbotHome
from engine.carcassonne.expansions.phantom import NAME as PHANTOM
from engine.carcassonne.expansions.phantom import DeployPhantom, PutPhantom
from engine.geometry import Cell
from gallery.built_positions import arrange

WEIGHTS = read_weights(TUNED, "carcassonne")
"""The weights with which the computer plays."""
QUICK = Player(Level.QUICK)
"""The player of the tests."""


def values(position: Position) -> dict[Action, float]:
    """Return the values of the candidates of a decision."""
    return {candidate.action: candidate.value for candidate in QUICK.candidates(position)}


# -- the phantom ------------------------------------------------------------------------------------------------------


def two_completions(**changes: object) -> Position:
    """Return a position in which the tile completes an empty road and an empty city at once, on N13."""
    return arrange(
        **{  # type: ignore[arg-type]  # the arguments of arrange
            "players": 2,
            "tiles": ["base/A 0,0 270", "base/A 2,0 90", "base/E 1,-1 180"],
            "hand": "base/D",
            "expansions": (PHANTOM,),
            **changes,
        }
    )


def test_a_tile_with_room_for_two_figures_is_worth_more() -> None:
    """PH-15: the city brings 4 points and the road 3, and both figures come home; the order makes no difference."""
    with_phantom, without = (
        next(entry for entry in QUICK.candidates(position) if str(entry.action) == "N13/0")
        for position in (two_completions(), two_completions(supply={PHANTOM: [0, 1]}))
    )
    assert SECOND_FIGURE in with_phantom.parts
    assert SECOND_FIGURE not in without.parts
    assert with_phantom.value == pytest.approx(without.value + 3, abs=0.5)


def test_both_figures_are_put_down() -> None:
    position = two_completions()
    actions = []
    while not position.scores[0]:
        actions.append(QUICK.decide(position).chosen.action)
        position.apply(actions[-1])
    assert [type(action) for action in actions] == [Place, Deploy, PutPhantom]
    assert position.scores == [7, 0]


def test_the_phantom_is_kept_where_nothing_is_to_be_gained() -> None:
    """The phantom is the last follower, which is worth more than the road, the only feature that is left."""
    position = two_completions(
        tiles=["base/D 0,0"],
        hand="base/D",
        pile=["base/U"] * 40,
        supply={"follower": [1, 7]},
        options=Options(farmers=False),
    )
    for text in ("N13/0", "@city.N"):
        position.apply(parse_action(text))
    assert isinstance(position.step, DeployPhantom)
    assert {*values(position)} == {Pass(), PutPhantom("road.E")}
    assert QUICK.decide(position).chosen.action == Pass()


def test_two_figures_that_leave_together_cost_more_than_each_alone() -> None:
    position = two_completions(supply={"follower": [1, 7]})
    survey = Survey(position, WEIGHTS)
    assert survey.pair_cost(Seat(0), "follower", PHANTOM) > survey.pair_cost(Seat(1), "follower", PHANTOM) >= 0


# -- the abbot --------------------------------------------------------------------------------------------------------


def at_a_garden(around: int, **changes: object) -> Position:
    """Return a position in which the first player, whose abbot stands in a garden on M13, has laid a tile.

    ``around`` are the tiles that lay around it before; with six or more of them this one lies farther away.
    """
    cells = ["-1,-1", "0,-1", "1,-1", "1,0", "1,1", "0,1", "-1,1"][:around]
    position = arrange(
        **{  # type: ignore[arg-type]  # the arguments of arrange
            "players": 2,
            "tiles": ["base/E+garden 0,0", *(f"base/B {cell}" for cell in cells)],
            "followers": ["0 0,0 garden abbot"],
            "hand": "base/B",
            "expansions": (ABBOT,),
            **changes,
        }
    )
    position.apply(parse_action("M15/0" if around > 5 else "N13/0"))
    return position


def test_an_abbot_at_home_has_a_price_that_falls_at_the_end() -> None:
    early, late = (Survey(at_a_garden(7, pile=["base/V"] * count), WEIGHTS) for count in (40, 2))
    assert early.price(ABBOT, Seat(0)) == pytest.approx(WEIGHTS["abbot"])
    assert late.price(ABBOT, Seat(0)) < early.price(ABBOT, Seat(0))


def test_an_abbot_whose_garden_will_not_be_completed_is_taken_home() -> None:
    """No tile that is left fits into the last cell beside the garden, so there is nothing to wait for."""
    position = at_a_garden(7, pile=["base/C"] * 40, supply={"follower": [0, 7]})
    assert QUICK.decide(position).chosen.action == TakeAbbotHome()


def test_an_abbot_whose_garden_is_still_growing_stays() -> None:
    position = at_a_garden(1, pile=["base/B"] * 60, supply={"follower": [0, 7]})
    assert values(position)[Pass()] > values(position)[TakeAbbotHome()]


def test_taking_him_home_is_valued_by_what_it_changes() -> None:
    position = at_a_garden(7, pile=["base/C"] * 40)
    candidates = {candidate.action: candidate for candidate in QUICK.candidates(position)}
    home, passing = candidates[TakeAbbotHome()], candidates[Pass()]
    assert home.parts["points"] - passing.parts.get("points", 0.0) == 8
    assert home.parts["figures"] - passing.parts.get("figures", 0.0) == pytest.approx(WEIGHTS["abbot"])
    survey = Survey(position, WEIGHTS)
    root = position.land.unsurrounded[Cell(0, 0).square]
    left = survey.value_of(survey.outlook(root), [1.0, -1.0], Seat(0))
    assert home.value - passing.value == pytest.approx(8 + WEIGHTS["abbot"] - left)


# -- herds of pigs ----------------------------------------------------------------------------------------------------


def worth_of_field(*tiles: str, expansions: tuple[str, ...], **values: object) -> float:
    """Return what the field north of a city on (0, 1) is expected to bring, with two complete cities beside it."""
    cities = ["base/E 1,0 90", "base/E 2,0 270", "base/E 0,1 180", "base/E 0,2 0"]
    position = arrange(
        tiles=[*tiles, *cities],
        followers=["0 1,0 field.NL"],
        hand="base/B",
        pile=[],
        expansions=expansions,
        options=Options.of(values),  # type: ignore[arg-type]
    )
    land = position.land
    return Survey(position, WEIGHTS).outlook(land.find(land.number_of(Cell(1, 0), "field.NL"))).worth


@pytest.mark.parametrize(
    ("tiles", "expansions", "off"),
    [
        (("r2/IFFI 0,0",), ("river-two",), {"pig_herd_needs_traders": True}),
        (("gq/FFFF 0,0",), ("games-quarterly",), {"gq11_pig_herd": False}),
    ],
)
def test_the_field_of_a_herd_is_worth_a_point_more_for_each_city(
    tiles: tuple[str, ...], expansions: tuple[str, ...], off: dict[str, object]
) -> None:
    """RT-15, GQ-04: at the end two complete cities bring 8 points instead of 6."""
    assert worth_of_field(*tiles, expansions=expansions) == pytest.approx(8.0)
    assert worth_of_field(*tiles, expansions=expansions, **off) == pytest.approx(6.0)


def test_two_herds_on_one_field_are_valued_once() -> None:
    both = ("river-two", "games-quarterly")
    assert worth_of_field("gq/FFFF 0,0", "r2/IFFI -1,0", expansions=both) == pytest.approx(8.0)


def test_the_lake_is_worth_the_tile_that_follows_it() -> None:
    """RT-12: nobody is deployed on it."""
    river = {"tiles": ["r2/FIFF 0,0", "r2/IIFI 1,0"], "hand": "r2/FFFI", "expansions": ("river-two",)}
    for last, draws in (("no_follower_and_again", WEIGHTS["draw"]), ("normal", 0.0)):
        position = arrange(**river, options=Options.of({"river2_last_tile": last}))  # type: ignore[arg-type]
        candidates = Evaluator(position, WEIGHTS).candidates(parts=True)
        assert {entry.parts.get("draws", 0.0) for entry in candidates} == {draws}
        assert last == "normal" or all(entry.follow_up == Pass() for entry in candidates)
