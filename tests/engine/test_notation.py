"""The text of Carcassonne's positions: every agenda, the state of every expansion, and built positions."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import Action, Deploy, Position, Setup, the_castle
from engine.carcassonne import Options, new_setup
from engine.carcassonne import Position as Carcassonne
from engine.carcassonne.built_positions import arrange
from engine.carcassonne.double_turns import FIRST_TILE, SecondHalfOver, SecondTile
from engine.carcassonne.expansions import BCB, REGISTRY, TRADERS_BUILDERS
from engine.carcassonne.expansions.bridges_castles_bazaars import (
    CASTLE_SOURCE,
    ChooseCastleSource,
    ChooseSource,
    DecideTown,
)
from engine.carcassonne.expansions.bridges_castles_bazaars.bazaars import set_aside
from engine.carcassonne.expansions.bridges_castles_bazaars.towns import PayTown
from engine.carcassonne.expansions.traders_builders import BUILDER
from engine.events import Term
from engine.notation.positions import format_position, parse_position
from engine.notation.reading import read_record
from engine.notation.records import Record, format_record
from engine.selfplay import random_game
from engine.the_castle.tilefile import default_tile_set, read_tiles, tile_set_text
from tests.engine.carcassonne_games import CROWD, lively_action, setups
from tests.engine.every_game import lengths, luck, moves, play
from tests.scenarios.test_builders_bazaars import BUILDER_FIRST, red_bazaar
from tests.scenarios.test_castles_shared import answer, shared

expansions = st.sets(st.sampled_from(list(REGISTRY))).map(lambda names: tuple(sorted(names)))


def state(position: Position) -> list[object]:
    """Everything that a position consists of, down to the numbers of its segments; not the order of the pile."""
    assert isinstance(position, Carcassonne)
    land = position.land
    return [
        position.next_tile,
        position.ply,
        position.turn,
        position.withdrawn,
        position.scores,
        position.supply,
        position.agenda,
        position.round,
        {key: value for key, value in position.extra.items() if value},
        list(land.placed.items()),
        list(land.frontier.items()),
        (land.order, land.home, land.parent, land.kind, land.ends, land.tiles, land.marks),
        (land.holders, land.touched, land.open_monasteries),
    ]


def read_back(position: Position) -> Position:
    """The position that its text gives, which has the same text."""
    text = format_position(position)
    read = parse_position(text)
    assert format_position(read) == text
    assert list(read.legal_actions) == list(position.legal_actions)
    return read


@given(setups(expansions=expansions), luck(), lengths())
def test_lively_games_come_back_to_the_last_segment(setup: Setup, seed: int, plies: int) -> None:
    position, _ = play(setup, seed, plies=plies, resigning=True)
    if not set_aside(position):  # their places in the pile are not told
        assert state(read_back(position)) == state(position)


@given(setups(expansions=expansions), luck())
def test_decisions_about_castles_and_lots_come_back(setup: Setup, seed: int) -> None:
    for position, _, _ in moves(setup, seed):
        if type(position.step).__name__ not in {"PlaceTile", "DeployFollower", "NoneType"} and not set_aside(position):
            assert state(parse_position(format_position(position))) == state(position)


@given(setups(expansions=expansions), luck(), lengths())
def test_records_of_lively_games(setup: Setup, seed: int, plies: int) -> None:
    _, log = play(setup, seed, plies=plies, resigning=True)
    record = Record.of(setup, log)
    assert read_record(format_record(record)) == record


# -- what random games hardly ever show -------------------------------------------------------------------------------


def eager(number: int, options: Options) -> tuple[Setup, Iterator[tuple[Carcassonne, Action]]]:
    """A game full of builders, bazaars and towns, with the actions that led to each of its positions."""
    chance = Random(number)
    pile = [chance.choice(("base/U", "base/V", "bcb/RFRF-a", "bcb/FFRF", "base/K", *CROWD)) for _ in range(60)]
    setup = new_setup(players=3, seed=str(number), options=options, expansions=(BCB, TRADERS_BUILDERS))
    setup = replace(setup, pile=tuple(pile))
    return setup, _eager_moves(Carcassonne(setup), chance)


def _eager_moves(position: Carcassonne, chance: Random) -> Iterator[tuple[Carcassonne, Action]]:
    while position.step is not None:
        builders = [Deploy(f"{kind}.{side}", BUILDER) for kind in ("road", "city") for side in "NESW"]
        possible = [action for action in builders if action in position.legal_actions]
        action = possible[0] if possible else lively_action(position, chance)
        position.apply(action)
        yield position, action


def test_those_who_share_a_town() -> None:
    position = shared(0, 1, player=1)
    for builds in (True, True):
        assert state(read_back(position)) == state(position)
        answer(position, builds)
    assert state(read_back(position)) == state(position)
    text = format_position(position)
    assert '[SharedCastles "M14.city.N/2"]' in text
    assert '[Castles "2@M14.city.N/' in text


def test_a_town_that_some_score_while_a_castle_chooses() -> None:
    position = shared(0, 1, player=1)
    step = position.step
    assert isinstance(step, DecideTown)
    position.agenda.insert(0, PayTown(step.root, (Term("tiles", 2, 4), Term("pennants", 1, 2))))
    assert "paytown:M14.city.N:tiles/2/4,pennants/1/2" in format_position(position)
    assert state(read_back(position)) == state(position)


def test_castles_that_may_score_through_another() -> None:
    options = Options(castle_first_score="same_round", castle_town_shape="any_two_tiles")
    found = 0
    for number in itertools.count():
        if found > 5:
            break
        for position, _ in eager(number, options)[1]:
            if isinstance(position.step, ChooseCastleSource) and not set_aside(position):
                assert state(read_back(position)) == state(position)
                sources = [action for action in position.legal_actions if isinstance(action, ChooseSource)]
                found += any(action.segment == CASTLE_SOURCE for action in sources)


def test_lots_that_wait_face_down_are_not_told() -> None:
    position = red_bazaar("base/U", "base/V", "base/W", "base/X", options=BUILDER_FIRST)
    assert len(set_aside(position)) == 3
    text = format_position(position)
    read = parse_position(text)
    assert format_position(read) == text
    assert list(read.legal_actions) == list(position.legal_actions)
    assert '[FaceDown "base/B*12 base/U base/V base/W"]' in text
    assert "turnup:1:3" in text
    assert read.pile_left == position.pile_left
    assert [read.setup.pile[at] for at in set_aside(read)] == ["base/B"] * 3, "in the order of the names"


def test_lots_that_wait_face_down_are_told_when_they_are_turned_up() -> None:
    waited = 0
    for number in itertools.count():
        if waited > 5:
            break
        setup, game = eager(number, BUILDER_FIRST)
        log: list[Action] = []
        for position, action in game:
            log.append(action)
            aside = set_aside(position)
            if not aside:
                continue
            waited += 1
            record = Record.of(setup, log)
            hidden = [*record.setup.pile[aside.start : aside.stop], *record.setup.pile[position.next_tile :]]
            assert hidden == sorted(hidden)
            assert f"+pile.{aside.stop + 1}=" in format_record(record)
            assert read_record(format_record(record)) == record
        whole = Record.of(setup, log)
        assert whole.setup == setup
        assert read_record(format_record(whole)) == whole


@pytest.mark.parametrize("entry", [SecondTile(0, 3), SecondHalfOver()])
def test_double_turns(entry: SecondTile | SecondHalfOver) -> None:
    position = arrange(expansions=(BCB, TRADERS_BUILDERS))
    position.agenda.insert(1, entry)
    position.extra[FIRST_TILE] = 3
    assert state(read_back(position)) == state(position)


def test_castles_drawn_by_the_owner_of_the_game() -> None:
    drawings = tile_set_text(default_tile_set()).replace(
        '"tower NL NR EL ER SL SR WL WR"', '"house NL NR EL ER SL SR WL WR"', 1
    )
    setup = the_castle.new_setup(seed="own", tiles=read_tiles(drawings))
    assert setup.tiles.name != default_tile_set().name
    position, log = random_game(setup, Random(1), plies=50)
    record = Record.of(setup, log)
    assert read_record(format_record(record)) == record
    text = format_position(position)
    assert format_position(parse_position(text)) == text
    assert "[Drawings " in text


def test_a_position_that_nobody_played() -> None:
    position = arrange(
        players=2,
        tiles=["base/D 0,0 0", "base/E 0,-1 180", "base/V 1,0"],
        bridges=["0,-1 WE"],
        followers=["1 1,0 road.W"],
        castles=["0 0,0 0,-1"],
        scores=[-3, 12],
        supply={"bridge": [0, 2]},
        player=1,
        hand="base/U",
        pile=["base/V", "base/V", "base/A"],
        options=Options(castle_auto_choose=True, small_city_points=2),
    )
    assert format_position(position) == POSITION
    assert state(parse_position(POSITION)) == state(position)


POSITION = """\
[Castellan "position 1"]
[Game "carcassonne"]
[Rules "2"]
[Players "2"]
[Options "castle_auto_choose=true small_city_points=2"]
[Expansions "bridges-castles-bazaars"]
[Pile "base/A base/U base/V*2"]
[FaceDown "base/A base/V*2"]
[Tiles "M13/0:base/D:- M12/180:base/E:- N13/0:base/V:- ~M12WE"]
[Figures "2@N13.road.S"]
[Castles "1@M12.city.S/0/-1=1@M13.city.N"]
[Scores "-3 12"]
[Supply "follower 6 6; bridge 0 2; castle 2 3"]
[Ply "0"]
[Turn "1"]
[Agenda "next:2 place:2:base/U:drawn"]
"""
