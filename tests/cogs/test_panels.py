"""The private panels of Carcassonne (composer and decisions): Discord's limits, legal buttons, pages and taps.

In careful mode a move is confirmed before it is submitted; in quick mode the last tap submits it.
"""

from dataclasses import replace
from random import Random
from typing import Any

import pytest
from discord import ButtonStyle

from cogs.commands.play import decision_panel, panel_view
from cogs.games.carcassonne.boxes.bridges_castles_bazaars.bazaars import OPENING_BIDS, opening_offers
from cogs.games.carcassonne.presenter import offers as choice_offers
from cogs.games.presenters import presenter_of
from cogs.panels.composer import Composer, compose
from cogs.presenting.ids import Op, parse_key
from cogs.presenting.presenter import ButtonSpec, Panel
from cogs.presenting.turn import MAX_SPOTS, Plan, parts_of
from engine import GAMES, Cell, IllegalActionError, begin, parse_action
from engine.carcassonne import OFFERED, Options, PlaceTile, Position, new_setup
from engine.carcassonne.expansions.bridges_castles_bazaars import BidOnLot, ChooseLot
from host import Preferences
from renderers import DAY, phone_window
from renderers.boards.view import PHONE_WIDTH
from tests.cogs.positions import LONG_NAMES, game_of, position_with_many_spots, random_game
from tests.discord_limits.components import Kind, component_problems, walk
from tests.soak import first

PICTURE_COMPONENT = {
    "type": Kind.MEDIA_GALLERY,
    "items": [{"media": {"url": "attachment://composer.png"}, "description": "x"}],
}
"""The picture of a panel, as Discord gets it."""


def components(panel: Panel, ply: int = 0) -> list[dict[str, Any]]:
    """Return the components that are sent for a panel, with a picture."""
    payload: list[dict[str, Any]] = panel_view("K7QF", ply, panel, []).to_components()
    payload[0]["components"].insert(1, PICTURE_COMPONENT)
    return payload


def keys(panel: Panel, ply: int = 0) -> list[Any]:
    """Return the parsed custom ids of the buttons."""
    return [parse_key(part["custom_id"]) for _, part in walk(components(panel, ply)) if part["type"] == Kind.BUTTON]


def composer(position: Position, *, confirm: bool = True) -> Composer:
    """Return the composer of the player to move."""
    return Composer(presenter_of(position), game_of(position, LONG_NAMES), position, Preferences(confirm=confirm))


def plans(panel: Panel) -> list[Plan]:
    """Return the plans that the buttons of a panel lead to."""
    return [Plan.parse(key.argument) for key in keys(panel) if key.op is Op.PLAN]


@pytest.mark.parametrize("seed", first(1, range(3)))
@pytest.mark.parametrize("confirm", [True, False])
def test_a_random_sequence_of_composer_panels_keeps_the_limits(seed: int, *, confirm: bool) -> None:
    rng = Random(seed)
    for position, _, _ in random_game(2, seed, Options(bridge_timing="any_time")):
        if not isinstance(position.step, PlaceTile) or rng.random() < 0.7:
            continue  # a sample of the turns is enough
        plan = Plan()
        for _ in range(8):
            panel = composer(position, confirm=confirm).panel(plan)
            assert not list(component_problems(components(panel), v2=True))
            for key in keys(panel):
                if key.op is Op.GO:
                    after = position.copy()
                    for token in key.argument.split():
                        after.apply(parse_action(token))
            plan = rng.choice(plans(panel) or [Plan()])


def test_seventy_spots_are_split_into_pages() -> None:
    position = position_with_many_spots()
    cells: list[str] = []
    plan = Plan()
    while True:
        panel = composer(position).panel(plan)
        assert not list(component_problems(components(panel), v2=True))
        assert len(panel.spots) <= MAX_SPOTS
        cells += [cell.label for cell in panel.spots]
        plan = next(next_plan for next_plan in plans(panel) if next_plan.place is None and not next_plan.aided)
        if plan.page == 0:
            break
    assert len(cells) == len(set(cells)) > 70


def test_a_forged_page_number_is_clamped() -> None:
    position = Position(new_setup(players=2, seed="1"))
    assert composer(position).panel(Plan(page=77)).spots == composer(position).panel(Plan()).spots


def test_a_forged_placement_is_refused() -> None:
    position = Position(new_setup(players=2, seed="1"))
    for text in ("Z30/0", "Z30/0 pass", "M13/0 @road.W"):
        with pytest.raises(IllegalActionError):
            composer(position).panel(Plan.parse(text))


def test_a_move_takes_three_taps_in_quick_and_four_in_careful_mode() -> None:
    position = Position(new_setup(players=2, seed="1"))
    for confirm, taps in ((False, 2), (True, 3)):  # plus one on Play
        panel, plan = composer(position, confirm=confirm).panel(Plan()), Plan()
        for tap in range(1, 9):
            submitting = [key for key in keys(panel) if key.op is Op.GO]
            if submitting:
                assert tap == taps
                break
            plan = next(plan for plan in reversed(plans(panel)) if plan.place is not None and plan.built is None)
            panel = composer(position, confirm=confirm).panel(plan)


@pytest.mark.parametrize("confirm", [False, True])
@pytest.mark.parametrize(("game", "expansions"), [("carcassonne", ()), ("carcassonne", OFFERED), ("the-castle", ())])
def test_at_most_one_button_of_a_panel_is_primary(game: str, expansions: tuple[str, ...], *, confirm: bool) -> None:
    """Spots, figures, bids and answers are secondary."""
    random, played = Random(3), GAMES[game]
    position: Any = begin(played.new_setup(players=2, seed="primary", options=played.options(), expansions=expansions))
    preferences, plans = Preferences(confirm=confirm), 0
    while position.step is not None:
        presenter = presenter_of(position)
        styles = [offer.style for offer in presenter.offers(position)]
        assert styles.count(ButtonStyle.primary) == 0
        offered = [ButtonSpec(Op.PLAN, "", "")] if position.hand is not None and not styles else []
        while offered:
            plans += 1
            shown = compose(presenter, game_of(position), position, random.choice(offered).argument, preferences)
            buttons = [offer for row in shown.offers for offer in row]
            assert [offer.style for offer in buttons].count(ButtonStyle.primary) <= 1
            assert not [offer for offer in buttons if offer.style is ButtonStyle.success and offer.op is Op.GO]
            offered = [one for one in buttons if one.op is Op.PLAN] if random.random() < 0.7 else []
        position.apply(random.choice(list(position.legal_actions)))
    assert plans > 100


PHONE_LINE, ROW_HEIGHT, PANEL_HEIGHT = 358, 40, 640
"""Width of a panel on a phone of 390, height of a row of buttons with its gap, height of the screen below the title."""


def lines_on_phone(panel: Panel) -> int:
    """Return the lines that the buttons fill on a phone, where long labels wrap within a row of five."""
    lines = 0
    for group in panel.offers:
        for start in range(0, len(group), 5):
            room = 0
            for offer in group[start : start + 5]:
                width = 40 + 8 * len(offer.label)
                lines, room = (lines, room - width) if width <= room else (lines + 1, PHONE_LINE - width)
    return lines


@pytest.mark.parametrize("game", ["carcassonne", "the-castle"])
def test_the_picture_and_the_buttons_of_a_composer_fit_a_phone(game: str) -> None:
    """A picture is shown 340 CSS pixels wide."""
    random, played = Random(2), GAMES[game]
    position: Any = begin(played.new_setup(players=2, seed="phone", options=played.options(), expansions=()))
    tiles = 0
    while position.step is not None:
        presenter = presenter_of(position)
        tiles += position.hand is not None and not presenter.offers(position)
        if tiles % 12 == 11 and position.hand is not None and not presenter.offers(position):
            plan, stored = "", game_of(position)
            for _ in range(2):
                shown = compose(presenter, stored, position, plan, Preferences())
                (picture,) = presenter.panel_pictures(stored, position, shown, DAY)
                height = picture.picture.height * PHONE_WIDTH / max(picture.picture.width, PHONE_WIDTH)
                assert height + lines_on_phone(shown) * ROW_HEIGHT <= PANEL_HEIGHT
                plan = next(offer.argument for row in shown.offers for offer in row if offer.op is Op.PLAN)
        position.apply(random.choice(list(position.legal_actions)))
    assert tiles > 50


def test_each_rotation_has_a_numbered_button() -> None:
    position = next(
        position
        for position, *_ in random_game(2, 1)
        if isinstance(position.step, PlaceTile) and position.ply > 40 and len(position.step.tile.rotations) == 4
    )
    found = [plan for plan in plans(composer(position).panel(Plan())) if plan.spot is not None]
    plan, laying = next((plan, panel) for plan in found if (panel := composer(position).panel(plan)).turns)
    buttons = laying.offers[0][: len(laying.turns)]
    assert [button.label for button in buttons] == [str(number) for number in range(1, len(laying.turns) + 1)]
    places = [Plan.parse(button.argument).place for button in buttons]
    assert [place.rotation for place in places if place is not None] == list(laying.turns)
    assert {place.cell for place in places if place is not None} == {plan.spot}


def test_twenty_spots_fit_the_component_limit() -> None:
    """Discord's limit is forty components."""
    panel = composer(position_with_many_spots()).panel(Plan())
    assert len(panel.spots) == MAX_SPOTS
    page_buttons = panel.offers[1]
    assert len(page_buttons) <= 2
    assert sum(1 for _ in walk(components(panel))) == 28 + len(page_buttons)
    assert sum(1 for _ in walk(components(replace(panel, offers=panel.offers[:1])))) == 27


@pytest.mark.parametrize("mode", ["auction", "draft"])
def test_every_decision_has_buttons_for_legal_actions_only(mode: str) -> None:
    steps = set()
    for seed in range(4):
        for position, _, _ in random_game(4, seed, Options(bazaar_mode=mode)):  # type: ignore[arg-type]
            if position.step is None or isinstance(position.step, PlaceTile):
                continue
            steps.add(type(position.step).__name__)
            panel = decision_panel(presenter_of(position), game_of(position, LONG_NAMES), position)
            assert not list(component_problems(components(panel), v2=True))
            for key in keys(panel, position.ply):
                assert key.revision == position.ply
                if key.op is Op.ACT:
                    assert parse_action(key.argument) in position.legal_actions
    assert len(steps) >= 3


def test_a_button_names_its_spot_by_the_cell_and_the_text_does_not_repeat_the_list() -> None:
    position = Position(new_setup(players=2, seed="1"))
    panel = composer(position).panel(Plan())
    assert [button.label for button in panel.offers[0]] == [cell.label for cell in panel.spots]
    assert not any(cell.label in panel.text for cell in panel.spots)


def test_the_part_with_the_spots_that_score_most_comes_first() -> None:
    cells = [Cell(x, y) for y in range(0, 40, 4) for x in range(0, 40, 4)]
    best = Cell(36, 20)
    parts = parts_of(cells, lambda: {cell: 9 if cell == best else 0 for cell in cells})
    assert best in parts[0]
    assert sorted(cell for part in parts for cell in part) == sorted(cells)
    assert all(len(part) <= MAX_SPOTS and phone_window(part) is not None for part in parts)
    assert all(part == sorted(part, key=lambda cell: (cell.y, cell.x)) for part in parts)


def test_spots_that_a_phone_shows_together_are_one_part_without_a_ranking() -> None:
    cells = [Cell(x, 0) for x in range(8)]

    def no_ranking() -> dict[Cell, int]:
        """Fail: the ranking must not be computed."""
        raise AssertionError("ranked for nothing")

    assert parts_of(cells, no_ranking) == [cells]


def test_only_legal_bids_are_offered() -> None:
    openings = 0
    for position, _, _ in random_game(3, 2, Options(bazaar_bid_limit="own_score")):
        match position.step:
            case ChooseLot() as step if not step.bazaar.draft:
                openings += 1
                offers = opening_offers(position, step.bazaar.open_lots[0] + 1)
                assert len(offers) <= len(OPENING_BIDS) + 1
            case BidOnLot() as step:
                can_bid = position.scores[step.player] > step.bazaar.bid
                assert (len(choice_offers(position)) > 1) is can_bid
            case _:
                pass
    assert openings
