"""Trade goods: the player who completes a city takes them (TB-12), and most of a kind score 10 points (TB-13).

Goods (wine, grain, cloth) are printed in cities, also on tiles of other boxes. Positions are arranged from texts:
``"base/D 1,0 90"`` is tile D of the base game, with its cell (x grows east, y south) and rotation, ``"0 1,0 road.E"`` a
follower by seat, cell and segment. Codes such as TB-12 are rules of the rule digest; each test is named by the rule
that it shows.
"""

from __future__ import annotations

from collections import Counter

import pytest

from engine.carcassonne import Position
from engine.carcassonne.expansions.traders_builders import Goods, GoodsTaken, goods_of, goods_on
from engine.carcassonne.tiles import tile_set
from engine.events import Completed, Scored
from gallery.built_positions import arrange
from tests.scenarios.vocabulary import BLUE, GREEN, RED, events_of, play_turn
from tests.scenarios.vocabulary_builders import BUILDERS_ONLY
from tests.scenarios.vocabulary_castles import event_types, points_by_seat

WINE_CITY = ["base/E 0,0 90", "tb/FCFC 1,0"]
"""A city with a barrel of wine, open to the east."""
CLOTH_AND_WINE_CITY = ["base/E 0,5 90", "tb/FCCC-a 1,5", "tb/FCCC-b 2,5"]
"""A city with cloth and wine, open to the east; the same tiles have two other cities, open to the south."""


def test_TB_01_there_are_24_tiles_with_20_goods() -> None:
    box = [kind for kind in tile_set("traders-builders").values() if kind.count]
    assert sum(kind.count for kind in box) == 24
    assert Counter(goods_on(segment) for kind in box for segment in kind.segments if goods_on(segment)) == {
        Goods.WINE: 9,
        Goods.GRAIN: 6,
        Goods.CLOTH: 5,
    }


def complete_city(
    *tiles: str, at: str, player: int = RED, followers: tuple[str, ...] = (), last: bool = True
) -> Position:
    """Have a player complete a city with a cap on this cell, by default with the last tile of the game."""
    position = arrange(
        tiles=tiles,
        followers=followers,
        player=player,
        hand="base/E",
        pile=[] if last else ["base/B"] * 9,
        expansions=BUILDERS_ONLY,
    )
    play_turn(position, at, 270)
    return position


def test_TB_12_the_player_who_completes_a_city_takes_its_goods() -> None:
    position = complete_city(*CLOTH_AND_WINE_CITY, at="3,5", followers=("1 0,5 city.E",), last=False)
    assert goods_of(position)[RED] == {Goods.WINE: 1, Goods.GRAIN: 0, Goods.CLOTH: 1}
    assert not any(goods_of(position)[BLUE].values())
    assert position.scores == [0, 8, 0]


def test_TB_12_goods_of_an_empty_city_are_taken_too() -> None:
    position = complete_city(*WINE_CITY, at="2,0", player=BLUE, last=False)
    assert goods_of(position)[BLUE][Goods.WINE] == 1


def test_TB_12_goods_are_taken_when_the_city_has_scored() -> None:
    position = arrange(
        tiles=WINE_CITY, followers=["0 0,0 city.E"], hand="base/E", pile=["base/B"], expansions=BUILDERS_ONLY
    )
    events = play_turn(position, "2,0", 270)
    assert (
        event_types(events).index(Completed) < event_types(events).index(Scored) < event_types(events).index(GoodsTaken)
    )
    assert [(event.player, event.kind, event.count) for event in events_of(GoodsTaken, events)] == [(RED, "wine", 1)]


def test_TB_12_an_incomplete_city_gives_no_goods() -> None:
    position = arrange(tiles=WINE_CITY, hand="base/G", expansions=BUILDERS_ONLY)
    assert events_of(GoodsTaken, play_turn(position, "2,0")) == []


def test_TB_12_the_goods_of_another_city_on_the_same_tile_stay() -> None:
    position = arrange(tiles=["tb/FCCC-a 0,0"], hand="base/E", pile=["base/B"] * 3, expansions=BUILDERS_ONLY)
    assert events_of(GoodsTaken, play_turn(position, "0,1")) == []


def test_TB_13_most_goods_of_a_kind_score_10_points_at_the_end() -> None:
    position = complete_city(*WINE_CITY, at="2,0")
    assert position.scores == [10, 0, 0]


def test_TB_13_each_kind_of_goods_scores_separately() -> None:
    position = complete_city(*CLOTH_AND_WINE_CITY, at="3,5")
    assert position.scores == [20, 0, 0]


def test_TB_13_tied_players_each_score_10_points() -> None:
    position = arrange(
        tiles=[*WINE_CITY, *CLOTH_AND_WINE_CITY], hand="base/E", pile=["base/E", "base/B"], expansions=BUILDERS_ONLY
    )
    play_turn(position, "2,0", 270)
    play_turn(position, "3,5", 270)
    assert points_by_seat(play_turn(position, "0,1")) == {RED: 10, BLUE: 20}
    assert goods_of(position)[GREEN] == {Goods.WINE: 0, Goods.GRAIN: 0, Goods.CLOTH: 0}


def test_TB_13_goods_that_no_player_has_score_nothing() -> None:
    position = arrange(hand="base/B", pile=[], expansions=BUILDERS_ONLY)
    assert points_by_seat(play_turn(position, "0,1")) == {}


@pytest.mark.parametrize("where", ["1,5 field", "2,5 field"])
def test_a_field_enclosed_by_cities_is_a_field(where: str) -> None:
    """The field touches the two cities of its tile and no neighbouring tile."""
    position = complete_city(*CLOTH_AND_WINE_CITY, at="3,5", followers=(f"1 {where}",))
    assert position.scores == [20, 3, 0]
