"""The table of Carcassonne as its steps and its boxes see it, the hooks by which boxes change the game, and figures.

These three name each other, so they stand together, below everything that works on a table;
:class:`engine.carcassonne.position.Position` is the table on which a game is played.
"""

from __future__ import annotations

from abc import ABC
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, Protocol, Self

from engine import board, position
from engine.actions import FOLLOWER, Action, Place, Seat
from engine.board import Follower, SegmentNumber
from engine.caching import thread_safe_cache
from engine.carcassonne.base import BaseOptions
from engine.carcassonne.landscape import Landscape, Veto
from engine.carcassonne.tiles import FeatureKind, TileKind, tile
from engine.errors import IllegalActionError
from engine.events import Term
from engine.figures import return_figure
from engine.geometry import Cell
from engine.setup import Setup


class Round(NamedTuple):
    """A scoring round (CA-28a): who placed the tile, and the roots of what it completed and is still to be scored."""

    player: Seat
    completed: tuple[SegmentNumber, ...]


class Tabletop(position.Position, ABC):
    """What lies on the table and who has what; see :class:`engine.position.Position`."""

    __slots__ = ("expansions", "figures", "hook_handlers", "land", "round")
    options: BaseOptions

    def __init__(self, setup: Setup, expansions: tuple[Expansion, ...]) -> None:
        super().__init__(setup)
        self.expansions = expansions
        self.hook_handlers = _hook_handlers(expansions)
        """For each hook those of the expansions that do something there."""
        self.figures: Mapping[str, Figure] = {
            figure.name: figure
            for figure in (ORDINARY, *(figure for expansion in expansions for figure in expansion.figures()))
        }
        """The kinds of figures in play, by name."""
        self.land = Landscape(self.figures, _vetoes(expansions))
        self.round: Round | None = None
        self._deal([ORDINARY])
        for expansion in expansions:
            self._deal(expansion.figures())
            for piece, count in expansion.pieces(setup.players).items():
                self.supply[piece] = [count] * setup.players

    def _deal(self, figures: Iterable[Figure]) -> None:
        for figure in figures:
            self.supply[figure.name] = [figure.count] * self.players

    def _take_over(self, other: Self) -> None:
        super()._take_over(other)
        self.expansions = other.expansions
        self.hook_handlers = other.hook_handlers
        self.figures = other.figures
        self.land = other.land.copy()
        self.round = other.round

    # -- what steps, tasks and expansions use ---------------------------------------------------------------------

    @property
    def board(self) -> Landscape:
        """The landscape."""
        return self.land

    @property
    def current_round(self) -> Round:
        """The scoring round in progress.

        Raises:
            LookupError: there is none.
        """
        if self.round is None:
            raise LookupError("no scoring round")
        return self.round

    def draw(self) -> TileKind | None:
        """The next tile of the pile; None when it is empty."""
        if not self.pile_left:
            return None
        self.next_tile += 1
        return tile(self.setup.pile[self.next_tile - 1])

    def perform(self, player: Seat, action: Action) -> None:
        """Let the expansion to which an action belongs carry it out."""
        if not any(expansion.perform(self, player, action) for expansion in self.hook_handlers[Expansion.perform]):
            raise IllegalActionError(f"nobody knows how to do {action}")

    def seats_from(self, seat: Seat) -> int:
        """How many seats after the player of the scoring round this one answers (CA-28a)."""
        return (seat - self.current_round.player) % self.players


# -- hooks ------------------------------------------------------------------------------------------------------------


class Placement(Protocol):
    """A tile that a player is to lay or has laid, as steps and tasks tell hooks of it."""

    @property
    def player(self) -> Seat:
        """Who lays it."""

    @property
    def tile(self) -> TileKind:
        """Which."""

    @property
    def drawn(self) -> bool:
        """Whether it was drawn; a box may have brought it another way."""


class Deployment(Protocol):
    """A player who may do something about the tile that he has just laid."""

    @property
    def player(self) -> Seat:
        """Who."""

    @property
    def cell(self) -> Cell:
        """Where it lies."""

    @property
    def built(self) -> bool:
        """Whether something of a box was built with this placement."""

    @property
    def deployed(self) -> bool:
        """Whether a figure stands there already, or something was done instead."""


class Expansion:
    """The hooks of one mechanism, all without effect here.

    It keeps no state of its own. What it must remember about a game it keeps in ``position.extra``, under its own key,
    as immutable values.
    """

    def figures(self) -> Sequence[Figure]:
        """Kinds of figures beside the ordinary followers."""
        return ()

    def pieces(self, players: int) -> Mapping[str, int]:
        """Pieces that each player gets, beside figures."""
        return {}

    def vetoes(self) -> Mapping[TileKind, Veto]:
        """What says no to placements that would fit, with aid or without, by the tiles of which it says anything."""
        return {}

    def aided_placements(self, position: Tabletop, player: Seat, tile: TileKind, at: Cell | None = None) -> list[Place]:
        """Placements that are legal only together with a piece of this expansion: everywhere, or on one cell."""
        return []

    def placement_extras(self, position: Tabletop, step: Deployment) -> Sequence[Action]:
        """What a player may do beside deploying a follower."""
        return ()

    def instead_of_follower(self, position: Tabletop, step: Deployment) -> Sequence[Action]:
        """What a player may do instead of deploying a follower."""
        return ()

    def perform(self, position: Tabletop, player: Seat, action: Action) -> bool:
        """Carry out an action of this expansion (but for deploying figures); false when it is not its own."""
        return False

    def turn_begins(self, position: Tabletop, player: Seat) -> None:
        """A player's turn begins: he has not drawn yet."""

    def tile_laid(self, position: Tabletop, task: Placement) -> None:
        """A tile lies with everything that came with it; nothing is scored yet."""

    def structures_completed(self, position: Tabletop) -> None:
        """Something was completed (``position.current_round``): before any points are given."""

    def structures_paid(self, position: Tabletop) -> None:
        """Put on the agenda what follows the points of the structures, before their followers go home."""

    def going_home(self, position: Tabletop, followers: Sequence[Follower]) -> None:
        """The followers of something that was completed and paid are about to return."""

    def placement_over(self, position: Tabletop, task: Placement) -> None:
        """A placement is scored."""

    def tile_lost(self, position: Tabletop, step: Placement) -> None:
        """A player declined the tile in hand."""

    def face_up_tiles(self, position: Tabletop) -> Sequence[TileKind]:
        """Tiles that have been turned up and wait to be placed, besides the one in hand."""
        return ()

    def set_aside(self, position: Tabletop) -> range:
        """Which tiles of the pile have been taken from it and lie face down: asked after every action."""
        return range(0)

    def structure_worth(self, position: Tabletop, root: SegmentNumber, terms: tuple[Term, ...]) -> tuple[Term, ...]:
        """What a structure is worth, given what it would be without this expansion."""
        return terms

    def field_value(self, position: Tabletop, root: SegmentNumber, city_points: int) -> tuple[str, int] | None:
        """What a feature beside a field is worth to farmers: what a score calls its kind, in the plural, and points.

        None leaves it to the others.
        """
        return None

    def farmer_bonus(self, farmers: Sequence[Follower], player: Seat) -> tuple[str, int] | None:
        """What each thing that counts is worth to a player beyond its value, by the figures on the fields around it.

        What a score calls it, and the points.
        """
        return None

    def game_ending(self, position: Tabletop) -> None:
        """The game is over; everything else on the table is scored."""


Hook = Callable[..., object]
"""A method of :class:`Expansion`."""


@thread_safe_cache
def _hook_handlers(expansions: tuple[Expansion, ...]) -> Mapping[Hook, tuple[Expansion, ...]]:
    """For each hook those who do something there: it costs nothing at the moments of which a box makes nothing."""
    return {
        hook: tuple(expansion for expansion in expansions if getattr(type(expansion), name) is not hook)
        for name, hook in vars(Expansion).items()
        if callable(hook)
    }


def _vetoes(expansions: Iterable[Expansion]) -> Mapping[TileKind, tuple[Veto, ...]]:
    found: dict[TileKind, tuple[Veto, ...]] = {}
    for expansion in expansions:
        for kind, veto in expansion.vetoes().items():
            found[kind] = (*found.get(kind, ()), veto)
    return found


# -- figures ----------------------------------------------------------------------------------------------------------


StandingPlaces = Callable[[Tabletop, Seat, Cell], Sequence[str]]
"""On which segments of the tile just laid, by name, a player may put a figure that he has."""


def free_features(position: Tabletop, _player: Seat, cell: Cell) -> Sequence[str]:
    """Where nobody stands yet (BA-10); on fields only where there are farmers (BA-32)."""
    land, farmers = position.land, position.options.farmers
    holders, find = land.holders, land.find
    return [
        segment.name
        for number, segment in land.segments(land.placed[cell.square])
        if not holders[find(number)] and (farmers or segment.kind is not FeatureKind.FIELD) and not segment.is_bare
    ]


def features_with_own_follower(*kinds: FeatureKind) -> StandingPlaces:
    """In features of these kinds that already hold a follower of the same player."""

    def places(position: Tabletop, player: Seat, cell: Cell) -> Sequence[str]:
        land = position.land
        return [
            segment.name
            for number, segment in land.segments(land.placed[cell.square])
            if segment.kind in kinds
            and (held := land.holders[land.find(number)])
            and any(entry.player == player and land.is_follower(entry) for entry in held)
        ]

    return places


@dataclass(frozen=True, slots=True)
class Figure(board.Figure):
    """A kind of figure, and what it does in a turn: where it may go, and what becomes of it when its feature scores."""

    places: StandingPlaces = free_features
    scored: Callable[[Tabletop, Follower], None] = return_figure


ORDINARY: Final = Figure(FOLLOWER, 7)
"""The followers of the base game (BA-01)."""
