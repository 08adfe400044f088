"""No picture of two whole games, or of events, holds a fact that no text beside it holds.

Whatever is given to what draws (names, cells, letters, numbers, tiles, points) has to be said by the message with the
picture, its alt texts among it, or by [In Words], which stands on every card.
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
from cogs.texts.languages import offered, speaking
from cogs.words.telling import Telling
from engine import Cell, Position
from engine.geometry import Axis
from engine.tiles import Segment, TileKind
from host import Table
from renderers import Theme
from renderers.values import Picture
from tests.cogs.event_views import event_view, rank_views, round_view_of
from tests.discord_limits.components import Kind, walk
from tests.e2e.pictures import stub_turn_pictures
from tests.e2e.screen import alt_texts
from tests.golden.wording import GAMES_READ, Played, Reading, Script, played
from tests.tournaments.invariants import ROUGH_CONDITIONS
from tournaments.trials import simulated

ASIDE = ("state", "theme", "filename")
"""Arguments that are not visible as such in a picture."""
MEANT = frozenset({"seat", "player", "owners", "figure", "rotation", "sort", "first"})
"""Parts of what is given that are numbers to whatever draws, or say how a line looks."""
DRAWN = (cards, carcassonne, the_castle)


KINDS = (
    {"castle_question", "composer", "lots", "score_sheet", "score_bars", "turn_card", "whole_board"},
    {"composer", "score_sheet", "score_bars", "turn_card", "whole_board"},
)
"""The subjects of the pictures in these games."""


class Given:
    """The arguments given to drawing functions since the last query."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, tuple[Any, ...]]] = []
        self.kinds: set[str] = set()

    def drawing(self, name: str, instead: Callable[..., Any]) -> Callable[..., Any]:
        """Something that draws nothing, and remembers."""

        def drawn(*arguments: Any, **options: Any) -> Any:
            shown = (value for option, value in options.items() if option not in ASIDE)
            self.calls.append((name, (*arguments, *shown)))
            self.kinds.add(name)
            return instead()

        return drawn


def facts(value: Any, table: Table | None) -> Iterator[tuple[str, ...]]:
    """Return what has to be said of a drawn thing: each fact in one of these ways."""
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
    """Return the parts of a drawn thing."""
    match value:
        case Position() | Theme() | Segment():
            return
        case Mapping():
            yield from (part for name, count in value.items() if count for part in (name, count))
        case list() | tuple() | frozenset() | set():
            yield from value
        case _ if is_dataclass(value):
            yield from (getattr(value, field.name) for field in fields(value) if field.name not in MEANT)


class Watching(Script):
    """Compares what is drawn with what is said beside it."""

    def __init__(self, given: Given) -> None:
        super().__init__()
        self.given = given
        self.table: Table | None = None
        self.missing: set[str] = set()

    def view(self, title: str, view: ui.LayoutView) -> None:
        """A message with its pictures."""
        calls, self.given.calls = self.given.calls, []
        if not calls or self.table is None:
            return
        said = "\n".join(_said(view))
        told = ""
        for name, arguments in calls:
            for ways in facts(_without_labels(name, arguments), self.table):
                if any(_holds(said, way) for way in ways):
                    continue
                told = told or "\n".join(_told(self.table))
                if not any(_holds(told, way) for way in ways):
                    self.missing.add(f"{name}: {ways[0]} ({title})")


def _without_labels(name: str, arguments: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return the arguments without column headings and numbers of seats."""
    match name:
        case "score_sheet":
            return (arguments[0], *arguments[2:])
        case "score_bars":
            return arguments[:2]
        case "lots":
            return (arguments[0], *arguments[3:])
    return arguments


def _holds(text: str, fact: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(fact)}(?!\w)", text, re.IGNORECASE) is not None


def _said(view: ui.LayoutView) -> Iterator[str]:
    components = view.to_components()
    for _, part in walk(components):
        if part["type"] == Kind.TEXT_DISPLAY:
            yield part["content"]
        elif part["type"] == Kind.BUTTON:
            yield part["label"]
    yield from alt_texts(components)


def _told(table: Table) -> Iterator[str]:
    telling = Telling(presenter_of(table.position), table, table.game.seats[0].user_id)
    for part in telling.parts:
        yield from telling.entries(part)


class Looking(Reading):
    """Reads a game with the table at hand."""

    script: Watching

    async def _card(self, moment: Any, title: str) -> None:
        self.script.table = Table(moment.game, moment.after, self.game.whole.actions[: moment.after.ply])
        await super()._card(moment, title)


@pytest.fixture(scope="module")
def games() -> Sequence[Played]:
    return [played(*game) for game in GAMES_READ]


@pytest.mark.parametrize("number", range(len(GAMES_READ)))
def test_what_is_drawn_of_a_game_is_said(
    number: int, games: Sequence[Played], monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    given = Given()
    boxes = [module for name, module in sys.modules.items() if name.startswith(f"{carcassonne_boxes.__name__}.")]
    for module in (*DRAWN, *boxes):
        for name, value in tuple(vars(module).items()):
            if isinstance(value, FunctionType) and value.__module__.startswith("renderers"):
                instead = stub_turn_pictures if name == "turn_card" else _pixel
                monkeypatch.setattr(module, name, given.drawing(name, instead))
    codes = [language.code for language in offered()]
    with speaking(codes[sum(map(ord, request.node.name)) % len(codes)]):
        script = Watching(given)
        asyncio.run(Looking(games[number], script).read())
    assert not sorted(script.missing)
    assert given.kinds == KINDS[number]


def _pixel() -> Picture:
    return Picture(b"", "pixel.png", 1, 1)


def of_an_event(name: str) -> Iterator[AltPicture]:
    """All pictures of one that is over."""
    event = simulated(name, 8, "drawn", ROUGH_CONDITIONS).event
    view, last = event_view(event), event.stages[-1]
    yield from pictures.standings_pictures(view, rank_views(event))
    for state in event.stages:
        if state.plan.kind == "knockout":
            yield from pictures.bracket_pictures(view, state.number)
        elif state.plan.kind == "robin":
            yield from pictures.group_pictures(view, state.number)
    yield from pictures.round_pictures(view, round_view_of(event, len(event.stages), len(last.rounds)))


@pytest.mark.parametrize("name", ["swiss-tables", "duel-swiss-knockout", "team-round-robin", "duel-double-elimination"])
def test_what_is_drawn_of_an_event_is_in_its_alt_text(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    given, missing = Given(), set[str]()
    for drawing in ("standings_table", "bracket", "round_sheet", "cross_tables"):
        monkeypatch.setattr(pictures, drawing, given.drawing(drawing, _pixel))
    for shown in of_an_event(name):
        calls, given.calls = given.calls, []
        for kind, values in calls:
            wanted = (ways for ways in facts(values, None) if not any(_holds(shown.alt, way) for way in ways))
            missing |= {f"{kind}: {ways[0]} in {shown.alt[:400]}" for ways in wanted}
    assert not sorted(missing)
