"""Texts of Carcassonne's composer: declining a tile, figures, bought tiles that still have to be placed.

The composer is the private panel in which a player puts a move together. The tests call it with a plan, such as
"N13/0" (cell N13, rotated by 0 degrees). Ana, Ben and Cleo are the seats RED, BLUE and GREEN of the scenarios.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pytest

from cogs.games.carcassonne import presenter
from cogs.games.carcassonne.words import tile_words
from cogs.games.presenters import presenter_of
from cogs.panels.composer import MAX_PLACE_LENGTH, compose
from cogs.presenting.ids import Op
from cogs.presenting.presenter import ButtonSpec, TilePanel
from cogs.presenting.turn import placements
from cogs.texts import t
from cogs.texts.languages import offered_languages, speaking
from cogs.words.names import capital
from cogs.words.story import card_names
from engine import Action, Cell, IllegalActionError, Pass, Resign, parse_action
from engine.actions import FOLLOWER, Seat
from engine.agenda import Step
from engine.carcassonne import Decline, Options, PlaceTile, Position, tile
from engine.carcassonne.expansions import ABBOT, INNS_CATHEDRALS, PHANTOM, TRADERS_BUILDERS
from engine.carcassonne.table import Deployment, Expansion, Figure, Tabletop, free_features, nowhere
from engine.figures import deploy
from gallery.built_positions import arrange
from host import Preferences
from renderers import DAY, FigurePlace, Picture
from tests.cogs.positions import LONG_NAMES, game_of
from tests.scenarios.test_bridges_placing import CROSSING
from tests.scenarios.test_options_bazaar import DRAFT, open_bazaar
from tests.scenarios.vocabulary import BLUE, GREEN, RED
from tests.scenarios.vocabulary_castles import auction_for_free, place_anywhere, play_bazaar, tile_to_place

NAMES = ("Ana", "Ben", "Cleo")
"""Names of the seats 0, 1 and 2."""


def panel(position: Position, plan: str = "p0", *, confirm: bool = True) -> TilePanel:
    """Return the composer's panel of a plan."""
    return compose(presenter_of(position), game_of(position), position, plan, Preferences(confirm=confirm))


def offers(tile_panel: TilePanel) -> dict[str, ButtonSpec]:
    """Return the buttons by their labels."""
    return {offer.label: offer for group in tile_panel.offers for offer in group}


# -- declining ---------------------------------------------------------------------------------------------------------


def position_with_declinable_tile() -> Position:
    """Return a position whose tile in hand fits only with a bridge, so that it may be declined."""
    return arrange(players=2, tiles=CROSSING, hand="base/B", pile=["base/V", "base/U"])


def test_declining_a_tile_is_confirmed_like_a_move() -> None:
    position = position_with_declinable_tile()
    decline = offers(panel(position))[t("button.decline")]
    assert (decline.op, decline.argument) == (Op.PLAN, "decline")
    confirming = panel(position, decline.argument)
    assert f"**{capital(t('action.Decline'))}**" in confirming.text
    assert tile_words(tile("base/B")) in confirming.text
    assert (confirming.spots, confirming.place) == (panel(position).spots, None)
    confirm, change = offers(confirming).values()
    assert (confirm.label, confirm.op, confirm.argument) == (t("button.confirm"), Op.GO, str(Decline()))
    assert (change.label, change.op) == (t("button.change"), Op.PLAN)
    assert panel(position, change.argument) == panel(position)


def test_in_quick_mode_a_tile_is_declined_with_one_tap() -> None:
    decline = offers(panel(position_with_declinable_tile(), confirm=False))[t("button.decline")]
    assert (decline.op, decline.argument) == (Op.GO, "decline")


def test_a_placeable_tile_cannot_be_declined() -> None:
    position = arrange(players=2, tiles=["base/D 0,0"], hand="base/U", pile=["base/V"])
    assert t("button.decline") not in offers(panel(position))
    with pytest.raises(IllegalActionError):
        panel(position, "decline")


# -- figures -----------------------------------------------------------------------------------------------------------


def figure_words(left: list[int], *, expansions: tuple[str, ...] = (), followers: tuple[str, ...] = ()) -> str:
    """Return the text about figures, with so many of each left, when the road of another player is extended."""
    supply = dict(zip(("follower", "builder", "pig"), ([count, 1] for count in left), strict=False))
    return figure_text(extended_road(supply, expansions=expansions, followers=followers))


def extended_road(
    supply: Mapping[str, Sequence[int]],
    *,
    expansions: tuple[str, ...] = (),
    followers: tuple[str, ...] = (),
    farmers: bool = False,
) -> Position:
    """Return a position in which the tile in hand extends a road with a follower of the other player."""
    return arrange(
        players=2,
        tiles=["base/U 0,0", "base/U 1,0"],
        followers=["1 0,0 road.E", *followers],
        hand="base/U",
        pile=["base/V"] * 3,
        supply=supply,
        expansions=expansions,
        options=Options(farmers=farmers),
    )


def figure_text(position: Position) -> str:
    """Return the text about figures when the road of :func:`extended_road` is extended."""
    _, joined, words = panel(position, "O13/0").text.split("\n", 2)
    assert joined.startswith("Joins: road (")
    return words


def test_spots_in_other_parts_of_the_board_are_named_if_few_and_counted_else() -> None:
    """A board that is too wide for a phone is shown in parts; the picture of each shows where the others' spots are."""
    tiles = [f"base/U {x},0" for x in range(12)]
    position = arrange(players=2, tiles=tiles, hand="base/B", pile=["base/V"] * 3)
    first, second = (panel(position, f"p{page}") for page in range(2))
    named = first.text.split("-# Other Parts: ")[1].splitlines()[0].split(", ")
    assert named == [cell.label for cell in second.spots]
    assert [first.elsewhere, second.elsewhere] == [second.spots, first.spots]
    assert f"-# Other Parts: {len(first.spots)} more spots" in second.text
    assert "Other Parts" not in panel(extended_road({})).text


def test_the_part_comes_first_in_which_a_turn_scores_most_be_it_by_its_figure_alone() -> None:
    """The city at the end of a long row belongs to nobody; closing it brings points to who puts a knight into it."""
    tiles = [*(f"base/B {x},0" for x in range(14)), "base/E 14,0 180"]
    position = arrange(players=2, tiles=tiles, hand="base/E", pile=["base/V"] * 3, expansions=())
    shown = panel(position, "p0")
    assert shown.elsewhere
    assert Cell(14, 1) in shown.spots


def test_missing_followers_are_explained() -> None:
    assert figure_words([0]) == "You have no followers left."
    assert figure_words([1]) == "You can't place a follower here."


def test_missing_figures_are_explained_with_builder_and_pig() -> None:
    with_builders = (TRADERS_BUILDERS,)
    assert figure_words([0, 0, 0], expansions=with_builders) == "You have no followers left."
    assert (
        figure_words([0, 1, 0], expansions=with_builders)
        == "You have no followers left.\nYou can't place another figure here."
    )
    assert (
        figure_words([0, 0, 1], expansions=with_builders)
        == "You have no followers left.\nYou can't place another figure here."
    )
    assert figure_words([1, 1, 1], expansions=with_builders) == "You can't place a figure here."
    assert figure_words([1, 0, 0], expansions=with_builders) == "You can't place a follower here."


def test_a_builder_can_be_placed_without_followers_left() -> None:
    """No line says that a figure is missing where another one can be put here."""
    text = figure_words([0, 1, 1], expansions=(TRADERS_BUILDERS,), followers=("0 1,0 road.W",))
    assert text == t("panel.figure")


@pytest.mark.parametrize(
    ("left", "words"), [(0, "You have no followers left."), (1, "You can't place a follower here.")]
)
def test_a_figure_with_a_step_of_its_own_is_not_counted(left: int, words: str) -> None:
    """A figure that may be put on this tile only later is neither available nor another kind of figure."""
    position = extended_road({"follower": [left, 1]})
    for is_follower in (True, False):
        figure = Figure("later", 1, is_follower=is_follower, places=nowhere)
        position.figures = {**position.figures, figure.name: figure}
        position.supply[figure.name] = [1, 1]
        assert figure_text(position) == words


# -- a figure that a box asks for after the deployment -----------------------------------------------------------------

LATER = Figure("later", 1, is_follower=False, places=nowhere)
"""The figure of a box of this module, which asks for it in a step of its own."""


@dataclass(frozen=True, slots=True)
class PutLater(Action):
    """Put the figure of the box on a segment of the tile just laid."""

    segment: str

    def __str__(self) -> str:
        return f"later:{self.segment}"


@dataclass(frozen=True, slots=True)
class DecideLater(Step[Tabletop]):
    """The decision to put the figure of the box on a free segment of the tile, or not."""

    player: Seat
    cell: Cell

    def actions(self, position: Tabletop) -> Sequence[Action]:
        """Return passing, and each place for the figure, if it is at home."""
        places = free_features(position, self.player, self.cell) if position.supply[LATER.name][self.player] else ()
        return (Pass(), *map(PutLater, places))

    def apply(self, position: Tabletop, action: Action) -> None:
        """Put the figure there, or leave it at home."""
        if isinstance(action, PutLater):
            deploy(position, self.player, self.cell, action.segment, LATER.name)

    def forfeit(self, position: Tabletop) -> None:
        """Leave the figure at home."""


class Later(Expansion):
    """A box that asks for its figure after each deployment."""

    def after_deployment(self, position: Tabletop, step: Deployment) -> None:
        """Ask the player who has laid the tile."""
        position.agenda.append(DecideLater(step.player, step.cell))


def later_words(left: int, *, at_home: int = 1, farmers: bool = True) -> str:
    """Return the text about figures with so many followers, and figures of the box, at home.

    The road is another player's, so without farmers no figure can be put on the tile.
    """
    position = extended_road({"follower": [left, 1]}, farmers=farmers)
    position.land.figures = position.figures = {**position.figures, LATER.name: LATER}
    position.supply[LATER.name] = [at_home, 1]
    position.hook_handlers = {**position.hook_handlers, Expansion.after_deployment: (Later(),)}
    presenter = presenter_of(position)
    turn = replace(presenter.turn, question_steps=(*presenter.turn.question_steps, DecideLater))
    shown = compose(replace(presenter, turn=turn), game_of(position), position, "O13/0", Preferences())
    return "\n".join(line for line in shown.text.splitlines()[1:] if not line.startswith("Joins"))


def test_no_follower_is_missed_where_the_next_question_asks_for_another_figure() -> None:
    """Regression: the composer said that no follower is left, and then asked where to put the figure of the box."""
    assert later_words(0) == ""


@pytest.mark.parametrize(("at_home", "farmers"), [(0, True), (1, False)])
def test_a_missing_follower_is_explained_if_no_figure_can_be_put_here_later(at_home: int, *, farmers: bool) -> None:
    assert later_words(0, at_home=at_home, farmers=farmers) == "You have no followers left."


def test_a_follower_at_home_is_offered_before_the_figure_of_the_box() -> None:
    assert later_words(1) == t("panel.follower")
    assert later_words(1, farmers=False) == "You can't place a follower here."


def test_the_chosen_figure_keeps_its_letter(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[list[FigurePlace]] = []

    def composer(*args: Any, **_: Any) -> Picture:
        drawn.append(args[3])
        return Picture(b"", "composer.png", 1, 1)

    monkeypatch.setattr(presenter, "composer", composer)
    position = arrange(players=2, tiles=["base/U 0,0"], hand="base/U", pile=["base/V"])
    placing = panel(position, "N13/0")
    (road,) = (label for label in offers(placing) if "Road" in label)
    confirming = panel(position, offers(placing)[road].argument)
    panels = (placing, confirming, panel(position, "N13/0 pass"))
    alts = [presenter.composer_pictures(position, shown_panel, DAY)[0].alt for shown_panel in panels]
    all_places, chosen, none_chosen = drawn
    assert [(choice.letter, choice.figure) for choice in all_places] == [("A", ""), ("B", ""), ("C", "")]
    assert chosen == [replace(choice, figure=FOLLOWER) for choice in all_places if road.startswith(f"{choice.letter} ")]
    assert none_chosen == []
    assert ["letters" in alts[0], road.lower() in alts[1].replace(",", "").lower(), "without a figure" in alts[2]] == [
        True
    ] * 3


def test_the_confirming_picture_shows_the_chosen_figure() -> None:
    position = arrange(
        players=2,
        tiles=["base/U 0,0"],
        followers=("0 0,0 road.W", "0 0,0 field.NL"),
        hand="base/U",
        pile=["base/V"],
        expansions=(TRADERS_BUILDERS,),
    )
    buttons = offers(panel(position, "N13/0"))
    for figure in ("builder", "pig"):
        (label,) = (label for label in buttons if figure in label.lower())
        confirming = panel(position, buttons[label].argument)
        assert confirming.figure == figure
        assert [letter for letter, _ in confirming.figure_places] == [label.split()[0]]
        assert f"your {figure}" in presenter.composer_pictures(position, confirming, DAY)[0].alt


# -- what the move joins and scores -----------------------------------------------------------------------------------


def completed_road() -> Position:
    """Return a position in which Red's tile may complete Blue's road between two monasteries."""
    return arrange(
        players=2,
        tiles=["base/A 0,0 270", "base/U 1,0"],
        followers=["1 1,0 road.W"],
        hand="base/A",
        pile=["base/V"] * 3,
    )


def laid_tiles(position: Position) -> list[TilePanel]:
    """Return the panels of all placements of the tile in hand."""
    return [panel(position, str(place)) for place in placements(position)]


def test_a_laid_tile_names_the_features_that_it_joins_with_their_players() -> None:
    joining = [text for text in (shown.text for shown in laid_tiles(completed_road())) if "Joins" in text]
    assert joining
    assert all("road (Ben, " in text for text in joining)


def test_a_laid_tile_says_what_the_move_scores_at_once() -> None:
    """The engine scores the road; no button repeats points that the move brings without a figure."""
    position = completed_road()
    scoring = [shown for shown in laid_tiles(position) if "Ben +3" in shown.text]
    assert scoring
    for shown in scoring:
        assert not [label for label in offers(shown) if "+3" in label]


def small_city() -> Position:
    """Return a position in which a follower on the tile in hand scores a city of two tiles at once."""
    return arrange(players=2, tiles=["base/E 0,0 180"], hand="base/E", pile=["base/V"] * 3, expansions=())


def city_labels(position: Position, *, hints: bool = True) -> list[str]:
    """Return the labels of the places in the city that the tile completes."""
    game = game_of(position)
    game = game if hints else replace(game, settings=replace(game.settings, hints=False))
    shown = compose(presenter_of(position), game, position, "M14/0", Preferences())
    return [label for label in offers(shown) if "City" in label]


def test_the_button_of_a_figure_says_what_it_scores_at_once() -> None:
    assert city_labels(small_city()) == ["A City N · +4"]


def test_points_are_told_only_where_the_table_allows_the_hint() -> None:
    assert city_labels(small_city(), hints=False) == ["A City N"]


# -- bought tiles to be placed -----------------------------------------------------------------------------------------


def position_with_sold_tiles(options: Options) -> Position:
    """Return a position in which the tiles of Red's bazaar are sold, to be placed by Blue, Green and Red."""
    position = open_bazaar(options, [9, 9, 9])
    auction_for_free(position)
    return position


def test_bought_tiles_to_be_placed_are_listed() -> None:
    position = position_with_sold_tiles(Options())
    presenter = presenter_of(position)
    listed = f"-# Still to lay: Cleo: {tile_words(tile('base/V'))} · Ana: {tile_words(tile('base/W'))}"
    assert tile_to_place(position) == (BLUE, "base/U")
    assert presenter.details(NAMES, position) == listed
    assert listed in panel(position).text.splitlines()
    place_anywhere(position)
    assert presenter.details(NAMES, position) == f"-# Still to lay: Ana: {tile_words(tile('base/W'))}"
    place_anywhere(position)
    assert isinstance(position.step, PlaceTile)
    assert presenter.details(NAMES, position) == ""


def test_no_bought_tiles_are_listed_in_a_draft_or_an_ordinary_turn() -> None:
    position = open_bazaar(DRAFT, [9, 9, 9])
    play_bazaar(position, "pick 2")
    assert tile_to_place(position) == (BLUE, "base/V")
    for current in (position, arrange(tiles=["base/U 0,0"], hand="base/U", pile=["base/V"])):
        assert presenter_of(current).details(NAMES, current) == ""
        assert "Still to lay" not in panel(current).text


def test_bought_tiles_of_a_player_who_left_are_not_listed() -> None:
    position = position_with_sold_tiles(Options())
    position.apply(Resign(GREEN))
    assert presenter_of(position).details(NAMES, position).count(":") == 2
    assert "Cleo" not in presenter_of(position).details(NAMES, position)


def test_the_list_of_bought_tiles_names_at_least_the_next_with_six_long_names() -> None:
    position = with_six_sold_tiles()
    line = presenter_of(position).details(card_names(game_of(position, LONG_NAMES)), position)
    assert line.count(":") > 1, line
    assert len(line) <= 180
    assert line.count("\n") == 0


def with_six_sold_tiles() -> Position:
    """Return a position with six bought tiles with long descriptions, of which the first is to be placed."""
    position = arrange(players=6, tiles=["base/B 0,0"], hand="bcb/FFFF", pile=["base/S"] * 12)
    for text in ("N13/0", "pass"):
        position.apply(parse_action(text))
    auction_for_free(position)
    return position


# -- lots in the story -------------------------------------------------------------------------------------------------


def sentences_of(position: Position, *events: Any) -> str:
    """Return the sentences about some events."""
    presenter = presenter_of(position)
    return " ".join(filter(None, (presenter.sentence(NAMES, event) for event in events)))


def test_a_remaining_lot_is_reported() -> None:
    position = open_bazaar(Options(), [9, 9, 9])
    play_bazaar(position, "2@0", "1")
    position.apply(Resign(RED))
    play_bazaar(position, "sell", "pick 1")
    place_anywhere(position)
    story = sentences_of(position, *place_anywhere(position))
    assert f"T3 is left over and goes out of the game: {tile_words(tile('base/W'))}." in story
    assert "fits nowhere" not in story


def test_a_lot_of_a_player_who_left_is_reported() -> None:
    position = open_bazaar(Options(), [9, 9, 9])
    play_bazaar(position, "1@0", "2")
    position.apply(Resign(GREEN))
    play_bazaar(position, "pass", "sell")
    auction_for_free(position)
    assert position.player == BLUE
    story = sentences_of(position, *place_anywhere(position))
    assert f"Cleo has left, so this tile is out of the game: {tile_words(tile('base/U'))}." in story
    assert "fits nowhere" not in story


def test_a_pick_of_a_draft_is_no_sale() -> None:
    position = open_bazaar(DRAFT, [9, 9, 9])
    assert sentences_of(position, *play_bazaar(position, "pick 2")) == "Ben takes T2."
    auction = open_bazaar(Options(), [9, 9, 9])
    assert sentences_of(auction, *play_bazaar(auction, "2@0", "pass", "pass")).endswith("Ben gets T2 for free.")


@pytest.mark.parametrize("language", [language.code for language in offered_languages()])
def test_a_place_for_a_figure_fits_one_line_of_a_phone(language: str) -> None:
    """A field on three corners is shortened where its directions are long words; its letter is in the picture."""
    with speaking(language):
        position = arrange(players=2, tiles=["base/D 0,0 0"], hand="base/V", pile=["base/V"])
        [place, *_] = [place for place in placements(position) if place.cell.label == "N13"]
        shown = panel(position, str(place))
        labels = [button.label for row in shown.offers for button in row]
    assert max(map(len, labels)) <= MAX_PLACE_LENGTH
    assert len(set(labels)) == len(labels)


# -- many kinds of figures ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("listens", [False, True])
def test_figures_for_which_a_row_has_no_room_are_in_a_menu_in_the_same_order(listens: bool) -> None:
    position = arrange(hand="base/B", expansions=(INNS_CATHEDRALS, PHANTOM, ABBOT))
    with speaking("en", listens=listens):
        laid = panel(position, "M14/0")
    (menu,) = laid.menus
    kinds = ("big-follower", "phantom", "abbot")
    assert menu.placeholder == t("panel.another_figure")
    assert [entry.argument for entry in menu.entries] == [f"M14/0 with:{kind}" for kind in kinds]
    assert not any("with:" in offer.argument for offer in offers(laid).values())
    with speaking("en", listens=listens):
        switched = panel(position, menu.entries[-1].argument)
    assert "M14/0 abbot@monastery" in {offer.argument for offer in offers(switched).values()}
    (menu,) = switched.menus
    assert [entry.argument for entry in menu.entries] == ["M14/0", "M14/0 with:big-follower", "M14/0 with:phantom"]


def test_two_further_kinds_of_figures_keep_their_buttons() -> None:
    laid = panel(arrange(hand="base/B", expansions=(PHANTOM, ABBOT)), "M14/0")
    assert not laid.menus
    assert [offer.argument for offer in offers(laid).values() if "with:" in offer.argument] == [
        "M14/0 with:phantom",
        "M14/0 with:abbot",
    ]


@pytest.mark.parametrize(("height", "lengths"), [(3, [4, 4, 4, 2, 0]), (5, [18, 0])])
def test_spots_stand_in_rows_that_a_phone_shows_side_by_side(height: int, lengths: list[int]) -> None:
    """Rows are as long as Discord allows where shorter ones would be more than four."""
    tiles = [f"base/B {x},{y}" for y in range(height) for x in range(4)]
    shown = panel(arrange(players=2, tiles=tiles, hand="base/B"))
    assert [len(row) for row in shown.offers] == lengths
