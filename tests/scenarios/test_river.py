"""The River (RI-01 … RI-08): its deck, placing river tiles, fields beside it; and bridges (IX-41).

River tiles have a deck of their own, which is drawn before all others: from the spring to the lake. A U-turn is a
second bend in the same direction. Tests build positions from texts: ``"base/D 1,0 90"`` is tile D of the base game,
with its cell (x grows east, y south) and rotation, ``"0 1,0 road.E"`` a follower by seat, cell and segment. Codes such
as RI-01 are rules of the rule digest; each test is named by the rule that it shows.
"""

from __future__ import annotations

from functools import partial
from random import Random

from engine import GAMES, Deploy, hints_on, state_digest
from engine.carcassonne import PlaceTile, Position, new_setup, tile_set
from engine.events import Completed
from engine.notation.positions import format_position, parse_position
from engine.notation.records import Record, format_record, read_record
from engine.selfplay import random_game
from gallery.built_positions import arrange
from tests.scenarios.vocabulary import (
    BCB,
    cell,
    events_of,
    feature,
    legal_bridges,
    legal_placements,
    legal_segments,
    placement,
    play_turn,
)

RIVER = "river"
"""The name of the box."""
SPRING_TILE = "river/FIFF 0,0"
"""The spring, from which the river flows to the east."""

river_game = partial(arrange, expansions=(RIVER,))
"""An arranged position of the base game with this box."""


def new_river_game(players: int = 2, seed: str = "1", expansions: tuple[str, ...] = (RIVER,)) -> Position:
    """Return the position before the first move."""
    return Position(new_setup(players=players, seed=seed, expansions=expansions))


def test_RI_01_the_tiles_of_the_box() -> None:
    kinds = tile_set(RIVER)
    assert sum(kind.count for kind in kinds.values()) == 12
    ends = [name for name, kind in kinds.items() if any(s.kind == RIVER and len(s.places) == 1 for s in kind.segments)]
    assert ends == ["river/FIFF", "river/FFFI"]


def test_RI_02_the_spring_lies_on_the_table_and_the_usual_start_tile_is_left_out() -> None:
    position = new_river_game()
    assert [placed.tile.id for placed in position.placed()] == ["river/FIFF"]
    assert position.setup.pile.count("base/D") == 3
    assert len(position.setup.pile) == 71 + 11


def test_RI_03_the_river_is_drawn_first_and_the_lake_last_of_it() -> None:
    for seed in "123":
        setup = new_river_game(seed=seed).setup
        assert {name.partition("/")[0] for name in setup.pile[:11]} == {RIVER}
        assert setup.pile[10] == "river/FFFI"
        assert all(not name.startswith(RIVER) for name in setup.pile[11:])
    assert new_river_game(seed="1").setup.pile[:10] != new_river_game(seed="2").setup.pile[:10]


def test_RI_03_the_river_is_a_deck_of_its_own() -> None:
    setup = new_river_game().setup
    assert list(setup.decks) == ["pile", RIVER]
    assert setup.decks[RIVER] + setup.decks["pile"] == setup.pile


def test_RI_04_a_river_tile_has_to_continue_the_river() -> None:
    position = river_game(tiles=[SPRING_TILE], hand="river/FIFI")
    assert {action.cell for action in position.legal_actions} == {cell("1,0")}
    assert legal_placements(position, "1,0") == {"0", "180"}


def test_RI_04_other_tiles_only_have_to_fit() -> None:
    position = river_game(tiles=[SPRING_TILE, "river/FIFI 1,0", "river/FFFI 2,0"], hand="base/B")
    assert cell("1,1") in {action.cell for action in position.legal_actions}


def test_RI_05_two_successive_bends_do_not_turn_back() -> None:
    """After a bend from west to south, the next bend may turn east, but not back to the west."""
    position = river_game(tiles=[SPRING_TILE, "river/FFII 1,0"], hand="river/FFII")
    assert legal_placements(position, "1,1") == {"180"}


def test_RI_05_after_a_straight_tile_it_may_turn_either_way() -> None:
    position = river_game(tiles=[SPRING_TILE, "river/FFII 1,0", "river/FIFI 1,1 90"], hand="river/FFII")
    assert legal_placements(position, "1,2") == {"90", "180"}


def test_RI_05_hints_follow_the_rule() -> None:
    position = river_game(tiles=[SPRING_TILE, "river/FFII 1,0"], hand="river/FFII", pile=["base/B"])
    placements = [(placement.place, placement.rotation) for placement in hints_on(position).placements(position.hand)]
    assert placements == [(cell("1,1").square, 180)]


def test_RI_06_followers_stand_beside_the_river_but_not_on_it() -> None:
    position = river_game(tiles=[SPRING_TILE], hand="river/FIRI")
    position.apply(placement("1,0", 0))
    assert legal_segments(position) == {"monastery", "road.S", "field.NL", "field.ER", "field.SR"}
    assert Deploy("river.E") not in position.legal_actions


def test_RI_07_the_river_splits_fields_but_not_around_spring_and_lake() -> None:
    position = river_game(tiles=[SPRING_TILE, "river/FIFI 1,0", "river/FIFI 2,0"])
    assert feature(position, "1,0", "field.NL") == feature(position, "1,0", "field.SL")
    parted = river_game(tiles=["river/FIFI 1,0", "river/FIFI 2,0"])
    assert feature(parted, "1,0", "field.NL") != feature(parted, "1,0", "field.SL")
    assert feature(parted, "1,0", "field.NL") == feature(parted, "2,0", "field.NL")


def test_RI_08_a_finished_river_is_not_scored() -> None:
    position = river_game(tiles=[SPRING_TILE], hand="river/FFFI")
    events = play_turn(position, "1,0")
    assert events_of(Completed, events) == []
    assert not feature(position, "0,0", "river.E").complete


def test_RI_08_a_river_tile_that_fits_nowhere_is_discarded() -> None:
    """The general rule for tiles that fit nowhere applies (BA-08)."""
    around = ["base/B 2,0", "base/B 1,1", "base/B 1,-1"]
    position = river_game(tiles=[SPRING_TILE, *around], hand="river/FFII", pile=["base/B"])
    assert isinstance(position.step, PlaceTile)
    assert position.hand is not None
    assert position.hand.id == "base/B"


def test_IX_41_no_bridge_ends_on_the_river() -> None:
    position = arrange(tiles=[SPRING_TILE], hand="river/FIFI", expansions=(RIVER, *BCB))
    position.apply(placement("1,0", 0))
    assert {text for text in legal_bridges(position) if text.startswith("1,0")} == {"1,0 NS"}


def test_RI_03_records_and_positions_contain_both_decks() -> None:
    for number in range(4):
        setup = new_setup(players=3, seed=str(number), expansions=(RIVER, *BCB) if number % 2 else (RIVER,))
        _, log = random_game(setup, Random(number))
        record = read_record(format_record(Record.of(setup, log)))
        assert (record.setup, record.actions) == (setup, tuple(log))
        middle = Record.of(setup, log).position(12)
        parsed = parse_position(format_position(middle))
        assert parsed.setup.pile[middle.next_tile :].index("river/FFFI") == 10 - middle.next_tile
        assert [str(action) for action in parsed.legal_actions] == [str(action) for action in middle.legal_actions]
        running = read_record(format_record(Record.of(setup, log[:9])))
        assert running.setup.pile[10] == "river/FFFI"
        assert state_digest(running.position())[:2] == "2:"
    assert GAMES["carcassonne"].notation.from_seed(setup) == setup
