"""Every button of a message has an id and a wording of its own: in crowded games of every preset of every game."""

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
from engine.carcassonne.built_positions import arrange
from engine.carcassonne.expansions.bridges_castles_bazaars import ChooseLot, SelectLot
from engine.carcassonne.expansions.fairy import FairyMoved, MoveFairy
from host import Moment, Preferences
from tests.cogs.positions import LONG_NAMES, game_of
from tests.discord_limits.components import message_components, walk
from tests.engine.every_game import LIVELY, moves
from tests.scenarios.test_bazaar_last import served_but_one
from tests.scenarios.test_castles_one_tile import FIRST, SECOND, red_chooses, two_lords
from tests.scenarios.test_fairy import EXPANSIONS
from tests.scenarios.vocabulary import RED, cell, lay, put
from tests.scenarios.vocabulary_castles import TOWN

PRESETS = [(game, name) for game in GAMES.values() for name in game.presets]
every_preset = pytest.mark.parametrize(
    ("game", "preset"), PRESETS, ids=[f"{game.name}-{name}" for game, name in PRESETS]
)
LAST_PLY = 4999
"""As many digits as an id may have to hold."""
LONGEST_LABEL = 80


def shown(panel: Panel) -> list[dict[str, Any]]:
    """The buttons that are sent for a panel; nothing about it that Discord refuses."""
    parts = panel_view("K7QF", LAST_PLY, panel, []).to_components()
    assert not list(message_components(parts, v2=True))
    return [part for _, part in walk(parts) if part["type"] == 2]


def alike(buttons: Sequence[dict[str, Any]], what: str) -> list[str]:
    """The labels or ids that more than one button has."""
    return [text for text, count in Counter(button[what] for button in buttons).items() if count > 1]


def told_apart(panel: Panel) -> None:
    """Assert that each button has an id and a wording of its own."""
    buttons = shown(panel)
    assert (alike(buttons, "custom_id"), alike(buttons, "label")) == ([], [])
    assert max(len(button["label"]) for button in buttons) <= LONGEST_LABEL
    assert max(len(button["custom_id"]) for button in buttons) <= MAX_CUSTOM_ID_LENGTH


def asked(position: Position) -> Iterator[Panel]:
    """The panels of a decision that is made directly."""
    presenter = presenter_of(position)
    if presenter.offers(position):
        yield decision_panel(presenter, game_of(position, LONG_NAMES), position)
    if isinstance(position.step, ChooseLot) and SelectLot(position.step.bazaar.open_lots[0] + 1, 0) in (
        position.legal_actions
    ):
        yield Panel("Bid", [opening_offers(position, lot + 1) for lot in position.step.bazaar.open_lots[:1]])


def composed(position: Position, chance: Random) -> Iterator[Panel]:
    """Some panels of a composer, one after another."""
    plan = ""
    confirm = chance.random() < 0.5
    for _ in range(4):
        game = game_of(position, LONG_NAMES)
        panel = compose(presenter_of(position), game, position, plan, Preferences(confirm=confirm))
        yield panel
        onward = [key.argument for key in keys(panel) if key.op is Op.PLAN]
        plan = chance.choice(onward) if onward else ""


def keys(panel: Panel) -> list[Key]:
    """What the buttons of a panel say by their ids."""
    return [key for button in shown(panel) if (key := parse_key(button["custom_id"])) is not None]


@every_preset
def test_no_two_buttons_of_a_crowded_game_are_alike(game: GameKind, preset: str) -> None:
    for seed in range(1, 13, 3):
        chance = Random(seed)
        setup = game.new_setup(
            players=game.players[seed % len(game.players)],
            seed=f"{preset} {seed}",
            options=game.presets[preset],
            expansions=game.expansions,
        )
        for position, _, _ in moves(LIVELY[game.name].crowded(setup), seed):
            for panel in asked(position):
                told_apart(panel)
            if position.hand is not None and chance.random() < 0.07:
                for panel in composed(position, chance):
                    told_apart(panel)


def labels(offers: Sequence[ButtonSpec]) -> dict[str, str]:
    """What is on the buttons, by the actions in their ids."""
    return {offer.argument: offer.label for offer in offers}


def test_two_castles_on_one_tile_have_a_button_each() -> None:
    position = red_chooses()
    assert labels(choice_offers(position)) == {
        FIRST: "Castle on N13 and N14: 3 Points",
        SECOND: "Castle on N14 and N15: 4 Points",
    }
    told_apart(Panel("?", [choice_offers(position)]))


def test_two_roads_of_one_tile_read_differently() -> None:
    position = arrange(
        tiles=[*TOWN, "base/A 1,-1 0", "base/A 2,0 90", "base/A 1,1 180"], castles=["0 0,0 0,1"], hand="base/W"
    )
    lay(position, "1,0", 270)
    assert labels(choice_offers(position)) == {
        "take:N13.road.N": "Road N at N13: 2 Points",
        "take:N13.road.E": "Road E at N13: 2 Points",
        "take:N14.road.N": "Road N at N14: 2 Points",
    }


def test_who_is_the_last_without_a_lot_is_offered_to_take_one() -> None:
    position = served_but_one()
    assert labels(choice_offers(position)) == {"pick:1": "Take T1", "pick:3": "Take T3"}
    assert headline(["Ana", "Ben", "Cleo"], position, "Ben") == t("headline.pick", player="Ben")


def test_the_fairy_is_sent_to_a_castle_or_a_follower_in_words() -> None:
    position = put(two_lords(RED, RED), "5,6")
    offered = {action_words(position, action) for action in position.legal_actions if isinstance(action, MoveFairy)}
    assert offered == {"the fairy to castle on N14 and N13", "the fairy to castle on N14 and N15"}
    roads = arrange(
        tiles=["base/A 0,0 270", "base/B 0,5"], followers=["0 0,0 road.E"], hand="base/B", expansions=EXPANSIONS
    )
    put(roads, "1,5")
    assert action_words(roads, parse_action("fairy:M13.road.E")) == "the fairy to road E at M13"
    assert sentence(["Ana"], FairyMoved(RED, cell("0,0"))) == "Ana sends the fairy to M13."


async def test_the_card_that_asks_about_two_castles_on_one_tile_can_be_posted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cards, "card_pictures", lambda *_: [])
    position = red_chooses()
    render_pool = RenderPool()
    moment = Moment(game_of(position, LONG_NAMES), position, position, (), ())
    card = await turn_card(render_pool, presenter_of(position), moment, current=True)
    render_pool.close()
    parts = card.view.to_components()
    assert not list(message_components(parts, v2=True))
    buttons = [part for _, part in walk(parts) if part["type"] == 2]
    assert (alike(buttons, "custom_id"), alike(buttons, "label")) == ([], [])
    assert {FIRST, SECOND} <= {key.argument for button in buttons if (key := parse_key(button["custom_id"]))}
