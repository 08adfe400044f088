"""Options of bazaars: too few tiles (BZ-06, BZ-46), limits of bids (BZ-22), next selectors (BZ-25), drafts (HV-01 …).

In a draft each player picks a tile instead of bidding. HV codes are variants, and ED codes are differences between
editions.

A bazaar is an auction of tiles, the lots; each player gets one. The selector chooses the lot that comes up. Decisions
are written as texts: ``"1@0"`` puts up lot 1 with an opening bid of 0, ``"7"`` raises to 7 points; there are also
``"pass"``, ``"buy"``, ``"sell"`` and ``"pick 1"``. Codes such as BZ-06 are rules of the rule digest; each test is named
by the rule that it shows.
"""

from __future__ import annotations

import pytest

from engine.actions import Pass
from engine.carcassonne import Position
from engine.carcassonne.expansions.bridges_castles_bazaars import (
    BazaarDelayed,
    BazaarOpened,
    BazaarSkipped,
    Bid,
    BidOnLot,
    Buy,
    ChooseLot,
    LotSold,
    PickLot,
    SelectLot,
    Sell,
    bazaar_of,
)
from engine.carcassonne.options import PRESETS, Options
from engine.carcassonne.steps import PlaceTile
from engine.events import Event, GameOver, Scored, TileDrawn, TilePlaced
from gallery.built_positions import arrange
from tests.scenarios.vocabulary import BLUE, GREEN, RED, YELLOW, assert_illegal, events_of, play_turn
from tests.scenarios.vocabulary_castles import (
    auction_for_free,
    bazaar,
    place_anywhere,
    play_bazaar,
    points_by_seat,
    tile_ids,
    tile_to_place,
)

OWN_SCORE = Options(bazaar_bid_limit="own_score")
"""The option by which players cannot bid more points than they have."""
DRAFT = Options(bazaar_mode="draft")
"""The option with which players pick tiles instead of bidding."""
FIRST_ZMG_EDITION = PRESETS["c1_zmg"]
"""The options of the first edition of Z-Man Games."""
LOTS = ["base/U", "base/V", "base/W"]
"""The lots of the bazaar."""


def open_bazaar(options: Options, scores: list[int], pile: list[str] | None = None) -> Position:
    """Return the position after Red has placed a bazaar tile."""
    position = arrange(
        players=len(scores),
        scores=scores,
        hand="bcb/FFFF",
        pile=[*LOTS, *["base/U"] * 9] if pile is None else pile,
        options=options,
    )
    play_turn(position, "0,1", 0)
    return position


# BZ-22: no bid above the player's own points.


@pytest.mark.parametrize("options", [OWN_SCORE, FIRST_ZMG_EDITION])
def test_BZ_22_no_player_bids_more_than_they_have(options: Options) -> None:
    position = open_bazaar(options, [10, 2, 2])
    play_bazaar(position, "1@2")
    assert position.player == GREEN
    assert [action for action in position.legal_actions if isinstance(action, Bid)] == []
    assert Pass() in position.legal_actions
    play_bazaar(position, "pass")
    assert Bid(10) in position.legal_actions
    assert_illegal(position, Bid(11))


def test_BZ_22_a_selector_without_points_opens_with_zero() -> None:
    position = open_bazaar(OWN_SCORE, [10, 0, 10])
    openings = {action.bid for action in position.legal_actions if isinstance(action, SelectLot)}
    assert openings == {0}
    assert_illegal(position, SelectLot(1, 1))


def test_BZ_22_a_selector_may_open_with_all_their_points() -> None:
    position = open_bazaar(OWN_SCORE, [10, 3, 10])
    assert SelectLot(1, 3) in position.legal_actions
    assert_illegal(position, SelectLot(1, 4))


def test_BZ_22_a_selector_cannot_buy_for_more_than_they_have() -> None:
    position = open_bazaar(OWN_SCORE, [10, 2, 10])
    play_bazaar(position, "1@1", "pass", "5")
    assert position.player == BLUE
    assert Sell() in position.legal_actions
    assert_illegal(position, Buy())
    play_bazaar(position, "sell")
    assert position.scores == [5, 7, 10]


def test_BZ_22_a_selector_may_buy_for_exactly_what_they_have() -> None:
    position = open_bazaar(OWN_SCORE, [10, 5, 10])
    play_bazaar(position, "1@1", "pass", "5", "buy")
    assert position.scores == [15, 0, 10]


# BZ-23: a draft when no player has points.


@pytest.mark.parametrize("options", [FIRST_ZMG_EDITION, Options(bazaar_all_zero_fallback="draft")])
def test_BZ_23_a_draft_is_held_when_no_player_has_points(options: Options) -> None:
    position = open_bazaar(options, [0, 0, 0])
    assert bazaar(position).draft
    assert PickLot(1) in position.legal_actions
    assert_illegal(position, SelectLot(1, 0))


def test_BZ_23_an_auction_is_held_when_one_player_has_a_point() -> None:
    position = open_bazaar(FIRST_ZMG_EDITION, [0, 0, 1])
    assert not bazaar(position).draft
    assert SelectLot(1, 0) in position.legal_actions


def test_HV_03_a_draft_for_lack_of_points_is_held_like_any_other() -> None:
    position = open_bazaar(FIRST_ZMG_EDITION, [0, 0, 0])
    play_bazaar(position, "pick 3")
    assert tile_to_place(position) == (BLUE, "base/W")
    place_anywhere(position)
    assert position.player == GREEN
    assert position.scores == [0, 0, 0]


def test_BZ_23_by_the_standard_rules_there_is_always_an_auction() -> None:
    assert not bazaar(open_bazaar(Options(), [0, 0, 0])).draft


def test_BZ_23_points_scored_with_the_bazaar_tile_count() -> None:
    position = arrange(
        tiles=["base/A 0,0 0"],
        followers=["0 0,0 road.S"],
        hand="bcb/RFRF-a",
        pile=["base/U"] * 9,
        options=FIRST_ZMG_EDITION,
    )
    play_turn(position, "0,1", 0)
    assert position.scores == [2, 0, 0]
    assert not bazaar(position).draft


# BZ-25: the next selector.


@pytest.mark.parametrize("options", [Options(bazaar_next_selector="same_until_served"), PRESETS["bb3_rgg"]])
def test_BZ_25_a_selector_who_sold_may_select_again_at_once(options: Options) -> None:
    position = open_bazaar(options, [10, 10, 10, 10])
    play_bazaar(position, "1@0", "2", "pass", "pass", "sell")
    assert bazaar(position).owners[0] == GREEN
    assert isinstance(position.step, ChooseLot)
    assert position.player == BLUE
    play_bazaar(position, "2@0", "pass", "pass")
    assert bazaar(position).owners[1] == BLUE
    assert position.player == YELLOW


# BZ-06, ED-05: fewer tiles than players.

REVEAL_REST = Options(bazaar_too_few_tiles="reveal_rest")
"""The option with which a bazaar opens with the tiles that remain, fewer than players."""


def test_BZ_06_the_rest_may_be_turned_up_and_auctioned() -> None:
    position = open_bazaar(REVEAL_REST, [10, 10, 10], ["base/U", "base/V"])
    assert tile_ids(bazaar(position).tiles) == ["base/U", "base/V"]
    play_bazaar(position, "1@0", "pass", "pass")
    assert bazaar(position).owners == (BLUE, -1)
    assert isinstance(position.step, ChooseLot)
    assert position.player == GREEN
    play_bazaar(position, "2@0")
    assert isinstance(position.step, BidOnLot)
    assert position.player == RED
    play_bazaar(position, "2", "sell")
    assert position.scores == [8, 10, 12]
    placed = []
    while isinstance(position.step, PlaceTile):
        placed.append(tile_to_place(position))
        place_anywhere(position)
    assert placed == [(BLUE, "base/U"), (RED, "base/V")]
    assert position.step is None


def test_BZ_06_a_player_without_a_tile_places_none() -> None:
    position = open_bazaar(REVEAL_REST, [10, 10, 10], ["base/U"])
    events = play_bazaar(position, "1@0", "pass", "pass")
    events += place_anywhere(position)
    assert [placed.player for placed in events_of(TilePlaced, events)] == [BLUE]
    assert isinstance(events[-1], GameOver)


def test_BZ_06_with_no_tile_left_there_is_nothing_to_turn_up() -> None:
    position = open_bazaar(REVEAL_REST, [10, 10, 10], [])
    assert bazaar_of(position) is None
    assert position.step is None


# BZ-32, BZ-46.


def test_BZ_32_a_bought_tile_that_fits_nowhere_may_be_lost() -> None:
    position = arrange(
        tiles=["base/A 0,0 180"],
        scores=[10, 10, 10],
        hand="bcb/FFFF",
        pile=["bcb/CCCC", "base/U", "base/V", "base/W", *["base/U"] * 5],
        options=Options(auctioned_tile_unplaceable="discard_no_redraw"),
    )
    play_turn(position, "0,1", 0)
    play_bazaar(position, "1@4", "pass", "pass")
    events = play_bazaar(position, "2@0", "pass")
    assert events_of(TileDrawn, events) == []
    assert tile_to_place(position) == (GREEN, "base/U")
    assert position.scores == [10, 6, 10]
    assert position.pile_left == 6


def test_BZ_46_the_tiles_may_be_counted_when_the_bazaar_is_drawn() -> None:
    position = arrange(
        tiles=["base/A 0,0 180"],
        hand="bcb/FFFF",
        pile=["bcb/CCCC", "base/C", "base/U", "bcb/RFRF-a", "base/W", "base/U", "base/U"],
        options=Options(bazaar_tile_count_check="when_drawn"),
    )
    play_turn(position, "0,1", 0)
    auction_for_free(position)
    events = [event for _ in range(3) for event in place_anywhere(position)]
    assert events_of(BazaarSkipped, events) == []
    assert [tile_ids(event.tiles) for event in events_of(BazaarOpened, events)] == [["base/U", "base/U"]]


def replace_unplaceable_lots(options: Options, *drawn: str) -> tuple[Position, list[Event]]:
    """Hold a bazaar with two lots that fit nowhere; return the position after Blue has placed the first replacement.

    The first replacement is a bazaar tile, the next ones are ``drawn``.
    """
    position = arrange(
        tiles=["base/A 0,0 180"],
        hand="bcb/FFFF",
        pile=["bcb/CCCC", "base/C", "base/U", "bcb/RFRF-a", *drawn],
        options=options,
    )
    play_turn(position, "0,1", 0)
    auction_for_free(position)
    events = place_anywhere(position)
    assert events_of(TilePlaced, events)[0].tile.id == "bcb/RFRF-a"
    return position, events


def test_BZ_46_counted_when_drawn_a_bazaar_may_be_skipped_while_another_is_held() -> None:
    position, events = replace_unplaceable_lots(Options(bazaar_tile_count_check="when_drawn"), "base/W", "base/U")
    assert events_of(BazaarSkipped, events) == [BazaarSkipped(BLUE)]
    assert events_of(BazaarDelayed, events) == []
    events = place_anywhere(position) + place_anywhere(position)
    assert events_of(BazaarSkipped, events) == events_of(BazaarOpened, events) == []


def test_BZ_46_counted_at_its_start_a_bazaar_is_skipped_then() -> None:
    position, events = replace_unplaceable_lots(Options(), "base/W", "base/U")
    assert events_of(BazaarDelayed, events) == [BazaarDelayed(BLUE)]
    events = place_anywhere(position) + place_anywhere(position)
    assert events_of(BazaarSkipped, events) == [BazaarSkipped(BLUE)]
    assert events_of(BazaarOpened, events) == []


def test_BZ_46_two_skipped_bazaars_are_both_announced() -> None:
    position, events = replace_unplaceable_lots(Options(), "bcb/RFRF-a", "base/U")
    events += place_anywhere(position)
    assert events_of(BazaarDelayed, events) == [BazaarDelayed(BLUE), BazaarDelayed(GREEN)]
    assert events_of(BazaarSkipped, place_anywhere(position)) == [BazaarSkipped(BLUE), BazaarSkipped(GREEN)]


def test_BZ_46_counted_when_drawn_a_bazaar_still_needs_a_tile_at_its_start() -> None:
    options = Options(bazaar_tile_count_check="when_drawn")
    position, events = replace_unplaceable_lots(options, "base/C", "base/C", "base/W")
    assert events_of(BazaarDelayed, events) == [BazaarDelayed(BLUE)]
    events = place_anywhere(position) + place_anywhere(position)
    assert events_of(BazaarSkipped, events) == [BazaarSkipped(BLUE)]
    assert events_of(BazaarOpened, events) == []


def test_BZ_06_an_empty_pile_has_no_rest_to_turn_up() -> None:
    options = Options(bazaar_tile_count_check="when_drawn", bazaar_too_few_tiles="reveal_rest")
    position = arrange(
        players=2, tiles=["base/A 0,0 180"], hand="bcb/FFFF", pile=["bcb/CCCC", "base/U", "bcb/RFRF-a"], options=options
    )
    play_turn(position, "0,1", 0)
    auction_for_free(position)
    events = place_anywhere(position)
    assert events_of(BazaarSkipped, events) == [BazaarSkipped(BLUE)]
    assert events_of(BazaarDelayed, events) == []


def test_BZ_46_a_bazaar_drawn_with_too_few_tiles_is_skipped() -> None:
    position = open_bazaar(Options(bazaar_tile_count_check="when_drawn"), [0, 0, 0], ["base/U", "base/V"])
    assert bazaar_of(position) is None
    assert position.player == BLUE


# The draft.


def pick_or_place(position: Position) -> list[Event]:
    """Pick the first remaining tile, or place the picked one; return the events."""
    if isinstance(position.step, ChooseLot):
        return play_bazaar(position, f"pick {bazaar(position).open_lots[0] + 1}")
    return place_anywhere(position)


def test_HV_01_each_picks_a_tile_and_places_it_at_once() -> None:
    position = open_bazaar(DRAFT, [10, 10, 10])
    order = []
    for lot in (2, 3):
        assert isinstance(position.step, ChooseLot)
        picker = position.player
        play_bazaar(position, f"pick {lot}")
        assert isinstance(position.step, PlaceTile)
        order.append((picker, *tile_to_place(position)))
        place_anywhere(position)
    order.append((RED, *tile_to_place(position)))
    place_anywhere(position)
    assert order == [(BLUE, BLUE, "base/V"), (GREEN, GREEN, "base/W"), (RED, RED, "base/U")]
    assert bazaar_of(position) is None
    assert isinstance(position.step, PlaceTile)
    assert position.player == BLUE
    assert position.scores == [10, 10, 10]


def test_HV_01_a_tile_that_is_taken_cannot_be_picked() -> None:
    position = open_bazaar(DRAFT, [10, 10, 10])
    play_bazaar(position, "pick 2")
    place_anywhere(position)
    assert position.player == GREEN
    assert_illegal(position, PickLot(2))
    assert {action.lot for action in position.legal_actions if isinstance(action, PickLot)} == {1, 3}


@pytest.mark.parametrize("action", [Pass(), SelectLot(1, 0), Bid(1), PickLot(4), PickLot(0)])
def test_HV_01_the_picker_must_pick_and_nothing_else(action: Pass | SelectLot | Bid | PickLot) -> None:
    assert_illegal(open_bazaar(DRAFT, [10, 10, 10]), action)


def test_HV_01_as_many_tiles_as_players_are_turned_up() -> None:
    position = open_bazaar(DRAFT, [0, 0, 0, 0])
    assert tile_ids(bazaar(position).tiles) == [*LOTS, "base/U"]
    assert bazaar(position).draft
    assert position.pile_left == 8


def test_HV_01_too_few_tiles_skip_a_draft_too() -> None:
    position = open_bazaar(DRAFT, [0, 0, 0], ["base/U", "base/V"])
    assert bazaar_of(position) is None
    assert isinstance(position.step, PlaceTile)
    assert position.player == BLUE


def test_HV_02_a_draft_costs_nothing_and_scores_change_by_features_alone() -> None:
    position = arrange(
        tiles=["base/D 0,0 0", "base/A 4,0 270", "base/U 5,0", "base/U 6,0"],
        followers=["1 5,0 road.W"],
        scores=[5, 5, 5],
        hand="bcb/FFFF",
        pile=["base/A", *["base/U"] * 9],
        options=DRAFT,
    )
    events = list(play_turn(position, "0,1", 0))
    events += play_bazaar(position, "pick 1")
    events += play_turn(position, "7,0", 90)
    assert points_by_seat(events) == {BLUE: 4}
    assert position.scores == [5, 9, 5]
    while bazaar_of(position) is not None:
        events += pick_or_place(position)
    assert all(sold.price == 0 for sold in events_of(LotSold, events))
    assert position.scores == [5, 9, 5]


def test_HV_01_a_placement_is_scored_before_the_next_picks() -> None:
    position = arrange(
        tiles=["base/D 0,0 0", "base/A 4,0 270"],
        followers=["1 4,0 road.E"],
        hand="bcb/FFFF",
        pile=["base/A", *["base/U"] * 9],
        options=DRAFT,
    )
    play_turn(position, "0,1", 0)
    play_bazaar(position, "pick 1")
    assert [event.points for event in events_of(Scored, play_turn(position, "5,0", 90))] == [2]
    assert isinstance(position.step, ChooseLot)
    assert position.player == GREEN


def test_HV_07_a_bazaar_tile_placed_in_a_draft_opens_none() -> None:
    position = open_bazaar(DRAFT, [0, 0, 0], ["bcb/RFRF-a", *["base/U"] * 9])
    play_bazaar(position, "pick 1")
    events = place_anywhere(position)
    assert events_of(BazaarOpened, events) == []
    while bazaar_of(position) is not None:
        assert events_of(BazaarOpened, pick_or_place(position)) == []
    assert position.player == BLUE
