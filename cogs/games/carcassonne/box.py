"""What a box may bring to a table in Discord: its words, its questions, its buttons; all of it empty where it has none.

The core of this package names no box. It asks :data:`BOXES`, which :mod:`cogs.games.carcassonne.boxes` fills.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from engine.carcassonne import Position, Segment

if TYPE_CHECKING:
    from discord import app_commands

    from cogs.presenting.ids import Operation
    from cogs.presenting.presenter import ButtonSpec, Listener, PlanForm, Shown
    from cogs.presenting.turn import Course, Piece
    from cogs.services.bot import Handling, InOneGame
    from engine import Action, Cell, tiles
    from engine.agenda import Step
    from engine.carcassonne import Axis
    from engine.events import Event
    from engine.views import PlacedTile
    from host import Game
    from renderers import Theme

Actions = Mapping[type["Action"], Callable[[Position, Any], str]]
"""Actions in words, by their types."""
EventWords = Mapping[type["Event"], Callable[[Sequence[str], Any], str]]
"""Events in words, with the names of the seats, by their types."""


AboutGame = Callable[[Any], Any]
"""Gives the function of a command the option ``game``, described and completed."""
BoxCommand: TypeAlias = "app_commands.Command[Any, ..., Any]"


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """How one kind of step is put to the player who has to decide; each entry is handed the step, too."""

    headline: Callable[[Sequence[str], Position, Any, str], str]
    """The sentence on the card; the player comes as a mention or a name."""
    offers: Callable[[Position, Any], list[ButtonSpec]]
    """Its buttons."""
    prospect: Callable[[Sequence[str], Position, Any, Action], str]
    """What an answer would cost and leave, told before it is confirmed."""
    pictures: Callable[[Game, Position, Any, Theme], list[Shown]]
    """What it is about."""
    passing: str = "action.no_follower"
    """The key of the words for passing."""
    asked: Callable[[Position, Any], Iterator[str]] | None = None
    """How whoever raises it with his own move is asked in the composer; None where that cannot be."""
    afterwards: Callable[[Sequence[str], Course[Position], Any], Iterator[str]] = lambda *_: iter(())
    """How it is told who will be asked when the move is made."""


Questions = Mapping[type["Step[Any]"], Question]
"""How steps are put, by their types."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BoxPresenter:
    """How one box is presented."""

    categories: tuple[str, ...] = ()
    """What brings points beside the features."""
    unexplained: tuple[str, ...] = ()
    """The kinds of scores that say all by their name."""
    actions: Actions = field(default_factory=dict)
    events: EventWords = field(default_factory=dict)
    told: tuple[type[Event], ...] = ()
    """Its events that a plan tells in advance."""
    questions: Questions = field(default_factory=dict)
    handlings: Mapping[Operation, Handling] = field(default_factory=dict)
    """What the operations do that only its buttons have."""
    choices: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """See :attr:`cogs.presenting.presenter.Presenter.choices`."""
    in_one_game: Mapping[str, InOneGame] = field(default_factory=dict)
    """Which of these may be another matter in one game."""
    commands: tuple[Callable[[AboutGame], BoxCommand], ...] = ()
    """Its own commands below ``/carc``, made anew for each bot."""
    calling: tuple[type[Event], ...] = ()
    """See :attr:`cogs.presenting.presenter.Presenter.calling`."""
    plan_form: Callable[[Position, int], PlanForm | None] = lambda _position, _seat: None
    """See :attr:`cogs.presenting.presenter.Presenter.plan_form`."""
    piece: Piece | None = None
    """A piece that may be built with a tile."""
    trial: Callable[[Action], tuple[Cell, Axis] | None] = lambda _action: None
    """How the picture of the composer shows that piece."""
    drawn: Callable[[Segment], str] = lambda _segment: ""
    """What is drawn in a city or beside a road: the end of a key ``tile.with.NAME``; empty if nothing is."""
    parts: Callable[[tiles.TileKind], Iterable[str]] = lambda _kind: ()
    """What else is drawn on a tile, in words."""
    details: Callable[[Sequence[str], Position], str] = lambda _names, _position: ""
    """What a decision is about, or what waits."""
    upon: Callable[[Position, PlacedTile], Iterable[str]] = lambda _position, _placed: ()
    """See :attr:`cogs.presenting.presenter.Presenter.upon`."""
    chapters: Mapping[str, Callable[[Listener, Position], Iterable[str]]] = field(default_factory=dict)
    """See :attr:`cogs.presenting.presenter.Presenter.chapters`."""
    belongings: Callable[[Position, int], Iterator[str]] = lambda _position, _seat: iter(())
    """What lies before a player beside his pieces."""
    counted: Callable[[Position, int], Mapping[str, int]] = lambda _position, _seat: {}
    """The same for the score panel while the box is in play, by the names of the icons."""
    out_of_turn: Callable[[Position, int], str] = lambda _position, _seat: ""
    """See :attr:`cogs.presenting.presenter.Presenter.out_of_turn`."""
    gains: Callable[[Event], Iterable[tuple[int, str, int]]] = lambda _event: ()
    """See :attr:`cogs.presenting.presenter.Presenter.gains`."""


BOXES: Final[dict[str, BoxPresenter]] = {}
"""How each box is presented, by its name in the engine."""


def question_of(position: Position) -> Question | None:
    """How the step at hand is put, if it is one of a box."""
    step = position.step
    asking = (box.questions.get(type(step)) for box in BOXES.values()) if step is not None else ()
    return next(filter(None, asking), None)
