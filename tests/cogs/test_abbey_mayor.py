"""*Abbey & Mayor* in words and buttons: the question before a draw, the wagon's, the barn's corners, and preferences.

A *composer* is the private panel in which a player puts a move together. *By ear* is a setting for players who use a
screen reader: tiles are described in words.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from discord import ui

from cogs.commands.play import decision_panel, panel_view
from cogs.games.carcassonne.boxes.abbey_mayor import MAX_TARGETS, PREFERENCES
from cogs.games.carcassonne.words import sentence, tile_aloud, tile_words
from cogs.games.presenters import PRESENTERS, presenter_of
from cogs.panels.composer import compose
from cogs.panels.own_settings import ANSWERS, PAGES, page_of, settings_of, settings_panel
from cogs.presenting.ids import Op, parse_key
from cogs.presenting.presenter import TilePanel
from cogs.texts import t
from cogs.texts.languages import offered_languages, speaking
from cogs.words.story import score_table
from cogs.words.typed_moves import typed_actions, typed_moves
from engine import Pass, parse_action
from engine.actions import Seat
from engine.carcassonne import Position, tile
from engine.carcassonne.expansions import ABBEY_MAYOR
from engine.carcassonne.expansions.abbey_mayor import (
    ABBEY_TILE,
    BARN,
    DecideAbbey,
    DecideWagon,
    UseAbbey,
    possible_wagon_orders,
)
from engine.events import Deployed, Scored, Term
from engine.geometry import Cell
from gallery.built_positions import arrange
from host import Preferences, PunctualityRecord
from renderers import DAY
from tests.cogs.panel_buttons import labels
from tests.cogs.positions import game_of
from tests.discord_limits.components import component_problems

NAMES = ("Ana", "Ben")
"""Names of the seats 0 and 1."""
LANGUAGES = [language.code for language in offered_languages()]
"""Codes of the offered languages."""
GAP = ["base/B 0,0", "base/B 2,0", "base/B 1,-1", "base/B 1,1"]
"""Tiles around a gap at N13."""
LONG_ROAD = [f"base/U 0,{y} 90" for y in range(1, 13)]
"""A road of twelve tiles, from M14 on to the south."""
ALMOST_AROUND = [f"base/B {x},{y}" for x, y in ((-1, -1), (0, -1), (1, -1), (-1, 0), (-1, 1), (1, 1))]
"""Tiles around M13, without N13 and M14."""


def table(*actions: str, **changes: Any) -> Position:
    """Return a position of two players with the box, after these actions."""
    values = {"players": 2, "pile": ["base/B"] * 3, "expansions": (ABBEY_MAYOR,)}
    position = arrange(**{**values, **changes})
    for action in actions:
        position.apply(parse_action(action))
    return position


def before_draw(**changes: Any) -> Position:
    """Return the position in which Ben may lay his abbey instead of drawing."""
    position = table("M12/0", "pass", tiles=GAP, **changes)
    assert isinstance(position.step, DecideAbbey)
    return position


def wagon_scored(*, seat: int = 0) -> Position:
    """Return the position before the last tile of a road of two tiles between monasteries, with a wagon on it."""
    return table(tiles=["base/A 0,0"], hand="base/A", followers=[f"{seat} 0,0 road.S wagon"])


def wagon_on_long_road() -> Position:
    """Return the position in which Ana's wagon leaves a monastery from which a road of 13 tiles leads."""
    tiles = ["base/A 0,0", *LONG_ROAD, *ALMOST_AROUND]
    position = table("N13/0", "pass", tiles=tiles, followers=["0 0,0 monastery wagon"])
    assert isinstance(position.step, DecideWagon)
    return position


def panel(position: Position, plan: str = "", *, confirm: bool = True) -> TilePanel:
    """Return the composer's panel of a plan."""
    return compose(presenter_of(position), game_of(position), position, plan, Preferences(confirm=confirm))


# -- the abbey --------------------------------------------------------------------------------------------------------


def test_before_the_draw_the_card_offers_to_draw_or_to_lay_the_abbey() -> None:
    position = before_draw()
    presenter = presenter_of(position)
    assert presenter.headline(NAMES, position, "Ben") == "Ben draws a tile or lays the abbey"
    assert presenter.details(NAMES, position) == "-# The abbey fits at N13."
    draw, lay = presenter.offers(position)
    assert (draw.op, draw.label, draw.argument) == (Op.ACT, "Draw a Tile", "pass")
    assert (lay.op, lay.label, lay.argument) == (Op.PLAY, "Lay the Abbey", "abbey p0")
    assert presenter.commits_least(position, Pass())


def test_drawing_is_never_held_back_and_keeping_the_abbey_at_the_end_may_be() -> None:
    """Whoever draws waits for the tile; a move that could be taken back would show it to nobody for a minute."""
    position = before_draw()
    assert presenter_of(position).at_once(position, Pass())
    assert not presenter_of(position).at_once(position, UseAbbey())
    at_end = before_draw(pile=[])
    assert not presenter_of(at_end).at_once(at_end, Pass())


def test_after_the_last_tile_the_card_offers_to_keep_the_abbey() -> None:
    position = before_draw(pile=[])
    keep, lay = presenter_of(position).offers(position)
    assert (keep.label, lay.label) == ("No Abbey", "Lay the Abbey")
    assert "All tiles are laid" in presenter_of(position).headline(NAMES, position, "Ben")


def test_the_abbey_is_laid_in_one_move_with_its_monk() -> None:
    position = before_draw()
    spots = panel(position, "abbey p0")
    assert "You lay your abbey." in spots.text
    assert labels(spots) == {"N13": "abbey N13/0", t("button.change"): "p0"}
    figures = panel(position, "abbey N13/0")
    monk = next(argument for label, argument in labels(figures).items() if label.startswith("A "))
    assert monk == "abbey N13/0 @monastery"
    confirming = panel(position, monk)
    assert labels(confirming) == {t("button.confirm"): monk, t("button.change"): "abbey N13/0"}
    for action in monk.split():
        position.apply(parse_action(action))
    assert position.supply["abbey"] == [1, 0]


def test_without_confirmation_the_button_of_the_monk_makes_the_move() -> None:
    position = before_draw()
    shown = panel(position, "abbey N13/0", confirm=False)
    assert "abbey N13/0 @monastery" in [offer.argument for row in shown.offers for offer in row if offer.op is Op.GO]


@pytest.mark.parametrize("language", LANGUAGES)
def test_players_who_listen_choose_the_gap_from_a_list(language: str) -> None:
    with speaking(language, listens=True):
        shown = panel(before_draw(), "abbey p0")
    (menu,) = shown.menus
    assert [entry.argument for entry in menu.entries] == ["abbey N13/0"]


def test_laying_the_abbey_can_be_typed() -> None:
    position = before_draw()
    presenter = presenter_of(position)
    assert [str(action) for action in typed_actions(presenter, position, "abbey N13/0 pass")] == [
        "abbey",
        "N13/0",
        "pass",
    ]
    assert {move.text for move in typed_moves(presenter, position, "abbey", 9)} == {"pass", "abbey"}


def test_the_abbey_is_named_in_words() -> None:
    assert tile_words(tile(ABBEY_TILE)) == "monastery, abbey"
    assert "abbey" in tile_aloud(tile(ABBEY_TILE), 0)


# -- the wagon --------------------------------------------------------------------------------------------------------


def test_a_wagon_that_has_scored_is_asked_for_in_the_composer() -> None:
    position = wagon_scored()
    shown = panel(position, "M14/180 pass")
    assert "Your wagon at road S at M13 has scored. Where does it go?" in shown.text
    arguments = labels(shown)
    assert arguments["Wagon Comes Home"] == "M14/180 pass pass"
    assert arguments["Monastery at M13"] == "M14/180 pass wagon:M13.monastery"
    assert arguments["Monastery at M14"] == "M14/180 pass wagon:M14.monastery"


def test_the_picture_of_the_question_names_the_places_of_the_wagon() -> None:
    position = wagon_scored(seat=1)
    position.apply(parse_action("M14/180"))
    position.apply(Pass())
    (picture,) = presenter_of(position).decision_pictures(game_of(position), position, DAY)
    for words in ("Ben's wagon has scored at road S at M13", "Monastery at M13", "Monastery at M14"):
        assert words in picture.alt


def test_the_wagon_of_another_player_is_asked_for_on_the_card() -> None:
    position = wagon_scored(seat=1)
    text = panel(position, "M14/180 pass").text
    assert "Then Ben decides where the wagon at road S at M13 goes." in text
    for action in ("M14/180", "pass"):
        position.apply(parse_action(action))
    presenter = presenter_of(position)
    assert presenter.headline(NAMES, position, "Ben") == "Ben's wagon has scored at road S at M13 · where does it go?"
    assert [offer.label for offer in presenter.offers(position)] == [
        "Wagon Comes Home",
        "Monastery at M13",
        "Monastery at M14",
    ]
    assert presenter.commits_least(position, Pass())


def test_many_places_are_in_a_menu_on_the_card_and_in_the_panel() -> None:
    """The nearest place of each feature comes first; together buttons and menu have every place once."""
    position = wagon_on_long_road()
    presenter = presenter_of(position)
    offers, (menu,) = presenter.offers(position), presenter.menus(position)
    assert len(offers) == MAX_TARGETS + 1
    assert offers[1].label == "Road S at M13"
    shown = [offer.argument for offer in offers] + [entry.argument for entry in menu.entries]
    assert sorted(shown) == sorted(map(str, position.legal_actions))
    assert menu.op is Op.ACT
    assert menu.entries[-1].label.endswith(" at M25")
    view = panel_view("K7QX2", 30, decision_panel(presenter, game_of(position), position), ())
    assert not list(component_problems(view.to_components(), v2=True))


def test_the_menu_in_the_composer_leads_on_with_the_move() -> None:
    tiles = ["base/A 0,0", *LONG_ROAD, *ALMOST_AROUND]
    position = table(tiles=tiles, followers=["0 0,0 monastery wagon"])
    (menu,) = panel(position, "N13/0 pass").menus
    assert menu.op is Op.PLAN
    assert menu.entries[-1].argument == "N13/0 pass wagon:M25.road.N"
    assert labels(panel(position, menu.entries[-1].argument))[t("button.confirm")] == menu.entries[-1].argument


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_words_for_all_answers(language: str) -> None:
    for position in (before_draw(), before_draw(pile=[]), wagon_on_long_road()):
        presenter = presenter_of(position)
        with speaking(language):
            words = [presenter.action_words(position, action) for action in position.legal_actions]
            assert len(set(words)) == len(words)
            assert len({offer.label for offer in presenter.offers(position)}) == len(presenter.offers(position))
            assert "Ben" in presenter.headline(NAMES, position, "Ben")


# -- the barn ---------------------------------------------------------------------------------------------------------

AROUND_POINT = ["base/B 0,0", "base/B 1,0", "base/B 1,1"]
"""Three of the four tiles around a point; the fourth one is laid at M14."""


def test_the_composer_offers_the_corners_for_the_barn_with_its_points() -> None:
    position = table(tiles=AROUND_POINT)
    arguments = labels(panel(position, "M14/0"))
    assert arguments["C Barn at the north-east corner"] == "M14/0 barn:NE"
    confirming = panel(position, "M14/0 barn:NE")
    assert "barn at the north-east corner" in confirming.text
    assert labels(confirming)[t("button.confirm")] == "M14/0 barn:NE"


def test_the_picture_shows_the_barn_on_its_corner_and_says_so() -> None:
    position = table(tiles=AROUND_POINT)
    presenter = presenter_of(position)
    (bare,) = presenter.composer_pictures(position, panel(position, "M14/0 pass"), DAY, "")
    (shown,) = presenter.composer_pictures(position, panel(position, "M14/0 barn:NE"), DAY, "")
    assert shown.picture.data != bare.picture.data
    assert shown.alt.endswith("Barn at the north-east corner")


def test_the_picture_has_a_letter_at_each_corner_for_the_barn() -> None:
    position = table(tiles=AROUND_POINT)
    presenter, laid = presenter_of(position), panel(position, "M14/0")
    assert [letter for letter, _ in laid.corners] == ["C"]
    (lettered,) = presenter.composer_pictures(position, laid, DAY, "")
    (bare,) = presenter.composer_pictures(position, replace(laid, corners=()), DAY, "")
    assert lettered.picture.data != bare.picture.data
    assert lettered.alt.endswith("C barn at the north-east corner")


def test_a_barn_and_a_wagon_are_told_with_their_places() -> None:
    field, road = tile("base/B").segments[1], tile("base/A").segments[1]
    assert (
        sentence(NAMES, Deployed(0, Cell(1, 1), field, BARN)) == "Ana places the barn between M13, N13, M14, and N14."
    )
    assert sentence(NAMES, Deployed(1, Cell(0, 0), road, "wagon")) == "Ben's wagon goes to road S at M13."
    assert "follower" in sentence(NAMES, Deployed(1, Cell(0, 0), road, "follower"))


def test_the_score_of_a_barn_is_told() -> None:
    terms = (Term("cities", 2, 8), Term("castles", 1, 5))
    score = Scored(0, 13, BARN, terms, (Cell(1, 1),), final=True)
    assert sentence(NAMES, score) == "**Ana +13** at the end for a barn at N14: 2 cities (8) + 1 castle (5)."


def test_barns_are_told_to_players_who_listen() -> None:
    position = table("M14/0", "barn:NE", tiles=AROUND_POINT)
    presenter = presenter_of(position)
    (told,) = presenter.chapters["barns"](_Listener(), position)  # type: ignore[arg-type]  # all that it asks for
    assert told == "Ana: barn, between M13, N13, M14, and N14"


class _Listener:
    """A listener of whom only the names are asked."""

    names = NAMES


# -- words and preferences --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tile_id", "words"),
    [("am/CCCC-a", "city on all sides with 2 pennants"), ("am/RRFR", "road with three ends by a well")],
)
def test_tiles_unlike_those_of_other_boxes_are_described(tile_id: str, words: str) -> None:
    assert words in tile_words(tile(tile_id))


def test_two_pennants_are_told_to_players_who_listen() -> None:
    assert "city with 2 pennants" in tile_aloud(tile("am/CCCC-a"), 0)


def test_the_score_table_says_what_each_player_has_left() -> None:
    position = table("M14/0", "barn:NE", tiles=AROUND_POINT)
    ana, ben = score_table(presenter_of(position), game_of(position), position).splitlines()
    assert "barn on the board" in ana
    for words in ("mayor", "wagon", "barn", "abbey"):
        assert words in ben
    assert "on the board" not in ben


@pytest.mark.parametrize("page", PAGES)
def test_every_page_of_settings_keeps_the_limits(page: str) -> None:
    view = settings_panel(settings_of(PRESENTERS.values()), Preferences(), PunctualityRecord(1), page)
    assert not list(component_problems(view.to_components(), v2=True))


def test_the_preferences_of_the_box_are_decided_in_advance() -> None:
    settings = settings_of(PRESENTERS.values())
    assert settings["wagon"] == ("ask", "stays")
    assert settings["abbey"] == ("ask", "draw")
    assert {page_of("wagon"), page_of("abbey"), page_of("towns")} == {ANSWERS}


def test_a_preference_answers_for_the_wagon_within_the_move() -> None:
    position = wagon_scored()
    preferences = Preferences().with_choice("wagon", "stays")
    shown = compose(presenter_of(position), game_of(position), position, "M14/180 pass", preferences)
    assert labels(shown)[t("button.confirm")] == "M14/180 pass pass"


def test_a_preference_for_one_game_answers_within_the_move_there() -> None:
    """It overrides the one for all games, also by asking."""
    position = wagon_scored()
    game, everywhere = game_of(position), Preferences().with_choice("wagon", "stays")
    (order,) = {order for order in possible_wagon_orders(position, Seat(0)) if "monastery" in str(order)}
    for value, shows in ((str(order), f"M14/180 pass {order.move}"), ("ask", None)):
        preferences = everywhere.with_game_choice(game.code, "wagon", value)
        shown = compose(presenter_of(position), game, position, "M14/180 pass", preferences)
        assert labels(shown).get(t("button.confirm")) == shows


def panel_words(position: Position, preferences: Preferences, seat: int = 0) -> tuple[str, dict[str, str]]:
    """Return the text and the buttons, by label, of the panel about the wagon in one game."""
    (wagon, _) = PREFERENCES
    assert wagon.present is not None
    view = wagon.panel(game_of(position), preferences, wagon.present(position, seat))
    assert not list(component_problems(view.to_components(), v2=True))
    items = list(view.walk_children())
    shown = [item.item for item in items if isinstance(item, ui.DynamicItem)]
    texts = [item.content for item in items if isinstance(item, ui.TextDisplay)]
    return "\n".join(texts), {str(item.label): parse_key(item.custom_id).argument for item in shown}


def test_the_place_of_a_wagon_can_be_chosen_before_it_has_scored() -> None:
    """The nearest places that it could reach now are among the buttons, and the chosen one is shown."""
    position = wagon_scored()
    code = game_of(position).code
    text, buttons = panel_words(position, Preferences())
    assert "It is at road S at M13." in text
    order = buttons["Monastery at M13"]
    assert order == "M13.road.S wagon:M13.monastery"
    assert "Monastery at M13" in panel_words(position, Preferences().with_game_choice(code, "wagon", order))[0]
    without, others = panel_words(position, Preferences(), seat=1)
    assert "It is at" not in without
    assert set(others.values()) == {"all", "ask", "stays"}


def test_an_order_that_means_nothing_any_more_is_shown_as_asking() -> None:
    position = wagon_scored()
    old = Preferences().with_game_choice(game_of(position).code, "wagon", "M12.road.S wagon:M13.monastery")
    assert panel_words(position, old)[0].splitlines()[-1] == t("setting.now", value=t("setting.wagon.ask"))
