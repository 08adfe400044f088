"""Bazaars after others have resigned: BZ-26, BZ-23 and what ``Setup.rules`` has to do with it.

Who is the last without a lot has nobody to bid against, and whoever has left has no points to bid with. Games that
began with rules 1 go on as they did.
"""

from __future__ import annotations

import pytest

from engine import Resign
from engine.actions import Pass
from engine.carcassonne import Options, Position
from engine.carcassonne.built_positions import arrange
from engine.carcassonne.expansions.bridges_castles_bazaars import (
    BANK,
    Bid,
    BidOnLot,
    ChooseLot,
    LotChosen,
    LotLost,
    LotSold,
    PickLot,
    SelectLot,
    bazaar_of,
)
from engine.notation.positions import format_position, parse_position
from engine.setup import PLAYED_VERSIONS, RULES_VERSION
from tests.scenarios.vocabulary import BLUE, GREEN, RED, YELLOW, assert_illegal, events_of, play_turn
from tests.scenarios.vocabulary_castles import bazaar, place_anywhere, play_bazaar, tile_to_place

OLD, NEW = 1, 2
POOR_DRAFT = Options(bazaar_all_zero_fallback="draft")


def opened(
    *, players: int = 3, rules: int = NEW, scores: list[int] | None = None, options: Options | None = None
) -> Position:
    """A bazaar that Red has just opened; Blue is to choose."""
    position = arrange(
        players=players,
        scores=scores or [9] * players,
        hand="bcb/FFFF",
        pile=["base/U", "base/V", "base/W", "base/E", *["base/B"] * 5],
        options=options,
        rules=rules,
    )
    play_turn(position, "0,1")
    return position


def test_both_versions_are_played_and_new_games_have_the_newer() -> None:
    assert {OLD, NEW} == PLAYED_VERSIONS
    assert RULES_VERSION == NEW


# -- the last player of an auction ------------------------------------------------------------------------------------


def served_but_one(rules: int = NEW) -> Position:
    """Green has bought the second lot, Red has left: Blue is the last without one, and two lots are left."""
    position = opened(rules=rules)
    play_bazaar(position, "2@0", "1")
    position.apply(Resign(RED))
    play_bazaar(position, "sell")
    return position


def test_BZ_26_whom_nobody_can_outbid_any_more_chooses_among_the_lots_left() -> None:
    position = served_but_one()
    assert isinstance(position.step, ChooseLot)
    assert position.player == BLUE
    assert list(position.legal_actions) == [PickLot(1), PickLot(3)]
    assert_illegal(position, SelectLot(1, 0))
    assert_illegal(position, PickLot(2))
    assert not bazaar(position).draft
    events = position.apply(PickLot(3))
    assert events_of(LotSold, events) == [LotSold(3, BLUE, 0, BLUE, BANK, picked=True)]
    assert position.scores == [9, 10, 8]


def test_BZ_30_then_the_tiles_are_laid_in_the_order_of_an_auction() -> None:
    position = served_but_one()
    position.apply(PickLot(3))
    assert tile_to_place(position) == (BLUE, "base/W")
    place_anywhere(position)
    assert tile_to_place(position) == (GREEN, "base/V")
    events = place_anywhere(position)
    assert [one.lot for one in events_of(LotLost, events)] == [1]
    assert bazaar_of(position) is None
    assert position.player == BLUE


def test_in_a_game_that_began_before_he_gets_the_first_lot() -> None:
    position = opened(rules=OLD)
    play_bazaar(position, "2@0", "1")
    position.apply(Resign(RED))
    events = play_bazaar(position, "sell")
    assert events_of(LotSold, events) == [
        LotSold(2, GREEN, 1, payer=GREEN, payee=BLUE),
        LotSold(1, BLUE, 0, payer=BLUE, payee=BANK),
    ]
    while bazaar_of(position) is not None:
        events += place_anywhere(position)
    assert position.player == BLUE


def test_BZ_26_a_selector_whose_rivals_leave_before_he_has_chosen_chooses_freely() -> None:
    """Blue has bought, Green has to choose, Yellow and Red leave."""
    position = opened(players=4)
    play_bazaar(position, "1@0", "pass", "pass", "pass")
    assert position.player == GREEN
    position.apply(Resign(RED))
    assert SelectLot(2, 5) in position.legal_actions, "Yellow can still bid"
    position.apply(Resign(YELLOW))
    assert list(position.legal_actions) == [PickLot(2), PickLot(3), PickLot(4)]
    old = opened(players=4, rules=OLD)
    play_bazaar(old, "1@0", "pass", "pass", "pass")
    old.apply(Resign(RED))
    old.apply(Resign(YELLOW))
    assert SelectLot(2, 5) in old.legal_actions


def two_without(rules: int) -> Position:
    """Blue has bought the first lot; Green has to choose, Red is the other one without a lot."""
    position = opened(rules=rules)
    play_bazaar(position, "1@0", "pass", "pass")
    assert position.player == GREEN
    return position


def test_BZ_26_nothing_is_put_up_for_a_selector_who_leaves_when_one_player_is_left_without_a_lot() -> None:
    position = two_without(NEW)
    events = position.apply(Resign(GREEN))
    assert events_of(LotChosen, events) == []
    assert position.player == RED
    assert list(position.legal_actions) == [PickLot(2), PickLot(3)]


def test_in_a_game_that_began_before_the_other_one_is_asked_to_bid() -> None:
    position = two_without(OLD)
    events = position.apply(Resign(GREEN))
    assert events_of(LotChosen, events) == [LotChosen(GREEN, 2, 0)]
    assert isinstance(position.step, BidOnLot)
    assert Bid(1) in position.legal_actions


def test_BZ_14_a_bid_stands_when_its_bidder_leaves() -> None:
    position = two_without(NEW)
    play_bazaar(position, "2@3")
    position.apply(Resign(GREEN))
    assert list(position.legal_actions)[:2] == [Pass(), Bid(4)]
    events = position.apply(Pass())
    assert events_of(LotSold, events)[0].player == GREEN
    assert events_of(LotSold, events)[1] == LotSold(3, RED, 0, RED, BANK)


def test_the_last_lot_is_no_question() -> None:
    position = opened()
    events = play_bazaar(position, "1@0", "pass", "pass", "2@0", "pass")
    assert events_of(LotSold, events)[-1] == LotSold(3, RED, 0, RED, BANK)
    assert tile_to_place(position) == (BLUE, "base/U")


def test_who_chooses_last_and_leaves_ends_the_auction() -> None:
    position = opened(players=4)
    play_bazaar(position, "1@0", "pass", "pass", "pass")
    position.apply(Resign(RED))
    play_bazaar(position, "2@0", "pass")
    assert (position.player, list(position.legal_actions)) == (YELLOW, [PickLot(3), PickLot(4)])
    position.apply(Resign(YELLOW))
    assert tile_to_place(position) == (BLUE, "base/U")


def test_it_is_the_same_in_a_position_that_is_read() -> None:
    for rules in (OLD, NEW):
        position = two_without(rules)
        position.apply(Resign(GREEN))
        read = parse_position(format_position(position))
        assert read.setup.rules == rules
        assert list(read.legal_actions)[:2] == list(position.legal_actions)[:2]


# -- who has points ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("rules", "draft"), [(OLD, False), (NEW, True)])
def test_BZ_23_points_of_those_who_have_left_do_not_count(rules: int, *, draft: bool) -> None:
    position = arrange(
        scores=[0, 0, 7], hand="bcb/FFFF", pile=["base/U"] * 9, options=POOR_DRAFT, rules=rules, players=3
    )
    position.apply(Resign(GREEN))
    play_turn(position, "0,1")
    assert bazaar(position).draft == draft
    assert (PickLot(1) in position.legal_actions) == draft


@pytest.mark.parametrize("rules", [OLD, NEW])
def test_BZ_23_points_below_zero_are_points(rules: int) -> None:
    position = opened(scores=[0, 0, -1], options=POOR_DRAFT, rules=rules)
    assert not bazaar(position).draft
