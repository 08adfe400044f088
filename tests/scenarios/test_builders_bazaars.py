"""Builders and bazaars: the bazaar first, as usual (BZ-35 … BZ-40, BZ-43), or the builder (BZ-41, BZ-42, HV-04).

A player who extends the road or city of their builder places a second tile, called the builder half of the turn. In the
standard order, the bazaar and the placements of all players come before this second tile.

A bazaar is an auction of as many tiles as there are players; each player places the tile that they got. Codes such as
BZ-35 are rules of the rule digest; each test is named by the rule that it shows. HV are house variants.
"""

from __future__ import annotations

import pytest

from engine.actions import Resign
from engine.carcassonne import Options, Position
from engine.carcassonne.expansions.bridges_castles_bazaars import (
    BazaarClosed,
    BazaarDelayed,
    BazaarOpened,
    BazaarSkipped,
    LotSold,
    LotsSetAside,
    PickLot,
    SelectLot,
    bazaar_of,
)
from engine.carcassonne.expansions.bridges_castles_bazaars.bazaars import set_aside
from engine.events import Event, GameOver, TileDrawn, TilePlaced
from tests.scenarios.vocabulary import (
    BLUE,
    GREEN,
    RED,
    events_of,
    legal_bridges,
    place_tile,
    play_turn,
    points,
    skip_deployment,
)
from tests.scenarios.vocabulary_builders import (
    BLUE_BUILDER,
    BLUE_ROAD,
    GREEN_BUILDER,
    GREEN_ROAD,
    arrange_builders,
    place_far_away,
)
from tests.scenarios.vocabulary_castles import auction_for_free, bazaar, tile_ids, tile_to_place

BUILDER_FIRST = Options(bazaar_builder_order="builder_first")
"""The option with which the builder's tile comes before the bazaar."""
SPARE_TILES = ["base/B"] * 12
"""More tiles than any scenario draws."""
FAR_TILES = ["bcb/FFFF 0,21", "base/X 9,21"]
"""Tiles far from all builders, beside which tiles can be placed without effect."""


def red_bazaar(*pile: str, options: Options | None = None, blue: bool = True, green: bool = True) -> Position:
    """Return the position after Red has extended the road of their builder with a bazaar tile.

    By default, Blue and Green have builders on roads of their own.
    """
    position = arrange_builders(
        tiles=[*BLUE_ROAD, *GREEN_ROAD, *FAR_TILES],
        followers=[*(BLUE_BUILDER if blue else ()), *(GREEN_BUILDER if green else ())],
        hand="bcb/RFRF-a",
        pile=[*pile, *SPARE_TILES],
        options=options,
    )
    play_turn(position, "2,0", 90)
    return position


def summarize(events: list[Event]) -> list[str]:
    """Return a line for each draw, placement, opening and closing: ``B draw U``, ``B lay U``, ``open R``, ``close``."""
    lines = []
    for event in events:
        match event:
            case TileDrawn():
                lines.append(f"{'RBG'[event.player]} draw {event.tile.id[-1]}")
            case TilePlaced():
                lines.append(f"{'RBG'[event.player]} lay {event.tile.id[-1]}")
            case LotsSetAside():
                lines.append(f"{'RBG'[event.player]} aside {event.count}")
            case BazaarOpened():
                lines.append(f"open {'RBG'[event.player]} {''.join(kind.id[-1] for kind in event.tiles)}")
            case BazaarClosed():
                lines.append("close")
            case BazaarDelayed():
                lines.append(f"{'RBG'[event.player]} later")
    return lines


# The standard order: the bazaar first.


def test_IX_06_BZ_35_the_bazaar_with_its_placements_comes_before_the_builders_second_tile() -> None:
    position = red_bazaar("base/U", "base/V", "base/W", "base/X")
    assert tile_ids(bazaar(position).tiles) == ["base/U", "base/V", "base/W"]
    events = auction_for_free(position)
    for seat in (BLUE, GREEN, RED):
        assert position.player == seat
        events += place_far_away(position)
    assert tile_to_place(position) == (RED, "base/X")
    assert bazaar_of(position) is None
    events += place_far_away(position)
    assert summarize(events) == ["B lay U", "G lay V", "R lay W", "close", "R draw X", "R lay X", "B draw B"]


def test_BZ_36_a_bought_tile_is_known_and_the_builders_second_tile_is_drawn() -> None:
    position = red_bazaar("base/U", "base/V", "base/W", "base/X")
    events = auction_for_free(position)
    assert events_of(TileDrawn, events) == []
    assert tile_to_place(position) == (BLUE, "base/U")
    events = play_turn(position, "2,9")
    assert [(event.player, event.tile.id) for event in events_of(TileDrawn, events)] == [(BLUE, "base/X")]


def test_BZ_37_a_bazaar_drawn_by_a_builder_in_the_round_waits_until_it_is_over() -> None:
    position = red_bazaar("base/U", "base/V", "base/W", "bcb/FFFF")
    auction_for_free(position)
    play_turn(position, "2,9")
    assert tile_to_place(position) == (BLUE, "bcb/FFFF")
    events = place_far_away(position)
    assert events_of(BazaarOpened, events) == []
    assert [event.player for event in events_of(BazaarDelayed, events)] == [BLUE]
    assert tile_to_place(position) == (GREEN, "base/V")
    place_far_away(position)
    events = place_far_away(position)
    assert [event.player for event in events_of(BazaarOpened, events)] == [BLUE]
    assert position.player == GREEN
    assert any(isinstance(action, SelectLot) for action in position.legal_actions)


def test_BZ_38_delayed_bazaars_are_held_one_after_another_before_the_first_builders_tile() -> None:
    position = red_bazaar("base/U", "base/U", "base/V", "bcb/FFFF", "bcb/FFFF", *["base/V"] * 3)
    events = auction_for_free(position)
    events += play_turn(position, "2,9")
    events += place_far_away(position)
    events += play_turn(position, "2,18")
    events += place_far_away(position)
    events += place_far_away(position)
    for _ in range(2):
        events += auction_for_free(position)
        for _ in range(3):
            events += place_far_away(position)
    assert summarize(events) == [
        *("B lay U", "B draw F", "B lay F", "B later", "G lay U", "G draw F", "G lay F", "G later", "R lay V", "close"),
        *("open B VVV", "G lay V", "R lay V", "B lay V", "close"),
        *("open G BBB", "R lay B", "B lay B", "G lay B", "close", "R draw B"),
    ]
    assert tile_to_place(position) == (RED, "base/B")


def test_BZ_38_a_bazaar_drawn_in_a_delayed_round_is_held_last() -> None:
    pile = ("base/U", "base/U", "base/V", "bcb/FFFF", "bcb/FFFF", "base/U", "base/V", "base/V", "bcb/FFFF")
    position = red_bazaar(*pile)
    events = auction_for_free(position)
    events += play_turn(position, "2,9")
    events += place_far_away(position)
    events += play_turn(position, "2,18")
    events += place_far_away(position)
    events += place_far_away(position)
    assert bazaar(position).active == BLUE
    events += auction_for_free(position)
    assert tile_to_place(position) == (GREEN, "base/U")
    events += play_turn(position, "3,18")
    assert tile_to_place(position) == (GREEN, "bcb/FFFF")
    events += place_far_away(position)
    events += place_far_away(position)
    events += place_far_away(position)
    opened = [event.player for event in events_of(BazaarOpened, events)]
    delayed = [event.player for event in events_of(BazaarDelayed, events)]
    assert (opened, delayed) == ([BLUE, GREEN], [BLUE, GREEN, GREEN])


def test_BZ_39_a_buyers_builder_half_comes_before_the_next_buyer() -> None:
    position = red_bazaar("base/U", "base/V", "base/W", "base/X")
    auction_for_free(position)
    play_turn(position, "2,9")
    assert tile_to_place(position) == (BLUE, "base/X")
    place_far_away(position)
    assert tile_to_place(position) == (GREEN, "base/V")


def test_BZ_39_a_buyers_second_tile_grants_no_third() -> None:
    position = red_bazaar("base/U", "base/V", "base/W", "base/U")
    auction_for_free(position)
    play_turn(position, "2,9")
    play_turn(position, "3,9")
    assert tile_to_place(position) == (GREEN, "base/V")


def test_BZ_40_the_whole_sequence_of_a_round() -> None:
    position = red_bazaar("base/U", "base/U", "base/U", "base/V", "bcb/FFFF", "base/V", *["base/V"] * 3, "base/X")
    assert position.pile_left == 19
    events = auction_for_free(position)
    for cell in ("2,9", "2,18", "-1,0"):
        events += play_turn(position, cell)
        events += place_far_away(position)
    events += auction_for_free(position)
    for _ in range(3):
        events += place_far_away(position)
    events += place_far_away(position)
    assert summarize(events) == [
        *("B lay U", "B draw V", "B lay V"),
        *("G lay U", "G draw F", "G lay F", "G later"),
        *("R lay U", "R draw V", "R lay V", "close"),
        *("open G VVV", "R lay V", "B lay V", "G lay V", "close"),
        *("R draw X", "R lay X", "B draw B"),
    ]


def test_BZ_43_a_bazaar_drawn_in_the_last_builder_half_is_held() -> None:
    position = red_bazaar("base/U", "base/V", "base/W", "bcb/FFFF")
    auction_for_free(position)
    for _ in range(3):
        place_far_away(position)
    assert tile_to_place(position) == (RED, "bcb/FFFF")
    events = place_far_away(position)
    assert [event.player for event in events_of(BazaarOpened, events)] == [RED]
    assert position.player == BLUE


def test_BZ_43_builders_grant_second_tiles_in_such_a_bazaar_too() -> None:
    position = red_bazaar("base/V", "base/V", "base/W", "bcb/FFFF", "base/U", "base/V", "base/V", "base/X")
    auction_for_free(position)
    for _ in range(4):
        place_far_away(position)
    auction_for_free(position)
    play_turn(position, "2,9")
    assert tile_to_place(position) == (BLUE, "base/X")


def test_BZ_47_the_lots_are_the_first_tiles_of_the_pile_in_either_order() -> None:
    pile = ("base/U", "base/V", "base/W", "base/X")
    first, second = red_bazaar(*pile), red_bazaar(*pile, options=BUILDER_FIRST)
    lots = tile_ids(bazaar(first).tiles)
    assert lots == ["base/U", "base/V", "base/W"]
    assert tile_to_place(second) == (RED, "base/X")
    place_far_away(second)
    assert tile_ids(bazaar(second).tiles) == lots


def test_BZ_34_when_the_lots_were_the_last_tiles_there_is_no_second_tile() -> None:
    position = arrange_builders(hand="bcb/RFRF-a", pile=["base/V"] * 3, tiles=FAR_TILES)
    play_turn(position, "2,0", 90)
    auction_for_free(position)
    place_far_away(position)
    place_far_away(position)
    assert isinstance(place_far_away(position)[-1], GameOver)


def test_HV_01_in_a_draft_too_a_builder_half_comes_before_the_next_pick() -> None:
    position = red_bazaar("base/U", "base/V", "base/W", "base/X", options=Options(bazaar_mode="draft"))
    position.apply(PickLot(1))
    play_turn(position, "2,9")
    assert tile_to_place(position) == (BLUE, "base/X")
    place_far_away(position)
    assert position.player == GREEN
    assert PickLot(2) in position.legal_actions


# The other order: the builder first.


def test_BZ_41_the_builders_second_tile_comes_before_the_auction() -> None:
    position = red_bazaar("base/U", "base/V", "base/W", "base/X", options=BUILDER_FIRST)
    assert bazaar_of(position) is None
    assert tile_to_place(position) == (RED, "base/X")
    events = place_far_away(position)
    events += auction_for_free(position)
    for seat in (BLUE, GREEN, RED):
        assert position.player == seat
        events += place_far_away(position)
    assert summarize(events) == ["R lay X", "open R UVW", "B lay U", "G lay V", "R lay W", "close", "B draw B"]


def test_BZ_41_tiles_set_aside_stay_face_down() -> None:
    position = arrange_builders(
        tiles=FAR_TILES,
        hand="bcb/RFRF-a",
        pile=["base/U", "base/V", "base/W", "base/X", *SPARE_TILES],
        options=BUILDER_FIRST,
    )
    pile = position.pile_left
    events = play_turn(position, "2,0", 90)
    assert [(event.player, event.count) for event in events_of(LotsSetAside, events)] == [(RED, 3)]
    assert position.pile_left == pile - 4
    assert list(set_aside(position)) == [1, 2, 3]
    assert not any(name in repr((position, position.agenda, position.extra)) for name in ("base/V", "base/W"))


def test_BZ_41_without_a_builder_half_the_tiles_are_turned_up_at_once() -> None:
    position = arrange_builders(
        tiles=FAR_TILES, hand="bcb/FFFF", pile=["base/U", "base/V", "base/W"], options=BUILDER_FIRST
    )
    events = place_far_away(position)
    assert summarize(events) == ["R lay F", "open R UVW"]
    assert set_aside(position) == range(0)


def test_BZ_41_buyers_have_their_builder_halves_as_usual() -> None:
    position = red_bazaar("base/U", "base/V", "base/W", "base/X", "base/X", options=BUILDER_FIRST)
    place_far_away(position)
    auction_for_free(position)
    play_turn(position, "2,9")
    assert tile_to_place(position) == (BLUE, "base/X")
    place_far_away(position)
    assert tile_to_place(position) == (GREEN, "base/V")


def test_BZ_42_a_bazaar_drawn_in_the_active_players_own_half_is_delayed_too() -> None:
    position = red_bazaar("base/U", "base/V", "base/W", "bcb/FFFF", "base/X", options=BUILDER_FIRST)
    assert tile_to_place(position) == (RED, "bcb/FFFF")
    events = place_far_away(position)
    assert summarize(events) == ["R lay F", "R later", "open R UVW"]
    auction_for_free(position)
    place_far_away(position)
    place_far_away(position)
    events = place_far_away(position)
    assert summarize(events) == ["R lay W", "close", "open R XBB"]
    assert position.player == BLUE


def test_HV_04_by_the_builder_first_order_the_second_tile_precedes_the_auction() -> None:
    standard, variant = (red_bazaar(*["base/V"] * 4, options=options) for options in (Options(), BUILDER_FIRST))
    assert any(isinstance(action, SelectLot) for action in standard.legal_actions)
    assert tile_to_place(variant) == (RED, "base/V")


def test_BZ_23_points_are_checked_for_a_draft_when_the_tiles_are_turned_up() -> None:
    options = Options(bazaar_builder_order="builder_first", bazaar_all_zero_fallback="draft")
    position = arrange_builders(
        tiles=["base/A 0,21 270"],
        followers=["1 0,21 road.E"],
        hand="bcb/RFRF-a",
        pile=["base/U", "base/V", "base/W", "base/A", *SPARE_TILES],
        options=options,
    )
    play_turn(position, "2,0", 90)
    assert points(play_turn(position, "1,21", 90)) == [(BLUE, 2)]
    assert not bazaar(position).draft


@pytest.mark.parametrize("options", [Options(), BUILDER_FIRST])
def test_BZ_06_without_a_bazaar_the_second_tile_comes_at_once(options: Options) -> None:
    position = arrange_builders(hand="bcb/RFRF-a", pile=["base/V", "base/V"], options=options)
    events = play_turn(position, "2,0", 90)
    assert events_of(BazaarSkipped, events)
    assert tile_to_place(position) == (RED, "base/V")


@pytest.mark.parametrize("options", [Options(), BUILDER_FIRST])
def test_BZ_27_every_player_gets_one_tile_in_either_order(options: Options) -> None:
    position = red_bazaar("base/U", "base/V", "base/W", "base/V", options=options)
    events: list[Event] = []
    if bazaar_of(position) is None:
        place_far_away(position)
    events += auction_for_free(position)
    assert sorted(event.player for event in events_of(LotSold, events)) == [RED, BLUE, GREEN]


def test_the_auction_continues_when_the_active_player_resigns_in_a_builder_half() -> None:
    position = red_bazaar("base/U", "base/V", "base/W", "base/X", options=BUILDER_FIRST)
    events = list(position.apply(Resign(RED)))
    assert summarize(events) == ["open R UVW"]
    assert position.player == BLUE
    auction_for_free(position)
    place_far_away(position)
    events = place_far_away(position)
    assert summarize(events)[:2] == ["G lay V", "close"]


def test_the_game_ends_when_one_player_is_left_in_a_builder_half() -> None:
    position = red_bazaar("base/U", "base/V", "base/W", "base/X", options=BUILDER_FIRST)
    position.apply(Resign(BLUE))
    assert isinstance(position.apply(Resign(GREEN))[-1], GameOver)
    assert bazaar_of(position) is None


# Bridges: a bought tile is a turn of its own, and its builder half belongs to that turn (O-21).


def test_BR_02_per_turn_each_half_counts_the_bridge_of_its_own_first_tile() -> None:
    position = arrange_builders(
        tiles=[*BLUE_ROAD, *FAR_TILES],
        followers=BLUE_BUILDER,
        hand="bcb/RFRF-a",
        pile=["base/U", "base/V", "base/W", "base/B", "base/B", *SPARE_TILES],
        options=Options(bridge_limit_scope="per_turn"),
    )
    play_turn(position, "2,0", 90, build="2,0 NS")
    auction_for_free(position)
    play_turn(position, "2,9")
    assert tile_to_place(position) == (BLUE, "base/B")
    place_tile(position, "0,22")
    assert "0,22 WE" in legal_bridges(position)
    skip_deployment(position)
    place_far_away(position)
    place_far_away(position)
    assert tile_to_place(position) == (RED, "base/B")
    place_tile(position, "-1,21")
    assert legal_bridges(position) == set()


@pytest.mark.parametrize("earlier_bridges", [[], ["1,0 NS"]], ids=["none before", "one of an earlier turn"])
def test_BR_02_per_turn_bridges_of_bought_tiles_and_of_other_turns_do_not_count(earlier_bridges: list[str]) -> None:
    position = arrange_builders(
        tiles=FAR_TILES,
        bridges=earlier_bridges,
        hand="bcb/RFRF-a",
        pile=["base/B", "base/B", "base/B", "base/B", *SPARE_TILES],
        options=Options(bridge_limit_scope="per_turn"),
    )
    play_turn(position, "2,0", 90)
    auction_for_free(position)
    play_turn(position, "0,22", build="0,22 WE")  # Blue
    place_far_away(position)
    play_turn(position, "-1,21", build="-1,21 NS")  # Red, with the bought tile
    assert tile_to_place(position) == (RED, "base/B")
    place_tile(position, "0,23")
    assert legal_bridges(position)
