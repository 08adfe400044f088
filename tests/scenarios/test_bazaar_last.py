"""Bazaars after resignations: the last player without a lot (BZ-26), and points of resigned players (BZ-23).

The last player without a lot has no one to bid against, and resigned players have no points to bid. Games that began
with version 1 of the rules (``Setup.rules``) keep the former behaviour.

A bazaar is an auction of tiles, the lots; each player gets one. The selector chooses the lot that comes up. Decisions
are written as texts: ``"1@0"`` puts up lot 1 with an opening bid of 0, ``"7"`` raises to 7 points; there are also
``"pass"``, ``"buy"``, ``"sell"`` and ``"pick 1"``. Codes such as BZ-26 are rules of the rule digest; each test is named
by the rule that it shows.
"""

from __future__ import annotations

import pytest

from engine import Resign
from engine.actions import Pass
from engine.carcassonne import Options, Position
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
from gallery.built_positions import arrange
from tests.scenarios.vocabulary import BLUE, GREEN, RED, YELLOW, assert_illegal, events_of, play_turn
from tests.scenarios.vocabulary_castles import bazaar, place_anywhere, play_bazaar, tile_to_place

OLD_RULES, NEW_RULES = 1, 2
"""The versions of the rules with which a game may have begun."""
DRAFT_WITHOUT_POINTS = Options(bazaar_all_zero_fallback="draft")
"""The option that lets players pick lots if no one has points to bid."""


def open_bazaar(
    *, players: int = 3, rules: int = NEW_RULES, scores: list[int] | None = None, options: Options | None = None
) -> Position:
    """Return a bazaar that Red has just opened; Blue is the selector."""
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


def test_both_versions_of_the_rules_are_supported() -> None:
    assert {OLD_RULES, NEW_RULES} == PLAYED_VERSIONS
    assert RULES_VERSION == NEW_RULES


# -- the last player of an auction ------------------------------------------------------------------------------------


def one_player_without_lot(rules: int = NEW_RULES) -> Position:
    """Return an auction with two lots left for Blue: Green has bought the second lot, Red has resigned."""
    position = open_bazaar(rules=rules)
    play_bazaar(position, "2@0", "1")
    position.apply(Resign(RED))
    play_bazaar(position, "sell")
    return position


def test_BZ_26_the_last_player_without_a_lot_chooses_among_those_left() -> None:
    position = one_player_without_lot()
    assert isinstance(position.step, ChooseLot)
    assert position.player == BLUE
    assert list(position.legal_actions) == [PickLot(1), PickLot(3)]
    assert_illegal(position, SelectLot(1, 0))
    assert_illegal(position, PickLot(2))
    assert not bazaar(position).draft
    events = position.apply(PickLot(3))
    assert events_of(LotSold, events) == [LotSold(3, BLUE, 0, BLUE, BANK, picked=True)]
    assert position.scores == [9, 10, 8]


def test_BZ_30_the_tiles_are_placed_in_the_order_of_an_auction() -> None:
    position = one_player_without_lot()
    position.apply(PickLot(3))
    assert tile_to_place(position) == (BLUE, "base/W")
    place_anywhere(position)
    assert tile_to_place(position) == (GREEN, "base/V")
    events = place_anywhere(position)
    assert [event.lot for event in events_of(LotLost, events)] == [1]
    assert bazaar_of(position) is None
    assert position.player == BLUE


def test_by_the_old_rules_the_last_player_gets_the_first_lot() -> None:
    position = open_bazaar(rules=OLD_RULES)
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


def test_BZ_26_a_selector_whose_rivals_all_resign_chooses_freely() -> None:
    """Blue has bought and Green is the selector; Red and Yellow resign."""
    position = open_bazaar(players=4)
    play_bazaar(position, "1@0", "pass", "pass", "pass")
    assert position.player == GREEN
    position.apply(Resign(RED))
    assert SelectLot(2, 5) in position.legal_actions, "Yellow can still bid"
    position.apply(Resign(YELLOW))
    assert list(position.legal_actions) == [PickLot(2), PickLot(3), PickLot(4)]
    old_position = open_bazaar(players=4, rules=OLD_RULES)
    play_bazaar(old_position, "1@0", "pass", "pass", "pass")
    old_position.apply(Resign(RED))
    old_position.apply(Resign(YELLOW))
    assert SelectLot(2, 5) in old_position.legal_actions


def two_players_without_lot(rules: int) -> Position:
    """Return an auction with Green as the selector and Red without a lot; Blue has bought the first one."""
    position = open_bazaar(rules=rules)
    play_bazaar(position, "1@0", "pass", "pass")
    assert position.player == GREEN
    return position


def test_BZ_26_no_lot_is_opened_for_a_resigning_selector_if_one_player_is_left() -> None:
    position = two_players_without_lot(NEW_RULES)
    events = position.apply(Resign(GREEN))
    assert events_of(LotChosen, events) == []
    assert position.player == RED
    assert list(position.legal_actions) == [PickLot(2), PickLot(3)]


def test_by_the_old_rules_the_other_player_is_asked_to_bid() -> None:
    position = two_players_without_lot(OLD_RULES)
    events = position.apply(Resign(GREEN))
    assert events_of(LotChosen, events) == [LotChosen(GREEN, 2, 0)]
    assert isinstance(position.step, BidOnLot)
    assert Bid(1) in position.legal_actions


def test_BZ_14_a_bid_stands_when_its_bidder_resigns() -> None:
    position = two_players_without_lot(NEW_RULES)
    play_bazaar(position, "2@3")
    position.apply(Resign(GREEN))
    assert list(position.legal_actions)[:2] == [Pass(), Bid(4)]
    events = position.apply(Pass())
    assert events_of(LotSold, events)[0].player == GREEN
    assert events_of(LotSold, events)[1] == LotSold(3, RED, 0, RED, BANK)


def test_the_last_lot_is_assigned_without_a_decision() -> None:
    position = open_bazaar()
    events = play_bazaar(position, "1@0", "pass", "pass", "2@0", "pass")
    assert events_of(LotSold, events)[-1] == LotSold(3, RED, 0, RED, BANK)
    assert tile_to_place(position) == (BLUE, "base/U")


def test_a_resigning_last_selector_ends_the_auction() -> None:
    position = open_bazaar(players=4)
    play_bazaar(position, "1@0", "pass", "pass", "pass")
    position.apply(Resign(RED))
    play_bazaar(position, "2@0", "pass")
    assert (position.player, list(position.legal_actions)) == (YELLOW, [PickLot(3), PickLot(4)])
    position.apply(Resign(YELLOW))
    assert tile_to_place(position) == (BLUE, "base/U")


def test_a_parsed_position_keeps_its_rules() -> None:
    for rules in (OLD_RULES, NEW_RULES):
        position = two_players_without_lot(rules)
        position.apply(Resign(GREEN))
        read = parse_position(format_position(position))
        assert read.setup.rules == rules
        assert list(read.legal_actions)[:2] == list(position.legal_actions)[:2]


# -- points of resigned players ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("rules", "draft"), [(OLD_RULES, False), (NEW_RULES, True)])
def test_BZ_23_points_of_resigned_players_do_not_count(rules: int, *, draft: bool) -> None:
    position = arrange(
        scores=[0, 0, 7], hand="bcb/FFFF", pile=["base/U"] * 9, options=DRAFT_WITHOUT_POINTS, rules=rules, players=3
    )
    position.apply(Resign(GREEN))
    play_turn(position, "0,1")
    assert bazaar(position).draft == draft
    assert (PickLot(1) in position.legal_actions) == draft


@pytest.mark.parametrize("rules", [OLD_RULES, NEW_RULES])
def test_BZ_23_negative_points_are_points(rules: int) -> None:
    position = open_bazaar(scores=[0, 0, -1], options=DRAFT_WITHOUT_POINTS, rules=rules)
    assert not bazaar(position).draft
