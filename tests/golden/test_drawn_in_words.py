"""Every fact in a picture is also in a text, for players who do not see pictures.

Drawing functions are replaced by recorders of their arguments (names, cells, letters, numbers, tiles, points). Each of
these has to occur in the message with the picture, in its alt texts, or in [In Words], a button of every card.
"""

from __future__ import annotations

import asyncio
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from types import FunctionType
from typing import Any

import pytest
from discord import ui

from cogs.games.carcassonne import boxes as carcassonne_boxes
from cogs.games.carcassonne import presenter as carcassonne
from cogs.games.carcassonne.boxes.bridges_castles_bazaars.bridges_castles import axis_words
from cogs.games.presenters import presenter_of
from cogs.games.the_castle import presenter as the_castle
from cogs.panels import cards
from cogs.panels.events import pictures
from cogs.presenting.presenter import AltPicture
from cogs.texts.languages import offered_languages, speaking
from cogs.words.telling import TableDescription
from engine import Cell, Position
from engine.geometry import Axis
from engine.tiles import Segment, TileKind
from host import Table
from renderers import Theme
from renderers.values import Picture
from tests.cogs.event_views import event_view, rank_views, round_view_of
from tests.discord_limits.components import Kind, walk
from tests.e2e.screen import alt_texts
from tests.golden.wording import PLAYED_GAMES, GameReader, NewTexts, PlayedGame, play_whole_game
from tests.tournaments.invariants import ROUGH_CONDITIONS
from tournaments.trials import simulate_format

INVISIBLE_ARGUMENTS = ("state", "theme", "filename")
"""Arguments of drawing functions that are not visible in the picture."""
INVISIBLE_FIELDS = frozenset({"seat", "player", "owners", "figure", "rotation", "state", "first"})
"""Fields of arguments that are internal numbers, or say how a line looks."""
DRAWING_MODULES = (cards, carcassonne, the_castle)
"""The modules whose functions draw pictures."""


EXPECTED_PICTURES = (
    {"castle_question", "composer", "lots", "score_sheet", "score_bars", "turn_card", "whole_board"},
    {"composer", "score_sheet", "score_bars", "turn_card", "whole_board"},
)
"""The drawing functions used in each of the two games."""


class DrawingRecorder:
    """Records the arguments of drawing functions since the last message."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, tuple[Any, ...]]] = []
        self.kinds: set[str] = set()

    def drawing(self, name: str, replacement: Callable[..., Any]) -> Callable[..., Any]:
        """Return a replacement for a drawing function that records its arguments."""

        def drawn(*arguments: Any, **options: Any) -> Any:
            shown = (value for option, value in options.items() if option not in INVISIBLE_ARGUMENTS)
            self.calls.append((name, (*arguments, *shown)))
            self.kinds.add(name)
            return replacement()

        return drawn


def facts(value: Any, table: Table | None) -> Iterator[tuple[str, ...]]:
    """Yield the facts in an argument, each as its possible wordings, one of which has to occur."""
    match value:
        case Axis():
            yield (axis_words(value),)
        case str() if value.strip():
            yield (value, value.rstrip("."))
        case Cell():
            yield (value.label,)
        case TileKind() if table is not None:
            presenter = presenter_of(table.position)
            yield (presenter.tile_words(value), *(presenter.tile_aloud(value, turn) for turn in (0, 90, 180, 270)))
        case int() if value > 0 and not isinstance(value, bool):
            yield (str(value),)
        case _:
            for part in _parts(value):
                yield from facts(part, table)


def _parts(value: Any) -> Iterator[Any]:
    """Yield the parts of an argument."""
    match value:
        case Position() | Theme() | Segment():
            return
        case Mapping():
            yield from (part for name, count in value.items() if count for part in (name, count))
        case list() | tuple() | frozenset() | set():
            yield from value
        case _ if is_dataclass(value):
            yield from (getattr(value, field.name) for field in fields(value) if field.name not in INVISIBLE_FIELDS)


class PictureCheck(NewTexts):
    """Compares the recorded drawings of each message with its texts."""

    def __init__(self, recorder: DrawingRecorder) -> None:
        super().__init__()
        self.recorder = recorder
        self.table: Table | None = None
        self.missing: set[str] = set()

    def view(self, title: str, view: ui.LayoutView) -> None:
        """Check the pictures of a message against its texts, and against those of [In Words]."""
        calls, self.recorder.calls = self.recorder.calls, []
        if not calls or self.table is None:
            return
        visible_text = "\n".join(_texts_of(view))
        text_in_words = ""
        for name, arguments in calls:
            for wordings in facts(_without_labels(name, arguments), self.table):
                if any(_contains(visible_text, wording) for wording in wordings):
                    continue
                text_in_words = text_in_words or "\n".join(_texts_in_words(self.table))
                if not any(_contains(text_in_words, wording) for wording in wordings):
                    self.missing.add(f"{name}: {wordings[0]} ({title})")


def _without_labels(name: str, arguments: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return the arguments without column headings and seat numbers."""
    match name:
        case "score_sheet":
            return (arguments[0], *arguments[2:])
        case "score_bars":
            return arguments[:2]
        case "lots":
            return (arguments[0], *arguments[3:])
    return arguments


def _contains(text: str, fact: str) -> bool:
    """Return True if a text has this fact as a word or words of its own."""
    return re.search(rf"(?<!\w){re.escape(fact)}(?!\w)", text, re.IGNORECASE) is not None


def _texts_of(view: ui.LayoutView) -> Iterator[str]:
    """Yield the texts, labels and alt texts of a view."""
    components = view.to_components()
    for _, part in walk(components):
        if part["type"] == Kind.TEXT_DISPLAY:
            yield part["content"]
        elif part["type"] == Kind.BUTTON:
            yield part["label"]
    yield from alt_texts(components)


def _texts_in_words(table: Table) -> Iterator[str]:
    """Yield the entries of the position in words."""
    telling = TableDescription(presenter_of(table.position), table, table.game.seats[0].user_id)
    for part in telling.parts:
        yield from telling.entries(part)


class CheckedGameReader(GameReader):
    """Reads a game, with the current table for the check."""

    script: PictureCheck

    async def _card(self, moment: Any, title: str) -> None:
        self.script.table = Table(moment.game, moment.after, self.game.whole.actions[: moment.after.ply])
        await super()._card(moment, title)


@pytest.fixture(scope="module")
def games() -> Sequence[PlayedGame]:
    """Play the games once for all tests."""
    return [play_whole_game(*game) for game in PLAYED_GAMES]


@pytest.mark.parametrize("number", range(len(PLAYED_GAMES)))
def test_every_drawn_fact_of_a_game_is_in_a_text(
    number: int, games: Sequence[PlayedGame], monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    recorder = DrawingRecorder()
    boxes = [module for name, module in sys.modules.items() if name.startswith(f"{carcassonne_boxes.__name__}.")]
    for module in (*DRAWING_MODULES, *boxes):
        for name, value in tuple(vars(module).items()):
            if isinstance(value, FunctionType) and value.__module__.startswith("renderers"):
                monkeypatch.setattr(module, name, recorder.drawing(name, _pixel))
    codes = [language.code for language in offered_languages()]
    with speaking(codes[sum(map(ord, request.node.name)) % len(codes)]):
        script = PictureCheck(recorder)
        asyncio.run(CheckedGameReader(games[number], script).read())
    assert not sorted(script.missing)
    assert recorder.kinds == EXPECTED_PICTURES[number]


def _pixel() -> Picture:
    """Return the picture that stands for all others."""
    return Picture(b"", "pixel.png", 1, 1)


def event_pictures(name: str) -> Iterator[AltPicture]:
    """Draw all pictures of a finished simulated event."""
    event = simulate_format(name, 8, "drawn", ROUGH_CONDITIONS).event
    view, last = event_view(event), event.stages[-1]
    yield from pictures.standings_pictures(view, rank_views(event))
    for state in event.stages:
        if state.plan.kind == "knockout":
            yield from pictures.bracket_pictures(view, state.number)
        elif state.plan.kind == "robin":
            yield from pictures.group_pictures(view, state.number)
    yield from pictures.round_pictures(view, round_view_of(event, len(event.stages), len(last.rounds)))


@pytest.mark.parametrize("name", ["swiss-tables", "duel-swiss-knockout", "team-round-robin", "duel-double-elimination"])
def test_every_drawn_fact_of_an_event_is_in_its_alt_text(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    recorder, missing = DrawingRecorder(), set[str]()
    for drawing in ("standings_table", "bracket", "round_sheet", "cross_tables"):
        monkeypatch.setattr(pictures, drawing, recorder.drawing(drawing, _pixel))
    for picture in event_pictures(name):
        calls, recorder.calls = recorder.calls, []
        for kind, values in calls:
            unmentioned = (
                words for words in facts(values, None) if not any(_contains(picture.alt, word) for word in words)
            )
            missing |= {f"{kind}: {words[0]} in {picture.alt[:400]}" for words in unmentioned}
    assert not sorted(missing)
