"""The River II (RT-01 … RT-19): its deck, its fork, both branches, the lake at the volcano; the herd of pigs (IX-24).

River tiles have a deck of their own, which is drawn before all others: from the spring over the fork to the lake. Tests
build positions from texts: ``"base/D 1,0 90"`` is tile D of the base game, with its cell (x grows east, y south) and
rotation, ``"0 1,0 road.E"`` a follower by seat, cell and segment. Codes such as RT-01 are rules of the rule book;
each test is named by the rule that it shows.
"""

from __future__ import annotations

from functools import partial

import pytest

from engine import Pass, Resign, hints_on
from engine.carcassonne import DeployFollower, Options, PlaceTile, Position, new_setup, tile, tile_set
from engine.carcassonne.expansions.river_two import VolcanoReached
from engine.events import Completed, Scored, Term, TileDiscarded
from engine.notation.positions import format_position, parse_position
from gallery.built_positions import arrange
from tests.scenarios.vocabulary import (
    BCB,
    BLUE,
    RED,
    cell,
    events_of,
    feature,
    legal_bridges,
    legal_placements,
    legal_segments,
    place_tile,
    placement,
    play_turn,
    points,
)
from tests.scenarios.vocabulary_castles import tile_to_place

BOX = "river-two"
"""The name of the box."""
BOTH = ("river", BOX)
"""Both rivers."""
FORKED = ["r2/FIFF 0,0", "r2/IIFI 1,0"]
"""The spring, and the fork with an arm to the north and one to the east."""
HERD = "r2/IFFI"
"""The tile with the herd of pigs, on its larger field."""

river_game = partial(arrange, expansions=(BOX,))
"""An arranged position of the base game with this box."""


def new_game(expansions: tuple[str, ...] = (BOX,), *, seed: str = "1") -> Position:
    """Return the position before the first move."""
    return Position(new_setup(players=2, seed=seed, expansions=expansions))


def cells(position: Position) -> set[tuple[int, int]]:
    """Return the cells on which the tile in hand may lie."""
    return {(action.cell.x, action.cell.y) for action in position.legal_actions if hasattr(action, "cell")}


# -- the deck ---------------------------------------------------------------------------------------------------------


def test_RT_01_the_spring_lies_on_the_table_instead_of_the_start_tile() -> None:
    position = new_game()
    assert sum(kind.count for kind in tile_set(BOX).values()) == 12
    assert [placed.tile.id for placed in position.placed()] == ["r2/FIFF"]
    assert len(position.setup.pile) == 71 + 11
    assert position.setup.pile.count("base/D") == 3


def test_RT_02_the_fork_comes_first_and_any_arm_may_lie_at_the_spring() -> None:
    position = new_game()
    assert position.hand is not None
    assert position.hand.id == "r2/IIFI"
    assert cells(position) == {(1, 0)}
    assert legal_placements(position, "1,0") == {"0", "180", "270"}
    position.apply(placement("1,0", 0))
    assert legal_segments(position) == {"field.NL", "field.NR", "field.ER"}


def test_RT_03_the_rest_is_shuffled_and_the_volcano_comes_last() -> None:
    for seed in "123":
        setup = new_game(seed=seed).setup
        assert (setup.pile[0], setup.pile[10]) == ("r2/IIFI", "r2/FFFI")
        assert "r2/FCFI" in setup.pile[1:10]
        assert all(name.startswith("base/") for name in setup.pile[11:])
        assert setup.decks["river"] + setup.decks["pile"] == setup.pile
    assert new_game(seed="1").setup.pile[1:10] != new_game(seed="2").setup.pile[1:10]


def test_RT_03_a_veiled_position_tells_no_more() -> None:
    position = new_game()
    hidden = position.veiled().setup.pile
    assert (hidden[0], hidden[10]) == ("r2/IIFI", "r2/FFFI")
    assert list(hidden[1:10]) == sorted(hidden[1:10])


# -- two branches -----------------------------------------------------------------------------------------------------


def test_RT_04_a_tile_may_continue_either_branch() -> None:
    position = river_game(tiles=FORKED, hand="river/FIFI", expansions=BOTH)
    assert cells(position) == {(1, -1), (2, 0)}


def test_RT_05_when_one_branch_has_ended_the_other_continues() -> None:
    position = river_game(tiles=[*FORKED, "r2/FCFI 2,0"], hand="r2/FIFI")
    assert cells(position) == {(1, -1)}


def test_RT_06_two_bends_in_a_row_do_not_turn_back() -> None:
    """After a bend from west to south, the next bend may turn east, but not back to the west."""
    position = river_game(tiles=[*FORKED, "r2/FFII 2,0"], hand="r2/RRII")
    assert legal_placements(position, "2,1") == {"180"}


def test_RT_06_no_tile_connects_the_two_branches() -> None:
    """The northern branch turns east, the eastern one north; between their ends only (2, -1) is left."""
    position = river_game(tiles=[*FORKED, "r2/FFII 1,-1 270", "r2/FFII 2,0 90"], hand="r2/RRII")
    assert (2, -1) not in cells(position)
    hand = position.hand
    assert hand is not None
    assert [place for place in hints_on(position).placements(hand) if place.place == cell("2,-1").square] == []


def test_RT_07_a_branch_may_turn_towards_the_other_one() -> None:
    """The rules ask for no more than RT-06."""
    position = river_game(tiles=FORKED, hand="r2/FFII")
    assert legal_placements(position, "1,-1") == {"0", "270"}


def test_RT_08_all_other_sides_have_to_fit_and_nobody_stands_on_the_river() -> None:
    position = river_game(tiles=[*FORKED, "base/U 2,1 90"], hand="r2/CIRI")
    assert legal_placements(position, "2,0") == {"0"}
    position = place_tile(river_game(tiles=FORKED, hand="r2/FIFI"), "2,0")
    assert legal_segments(position) == {"monastery", "field.NL", "field.ER"}


def test_RT_09_a_river_tile_that_fits_nowhere_is_removed() -> None:
    """Both branches have ended, so that the lake has no place, and nobody lays another tile for it."""
    ended = [*FORKED, "r2/FCFI 2,0", "r2/FCFI 1,-1 270"]
    position = river_game(tiles=ended, hand="r2/FFFI", pile=["base/B"] * 3)
    assert tile_to_place(position) == (RED, "base/B")
    position = river_game(tiles=ended, hand="base/B", pile=["r2/FFFI", "base/B", "base/B"])
    events = play_turn(position, "0,1")
    assert [event.tile.id for event in events_of(TileDiscarded, events)] == ["r2/FFFI"]
    assert events_of(VolcanoReached, events) == []
    assert tile_to_place(position) == (BLUE, "base/B")


def test_RT_10_the_fork_has_three_fields_and_the_lake_one() -> None:
    fields = {kind.id: sum(part.kind == "field" for part in kind.segments) for kind in tile_set(BOX).values()}
    assert (fields["r2/IIFI"], fields["r2/FFFI"], fields["r2/FIFF"], fields["r2/FCFI"]) == (3, 1, 1, 2)


def test_RT_11_a_city_spans_the_river_and_the_fields_run_below_it() -> None:
    position = river_game(tiles=["r2/ICIC 0,0"])
    assert feature(position, "0,0", "city.E") == feature(position, "0,0", "city.W")
    assert feature(position, "0,0", "field.NR") == feature(position, "0,0", "field.SL")
    assert feature(position, "0,0", "field.NR") != feature(position, "0,0", "field.NL")


@pytest.mark.parametrize("name", ["r2/IRIR", "r2/CIRI"])
def test_RT_11_under_the_bridge_of_a_road_the_fields_end(name: str) -> None:
    assert sum(part.kind == "field" for part in tile(name).segments) == 4
    position = arrange(tiles=FORKED, hand=name, expansions=(*BCB, BOX))
    where, rotation = ("1,-1", 0) if name == "r2/IRIR" else ("2,0", 0)
    place_tile(position, where, rotation)
    assert not {text for text in legal_bridges(position) if text.startswith(where)}


# -- the lake at the volcano ------------------------------------------------------------------------------------------


def at_the_lake(**changes: object) -> Position:
    """Return a position in which Red lays the lake at the end of the eastern branch."""
    return river_game(**{"tiles": FORKED, "hand": "r2/FFFI", "pile": ["base/B", "base/U", "base/V"], **changes})  # type: ignore[arg-type]


def test_RT_12_whoever_lays_the_lake_deploys_nothing_and_lays_another_tile() -> None:
    position = place_tile(at_the_lake(), "2,0")
    assert list(position.legal_actions) == [Pass()]
    events = position.apply(Pass())
    assert events_of(VolcanoReached, events) == [VolcanoReached(RED)]
    assert tile_to_place(position) == (RED, "base/B")
    place_tile(position, "3,0")
    assert legal_segments(position) == {"monastery", "field.NL"}
    position.apply(Pass())
    assert tile_to_place(position) == (BLUE, "base/U")


def test_RT_12_what_the_lake_completes_is_scored_first() -> None:
    around = [f"base/B {x},{y}" for x, y in ((2, 1), (3, 1), (4, 1), (4, 0), (2, -1), (3, -1), (4, -1), (3, 0))]
    position = at_the_lake(tiles=[*FORKED, *around], followers=["1 3,0 monastery"])
    place_tile(position, "2,0")
    events = position.apply(Pass())
    assert points(events) == [(BLUE, 9)]
    kinds = [type(event) for event in events]
    assert kinds.index(Scored) < kinds.index(VolcanoReached)


def test_RT_12_as_an_option_the_lake_is_an_ordinary_tile() -> None:
    position = place_tile(at_the_lake(options=Options.of({"river2_last_tile": "normal"})), "2,0")
    assert legal_segments(position) == {"field.NL"}
    position.apply(Pass())
    assert tile_to_place(position) == (BLUE, "base/B")


def test_RT_12_no_phantom_and_no_fairy_comes_at_the_lake() -> None:
    position = at_the_lake(expansions=(*BCB, "fairy", BOX, "phantom"), followers=["0 0,0 field.NL"])
    place_tile(position, "2,0")
    assert {str(action) for action in position.legal_actions if not str(action).startswith("~")} == {"pass"}
    position.apply(Pass())
    assert isinstance(position.step, PlaceTile)


def test_RT_12_the_other_tile_may_grant_a_builders_second_tile() -> None:
    """It is no half of a double turn."""
    position = at_the_lake(
        expansions=("traders-builders", BOX),
        tiles=[*FORKED, "base/U 0,5", "base/U 1,5"],
        followers=["0 0,5 road.E", "0 1,5 road.E builder"],
        pile=["base/U", "base/B", "base/V"],
    )
    play_turn(position, "2,0")
    assert tile_to_place(position) == (RED, "base/U")
    play_turn(position, "2,5")
    assert tile_to_place(position) == (RED, "base/B")


def test_RT_12_a_player_who_resigns_at_the_lake_lays_no_other_tile() -> None:
    position = place_tile(at_the_lake(), "2,0")
    assert isinstance(position.step, DeployFollower)
    position.apply(Resign(RED))
    assert tile_to_place(position) == (BLUE, "base/B")


def test_RT_12_a_parsed_position_goes_on_alike() -> None:
    position = place_tile(at_the_lake(), "2,0")
    read = parse_position(format_position(position))
    assert list(read.legal_actions) == [Pass()]
    assert events_of(VolcanoReached, read.apply(Pass())) == [VolcanoReached(RED)]


def test_RT_13_the_inn_counts_only_with_its_box() -> None:
    ends = ["base/A 0,-1 270", "base/A 2,-1 90"]
    for boxes, expected in (((BOX, "inns-cathedrals"), 6), ((BOX,), 3)):
        position = arrange(
            tiles=["r2/FIFF 1,1 270", *ends, "river/FIFI 1,0 90"],
            followers=["0 0,-1 road.E"],
            hand="r2/IRIR",
            expansions=boxes,
        )
        assert points(play_turn(position, "1,-1")) == [(RED, expected)]


# -- the herd of pigs -------------------------------------------------------------------------------------------------


def farm(
    *followers: str, castles: tuple[str, ...] = (), boxes: tuple[str, ...] = (BOX,), **options: object
) -> Position:
    """Return the end of a game in which two cities of 2 tiles lie at the field of the herd."""
    return arrange(
        tiles=[f"{HERD} 0,0", "base/E 1,0 90", "base/E 2,0 270", "base/E 0,1 180", "base/E 0,2 0"],
        followers=followers,
        castles=castles,
        hand="base/B",
        pile=[],
        expansions=boxes,
        options=Options.of(options),  # type: ignore[arg-type]
    )


def farm_points(position: Position) -> dict[int, int]:
    """Finish the game; return the points of farmers by seat."""
    spot = next(action for action in position.legal_actions if action.cell.x > 2)  # type: ignore[attr-defined]
    events = [*position.apply(spot), *position.apply(Pass())]
    return {event.player: event.points for event in events_of(Scored, events) if event.kind == "field"}


def test_RT_14_the_herd_is_on_the_larger_field_alone() -> None:
    position = farm("0 0,0 field.NL", "1 0,0 field.NR")
    herds = [part.name for part in tile(HERD).segments if part.shows("pig-herd") is not None]
    assert herds == ["field.NR"]
    scores = farm_points(position)
    assert (scores.get(RED, 0), scores[BLUE]) == (0, 8)


def test_RT_15_each_city_is_worth_a_point_more_to_whoever_scores_the_field() -> None:
    assert farm_points(farm("0 0,0 field.NR", "1 1,0 field.NL")) == {RED: 8, BLUE: 8}


def test_IX_24_a_city_and_a_castle_with_a_herd_bring_9_points() -> None:
    position = farm("0 0,0 field.NR", castles=("1 1,0 2,0",), boxes=(*BCB, BOX))
    assert farm_points(position) == {RED: 9}


def test_IX_24_players_who_share_the_field_each_get_it() -> None:
    position = farm("0 0,0 field.NR", "1 1,0 field.NL", castles=("2 1,0 2,0",), boxes=(*BCB, BOX))
    assert farm_points(position) == {RED: 9, BLUE: 9}


def test_IX_24_the_score_names_the_herd() -> None:
    position = farm("0 0,0 field.NR")
    spot = next(action for action in position.legal_actions if action.cell.x > 2)  # type: ignore[attr-defined]
    events = [*position.apply(spot), *position.apply(Pass())]
    (score,) = [event for event in events_of(Scored, events) if event.kind == "field"]
    assert score.terms == (Term("cities", 2, 6), Term("pig-herd", 2, 2))


def test_RT_16_a_pig_of_ones_own_counts_as_well() -> None:
    position = farm("0 0,0 field.NR", "0 1,0 field.NL pig", "1 0,1 field.EL", boxes=(BOX, "traders-builders"))
    assert farm_points(position) == {RED: 10, BLUE: 8}


def test_RT_17_as_an_option_the_herd_needs_the_box_of_the_pigs() -> None:
    assert farm_points(farm("0 0,0 field.NR", pig_herd_needs_traders=True)) == {RED: 6}
    boxes = (BOX, "traders-builders")
    assert farm_points(farm("0 0,0 field.NR", boxes=boxes, pig_herd_needs_traders=True)) == {RED: 8}


# -- with other boxes -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("expansions", [BOTH, tuple(reversed(BOTH))])
def test_RT_18_both_rivers_have_one_spring_one_fork_and_one_lake(expansions: tuple[str, ...]) -> None:
    setup = new_game(expansions).setup
    assert setup.start_tile == "r2/FIFF"
    river = [name for name in setup.pile if not name.startswith("base/")]
    assert list(setup.pile[:21]) == river
    assert (river[0], river[20]) == ("r2/IIFI", "r2/FFFI")
    assert not {"river/FIFF", "river/FFFI"} & {*river}
    assert len(river) + 1 == 22


def test_RT_18_the_tiles_of_the_first_river_keep_to_two_branches_as_well() -> None:
    position = river_game(tiles=[*FORKED, "r2/FFII 1,-1 270", "r2/FFII 2,0 90"], hand="river/FFII", expansions=BOTH)
    assert (2, -1) not in cells(position)


def test_RT_19_no_bridge_ends_on_the_river() -> None:
    position = arrange(tiles=FORKED, hand="river/FIFI", expansions=(*BCB, BOX, "river"))
    place_tile(position, "2,0")
    assert {text for text in legal_bridges(position) if text.startswith("2,0")} == {"2,0 NS"}


def test_RT_19_the_city_end_may_become_half_of_a_castle() -> None:
    position = arrange(tiles=[*FORKED, "base/E 3,0 270"], hand="r2/FCFI", pile=["base/B"] * 3, expansions=(*BCB, BOX))
    events = play_turn(position, "2,0", deploy="city.E")
    assert events_of(Completed, events) == []
    assert {str(action) for action in position.legal_actions} == {"castle", "town"}
