"""Traders & Builders in composer, typed moves and texts: builders, pigs, goods and double turns.

In most tests Red (Ana) has a follower on a road that ends on O13, and a tile in hand that extends it there.
"""

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from cogs.commands import autocomplete
from cogs.commands.autocomplete import ALONE, expansion_choices, expansions_of
from cogs.commands.table_options import pages
from cogs.games.carcassonne import presenter
from cogs.games.carcassonne.words import sentence, tile_words
from cogs.games.presenters import presenter_of
from cogs.panels.composer import compose
from cogs.panels.hints import hint_panel
from cogs.presenting.ids import Op
from cogs.presenting.presenter import TilePanel
from cogs.presenting.turn import Plan, placements, position_with
from cogs.texts import catalogue, listed, t
from cogs.texts.languages import speaking
from cogs.words.names import capital, segment_words
from cogs.words.refusals import RefusedError
from cogs.words.story import score_table
from cogs.words.typed_moves import typed_actions, typed_moves
from engine import Cell, Deploy, IllegalActionError, Pass, Place, parse_action
from engine.actions import FOLLOWER
from engine.carcassonne import FeatureKind, Options, PlaceTile, Position, Segment, new_setup, tile
from engine.carcassonne.double_turns import first_tile
from engine.carcassonne.expansions import BCB, FAIRY, OFFERED, REGISTRY, TRADERS_BUILDERS
from engine.carcassonne.expansions.bridges_castles_bazaars import LotsSetAside
from engine.carcassonne.expansions.traders_builders import GoodsTaken
from engine.events import Deployed, Scored, Term
from gallery.built_positions import arrange
from host import Preferences
from renderers import DAY, Picture
from renderers.carcassonne import Tally
from tests.cogs.panel_buttons import labels
from tests.cogs.positions import game_of
from tests.cogs.test_choosing_options import lobby_of
from tests.scenarios.test_builders_bazaars import BUILDER_FIRST, red_bazaar
from tests.scenarios.vocabulary import RED, play_turn
from tests.scenarios.vocabulary_builders import BUILDERS_ONLY, RED_ROAD, WITH_BAZAARS, arrange_builders
from tests.scenarios.vocabulary_castles import auction_for_free

NAMES = ["Ana", "Ben", "Cleo"]
EXTENSION_CELL = Cell.parse("O13")
"""The cell that the road of the scenarios leads to."""
CITY_WITH_WINE = ["base/E 0,0 90", "tb/FCFC 1,0"]
"""A city with a barrel of wine, open to the east."""
ROAD_NAME = segment_words(Segment(FeatureKind.ROAD, (1, 3)))
"""The road from east to west, in words."""
BUILDER = f"C Builder: {capital(ROAD_NAME)}"
"""The label of the button that places Red's builder."""


def road_extension(**changes: Any) -> Position:
    """Return a position in which Red has a thief on a road and a tile in hand that extends it."""
    road = {"tiles": RED_ROAD, "followers": ["0 0,0 road.E"], "hand": "base/U", "expansions": BUILDERS_ONLY}
    return arrange(**{**road, **changes})


def panel(position: Position, plan: str, *, confirm: bool = False) -> TilePanel:
    """Return the composer's panel of a plan."""
    return compose(presenter_of(position), game_of(position), position, plan, Preferences(confirm=confirm))


def random_positions(seed: int, expansions: tuple[str, ...] = WITH_BAZAARS) -> Iterator[Position]:
    """Yield the positions with a tile in hand of a random game in which builders and pigs are placed where possible."""
    rng = Random(seed)
    options = Options(bridge_timing="any_time")
    position = Position(new_setup(players=3, seed=str(seed), options=options, expansions=expansions))
    while position.step is not None:
        if isinstance(position.step, PlaceTile):
            yield position
        legal = list(position.legal_actions)
        companions = [action for action in legal if isinstance(action, Deploy) and action.figure != FOLLOWER]
        position.apply(rng.choice(companions or legal))


# -- the composer --------------------------------------------------------------------------------------------------


def test_a_builder_has_its_letter_beside_the_followers() -> None:
    tile_panel = panel(road_extension(), "O13/0")
    assert labels(tile_panel)["A Field N"] == "O13/0 @field.NL"
    assert labels(tile_panel)[BUILDER] == "O13/0 builder@road.E"
    assert t("button.no_figure") in labels(tile_panel)
    assert t("panel.figure") in tile_panel.text
    kinds = [(letter, segment.kind) for letter, segment in tile_panel.figure_places]
    assert kinds == [("A", FeatureKind.FIELD), ("B", FeatureKind.FIELD), ("C", FeatureKind.ROAD)]


def test_figures_are_not_mentioned_where_no_builder_can_stand() -> None:
    tile_panel = panel(road_extension(followers=[]), "O13/0")
    assert f"A {capital(ROAD_NAME)}" in labels(tile_panel)
    assert t("button.no_follower") in labels(tile_panel)
    assert t("panel.follower") in tile_panel.text
    assert not [label for label in labels(tile_panel) if "Builder" in label]


def test_a_pig_joins_a_farmer() -> None:
    tile_panel = panel(road_extension(followers=["0 0,0 field.NL"]), "O13/0")
    assert "C Pig: Field N" in labels(tile_panel)


def test_a_builder_takes_no_more_taps_than_a_follower() -> None:
    """A confirmation is one more tap, which names the action."""
    quick, careful = (labels(panel(road_extension(), "O13/0", confirm=confirm)) for confirm in (False, True))
    assert quick.keys() == careful.keys()
    confirming = panel(road_extension(), careful[BUILDER], confirm=True)
    assert f"builder on {ROAD_NAME}" in confirming.text
    assert labels(confirming)[t("button.confirm")] == "O13/0 builder@road.E"
    assert [(letter, segment.kind) for letter, segment in confirming.figure_places] == [("C", FeatureKind.ROAD)]


@pytest.mark.parametrize(
    "plan", ["O13/0 builder@field.NL", "O13/0 pig@road.E", "O13/0 dragon@road.E", "O13/0 builder@castle"]
)
def test_a_forged_figure_is_refused(plan: str) -> None:
    for confirm in (True, False):
        with pytest.raises(IllegalActionError):
            panel(road_extension(), plan, confirm=confirm)


def test_without_the_expansion_no_builder_is_offered() -> None:
    with pytest.raises(IllegalActionError):
        panel(road_extension(expansions=(BCB,)), "O13/0 builder@road.E")
    assert not [label for label in labels(panel(road_extension(expansions=(BCB,)), "O13/0")) if "Builder" in label]


@pytest.mark.parametrize("seed", range(3))
def test_the_offered_figures_equal_the_legal_ones(seed: int) -> None:
    rng, figure_names = Random(seed), set()
    for position in random_positions(seed):
        turn = presenter_of(position).turn
        plan = Plan(place=rng.choice(placements(position, aided=False) or placements(position, aided=True)))
        offered = turn.deployments(position, plan)
        assert plan.place is not None
        after = position_with(position, plan.place)
        legal = {action for action in after.legal_actions if isinstance(action, Deploy)}
        assert set(offered) == (legal if after.player == position.player and after.hand is None else set())
        assert len({figure.segment for figure in offered}) == len(offered)
        assert all(turn.complete(position, replace(plan, figure=figure)) for figure in offered)
        figure_names |= {figure.figure for figure in offered}
    assert figure_names == {"follower", "builder", "pig"}


def test_the_goods_of_a_city_are_named_before_the_move() -> None:
    position = arrange(tiles=CITY_WITH_WINE, hand="base/E", pile=["base/B"], expansions=BUILDERS_ONLY)
    assert "1 barrel of wine" in panel(position, "O13/270 pass", confirm=True).text


# -- typed moves ---------------------------------------------------------------------------------------------------


def test_a_builder_is_typed_by_notation_or_words() -> None:
    position = road_extension()
    presenter = presenter_of(position)
    expected = (Place(EXTENSION_CELL, 0), Deploy("road.E", "builder"))
    assert typed_actions(presenter, position, "O13/0 builder@road.E") == expected
    assert typed_actions(presenter, position, "o13 builder") == expected
    (suggestion,) = typed_moves(presenter, position, "O13 builder", 25)
    assert suggestion.text == "O13/0 builder@road.E"
    assert suggestion.words == f"O13 not turned, builder on {ROAD_NAME}"


def test_an_illegal_typed_figure_is_passed_on_to_the_host() -> None:
    position = road_extension()
    for text in ("O13/0 pig@road.E", "O13/0 dragon@road.E"):
        actions = tuple(parse_action(token) for token in text.split())
        assert typed_actions(presenter_of(position), position, text) == actions
        after = position_with(position, Place(EXTENSION_CELL, 0))
        assert actions[-1] not in after.legal_actions


# -- words ---------------------------------------------------------------------------------------------------------


def test_the_second_tile_of_a_turn_is_named_as_such() -> None:
    position = arrange_builders(hand="base/U", pile=["base/V", *["base/B"] * 9])
    presenter = presenter_of(position)
    assert "second" not in presenter.headline(NAMES, position, "Ana")
    play_turn(position, "2,0", 0)
    assert first_tile(position) >= 0
    headline = presenter.headline(NAMES, position, "Ana")
    assert headline == t("headline.place_second", player="Ana", turn=position.turn, tile="road bend")
    assert t("panel.tile_second", turn=position.turn, tile="road bend") in panel(position, "p0").text


def test_a_bought_tile_within_a_double_turn_is_named_as_bought() -> None:
    position = red_bazaar("base/U", "base/V", "base/W", "base/X", blue=False, green=False)
    presenter = presenter_of(position)
    auction_for_free(position)
    headlines = []
    for _ in range(4):
        headlines.append(presenter.headline(NAMES, position, NAMES[position.player]))
        place = next(action for action in position.legal_actions if isinstance(action, Place) and action.cell.y > 20)
        position.apply(place)
        position.apply(Pass())
    assert ["bazaar" in line for line in headlines] == [True, True, True, False]
    assert ["second tile" in line for line in headlines] == [False, False, False, True]
    assert headlines[-1].count("Ana") == 1


def test_the_events_of_the_expansion_have_sentences() -> None:
    road = Segment(FeatureKind.ROAD, (1, 3))
    field = Segment(FeatureKind.FIELD, (0, 1))
    wine = Scored(0, 10, "goods", (Term("wine", 3, 10),), (), final=True)
    assert sentence(NAMES, Deployed(0, EXTENSION_CELL, road, "builder")) == f"Ana places a builder on the {ROAD_NAME}."
    assert sentence(NAMES, Deployed(1, EXTENSION_CELL, field, "pig")) == "Ben places a pig on the field N."
    assert sentence(NAMES, Deployed(1, EXTENSION_CELL, road, FOLLOWER)) == f"Ben places a follower on the {ROAD_NAME}."
    assert sentence(NAMES, GoodsTaken(2, "cloth", 2)) == "Cleo takes 2 bales of cloth."
    assert sentence(NAMES, GoodsTaken(2, "grain", 1)) == "Cleo takes 1 sack of grain."
    assert sentence(NAMES, wine) == "**Ana +10** at the end for a majority in goods: 3 barrels of wine."
    assert "4 tiles are set aside" in sentence(NAMES, LotsSetAside(0, 4))


def test_tiles_set_aside_are_mentioned_but_not_shown() -> None:
    position = red_bazaar("base/U", "base/V", "base/W", "base/X", options=BUILDER_FIRST)
    presenter = presenter_of(position)
    assert "second tile" in presenter.headline(NAMES, position, "Ana")
    assert presenter.details(NAMES, position) == ""


def test_goods_on_a_tile_are_named() -> None:
    assert tile_words(tile("tb/FCFC")) == "city from side to side with wine"
    assert tile_words(tile("tb/CFFC-a")) == "city corner with grain"


def test_goods_builder_and_pig_of_each_player_are_listed() -> None:
    position = arrange_builders(tiles=["base/E 0,4 90", "tb/FCFC 1,4"], hand="base/E", pile=["base/B"] * 9)
    first, second, _ = score_table(presenter_of(position), game_of(position), position).splitlines()
    assert t("piece.builder_out") in first
    assert t("piece.pig_home") in first
    assert t("piece.builder_home") in second.split(" · ")
    assert "wine" not in first
    play_turn(position, "2,4", 270)
    after = score_table(presenter_of(position), game_of(position), position).splitlines()
    assert t("piece.wine", count=1) in after[RED].split(" · ")
    assert not [line for line in after[1:] if "wine" in line]


def test_the_scoreboard_shows_no_goods_before_anybody_has_some(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[list[Tally]] = []
    monkeypatch.setattr(
        presenter, "score_panel", lambda tallies, **_: drawn.append(tallies) or Picture(b"", "track.png", 1, 1)
    )
    for expansions in ((BCB,), BUILDERS_ONLY):
        position = Position(new_setup(players=2, seed="1", expansions=expansions))
        presenter.score_pictures(game_of(position), position, DAY)
    counters_without_box, counters = (list(tallies[0].left) for tallies in drawn)
    assert counters_without_box == ["follower", "bridge", "castle"]
    assert counters == ["follower", "builder", "pig"]


def test_a_hint_includes_the_value_of_a_pig() -> None:
    hint_texts = {}
    for figures_on_field in (["0 0,0 field.NL"], ["0 0,0 field.NL", "0 1,1 field.NL pig"]):
        position = arrange(
            tiles=["base/E 0,0 90", "base/E 1,0 270", "base/B 0,1", "base/B 1,1"],
            followers=figures_on_field,
            hand="base/U",
            expansions=BUILDERS_ONLY,
        )
        hinted = hint_panel(presenter_of(position), game_of(position), position, RED, DAY)
        hint_texts[len(figures_on_field)] = "\n".join(hinted.texts)
    assert "Ana 3 · 1 city" in hint_texts[1]
    assert "Ana 4 with the pig · 1 city" in hint_texts[2]


# -- opening a table -----------------------------------------------------------------------------------------------


def test_the_expansion_is_offered_alone_and_with_all_others() -> None:
    offered = {choice.value: choice.name for choice in expansion_choices("carcassonne", "")}
    single = [(name,) for name in OFFERED]
    assert [expansions_of("carcassonne", value, ()) for value in offered] == [*single, OFFERED, ()]
    together = listed([t(f"expansion.{name}") for name in OFFERED])
    assert offered["all"] == (together if len(together) <= 100 else t("command.new.all"))
    assert all(len(name) <= 100 for name in offered.values())
    assert expansion_choices("the-castle", "") == []
    assert expansions_of("carcassonne", "+".join(OFFERED), ()) == OFFERED, "the form of older commands"
    assert expansions_of("carcassonne", f"{TRADERS_BUILDERS}+{BCB}", ()) == (BCB, TRADERS_BUILDERS)


def test_an_expansion_is_found_by_a_part_of_its_label_and_chosen_by_all_of_it() -> None:
    assert [choice.value for choice in expansion_choices("carcassonne", "BUILDERS")][:1] == [TRADERS_BUILDERS]
    assert expansions_of("carcassonne", "traders & builders", ()) == (TRADERS_BUILDERS,)
    with speaking("de"):
        label = t(f"expansion.{TRADERS_BUILDERS}")
        assert TRADERS_BUILDERS in [choice.value for choice in expansion_choices("carcassonne", label[:6])]
        assert expansions_of("carcassonne", label, ()) == (TRADERS_BUILDERS,)
        assert expansions_of("carcassonne", "Traders & Builders", ()) == (TRADERS_BUILDERS,), "English is read as well"


def test_twenty_expansions_fit_the_suggestions(monkeypatch: pytest.MonkeyPatch) -> None:
    """Discord shows 25 suggestions, with names and values of 100 characters."""
    boxes = [f"a-box-with-a-name-of-some-length-{number}" for number in range(20)]
    named = {f"expansion.{name}": name for name in boxes}
    monkeypatch.setattr(catalogue(), "sentences", {**catalogue().sentences, **named})
    game = SimpleNamespace(expansions=tuple(boxes))
    monkeypatch.setattr(autocomplete, "GAMES", {"carcassonne": game})
    choices = expansion_choices("carcassonne", "")
    assert len({choice.value for choice in choices}) == len(choices) <= 25
    assert all(len(choice.value) <= 100 and len(str(choice.name)) <= 100 for choice in choices)


@pytest.mark.parametrize("chosen", [FAIRY, f"{BCB}+{FAIRY}", f"{BCB}+", "+", f"{BCB}+{ALONE}", f"{BCB},{BCB}"])
def test_an_unknown_expansion_is_refused(chosen: str) -> None:
    with pytest.raises(RefusedError):
        expansions_of("carcassonne", chosen, ())


def test_the_options_of_double_turns_are_shown_with_the_expansion() -> None:
    both = pages(lobby_of("carcassonne", expansions=WITH_BAZAARS))
    assert "bazaar_builder_order" in both["bazaars"]
    assert "bridge_limit_scope" in both["bridges"]
    for expansions in ((BCB,), BUILDERS_ONLY):
        names = {name for page in pages(lobby_of("carcassonne", expansions=expansions)).values() for name in page}
        assert not {"bazaar_builder_order", "bridge_limit_scope"} & names


def test_an_edition_without_a_year_is_named_by_its_number() -> None:
    position = road_extension()
    summary = list(presenter_of(position).rules_summary(BUILDERS_ONLY))
    assert summary[-1] == t("rules.box_undated", number=REGISTRY[TRADERS_BUILDERS].number)
    assert t(f"rules.{TRADERS_BUILDERS}") in summary


def test_every_button_of_the_composer_makes_a_whole_move() -> None:
    tile_panel = panel(road_extension(), "O13/0")
    for offer in (offer for offers in tile_panel.offers for offer in offers if offer.op is Op.GO):
        after = road_extension()
        for token in offer.argument.split():
            after.apply(parse_action(token))
        assert isinstance(after.step, PlaceTile)
