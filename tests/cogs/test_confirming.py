"""Decisions on a card: the confirmation names the cost, and only sensible amounts are offered.

Ana, Ben and Cleo have the seats 0 to 2; a list of scores is in this order. In the bazaars Ben, to the left of the
opener, has the first choice. T1 and T2 are the offered tiles ("lots").
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from discord import ButtonStyle

from cogs.games.carcassonne.boxes.bridges_castles_bazaars.bazaars import MAX_OVERDRAFT, opening_offers
from cogs.games.carcassonne.presenter import offers as choice_offers
from cogs.games.presenters import presenter_of
from cogs.panels.deciding import confirmation
from cogs.presenting.ids import Op, parse_key
from cogs.presenting.turn import placements
from cogs.texts import MINUS, t
from engine import Position, parse_action, state_digest
from engine.carcassonne import Options
from engine.the_castle import ChooseFeature
from gallery.built_positions import arrange
from host import Table
from renderers import DAY
from renderers.boards.view import MAX_PANEL_HEIGHT, PHONE_WIDTH
from tests.cogs.castle import PATH_AND_HOUSE
from tests.cogs.positions import game_of
from tests.discord_limits.components import Kind, component_problems, walk
from tests.engine.built_castle_positions import arrange as arrange_castle
from tests.scenarios.test_options_bazaar import DRAFT, OWN_SCORE, open_bazaar
from tests.scenarios.vocabulary import play_turn
from tests.scenarios.vocabulary_castles import play_bazaar

NAMES = ("Ana", "Ben", "Cleo")
"""Names of the seats 0, 1 and 2."""


def prospect_of(position: Position, text: str) -> str:
    """Return the text about the cost of an action."""
    return presenter_of(position).prospect(NAMES, position, parse_action(text))


def means_of(position: Position) -> str:
    """Return the text about what the player to move has."""
    return presenter_of(position).means(position)


def offered_amounts(position: Any, lot: int = 0) -> list[str]:
    """Return the arguments of the buttons for a bid, or for the openings of a lot."""
    offers = opening_offers(position, lot) if lot else choice_offers(position)
    return [offer.argument for offer in offers]


def position_with_bid(scores: list[int], bid: int) -> Any:
    """Return a bazaar in which Ben opened T2 with 0, Cleo bid, and Ana is asked."""
    position = open_bazaar(Options(), scores)
    play_bazaar(position, "2@0", str(bid))
    return position


# -- the cost ----------------------------------------------------------------------------------------------------------


def test_a_bid_names_the_remaining_points() -> None:
    position = position_with_bid([18, 9, 40], 5)
    words = prospect_of(position, "bid:30")
    assert words == f"If Ben sells you T2 for 30 points, you will have **{MINUS}12**. You may go below 0."
    assert prospect_of(position, "pass") == (
        "You don't bid for T2, and stay at **18**. You won't be asked about it again."
    )


def test_buying_and_selling_name_payer_and_recipient() -> None:
    position = position_with_bid([18, 9, 40], 5)
    play_bazaar(position, "pass")
    assert prospect_of(position, "buy") == (
        "T2 is yours. You pay Cleo 5 points: you will have **4**. You may go below 0."
    )
    assert prospect_of(position, "sell") == (
        "T2 goes to Cleo, who pays you 5 points: you will have **14**. You get another tile."
    )


def test_the_announced_points_equal_those_of_the_engine() -> None:
    for text, expected in (("buy", 4), ("sell", 14)):
        position = position_with_bid([18, 9, 40], 5)
        play_bazaar(position, "pass")
        assert f"**{expected}**" in prospect_of(position, text)
        position.apply(parse_action(text))
        assert position.scores[1] == expected
    opening = open_bazaar(Options(), [18, 9, 40])
    assert prospect_of(opening, "lot:1@3") == (
        "If nobody bids more, you pay 3 points for T1: you will have **6**. You may go below 0."
    )
    play_bazaar(opening, "1@3", "pass", "pass")
    assert opening.scores[1] == 6


def test_whether_points_may_go_below_zero_is_said_as_the_table_plays() -> None:
    """Rules BZ-21 and BZ-22: beside what somebody has, in the panel of each decision that costs points."""
    for options, ending in ((Options(), " You may go below 0."), (OWN_SCORE, "")):
        opening = open_bazaar(options, [18, 9, 40])
        assert means_of(opening) == f"You have 9 points.{ending}"
        assert prospect_of(opening, "lot:1@3").endswith(f"**6**.{ending}")
        play_bazaar(opening, "1@3")
        assert means_of(opening) == f"You have 40 points.{ending}"
        assert prospect_of(opening, "bid:4").endswith(f"**36**.{ending}")
        assert "below" not in prospect_of(opening, "pass")
        play_bazaar(opening, "4", "pass")
        assert means_of(opening) == f"You have 9 points.{ending}"
        assert prospect_of(opening, "buy").endswith(f"**5**.{ending}")
        assert "below" not in prospect_of(opening, "sell")


def test_a_draft_does_not_name_points() -> None:
    assert means_of(open_bazaar(DRAFT, [9, 9, 9])) == ""


def test_a_pick_costs_nothing() -> None:
    assert prospect_of(open_bazaar(DRAFT, [9, 9, 9]), "pick:2") == "T2 is yours for free, and you lay it now."


def position_with_town() -> Any:
    """Return a position in which Ana has completed her town."""
    position = arrange(
        players=2, tiles=["base/E 0,0 180"], followers=["0 0,0 city.S"], hand="base/E", pile=["base/V"] * 5
    )
    play_turn(position, "0,1", 0)
    return position


def test_a_castle_names_its_cost_and_a_town_its_points() -> None:
    position = position_with_town()
    assert prospect_of(position, "castle").startswith("It uses one of your 3 castles. The town scores nothing")
    assert prospect_of(position, "town") == "You score 4 points: you will have **4**."
    position.supply["castle"][0] = 1
    assert prospect_of(position, "castle").startswith("It uses your last castle.")


def test_the_castle_names_the_resting_place_of_the_marker() -> None:
    position = arrange_castle(**PATH_AND_HOUSE)  # type: ignore[arg-type]
    for text in (str(next(place for place in placements(position) if place.cell.label == "D13")), "pass"):
        assert prospect_of(position, text) == ""
        position.apply(parse_action(text))
    assert isinstance(position.step, ChooseFeature)
    prospects = [presenter_of(position).prospect(NAMES, position, action) for action, _ in position.step.options]
    assert [line[:2] for line in prospects] == ["A:", "B:"]
    assert all("the marker stops on" in line for line in prospects)


# -- the question -----------------------------------------------------------------------------------------------------


def confirmation_of(position: Any, text: str) -> tuple[str, list[Any]]:
    """Return the text and the buttons of Ana's confirmation."""
    table = Table(game_of(position, NAMES), position, ())
    view = confirmation(presenter_of(table.position), table, 100, [parse_action(text)]).to_components()
    assert not list(component_problems(view, v2=True))
    parts = [part for _, part in walk(view)]
    words = "\n".join(part["content"] for part in parts if part["type"] == Kind.TEXT_DISPLAY)
    return words, [parse_key(part["custom_id"]) for part in parts if part["type"] == Kind.BUTTON]


def test_the_confirmation_names_action_cost_and_game() -> None:
    words, (confirm, change) = confirmation_of(position_with_bid([18, 9, 40], 5), "bid:30")
    assert words.splitlines() == [
        "**Bid 30 Points**",
        f"If Ben sells you T2 for 30 points, you will have **{MINUS}12**. You may go below 0.",
        "-# Amber Gate · K7QF · vs Ben, Cleo",
    ]
    assert (confirm.op, confirm.argument) == (Op.GO, "bid:30")
    assert (change.op, change.argument) == (Op.PLAN, "")


def test_confirming_is_the_one_primary_button() -> None:
    for text in ("bid:30", "bid:6", "pass"):
        table = Table(game_of(position_with_bid([18, 9, 40], 5), NAMES), position_with_bid([18, 9, 40], 5), ())
        view = confirmation(presenter_of(table.position), table, 100, [parse_action(text)])
        parts = [part for _, part in walk(view.to_components())]
        styles = [part["style"] for part in parts if part["type"] == Kind.BUTTON]
        assert [style == ButtonStyle.primary.value for style in styles] == [True, False]


@pytest.mark.parametrize("players", [2, 6])
def test_the_picture_above_a_confirmation_leaves_room_for_words_and_buttons_on_a_phone(players: int) -> None:
    """A picture is shown 340 CSS pixels wide; text and one row of buttons fill less than 300 of 640."""
    position = arrange(players=players, tiles=["base/B 0,0"], hand="bcb/FFFF", pile=["base/S"] * 12)
    play_turn(position, "1,0", 0)
    assert position.step is not None
    (picture,) = presenter_of(position).decision_pictures(game_of(position), position, DAY)
    assert picture.picture.height * PHONE_WIDTH / picture.picture.width <= MAX_PANEL_HEIGHT


def test_the_lots_are_drawn_once_for_the_card_and_the_panels_that_follow_it() -> None:
    position = position_with_bid([18, 9, 40], 5)
    stored = replace(game_of(position, NAMES), digest=state_digest(position))
    card, panel = (presenter_of(position).decision_pictures(stored, position, DAY)[0].picture for _ in range(2))
    assert card is panel
    earlier = open_bazaar(Options(), [18, 9, 40])
    (shown,) = presenter_of(earlier).decision_pictures(stored, earlier, DAY)
    assert shown.picture.data != card.data, "a replay shows an earlier position of the same game"


# -- the offers --------------------------------------------------------------------------------------------------------


def test_offered_amounts_begin_with_the_smallest() -> None:
    assert offered_amounts(position_with_bid([18, 9, 40], 5)) == ["pass", "bid:6", "bid:7", "bid:10", "bid"]
    assert offered_amounts(open_bazaar(Options(), [0, 9, 0]), 1) == ["lot:1@0", "lot:1@1", "lot:1@2", "lot:1@3", "1"]


def test_amounts_far_above_the_players_points_are_not_offered() -> None:
    """Regression: after a bid of 30, a player without points was offered 31, 32 and 35."""
    assert offered_amounts(position_with_bid([0, 0, 0], 30)) == ["pass", "bid"]
    assert offered_amounts(position_with_bid([0, 0, 0], MAX_OVERDRAFT - 1)) == ["pass", f"bid:{MAX_OVERDRAFT}", "bid"]
    assert offered_amounts(position_with_bid([-9, 0, 0], 1)) == ["pass", "bid:2", "bid:3", "bid"]


def test_an_amount_can_be_typed_only_where_a_bid_is_possible() -> None:
    position = open_bazaar(OWN_SCORE, [3, 9, 9])
    play_bazaar(position, "1@0", "5")
    assert t("button.other") not in [offer.label for offer in choice_offers(position)]
