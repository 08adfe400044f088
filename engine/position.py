"""The position of a running game: the state that all games share, and the rules for playing actions.

A position is the result of a setup and the actions played since. :meth:`Position.apply` checks an action and plays it.
The agenda (:mod:`engine.agenda`) says what has to be decided next; each game defines its own steps. Codes such as BA-34
are rules of the rule digest.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import Any, Self

from engine.actions import INTERVENTIONS, NO_SEAT, Action, Adjudicate, Resign, Seat, Skip, seats
from engine.agenda import Step, Task
from engine.board import Board
from engine.errors import IllegalActionError
from engine.events import Adjudicated, Event, Resigned, Scored, TurnSkipped
from engine.geometry import Cell
from engine.lazy_actions import LegalActions
from engine.options import Options
from engine.setup import Setup
from engine.tiles import TileKind
from engine.views import Feature, PlacedTile, StandingFigure, feature_on, features_at, standing_on


class Position(ABC):
    """The supplies, the scores and the agenda; each game adds its table.

    Players and seats are numbers from 0. Everything public may be read; only :meth:`apply`, :meth:`push` and
    :meth:`pop` change a position.
    """

    __slots__ = (
        "_events",
        "_history",
        "agenda",
        "extra",
        "next_tile",
        "options",
        "players",
        "ply",
        "ranked_last",
        "scores",
        "setup",
        "supply",
        "turn",
        "withdrawn",
    )
    setup: Setup
    options: Options

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.options = setup.options
        self.players = setup.players
        self.scores = [0] * setup.players
        self.supply: dict[str, list[int]] = {}
        """The pieces that each player has left, by name and seat."""
        self.withdrawn: tuple[bool, ...] = (False,) * setup.players
        """A flag for each seat: true if the player has resigned."""
        self.ranked_last: Seat | None = None
        """The player who ranks last because the game was adjudicated against them; None otherwise."""
        self.next_tile = 0
        """The index of the next tile of the pile, which is also the number of tiles drawn."""
        self.turn = 0
        """The number of tiles that have come up for placing."""
        self.ply = 0
        """The number of actions applied."""
        self.agenda: list[Step[Self] | Task[Self]] = []
        self.extra: dict[str, Any] = {}
        """Further state, such as that of expansions: immutable values by key, of types that the key's owner knows."""
        self._events: list[Event] = []
        self._history: list[Self] = []

    def __repr__(self) -> str:
        return f"<Position ply {self.ply}, turn {self.turn}, scores {self.scores}, {self.step!r}>"

    # -- the current decision ---------------------------------------------------------------------------------------

    @property
    def step(self) -> Step[Self] | None:
        """The decision to make now; None when the game is over."""
        if not self.agenda:
            return None
        top = self.agenda[-1]
        return top if top.needs_decision else None

    @property
    def player(self) -> Seat:
        """The player to move; -1 when the game is over."""
        step = self.step
        return NO_SEAT if step is None else step.player

    @property
    def is_over(self) -> bool:
        """True if the game has ended."""
        return not self.agenda

    @property
    def is_ending(self) -> bool:
        """True if at most one player has not resigned, so that nobody has to decide anything."""
        return self.withdrawn.count(False) < 2

    @property
    def legal_actions(self) -> Sequence[Action]:
        """All legal actions of :attr:`player`, created on demand."""
        return LegalActions(self.step, self)

    @property
    @abstractmethod
    def hand(self) -> TileKind | None:
        """The tile to place now; None at other decisions."""

    # -- playing --------------------------------------------------------------------------------------------------

    def apply(self, action: Action) -> tuple[Event, ...]:
        """Apply an action and return its events.

        Raises:
            IllegalActionError: the action is not legal; the position is unchanged.
        """
        if isinstance(action, INTERVENTIONS):
            self._check_intervention(action)
        else:
            step = self.step
            if step is None:
                raise IllegalActionError(f"the game is over: {action}")
            if not step.allows(self, action):
                raise IllegalActionError(f"not legal now: {action}")
        return self._execute(action)

    def _check_intervention(self, action: Resign | Skip | Adjudicate) -> None:
        """Check an action that is not a decision of the current step."""
        if isinstance(action, Resign):
            if not 0 <= action.player < self.players or self.withdrawn[action.player] or self.is_over:
                raise IllegalActionError(f"this seat cannot resign: {action}")
        elif isinstance(action, Skip):
            if self.hand is None:
                raise IllegalActionError("no tile to be laid, no turn to skip")
        elif self.is_over or not (action.ranked_last is None or action.ranked_last < self.players):
            raise IllegalActionError(f"the game cannot be adjudicated like this: {action}")

    def push(self: Self, action: Action) -> tuple[Event, ...]:
        """Apply an action without checking it, so that :meth:`pop` can take it back."""
        self._history.append(self.copy())
        return self._execute(action)

    def play(self, action: Action) -> tuple[Event, ...]:
        """Apply an action without checking it; it cannot be taken back."""
        return self._execute(action)

    def pop(self) -> None:
        """Restore the position before the last :meth:`push`.

        Raises:
            IndexError: nothing has been pushed.
        """
        before = self._history.pop()
        history = self._history  # copying the state would share the history of the copy
        self._copy_state_from(before)
        self._history = history

    def _execute(self, action: Action) -> tuple[Event, ...]:
        """Carry out an action without checking it, run the tasks that follow, and return the events."""
        self._events = []
        self.ply += 1
        if isinstance(action, INTERVENTIONS):
            self._intervene(action)
        else:
            step = self.step
            if step is None:
                raise IllegalActionError(f"nothing to decide: {action}")
            self.agenda.pop()
            allowed: Any = action  # legal actions of a step are of the types that its ``apply`` names
            step.apply(self, allowed)
        self._advance()
        return tuple(self._events)

    def _intervene(self, action: Resign | Skip | Adjudicate) -> None:
        """Carry out an action that is not a decision of the current step."""
        if isinstance(action, Resign):
            self._withdraw(action.player)
        elif isinstance(action, Skip):
            step = self.step
            if step is None:
                raise IllegalActionError(f"nothing to skip: {action}")
            self.agenda.pop()
            step.skip(self)
        else:
            self.ranked_last = action.ranked_last
            self.emit(Adjudicated(action.ranked_last))
            self._conclude()

    def resume(self) -> None:
        """Run the tasks on top of an agenda that was set up by hand."""
        self._advance()
        self._events = []

    def _advance(self: Self) -> None:
        """Run tasks until a player who is still in the game has to decide."""
        agenda = self.agenda
        while agenda:
            top = agenda[-1]
            if not top.needs_decision:
                agenda.pop()
                top.run(self)
            elif self.withdrawn[top.player] or self.is_ending:
                agenda.pop()
                top.forfeit(self)
            else:
                return

    def _withdraw(self, player: Seat) -> None:
        """Let a player resign; the game ends when only one is left."""
        self.withdrawn = tuple(has_resigned or seat == player for seat, has_resigned in enumerate(self.withdrawn))
        self._events.append(Resigned(player))
        if self.is_ending:
            self._end_early()

    @abstractmethod
    def _end_early(self) -> None:
        """Replace the agenda by the tasks that end the game when only one player is left."""

    def concluded(self) -> tuple[Self, tuple[Event, ...]]:
        """Return a copy in which the game has ended at this point, and the events of the end."""
        ended = self.copy()
        if not ended.is_over:
            ended._conclude()
        return ended, tuple(ended._events)

    def _conclude(self) -> None:
        """End the game here: a placement in progress is scored, and pending decisions are forfeited."""
        # With all seats withdrawn, ``_advance`` forfeits every step that is left on the agenda.
        withdrawn, self.withdrawn = self.withdrawn, (True,) * self.players
        self._end_early()
        self._advance()
        self.withdrawn = withdrawn

    def copy(self) -> Self:
        """Return an independent position in the same state, without the history of :meth:`push`."""
        duplicate = type(self).__new__(type(self))
        duplicate._copy_state_from(self)
        duplicate._history = []
        duplicate._events = []
        return duplicate

    def _copy_state_from(self, other: Self) -> None:
        """Copy the state of another position, except for the history; games add their own fields."""
        self.setup = other.setup
        self.options = other.options
        self.players = other.players
        self.scores = other.scores.copy()
        self.supply = {piece: counts.copy() for piece, counts in other.supply.items()}
        self.withdrawn = other.withdrawn
        self.ranked_last = other.ranked_last
        self.next_tile = other.next_tile
        self.turn = other.turn
        self.ply = other.ply
        self.agenda = other.agenda.copy()
        self.extra = other.extra.copy()
        self._events = other._events

    # -- used by steps and tasks ------------------------------------------------------------------------------------

    def emit(self, event: Event) -> None:
        """Record an event of the action in progress."""
        self._events.append(event)

    def return_to_pile(self, player: Seat, tile_id: str) -> None:
        """Put the drawn tile of a skipped turn back on top of the pile, for the next player who draws.

        The tile is looked up by its id: a position that was read from text knows which tiles were drawn, not in which
        order.
        """
        self.next_tile -= 1
        self.setup = self.setup.with_tile(tile_id, self.next_tile)
        self.emit(TurnSkipped(player))

    def award(self, score: Scored) -> None:
        """Add the points of a score and record it as an event."""
        self.scores[score.player] += score.points
        self._events.append(score)

    def seats_after(self, after: Seat) -> list[Seat]:
        """Return all seats clockwise, beginning with the one after ``after``."""
        return seats(self.players, after)

    def next_player(self, seat: Seat) -> Seat:
        """Return the next seat clockwise whose player has not resigned."""
        return next(candidate for candidate in self.seats_after(seat) if not self.withdrawn[candidate])

    @abstractmethod
    def veiled(self) -> Self:
        """Return a copy without hidden information: what no player has seen is in an order that says nothing."""

    # -- views ----------------------------------------------------------------------------------------------------

    @property
    def pile_left(self) -> int:
        """The number of tiles in the pile."""
        return len(self.setup.pile) - self.next_tile

    @property
    def unseen(self) -> Sequence[int]:
        """The indices in the pile of the tiles that no player has seen, in order."""
        return range(self.next_tile, len(self.setup.pile))

    @abstractmethod
    def placed(self) -> Iterable[PlacedTile]:
        """Return the tiles on the table, in the order of placing."""

    @abstractmethod
    def open_cells(self) -> Iterable[Cell]:
        """Return the empty cells where a tile may be laid."""

    @property
    @abstractmethod
    def board(self) -> Board:
        """The tiles on the table and the features that they form."""

    def standing_figures(self) -> Iterable[StandingFigure]:
        """Return the figures on the tiles."""
        return standing_on(self.board)

    @abstractmethod
    def features(self) -> Iterable[Feature]:
        """Return all features that include a tile."""

    def features_at(self, cell: Cell) -> Iterable[Feature]:
        """Return the features of the tile on a cell; none if it is empty."""
        return features_at(self.board, cell)

    def feature_at(self, cell: Cell, segment: str) -> Feature:
        """Return the feature to which a segment belongs; any of the segment's places may name it.

        Raises:
            KeyError: there is no such segment.
        """
        return feature_on(self.board, cell, segment)

    def ranking(self) -> tuple[tuple[Seat, ...], ...]:
        """Return the seats from first to last, ties together (BA-34, TC-88); players who have resigned come last."""
        groups: dict[tuple[bool, bool, int], list[Seat]] = {}
        for seat, has_resigned in zip(seats(self.players), self.withdrawn, strict=True):
            groups.setdefault((has_resigned, seat == self.ranked_last, -self.scores[seat]), []).append(seat)
        return tuple(tuple(groups[key]) for key in sorted(groups))

    def winners(self) -> tuple[Seat, ...]:
        """Return the winners of a game that is over; each game decides what a tie means."""
        return self.ranking()[0]
