"""A position of a running game, the part that every game shares: the fold of a setup and its actions."""

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
from engine.lazy_actions import LazyActions, LegalActions
from engine.options import Options
from engine.setup import Setup
from engine.tiles import TileKind
from engine.views import Feature, PlacedTile, StandingFigure, feature_on, standing_on


class Position(ABC):
    """The supplies, the points, and what has to be decided next; each game adds its table.

    Players and seats are numbers from 0. Everything public may be read; only :meth:`apply`, :meth:`push` and
    :meth:`pop` change a position.
    """

    __slots__ = (
        "_before",
        "_events",
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
        """Pieces left, by name and seat."""
        self.withdrawn: tuple[bool, ...] = (False,) * setup.players
        """Who has resigned."""
        self.ranked_last: Seat | None = (
            None  # who ranks last as the game was adjudicated, of those who have not resigned
        )
        self.next_tile = 0
        """How many tiles of the pile have been drawn."""
        self.turn = 0
        """How many tiles have come up for placing."""
        self.ply = 0
        """How many actions have been applied."""
        self.agenda: list[Step[Self] | Task[Self]] = []
        self.extra: dict[str, Any] = {}
        """What else has to be remembered, as by expansions: immutable values by key, of their owners' types."""
        self._events: list[Event] = []
        self._before: list[Self] = []

    def __repr__(self) -> str:
        return f"<Position ply {self.ply}, turn {self.turn}, scores {self.scores}, {self.step!r}>"

    # -- what is to be decided ------------------------------------------------------------------------------------

    @property
    def step(self) -> Step[Self] | None:
        """What has to be decided now; None when the game is over."""
        if not self.agenda:
            return None
        top = self.agenda[-1]
        return top if top.needs_decision else None

    @property
    def player(self) -> Seat:
        """Who decides it; -1 when the game is over."""
        step = self.step
        return NO_SEAT if step is None else step.player

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return not self.agenda

    @property
    def is_ending(self) -> bool:
        """Whether so many have resigned that nobody has to decide anything any more."""
        return self.withdrawn.count(False) < 2

    @property
    def legal_actions(self) -> LazyActions:
        """Everything that :attr:`player` may do."""
        return LegalActions(self.step, self)

    @property
    @abstractmethod
    def hand(self) -> TileKind | None:
        """The tile that has to be placed now."""

    # -- playing --------------------------------------------------------------------------------------------------

    def apply(self, action: Action) -> tuple[Event, ...]:
        """Do what a player decided, and tell what happened.

        Raises:
            IllegalActionError: the rules do not allow it; nothing is changed.
        """
        if isinstance(action, INTERVENTIONS):
            self._check_intervention(action)
        else:
            step = self.step
            if step is None:
                raise IllegalActionError(f"the game is over: {action}")
            if not step.allows(self, action):
                raise IllegalActionError(f"not legal now: {action}")
        return self._do(action)

    def _check_intervention(self, action: Resign | Skip | Adjudicate) -> None:
        if isinstance(action, Resign):
            if not 0 <= action.player < self.players or self.withdrawn[action.player] or self.is_over:
                raise IllegalActionError(f"nobody to resign: {action}")
        elif isinstance(action, Skip):
            if self.hand is None:
                raise IllegalActionError("no tile to be laid, no turn to skip")
        elif self.is_over or not (action.ranked_last is None or action.ranked_last < self.players):
            raise IllegalActionError(f"nothing to adjudicate so: {action}")

    def push(self: Self, action: Action) -> tuple[Event, ...]:
        """Do it unchecked, so that :meth:`pop` can take it back."""
        self._before.append(self.copy())
        return self._do(action)

    def pop(self) -> None:
        """Restore the position before the last :meth:`push`.

        Raises:
            IndexError: nothing has been pushed.
        """
        before = self._before.pop()
        history = self._before
        self._take_over(before)
        self._before = history

    def _do(self, action: Action) -> tuple[Event, ...]:
        self._events = []
        self.ply += 1
        if isinstance(action, INTERVENTIONS):
            self._intervene(action)
        else:
            step = self.step
            if step is None:
                raise IllegalActionError(f"nothing to decide: {action}")
            self.agenda.pop()
            allowed: Any = action  # of the kinds that the step names: whoever asks has compared it with those
            step.apply(self, allowed)
        self._advance()
        return tuple(self._events)

    def _intervene(self, action: Resign | Skip | Adjudicate) -> None:
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
        """Go on with the agenda; for those who set one up by hand."""
        self._advance()
        self._events = []

    def _advance(self: Self) -> None:
        """Carry out tasks until somebody still in the game has to decide."""
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
        """A player leaves; when only one is left, the game ends."""
        self.withdrawn = tuple(out or seat == player for seat, out in enumerate(self.withdrawn))
        self._events.append(Resigned(player))
        if self.is_ending:
            self._end_early()

    @abstractmethod
    def _end_early(self) -> None:
        """Put on the agenda how the game ends when only one player is left."""

    def concluded(self) -> tuple[Self, tuple[Event, ...]]:
        """A copy in which the game has ended here, and what the end brought."""
        other = self.copy()
        if not other.is_over:
            other._conclude()
        return other, tuple(other._events)

    def _conclude(self) -> None:
        """End the game here: a placement in progress is scored, and nobody decides any more, as if all had resigned."""
        withdrawn, self.withdrawn = self.withdrawn, (True,) * self.players
        self._end_early()
        self._advance()
        self.withdrawn = withdrawn

    def copy(self) -> Self:
        """An independent position in the same state, without the history of :meth:`push`."""
        other = type(self).__new__(type(self))
        other._take_over(self)
        other._before = []
        other._events = []
        return other

    def _take_over(self, other: Self) -> None:
        """Become an independent image of another position, all but the history; games add their own."""
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

    # -- what steps and tasks use ---------------------------------------------------------------------------------

    def emit(self, event: Event) -> None:
        """Tell what happened."""
        self._events.append(event)

    def return_to_pile(self, player: Seat, tile_id: str) -> None:
        """Leave the drawn tile of a turn that is skipped to whoever draws next: it goes back on top of the pile.

        In a position that was read from a text only the names of the drawn tiles are known, not their order.
        """
        self.next_tile -= 1
        self.setup = self.setup.with_tile(tile_id, self.next_tile)
        self.emit(TurnSkipped(player))

    def award(self, score: Scored) -> None:
        """Give points, and tell why."""
        self.scores[score.player] += score.points
        self._events.append(score)

    def seats_after(self, after: Seat) -> list[Seat]:
        """All seats clockwise, beginning with the one after ``after``."""
        return seats(self.players, after)

    def next_player(self, seat: Seat) -> Seat:
        """The next seat that is still in the game."""
        return next(other for other in self.seats_after(seat) if not self.withdrawn[other])

    # -- views ----------------------------------------------------------------------------------------------------

    @property
    def pile_left(self) -> int:
        """Tiles that lie face down."""
        return len(self.setup.pile) - self.next_tile

    @property
    def unseen(self) -> Sequence[int]:
        """The places in the pile of the tiles that nobody has seen, in their order."""
        return range(self.next_tile, len(self.setup.pile))

    @abstractmethod
    def placed(self) -> Iterable[PlacedTile]:
        """The tiles on the table, in the order of placing."""

    @abstractmethod
    def open_cells(self) -> Iterable[Cell]:
        """The empty cells where a tile may come to lie."""

    @property
    @abstractmethod
    def board(self) -> Board:
        """The tiles on the table and the features that they form."""

    def standing_figures(self) -> Iterable[StandingFigure]:
        """List the figures on the tiles."""
        return standing_on(self.board)

    @abstractmethod
    def features(self) -> Iterable[Feature]:
        """All features of which a tile is part."""

    def feature_at(self, cell: Cell, segment: str) -> Feature:
        """Return the feature to which a segment belongs; any of the segment's places may name it.

        Raises:
            KeyError: there is no such segment.
        """
        return feature_on(self.board, cell, segment)

    @abstractmethod
    def rebuilt(self) -> Self:
        """The same position, its features joined anew from the tiles: the slow twin of joining."""

    def ranking(self) -> tuple[tuple[Seat, ...], ...]:
        """Return the seats from first to last, ties together (BA-34, TC-88); players who have resigned come last."""
        groups: dict[tuple[bool, bool, int], list[Seat]] = {}
        for seat, left in zip(seats(self.players), self.withdrawn, strict=True):
            groups.setdefault((left, seat == self.ranked_last, -self.scores[seat]), []).append(seat)
        return tuple(tuple(groups[key]) for key in sorted(groups))

    def winners(self) -> tuple[Seat, ...]:
        """The seats that have won when the game is over; games may say what a tie means."""
        return self.ranking()[0]
