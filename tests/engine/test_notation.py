"""The text form of Carcassonne's positions: every task and decision, and the state of every expansion, round trip.

A position is a list of tags such as ``[Scores "12 7"]``; the agenda, the stack of what is to be decided and done, is a
list of words such as ``deploy:1:M12``.
"""

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
from engine.notation.records import Record, format_record, read_record
from engine.selfplay import random_game
from engine.the_castle.tilefile import default_tile_set, read_tiles, tile_set_text
from gallery.built_positions import arrange
from tests.engine.carcassonne_games import CROWDED_TILES, lively_action, setups
from tests.engine.every_game import action_counts, play_moves, play_random_game, seeds
from tests.scenarios.test_builders_bazaars import BUILDER_FIRST, red_bazaar
from tests.scenarios.test_castles_shared import answer_questions, shared_town

expansions = st.sets(st.sampled_from(list(REGISTRY))).map(lambda names: tuple(sorted(names)))
"""Random sets of expansions."""


def full_state(position: Position) -> list[object]:
    """Return the whole state of a position, down to the numbers of its segments, except the order of the pile."""
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
        (land.holders, land.touched, land.unsurrounded),
    ]


def round_trip(position: Position) -> Position:
    """Parse a position's text; assert that the result has the same text and the same legal actions."""
    text = format_position(position)
    read = parse_position(text)
    assert format_position(read) == text
    assert list(read.legal_actions) == list(position.legal_actions)
    return read


@given(setups(expansions=expansions), seeds(), action_counts())
def test_positions_of_random_games_round_trip(setup: Setup, seed: int, plies: int) -> None:
    position, _ = play_random_game(setup, seed, plies=plies, resigning=True)
    if not set_aside(position):  # the text does not reveal the places of such lots in the pile
        assert full_state(round_trip(position)) == full_state(position)


@given(setups(expansions=expansions), seeds())
def test_positions_in_scoring_and_bazaars_round_trip(setup: Setup, seed: int) -> None:
    for position, _, _ in play_moves(setup, seed):
        if type(position.step).__name__ not in {"PlaceTile", "DeployFollower", "NoneType"} and not set_aside(position):
            assert full_state(parse_position(format_position(position))) == full_state(position)


@given(setups(expansions=expansions), seeds(), action_counts())
def test_records_of_random_games_round_trip(setup: Setup, seed: int, plies: int) -> None:
    _, log = play_random_game(setup, seed, plies=plies, resigning=True)
    record = Record.of(setup, log)
    assert read_record(format_record(record)) == record


# -- states that random games hardly ever reach -----------------------------------------------------------------------


def play_with_builders_and_towns(seed: int, options: Options) -> tuple[Setup, Iterator[tuple[Carcassonne, Action]]]:
    """Play a game full of builders, bazaars and towns; return its setup and an iterator over positions and actions."""
    rng = Random(seed)
    pile = [rng.choice(("base/U", "base/V", "bcb/RFRF-a", "bcb/FFRF", "base/K", *CROWDED_TILES)) for _ in range(60)]
    setup = new_setup(players=3, seed=str(seed), options=options, expansions=(BCB, TRADERS_BUILDERS))
    setup = replace(setup, pile=tuple(pile))
    return setup, _eager_moves(Carcassonne(setup), rng)


def _eager_moves(position: Carcassonne, rng: Random) -> Iterator[tuple[Carcassonne, Action]]:
    """Play randomly, but deploy a builder whenever it is possible; yield each position with its action."""
    while position.step is not None:
        builders = [Deploy(f"{kind}.{side}", BUILDER) for kind in ("road", "city") for side in "NESW"]
        possible = [action for action in builders if action in position.legal_actions]
        action = possible[0] if possible else lively_action(position, rng)
        position.apply(action)
        yield position, action


def test_a_shared_town_round_trips() -> None:
    position = shared_town(0, 1, player=1)
    for builds in (True, True):
        assert full_state(round_trip(position)) == full_state(position)
        answer_questions(position, builds)
    assert full_state(round_trip(position)) == full_state(position)
    text = format_position(position)
    assert '[SharedCastles "M14.city.N/2"]' in text
    assert '[Castles "2@M14.city.N/' in text


def test_a_town_still_to_be_paid_round_trips() -> None:
    position = shared_town(0, 1, player=1)
    step = position.step
    assert isinstance(step, DecideTown)
    position.agenda.insert(0, PayTown(step.root, (Term("tiles", 2, 4), Term("pennants", 1, 2))))
    assert "paytown:M14.city.N:tiles/2/4,pennants/1/2" in format_position(position)
    assert full_state(round_trip(position)) == full_state(position)


def test_castles_that_may_be_fed_by_another_castle_round_trip() -> None:
    options = Options(castle_first_score="same_round", castle_town_shape="any_two_tiles")
    choices = 0
    for seed in itertools.count():
        if choices > 5:
            break
        for position, _ in play_with_builders_and_towns(seed, options)[1]:
            if isinstance(position.step, ChooseCastleSource) and not set_aside(position):
                assert full_state(round_trip(position)) == full_state(position)
                sources = [action for action in position.legal_actions if isinstance(action, ChooseSource)]
                choices += any(action.segment == CASTLE_SOURCE for action in sources)


def test_the_order_of_face_down_lots_is_not_written() -> None:
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


def test_face_down_lots_are_recorded_when_turned_up() -> None:
    positions_with_waiting_lots = 0
    for seed in itertools.count():
        if positions_with_waiting_lots > 5:
            break
        setup, game = play_with_builders_and_towns(seed, BUILDER_FIRST)
        log: list[Action] = []
        for position, action in game:
            log.append(action)
            lots = set_aside(position)
            if not lots:
                continue
            positions_with_waiting_lots += 1
            record = Record.of(setup, log)
            hidden = [*record.setup.pile[lots.start : lots.stop], *record.setup.pile[position.next_tile :]]
            assert hidden == sorted(hidden)
            assert f"+pile.{lots.stop + 1}=" in format_record(record)
            assert read_record(format_record(record)) == record
        full_record = Record.of(setup, log)
        assert full_record.setup == setup
        assert read_record(format_record(full_record)) == full_record


@pytest.mark.parametrize("entry", [SecondTile(0, 3), SecondHalfOver()])
def test_tasks_of_double_turns_round_trip(entry: SecondTile | SecondHalfOver) -> None:
    position = arrange(expansions=(BCB, TRADERS_BUILDERS))
    position.agenda.insert(1, entry)
    position.extra[FIRST_TILE] = 3
    assert full_state(round_trip(position)) == full_state(position)


def test_custom_castle_tiles_round_trip() -> None:
    custom_tiles = tile_set_text(default_tile_set()).replace(
        '"tower NL NR EL ER SL SR WL WR"', '"house NL NR EL ER SL SR WL WR"', 1
    )
    setup = the_castle.new_setup(seed="own", tiles=read_tiles(custom_tiles))
    assert setup.tiles.name != default_tile_set().name
    position, log = random_game(setup, Random(1), plies=50)
    record = Record.of(setup, log)
    assert read_record(format_record(record)) == record
    text = format_position(position)
    assert format_position(parse_position(text)) == text
    assert "[Drawings " in text


def test_an_arranged_position_has_this_text() -> None:
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
    assert full_state(parse_position(POSITION)) == full_state(position)


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
"""A position with nearly every tag, as it is written."""
