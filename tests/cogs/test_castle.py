"""The Castle's composer: what a turn asks, what it does not have to ask, and that nobody learns what lies hidden."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from cogs.presenters import PRESENTERS
from cogs.the_castle.choices import answers
from cogs.the_castle.composer import Composer, TilePanel
from cogs.the_castle.plan import ROOM, Plan, course, fitting, placements, written
from cogs.the_castle.standing import AT_ONCE, CHOICES, DOUBLE, EXTRA, FEWEST, KEEP, MOST, ORDER
from cogs.the_castle.words import tile_words, wall_tile_words
from cogs.ui.completions import completions, typed_actions
from cogs.ui.ids import LONGEST, Key, Op
from cogs.ui.offers import Offer
from cogs.ui.story import Storyteller
from engine import Action, Deploy, IllegalActionError, NotationError, Pass, Place, parse_action
from engine.the_castle import (
    ChooseFeature,
    DoubleFeature,
    ExtraTurn,
    Options,
    PlaceTile,
    PlayAgain,
    Position,
    ScoreFeature,
    WallTile,
    designed,
    new_setup,
    wall,
)
from engine.the_castle.arrange import arrange
from engine.the_castle.events import WallTileTaken
from host import Preferences
from renderers import DAY
from tests.cogs.positions import LONG_NAMES, game_of

CASTLE = PRESENTERS["the-castle"]
TOWER_OF_THREE = {"tiles": ["D20 E2 180", "D20 G2 90"], "figures": ["0 E2 tower.NR"], "hand": "D07"}
"""D07 on F2 completes a tower of 3."""
PATH_AND_HOUSE = {
    "tiles": ["D56 D12 0", "D22 C12 270", "D10 C13 90"],
    "figures": ["0 D12 path.S", "0 C13 house.NR"],
    "hand": "D34",
}
"""D34 on D13 completes a path of 2 and a house of 3, both of the player on turn."""
LANDING = {"tiles": ["D49 E3"], "figures": ["0 E3 path.N"], "hand": "D29", "scores": (31, 0)}
"""D29 on E2 completes a path of 2: the marker comes to rest on 33."""


def composer(position: Position, *, confirm: bool = True, **choices: str) -> Composer:
    """The composer of the player on turn; the keys of his choices without the game's name."""
    kept = {f"castle.{name}": value for name, value in choices.items()}
    return Composer(CASTLE, game_of(position, LONG_NAMES), position, Preferences(confirm=confirm, choices=kept))


def offered(panel: TilePanel, op: Op) -> list[Offer]:
    """The buttons of a panel with this operation."""
    return [offer for group in panel.offers for offer in group if offer.op is op]


def going(panel: TilePanel) -> list[str]:
    """The moves that a panel's buttons make."""
    return [offer.argument for offer in offered(panel, Op.GO)]


def onward(panel: TilePanel) -> list[Plan]:
    """The plans to which a panel's buttons lead, without what goes back."""
    plans = [Plan.parse(offer.argument) for offer in offered(panel, Op.PLAN)]
    return [plan for plan in plans if len(plan.actions) > 1]


def decided(*tokens: str) -> Plan:
    """A plan of these actions."""
    return Plan.parse(" ".join(tokens))


def positions(seed: int) -> Iterator[Position]:
    """The positions of a random game in which a tile is to be laid, with figures deployed where that is possible."""
    random = Random(seed)
    position = Position(new_setup(seed=str(seed)))
    while position.step is not None:
        if isinstance(position.step, PlaceTile):
            yield position.copy()
        actions = list(position.legal_actions)
        deploys = [action for action in actions if isinstance(action, Deploy) and "court" not in action.segment]
        position.apply(random.choice(deploys or actions))


# -- plans ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text", ["p0", "p2", "E2/90", "E2/90 pass", "E2/0 @tower.NL double", "D13/0 pass score:D12.path.S triple again"]
)
def test_a_plan_survives_its_text_form(text: str) -> None:
    assert str(Plan.parse(text)) == text


@pytest.mark.parametrize("text", ["", "p", "p0b", "pass", "@path.N", "E2/45", "p1 E2/0", "gibberish"])
def test_what_is_no_plan_is_refused(text: str) -> None:
    with pytest.raises(NotationError):
        Plan.parse(text)


@pytest.mark.parametrize("text", ["A1/0", "E2/0 E2/0", "E2/0 double", "E2/0 pass double", "E2/0 @road.W"])
def test_a_forged_plan_is_refused(text: str) -> None:
    position = arrange(**TOWER_OF_THREE)
    with pytest.raises(IllegalActionError):
        composer(position).panel(Plan.parse(text))


def test_a_forged_page_is_one_of_those_there_are() -> None:
    position = Position(new_setup(seed="1"))
    assert composer(position).panel(Plan(page=77)).letters == composer(position).panel(Plan()).letters


def test_each_placement_is_offered_once_by_its_look() -> None:
    everywhere = Position(new_setup(seed="1"))
    while everywhere.hand is None or everywhere.hand.id != "castle/D03":
        everywhere = everywhere.copy()
        everywhere.apply(next(iter(everywhere.legal_actions)))
    assert {place.rotation for place in placements(everywhere)} == {0}


def test_ids_have_room_for_plans() -> None:
    prefix = len(str(Key(Op.PLAN, "K7QF", 999, "")))
    assert prefix + ROOM + len("careful ") <= LONGEST
    long: Sequence[Action] = [
        parse_action("D13/270"),
        parse_action("@house.NL"),
        *[parse_action("score:D13.path.W")] * 6,
    ]
    assert 0 < len(fitting(long)) < len(long)
    assert len(written(fitting(long))) <= ROOM
    assert fitting(long[:3]) == tuple(long[:3])


# -- taps -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("confirm", "taps"), [(False, 2), (True, 3)])
def test_three_taps_quick_and_four_careful(confirm: bool, taps: int) -> None:
    position = Position(new_setup(seed="1"))
    panel = composer(position, confirm=confirm).panel(Plan())
    for tap in range(1, taps + 1):  # and one on Play
        assert bool(going(panel)) is (tap == taps)
        if tap < taps:
            panel = composer(position, confirm=confirm).panel(
                Plan.parse(offered(panel, Op.PLAN)[-1 if tap > 1 else 0].argument)
            )


@pytest.mark.parametrize("confirm", [True, False])
def test_a_question_costs_a_tap_only_where_there_would_be_none(confirm: bool) -> None:
    """In careful mode its answers stand where else Confirm would; in quick mode they are one tap more."""
    position = arrange(**TOWER_OF_THREE, hands=((2,), ()))
    laying = composer(position, confirm=confirm).panel(decided("F2/0"))
    assert going(laying) == []
    asking = composer(position, confirm=confirm).panel(decided("F2/0", "pass"))
    assert going(asking) == ["F2/0 pass pass", "F2/0 pass double"]


# -- questions --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hand", "going_on"),
    [((2,), ["pass", "double"]), ((2, 2), ["pass", "double", "triple"]), ((3, 3), [""]), ((1,), ["again", "pass"])],
)
def test_what_a_turn_asks_stands_in_the_panel(hand: tuple[int, ...], going_on: list[str]) -> None:
    position = arrange(**TOWER_OF_THREE, hands=(hand, ()))
    panel = composer(position).panel(decided("F2/0", "pass"))
    assert going(panel) == [f"F2/0 pass {answer}".strip() for answer in going_on]
    for argument in going(panel):
        after = position.copy()
        for token in argument.split():
            after.apply(parse_action(token))
        assert after.player == (0 if argument.endswith("again") else 1)


@pytest.mark.parametrize(
    ("choices", "wanted"),
    [
        ({"double": KEEP, "extra": KEEP}, "pass pass"),
        ({"double": AT_ONCE, "extra": KEEP}, "triple pass"),
        ({"double": AT_ONCE, "extra": AT_ONCE}, "triple again"),
    ],
)
def test_who_has_chosen_once_is_not_asked(choices: dict[str, str], wanted: str) -> None:
    position = arrange(**TOWER_OF_THREE, hands=((1, 2, 2), ()))
    assert going(composer(position, **choices).panel(decided("F2/0", "pass"))) == [f"F2/0 pass {wanted}"]
    quick = composer(position, confirm=False, **choices).panel(decided("F2/0"))
    assert f"F2/0 pass {wanted}" in going(quick)


def test_several_questions_come_one_after_the_other() -> None:
    position = arrange(**TOWER_OF_THREE, hands=((1, 2), ()))
    first = composer(position).panel(decided("F2/0", "pass"))
    assert going(first) == []
    assert [str(plan) for plan in onward(first)] == ["F2/0 pass pass", "F2/0 pass double"]
    second = composer(position).panel(decided("F2/0", "pass", "double"))
    assert going(second) == ["F2/0 pass double again", "F2/0 pass double pass"]


def test_an_order_that_matters_is_asked_for() -> None:
    position = arrange(**PATH_AND_HOUSE, scores=(31, 0), wall_tiles={32: 9})
    panel = composer(position).panel(decided("D13/0", "pass"))
    assert len(panel.features) == 2
    assert [offer.label[0] for offer in offered(panel, Op.GO)] == ["A", "B"]
    assert all("score:" in argument for argument in going(panel))


@pytest.mark.parametrize(
    ("scores", "wall_tiles", "options"),
    [((0, 0), {32: 9}, Options()), ((31, 0), {}, Options()), ((31, 0), {32: 9}, Options(tc_wall_pickup="end_of_turn"))],
)
def test_an_order_that_does_not_matter_is_not(
    scores: tuple[int, int], wall_tiles: dict[int, int], options: Options
) -> None:
    position = arrange(**PATH_AND_HOUSE, scores=scores, wall_tiles=wall_tiles, options=options)
    (argument,) = going(composer(position).panel(decided("D13/0", "pass")))
    assert argument.count("score:") == 1


@pytest.mark.parametrize(("wish", "first"), [(MOST, "house"), (FEWEST, "path")])
def test_the_order_may_be_chosen_once(wish: str, first: str) -> None:
    position = arrange(**PATH_AND_HOUSE, scores=(31, 0), wall_tiles={32: 9})
    (argument,) = going(composer(position, order=wish).panel(decided("D13/0", "pass")))
    assert f".{first}." in argument.split()[2]


def test_the_order_matters_for_a_house_that_may_be_doubled() -> None:
    """Undoubled both orders come to the same; doubled, the marker rests on a corner in one of them only."""
    position = arrange(**PATH_AND_HOUSE, scores=(26, 0), wall_tiles={32: 9}, hands=((3,), ()))
    panel = composer(position).panel(decided("D13/0", "pass"))
    assert len(panel.features) == 2


def test_a_choice_follows_a_move_that_left_it_open() -> None:
    position = arrange(**TOWER_OF_THREE, hands=((1, 2), ()))
    actions = (Place(wall_cell("F2"), 0), Pass())
    kept = Preferences(choices={DOUBLE: KEEP, EXTRA: AT_ONCE})
    assert tuple(CASTLE.followed(position, actions, kept)) == (*actions, Pass(), PlayAgain())
    assert tuple(CASTLE.followed(position, actions, Preferences())) == actions


def wall_cell(label: str) -> Any:
    """A cell by its label."""
    return next(cell for cell in wall().interior if cell.label == label)


def test_the_first_value_of_a_choice_asks() -> None:
    assert {values[0] for values in CHOICES.values()} == {"ask"}
    assert set(CHOICES) == {ORDER, DOUBLE, EXTRA}


# -- on the card ------------------------------------------------------------------------------------------------------


def test_what_a_card_asks_can_be_answered_there() -> None:
    ordering = arrange(**PATH_AND_HOUSE, hands=((1, 3), ()))
    steps = []
    while not isinstance(ordering.step, PlaceTile) or not steps:
        offers = CASTLE.offers(ordering)
        if offers:
            steps.append(type(ordering.step))
            assert {offer.argument for offer in offers} == set(map(str, ordering.legal_actions))
            assert all(len(offer.label) <= 34 for offer in offers)
            assert CASTLE.headline(["Ana", "Ben"], ordering, "Ana")
            ordering.apply(parse_action(offers[0].argument))
        else:
            ordering.apply(Place(wall_cell("D13"), 0))
    assert steps[1:] == [ChooseFeature, DoubleFeature, ExtraTurn]


def test_what_lies_before_a_player_is_told() -> None:
    position = arrange(
        tiles=["D02 C12"], figures=["0 C12 house.NL"], keeps=["0 C12 house.NL"], hands=((2, 9), ()), supply=(4, 6)
    )
    own, other = (list(CASTLE.belongings(position, seat)) for seat in (0, 1))
    assert own == ["4 figures", "keep on size 1", "wall tiles 2 (doubles a tower), 9 (5 points)"]
    assert other == ["6 figures", "keep not built"]


# -- what lies hidden -------------------------------------------------------------------------------------------------


def exchanged(position: Position, random: Random) -> Position:
    """The same game as far as anybody knows: what nobody has seen lies in another order."""
    setup = position.setup
    seen = [wall().corners.index(corner) for corner in position.taken]
    hidden = [place for place in range(len(setup.wall_tiles)) if place not in seen]
    kinds = [setup.wall_tiles[place] for place in hidden]
    random.shuffle(kinds)
    tiles = list(setup.wall_tiles)
    for place, kind in zip(hidden, kinds, strict=True):
        tiles[place] = kind
    pile = list(setup.pile[position.next_tile :])
    random.shuffle(pile)
    other = position.copy()
    other.setup = replace(setup, wall_tiles=tuple(tiles), pile=(*setup.pile[: position.next_tile], *pile), seed="x")
    return other


@pytest.mark.parametrize("seed", range(3))
def test_nothing_in_a_panel_depends_on_what_lies_hidden(seed: int) -> None:
    random = Random(seed)
    for position in positions(seed):
        if random.random() < 0.6:
            continue
        position.scores = [random.choice(wall().corners) - random.randint(1, 4) for _ in range(2)]
        other = exchanged(position, random)
        plan = Plan()
        for _ in range(6):
            panel = composer(position).panel(plan)
            assert panel == composer(other).panel(plan)
            plan = random.choice([*onward(panel), *(Plan.parse(o.argument) for o in offered(panel, Op.PLAN)), Plan()])
        assert completions(CASTLE, position, "", 40) == completions(CASTLE, other, "", 40)


def test_no_picture_depends_on_what_lies_hidden() -> None:
    random = Random(5)
    for position in list(positions(5))[20::25]:
        other = exchanged(position, random)
        game, drawn = game_of(position), []
        for table in (position, other):
            panel = composer(position).panel(Plan())
            drawn.append(
                [
                    *CASTLE.turn_pictures(table, DAY),
                    CASTLE.board_picture(table, DAY),
                    *(shown.picture for shown in CASTLE.panel_pictures(game, table, panel, DAY)),
                    CASTLE.tiles_picture(table, Counter(table.setup.pile[table.next_tile :]), DAY),
                ]
            )
        assert drawn[0] == drawn[1]


@pytest.mark.parametrize("hidden", [1, 2, 9])
def test_a_tile_that_will_be_taken_is_not_told_before(hidden: int) -> None:
    position = arrange(**LANDING, wall_tiles={32: hidden})
    panel = composer(position).panel(decided("E2/0", "pass"))
    assert going(panel) == ["E2/0 pass"]
    assert "take the wall tile there" in panel.text
    assert wall_tile_words(WallTile(hidden)) not in panel.text
    assert panel == composer(arrange(**LANDING, wall_tiles={32: 5})).panel(decided("E2/0", "pass"))


def test_a_tile_1_just_taken_is_asked_about_on_the_card() -> None:
    position = arrange(**LANDING, wall_tiles={32: 1})
    events = [event for token in ("E2/0", "pass") for event in position.apply(parse_action(token))]
    told = " ".join(Storyteller(CASTLE.sentence, ["Ana", "Ben"]).sentences(events))
    assert "turns up wall tile 1 (another turn)" in told
    assert [answer.action for answer in answers(position)] == [PlayAgain(), Pass()]
    assert any(isinstance(event, WallTileTaken) for event in events)


def test_nothing_is_planned_beyond_a_turn() -> None:
    position = arrange(**TOWER_OF_THREE, hands=((1,), ()))
    ahead = course(position, decided("F2/0", "pass").actions, {EXTRA: AT_ONCE})
    assert ahead.actions[-1] == PlayAgain()
    assert not ahead.asks


# -- typing -----------------------------------------------------------------------------------------------------------


def test_every_answer_can_be_typed() -> None:
    position = arrange(**TOWER_OF_THREE, hands=((1, 2), ()))
    found = {move.text for move in completions(CASTLE, position, "F2", 1000)}
    assert {"F2/0 pass double again", "F2/0 pass pass pass", "F2/0 @court.ER double again"} <= found
    typed = typed_actions(CASTLE, position, "F2 as drawn no figure doubled another")
    assert written(typed) == "F2/0 pass double again"


def test_answers_may_be_left_out() -> None:
    position = arrange(**TOWER_OF_THREE, hands=((1, 2), ()))
    assert written(typed_actions(CASTLE, position, "F2/0 pass")) == "F2/0 pass"
    assert typed_actions(CASTLE, position, "F2/0") == ()
    nobody_left = arrange(**TOWER_OF_THREE, supply=(0, 6))
    assert written(typed_actions(CASTLE, nobody_left, "F2/0")) == "F2/0 pass"


def test_a_question_on_the_card_can_be_answered_by_typing() -> None:
    position = arrange(**TOWER_OF_THREE, hands=((1, 2), ()))
    for token in ("F2/0", "pass"):
        position.apply(parse_action(token))
    assert {move.text for move in completions(CASTLE, position, "", 10)} == {
        f"{one} {other}" for one in ("pass", "double") for other in ("pass", "again")
    }


# -- words ------------------------------------------------------------------------------------------------------------


def test_tiles_are_told_in_full() -> None:
    kinds = designed().kinds
    assert tile_words(kinds["castle/D01"]) == "tower all over"
    assert tile_words(kinds["castle/D09"]) == "tower on a half, court with a market on a half"
    assert tile_words(kinds["castle/D39"]) == "house on three quarters, court on a quarter, path that turns with a well"
    assert tile_words(kinds["castle/D49"]).endswith("court on a quarter, a square with 3 paths")


def test_every_wall_tile_has_words() -> None:
    told = {wall_tile_words(kind) for kind in WallTile if kind is not WallTile.HIDDEN}
    assert len(told) == 9


def test_features_are_named_where_they_are_asked_about() -> None:
    position = arrange(**PATH_AND_HOUSE, scores=(31, 0), wall_tiles={32: 9})
    for token in ("D13/0", "pass"):
        position.apply(parse_action(token))
    labels = [answer.label for answer in answers(position)]
    assert all(label.startswith(letter) for label, letter in zip(labels, "AB", strict=True))
    assert {action for action, _, _ in answers(position)} == set(position.legal_actions)
    assert all(isinstance(action, ScoreFeature) for action, _, _ in answers(position))
