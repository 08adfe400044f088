"""The words of a computer's advice, the panel with it, and the button of the composer that asks for it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from random import Random
from types import SimpleNamespace
from typing import Any, cast

import pytest
from discord import ui

from cogs.commands.play import _advice_at
from cogs.games.presenters import presenter_of
from cogs.panels.advice import advice_panel
from cogs.panels.composer import compose
from cogs.presenting.ids import Key, Op
from cogs.presenting.presenter import ButtonSpec, TilePanel
from cogs.presenting.turn import MAX_SPOTS
from cogs.texts import t
from cogs.texts.languages import languages, speaking
from cogs.words.advice import LEAST_PART, Effects, advice_words, worth_words
from cogs.words.story import aloud
from computer import Level, Player
from engine import GAMES, Position, parse_action
from engine.carcassonne.expansions import BCB
from engine.selfplay import random_game
from gallery.built_positions import arrange
from host import Advice, ErrorCode, HostError, Preferences
from tests.cogs.positions import LONG_NAMES, game_of
from tests.scenarios.test_bridges_placing import CROSSING

BUTTONS_PER_ROW, MAX_ROWS = 5, 5
"""Discord's limits on the buttons of a panel."""


def moves(text: str, value: float = 1.0, **parts: float) -> Advice:
    """Return advice to do these actions."""
    return Advice(tuple(map(parse_action, text.split())), value, parts)


def text_of(position: Position, *advice: Advice) -> str:
    """Return the text of the panel with this advice for the player to move."""
    return advice_panel(presenter_of(position), game_of(position), position, advice).text


def computed_advice(position: Position, count: int = 3) -> list[Advice]:
    """Return the advice of the computer, asked directly."""
    candidates = sorted(Player(Level.QUICK).candidates(position), key=lambda candidate: -candidate.value)
    return [
        Advice(tuple(filter(None, (entry.action, entry.follow_up))), entry.value, entry.parts)
        for entry in candidates[:count]
    ]


# -- words -------------------------------------------------------------------------------------------------------------


def test_a_placement_is_explained_by_what_it_does_at_once_and_what_is_expected_later() -> None:
    effects = Effects(
        completes=["road (Ben, 3 tiles)"],
        joins=["city (Ana, 2 tiles)"],
        rival_points={"Ben": 3},
        returning=1,
        last_figure="follower.kept",
    )
    assert advice_words(effects, {"cities": 4.4, "fields": -1.6}) == (
        "Completes road (Ben, 3 tiles), 3 points for Ben, one of your figures comes back, "
        "continues city (Ana, 2 tiles), keeps your last follower, later: cities 4 and fields \N{MINUS SIGN}2."
    )


def test_only_the_greatest_sources_of_points_are_named() -> None:
    parts = {"points": 9.0, "figures": -3.0, "roads": 0.7, "cities": 1.0, "fields": -4.0, "goods": 2.0, "castles": 3.0}
    assert advice_words(Effects(), parts) == "Later: fields \N{MINUS SIGN}4 and castles 3."


def test_a_placement_without_effect_has_no_words() -> None:
    assert advice_words(Effects(), {"cities": 0.2, "unheard of": 5.0}) == ""


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (6.2, "About 6 points expected."),
        (0.9, "About 1 point expected."),
        (0.3, "No great difference."),
        (-0.4, "No great difference."),
        (-2.0, "About 2 points lost."),
    ],
)
def test_the_worth_of_a_placement_is_told_in_whole_points(value: float, words: str) -> None:
    assert worth_words(value) == words


@pytest.mark.parametrize("name", GAMES)
def test_every_source_of_points_that_matters_has_a_name(name: str) -> None:
    """Points at once and figures are told in other words."""
    game, named = GAMES[name], set[str]()
    for seed in range(3):
        setup = game.new_setup(players=2, seed=str(seed), options=game.options(), expansions=game.expansions)
        position, _ = random_game(setup, Random(seed), plies=60)
        while position.hand is None:
            position.apply(position.legal_actions[0])
        parts = [item for entry in computed_advice(position, 50) for item in entry.parts.items()]
        named |= {name for name, points in parts if abs(points) >= LEAST_PART}
    unnamed = {part for part in named - {"points", "figures"} if not advice_words(Effects(), {part: 5.0})}
    assert unnamed == set()


# -- the panel ---------------------------------------------------------------------------------------------------------


BENS_ROAD = arrange(
    players=2,
    tiles=["base/D 0,0 0", "base/U 1,0", "base/A -1,0 270"],
    followers=["1 0,0 road.E"],
    supply={"follower": [1, 6]},
    hand="base/A",
    pile=["base/V"] * 5,
    expansions=(),
)
"""Ben's road can be closed at O13 by the tile of Ana, who has one follower left."""
CLOSING = "O13/90"


def test_the_turn_that_every_move_hands_over_is_no_loss() -> None:
    """Regression: at the start of The Castle the best placement read as a loss of 4 points, and of another turn."""
    ordinary = moves(f"{CLOSING} pass", -4.0, turn=-6.0)
    assert "\nAbout 2 points expected." in text_of(BENS_ROAD, ordinary)
    assert "another turn" not in text_of(BENS_ROAD, ordinary)
    text = text_of(BENS_ROAD, ordinary, moves(f"{CLOSING} pass", 2.0, turn=0.0))
    assert "\nAbout 8 points expected." in text
    assert "later: another turn 6." in text


def test_what_a_placement_completes_and_for_whom_is_told() -> None:
    text = text_of(BENS_ROAD, moves(f"{CLOSING} pass", -4.0))
    assert "**1. O13 turned 90°, no follower**\nAbout 4 points lost. " in text
    assert "Completes road (Ben, 4 tiles), 4 points for Ben, keeps your last follower." in text


def test_the_last_follower_is_told_when_it_is_used() -> None:
    text = text_of(BENS_ROAD, moves(f"{CLOSING} @monastery"))
    assert "uses your last follower" in text


def test_a_follower_that_comes_back_is_told() -> None:
    position = arrange(
        players=2,
        tiles=["base/D 0,0 0", "base/U 1,0", "base/A -1,0 270"],
        followers=["0 0,0 road.E"],
        hand="base/A",
        pile=["base/V"] * 5,
        expansions=(),
    )
    text = text_of(position, moves(f"{CLOSING} pass"))
    assert "4 points for you, one of your figures comes back." in text


def test_a_button_leads_to_each_placement_and_one_back() -> None:
    advice = [moves(f"{CLOSING} pass"), moves("M14/0 pass")]
    panel = advice_panel(presenter_of(BENS_ROAD), game_of(BENS_ROAD), BENS_ROAD, advice)
    (buttons,) = panel.offers
    assert [(button.op, button.label, button.argument) for button in buttons] == [
        (Op.PLAN, "1: O13", f"{CLOSING} pass"),
        (Op.PLAN, "2: M14", "M14/0 pass"),
        (Op.PLAN, t("button.back"), "p0"),
    ]
    assert [cell.label for cell in panel.spots] == ["O13", "M14"]


def test_a_placement_that_is_chosen_can_be_confirmed_and_is_not_sent() -> None:
    chosen = compose(presenter_of(BENS_ROAD), game_of(BENS_ROAD), BENS_ROAD, f"{CLOSING} pass", Preferences())
    assert [button.op for button in chosen.offers[0]] == [Op.GO, Op.PLAN]
    at_once = Preferences(confirm=False)
    chosen = compose(presenter_of(BENS_ROAD), game_of(BENS_ROAD), BENS_ROAD, f"{CLOSING} pass", at_once)
    assert [button.op for button in chosen.offers[0]] == [Op.GO, Op.PLAN]


def test_declining_a_tile_can_be_recommended() -> None:
    position = arrange(players=2, tiles=CROSSING, hand="base/B", pile=["base/V", "base/U"], expansions=(BCB,))
    panel = advice_panel(presenter_of(position), game_of(position), position, [moves("decline", 0.1)])
    assert [button.argument for button in panel.offers[0]] == ["decline", "p0"]
    assert panel.spots


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("name", GAMES)
def test_the_panel_keeps_its_limits_in_every_language(name: str, language: str) -> None:
    game = GAMES[name]
    setup = game.new_setup(players=2, seed="panel", options=game.options(), expansions=game.expansions)
    position, _ = random_game(setup, Random(3), plies=70)
    while position.hand is None:
        position.apply(position.legal_actions[0])
    stored = game_of(position, LONG_NAMES)
    for listens in (False, True):
        with speaking(language, listens=listens):
            panel = advice_panel(presenter_of(position), stored, position, computed_advice(position))
            labels = [button.label for group in panel.offers for button in group]
            assert len(set(labels)) == len(labels)
            assert len(panel.text) < 3000
            assert all(len(str(Key(Op.PLAN, "K7QF2", 9999, b.argument))) <= 100 for g in panel.offers for b in g)
            assert "{" not in panel.text
            if listens:
                assert all(aloud(label) == label for label in labels)


# -- the composer ------------------------------------------------------------------------------------------------------


def spots_panel(position: Position, *, advises: bool, listens: bool = False) -> TilePanel:
    """Return the panel of spots."""
    with speaking("en", listens=listens):
        return compose(presenter_of(position), game_of(position), position, "", Preferences(), advises=advises)


def asks_for_advice(groups: Sequence[Sequence[ButtonSpec]]) -> list[str]:
    """Return the labels of the buttons that ask for advice."""
    return [button.label for group in groups for button in group if button.op is Op.ADVICE]


@pytest.mark.parametrize("listens", [False, True])
def test_the_composer_offers_advice_where_it_may(listens: bool) -> None:
    assert asks_for_advice(spots_panel(BENS_ROAD, advises=True, listens=listens).offers) == [t("button.advice")]
    assert not asks_for_advice(spots_panel(BENS_ROAD, advises=False, listens=listens).offers)


def test_without_other_controls_the_button_needs_no_row_of_its_own() -> None:
    *_, spots, controls = spots_panel(BENS_ROAD, advises=True).offers
    assert spots[-1].op is Op.ADVICE
    assert not controls


@pytest.mark.parametrize("listens", [False, True])
def test_the_button_fits_into_the_widest_composer(listens: bool) -> None:
    """A board with several parts, where the tile also fits with a bridge."""
    tiles = [*CROSSING, *(f"base/U {x},-6" for x in range(14)), *(f"base/U {x},6" for x in range(14))]
    position = arrange(players=2, tiles=tiles, hand="base/U", pile=["base/V"] * 3, expansions=(BCB,))
    panel = spots_panel(position, advises=True, listens=listens)
    rows = sum(-(-len(group) // BUTTONS_PER_ROW) for group in panel.offers) + len(panel.menus)
    assert asks_for_advice(panel.offers)
    assert rows <= MAX_ROWS
    assert len(panel.spots) <= MAX_SPOTS


def test_advice_is_told_by_a_veiled_position() -> None:
    """Another order of the tiles that nobody has seen leads to the same words."""
    position = arrange(players=2, hand="base/U", pile=["base/V", "base/B", "base/D"])
    pile = position.setup.pile
    other = position.copy()
    other.setup = replace(position.setup, pile=(pile[0], *reversed(pile[1:])))
    advice = computed_advice(position)
    assert computed_advice(other) == advice
    assert text_of(position, *advice) == text_of(other, *advice)


# -- asking ------------------------------------------------------------------------------------------------------------


class SlowAdviser:
    """An adviser that answers, or refuses, once it may."""

    def __init__(self, refusal: HostError | None = None) -> None:
        self.may_answer = asyncio.Event()
        self.refusal = refusal
        self.asked = 0

    async def advise(self, _table: object, _user_id: int) -> list[Advice]:
        """Wait, then answer."""
        self.asked += 1
        await self.may_answer.wait()
        if self.refusal is not None:
            raise self.refusal
        return [moves("M14/0 pass")]


class Press:
    """An interaction that shows on its panel what the bot edits; ``shown`` are the texts of the panel."""

    def __init__(self, adviser: SlowAdviser, message: object = "a panel") -> None:
        self.client = SimpleNamespace(host=SimpleNamespace(adviser=adviser))
        self.user = SimpleNamespace(id=100)
        self.message = message
        self.shown: list[str] = []
        self.edited = asyncio.Event()

    async def edit_original_response(self, *, view: ui.LayoutView, attachments: list[object]) -> None:
        """Show a panel."""
        assert not attachments
        self.shown += [item.content for item in view.walk_children() if isinstance(item, ui.TextDisplay)]
        self.edited.set()


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Announce every thought at once; return the plans with which the composer is shown again."""
    composed: list[str] = []

    async def compose_again(_interaction: object, _table: object, plan: str, *, newest_only: bool) -> None:
        assert newest_only
        composed.append(plan)

    monkeypatch.setattr("cogs.commands.play.THINKING_NOTICE_DELAY", 0.0)
    monkeypatch.setattr("cogs.commands.play._compose", compose_again)
    return composed


async def ask_slowly(press: Press, adviser: SlowAdviser) -> Sequence[Advice]:
    """Ask for advice, which is given when the panel has said that a computer is thinking."""
    asking = asyncio.create_task(_advice_at(cast("Any", press), cast("Any", "a table")))
    await press.edited.wait()
    assert press.shown == [t("advice.thinking")]
    adviser.may_answer.set()
    return await asking


async def test_a_slow_thought_is_announced_in_the_panel(impatient: list[str]) -> None:
    adviser = SlowAdviser()
    assert len(await ask_slowly(Press(adviser), adviser)) == 1
    assert impatient == []


async def test_after_a_slow_failure_the_panel_shows_the_spots_again(impatient: list[str]) -> None:
    adviser = SlowAdviser(HostError(ErrorCode.ADVICE_FAILED, code="K7QF"))
    with pytest.raises(HostError, match="advice_failed"):
        await ask_slowly(Press(adviser), adviser)
    assert impatient == [""]


async def test_a_quick_thought_is_not_announced(monkeypatch: pytest.MonkeyPatch) -> None:
    adviser = SlowAdviser()
    adviser.may_answer.set()
    press = Press(adviser)
    await _advice_at(cast("Any", press), cast("Any", "a table"))
    assert press.shown == []
    assert adviser.asked == 1


async def test_a_command_needs_no_announcement(impatient: list[str]) -> None:
    """Discord itself says that the bot is thinking."""
    adviser = SlowAdviser()
    press = Press(adviser, message=None)
    asking = asyncio.create_task(_advice_at(cast("Any", press), cast("Any", "a table")))
    await asyncio.sleep(0.05)
    adviser.may_answer.set()
    assert len(await asking) == 1
    assert press.shown == []
