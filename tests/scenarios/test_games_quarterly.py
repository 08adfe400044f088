"""Games Quarterly 11 (GQ-01 … GQ-05): ten tiles with land, two with the river, and pigs that may be a herd (IX-24).

Tests build positions from texts: ``"base/D 1,0 90"`` is tile D of the base game, with its cell (x grows east, y south)
and rotation, ``"0 1,0 road.E"`` a follower by seat, cell and segment. Codes such as GQ-02 are rules of the rule book;
each test is named by the rule that it shows.
"""

from __future__ import annotations

import pytest

from engine import Pass
from engine.carcassonne import Options, Position, new_setup, tile, tile_set
from engine.carcassonne.setup import tiles_in_play
from engine.events import Scored, Term
from gallery.built_positions import arrange
from tests.scenarios.vocabulary import (
    BCB,
    BLUE,
    RED,
    events_of,
    feature,
    legal_bridges,
    legal_placements,
    place_tile,
    placement,
    play_turn,
    points,
)

BOX = "games-quarterly"
"""The name of the box."""
SPRING, AT_RIVER, PIG_FIELD = "gq/FIFR", "gq/CICI", "gq/FFFF"
"""The two tiles with the river, and the field with the pigs."""
RIVERS = [("river",), ("river-two",), ("river", "river-two")]
"""The rivers beside which the box may be played."""


def pile_of(*expansions: str, seed: str = "1") -> tuple[str, ...]:
    """Return the pile of a new game."""
    return new_setup(players=2, seed=seed, expansions=expansions).pile


# -- the tiles --------------------------------------------------------------------------------------------------------


def test_GQ_01_ten_tiles_are_shuffled_in_with_the_others() -> None:
    assert sum(kind.count for kind in tile_set(BOX).values()) == 12
    setup = new_setup(players=2, seed="1", expansions=(BOX,))
    own = [name for name in setup.pile if name.startswith("gq/")]
    assert len(own) == len({*own}) == 10
    assert len(setup.pile) == 71 + 10
    assert setup.start_tile == "base/D"
    assert setup.is_one_deck
    assert own != [name for name in pile_of(BOX, seed="2") if name.startswith("gq/")]


def test_GQ_01_nobody_gets_a_figure_for_it() -> None:
    position = Position(new_setup(players=6, seed="1", expansions=(BOX,)))
    assert position.supply == {"follower": [7] * 6}


def test_GQ_02_without_a_river_both_tiles_with_it_stay_in_the_box() -> None:
    assert not {SPRING, AT_RIVER} & {*pile_of(BOX)}
    assert not {SPRING, AT_RIVER} & {kind.id for kind in tiles_in_play((BOX, *BCB))}


@pytest.mark.parametrize("rivers", RIVERS, ids=" ".join)
@pytest.mark.parametrize("first", [True, False])
def test_GQ_02_with_a_river_its_spring_replaces_the_other_one(rivers: tuple[str, ...], first: bool) -> None:
    expansions = (BOX, *rivers) if first else (*rivers, BOX)
    setup = new_setup(players=2, seed="3", expansions=expansions)
    without = new_setup(players=2, seed="3", expansions=rivers)
    assert setup.start_tile == SPRING
    assert not {"river/FIFF", "r2/FIFF", SPRING} & {*setup.pile}
    assert len(setup.pile) == len(without.pile) + 11
    river, land = setup.decks["river"], setup.decks["pile"]
    assert {*river} == {*without.decks["river"], AT_RIVER}
    assert river[-1] == without.decks["river"][-1]
    assert sum(name.startswith("gq/") for name in land) == 10


@pytest.mark.parametrize("rivers", RIVERS, ids=" ".join)
def test_GQ_02_a_veiled_position_keeps_the_order_of_the_decks(rivers: tuple[str, ...]) -> None:
    setup = new_setup(players=2, seed="3", expansions=(*rivers, BOX))
    hidden = Position(setup).veiled().setup
    assert {*hidden.decks["river"]} == {*setup.decks["river"]}
    assert hidden.decks["river"][-1] == setup.decks["river"][-1]


def test_GQ_02_the_tile_with_two_cities_continues_the_river() -> None:
    position = arrange(tiles=[f"{SPRING} 0,0"], hand=AT_RIVER, expansions=("river", BOX))
    assert {(action.cell.x, action.cell.y) for action in position.legal_actions if hasattr(action, "cell")} == {(1, 0)}
    assert legal_placements(position, "1,0") == {"0", "180"}


def test_GQ_02_the_tile_with_two_cities_connects_no_branches() -> None:
    """The northern branch turns east, the eastern one north; (2, -1) is between their ends."""
    forked = [f"{SPRING} 0,0", "r2/IIFI 1,0", "r2/FFII 1,-1 270", "r2/FFII 2,0 90"]
    position = arrange(tiles=forked, hand=AT_RIVER, expansions=("river-two", BOX))
    assert not any(getattr(action, "cell", None) == (2, -1) for action in position.legal_actions)


def test_GQ_03_the_road_at_the_spring_makes_two_fields_and_has_no_inn() -> None:
    position = arrange(tiles=[f"{SPRING} 0,0"], hand="base/U", expansions=("river", BOX))
    assert feature(position, "0,0", "field.NL") != feature(position, "0,0", "field.ER")
    ends = [f"{SPRING} 0,0", "base/A -2,0 270"]
    position = arrange(
        tiles=ends, followers=["0 0,0 road.W"], hand="base/U", expansions=("river", "inns-cathedrals", BOX)
    )
    assert points(play_turn(position, "-1,0")) == [(RED, 3)]


def test_GQ_03_no_bridge_ends_on_the_river() -> None:
    position = arrange(tiles=["base/B 0,1"], hand="base/B", expansions=(*BCB, "river", BOX))
    place_tile(position, "1,1")
    river = arrange(tiles=[f"{SPRING} 0,0"], hand=AT_RIVER, expansions=(*BCB, "river", BOX))
    place_tile(river, "1,0")
    assert legal_bridges(position)
    assert not {text for text in legal_bridges(river) if text.endswith("WE")}


@pytest.mark.parametrize("name", ["gq/CFFC", "gq/FCRC", "gq/RCRC", "gq/CRRC"])
def test_GQ_01_the_city_of_a_tile_separates_its_fields(name: str) -> None:
    fields = sum(part.kind == "field" for part in tile(name).segments)
    assert fields == {"gq/CFFC": 2, "gq/FCRC": 3, "gq/RCRC": 4, "gq/CRRC": 3}[name]


# -- the pigs ---------------------------------------------------------------------------------------------------------


CITIES = ["base/E 1,0 90", "base/E 2,0 270", "base/E 0,1 180", "base/E 0,2 0"]
"""Two cities of two tiles, at the field on (0, 0)."""


def farm(*followers: str, tiles: tuple[str, ...] = (f"{PIG_FIELD} 0,0",), **changes: object) -> Position:
    """Return the end of a game in which two cities lie at the field of the pigs."""
    return arrange(
        tiles=[*tiles, *CITIES],
        followers=followers,
        hand="base/B",
        pile=[],
        **{"expansions": (BOX,), **changes},  # type: ignore[arg-type]
    )


def farm_scores(position: Position) -> list[Scored]:
    """Finish the game; return the scores of farmers."""
    spot = next(action for action in position.legal_actions if action.cell.x > 2)  # type: ignore[attr-defined]
    events = [*position.apply(spot), *position.apply(Pass())]
    return [event for event in events_of(Scored, events) if event.kind == "field"]


def farm_points(position: Position) -> dict[int, int]:
    """Finish the game; return the points of farmers by seat."""
    return {score.player: score.points for score in farm_scores(position)}


def test_GQ_04_each_city_on_the_field_of_the_pigs_is_worth_a_point_more() -> None:
    assert farm_points(farm("0 0,0 field.NL", "1 1,0 field.NL")) == {RED: 8, BLUE: 8}


def test_GQ_04_the_score_names_the_herd() -> None:
    (score,) = farm_scores(farm("0 0,0 field.NL"))
    assert score.terms == (Term("cities", 2, 6), Term("pig-herd", 2, 2))


def test_GQ_04_as_an_option_the_pigs_are_a_drawing() -> None:
    options = Options.of({"gq11_pig_herd": False})
    assert farm_points(farm("0 0,0 field.NL", options=options)) == {RED: 6}


def test_IX_24_a_city_and_a_castle_on_the_field_of_these_pigs_bring_9_points() -> None:
    position = farm("0 0,0 field.NL", castles=("1 1,0 2,0",), expansions=(*BCB, BOX))
    assert farm_points(position) == {RED: 9}


def test_GQ_04_a_pig_of_ones_own_counts_as_well() -> None:
    position = farm("0 0,0 field.NL", "0 1,0 field.NL pig", "1 0,1 field.EL", expansions=(BOX, "traders-builders"))
    assert farm_points(position) == {RED: 10, BLUE: 8}


def both_herds(*expansions: str, **values: object) -> Position:
    """Return the end of a game in which both herds are on one field, with two cities and Red's farmer."""
    return farm(
        "0 0,0 field.NL",
        tiles=(f"{PIG_FIELD} 0,0", "r2/IFFI -1,0"),
        expansions=("river-two", *expansions),
        options=Options.of(values),  # type: ignore[arg-type]
    )


def test_GQ_05_two_herds_on_one_field_count_once() -> None:
    assert farm_points(both_herds(BOX)) == {RED: 8}


def test_GQ_05_one_of_two_herds_counts_if_the_other_is_a_drawing() -> None:
    assert farm_points(both_herds(BOX, gq11_pig_herd=False)) == {RED: 8}
    assert farm_points(both_herds(BOX, pig_herd_needs_traders=True)) == {RED: 8}
    assert farm_points(both_herds(BOX, pig_herd_needs_traders=True, gq11_pig_herd=False)) == {RED: 6}


def test_GQ_02_any_arm_of_the_fork_may_lie_at_this_spring() -> None:
    position = Position(new_setup(players=2, seed="1", expansions=("river-two", BOX)))
    assert position.hand is not None
    assert position.hand.id == "r2/IIFI"
    assert legal_placements(position, "1,0") == {"0", "180", "270"}
    position.apply(placement("1,0", 0))
