"""The abbot and the gardens (AB-01 to AB-27), and their part in castles and bridges.

A garden is complete when the eight cells around it are filled. Only an abbot stands in one, and his player may take
him home. ``"base/E+garden 0,1 90"`` is tile E of the base game with a garden, with its cell and rotation. Codes such as
AB-05 are rules of the rule digest; each test is named by the rule that it shows.
"""

from __future__ import annotations

import json
from collections import Counter
from functools import partial

import pytest

from engine import parse_action, read_setup
from engine.actions import Deploy
from engine.carcassonne import PRESETS, DeployFollower, Position, new_setup, tile
from engine.carcassonne.expansions import REGISTRY
from engine.carcassonne.expansions.abbot import AbbotTakenHome, TakeAbbotHome
from engine.carcassonne.expansions.bridges_castles_bazaars import castles_of
from engine.carcassonne.expansions.fairy import MoveFairy, companion_of
from engine.carcassonne.options import Options
from engine.carcassonne.setup import tiles_in_play
from engine.events import Completed, Event, Returned, Scored
from engine.notation.records import Record, format_record, read_record
from gallery.built_positions import arrange
from tests.scenarios.vocabulary import (
    BCB,
    BLUE,
    RED,
    assert_illegal,
    bridge,
    cell,
    events_of,
    feature,
    legal_bridges,
    legal_segments,
    legal_segments_for,
    place_tile,
    play_turn,
    points,
    skip_deployment,
    standing_followers,
)
from tests.scenarios.vocabulary_castles import TOWN, castle_points, completed_structures, field_tiles, tile_to_place

BOX = "abbot"
"""The name of the box."""
GARDEN = "base/V+garden"
"""A tile with a road from south to west and a garden."""
AROUND = ("-1,-1", "0,-1", "1,-1", "1,0", "1,1", "0,1", "-1,1", "-1,0")
"""The eight cells around the garden on 0,0."""
HOME = TakeAbbotHome()

abbot_game = partial(arrange, expansions=(BOX,))
"""An arranged position of the base game with this box."""
with_bridges = partial(arrange, expansions=(*BCB, BOX))
"""An arranged position with bridges, castles and bazaars beside it."""
with_builders = partial(arrange, expansions=("traders-builders", BOX))
"""An arranged position with builders beside it."""


def garden_with(neighbours: int, *, kind: str = "bcb/FFFF") -> list[str]:
    """Return the tiles of a garden on 0,0, far from roads, with this many of the cells around it filled."""
    return ["base/N+garden 0,0 90", *(f"{kind} {where}" for where in AROUND[:neighbours])]


def monastery_with(neighbours: int) -> list[str]:
    """Return the tiles of a monastery on 0,0 with this many of the cells around it filled."""
    return ["base/B 0,0", *(f"base/B {where}" for where in AROUND[:neighbours])]


def red_in_garden(neighbours: int, **changes: object) -> Position:
    """Return a position with Red's abbot in the garden on 0,0, in which Red lays a field of its own at 9,0."""
    tiles = [*garden_with(neighbours), "base/B 8,0"]
    return abbot_game(**{"tiles": tiles, "followers": ["0 0,0 garden abbot"], "hand": "base/B", **changes})  # type: ignore[arg-type]


def homes(events: list[Event]) -> list[int]:
    """Return the players who took their abbot home."""
    return [event.player for event in events_of(AbbotTakenHome, events)]


def may_take_home(position: Position) -> bool:
    """Return True if the player to move may take their abbot home."""
    return HOME in position.legal_actions


# -- the box ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", range(2, 7))
def test_AB_01_everybody_has_seven_followers_and_one_abbot(players: int) -> None:
    position = Position(new_setup(players=players, seed="1", expansions=(BOX,)))
    assert position.supply == {"follower": [7] * players, "abbot": [1] * players}


def tiles_of(edition: str, *boxes: str) -> Counter[str]:
    """Count the tiles of these boxes and the base game in an edition, by id, with the start tile."""
    return Counter(["base/D", *(kind.id for kind in tiles_in_play(boxes, Options.of({"tile_edition": edition})))])


def gardens_of(edition: str, *boxes: str) -> list[str]:
    """Return the tiles with a garden in an edition."""
    return sorted(name for name in tiles_of(edition, *boxes).elements() if name.endswith("+garden"))


def test_AB_02_nine_gardens_among_the_84_tiles_of_the_second_edition() -> None:
    first, second = tiles_of("c1", *BCB), tiles_of("c2", *BCB)
    assert (first.total(), gardens_of("c1", *BCB)) == (84, [])
    assert (second.total(), len(gardens_of("c2", *BCB))) == (84, 9)


def test_AB_02_a_tile_with_a_garden_stands_in_place_of_a_plain_copy() -> None:
    first, second = (tiles_of(edition, *REGISTRY) for edition in ("c1", "c2"))
    plain = Counter({name.removesuffix("+garden"): 0 for name in second})
    for name, count in second.items():
        plain[name.removesuffix("+garden")] += count
    assert plain == first


@pytest.mark.parametrize(
    ("box", "gardens"),
    [
        ((), 8),
        (("inns-cathedrals",), 10),
        (("traders-builders",), 10),
        (("king-robber",), 9),
        (("river",), 9),
        (("river-two",), 9),
        (BCB, 9),
    ],
)
def test_AB_02_gardens_of_each_box(box: tuple[str, ...], gardens: int) -> None:
    assert len(gardens_of("c2", *box)) == gardens


def test_AB_02_the_base_game_has_one_garden_on_each_of_eight_tiles() -> None:
    assert gardens_of("c2") == [f"base/{letter}+garden" for letter in "EHIMNRUV"]


def test_AB_02_the_pointed_city_has_no_plain_copy_left_and_is_no_castle_base() -> None:
    assert tiles_of("c2", *BCB)["bcb/FRFC"] == 0
    (city,) = [segment for segment in tile("bcb/FRFC+garden").segments if segment.kind == "city"]
    assert not city.cap


def test_AB_02_the_first_print_lacks_the_garden_of_tile_I() -> None:
    misprint = Options.of({"tile_edition": "c2", "c2_tile_mix": "first_print"})
    ids = Counter(kind.id for kind in tiles_in_play(BCB, misprint, "1"))
    assert ids["bcb/FRFC"] == ids["bcb/FRFC+garden"] == 0
    assert sum(count for name, count in ids.items() if name.startswith("bcb/")) == 12


@pytest.mark.parametrize("preset", list(PRESETS))
def test_AB_02_gardens_of_the_presets(preset: str) -> None:
    """OA-01: only the editions of 2014 and later have gardens, also where the abbot is not played (SU-11)."""
    for boxes in ((*BCB, BOX), BCB):
        pile = new_setup(players=2, seed="1", options=PRESETS[preset], expansions=boxes).pile
        assert sum(name.endswith("+garden") for name in pile) == (9 if preset.startswith("c2") else 0)


def test_AB_02_a_setup_that_says_nothing_is_of_the_first_edition() -> None:
    assert not [name for name in new_setup(players=2, seed="1", expansions=(BOX,)).pile if "garden" in name]


def test_AB_02_a_stored_setup_and_a_record_that_say_nothing_are_of_the_first_edition() -> None:
    """OA-01: games that were stored before there were gardens go on with the tiles that they began with."""
    setup = new_setup(players=2, seed="1", expansions=(*BCB, BOX))
    stored = json.loads(setup.to_json())
    assert stored["options"].pop("tile_edition", "c1") == "c1"
    record = format_record(Record.of(setup, []))
    assert "tile_edition" not in record
    for read in (read_setup(json.dumps(stored)), read_record(record).setup):
        assert isinstance(read.options, type(setup.options))
        assert read.options.mapping()["tile_edition"] == "c1"
        assert not [name for name in read.pile if "garden" in name]


def test_AB_02_the_bend_with_a_garden_lies_among_the_river_tiles() -> None:
    options = Options.of({"tile_edition": "c2"})
    setup = new_setup(players=2, seed="1", options=options, expansions=("river", BOX))
    assert "river/FFII+garden" in setup.decks["river"]
    assert len(setup.decks["river"]) == 11


def test_AB_03_a_garden_parts_no_field() -> None:
    position = abbot_game(tiles=["base/U+garden 0,0"])
    kinds = [segment.kind for segment in tile("base/U+garden").segments]
    assert kinds.count("field") == 2
    assert feature(position, "0,0", "field.NL").tiles == 1
    assert tile("base/U+garden").faces[0].edges == tile("base/U").faces[0].edges


# -- where he stands --------------------------------------------------------------------------------------------------


def test_AB_04_only_the_abbot_is_offered_the_garden() -> None:
    position = place_tile(abbot_game(tiles=["base/B 0,-1"], hand="base/E+garden"), "0,0", 180)
    assert legal_segments_for(position, "abbot") == {"garden"}
    assert "garden" not in legal_segments(position)


def test_AB_04_no_other_figure_of_any_box_stands_in_a_garden() -> None:
    boxes = tuple(REGISTRY)
    position = arrange(tiles=["base/B 0,-1"], hand="base/E+garden", expansions=boxes)
    place_tile(position, "0,0", 180)
    standing = {action.figure for action in position.legal_actions if getattr(action, "segment", "") == "garden"}
    assert standing == {"abbot"}
    assert_illegal(position, Deploy("garden"))


def test_AB_05_the_abbot_stands_on_a_monastery() -> None:
    position = place_tile(abbot_game(tiles=["base/B 0,-1"], hand="base/A"), "0,0")
    assert legal_segments_for(position, "abbot") == {"monastery"}


def test_AB_05_on_no_road_city_or_field() -> None:
    position = place_tile(abbot_game(tiles=["base/B 0,-1"], hand="base/V"), "0,0")
    assert legal_segments_for(position, "abbot") == set()
    assert_illegal(position, Deploy("road.S", "abbot"))


def test_AB_06_he_is_the_deployment_of_the_turn() -> None:
    position = place_tile(abbot_game(tiles=["base/B 0,-1"], hand=GARDEN), "0,0")
    position.apply(Deploy("garden", "abbot"))
    assert not isinstance(position.step, DeployFollower)
    assert standing_followers(position) == {(RED, "0,0", "garden")}
    assert position.supply["abbot"][RED] == 0


def test_AB_07_a_monastery_with_a_follower_is_closed_to_him_and_his_to_others() -> None:
    tiles = ["base/B 0,0"]
    for figure in ("0 0,0 monastery", "0 0,0 monastery abbot"):
        position = place_tile(abbot_game(tiles=tiles, followers=[figure], hand="base/B"), "1,0")
        assert feature(position, "0,0", "monastery").followers
        assert legal_segments_for(position, "abbot") <= {"monastery"}


def test_AB_08_an_ordinary_monk_and_other_features_stay_possible() -> None:
    position = place_tile(abbot_game(tiles=["base/B 0,-1"], hand="base/A"), "0,0")
    assert "monastery" in legal_segments(position)
    position = place_tile(abbot_game(tiles=["base/B 0,-1"], hand="base/E+garden"), "0,0", 180)
    assert legal_segments(position) == {"city.S", "field.NL"}


# -- complete ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("place", ["garden", "monastery"])
def test_AB_09_complete_with_eight_neighbours(place: str) -> None:
    tiles = garden_with(7, kind="base/B") if place == "garden" else monastery_with(7)
    position = abbot_game(tiles=tiles, followers=[f"1 0,0 {place} abbot"], hand="base/B")
    events = play_turn(position, AROUND[7])
    assert points(events) == [(BLUE, 9)]
    assert (place, 9) in completed_structures(events)
    assert position.supply["abbot"] == [1] * position.players


def test_AB_10_he_may_fill_the_hole_himself() -> None:
    tiles = [f"base/B {where}" for where in AROUND]
    position = abbot_game(tiles=tiles, hand="base/B")
    events = play_turn(position, "0,0", deploy="abbot@monastery")
    assert points(events) == [(RED, 9)]
    assert position.supply["abbot"][RED] == 1


def test_AB_10_so_may_a_garden_laid_into_a_hole() -> None:
    around = [f"base/B {where}" for where in AROUND if where not in {"0,1", "-1,0"}]
    tiles = [*around, "base/U 0,1 90", "base/U -1,0 0"]
    events = play_turn(abbot_game(tiles=tiles, hand=GARDEN), "0,0", deploy="abbot@garden")
    assert (RED, 9) in points(events)


def test_AB_11_an_empty_garden_scores_for_nobody() -> None:
    position = abbot_game(tiles=garden_with(7, kind="base/B"), hand="base/B")
    events = play_turn(position, AROUND[7])
    assert points(events) == []
    assert ("garden", 9) in completed_structures(events)


# -- taking him home --------------------------------------------------------------------------------------------------


def test_AB_12_taken_home_for_what_his_garden_would_give_at_the_end() -> None:
    position = red_in_garden(5)
    place_tile(position, "9,0")
    events = list(position.apply(HOME))
    assert homes(events) == [RED]
    assert points(events) == [(RED, 6)]
    assert [event.figure for event in events_of(Returned, events)] == ["abbot"]
    assert position.supply["abbot"][RED] == 1
    assert standing_followers(position) == set()


def test_AB_12_from_a_monastery_too() -> None:
    position = abbot_game(tiles=[*monastery_with(3), "base/B 8,0"], followers=["0 0,0 monastery abbot"], hand="base/B")
    place_tile(position, "9,0")
    assert points(list(position.apply(HOME))) == [(RED, 4)]


def test_AB_12_only_ones_own_abbot() -> None:
    position = place_tile(red_in_garden(5, followers=["1 0,0 garden abbot"]), "9,0")
    assert not may_take_home(position)
    assert_illegal(position, HOME)


def test_AB_12_not_an_ordinary_monk() -> None:
    position = abbot_game(tiles=[*monastery_with(3), "base/B 8,0"], followers=["0 0,0 monastery"], hand="base/B")
    assert not may_take_home(place_tile(position, "9,0"))


def test_AB_13_nothing_else_is_put_down_beside_it() -> None:
    position = with_builders(
        tiles=[*garden_with(5), "base/U 8,0", "base/U 9,0"],
        followers=["0 0,0 garden abbot", "0 9,0 road.E"],
        hand="base/U",
    )
    place_tile(position, "10,0")
    assert may_take_home(position)
    assert legal_segments_for(position, "builder") == {"road.E"}
    position.apply(HOME)
    assert not isinstance(position.step, DeployFollower)


def test_AB_13_nor_is_he_taken_home_beside_another_figure() -> None:
    position = with_builders(
        tiles=[*garden_with(5), "base/U 8,0", "base/U 9,0"],
        followers=["0 0,0 garden abbot", "0 9,0 road.E"],
        hand="base/U",
    )
    place_tile(position, "10,0")
    position.apply(Deploy("road.E", "builder"))
    assert not may_take_home(position)


def test_AB_13_a_bridge_stays_allowed() -> None:
    position = with_bridges(
        tiles=[*garden_with(5), "base/U 8,0", "bcb/FFFF 9,0"],
        followers=["0 0,0 garden abbot"],
        hand="bcb/FFFF",
        options=Options.of({"bridge_timing": "any_time"}),
    )
    place_tile(position, "9,1")
    offered = legal_bridges(position)
    assert offered
    position.apply(HOME)
    assert legal_bridges(position) == offered


def test_AB_13_also_after_a_bridge() -> None:
    position = with_bridges(
        tiles=[*garden_with(5), "base/U 8,0", "bcb/FFFF 9,0"], followers=["0 0,0 garden abbot"], hand="bcb/FFFF"
    )
    place_tile(position, "9,1")
    position.apply(bridge(min(legal_bridges(position))))
    assert may_take_home(position)


def test_AB_14_the_tile_just_placed_counts() -> None:
    position = abbot_game(tiles=garden_with(5, kind="base/B"), followers=["0 0,0 garden abbot"], hand="base/B")
    place_tile(position, AROUND[5])
    assert points(list(position.apply(HOME))) == [(RED, 7)]


def test_AB_15_not_when_his_place_has_just_been_completed() -> None:
    position = abbot_game(tiles=garden_with(7, kind="base/B"), followers=["0 0,0 garden abbot"], hand="base/B")
    place_tile(position, AROUND[7])
    assert not may_take_home(position)
    events = list(position.apply(Deploy("monastery")))
    assert points(events) == [(RED, 9)]


def test_AB_16_it_completes_nothing() -> None:
    """Nothing that waits for a completed feature sees it: no castle, no King, no fairy."""
    position = with_bridges(
        tiles=["base/B 1,0", *TOWN, *field_tiles("8,0")],
        followers=["0 1,0 monastery abbot"],
        castles=["1 0,0 0,1"],
        hand="bcb/FFFF",
    )
    place_tile(position, "9,0")
    events = list(position.apply(HOME))
    assert castle_points(events) == []
    assert not events_of(Completed, events)
    assert not castles_of(position)[0].scored
    assert points(events) == [(RED, 3)]
    assert not feature(position, "1,0", "monastery").followers


def test_AB_16_the_fairy_brings_nothing_and_stays_behind() -> None:
    position = arrange(
        tiles=[*garden_with(5), "base/B 8,0"],
        followers=["0 0,0 garden abbot"],
        hand="base/B",
        pile=["base/B"] * 9,
        players=2,
        expansions=(*BCB, "fairy", BOX),
    )
    place_tile(position, "9,0")
    position.apply(MoveFairy(cell("0,0"), "garden"))
    play_turn(position, "10,0")
    assert companion_of(position) is not None
    place_tile(position, "11,0")
    events = list(position.apply(HOME))
    assert [(event.player, event.points) for event in events_of(Scored, events)] == [(RED, 6)]
    assert companion_of(position) is None


def test_AB_17_he_may_be_deployed_again_in_the_second_half_of_a_double_turn() -> None:
    position = with_builders(
        tiles=[*garden_with(5), "base/U 8,0", "base/U 9,0"],
        followers=["0 0,0 garden abbot", "0 8,0 road.E", "0 9,0 road.E builder"],
        hand="base/U",
        pile=["base/U+garden", "base/U"],
    )
    place_tile(position, "10,0")
    position.apply(HOME)
    assert tile_to_place(position) == (RED, "base/U+garden")
    place_tile(position, "11,0")
    assert legal_segments_for(position, "abbot") == {"garden"}


def test_AB_18_in_every_own_turn_and_with_any_tile() -> None:
    position = red_in_garden(5, players=2, pile=["base/B"] * 4)
    place_tile(position, "9,0")
    assert may_take_home(position)
    skip_deployment(position)
    place_tile(position, "10,0")
    assert not may_take_home(position), "it is Blue's turn"
    skip_deployment(position)
    assert may_take_home(place_tile(position, "11,0"))


def test_AB_19_the_place_that_he_left_is_never_offered_again() -> None:
    position = red_in_garden(5, players=2, pile=["base/B"] * 4)
    place_tile(position, "9,0")
    position.apply(HOME)
    place_tile(position, "10,0")
    assert "garden" not in {action.segment for action in position.legal_actions if isinstance(action, Deploy)}


def test_AB_20_at_the_end_he_scores_what_is_filled() -> None:
    position = abbot_game(
        tiles=[*garden_with(3), "base/B 8,0"], followers=["1 0,0 garden abbot"], hand="base/B", pile=[]
    )
    events = play_turn(position, "9,0")
    (score,) = events_of(Scored, events)
    assert (score.player, score.points, score.kind, score.final) == (BLUE, 4, "garden", True)


def test_AB_21_a_garden_is_no_monastery() -> None:
    position = abbot_game(tiles=garden_with(7, kind="base/B"), followers=["1 0,0 garden abbot"], hand="base/B")
    (score,) = events_of(Scored, play_turn(position, AROUND[7]))
    assert score.kind == "garden"


def test_PH_07_the_phantom_may_follow_the_abbot_taken_home() -> None:
    position = red_in_garden(5, expansions=("phantom", BOX))
    place_tile(position, "9,0")
    position.apply(HOME)
    assert {str(action) for action in position.legal_actions} == {"pass", "phantom:field.NL", "phantom:monastery"}


def test_PH_13_the_phantom_does_not_stand_in_a_garden() -> None:
    position = place_tile(abbot_game(tiles=["base/B 0,-1"], hand=GARDEN, expansions=("phantom", BOX)), "0,0")
    assert legal_segments_for(position, "phantom") == {"road.S", "field.NL", "field.SR"}


# -- with other boxes -------------------------------------------------------------------------------------------------


def fief_with_garden(*, feeds: bool) -> Position:
    """Return a position in which a tile on 2,-1 completes an empty garden on 1,0, in the fief of Red's castle."""
    around = ("1,-1", "2,0", "2,1", "1,1")
    return with_bridges(
        tiles=[*TOWN, "base/N+garden 1,0 90", "bcb/FFFF 0,-1", *(f"bcb/FFFF {where}" for where in around)],
        castles=["0 0,0 0,1"],
        hand="bcb/FFFF",
        options=Options.of({"castle_garden": feeds}),
    )


def test_AB_22_a_garden_completed_in_a_fief_feeds_the_castle() -> None:
    """Empty or held, by option OA-02; otherwise the castle waits on."""
    position = fief_with_garden(feeds=True)
    assert castle_points(play_turn(position, "2,-1")) == [(RED, 9)]
    position = fief_with_garden(feeds=False)
    assert castle_points(play_turn(position, "2,-1")) == []
    assert not castles_of(position)[0].scored


def test_AB_22_without_the_box_a_garden_is_only_a_drawing() -> None:
    """SU-11: a small drawing of the second edition has no effect on castles."""
    position = fief_with_garden(feeds=True)
    plain = arrange(
        tiles=[*TOWN, "base/N+garden 1,0 90", "bcb/FFFF 0,-1", *field_tiles("1,-1", "2,0", "2,1", "1,1")],
        castles=["0 0,0 0,1"],
        hand="bcb/FFFF",
        expansions=BCB,
    )
    assert ("garden", 9) in completed_structures(play_turn(position, "2,-1"))
    events = play_turn(plain, "2,-1")
    assert (castle_points(events), events_of(Completed, events)) == ([], [])


def test_AB_23_a_bridge_may_span_a_garden() -> None:
    position = with_bridges(
        tiles=["base/E+garden 0,0", "bcb/FFFF 0,1"], followers=["0 0,0 garden abbot"], hand="base/U"
    )
    events = play_turn(position, "1,0", aid="0,0 WE")
    assert not events_of(Returned, events)
    assert feature(position, "0,0", "garden").followers
    assert feature(position, "0,0", "road.W").tiles == 2


def test_AB_23_a_bridge_is_no_further_neighbour() -> None:
    tiles = ["base/E+garden 0,0", "bcb/FFFF 0,1", "bcb/FFFF 8,0"]
    position = with_bridges(tiles=tiles, followers=["0 0,0 garden abbot"], bridges=["0,0 WE"], hand="bcb/FFFF")
    place_tile(position, "9,0")
    assert points(list(position.apply(HOME))) == [(RED, 2)]


def test_AB_24_a_garden_is_no_place_for_a_builder() -> None:
    position = with_builders(
        tiles=garden_with(5, kind="base/B"), followers=["0 0,0 garden abbot"], hand="base/B", pile=["base/B"] * 2
    )
    place_tile(position, AROUND[5])
    assert legal_segments_for(position, "builder") == set()
    skip_deployment(position)
    assert tile_to_place(position)[0] == BLUE


def test_AB_25_with_tiles_of_the_first_edition_he_works_on_monasteries() -> None:
    setup = new_setup(players=2, seed="1", expansions=(BOX,))
    assert setup.options.differences() == {}
    position = place_tile(abbot_game(tiles=["base/B 0,-1"], hand="base/B"), "0,0")
    assert legal_segments_for(position, "abbot") == {"monastery"}


def test_AB_26_all_eight_cells_count_not_only_the_four_beside_him() -> None:
    diagonal = [where for where in AROUND if "0" not in where.replace("-", "").split(",")]
    position = abbot_game(
        tiles=["base/N+garden 0,0", *(f"base/B {where}" for where in diagonal), "base/B 8,0"],
        followers=["0 0,0 garden abbot"],
        hand="base/B",
    )
    place_tile(position, "9,0")
    assert points(list(position.apply(HOME))) == [(RED, 5)]


def test_AB_27_no_preset_of_a_third_edition_differs() -> None:
    """The third edition only renames the roles, so there is one value for the second and all later editions."""
    assert Options.values()["tile_edition"] == ("c1", "c2")
    assert {preset for preset, options in PRESETS.items() if options.mapping()["tile_edition"] == "c2"} == {
        "c2_hig",
        "c2_zmg",
    }


def test_the_text_of_taking_him_home_is_read_back() -> None:
    assert parse_action(str(HOME)) == HOME
