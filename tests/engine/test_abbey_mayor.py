"""The engine's hooks for expansions, tested with Abbey & Mayor, a box that is registered in these tests only.

A hook is a method of ``Expansion`` that the engine calls at some moment of a turn. In this box the owner of a scored
wagon chooses where it moves next, and a barn stays on its field.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from random import Random

import pytest

from engine import Deploy, Pass, hints_on, parse_action, state_digest
from engine.carcassonne import Position, new_setup
from engine.carcassonne.expansions import REGISTRY
from engine.events import Completed, Scored
from engine.notation.positions import format_position, parse_position
from engine.notation.records import Record, format_record, read_record
from engine.selfplay import random_action
from gallery.built_positions import arrange
from tests.engine import abbey_mayor
from tests.engine.abbey_mayor import BARN, NAME, WAGON, DecideAbbey, MoveWagon, UseAbbey
from tests.scenarios.vocabulary import cell, events_of, feature, placement, points
from tests.soak import first

TILES_AROUND_HOLE = ["base/U 0,-1 90", "base/E 1,0 270", "base/B 0,1", "base/U -1,0"]
"""Four tiles around the empty cell (0, 0): a road to the north, a city to the east, a field and a road to the west."""
arrange_with_abbey = partial(arrange, expansions=(NAME,))
"""Build a position with the box in play."""


@pytest.fixture(autouse=True)
def registered_box() -> Iterator[None]:
    """Register the box during a test."""
    with abbey_mayor.registered():
        yield


def test_the_player_decides_about_the_abbey_before_the_draw() -> None:
    position = arrange_with_abbey(tiles=TILES_AROUND_HOLE, hand="base/B", pile=["base/B"] * 9)
    position.apply(placement("0,2", 0))
    before = position.pile_left
    position.apply(Pass())
    assert position.step == DecideAbbey(1)
    assert position.pile_left == before
    assert parse_action("abbey") == UseAbbey()
    position.apply(UseAbbey())
    assert position.pile_left == before
    assert {action.cell for action in position.legal_actions} == {cell("0,0")}


def test_the_abbey_closes_neighbouring_features_without_joining_them() -> None:
    position = arrange_with_abbey(
        tiles=TILES_AROUND_HOLE,
        followers=["0 0,-1 road.S", "1 1,0 city.W"],
        hand="base/B",
        pile=["base/B"] * 9,
        player=1,
    )
    position.apply(placement("0,2", 0))
    position.apply(Pass())
    position.apply(UseAbbey())
    position.apply(placement("0,0", 0))
    events = position.apply(Pass())
    assert [(event.kind, event.points) for event in events_of(Completed, events)] == [("city", 2)]
    assert points(events) == [(1, 2)]
    assert feature(position, "0,-1", "road.S") != feature(position, "-1,0", "road.E")
    assert feature(position, "0,-1", "road.S").open_ends == 1


def test_any_edge_beside_an_abbey_is_closed() -> None:
    position = arrange_with_abbey(tiles=["am/abbey 0,0"], hand="base/E")
    position.apply(placement("1,0", 270))
    assert feature(position, "1,0", "city.W").complete


def test_a_mayor_counts_the_pennants_of_its_city() -> None:
    city_tiles = ["am/CCFF 0,0", "am/CCFF 1,0 270"]
    followers = ["0 0,0 city.N mayor", "1 1,0 city.N", "1 1,0 city.N"]
    assert feature(arrange_with_abbey(tiles=city_tiles, followers=followers), "0,0", "city.N").owners == (0, 1)


def test_a_scored_wagon_may_move_to_a_free_feature_of_its_tile() -> None:
    position = arrange_with_abbey(tiles=["base/L 0,0"], followers=["0 0,0 road.E wagon"], hand="base/A")
    position.apply(placement("1,0", 90))
    events = position.apply(Pass())
    assert points(events) == [(0, 2)]
    assert position.step == MoveWagon(0, cell("0,0"))
    assert set(position.legal_actions) == {
        Pass(),
        *(Deploy(f"{name}", WAGON) for name in ("city.N", "road.S", "road.W")),
    }
    parsed = parse_position(format_position(position))
    assert parsed.step == position.step
    position.apply(Deploy("road.S", WAGON))
    assert position.supply[WAGON][0] == 0


def test_a_barn_scores_its_field_immediately() -> None:
    city = ["base/E 0,0", "base/E 0,-1 180"]
    position = arrange_with_abbey(tiles=city, followers=["1 0,0 field.SR"], hand="base/B")
    position.apply(placement("0,1", 0))
    events = position.apply(Deploy("field.NL", BARN))
    assert [(event.player, event.points, event.final) for event in events_of(Scored, events)] == [(1, 3, False)]
    assert [entry.figure for entry in feature(position, "0,0", "field.SR").followers] == [BARN]
    assert position.supply["follower"][1] == 7


@pytest.mark.parametrize("seed", first(2, range(6)))
def test_random_games_with_all_expansions_can_be_undone_and_replayed(seed: int) -> None:
    rng = Random(seed)
    expansions = (NAME, *(name for name in REGISTRY if name != NAME))
    setup = new_setup(players=2 + seed % 4, seed=str(seed), expansions=expansions if seed % 2 else expansions[::-1])
    position, log = Position(setup), []
    while position.step is not None:
        action = random_action(position, rng)
        digest = state_digest(position)
        position.push(action)
        position.pop()
        assert state_digest(position) == digest
        if rng.random() < 0.02:
            assert hints_on(position).dead_cells() is not None
            assert parse_position(format_position(position)).step == position.step
        position.apply(action)
        log.append(action)
    record = read_record(format_record(Record.of(setup, log)))
    assert record.position().scores == position.scores
