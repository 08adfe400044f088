"""The seams of the engine, shown by a box that stands in the tests alone."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from random import Random

import pytest

from engine import Deploy, Pass, hints_on, parse_action, state_digest
from engine.carcassonne import Position, new_setup
from engine.carcassonne.built_positions import arrange
from engine.carcassonne.expansions import REGISTRY
from engine.events import Completed, Scored
from engine.notation.positions import format_position, parse_position
from engine.notation.reading import read_record
from engine.notation.records import Record, format_record
from engine.selfplay import random_action
from tests.engine import abbey_mayor
from tests.engine.abbey_mayor import BARN, NAME, WAGON, DecideAbbey, MoveWagon, UseAbbey
from tests.scenarios.vocabulary import cell, events_of, feature, placement, points

HOLE = ["base/U 0,-1 90", "base/E 1,0 270", "base/B 0,1", "base/U -1,0"]
"""Round (0, 0) lie a road from the north, a city in the east, a field and a road from the west."""
placed = partial(arrange, expansions=(NAME,))


@pytest.fixture(autouse=True)
def known() -> Iterator[None]:
    with abbey_mayor.known():
        yield


def test_the_abbey_is_decided_on_before_the_draw() -> None:
    position = placed(tiles=HOLE, hand="base/B", pile=["base/B"] * 9)
    position.apply(placement("0,2", 0))
    before = position.pile_left
    position.apply(Pass())
    assert position.step == DecideAbbey(1)
    assert position.pile_left == before
    assert parse_action("abbey") == UseAbbey()
    position.apply(UseAbbey())
    assert position.pile_left == before
    assert {action.cell for action in position.legal_actions} == {cell("0,0")}


def test_it_closes_what_it_meets_without_joining() -> None:
    position = placed(
        tiles=HOLE, followers=["0 0,-1 road.S", "1 1,0 city.W"], hand="base/B", pile=["base/B"] * 9, player=1
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


def test_an_edge_beside_an_abbey_is_closed_whatever_it_is() -> None:
    position = placed(tiles=["am/abbey 0,0"], hand="base/E")
    position.apply(placement("1,0", 270))
    assert feature(position, "1,0", "city.W").complete


def test_the_mayor_counts_as_much_as_his_city_has_pennants() -> None:
    two = ["am/CCFF 0,0", "am/CCFF 1,0 270"]
    followers = ["0 0,0 city.N mayor", "1 1,0 city.N", "1 1,0 city.N"]
    assert feature(placed(tiles=two, followers=followers), "0,0", "city.N").owners == (0, 1)


def test_the_wagon_goes_on_while_others_go_home() -> None:
    position = placed(tiles=["base/L 0,0"], followers=["0 0,0 road.E wagon"], hand="base/A")
    position.apply(placement("1,0", 90))
    events = position.apply(Pass())
    assert points(events) == [(0, 2)]
    assert position.step == MoveWagon(0, cell("0,0"))
    assert set(position.legal_actions) == {
        Pass(),
        *(Deploy(f"{name}", WAGON) for name in ("city.N", "road.S", "road.W")),
    }
    again = parse_position(format_position(position))
    assert again.step == position.step
    position.apply(Deploy("road.S", WAGON))
    assert position.supply[WAGON][0] == 0


def test_the_barn_scores_its_field_at_once() -> None:
    city = ["base/E 0,0", "base/E 0,-1 180"]
    position = placed(tiles=city, followers=["1 0,0 field.SR"], hand="base/B")
    position.apply(placement("0,1", 0))
    events = position.apply(Deploy("field.NL", BARN))
    assert [(event.player, event.points, event.final) for event in events_of(Scored, events)] == [(1, 3, False)]
    assert [entry.figure for entry in feature(position, "0,0", "field.SR").followers] == [BARN]
    assert position.supply["follower"][1] == 7


@pytest.mark.parametrize("seed", range(6))
def test_random_games_with_all_boxes_undone_and_replayed(seed: int) -> None:
    random = Random(seed)
    boxes = (NAME, *(name for name in REGISTRY if name != NAME))
    setup = new_setup(players=2 + seed % 4, seed=str(seed), expansions=boxes if seed % 2 else boxes[::-1])
    position, log = Position(setup), []
    while position.step is not None:
        action = random_action(position, random)
        digest = state_digest(position)
        position.push(action)
        position.pop()
        assert state_digest(position) == digest
        if random.random() < 0.02:
            assert hints_on(position).dead_cells() is not None
            assert parse_position(format_position(position)).step == position.step
        position.apply(action)
        log.append(action)
    record = read_record(format_record(Record.of(setup, log)))
    assert record.position().scores == position.scores
