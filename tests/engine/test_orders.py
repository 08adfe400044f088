"""Standing orders for castles and plans for bazaars: they decide for a player, or leave the decision to them.

A plan reads ``of:7 lot:3@2 most:1@5 leap buy:4 pass``: for bazaar 7, open lot 3 with 2, bid up to 5 on lot 1 and at
once (``leap``), buy a lot for at most 4, and pass or sell otherwise.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import GAMES, IllegalActionError, NotationError, may_be_ordered, ordered_action
from engine.actions import Action, Pass, Resign
from engine.carcassonne import Options, Position, check_plan, new_setup
from engine.carcassonne.expansions.bridges_castles_bazaars import (
    BazaarPlan,
    Bid,
    BidOnLot,
    BuildCastle,
    Buy,
    BuyOrSell,
    ChooseLot,
    PickLot,
    ScoreTown,
    SelectLot,
    Sell,
    bazaar_number,
    bazaar_to_plan,
    lots_not_on_offer,
)
from engine.events import Event
from engine.selfplay import random_action
from gallery.built_positions import arrange
from tests.scenarios.test_bazaar_auction import auction
from tests.scenarios.vocabulary import BLUE, GREEN, RED, play_turn
from tests.scenarios.vocabulary_castles import SOUTH_CAP, bazaar

PLANS = st.builds(
    BazaarPlan,
    bazaar=st.integers(0, 400),
    openings=st.lists(st.builds(SelectLot, st.integers(1, 6), st.integers(0, 999)), max_size=6).map(tuple),
    limits=st.dictionaries(st.integers(1, 6), st.integers(0, 999)).map(lambda limits: tuple(limits.items())),
    leap=st.booleans(),
    buy=st.none() | st.integers(0, 999),
    passes=st.booleans(),
)
"""Random plans for a bazaar."""


def plan_order(position: Position, words: str = "") -> Mapping[str, str]:
    """Return standing orders with this plan for the bazaar in progress."""
    return {"plan": " ".join(["of:" + str(bazaar_number(position)), *words.split()])}


def apply_orders(position: Position, orders: Mapping[int, Mapping[str, str]]) -> list[Event]:
    """Apply ordered actions up to the first player without an order; return the events."""
    events: list[Event] = []
    while (action := ordered_action(position, orders.get(position.player, {}))) is not None:
        assert may_be_ordered(position, position)
        events += position.apply(action)
    return events


# -- the text of a plan ------------------------------------------------------------------------------------------------


@given(PLANS)
def test_a_plan_is_read_as_it_is_written(written: BazaarPlan) -> None:
    assert BazaarPlan.parse(str(written)) == written
    assert len(str(written)) <= 150


@pytest.mark.parametrize(
    "text",
    ["", "pass", "of:", "of:7 lot:0@1", "of:7 lot:1", "of:7 most:1@1 lot:1@1", "of:7 most:2@1 most:2@3", "of:7 pass x"],
)
def test_a_malformed_plan_is_refused_and_never_followed(text: str) -> None:
    with pytest.raises(NotationError, match=r".+"):
        BazaarPlan.parse(text)
    assert ordered_action(auction(), {"plan": text}) is None


# -- castles -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("orders", "answer"),
    [({}, None), ({"towns": "ask"}, None), ({"towns": "always"}, BuildCastle()), ({"towns": "never"}, ScoreTown())],
)
def test_a_standing_order_decides_about_a_town(orders: dict[str, str], answer: Action | None) -> None:
    position = arrange(tiles=[SOUTH_CAP], followers=["1 0,0 city.S"], hand="base/E")
    before = position.copy()
    assert not may_be_ordered(position, before)
    assert ordered_action(position, orders) is None
    play_turn(position, "0,1", 0)
    assert position.player == BLUE
    assert may_be_ordered(position, before)
    assert ordered_action(position, orders) == answer


# -- choosing a lot ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "answer"),
    [
        ("", None),
        ("lot:3@2 lot:1@0", SelectLot(3, 2)),
        ("lot:9@2 lot:1@7", SelectLot(1, 7)),
        ("lot:9@2", None),
        ("lot:9@2 pass", SelectLot(1, 0)),
        ("pass", SelectLot(1, 0)),
        ("most:1@5 buy:4", None),
    ],
)
def test_the_selector_opens_with_their_first_choice(words: str, answer: Action | None) -> None:
    position = auction()
    assert ordered_action(position, plan_order(position, words)) == answer


def test_an_illegal_opening_bid_is_skipped() -> None:
    position = auction(3, scores=[9, 4, 9], options=Options(bazaar_bid_limit="own_score"))
    assert ordered_action(position, plan_order(position, "lot:1@5 lot:2@4")) == SelectLot(2, 4)
    assert ordered_action(position, plan_order(position, "lot:1@5")) is None


def test_a_sold_lot_is_skipped_for_the_next_choice() -> None:
    position = auction(3, "2@0", "pass", "pass")
    assert position.player == GREEN
    assert ordered_action(position, plan_order(position, "lot:2@3 lot:3@1")) == SelectLot(3, 1)
    assert ordered_action(position, plan_order(position, "pass")) == SelectLot(1, 0)


def test_a_draft_ignores_the_opening_bids() -> None:
    position = auction(options=Options(bazaar_mode="draft"))
    assert ordered_action(position, plan_order(position, "lot:3@8 lot:1@0")) == PickLot(3)
    assert ordered_action(position, plan_order(position, "pass")) == PickLot(1)
    assert ordered_action(position, plan_order(position)) is None


# -- bids --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "answer"),
    [
        ("most:2@9", Bid(4)),
        ("most:2@9 leap", Bid(9)),
        ("most:2@4", Bid(4)),
        ("most:2@3", None),
        ("most:2@3 leap", None),
        ("most:2@3 pass", Pass()),
        ("most:1@9 most:3@9", None),
        ("most:1@9 leap pass", Pass()),
        ("", None),
    ],
)
def test_a_bid_is_the_minimum_raise_or_the_limit_at_once(words: str, answer: Action | None) -> None:
    position = auction(3, "2@3")
    assert position.player == GREEN
    assert ordered_action(position, plan_order(position, words)) == answer


def test_an_illegal_bid_is_skipped() -> None:
    position = auction(3, "2@3", scores=[9, 9, 5], options=Options(bazaar_bid_limit="own_score"))
    assert ordered_action(position, plan_order(position, "most:2@9")) == Bid(4)
    assert ordered_action(position, plan_order(position, "most:2@9 leap")) is None
    assert ordered_action(position, plan_order(position, "most:2@9 leap pass")) == Pass()


# -- buying or selling -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "answer"),
    [("", None), ("pass", Sell()), ("buy:5", Buy()), ("buy:4", Sell()), ("buy:4 pass", Sell()), ("buy:0", Sell())],
)
def test_the_selector_buys_up_to_a_price(words: str, answer: Action | None) -> None:
    position = auction(3, "2@3", "5", "pass")
    assert position.player == BLUE
    assert ordered_action(position, plan_order(position, words)) == answer


def test_a_selector_who_cannot_pay_sells() -> None:
    position = auction(3, "2@3", "8", "pass", scores=[9, 5, 9], options=Options(bazaar_bid_limit="own_score"))
    assert ordered_action(position, plan_order(position, "buy:9")) == Sell()


# -- a whole bazaar ----------------------------------------------------------------------------------------------------


def test_plans_are_followed_in_order_up_to_a_player_without_one() -> None:
    position = auction()
    eager = plan_order(position, "lot:2@1 most:1@6 most:2@6 most:3@6 buy:2 pass")
    apply_orders(position, {BLUE: eager, RED: eager})
    assert position.player == GREEN, "the second to speak has none"
    assert isinstance(position.step, BidOnLot)
    position.apply(Bid(2))
    apply_orders(position, {BLUE: eager, RED: eager})
    assert (bazaar(position).owners, position.scores) == ((-1, RED, -1), [7, 13, 10]), "red led with 3, blue sold"


@pytest.mark.parametrize("players", range(2, 7))
@pytest.mark.parametrize("mode", ["auction", "draft"])
def test_no_player_is_asked_when_all_have_plans(players: int, mode: str) -> None:
    position = auction(players, options=Options(bazaar_mode=mode))  # type: ignore[arg-type]
    orders = {
        seat: plan_order(position, f"lot:{seat + 1}@{seat} most:1@{seat} most:2@9 buy:2 pass")
        for seat in range(players)
    }
    apply_orders(position, orders)
    assert not isinstance(position.step, ChooseLot | BidOnLot | BuyOrSell)


@pytest.mark.parametrize(("players", "max_decisions"), [(2, 3), (3, 7), (4, 12), (5, 18), (6, 25)])
def test_an_auction_without_plans_needs_at_most_this_many_decisions(players: int, max_decisions: int) -> None:
    decision_counts = []
    for seed in range(60):
        rng, position = Random(seed), auction(players)
        count = 0
        while isinstance(position.step, ChooseLot | BidOnLot | BuyOrSell):
            action = random_action(position, rng)
            while isinstance(position.step, BidOnLot) and action == Pass() and seed % 2:
                action = random_action(position, rng)
            position.apply(action)
            count += 1
        decision_counts.append(count)
    assert max(decision_counts) == max_decisions


def test_no_order_applies_to_a_bazaar_opened_by_the_move() -> None:
    opened, before = auction(), Position(new_setup(players=3, seed="1"))
    assert not may_be_ordered(opened, before)
    assert may_be_ordered(opened, opened)


def test_a_plan_for_another_bazaar_is_ignored() -> None:
    position = auction()
    assert ordered_action(position, {"plan": f"of:{bazaar_number(position) + 1} pass"}) is None


def test_a_placement_is_never_ordered() -> None:
    position = auction(2, "1@0", "pass")
    while not position.hand:
        position.apply(random_action(position, Random(1)))
    assert ordered_action(position, plan_order(position, "pass")) is None
    assert not may_be_ordered(position, position)


# -- checking a plan ---------------------------------------------------------------------------------------------------


def test_players_with_a_lot_or_resigned_cannot_plan() -> None:
    position = auction(3, "2@0", "pass", "pass")
    assert bazaar_to_plan(position, BLUE) is None
    assert bazaar_to_plan(position, RED) == bazaar(position)
    position.apply(Resign(RED))
    assert bazaar_to_plan(position, RED) is None
    assert bazaar_to_plan(Position(new_setup(players=2, seed="1")), RED) is None


def test_planned_lots_not_on_offer_are_listed() -> None:
    running = bazaar(auction(3, "2@0", "pass", "pass"))
    plan = BazaarPlan(bazaar=1, openings=(SelectLot(3, 0), SelectLot(2, 1)), limits=((1, 5), (4, 2)))
    assert lots_not_on_offer(running, plan) == [2, 4]


@pytest.mark.parametrize("words", ["lot:2@0", "most:2@1", "lot:3@0 most:4@1"])
def test_a_plan_for_lots_not_on_offer_is_refused(words: str) -> None:
    position = auction(3, "2@0", "pass", "pass")
    check_plan(position, RED, plan_order(position, "lot:3@0 most:1@7 buy:2 pass")["plan"])
    with pytest.raises(IllegalActionError, match="not on offer"):
        check_plan(position, RED, plan_order(position, words)["plan"])
    for seat, text in ((BLUE, plan_order(position)["plan"]), (RED, "of:1")):
        with pytest.raises(IllegalActionError, match="no bazaar"):
            check_plan(position, seat, text)
    with pytest.raises(NotationError):
        check_plan(position, RED, "anything")


def test_bazaars_of_a_game_have_different_numbers() -> None:
    for seed in range(5):
        position, rng = Position(new_setup(players=4, seed=str(seed))), Random(seed)
        numbers: list[tuple[int, tuple[str, ...]]] = []
        while not position.is_over:
            if isinstance(position.step, ChooseLot):
                numbers.append((bazaar_number(position), tuple(kind.id for kind in bazaar(position).tiles)))
            position.apply(random_action(position, rng))
        assert len({number for number, _ in numbers}) == len(set(numbers)) > 3


def test_a_game_without_expansions_takes_no_orders() -> None:
    """Orders and plans of expansions that are not in the game are ignored or refused."""
    position = Position(new_setup(players=2, seed="1", expansions=()))
    assert not may_be_ordered(position, position)
    assert ordered_action(position, {"towns": "always", "plan": "of:1 pass"}) is None
    with pytest.raises(IllegalActionError, match="nothing can be planned"):
        check_plan(position, 0, "of:1")


def test_other_games_take_no_orders() -> None:
    position = GAMES["the-castle"].begin(GAMES["the-castle"].new_setup(players=2, seed="1"))
    assert not may_be_ordered(position, position)
    assert ordered_action(position, {"towns": "always"}) is None
    with pytest.raises(IllegalActionError):
        GAMES["the-castle"].check_plan(position, 0, "of:1")
