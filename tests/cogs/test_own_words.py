"""All buttons of a message have distinct ids and labels, in crowded games of every preset of every game.

Crowded games have piles of chosen tiles, so that towns, bridges and castles, and so decisions, are frequent.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import pytest

from cogs.commands.play import decision_panel, panel_view
from cogs.games.carcassonne.boxes.bridges_castles_bazaars.bazaars import opening_offers
from cogs.games.carcassonne.presenter import headline
from cogs.games.carcassonne.presenter import offers as choice_offers
from cogs.games.carcassonne.words import action_words, sentence
from cogs.games.presenters import presenter_of
from cogs.panels import cards
from cogs.panels.cards import turn_card
from cogs.panels.composer import compose
from cogs.presenting.ids import MAX_CUSTOM_ID_LENGTH, Key, Op, parse_key
from cogs.presenting.presenter import ButtonSpec, Panel
from cogs.services.render_pool import RenderPool
from cogs.texts import t
from engine import GAMES, GameKind, Position, parse_action
from engine.carcassonne.expansions.bridges_castles_bazaars import ChooseLot, SelectLot
from engine.carcassonne.expansions.fairy import FairyMoved, MoveFairy
from gallery.built_positions import arrange
from host import Moment, Preferences
from tests.cogs.positions import LONG_NAMES, game_of
from tests.discord_limits.components import Kind, component_problems, walk
from tests.engine.every_game import RANDOM_GAMES, play_moves
from tests.scenarios.test_bazaar_last import one_player_without_lot
from tests.scenarios.test_castles_one_tile import (
    TAKE_FIRST_CASTLE,
    TAKE_SECOND_CASTLE,
    castles_named_by_one_tile,
    position_with_reds_choice,
)
from tests.scenarios.test_fairy import EXPANSIONS
from tests.scenarios.vocabulary import RED, cell, place_tile, play_turn
from tests.scenarios.vocabulary_castles import TOWN
from tests.soak import first

PRESETS = [(game, name) for game in GAMES.values() for name in game.presets]
"""All presets of options of all games."""
each_preset = pytest.mark.parametrize(
    ("game", "preset"), PRESETS, ids=[f"{game.name}-{name}" for game, name in PRESETS]
)
"""Runs a test once for each preset."""
LONGEST_PLY = 4999
"""A ply (number of actions so far) with the maximal number of digits."""
MAX_LABEL_LENGTH = 80
"""Discord's limit for the label of a button."""


def buttons_of(panel: Panel) -> list[dict[str, Any]]:
    """Return the buttons that are sent for a panel, which has to keep Discord's limits."""
    parts = panel_view("K7QF", LONGEST_PLY, panel, []).to_components()
    assert not list(component_problems(parts, v2=True))
    return [part for _, part in walk(parts) if part["type"] == Kind.BUTTON]


def duplicates(buttons: Sequence[dict[str, Any]], what: str) -> list[str]:
    """Return the labels or ids that more than one button has."""
    return [text for text, count in Counter(button[what] for button in buttons).items() if count > 1]


def check_distinct(panel: Panel) -> None:
    """Assert that all buttons have distinct ids and labels."""
    buttons = buttons_of(panel)
    assert (duplicates(buttons, "custom_id"), duplicates(buttons, "label")) == ([], [])
    assert max(len(button["label"]) for button in buttons) <= MAX_LABEL_LENGTH
    assert max(len(button["custom_id"]) for button in buttons) <= MAX_CUSTOM_ID_LENGTH


def decision_panels(position: Position) -> Iterator[Panel]:
    """Yield the panels of a decision outside the composer."""
    presenter = presenter_of(position)
    if presenter.offers(position):
        yield decision_panel(presenter, game_of(position, LONG_NAMES), position)
    if isinstance(position.step, ChooseLot) and SelectLot(position.step.bazaar.open_lots[0] + 1, 0) in (
        position.legal_actions
    ):
        yield Panel("Bid", [opening_offers(position, lot + 1) for lot in position.step.bazaar.open_lots[:1]])


def composer_panels(position: Position, rng: Random) -> Iterator[Panel]:
    """Yield a random sequence of composer panels."""
    plan = ""
    confirm = rng.random() < 0.5
    for _ in range(4):
        game = game_of(position, LONG_NAMES)
        panel = compose(presenter_of(position), game, position, plan, Preferences(confirm=confirm))
        yield panel
        plans = [key.argument for key in parsed_keys(panel) if key.op is Op.PLAN]
        plan = rng.choice(plans) if plans else ""


def parsed_keys(panel: Panel) -> list[Key]:
    """Return the parsed custom ids of a panel's buttons."""
    return [key for button in buttons_of(panel) if (key := parse_key(button["custom_id"])) is not None]


@each_preset
@pytest.mark.parametrize("seed", first(2, range(1, 13, 3)))
def test_all_buttons_of_a_crowded_game_are_distinct(game: GameKind, preset: str, seed: int) -> None:
    rng = Random(seed)
    setup = game.new_setup(
        players=game.players[seed % len(game.players)],
        seed=f"{preset} {seed}",
        options=game.presets[preset],
        expansions=game.expansions,
    )
    for position, _, _ in play_moves(RANDOM_GAMES[game.name].crowded(setup), seed):
        for panel in decision_panels(position):
            check_distinct(panel)
        if position.hand is not None and rng.random() < 0.07:  # composer panels are slow: a sample
            for panel in composer_panels(position, rng):
                check_distinct(panel)


def labels_by_action(offers: Sequence[ButtonSpec]) -> dict[str, str]:
    """Return the labels by action."""
    return {offer.argument: offer.label for offer in offers}


def test_two_castles_on_one_tile_have_a_button_each() -> None:
    position = position_with_reds_choice()
    assert labels_by_action(choice_offers(position)) == {
        TAKE_FIRST_CASTLE: "Castle on N13 and N14: 3 Points",
        TAKE_SECOND_CASTLE: "Castle on N14 and N15: 4 Points",
    }
    check_distinct(Panel("?", [choice_offers(position)]))


def test_two_roads_of_one_tile_have_different_labels() -> None:
    position = arrange(
        tiles=[*TOWN, "base/A 1,-1 0", "base/A 2,0 90", "base/A 1,1 180"], castles=["0 0,0 0,1"], hand="base/W"
    )
    play_turn(position, "1,0", 270)
    assert labels_by_action(choice_offers(position)) == {
        "take:N13.road.N": "Road N at N13: 2 Points",
        "take:N13.road.E": "Road E at N13: 2 Points",
        "take:N14.road.N": "Road N at N14: 2 Points",
    }


def test_the_last_player_without_a_lot_is_offered_the_remaining_ones() -> None:
    position = one_player_without_lot()
    assert labels_by_action(choice_offers(position)) == {"pick:1": "Take T1", "pick:3": "Take T3"}
    assert headline(["Ana", "Ben", "Cleo"], position, "Ben") == t("headline.pick", player="Ben")


def test_the_targets_of_the_fairy_have_distinct_labels() -> None:
    position = place_tile(castles_named_by_one_tile(RED, RED), "5,6")
    offered = {action_words(position, action) for action in position.legal_actions if isinstance(action, MoveFairy)}
    assert offered == {"move the fairy to castle on N14 and N13", "move the fairy to castle on N14 and N15"}
    roads = arrange(
        tiles=["base/A 0,0 270", "base/B 0,5"], followers=["0 0,0 road.E"], hand="base/B", expansions=EXPANSIONS
    )
    place_tile(roads, "1,5")
    assert action_words(roads, parse_action("fairy:M13.road.E")) == "move the fairy to road E at M13"
    assert sentence(["Ana"], FairyMoved(RED, cell("0,0"))) == "Ana moves the fairy to M13."


async def test_a_card_about_two_castles_on_one_tile_can_be_posted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cards, "card_pictures", lambda *_: [])
    position = position_with_reds_choice()
    render_pool = RenderPool()
    moment = Moment(game_of(position, LONG_NAMES), position, position, (), ())
    card = await turn_card(render_pool, presenter_of(position), moment, current=True)
    render_pool.close()
    parts = card.view.to_components()
    assert not list(component_problems(parts, v2=True))
    buttons = [part for _, part in walk(parts) if part["type"] == Kind.BUTTON]
    assert (duplicates(buttons, "custom_id"), duplicates(buttons, "label")) == ([], [])
    assert {TAKE_FIRST_CASTLE, TAKE_SECOND_CASTLE} <= {
        key.argument for button in buttons if (key := parse_key(button["custom_id"]))
    }
