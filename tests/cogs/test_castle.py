"""The Castle's composer and texts: plans, taps, questions, choices and typed moves.

In most tests Ana moves; a placement on F2 completes her tower of 3 (6 points), one on D13 a path and a house.
``hands`` are the wall tiles that the players hold: 1 is another turn, 2 doubles a tower, 3 doubles a house. A text
such as "F2/0 pass double" is a plan: the tile on F2, no figure, the tower doubled.
"""

from collections import defaultdict
from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from cogs.games.the_castle.presenter import answers
from cogs.games.the_castle.wishes import AT_ONCE, CHOICES, DOUBLE, EXTRA, FEWEST, KEEP, MOST, ORDER
from cogs.games.the_castle.words import sentence, tile_words, wall_tile_words
from cogs.panels.composer import Composer, EarComposer
from cogs.presenting.ids import MAX_CUSTOM_ID_LENGTH, Key, Op
from cogs.presenting.turn import (
    LETTERS,
    MAX_ARGUMENT_LENGTH,
    Plan,
    actions_text,
    fitting_actions,
    parts_of,
    placements,
    spots,
)
from cogs.words.typed_moves import typed_actions, typed_moves
from engine import Action, IllegalActionError, NotationError, Pass, Place, parse_action
from engine.actions import FOLLOWER
from engine.events import Scored, Term
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
    default_tile_set,
    new_setup,
    wall,
)
from engine.the_castle.events import KeepsCompared, WallTilesUsed
from host import Preferences
from renderers import DAY, Picture, Theme
from renderers.the_castle import Area
from tests.cogs.castle import (
    CASTLE,
    PATH_AND_HOUSE,
    TOWER_OF_THREE,
    buttons_with,
    composer,
    moves_offered,
    next_plans,
    plan_of,
)
from tests.cogs.positions import game_of
from tests.engine.built_castle_positions import arrange

# -- plans ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text", ["p0", "p2", "E2/90", "E2/90 pass", "E2/0 @tower.NL double", "D13/0 pass score:D12.path.S triple again"]
)
def test_a_plan_survives_its_text_form(text: str) -> None:
    assert str(Plan.parse(text)) == text


@pytest.mark.parametrize("text", ["", "p", "pass", "@path.N", "E2/45", "p1 E2/0", "E2/0 E2/0", "gibberish"])
def test_an_invalid_plan_is_refused(text: str) -> None:
    with pytest.raises(NotationError):
        Plan.parse(text)


@pytest.mark.parametrize(
    "text",
    [
        *("A1", "A1/0", "E2/0 double", "E2/0 pass double", "E2/0 @road.W"),
        *("p0b", "decline", "E2/0 with:pig", "E2/0 ~E2WE", "E2/0 pass open"),
    ],
)
def test_a_forged_plan_is_refused(text: str) -> None:
    position = arrange(**TOWER_OF_THREE)
    with pytest.raises(IllegalActionError):
        composer(position).panel(Plan.parse(text))


def test_a_forged_page_number_is_clamped() -> None:
    position = Position(new_setup(seed="1"))
    assert composer(position).panel(Plan(page=77)).spots == composer(position).panel(Plan()).spots


def test_placements_of_the_same_look_are_offered_once() -> None:
    position = Position(new_setup(seed="1"))
    while position.hand is None or position.hand.id != "castle/D03":
        position = position.copy()
        position.apply(next(iter(position.legal_actions)))
    assert {place.rotation for place in placements(position)} == {0}


def test_the_longest_plan_fits_a_custom_id() -> None:
    prefix = len(str(Key(Op.PLAN, "K7QF", 999, "")))
    assert prefix + MAX_ARGUMENT_LENGTH + len("careful ") <= MAX_CUSTOM_ID_LENGTH
    actions: Sequence[Action] = [
        parse_action("D13/270"),
        parse_action("@house.NL"),
        *[parse_action("score:D13.path.W")] * 6,
    ]
    assert 0 < len(fitting_actions(actions)) < len(actions)
    assert len(actions_text(fitting_actions(actions))) <= MAX_ARGUMENT_LENGTH
    assert fitting_actions(actions[:3]) == tuple(actions[:3])


# -- taps -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("confirm", "taps"), [(False, 2), (True, 3)])
def test_a_move_takes_three_taps_in_quick_and_four_in_careful_mode(confirm: bool, taps: int) -> None:
    position = Position(new_setup(seed="1"))
    panel = composer(position, confirm=confirm).panel(Plan())
    for tap in range(1, taps + 1):  # plus one on Play
        assert bool(moves_offered(panel)) is (tap == taps)
        if tap < taps:
            panel = composer(position, confirm=confirm).panel(
                Plan.parse(buttons_with(panel, Op.PLAN)[-1 if tap > 1 else 0].argument)
            )


@pytest.mark.parametrize("by_ear", [False, True])
@pytest.mark.parametrize("undoable", [False, True])
def test_a_turn_without_a_figure_is_confirmed_unless_it_can_be_undone(undoable: bool, by_ear: bool) -> None:
    position = Position(new_setup(seed="1"))
    kind = EarComposer if by_ear else Composer
    panel = kind(CASTLE, game_of(position), position, Preferences(confirm=True), undoable=undoable).panel(
        plan_of("I9/90")
    )
    assert moves_offered(panel) == (["I9/90 pass"] if undoable else [])


@pytest.mark.parametrize(
    ("built", "spot", "rotation"),
    [
        (TOWER_OF_THREE, "F2", 0),  # completes the tower; each other rotation would score less
        (PATH_AND_HOUSE, "C11", 270),  # completes a path for 2, once a figure stands on it
        (TOWER_OF_THREE, "E7", 270),  # scores nothing, as the others do, and leaves fewest ends open
    ],
)
def test_a_spot_shows_the_rotation_first_that_brings_most(built: Any, spot: str, rotation: int) -> None:
    position = arrange(**built)
    assert spot in [offer.argument for offer in buttons_with(composer(position).panel(Plan()), Op.PLAN)]
    shown = composer(position).panel(Plan.parse(spot)).place
    assert shown is not None
    assert (shown.cell.label, shown.rotation) == (spot, rotation)


def test_the_confirming_picture_shows_the_figure_under_its_letter() -> None:
    position = Position(new_setup(seed="1"))
    spot = buttons_with(composer(position).panel(Plan()), Op.PLAN)[0].argument
    placing = composer(position).panel(Plan.parse(spot))
    assert placing.figure == ""
    deployments = [offer for offer in buttons_with(placing, Op.PLAN) if "@" in offer.argument]
    assert len(deployments) == len(placing.figure_places) > 1
    for offer, entry in zip(deployments, placing.figure_places, strict=True):
        confirming = composer(position).panel(Plan.parse(offer.argument))
        assert (confirming.figure_places, confirming.figure) == ([entry], FOLLOWER)
    without_figure = composer(position).panel(Plan.parse(f"{spot} pass"))
    assert (without_figure.figure_places, without_figure.figure) == ([], "")


@pytest.mark.parametrize("confirm", [True, False])
def test_a_question_costs_a_tap_only_in_quick_mode(confirm: bool) -> None:
    """Answers take the place of Confirm in careful mode; in quick mode they are one tap more."""
    position = arrange(**TOWER_OF_THREE, hands=((2,), ()))
    placing = composer(position, confirm=confirm).panel(plan_of("F2/0"))
    assert moves_offered(placing) == []
    panel_with_question = composer(position, confirm=confirm).panel(plan_of("F2/0", "pass"))
    assert moves_offered(panel_with_question) == ["F2/0 pass pass", "F2/0 pass double"]


# -- questions --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hand", "answers_expected"),
    [((2,), ["pass", "double"]), ((2, 2), ["pass", "double", "triple"]), ((3, 3), [""]), ((1,), ["again", "pass"])],
)
def test_the_questions_of_a_turn_appear_in_the_panel(hand: tuple[int, ...], answers_expected: list[str]) -> None:
    position = arrange(**TOWER_OF_THREE, hands=(hand, ()))
    panel = composer(position).panel(plan_of("F2/0", "pass"))
    assert moves_offered(panel) == [f"F2/0 pass {answer}".strip() for answer in answers_expected]
    for argument in moves_offered(panel):
        after = position.copy()
        for token in argument.split():
            after.apply(parse_action(token))
        assert after.player == (0 if argument.endswith("again") else 1)


@pytest.mark.parametrize(
    ("choices", "expected"),
    [
        ({"double": KEEP, "extra": KEEP}, "pass pass"),
        ({"double": AT_ONCE, "extra": KEEP}, "triple pass"),
        ({"double": AT_ONCE, "extra": AT_ONCE}, "triple again"),
    ],
)
def test_a_lasting_choice_suppresses_the_question(choices: dict[str, str], expected: str) -> None:
    position = arrange(**TOWER_OF_THREE, hands=((1, 2, 2), ()))
    assert moves_offered(composer(position, **choices).panel(plan_of("F2/0", "pass"))) == [f"F2/0 pass {expected}"]
    quick = composer(position, confirm=False, **choices).panel(plan_of("F2/0"))
    assert f"F2/0 pass {expected}" in moves_offered(quick)


@pytest.mark.parametrize(
    ("hand", "question", "first_label"),
    [
        ((2,), "Use wall tile 2 on the tower", "Keep the Tile: 6 Points"),
        ((2, 2), "Use one or both of your wall tiles 2 on the tower", "Keep Both Tiles: 6 Points"),
    ],
)
def test_doubling_is_asked_for_the_held_tiles(hand: tuple[int, ...], question: str, first_label: str) -> None:
    position = arrange(**TOWER_OF_THREE, hands=(hand, ()), scores=(20, 0), wall_tiles={32: 9})
    panel = composer(position).panel(plan_of("F2/0", "pass"))
    assert question in panel.text
    assert buttons_with(panel, Op.GO)[0].label == first_label
    assert "With 6 points the marker stops on 26\n" in panel.text
    assert "With 12 points the marker stops on 32, where there is a wall tile" in panel.text
    assert ("With 18 points" in panel.text) is (len(hand) == 2)
    for token in ("F2/0", "pass"):
        position.apply(parse_action(token))
    assert ("both" in CASTLE.headline(["Ana", "Ben"], position, "Ana")) is (len(hand) == 2)
    assert CASTLE.details(["Ana", "Ben"], position).splitlines()[0] == "With 6 points the marker stops on 26"


def test_the_picture_of_a_question_shows_previous_decisions(monkeypatch: pytest.MonkeyPatch) -> None:
    """The figure is shown as placed; a single feature in question needs no letter."""
    drawn: list[tuple[Position, Sequence[Area]]] = []

    def order_question(position: Position, areas: Sequence[Area], *, theme: Theme) -> Picture:
        """Record what is drawn and return a stub."""
        drawn.append((position, areas))
        return Picture(theme.name.encode(), "areas.png", 1, 1)

    monkeypatch.setattr("cogs.games.the_castle.presenter.order_question", order_question)
    position = arrange(**TOWER_OF_THREE, hands=((2,), ()))
    composer_ = composer(position)
    panel = composer_.panel(plan_of("F2/0", "@court.ER"))
    (picture,) = CASTLE.panel_pictures(composer_.game, position, panel, DAY)
    ((after, (area,)),) = drawn
    assert "court" in {standing.segment.kind for standing in after.standing_figures()}
    assert area.letter == ""
    assert picture.alt.startswith("The castle with tower")
    order_composer = composer(arrange(**PATH_AND_HOUSE, scores=(31, 0), wall_tiles={32: 9}))
    CASTLE.panel_pictures(
        order_composer.game, order_composer.position, order_composer.panel(plan_of("D13/0", "pass")), DAY
    )
    assert [area.letter for area in drawn[1][1]] == ["A", "B"]


def test_a_figure_keeps_the_letter_of_its_button() -> None:
    position = arrange(**TOWER_OF_THREE)
    placing = composer(position).panel(plan_of("F2/0"))
    assert [letter for letter, _ in placing.figure_places] == list(LETTERS[: len(next_plans(placing)) - 1])
    for plan, (letter, segment) in zip(next_plans(placing), placing.figure_places, strict=False):
        assert composer(position).panel(plan).figure_places == [(letter, segment)]
    assert composer(position).panel(plan_of("F2/0", "pass")).figure_places == []


def test_several_questions_are_asked_in_sequence() -> None:
    position = arrange(**TOWER_OF_THREE, hands=((1, 2), ()))
    first = composer(position).panel(plan_of("F2/0", "pass"))
    assert moves_offered(first) == []
    assert [str(plan) for plan in next_plans(first)] == ["F2/0 pass pass", "F2/0 pass double"]
    second = composer(position).panel(plan_of("F2/0", "pass", "double"))
    assert moves_offered(second) == ["F2/0 pass double again", "F2/0 pass double pass"]


def test_a_relevant_order_is_asked_for() -> None:
    position = arrange(**PATH_AND_HOUSE, scores=(31, 0), wall_tiles={32: 9})
    panel = composer(position).panel(plan_of("D13/0", "pass"))
    assert len(panel.features) == 2
    assert [offer.label[0] for offer in buttons_with(panel, Op.GO)] == ["A", "B"]
    assert all("score:" in argument for argument in moves_offered(panel))


@pytest.mark.parametrize(
    ("scores", "wall_tiles", "options"),
    [((0, 0), {32: 9}, Options()), ((31, 0), {}, Options()), ((31, 0), {32: 9}, Options(tc_wall_pickup="end_of_turn"))],
)
def test_an_irrelevant_order_is_not_asked_for(
    scores: tuple[int, int], wall_tiles: dict[int, int], options: Options
) -> None:
    position = arrange(**PATH_AND_HOUSE, scores=scores, wall_tiles=wall_tiles, options=options)
    (argument,) = moves_offered(composer(position).panel(plan_of("D13/0", "pass")))
    assert argument.count("score:") == 1


@pytest.mark.parametrize(("choice", "first"), [(MOST, "house"), (FEWEST, "path")])
def test_the_order_can_be_a_lasting_choice(choice: str, first: str) -> None:
    position = arrange(**PATH_AND_HOUSE, scores=(31, 0), wall_tiles={32: 9})
    (argument,) = moves_offered(composer(position, order=choice).panel(plan_of("D13/0", "pass")))
    assert f".{first}." in argument.split()[2]


def test_the_order_is_relevant_if_a_house_may_be_doubled() -> None:
    """Both orders are equal without doubling; with it, the marker rests on a corner in only one of them."""
    position = arrange(**PATH_AND_HOUSE, scores=(26, 0), wall_tiles={32: 9}, hands=((3,), ()))
    panel = composer(position).panel(plan_of("D13/0", "pass"))
    assert len(panel.features) == 2


def test_an_open_question_is_asked_after_the_move() -> None:
    position = arrange(**TOWER_OF_THREE, hands=((1, 2), ()))
    actions = (Place(wall_cell("F2"), 0), Pass())
    preferences = Preferences(choices={DOUBLE: KEEP, EXTRA: AT_ONCE})
    assert tuple(CASTLE.turn.followed(position, actions, preferences.choices)) == (*actions, Pass(), PlayAgain())
    assert tuple(CASTLE.turn.followed(position, actions, {})) == actions


def wall_cell(label: str) -> Any:
    """Return a cell of the wall by its label."""
    return next(cell for cell in wall().interior if cell.label == label)


def test_the_default_of_a_choice_is_to_ask() -> None:
    assert {values[0] for values in CHOICES.values()} == {"ask"}
    assert set(CHOICES) == {ORDER, DOUBLE, EXTRA}


# -- on the card ------------------------------------------------------------------------------------------------------


def test_questions_on_a_card_are_answered_on_the_card() -> None:
    position = arrange(**PATH_AND_HOUSE, hands=((1, 3), ()))
    steps = []
    while not isinstance(position.step, PlaceTile) or not steps:
        offers = CASTLE.offers(position)
        if offers:
            steps.append(type(position.step))
            assert {offer.argument for offer in offers} == set(map(str, position.legal_actions))
            assert all(len(offer.label) <= 34 for offer in offers)
            assert CASTLE.headline(["Ana", "Ben"], position, "Ana")
            position.apply(parse_action(offers[0].argument))
        else:
            position.apply(Place(wall_cell("D13"), 0))
    assert steps[1:] == [ChooseFeature, DoubleFeature, ExtraTurn]


def test_the_held_tiles_of_a_player_are_named() -> None:
    position = arrange(
        tiles=["D02 C12"], figures=["0 C12 house.NL"], keeps=["0 C12 house.NL"], hands=((2, 9), ()), supply=(4, 6)
    )
    own, other = (list(CASTLE.belongings(position, seat)) for seat in (0, 1))
    assert own == ["4 figures", "keep on a house of size 1", "wall tiles 2 (doubles a tower), 9 (5 points)"]
    assert other == ["6 figures", "no keep yet"]


@pytest.mark.parametrize(
    ("hand", "expected"),
    [
        ((3,), "wall tile 3 (doubles a house)"),
        ((3, 3), "wall tiles 3 twice (doubles a house)"),
        ((2, 3, 3), "wall tiles 2 (doubles a tower), 3 twice (doubles a house)"),
    ],
)
def test_wall_tiles_are_named_by_kind(hand: tuple[int, ...], expected: str) -> None:
    assert list(CASTLE.belongings(arrange(hands=(hand, ())), 0))[-1] == expected


def test_using_both_wall_tiles_omits_their_explanation() -> None:
    sentences = [sentence(["Ana", "Ben"], WallTilesUsed(0, WallTile.DOUBLE_TOWER, count)) for count in (1, 2)]
    assert sentences == ["Ana uses wall tile 2 (doubles a tower).", "Ana uses both wall tiles 2."]


def test_final_scores_are_named() -> None:
    keep = Scored(0, 9, "keep", (Term("spaces", 9, 9),), (), final=True)
    assert sentence(["Ana", "Ben"], keep) == "**Ana +9** at the end for the larger keep: 9 empty spaces."
    tiles = [Scored(1, 5 * n, "wall_tile_9", (Term("wall_tiles", n, 5 * n),), (), final=True) for n in (1, 2)]
    assert [sentence(["Ana", "Ben"], event) for event in tiles] == [
        "**Ben +5** at the end for wall tile 9.",
        "**Ben +10** at the end for both wall tiles 9.",
    ]


def test_an_enlarged_keep_is_named() -> None:
    assert sentence(["Ana", "Ben"], KeepsCompared((2, 3), (4, 3), 0)) == "Keeps: Ana 2, counting as 4, Ben 3."


# -- typing -----------------------------------------------------------------------------------------------------------


def test_every_answer_can_be_typed() -> None:
    position = arrange(**TOWER_OF_THREE, hands=((1, 2), ()))
    typed_texts = {move.text for move in typed_moves(CASTLE, position, "F2", 1000)}
    assert {"F2/0 pass double again", "F2/0 pass pass pass", "F2/0 @court.ER double again"} <= typed_texts
    typed = typed_actions(CASTLE, position, "F2 not turned no figure double another")
    assert actions_text(typed) == "F2/0 pass double again"


def test_answers_can_be_omitted() -> None:
    position = arrange(**TOWER_OF_THREE, hands=((1, 2), ()))
    assert actions_text(typed_actions(CASTLE, position, "F2/0 pass")) == "F2/0 pass"
    assert typed_actions(CASTLE, position, "F2/0") == ()
    without_figures = arrange(**TOWER_OF_THREE, supply=(0, 6))
    assert actions_text(typed_actions(CASTLE, without_figures, "F2/0")) == "F2/0 pass"


def test_a_question_on_the_card_can_be_answered_by_typing() -> None:
    position = arrange(**TOWER_OF_THREE, hands=((1, 2), ()))
    for token in ("F2/0", "pass"):
        position.apply(parse_action(token))
    assert {move.text for move in typed_moves(CASTLE, position, "", 10)} == {
        f"{first_answer} {second_answer}" for first_answer in ("pass", "double") for second_answer in ("pass", "again")
    }


# -- words ------------------------------------------------------------------------------------------------------------


def test_parallel_paths_of_a_tile_are_named_together() -> None:
    descriptions = {tile_words(kind) for kind in default_tile_set().kinds.values()}
    assert any(words.endswith(", 2 paths that turn") for words in descriptions)
    assert any(words.endswith("path with three arms and a well") for words in descriptions)


def test_tiles_are_described_completely() -> None:
    kinds = default_tile_set().kinds
    assert tile_words(kinds["castle/D01"]) == "tower on all four quarters"
    assert tile_words(kinds["castle/D09"]) == "tower on a half, court with a market on a half"
    assert tile_words(kinds["castle/D39"]) == "house on three quarters, court on a quarter, path that turns with a well"
    assert tile_words(kinds["castle/D49"]).endswith("court on each of 2 quarters, square with 3 paths")


def test_every_wall_tile_has_a_text() -> None:
    texts = {wall_tile_words(kind) for kind in WallTile if kind is not WallTile.HIDDEN}
    assert len(texts) == 9


def test_questions_name_their_features() -> None:
    position = arrange(**PATH_AND_HOUSE, scores=(31, 0), wall_tiles={32: 9})
    for token in ("D13/0", "pass"):
        position.apply(parse_action(token))
    labels = [answer.label for answer in answers(position)]
    assert all(label.startswith(letter) for label, letter in zip(labels, "AB", strict=True))
    assert {action for action, _ in answers(position)} == set(position.legal_actions)
    assert all(isinstance(action, ScoreFeature) for action, _ in answers(position))


def test_at_most_one_in_five_panels_of_spots_is_shown_in_parts() -> None:
    """The whole castle is legible on a phone, so only more than twenty spots need parts."""
    panels = parts = 0
    for seed in range(3):
        random, position = Random(seed), Position(new_setup(seed=f"parts {seed}"))
        while position.step is not None:
            if isinstance(position.step, PlaceTile):
                panels += 1
                parts += len(parts_of(spots(placements(position)), lambda: defaultdict(int))) > 1
            position.apply(random.choice(position.legal_actions))
    assert panels > 100
    assert 0 < parts <= panels / 5
