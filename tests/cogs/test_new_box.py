"""An expansion ("box") is presented completely once it has one registry entry and its texts.

The example is the box of the tests, of which no other floor knows anything (``tests/engine/pedlars.py``).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import ClassVar

import pytest

from cogs.commands.play import panel_view
from cogs.games.carcassonne.box import BOXES, BoxPresenter, Question
from cogs.games.carcassonne.words import action_words
from cogs.games.presenters import presenter_of
from cogs.panels.composer import compose
from cogs.presenting.ids import Op
from cogs.presenting.presenter import ButtonSpec, act
from cogs.texts import FAILED_TEXTS, LANGUAGE, catalogue, t
from cogs.texts.languages import languages, speaking
from cogs.words.story import Storyteller, score_table
from cogs.words.typed_moves import typed_moves
from engine import Cell, Pass, parse_action
from engine.carcassonne import Position, new_setup
from engine.carcassonne.expansions import OFFERED
from engine.events import Scored, Term
from engine.selfplay import random_action
from host import PACES, Moment, Preferences, TableSettings
from tests.cogs.box_texts import missing_texts, required_texts
from tests.cogs.positions import game_of
from tests.discord_limits.components import component_problems
from tests.engine import pedlars
from tests.engine.pedlars import KIOSK, NAME, PEDLAR, DecideKiosk, MovePedlar, SellKiosk

MAX_GAMES = 8
"""Maximal number of games until all questions have come up; it depends on the offered expansions."""
BOX_TEXTS = {
    f"expansion.{NAME}": "Pedlars",
    f"rules.{NAME}": "A pedlar moves on.",
    f"figure.{PEDLAR}": "pedlar",
    f"figure_button.{PEDLAR}": "Pedlar",
    **{f"piece.{PEDLAR}_{where}": f"pedlar {where}" for where in ("home", "out")},
    f"piece.{KIOSK}": "{count} kiosks",
    "tile.flag.lodge": "lodge",
    "term.kiosk": "{count} kiosks",
    "feature.kiosk": "a kiosk",
    "headline.kiosk": "{player} may sell the kiosk",
    "headline.pedlar": "{player} may move the pedlar",
    "action.kiosk": "the kiosk",
    "action.no_kiosk": "no kiosk",
}
"""The texts that the box adds to the language file."""


def question_with_headline(key: str) -> Question:
    """Return a question with this headline and a button for each legal action."""

    def offers(position: Position, _: object) -> list[ButtonSpec]:
        """Return a button for each legal action."""
        return [act(action, action_words(position, action)) for action in position.legal_actions]

    return Question(
        headline=lambda _names, _position, _step, player: t(key, player=player),
        offers=offers,
        prospect=lambda *_: "",
        pictures=lambda *_: [],
        passing="action.no_kiosk",
    )


BOX_PRESENTER = BoxPresenter(
    actions={SellKiosk: lambda *_: t("action.kiosk")},
    questions={
        DecideKiosk: question_with_headline("headline.kiosk"),
        MovePedlar: question_with_headline("headline.pedlar"),
    },
)


@pytest.fixture(autouse=True)
def register_box(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Register the box and its texts."""
    monkeypatch.setitem(BOXES, NAME, BOX_PRESENTER)
    monkeypatch.setattr(catalogue(), "sentences", {**catalogue().sentences, **BOX_TEXTS})
    with pedlars.registered():
        yield


def positions_with_box(seed: int, expansions: Sequence[str]) -> Iterator[Position]:
    """Yield the positions of a random game with the box, after rendering all their texts."""
    rng = Random(seed)
    position = Position(new_setup(players=3, seed=str(seed), expansions=(*expansions, NAME)))
    presenter = presenter_of(position)
    while position.step is not None:
        yield position.copy()
        events = position.apply(random_action(position, rng))
        assert all(Storyteller(presenter.sentence, ["Ana", "Ben", "Cleo"]).sentences(events))


@pytest.mark.parametrize("expansions", [(), OFFERED], ids=["alone", "with all others"])
def test_all_questions_of_the_box_have_texts_and_buttons(expansions: Sequence[str]) -> None:
    questions: set[type[object]] = set()
    for seed in range(1, MAX_GAMES + 1):
        questions |= questions_in_game(seed, expansions)
        if questions == {DecideKiosk, MovePedlar}:
            return
    raise AssertionError(f"in {MAX_GAMES} games only {questions} came up")


def questions_in_game(seed: int, expansions: Sequence[str]) -> set[type[object]]:
    """Return the steps of the box that came up in a game, after rendering each position."""
    questions, rng = set(), Random(1)
    for position in positions_with_box(seed, expansions):
        presenter, game = presenter_of(position), game_of(position)
        assert presenter.headline(["Ana", "Ben", "Cleo"], position, "Ana")
        if isinstance(position.step, DecideKiosk | MovePedlar):
            questions.add(type(position.step))
            offers = presenter.offers(position)
            assert [parse_action(offer.argument) for offer in offers] == list(position.legal_actions)
            assert all(offer.op is Op.ACT and offer.label for offer in offers)
        elif position.hand is not None and rng.random() < 0.05:
            assert score_table(presenter, game, position)
            first = compose(presenter, game, position, "", Preferences())
            placing = compose(presenter, game, position, first.offers[0][0].argument, Preferences())
            assert any(offer.argument.endswith(str(Pass())) for offer in placing.offers[1])
            for panel in (first, placing):
                parts = panel_view(game.code, position.ply, panel, []).to_components()
                assert not list(component_problems(parts, v2=True))
            assert typed_moves(presenter, position, "", 3)
    return questions


def test_the_move_of_its_figure_is_described() -> None:
    for seed in range(1, MAX_GAMES + 1):
        for position in positions_with_box(seed, ()):
            if isinstance(position.step, MovePedlar) and len(position.legal_actions) > 1:
                move_text = action_words(position, position.legal_actions[1])
                assert "pedlar" in move_text
                assert "." not in move_text
                return
    raise AssertionError("no pedlar could move on")


def test_each_required_text_of_the_box_is_reported_if_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    assert missing_texts(NAME) == set()
    remaining_texts = {key: sentence for key, sentence in catalogue().sentences.items() if key not in BOX_TEXTS}
    monkeypatch.setattr(catalogue(), "sentences", remaining_texts)
    assert missing_texts(NAME) == {*BOX_TEXTS}
    assert {"term.kiosk", "feature.kiosk", "tile.flag.lodge"} <= {*required_texts(NAME)}, (
        "texts of rare events are included"
    )


def test_texts_of_optional_elements_are_required_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """The optional elements: score categories, choices, and decisions beside a turn."""

    @dataclass(frozen=True, slots=True)
    class DecideKioskOutOfTurn(DecideKiosk):
        out_of_turn: ClassVar[bool] = True

    extended_box = replace(
        BOX_PRESENTER,
        categories=("kiosk",),
        choices={"pedlar": ("stays", "goes")},
        chapters={"pedlars": lambda *_: iter(())},
        questions={**BOX_PRESENTER.questions, DecideKioskOutOfTurn: question_with_headline("headline.kiosk")},
    )
    monkeypatch.setitem(BOXES, NAME, extended_box)
    assert missing_texts(NAME) == {
        *("category.kiosk", "legend.kiosk", "tell.part.pedlars"),
        *(f"setting.pedlar.{end}" for end in ("name", "title", "stays", "goes")),
        *(f"pace_aside.{NAME}.{pace}" for pace in PACES),
    }


@pytest.mark.parametrize("language", languages())
def test_a_term_without_a_text_does_not_break_a_card(
    language: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    remaining_texts = {
        key: sentence for key, sentence in catalogue().sentences.items() if not key.startswith("term.kiosk")
    }
    monkeypatch.setattr(catalogue(), "sentences", remaining_texts)
    terms = Term("tiles", 3, 3), Term(KIOSK, 2, 8)
    scored = Scored(0, 11, "field", terms, (Cell(0, 0),), final=False)
    position = Position(new_setup(players=2, seed="1", expansions=(NAME,)))
    game = replace(game_of(position), settings=TableSettings(language=language))
    moment = Moment(game, position, position, (), (scored,))
    for _ in range(2):
        with speaking(language):
            sentences = [*Storyteller.marked_up(presenter_of(position), game).sentences(moment.events)]
        assert "kiosk (8)" in sentences[0]
    logged = [record for record in caplog.records if record.name == "cogs.texts" and record.levelname == "ERROR"]
    assert [record.__dict__["text"] for record in logged] == ["term.kiosk"]
    assert FAILED_TEXTS[LANGUAGE, "term.kiosk"] == 2
    FAILED_TEXTS.clear()
