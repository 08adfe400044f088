"""The table of Carcassonne, the hooks by which boxes change the game, and the kinds of figures.

The three refer to each other, so they share a module, below everything that works on a table. Games are played on the
subclass :class:`engine.carcassonne.position.Position`. Codes such as CA-28a are rules of the rule digest.
"""

from __future__ import annotations

from abc import ABC
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, Self

from engine import board, position
from engine.actions import FOLLOWER, Action, Place, Seat
from engine.board import Follower, SegmentNumber
from engine.caching import thread_safe_cache
from engine.carcassonne.base import BaseOptions
from engine.carcassonne.landscape import Landscape, Veto
from engine.carcassonne.tiles import FeatureKind, SurroundedKind, TileKind, tile
from engine.errors import IllegalActionError
from engine.events import Term
from engine.figures import return_figure
from engine.geometry import Cell
from engine.setup import Setup


class Round(NamedTuple):
    """A scoring round (CA-28a): the player who placed the tile, and the roots of the structures still to be scored."""

    player: Seat
    completed: tuple[SegmentNumber, ...]


class Tabletop(position.Position, ABC):
    """The tiles on the table and the players' pieces; see :class:`engine.position.Position`."""

    __slots__ = ("expansions", "figures", "hook_handlers", "land", "round")
    options: BaseOptions

    def __init__(self, setup: Setup, expansions: tuple[Expansion, ...]) -> None:
        super().__init__(setup)
        self.expansions = expansions
        self.hook_handlers = _hook_handlers(expansions)
        """For each hook the expansions that override it."""
        self.figures: Mapping[str, Figure] = {
            figure.name: figure
            for figure in (ORDINARY, *(figure for expansion in expansions for figure in expansion.figures()))
        }
        """The kinds of figures in the game, by name."""
        surrounded = (kind.name for expansion in expansions for kind in expansion.surrounded())
        self.land = Landscape(self.figures, _vetoes(expansions), frozenset({FeatureKind.MONASTERY, *surrounded}))
        self.round: Round | None = None
        self._deal([ORDINARY])
        for expansion in expansions:
            self._deal(expansion.figures())
            for piece, count in expansion.pieces(setup.players).items():
                self.supply[piece] = [count] * setup.players

    def _deal(self, figures: Iterable[Figure]) -> None:
        """Give each player the figures of these kinds."""
        for figure in figures:
            self.supply[figure.name] = [figure.count] * self.players

    def _copy_state_from(self, other: Self) -> None:
        super()._copy_state_from(other)
        self.expansions = other.expansions
        self.hook_handlers = other.hook_handlers
        self.figures = other.figures
        self.land = other.land.copy()
        self.round = other.round

    # -- used by steps, tasks and expansions ------------------------------------------------------------------------

    @property
    def board(self) -> Landscape:
        """The landscape."""
        return self.land

    @property
    def current_round(self) -> Round:
        """The scoring round in progress.

        Raises:
            LookupError: no round is being scored.
        """
        if self.round is None:
            raise LookupError("no scoring round")
        return self.round

    def draw(self) -> TileKind | None:
        """Draw the next tile of the pile; None if it is empty."""
        if not self.pile_left:
            return None
        self.next_tile += 1
        return tile(self.setup.pile[self.next_tile - 1])

    def perform(self, player: Seat, action: Action) -> None:
        """Let the expansion to which an action belongs carry it out.

        Raises:
            IllegalActionError: no expansion knows the action.
        """
        if not any(expansion.perform(self, player, action) for expansion in self.hook_handlers[Expansion.perform]):
            raise IllegalActionError(f"no expansion in play knows the action {action}")

    def seats_from(self, seat: Seat) -> int:
        """Return how many seats after the player of the scoring round a seat comes (CA-28a)."""
        return (seat - self.current_round.player) % self.players


# -- hooks ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Placement:
    """A tile that a player is to lay or has laid, as hooks see steps and tasks."""

    player: Seat
    tile: TileKind
    drawn: bool
    """True if it was drawn; a box may give tiles to players in other ways."""


@dataclass(frozen=True, slots=True)
class Deployment:
    """A player's choice after laying a tile, as hooks see :class:`engine.carcassonne.steps.DeployFollower`."""

    player: Seat
    cell: Cell
    """The cell of the tile."""
    built: bool = False
    """True if a piece of a box was built with this placement."""
    deployed: bool = False
    """True if a figure was deployed, or an action taken instead."""


FarmerBonus = Callable[[Sequence[Follower], Seat], tuple[str, int] | None]
"""A function that returns a player's bonus for each city that counts, given the figures on a field: name and points."""


class Expansion:
    """The hooks of one mechanism of a box; by default, none has an effect.

    An expansion has no state of its own. It stores what it has to remember of a game in ``position.extra``, under its
    own key and as immutable values.
    """

    def figures(self) -> Sequence[Figure]:
        """Return the kinds of figures that the expansion adds to the ordinary followers."""
        return ()

    def pieces(self, players: int) -> Mapping[str, int]:
        """Return the pieces that each player gets, beside figures."""
        return {}

    def vetoes(self) -> Mapping[TileKind, Veto]:
        """Return the expansion's vetoes on placements that would fit, with aid or without, by kind of tile."""
        return {}

    def surrounded(self) -> Sequence[SurroundedKind]:
        """Return the expansion's kinds of features that are complete when the eight cells around them are filled.

        They are drawn on tiles whether the box is played or not, and count only if it is.
        """
        return ()

    def aided_placements(self, position: Tabletop, player: Seat, tile: TileKind, at: Cell | None = None) -> list[Place]:
        """Return the placements that need a piece of this expansion: all, or those on the cell ``at``."""
        return []

    def placement_extras(self, position: Tabletop, step: Deployment) -> Sequence[Action]:
        """Return the actions that a player may take in addition to deploying a follower."""
        return ()

    def bars_figures(self, position: Tabletop, step: Deployment) -> bool:
        """Return True if no figure may be deployed on the tile just laid, and nothing may be done instead."""
        return False

    def barred_places(self, position: Tabletop, step: Deployment) -> Collection[tuple[str, str]]:
        """Return the places on the tile just laid that are barred after all, as pairs of figure and segment."""
        return ()

    def instead_of_follower(self, position: Tabletop, step: Deployment) -> Sequence[Action]:
        """Return the actions that a player may take instead of deploying a follower."""
        return ()

    def perform(self, position: Tabletop, player: Seat, action: Action) -> bool:
        """Carry out an action other than deploying; return False if it is not one of this expansion."""
        return False

    def turn_begins(self, position: Tabletop, player: Seat) -> None:
        """React to the beginning of a player's turn, before the draw."""

    def before_draw(self, position: Tabletop, player: Seat) -> None:
        """Push what a player may do instead of drawing, in a turn or in its second half; ``Draw`` lies on top."""

    def after_deployment(self, position: Tabletop, step: Deployment) -> None:
        """Push what comes between a deployment, which is over, and the scoring of the tile.

        ``step.deployed`` is False if the player has passed. A player who resigned instead is asked nothing more.
        """

    def tile_laid(self, position: Tabletop, task: Placement) -> None:
        """React to a tile that was laid with figures and pieces, before anything is scored."""

    def structures_completed(self, position: Tabletop) -> None:
        """React to completed structures (``position.current_round``), before any points are given."""

    def structures_paid(self, position: Tabletop) -> None:
        """Push the tasks that come after the points of the structures and before their followers return."""

    def followers_returning(self, position: Tabletop, followers: Sequence[Follower]) -> None:
        """React to the followers of a scored feature that are about to return."""

    def followers_returned(self, position: Tabletop, task: Placement) -> None:
        """Push the tasks that come after the scoring, when followers are home, even if nothing was completed."""

    def placement_over(self, position: Tabletop, task: Placement) -> None:
        """React to the end of a placement, after its scoring."""

    def tile_declined(self, position: Tabletop, step: Placement) -> None:
        """React to a tile that its player declined."""

    def face_up_tiles(self, position: Tabletop) -> Sequence[TileKind]:
        """Return the tiles, besides the one in hand, that lie face up and are still to be placed."""
        return ()

    def set_aside(self, position: Tabletop) -> range:
        """Return the indices of tiles that were taken from the pile face down; called after every action."""
        return range(0)

    def structure_worth(self, position: Tabletop, root: SegmentNumber, terms: tuple[Term, ...]) -> tuple[Term, ...]:
        """Return the value of a structure, given its value without this expansion."""
        return terms

    def field_value(self, position: Tabletop, root: SegmentNumber, city_points: int) -> tuple[str, int] | None:
        """Return the value of a feature beside a field to farmers: a name for the score, in the plural, and points.

        None leaves the decision to other expansions and the base game.
        """
        return None

    def farmer_bonus(self, position: Tabletop) -> FarmerBonus | None:
        """Return the function that gives players' bonuses on the fields as they are; None if there is none."""
        return None

    def field_points(self, position: Tabletop) -> Iterable[tuple[SegmentNumber, Seat, int]]:
        """Return what figures that are no farmers score for fields at the end: field (root), player and points."""
        return ()

    def bars_change(self, position: Tabletop, player: Seat, root: SegmentNumber) -> bool:
        """Return True if a player may not turn a completed structure into something else, instead of scoring it."""
        return False

    def pile_used_up(self, position: Tabletop, last: Seat) -> None:
        """Push what comes between the last turn, which was a player's, and the final scoring."""

    def game_ending(self, position: Tabletop) -> None:
        """React to the end of the game, after everything else has been scored."""


Hook = Callable[..., object]
"""A method of :class:`Expansion`."""


@thread_safe_cache
def _hook_handlers(expansions: tuple[Expansion, ...]) -> Mapping[Hook, tuple[Expansion, ...]]:
    """Return the dispatch table of the hooks; expansions that do not override a hook are not called."""
    return {
        hook: tuple(expansion for expansion in expansions if getattr(type(expansion), name) is not hook)
        for name, hook in vars(Expansion).items()
        if callable(hook)
    }


def _vetoes(expansions: Iterable[Expansion]) -> Mapping[TileKind, tuple[Veto, ...]]:
    """Return the vetoes of all expansions by kind of tile."""
    by_kind: dict[TileKind, tuple[Veto, ...]] = {}
    for expansion in expansions:
        for kind, veto in expansion.vetoes().items():
            by_kind[kind] = (*by_kind.get(kind, ()), veto)
    return by_kind


# -- figures ----------------------------------------------------------------------------------------------------------


StandingPlaces = Callable[[Tabletop, Seat, Cell], Sequence[str]]
"""A function that names the segments of the tile just laid on which a player may deploy a kind of figure."""


def free_features(position: Tabletop, _player: Seat, cell: Cell) -> Sequence[str]:
    """Return the segments without figures on their features (BA-10); fields only if farmers are played (BA-32)."""
    land, farmers = position.land, position.options.farmers
    holders, find = land.holders, land.find
    return [
        segment.name
        for number, segment in land.segments(land.placed[cell.square])
        if not holders[find(number)] and (farmers or segment.kind is not FeatureKind.FIELD) and not segment.is_bare
    ]


def free_features_of(*kinds: FeatureKind) -> StandingPlaces:
    """Return a function for segments without figures on their features, of features of these kinds."""

    def places(position: Tabletop, _player: Seat, cell: Cell) -> Sequence[str]:
        land = position.land
        return [
            segment.name
            for number, segment in land.segments(land.placed[cell.square])
            if segment.kind in kinds and not land.holders[land.find(number)]
        ]

    return places


def nowhere(_position: Tabletop, _player: Seat, _cell: Cell) -> Sequence[str]:
    """Return no segments, for a figure that is deployed only in a step of its own box."""
    return ()


def features_with_own_follower(*kinds: FeatureKind) -> StandingPlaces:
    """Return a function for segments in features of these kinds that hold a follower of the same player."""

    def places(position: Tabletop, player: Seat, cell: Cell) -> Sequence[str]:
        land, figures = position.land, position.figures
        return [
            segment.name
            for number, segment in land.segments(land.placed[cell.square])
            if segment.kind in kinds
            and (holders := land.holders[land.find(number)])
            and player in [entry.player for entry in holders if figures[entry.figure].is_follower]
        ]

    return places


@dataclass(frozen=True, slots=True)
class Figure(board.Figure):
    """A kind of figure: ``places`` is where it may be deployed, ``scored`` runs when its feature is scored."""

    places: StandingPlaces = free_features
    scored: Callable[[Tabletop, Follower], None] = return_figure


ORDINARY: Final = Figure(FOLLOWER, 7)
"""The followers of the base game (BA-01)."""
