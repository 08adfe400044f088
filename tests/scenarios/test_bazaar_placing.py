"""After the auction: the order of placing the lots (BZ-30 … BZ-34), and bazaar tiles among them (BZ-07 … BZ-09).

A bazaar is an auction of tiles, the lots; each player gets one. The selector chooses the lot that comes up. Decisions
are written as texts: ``"1@0"`` puts up lot 1 with an opening bid of 0, ``"7"`` raises to 7 points; there are also
``"pass"``, ``"buy"``, ``"sell"`` and ``"pick 1"``. Codes such as BZ-30 are rules of the rule digest; each test is named
by the rule that it shows.
"""

from __future__ import annotations

from typing import Any

import pytest

from engine.carcassonne import Decline, Position
from engine.carcassonne.expansions.bridges_castles_bazaars import BazaarClosed, BazaarOpened, BazaarSkipped, bazaar_of
from engine.carcassonne.steps import PlaceTile
from engine.carcassonne.tiles import tile
from engine.events import Event, GameOver, TileDiscarded, TileDrawn, TilePlaced
from gallery.built_positions import arrange
from tests.scenarios.vocabulary import BLUE, GREEN, RED, YELLOW, events_of, may_decline, play_turn, standing_followers
from tests.scenarios.vocabulary_castles import (
    auction_for_free,
    bazaar,
    place_anywhere,
    play_bazaar,
    points_by_seat,
    tile_ids,
    tile_to_place,
)

NO_CITY = ["base/A 0,0 180"]
"""A board on which tiles with city on all sides (base/C and bcb/CCCC) fit nowhere."""


def after_free_auction(*pile: str, **overrides: Any) -> Position:
    """Return the position after Red's bazaar: the first lot is sold to Blue, the second to Green, the third to Red."""
    position = arrange(**{"hand": "bcb/FFFF", "pile": pile, **overrides})
    play_turn(position, "0,1", 0)
    auction_for_free(position)
    return position


def place_all(position: Position) -> list[Event]:
    """Place every bought tile on its first legal cell; return the events."""
    events: list[Event] = []
    while bazaar_of(position) is not None and isinstance(position.step, PlaceTile):
        events += place_anywhere(position)
    return events


def test_BZ_07_a_bought_bazaar_tile_opens_no_bazaar() -> None:
    position = after_free_auction("bcb/RFRF-a", "base/U", "base/V", *["base/U"] * 9)
    assert tile_to_place(position) == (BLUE, "bcb/RFRF-a")
    events = place_anywhere(position)
    assert events_of(BazaarOpened, events) == []
    assert tile_to_place(position) == (GREEN, "base/U")
    assert events_of(BazaarOpened, place_all(position)) == []


def test_BZ_08_after_the_round_a_drawn_bazaar_tile_opens_the_next() -> None:
    position = after_free_auction("bcb/RFRF-a", "base/U", "base/V", "bcb/RFRF-b", *["base/U"] * 9)
    place_all(position)
    assert tile_to_place(position) == (BLUE, "bcb/RFRF-b")
    events = place_anywhere(position)
    assert [opened.player for opened in events_of(BazaarOpened, events)] == [BLUE]
    assert position.player == GREEN


def after_buying_unplaceable_tile(*pile: str, **overrides: Any) -> Position:
    """Return the position after Blue has bought a tile that fits nowhere."""
    return after_free_auction("bcb/CCCC", "base/U", "base/V", *pile, tiles=NO_CITY, **overrides)


def test_BZ_09_a_bazaar_drawn_as_a_replacement_is_held_after_the_round() -> None:
    position = after_buying_unplaceable_tile("bcb/RFRF-a", *["base/U"] * 9)
    assert tile_to_place(position) == (BLUE, "bcb/RFRF-a")
    events = place_anywhere(position)
    assert events_of(BazaarOpened, events) == []
    assert position.player == GREEN
    assert events_of(BazaarOpened, place_anywhere(position)) == []
    assert position.player == RED
    events = place_anywhere(position)
    assert [opened.player for opened in events_of(BazaarOpened, events)] == [BLUE]
    assert tile_ids(bazaar(position).tiles) == ["base/U"] * 3
    assert position.player == GREEN


def test_BZ_09_play_continues_after_the_first_active_player() -> None:
    position = after_buying_unplaceable_tile("bcb/RFRF-a", *["base/U"] * 9)
    for _ in range(3):
        place_anywhere(position)
    auction_for_free(position)
    order = []
    while bazaar_of(position) is not None:
        order.append(position.player)
        place_anywhere(position)
    assert order == [GREEN, RED, BLUE]
    assert position.player == BLUE


def test_BZ_38_delayed_bazaars_are_held_in_the_order_in_which_their_tiles_were_placed() -> None:
    position = after_free_auction(
        "bcb/CCCC", "base/C", "base/U", "bcb/RFRF-a", "bcb/RFRF-b", *["base/U"] * 9, tiles=NO_CITY
    )
    opened: list[int] = []
    while position.pile_left > 3:
        events = auction_for_free(position) + place_anywhere(position)
        opened += [event.player for event in events_of(BazaarOpened, events)]
    assert opened == [BLUE, GREEN]


@pytest.mark.parametrize(("active", "order"), [(GREEN, [YELLOW, RED, BLUE, GREEN]), (RED, [BLUE, GREEN, YELLOW, RED])])
def test_BZ_30_the_player_after_the_active_player_places_first(active: int, order: list[int]) -> None:
    position = after_free_auction(*["base/U"] * 12, players=4, player=active)
    placed = [event.player for event in events_of(TilePlaced, place_all(position))]
    assert placed == order


def test_BZ_30_no_tile_is_placed_before_the_auction_is_over() -> None:
    position = arrange(hand="bcb/FFFF")
    play_turn(position, "0,1", 0)
    events = play_bazaar(position, "1@0", "pass", "pass")
    assert not isinstance(position.step, PlaceTile)
    events += play_bazaar(position, "2@0", "pass")
    assert isinstance(position.step, PlaceTile)
    assert events_of(TilePlaced, events) == []


def test_BZ_30_each_player_places_their_own_tile() -> None:
    position = arrange(hand="bcb/FFFF", pile=["base/U", "base/V", "base/W", *["base/U"] * 9])
    play_turn(position, "0,1", 0)
    play_bazaar(position, "3@0", "pass", "1", "sell", "1@0", "pass")
    placed = []
    while bazaar_of(position) is not None:
        placed.append(tile_to_place(position))
        place_anywhere(position)
    assert placed == [(BLUE, "base/V"), (GREEN, "base/U"), (RED, "base/W")]


def test_BZ_31_each_placement_is_scored_before_the_next() -> None:
    position = after_free_auction(
        "base/A",
        *["base/U"] * 11,
        tiles=["base/D 0,0 0", "base/A 4,0 270", "base/U 5,0", "base/U 6,0"],
        followers=["1 5,0 road.W"],
    )
    assert points_by_seat(play_turn(position, "7,0", 90)) == {BLUE: 4}
    assert position.scores == [0, 4, 0]
    assert position.player == GREEN


def test_BZ_31_a_bought_tile_counts_as_a_turn_of_its_own_for_bridge_and_follower() -> None:
    position = after_free_auction("base/B", "base/B", *["base/U"] * 10)
    play_turn(position, "1,0", 0, aid="1,0 WE", deploy="monastery")
    assert position.supply["bridge"] == [3, 2, 3]
    play_turn(position, "-1,0", 0, aid="-1,0 WE", deploy="monastery")
    assert position.supply["bridge"] == [3, 2, 2]
    assert standing_followers(position) == {(BLUE, "1,0", "monastery"), (GREEN, "-1,0", "monastery")}


def test_BZ_32_a_bought_tile_that_fits_nowhere_is_replaced_and_not_paid_back() -> None:
    position = arrange(
        tiles=NO_CITY,
        scores=[10, 10, 10],
        hand="bcb/FFFF",
        pile=["bcb/CCCC", "base/U", "base/V", "base/W", *["base/U"] * 5],
    )
    play_turn(position, "0,1", 0)
    play_bazaar(position, "1@4", "pass", "pass")
    events = play_bazaar(position, "2@0", "pass")
    assert events_of(TileDiscarded, events) == [TileDiscarded(BLUE, tile("bcb/CCCC"), declined=False)]
    assert events_of(TileDrawn, events) == [TileDrawn(BLUE, tile("base/W"))]
    assert tile_to_place(position) == (BLUE, "base/W")
    assert position.scores == [10, 6, 10]
    place_anywhere(position)
    assert tile_to_place(position) == (GREEN, "base/U")


def test_BZ_32_a_replacement_that_fits_nowhere_is_replaced_too() -> None:
    position = after_buying_unplaceable_tile("base/C", "base/W", *["base/U"] * 5)
    assert tile_to_place(position) == (BLUE, "base/W")


def test_BZ_32_a_bought_tile_that_fits_only_with_a_bridge_may_be_declined_and_is_replaced() -> None:
    position = arrange(
        tiles=["base/L 0,0 0"], hand="bcb/CCCC", pile=["base/B", "base/U", "base/V", "bcb/RFRF-a", *["base/U"] * 5]
    )
    play_turn(position, "0,-1", 0)
    auction_for_free(position)
    assert tile_to_place(position) == (BLUE, "base/B")
    assert may_decline(position)
    events = position.apply(Decline())
    assert events_of(TileDiscarded, events) == [TileDiscarded(BLUE, tile("base/B"), declined=True)]
    assert tile_to_place(position) == (BLUE, "bcb/RFRF-a")
    place_three = [event for _ in range(3) for event in place_anywhere(position)]
    assert [opened.player for opened in events_of(BazaarOpened, place_three)] == [BLUE]


def test_BZ_32_with_no_tile_left_that_player_places_nothing() -> None:
    position = after_buying_unplaceable_tile()
    assert tile_to_place(position) == (GREEN, "base/U")
    place_anywhere(position)
    place_anywhere(position)
    assert position.step is None


def test_BZ_33_after_the_round_the_player_after_the_active_player_draws() -> None:
    position = after_free_auction(*["base/U"] * 3, "base/W", *["base/U"] * 5)
    events = place_all(position)
    assert len(events_of(BazaarClosed, events)) == 1
    assert events_of(TileDrawn, events) == [TileDrawn(BLUE, tile("base/W"))]
    assert bazaar_of(position) is None
    assert position.player == BLUE


def test_BZ_34_the_lots_may_be_the_last_tiles() -> None:
    position = after_free_auction(*["base/U"] * 3)
    assert position.pile_left == 0
    events = place_all(position)
    assert [placed.player for placed in events_of(TilePlaced, events)] == [BLUE, GREEN, RED]
    assert isinstance(events[-1], GameOver)
    assert position.step is None


def test_BZ_46_a_delayed_bazaar_needs_its_tiles_when_it_starts() -> None:
    position = after_buying_unplaceable_tile("bcb/RFRF-a", "base/W", "base/U")
    events = place_all(position)
    assert events_of(BazaarOpened, events) == []
    assert events_of(BazaarSkipped, events) == [BazaarSkipped(BLUE)]
    assert tile_to_place(position) == (BLUE, "base/W")


def test_BZ_46_tiles_drawn_in_the_meantime_do_not_count() -> None:
    position = after_free_auction(
        "bcb/CCCC", "base/C", "base/U", "bcb/RFRF-a", "base/W", "base/U", "base/U", tiles=NO_CITY
    )
    events = [event for _ in range(3) for event in place_anywhere(position)]
    assert events_of(BazaarSkipped, events) == [BazaarSkipped(BLUE)]


def test_BZ_46_a_delayed_bazaar_with_enough_tiles_is_held() -> None:
    position = after_buying_unplaceable_tile("bcb/RFRF-a", "base/W", "base/U", "base/U")
    events = [event for _ in range(3) for event in place_anywhere(position)]
    assert [opened.player for opened in events_of(BazaarOpened, events)] == [BLUE]
    assert position.pile_left == 0
