"""Legal bids (BZ-12 … BZ-24), the events of auctions and drafts (HV-01), and resignations during a bazaar.

A bazaar is an auction of tiles, the lots; each player gets one. The selector chooses the lot that comes up. Decisions
are written as texts: ``"1@0"`` puts up lot 1 with an opening bid of 0, ``"7"`` raises to 7 points; there are also
``"pass"``, ``"buy"``, ``"sell"`` and ``"pick 1"``. A draft is a bazaar in which each player picks a lot instead of
bidding. Codes such as BZ-12 are rules of the rule digest; each test is named by the rule that it shows.
"""

from __future__ import annotations

import pytest

from engine.actions import Pass, Resign
from engine.carcassonne import Options, Position
from engine.carcassonne.expansions.bridges_castles_bazaars import (
    BANK,
    BazaarClosed,
    Bid,
    BidOnLot,
    ChooseLot,
    LotChosen,
    LotSold,
    PickLot,
    SelectLot,
    still_to_lay,
)
from engine.carcassonne.tiles import tile
from engine.events import TileDiscarded
from tests.scenarios.test_options_bazaar import DRAFT, OWN_SCORE, open_bazaar
from tests.scenarios.vocabulary import BLUE, GREEN, RED, assert_illegal, events_of
from tests.scenarios.vocabulary_castles import auction_for_free, bazaar, place_anywhere, play_bazaar, tile_to_place


def test_BZ_21_without_a_limit_a_table_takes_bids_of_three_digits() -> None:
    position = open_bazaar(Options(), [0, 0, 0])
    assert SelectLot(1, 999) in position.legal_actions
    assert_illegal(position, SelectLot(1, 1000))
    assert_illegal(position, SelectLot(1, 1001))
    play_bazaar(position, "1@998")
    assert list(position.legal_actions) == [Pass(), Bid(999)]
    assert_illegal(position, Bid(1000))


def test_BZ_22_every_opening_that_a_selector_can_pay_is_listed_lot_by_lot() -> None:
    position = open_bazaar(OWN_SCORE, [9, 3, 9])
    assert list(position.legal_actions) == [SelectLot(lot, bid) for lot in (1, 2, 3) for bid in (0, 1, 2, 3)]


def test_BZ_22_a_selector_with_negative_points_opens_with_zero() -> None:
    position = open_bazaar(OWN_SCORE, [9, -5, 9])
    assert list(position.legal_actions) == [SelectLot(lot, 0) for lot in (1, 2, 3)]


@pytest.mark.parametrize(("opening", "raises"), [(0, [1, 2, 3]), (1, [2, 3]), (2, [3]), (3, [])])
def test_BZ_14_passing_and_every_higher_bid_is_listed(opening: int, raises: list[int]) -> None:
    position = open_bazaar(OWN_SCORE, [9, 9, 3])
    play_bazaar(position, f"1@{opening}")
    assert position.player == GREEN
    assert list(position.legal_actions) == [Pass(), *map(Bid, raises)]
    assert len(position.legal_actions) == 1 + len(raises)


def test_BZ_18_events_number_lots_from_one() -> None:
    position = open_bazaar(Options(), [9, 9, 9])
    assert play_bazaar(position, "2@4") == [LotChosen(BLUE, 2, 4)]
    assert LotSold(2, BLUE, 4, payer=BLUE, payee=BANK) in play_bazaar(position, "pass", "pass")
    assert play_bazaar(position, "3@0") == [LotChosen(GREEN, 3, 0)]
    assert events_of(LotSold, play_bazaar(position, "pass")) == [
        LotSold(3, GREEN, 0, payer=GREEN, payee=BANK),
        LotSold(1, RED, 0, payer=RED, payee=BANK),
    ]


# -- drafts -----------------------------------------------------------------------------------------------------------


def test_HV_01_the_event_of_a_pick_says_so() -> None:
    position = open_bazaar(DRAFT, [9, 9, 9])
    assert bazaar(position).selector == position.player == BLUE
    assert list(position.legal_actions) == [PickLot(1), PickLot(2), PickLot(3)]
    assert play_bazaar(position, "pick 2") == [LotSold(2, BLUE, 0, payer=BLUE, payee=BANK, picked=True)]
    place_anywhere(position)
    assert bazaar(position).selector == position.player == GREEN


def test_HV_01_with_fewer_tiles_than_players_the_first_players_pick() -> None:
    options = Options(bazaar_mode="draft", bazaar_too_few_tiles="reveal_rest")
    position = open_bazaar(options, [9, 9, 9], ["base/U", "base/V"])
    play_bazaar(position, "pick 1")
    place_anywhere(position)
    assert tile_to_place(position) == (GREEN, "base/V")
    events = place_anywhere(position)
    assert events_of(BazaarClosed, events) == [BazaarClosed(RED)]
    assert position.is_over


# -- resignations -----------------------------------------------------------------------------------------------------


def test_a_resigning_selector_opens_the_first_lot_with_zero() -> None:
    position = open_bazaar(Options(), [9, 9, 9])
    assert LotChosen(BLUE, 1, 0) in position.apply(Resign(BLUE))
    assert isinstance(position.step, BidOnLot)
    assert position.player == GREEN


def test_the_next_player_picks_when_one_resigns_from_a_draft() -> None:
    position = open_bazaar(DRAFT, [9, 9, 9])
    position.apply(Resign(BLUE))
    assert isinstance(position.step, ChooseLot)
    assert position.player == GREEN
    assert list(position.legal_actions) == [PickLot(1), PickLot(2), PickLot(3)]


def test_a_bazaar_without_resignations_loses_no_tile() -> None:
    position = open_bazaar(Options(), [9, 9, 9])
    events = auction_for_free(position)
    for _ in range(3):
        events += place_anywhere(position)
    assert BazaarClosed(RED) in events
    assert events_of(TileDiscarded, events) == []


# -- tiles still to be placed -----------------------------------------------------------------------------------------


def tiles_to_be_placed(position: Position) -> list[str]:
    """Return the letters of the tiles still to be placed, except the one in hand."""
    return sorted(kind.id[-1] for expansion in position.expansions for kind in expansion.face_up_tiles(position))


def test_a_lot_is_still_to_be_placed_until_it_lies_on_the_board() -> None:
    position = open_bazaar(Options(), [9, 9, 9])
    assert tiles_to_be_placed(position) == ["U", "V", "W"]
    play_bazaar(position, "1@0", "pass", "3")  # Red bids
    assert tiles_to_be_placed(position) == ["U", "V", "W"]
    play_bazaar(position, "sell")
    assert bazaar(position).owners == (RED, -1, -1)
    assert tiles_to_be_placed(position) == ["U", "V", "W"]
    auction_for_free(position)
    assert tile_to_place(position) == (BLUE, "base/W")
    assert tiles_to_be_placed(position) == ["U", "V"]
    place_anywhere(position)
    place_anywhere(position)
    assert tile_to_place(position) == (RED, "base/U")
    assert tiles_to_be_placed(position) == []
    place_anywhere(position)
    assert tiles_to_be_placed(position) == []


def test_a_bought_lot_is_still_to_be_placed() -> None:
    position = open_bazaar(Options(), [9, 9, 9])
    play_bazaar(position, "1@0", "pass", "pass")
    assert bazaar(position).owners == (BLUE, -1, -1)
    assert tiles_to_be_placed(position) == ["U", "V", "W"]


def test_BZ_30_still_to_lay_lists_players_and_tiles_in_order() -> None:
    position = open_bazaar(Options(), [9, 9, 9])
    play_bazaar(position, "1@0", "pass", "3", "sell")
    assert still_to_lay(position) == ()
    auction_for_free(position)
    assert tile_to_place(position) == (BLUE, "base/W")
    assert still_to_lay(position) == ((GREEN, tile("base/V")), (RED, tile("base/U")))
    position.apply(Resign(GREEN))
    assert still_to_lay(position) == ((RED, tile("base/U")),)
    place_anywhere(position)
    assert still_to_lay(position) == ()


def test_HV_01_still_to_lay_is_empty_in_a_draft() -> None:
    position = open_bazaar(DRAFT, [9, 9, 9])
    play_bazaar(position, "pick 2")
    assert tile_to_place(position) == (BLUE, "base/V")
    assert still_to_lay(position) == ()


def test_a_lot_of_a_resigned_player_is_not_to_be_placed() -> None:
    position = open_bazaar(Options(), [9, 9, 9])
    play_bazaar(position, "1@0", "pass", "3", "sell")
    position.apply(Resign(RED))
    assert tiles_to_be_placed(position) == ["V", "W"]
    position = open_bazaar(Options(), [9, 9, 9])
    auction_for_free(position)
    position.apply(Resign(RED))
    assert tile_to_place(position) == (BLUE, "base/U")
    assert tiles_to_be_placed(position) == ["V"]


def test_unpicked_tiles_of_a_draft_are_still_to_be_placed() -> None:
    position = open_bazaar(DRAFT, [9, 9, 9])
    assert tiles_to_be_placed(position) == ["U", "V", "W"]
    play_bazaar(position, "pick 2")
    assert tile_to_place(position) == (BLUE, "base/V")
    assert tiles_to_be_placed(position) == ["U", "W"]
    place_anywhere(position)
    assert tiles_to_be_placed(position) == ["U", "W"]
