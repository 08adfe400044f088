"""Inns & Cathedrals in the composer: a switch chooses between big and ordinary followers for the same places.

The plans place a road tile on N13, beside the start tile on M13; "with:big-follower" sets the switch.
"""

from typing import Any

import pytest

from cogs.games.presenters import presenter_of
from cogs.presenting.ids import MAX_CUSTOM_ID_LENGTH, Key, Op
from cogs.presenting.turn import Plan
from cogs.texts import t
from cogs.words.names import capital, segment_words
from cogs.words.typed_moves import typed_actions, typed_moves
from engine import IllegalActionError, NotationError, parse_action
from engine.carcassonne import FeatureKind, Position, Segment
from engine.carcassonne.expansions import BCB, INNS_CATHEDRALS, TRADERS_BUILDERS
from gallery.built_positions import arrange
from tests.cogs.test_traders_builders import BUILDER, labels, panel, road_extension

TO_BIG, TO_SMALL = "Big Follower Instead", "Follower Instead"
"""Labels of the switch in both states."""
ROAD_NAME = capital(segment_words(Segment(FeatureKind.ROAD, (1, 3))))
PLACES = [f"A {ROAD_NAME}", "B Field N", "C Field S"]
"""Labels of the places for a follower on the road tile."""


def position_with_road_in_hand(**changes: Any) -> Position:
    """Return a position in which Red has a straight road in hand, without figures on the board."""
    return arrange(**{"tiles": ["base/D 0,0 0"], "hand": "base/U", "expansions": (BCB, INNS_CATHEDRALS), **changes})


def lettered_places(position: Position, plan: str) -> list[tuple[str, FeatureKind]]:
    """Return the lettered places in the picture of a panel."""
    return [(letter, segment.kind) for letter, segment in panel(position, plan).figure_places]


def test_an_ordinary_move_takes_no_additional_tap() -> None:
    """The ordinary follower is the default, and each place has one letter and one button."""
    buttons = labels(panel(position_with_road_in_hand(), "N13/0"))
    buttons_without_box = labels(panel(position_with_road_in_hand(expansions=(BCB,)), "N13/0"))
    assert {label: argument for label, argument in buttons.items() if label != TO_BIG} == buttons_without_box
    assert buttons.keys() >= {*PLACES, t("button.no_follower")}
    assert t("panel.follower") in panel(position_with_road_in_hand(), "N13/0").text
    assert [letter for letter, _ in lettered_places(position_with_road_in_hand(), "N13/0")] == ["A", "B", "C"]


def test_the_big_follower_is_chosen_by_a_switch() -> None:
    position = position_with_road_in_hand()
    argument = labels(panel(position, "N13/0"))[TO_BIG]
    switched = labels(panel(position, argument))
    assert lettered_places(position, argument) == lettered_places(position, "N13/0")
    big_labels = [label.replace(" ", " Big Follower: ", 1) for label in PLACES]
    assert switched.keys() >= {*big_labels, TO_SMALL}
    assert TO_BIG not in switched
    assert labels(panel(position, switched[TO_SMALL])).keys() >= {*PLACES, TO_BIG}
    assert switched[big_labels[0]] == "N13/0 big-follower@road.E"


def test_a_bridge_resets_the_figure() -> None:
    """The road on the bridge may be the only place; without it, no figure can be switched."""
    position = position_with_road_in_hand()
    for plan in ("N13/0 with:big-follower", "N13/0 ~N13NS with:big-follower"):
        (toggle,) = [
            argument for label, argument in labels(panel(position, plan)).items() if label.startswith("Bridge")
        ]
        assert "with:" not in toggle
        assert TO_BIG in labels(panel(position, toggle))


@pytest.mark.parametrize("plan", ["M14/0 with:big-follower", "M14/0 ~M14WE", "M14/0 ~M14WE with:big-follower"])
def test_no_two_buttons_do_the_same_where_a_tile_can_be_turned(plan: str) -> None:
    """Regression: the current rotation, and the removal of figure or bridge, were buttons with the same custom id."""
    composer_panel = panel(position_with_road_in_hand(hand="base/A"), plan)
    arguments = [offer.argument for offers in composer_panel.offers for offer in offers]
    assert len(composer_panel.turns) > 1
    assert len(set(arguments)) == len(arguments)


def test_the_confirmation_shows_the_big_follower() -> None:
    position = position_with_road_in_hand()
    confirming = panel(position, "N13/0 big-follower@field.NL", confirm=True)
    assert "big follower on field N" in confirming.text
    assert confirming.figure == "big-follower"
    assert [letter for letter, _ in confirming.figure_places] == ["B"]


def test_without_ordinary_followers_the_big_one_is_the_default() -> None:
    position = position_with_road_in_hand(supply={"follower": [0, 7]})
    buttons = labels(panel(position, "N13/0"))
    assert t("panel.none_left") not in panel(position, "N13/0").text
    assert f"A Big Follower: {ROAD_NAME}" in buttons
    assert not {TO_BIG, TO_SMALL} & buttons.keys()


def test_without_a_big_follower_there_is_no_switch() -> None:
    buttons = labels(panel(position_with_road_in_hand(supply={"big-follower": [0, 1]}), "N13/0"))
    assert buttons.keys() >= set(PLACES)
    assert TO_BIG not in buttons


def test_a_builder_has_its_own_button() -> None:
    position = road_extension(expansions=(TRADERS_BUILDERS, INNS_CATHEDRALS))
    buttons = labels(panel(position, "O13/0"))
    assert buttons.keys() >= {BUILDER, TO_BIG, t("button.no_figure")}
    assert BUILDER not in labels(panel(position, buttons[TO_BIG]))


@pytest.mark.parametrize("figure", ["dragon", "follower", "builder", "x" * 20])
def test_a_forged_switch_is_refused(figure: str) -> None:
    with pytest.raises(IllegalActionError):
        panel(position_with_road_in_hand(), f"N13/0 with:{figure}")


@pytest.mark.parametrize("text", ["with:big-follower", "N13/0 with:", "N13/0 @road.E with:pig", "N13/0 with:B"])
def test_an_invalid_plan_is_refused(text: str) -> None:
    with pytest.raises(NotationError):
        Plan.parse(text)


def test_the_longest_plan_fits_an_id() -> None:
    plan = Plan.parse("AZ48/270~AZ48WE ~AZ47WE with:big-follower")
    assert Plan.parse(str(plan)) == plan
    assert len(str(Key(Op.PLAN, "K7QF9", 99_999, str(plan)))) <= MAX_CUSTOM_ID_LENGTH


def test_both_sizes_can_be_typed() -> None:
    position = position_with_road_in_hand()
    presenter = presenter_of(position)
    offered = [move.text for move in typed_moves(presenter, position, "N13/0 big", 25)]
    assert "N13/0 big-follower@road.E" in offered
    assert typed_actions(presenter, position, "N13/0 big-follower@road.E") == (
        parse_action("N13/0"),
        parse_action("big-follower@road.E"),
    )
    plan = Plan.parse("N13/0")
    offers = {str(deploy) for deploy in presenter.turn.deployments(position, plan)}
    assert {text for text in offers if text.startswith("big-follower@")} == {
        f"big-follower{text}" for text in offers if text.startswith("@")
    }
    assert all(presenter.turn.complete(position, Plan.parse(f"N13/0 {text}")) for text in offers)


def test_an_inn_that_does_not_count_is_said_to_be_idle() -> None:
    """Rule IX-03: inns on tiles of other boxes count only with this one."""
    idle = t("panel.idle_inn")
    assert idle in panel(position_with_road_in_hand(hand="bcb/RFRF-b", expansions=(BCB,)), "").text
    assert idle not in panel(position_with_road_in_hand(hand="bcb/RFRF-b"), "").text
    assert idle not in panel(position_with_road_in_hand(expansions=(BCB,)), "").text
