"""The presentation of one box of Carcassonne on Discord: its words, questions, buttons, commands and drawings.

A *box* is an expansion as it is sold. The other modules of this package name no box. They ask :data:`BOXES`, which
:mod:`cogs.games.carcassonne.boxes` fills.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

from discord import app_commands

from cogs.presenting.ids import Operation
from cogs.presenting.presenter import AltPicture, BasePresenter, ButtonSpec, Menu
from cogs.presenting.turn import Piece, PlanOutcome
from cogs.services.bot import GameOverride, Handler
from engine import Action, Cell, tiles
from engine.actions import Instead
from engine.agenda import Step
from engine.carcassonne import Axis, Position, Segment
from engine.events import Deployed, Event
from host import Game
from renderers import Theme

ActionWords = Mapping[type["Action"], Callable[[Position, Any], str]]
"""Functions that describe actions, by their types."""
EventWords = Mapping[type["Event"], Callable[[Sequence[str], Any], str]]
"""Functions that tell events with the names of the seats, by their types."""


AboutGame = Callable[[Any], Any]
"""A decorator that gives a command's callback the option ``game``, described and autocompleted."""
BoxCommand: TypeAlias = "app_commands.Command[Any, ..., Any]"


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """The presentation of one kind of *step*, which is a decision that the rules ask for.

    Each function gets the step as an argument, too.
    """

    headline: Callable[[Sequence[str], Position, Any, str], str]
    """Asks the player, given as a mention or a name, on the card."""
    offers: Callable[[Position, Any], list[ButtonSpec]]
    """Returns the buttons."""
    prospect: Callable[[Sequence[str], Position, Any, Action], str]
    """Says, before an answer is confirmed, what it would cost its player and what they would have left."""
    pictures: Callable[[Game, Position, Any, Theme], list[AltPicture]]
    """Draws the subject of the question."""
    means: Callable[[Position, Any], str] = lambda _position, _step: ""
    """Says, in the private panel, what the player has that an answer may cost."""
    commits_least: Callable[[Any, Action], bool] = lambda _step, _action: False
    """Returns True for an answer that commits its player to as little as possible."""
    menus: Callable[[Position, Any], list[Menu]] = lambda _position, _step: []
    """Returns menus of further answers, for which there are too few buttons."""
    at_once: Callable[[Position, Any, Action], bool] = lambda _position, _step, _action: False
    """Returns True for an answer that is never held back or confirmed, since its player goes on, as after drawing."""
    passing: str = "action.no_follower"
    """The key of the words for passing."""
    asked: Callable[[Position, Any], Iterator[str]] | None = None
    """Asks the player whose own move raises the question, in the composer; None if a move cannot raise it."""
    afterwards: Callable[[Sequence[str], PlanOutcome[Position], Any], Iterator[str]] = lambda *_: iter(())
    """Says, in the composer, who is asked once the move is made."""


Questions = Mapping[type["Step[Any]"], Question]
"""Questions by the types of their steps."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BoxPresenter(BasePresenter[Position]):
    """The presentation of one box. All fields are empty by default; a box sets those that it needs."""

    unexplained: tuple[str, ...] = ()
    """The kinds of scores that need no explanation beside their name."""
    actions: ActionWords = field(default_factory=dict)
    events: EventWords = field(default_factory=dict)
    silent: tuple[type[Event], ...] = ()
    """The types of its events that need no sentence."""
    questions: Questions = field(default_factory=dict)
    handlers: Mapping[Operation, Handler] = field(default_factory=dict)
    """The handlers of the operations that only its buttons have."""
    in_one_game: Mapping[str, GameOverride] = field(default_factory=dict)
    """The preferences among :attr:`choices` that may be overridden in one game."""
    commands: tuple[Callable[[AboutGame], BoxCommand], ...] = ()
    """Factories of its own commands below ``/carc``, called once for each bot."""
    piece: Piece | None = None
    """A piece that may be built with a tile."""
    instead: tuple[type[Instead], ...] = ()
    """Its actions that may be taken instead of deploying a figure."""
    openings: tuple[type[Action], ...] = ()
    """Its actions that come before a tile is laid, in the same move."""
    tile_origins: Mapping[type[Step[Any]], str] = field(default_factory=dict)
    """The ends of the keys that say where the tile to be laid comes from, by the types of its steps that lay one."""
    deployed: Callable[[Sequence[str], Deployed], str] = lambda _names, _event: ""
    """Tells where one of its figures stands, if that needs other words than for a follower; else empty."""
    trial: Callable[[Action], tuple[Cell, Axis] | None] = lambda _action: None
    """Returns where the composer's picture shows that piece, as a cell and an axis, given the action that builds it."""
    answer_figure: Callable[[Action], tuple[str, str] | None] = lambda _action: None
    """Returns the segment of the tile just laid on which an answer puts a figure, and the figure; else None."""
    corner_figure: Callable[[Action], tuple[str, tuple[float, float]] | None] = lambda _action: None
    """Returns the figure that an action puts on a corner of the tile just laid, and that point of it; else None."""
    drawn: Callable[[Segment], str] = lambda _segment: ""
    """Names the drawing in a city or beside a road, as the end of a key ``tile.with.NAME``; empty if there is none."""
    parts: Callable[[tiles.TileKind], Iterable[str]] = lambda _kind: ()
    """Describes the other drawings on a tile."""
    counted: Callable[[Position, int], Mapping[str, int]] = lambda _position, _seat: {}
    """Counts the belongings of a seat for the score panel, by the names of their icons."""


BOXES: Final[dict[str, BoxPresenter]] = {}
"""The presenters of the boxes, by their names in the engine."""


def question_of(position: Position) -> Question | None:
    """Return the question of the step at hand, or None if the step belongs to no box."""
    step = position.step
    asking = (box.questions.get(type(step)) for box in BOXES.values()) if step is not None else ()
    return next(filter(None, asking), None)
