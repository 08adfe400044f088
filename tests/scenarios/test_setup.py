"""The tiles and pieces that Bridges, Castles & Bazaars adds to the set-up (SU-01 … SU-09, SU-11).

Codes such as SU-04 are rules of the rule digest; each test is named by the rule that it shows.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import pytest

from engine.actions import Action, Place
from engine.carcassonne import Decline, Position, new_setup
from engine.carcassonne.expansions import BCB, REGISTRY
from engine.carcassonne.expansions.bridges_castles_bazaars import DecideTown, ScoreTown
from engine.carcassonne.expansions.inns_cathedrals import has_inn
from engine.carcassonne.tiles import FeatureKind, tile_set
from engine.events import Scored
from engine.geometry import Cell
from gallery.built_positions import arrange
from tests.scenarios.vocabulary import RED, events_of, legal_bridges, place_tile, play_turn, points

KINDS = [kind for kind in tile_set(BCB).values() if kind.count]
"""The tiles of the box, without those that only later editions have."""
SUPPLIES = [(2, 3), (3, 3), (4, 3), (5, 2), (6, 2)]
"""(players, pieces each) of SU-04 and SU-05."""


def test_SU_01_twelve_tiles_and_never_more_than_twelve_pieces() -> None:
    assert sum(kind.count for kind in KINDS) == 12
    for players, _ in SUPPLIES:
        supply = Position(new_setup(players=players, seed="1")).supply
        assert sum(supply["bridge"]) <= 12
        assert sum(supply["castle"]) <= 12


def test_SU_02_eight_tiles_show_a_bazaar() -> None:
    assert sum(kind.count for kind in KINDS if "bazaar" in kind.flags) == 8
    assert sum(kind.count for kind in KINDS if "bazaar" not in kind.flags) == 4
    assert not any("bazaar" in kind.flags for kind in tile_set("base").values())


def test_SU_03_eighty_four_tiles_one_of_them_on_the_table() -> None:
    setup = new_setup(players=3, seed="1")
    position = Position(setup)

    assert [placed.cell for placed in position.placed()] == [Cell(0, 0)]
    assert len(setup.pile) == 83
    assert position.pile_left == 83 - 1  # the first is drawn
    laid = Counter([*setup.pile, "base/D"])
    assert laid == Counter({kind.id: kind.count for name in ("base", BCB) for kind in tile_set(name).values()})


def test_SU_03_the_tiles_are_shuffled_in() -> None:
    first, second = (new_setup(players=3, seed=seed).pile for seed in ("1", "2"))

    assert first != second
    assert sorted(first) == sorted(second)
    places = [number for number, name in enumerate(first) if name.startswith("bcb/")]
    assert places != list(range(71, 83))


@pytest.mark.parametrize(("players", "pieces"), SUPPLIES)
def test_SU_04_bridges(players: int, pieces: int) -> None:
    assert Position(new_setup(players=players, seed="1")).supply["bridge"] == [pieces] * players


@pytest.mark.parametrize(("players", "pieces"), SUPPLIES)
def test_SU_05_castles(players: int, pieces: int) -> None:
    assert Position(new_setup(players=players, seed="1")).supply["castle"] == [pieces] * players


def test_SU_06_pieces_in_the_box_are_out_of_play() -> None:
    position = arrange(
        players=2,
        tiles=["base/B 0,0 0", "bcb/FFFF -1,0 0", "base/B -2,0 0", "base/B -3,0 0"],
        bridges=["0,0 NS", "-1,0 NS", "-2,0 NS"],
        supply={"bridge": [0, 3]},
        hand="base/B",
        pile=["base/U"],
    )

    place_tile(position, "1,0")

    assert legal_bridges(position) == set()


def test_SU_07_the_base_rules_stay_in_force() -> None:
    """A base game that is replayed with the expansion, but without using it, ends with the same scores."""
    plain = new_setup(players=3, seed="65", expansions=())
    base_position, script, rng = Position(plain), list[Action](), random.Random(65)
    while base_position.step is not None:
        script.append(rng.choice(sorted(base_position.legal_actions, key=str)))
        base_position.apply(script[-1])

    full, extras = Position(replace(plain, expansions=(BCB,))), list[Action]()
    for action in script:
        extras += decline_expansion_decisions(full, action)
        full.apply(action)
    extras += decline_expansion_decisions(full, None)

    assert set(extras) == {ScoreTown(), Decline()}  # such decisions did occur
    assert full.step is None
    assert full.scores == base_position.scores
    assert full.supply["bridge"] == full.supply["castle"] == [3, 3, 3]


def decline_expansion_decisions(position: Position, following: Action | None) -> Iterator[Action]:
    """Decline the decisions that the base game does not have: castles, and tiles that fit only with a bridge."""
    while isinstance(position.step, DecideTown):
        yield ScoreTown()
        position.apply(ScoreTown())
    while (following is None or isinstance(following, Place)) and Decline() in position.legal_actions:
        yield Decline()
        position.apply(Decline())


@pytest.mark.parametrize("players", [0, 1, 7])
def test_SU_08_two_to_six_players(players: int) -> None:
    with pytest.raises(ValueError, match=str(players)):
        new_setup(players=players, seed="1")


def test_SU_09_edges_and_features_of_the_tiles() -> None:
    assert sorted(kind.count for kind in KINDS) == [1] * 10 + [2]
    inns = [kind.id for kind in KINDS if any(has_inn(segment) for segment in kind.segments)]
    assert sorted(inns) == ["bcb/FFRF", "bcb/RFRF-b"]
    pointed = [
        kind.id
        for kind in KINDS
        for segment in kind.segments
        if segment.kind is FeatureKind.CITY and len(segment.places) == 1 and not segment.cap
    ]
    assert pointed == ["bcb/FRFC"]


def test_SU_11_IX_03_an_inn_is_only_a_drawing() -> None:
    position = arrange(
        players=2,
        tiles=["base/A 0,0 270", "base/U 1,0 0"],
        followers=["0 0,0 road.E"],
        hand="bcb/FFRF",
        pile=["base/U"] * 3,
    )

    assert points(play_turn(position, "2,0", 90)) == [(RED, 3)]


def test_SU_11_a_drawn_inn_does_not_make_an_unfinished_road_worthless() -> None:
    position = arrange(
        players=2, tiles=["bcb/FFRF 0,0 270", "base/U 1,0 0"], followers=["0 0,0 road.E"], hand="base/U", pile=[]
    )

    (scored,) = events_of(Scored, play_turn(position, "2,0"))

    assert (scored.player, scored.points, scored.final) == (RED, 3, True)


def test_SU_11_drawings_are_no_features() -> None:
    kinds = {segment.kind for kind in KINDS for segment in kind.segments}

    assert kinds == {FeatureKind.CITY, FeatureKind.ROAD, FeatureKind.FIELD, FeatureKind.MONASTERY}
    assert {flag for kind in KINDS for flag in kind.flags} == {"bazaar"}


def test_SU_13_the_eighth_large_expansion_in_two_editions() -> None:
    box = REGISTRY["bridges-castles-bazaars"]

    assert box.number == 8
    assert box.years == (2010, 2017)
