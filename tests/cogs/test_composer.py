"""What Carcassonne's composer says, beside the way through it: declining, figures, what others have still to lay."""

from dataclasses import replace
from typing import Any

import pytest

from cogs.games.carcassonne import presenter
from cogs.games.carcassonne.words import tile_words
from cogs.games.presenters import presenter_of
from cogs.panels.composer import compose
from cogs.presenting.ids import Op
from cogs.presenting.presenter import ButtonSpec, TilePanel
from cogs.texts import t
from cogs.words.names import capital, seat_names
from engine import IllegalActionError, Resign, parse_action
from engine.actions import FOLLOWER
from engine.carcassonne import Decline, Options, PlaceTile, Position, tile
from engine.carcassonne.built_positions import arrange
from engine.carcassonne.expansions import TRADERS_BUILDERS
from host import Preferences
from renderers import DAY, NumberedPlace, Picture
from tests.cogs.positions import LONG_NAMES, game_of
from tests.scenarios.test_bridges_placing import CROSSING
from tests.scenarios.test_options_bazaar import DRAFT, opened
from tests.scenarios.vocabulary import BLUE, GREEN, RED
from tests.scenarios.vocabulary_castles import hand_out_free, hold, lay_anywhere, to_place

NAMES = ("Ana", "Ben", "Cleo")


def panel(position: Position, plan: str = "p0", *, confirm: bool = True) -> TilePanel:
    """The composer's panel of a plan."""
    return compose(presenter_of(position), game_of(position), position, plan, Preferences(confirm=confirm))


def offers(shown: TilePanel) -> dict[str, ButtonSpec]:
    """The buttons by their labels."""
    return {offer.label: offer for group in shown.offers for offer in group}


# -- declining ---------------------------------------------------------------------------------------------------------


def savable() -> Position:
    """The tile in hand fits only with a bridge, so it may be let go."""
    return arrange(players=2, tiles=CROSSING, hand="base/B", pile=["base/V", "base/U"])


def test_letting_a_tile_go_is_confirmed_like_any_move() -> None:
    position = savable()
    decline = offers(panel(position))[t("button.decline")]
    assert (decline.op, decline.argument) == (Op.PLAN, "decline")
    asked = panel(position, decline.argument)
    assert f"**{capital(t('action.Decline'))}**" in asked.text
    assert tile_words(tile("base/B")) in asked.text
    assert (asked.letters, asked.place) == (panel(position).letters, None)
    confirm, change = offers(asked).values()
    assert (confirm.label, confirm.op, confirm.argument) == (t("button.confirm"), Op.GO, str(Decline()))
    assert (change.label, change.op) == (t("button.change"), Op.PLAN)
    assert panel(position, change.argument) == panel(position)


def test_who_does_not_confirm_lets_a_tile_go_with_one_tap() -> None:
    decline = offers(panel(savable(), confirm=False))[t("button.decline")]
    assert (decline.op, decline.argument) == (Op.GO, "decline")


def test_a_tile_that_can_be_laid_is_not_let_go() -> None:
    position = arrange(players=2, tiles=["base/D 0,0"], hand="base/U", pile=["base/V"])
    assert t("button.decline") not in offers(panel(position))
    with pytest.raises(IllegalActionError):
        panel(position, "decline")


# -- figures -----------------------------------------------------------------------------------------------------------


def figure_words(left: list[int], *, expansions: tuple[str, ...] = (), followers: tuple[str, ...] = ()) -> str:
    """What is said of figures when a road is prolonged on which a follower of the other one stands."""
    supply = dict(zip(("follower", "builder", "pig"), ([count, 1] for count in left), strict=False))
    position = arrange(
        players=2,
        tiles=["base/U 0,0", "base/U 1,0"],
        followers=["1 0,0 road.E", *followers],
        hand="base/U",
        pile=["base/V"] * 3,
        supply=supply,
        expansions=expansions,
        options=Options(farmers=False),
    )
    return panel(position, "O13/0").text.partition("\n")[2]


def test_who_has_no_follower_left_is_told_so() -> None:
    assert figure_words([0]) == "You have no follower left."
    assert figure_words([1]) == "No follower can be put here."


def test_who_has_builder_or_pig_left_is_told_of_all_figures() -> None:
    both = (TRADERS_BUILDERS,)
    assert figure_words([0, 0, 0], expansions=both) == "You have no follower left."
    assert figure_words([0, 1, 0], expansions=both) == "You have no follower left.\nNo other figure can be put here."
    assert figure_words([0, 0, 1], expansions=both) == "You have no follower left.\nNo other figure can be put here."
    assert figure_words([1, 1, 1], expansions=both) == "No figure can be put here."
    assert figure_words([1, 0, 0], expansions=both) == "No follower can be put here."


def test_a_builder_may_go_where_no_follower_is_left() -> None:
    told = figure_words([0, 1, 1], expansions=(TRADERS_BUILDERS,), followers=("0 1,0 road.W",))
    assert told == f"You have no follower left.\n{t('panel.figure')}"


def test_the_figure_that_is_chosen_keeps_its_number(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[list[NumberedPlace]] = []

    def composer(*args: Any, **_: Any) -> Picture:
        drawn.append(args[3])
        return Picture(b"", "composer.png", 1, 1)

    monkeypatch.setattr(presenter, "composer", composer)
    position = arrange(players=2, tiles=["base/U 0,0"], hand="base/U", pile=["base/V"])
    offered = panel(position, "N13/0")
    (road,) = (label for label in offers(offered) if "Road" in label)
    confirming = panel(position, offers(offered)[road].argument)
    shown = (offered, confirming, panel(position, "N13/0 pass"))
    alts = [presenter.composer_pictures(position, one, DAY)[0].alt for one in shown]
    all_places, chosen, nobody = drawn
    assert [(choice.number, choice.figure) for choice in all_places] == [(1, ""), (2, ""), (3, "")]
    assert chosen == [replace(choice, figure=FOLLOWER) for choice in all_places if road.startswith(f"{choice.number} ")]
    assert nobody == []
    assert ["numbers" in alts[0], road.lower() in alts[1].replace(",", "").lower(), "nobody" in alts[2]] == [True] * 3


def test_the_confirming_picture_shows_the_figure_that_was_chosen() -> None:
    position = arrange(
        players=2,
        tiles=["base/U 0,0"],
        followers=("0 0,0 road.W", "0 0,0 field.NL"),
        hand="base/U",
        pile=["base/V"],
        expansions=(TRADERS_BUILDERS,),
    )
    labelled = offers(panel(position, "N13/0"))
    for figure in ("builder", "pig"):
        (label,) = (label for label in labelled if figure in label.lower())
        confirming = panel(position, labelled[label].argument)
        assert confirming.figure == figure
        assert [number for number, _ in confirming.numbers] == [int(label.split()[0])]
        assert f"your {figure}" in presenter.composer_pictures(position, confirming, DAY)[0].alt


# -- what has still to be laid -----------------------------------------------------------------------------------------


def sold(options: Options) -> Position:
    """Red's bazaar when its tiles are handed out and Blue, Green and Red will lay them."""
    position = opened(options, [9, 9, 9])
    hand_out_free(position)
    return position


def test_everybody_reads_which_bought_tiles_wait() -> None:
    position = sold(Options())
    presenter = presenter_of(position)
    waiting = f"-# Still to lay: Cleo: {tile_words(tile('base/V'))} · Ana: {tile_words(tile('base/W'))}"
    assert to_place(position) == (BLUE, "base/U")
    assert presenter.details(NAMES, position) == waiting
    assert waiting in panel(position).text.splitlines()
    lay_anywhere(position)
    assert presenter.details(NAMES, position) == f"-# Still to lay: Ana: {tile_words(tile('base/W'))}"
    lay_anywhere(position)
    assert isinstance(position.step, PlaceTile)
    assert presenter.details(NAMES, position) == ""


def test_nothing_waits_in_a_draft_or_in_a_turn() -> None:
    position = opened(DRAFT, [9, 9, 9])
    hold(position, "pick 2")
    assert to_place(position) == (BLUE, "base/V")
    for shown in (position, arrange(tiles=["base/U 0,0"], hand="base/U", pile=["base/V"])):
        assert presenter_of(shown).details(NAMES, shown) == ""
        assert "Still to lay" not in panel(shown).text


def test_what_waits_of_somebody_who_left_is_not_told() -> None:
    position = sold(Options())
    position.apply(Resign(GREEN))
    assert presenter_of(position).details(NAMES, position).count(":") == 2
    assert "Cleo" not in presenter_of(position).details(NAMES, position)


def test_with_six_long_names_the_line_is_short_enough() -> None:
    position = sold_to_six()
    names = seat_names(game_of(position, LONG_NAMES))
    line = presenter_of(position).details(names, position)
    assert 300 < len(line) <= 600
    assert line.count("\n") == 0


def sold_to_six() -> Position:
    """The first of six bought tiles is to be laid; each is described with many words."""
    position = arrange(players=6, tiles=["base/B 0,0"], hand="bcb/FFFF", pile=["base/S"] * 12)
    for text in ("N13/0", "pass"):
        position.apply(parse_action(text))
    hand_out_free(position)
    return position


# -- lots in the story -------------------------------------------------------------------------------------------------


def told(position: Position, *events: Any) -> str:
    """The sentences of some events."""
    presenter = presenter_of(position)
    return " ".join(filter(None, (presenter.sentence(NAMES, event) for event in events)))


def test_a_lot_that_is_left_over_is_told() -> None:
    position = opened(Options(), [9, 9, 9])
    hold(position, "2@0", "1")
    position.apply(Resign(RED))
    hold(position, "sell", "pick 1")
    lay_anywhere(position)
    story = told(position, *lay_anywhere(position))
    assert f"T3 is left over and out of the game: {tile_words(tile('base/W'))}." in story
    assert "cannot be placed" not in story


def test_a_lot_of_somebody_who_left_is_told() -> None:
    position = opened(Options(), [9, 9, 9])
    hold(position, "1@0", "2")
    position.apply(Resign(GREEN))
    hold(position, "pass", "sell")
    hand_out_free(position)
    assert position.player == BLUE
    story = told(position, *lay_anywhere(position))
    assert f"Cleo has left, so this tile is out of the game: {tile_words(tile('base/U'))}." in story
    assert "cannot be placed" not in story


def test_a_pick_of_a_draft_is_no_sale() -> None:
    position = opened(DRAFT, [9, 9, 9])
    assert told(position, *hold(position, "pick 2")) == "Ben takes T2."
    auction = opened(Options(), [9, 9, 9])
    assert told(auction, *hold(auction, "2@0", "pass", "pass")).endswith("T2 goes to Ben for nothing.")
