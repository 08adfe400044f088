"""A position of a running game: the fold of a setup and its actions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from typing import Any

from engine import steps
from engine.actions import FOLLOWER, Action, Resign
from engine.agenda import Step, Task
from engine.errors import IllegalActionError
from engine.events import Event, Resigned, Scored
from engine.expansions import REGISTRY
from engine.expansions.base import Expansion
from engine.geometry import Cell
from engine.landscape import Landscape, PlacedTile
from engine.listing import Listing
from engine.scoring import FinalScoring, Round, SendHome
from engine.setup import Setup
from engine.tiles import TileKind, tile
from engine.views import Feature, Standing, feature_of, features_of, standing_of

FOLLOWERS = 7
"""Followers of each player (BA-01)."""


class LegalActions(Listing):
    """Everything that :attr:`Position.player` may do now; nothing is listed before it is asked for.

    Resigning, which is open to everybody at any time, is not among it.
    """

    __slots__ = ("_actions", "_position")

    def __init__(self, position: Position) -> None:
        self._position = position
        self._actions: Sequence[Action] | None = None

    def _listed(self) -> Sequence[Action]:
        if self._actions is None:
            step = self._position.step
            self._actions = () if step is None else step.actions(self._position)
        return self._actions

    def __contains__(self, action: object) -> bool:
        return action in self._listed()

    def __iter__(self) -> Iterator[Action]:
        return iter(self._listed())

    def __len__(self) -> int:
        return len(self._listed())

    def __bool__(self) -> bool:
        return self._position.step is not None

    def action(self, index: int) -> Action:
        """The action with this number."""
        return self._listed()[index]

    def __repr__(self) -> str:
        return f"<{len(self)} legal actions of player {self._position.player}>"


class Position:
    """The table, the supplies, the points, and what has to be decided next.

    Players and seats are numbers from 0. Everything public may be read; only :meth:`apply`, :meth:`push` and
    :meth:`pop` change a position.
    """

    __slots__ = (
        "_before",
        "_events",
        "agenda",
        "expansions",
        "extra",
        "land",
        "next_tile",
        "options",
        "players",
        "ply",
        "round",
        "scores",
        "setup",
        "supply",
        "turn",
        "withdrawn",
    )

    def __init__(self, setup: Setup, *, begin: bool = True) -> None:
        self.setup = setup
        self.options = setup.options
        self.players = setup.players
        self.expansions: tuple[Expansion, ...] = tuple(
            mechanism for name in setup.expansions for mechanism in REGISTRY[name].mechanisms
        )
        self.land = Landscape()
        self.scores = [0] * setup.players
        self.supply: dict[str, list[int]] = {FOLLOWER: [FOLLOWERS] * setup.players}
        """Pieces left, by name and seat."""
        for expansion in self.expansions:
            for piece, count in expansion.pieces(setup.players).items():
                self.supply[piece] = [count] * setup.players
        self.withdrawn: tuple[bool, ...] = (False,) * setup.players
        """Who has resigned."""
        self.next_tile = 0
        """How many tiles of the pile have been drawn."""
        self.turn = 0
        """How many tiles have come up for placing."""
        self.ply = 0
        """How many actions have been applied."""
        self.agenda: list[Step | Task] = []
        self.round: Round | None = None
        self.extra: dict[str, Any] = {}
        """What expansions remember: immutable values by key."""
        self._events: list[Event] = []
        self._before: list[Position] = []
        if begin:
            steps.lay_start_tile(self)
            self.agenda.append(steps.NextTurn(setup.players - 1))
            self.resume()

    def __repr__(self) -> str:
        return f"<Position ply {self.ply}, turn {self.turn}, scores {self.scores}, {self.step!r}>"

    # -- what is to be decided ------------------------------------------------------------------------------------

    @property
    def step(self) -> Step | None:
        """What has to be decided now; None when the game is over."""
        top = self.agenda[-1] if self.agenda else None
        return top if isinstance(top, Step) else None

    @property
    def player(self) -> int:
        """Who decides it; -1 when the game is over."""
        step = self.step
        return -1 if step is None else step.player

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return not self.agenda

    @property
    def is_ending(self) -> bool:
        """Whether so many have resigned that nobody has to decide anything any more."""
        return self.withdrawn.count(False) < 2

    @property
    def legal_actions(self) -> LegalActions:
        """Everything that :attr:`player` may do."""
        return LegalActions(self)

    @property
    def hand(self) -> TileKind | None:
        """The tile that has to be placed now."""
        step = self.step
        return step.tile if isinstance(step, steps.PlaceTile) else None

    # -- playing --------------------------------------------------------------------------------------------------

    def apply(self, action: Action) -> tuple[Event, ...]:
        """Do what a player decided, and tell what happened.

        Raises:
            IllegalActionError: the rules do not allow it; nothing is changed.
        """
        if isinstance(action, Resign):
            if not 0 <= action.player < self.players or self.withdrawn[action.player] or self.is_over:
                raise IllegalActionError(f"nobody to resign: {action}")
        else:
            step = self.step
            if step is None:
                raise IllegalActionError(f"the game is over: {action}")
            if not step.allows(self, action):
                raise IllegalActionError(f"not legal now: {action}")
        return self._do(action)

    def push(self, action: Action) -> tuple[Event, ...]:
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
        for name in self.__slots__:
            setattr(self, name, getattr(before, name))
        self._before = history

    def _do(self, action: Action) -> tuple[Event, ...]:
        self._events = []
        self.ply += 1
        if isinstance(action, Resign):
            self._withdraw(action.player)
        else:
            step = self.agenda.pop()
            if not isinstance(step, Step):
                raise IllegalActionError(f"nothing to decide: {action}")
            step.apply(self, action)
        self._advance()
        return tuple(self._events)

    def resume(self) -> None:
        """Go on with the agenda; for those who set one up by hand."""
        self._advance()
        self._events = []

    def _advance(self) -> None:
        """Carry out tasks until somebody still in the game has to decide."""
        agenda = self.agenda
        while agenda:
            top = agenda[-1]
            if isinstance(top, Task):
                agenda.pop()
                top.run(self)
            elif self.withdrawn[top.player] or self.is_ending:
                agenda.pop()
                top.forfeit(self)
            else:
                return

    def _withdraw(self, player: int) -> None:
        """A player leaves; when only one is left, the placement in progress is scored and the game ends."""
        self.withdrawn = tuple(out or seat == player for seat, out in enumerate(self.withdrawn))
        self._events.append(Resigned(player))
        if self.is_ending:
            rounds = [at for at, item in enumerate(self.agenda) if isinstance(item, steps.ScoringRound | SendHome)]
            self.agenda[:] = [FinalScoring(), *(self.agenda[rounds[0] :] if rounds else ())]

    def copy(self) -> Position:
        """An independent position in the same state, without the history of :meth:`push`."""
        other = Position.__new__(Position)
        other.setup = self.setup
        other.options = self.options
        other.players = self.players
        other.expansions = self.expansions
        other.land = self.land.copy()
        other.scores = self.scores.copy()
        other.supply = {piece: counts.copy() for piece, counts in self.supply.items()}
        other.withdrawn = self.withdrawn
        other.next_tile = self.next_tile
        other.turn = self.turn
        other.ply = self.ply
        other.agenda = self.agenda.copy()
        other.round = self.round
        other.extra = self.extra.copy()
        other._events = self._events
        other._before = []
        return other

    # -- what steps, tasks and expansions use ---------------------------------------------------------------------

    @property
    def current_round(self) -> Round:
        """The scoring round in progress.

        Raises:
            LookupError: there is none.
        """
        if self.round is None:
            raise LookupError("no scoring round")
        return self.round

    def note(self, event: Event) -> None:
        """Tell what happened."""
        self._events.append(event)

    def award(self, score: Scored) -> None:
        """Give points, and tell why."""
        self.scores[score.player] += score.points
        self._events.append(score)

    def draw(self) -> TileKind | None:
        """The next tile of the pile; None when it is empty."""
        if not self.pile_left:
            return None
        self.next_tile += 1
        return tile(self.setup.pile[self.next_tile - 1])

    def perform(self, player: int, action: Action) -> None:
        """Let the expansion to which an action belongs carry it out."""
        if not any(expansion.perform(self, player, action) for expansion in self.expansions):
            raise IllegalActionError(f"nobody knows how to do {action}")

    def round_table(self, after: int) -> list[int]:
        """All seats clockwise, beginning with the one after ``after``."""
        return [(after + step) % self.players for step in range(1, self.players + 1)]

    def seat_after(self, seat: int) -> int:
        """The next seat that is still in the game."""
        return next(other for other in self.round_table(seat) if not self.withdrawn[other])

    def seats_from(self, seat: int) -> int:
        """How many seats after the player of the scoring round this one answers (CA-28a)."""
        return (seat - self.current_round.player) % self.players

    # -- views ----------------------------------------------------------------------------------------------------

    @property
    def pile_left(self) -> int:
        """Tiles that lie face down."""
        return len(self.setup.pile) - self.next_tile

    def placed(self) -> Iterator[PlacedTile]:
        """The tiles on the table, in the order of placing."""
        return iter(self.land.placed.values())

    def tile_at(self, cell: Cell) -> PlacedTile | None:
        """The tile on a cell."""
        return self.land.placed.get(cell.position)

    def open_cells(self) -> Iterator[Cell]:
        """The empty cells beside a tile."""
        return map(Cell.at, self.land.frontier)

    def standing(self) -> Iterator[Standing]:
        """The followers on the tiles (an expansion may keep others elsewhere)."""
        return standing_of(self.land)

    def features(self) -> Iterator[Feature]:
        """All roads, cities, fields and monasteries."""
        return features_of(self.land)

    def feature_at(self, cell: Cell, segment: str) -> Feature:
        """The feature to which a segment belongs; any of the segment's places may name it.

        Raises:
            KeyError: there is no such segment.
        """
        return feature_of(self.land, cell, segment)

    def ranking(self) -> tuple[tuple[int, ...], ...]:
        """Seats from first to last, ties together (BA-34); who has resigned comes last."""
        groups: dict[tuple[bool, int], list[int]] = {}
        for seat in range(self.players):
            groups.setdefault((self.withdrawn[seat], -self.scores[seat]), []).append(seat)
        return tuple(tuple(groups[key]) for key in sorted(groups))

    def digest(self) -> str:
        """SHA-256 of the whole state."""
        return sha256("\n".join(self._described()).encode()).hexdigest()

    def _described(self) -> Iterator[str]:
        yield f"{self.setup.commitment} {self.next_tile} {self.ply} {self.turn} {self.withdrawn}"
        yield f"{self.scores} {sorted(self.supply.items())}"
        for placed in self.placed():
            yield f"{placed.cell.label} {placed.tile.id} {placed.rotation} {placed.player} {placed.bridge}"
        for standing in self.standing():
            yield f"{standing.player} {standing.figure} {standing.cell.label} {standing.segment.name}"
        yield from (f"{key} {value!r}" for key, value in sorted(self.extra.items()))
        yield f"{self.round!r} {self.agenda!r}"

    def rebuilt(self) -> Position:
        """The same position, its features joined anew from the tiles: the slow twin of the landscape."""
        other = self.copy()
        land = Landscape()
        numbers: dict[int, int] = {}
        for placed in self.land.placed.values():
            base = land.place(placed.position, placed.face, placed.player).base
            numbers.update((placed.base + index, base + index) for index in range(len(placed.face.segments)))
        for placed in self.land.placed.values():
            if placed.bridge is not None:
                numbers[placed.span] = land.build_bridge(placed.position, placed.bridge)
        for followers in self.land.holders:
            for follower in followers:
                moved = follower._replace(segment=numbers[follower.segment])
                land.holders[land.find(moved.segment)] += (moved,)
        for number, kind in enumerate(self.land.kind):
            if self.land.find(number) == number:
                land.kind[land.find(numbers[number])] = kind
        land.touched.clear()
        other.land = land
        return other


def replay(setup: Setup, actions: Iterable[Action]) -> Position:
    """The position after these actions.

    Raises:
        IllegalActionError: one of them is not legal.
    """
    position = Position(setup)
    for action in actions:
        position.apply(action)
    return position
