"""A position of Carcassonne: the landscape, the expansions in play, and the round that is being scored."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from random import Random
from typing import Self

from engine import position
from engine.actions import Action
from engine.carcassonne import steps
from engine.carcassonne.base import BaseOptions
from engine.carcassonne.expansions import REGISTRY
from engine.carcassonne.expansions.base import Expansion
from engine.carcassonne.figures import ORDINARY, Figure
from engine.carcassonne.landscape import Landscape, PlacedTile
from engine.carcassonne.scoring import FinalScoring, Round, SendHome
from engine.carcassonne.setup import Setup
from engine.carcassonne.tiles import TileKind, tile
from engine.errors import IllegalActionError
from engine.geometry import Cell
from engine.views import Feature, Standing, feature_on, features_on, standing_on


class Position(position.Position):
    """The table of Carcassonne; see :class:`engine.position.Position`."""

    __slots__ = ("expansions", "figures", "land", "round")
    setup: Setup
    options: BaseOptions

    def __init__(self, setup: Setup, *, begin: bool = True) -> None:
        super().__init__(setup)
        self.expansions: tuple[Expansion, ...] = tuple(
            mechanism for name in setup.expansions for mechanism in REGISTRY[name].mechanisms
        )
        self.figures: Mapping[str, Figure] = {
            figure.name: figure
            for figure in (ORDINARY, *(figure for expansion in self.expansions for figure in expansion.figures()))
        }
        """The kinds of figures in play, by name."""
        vetoes = (expansion.veto() for expansion in self.expansions)
        self.land = Landscape(self.figures, tuple(veto for veto in vetoes if veto is not None))
        self.round: Round | None = None
        self._deal([ORDINARY])
        for expansion in self.expansions:
            self._deal(expansion.figures())
            for piece, count in expansion.pieces(setup.players).items():
                self.supply[piece] = [count] * setup.players
        if begin:
            steps.lay_start_tile(self)
            self.agenda.append(steps.NextTurn(setup.players - 1))
            self.resume()

    def _deal(self, figures: Iterable[Figure]) -> None:
        for figure in figures:
            self.supply[figure.name] = [figure.count] * self.players

    @property
    def hand(self) -> TileKind | None:
        """The tile that has to be placed now."""
        step = self.step
        return step.tile if isinstance(step, steps.PlaceTile) else None

    def _end_early(self) -> None:
        """The placement in progress is scored, then the game ends."""
        rounds = [at for at, item in enumerate(self.agenda) if isinstance(item, steps.ScoringRound | SendHome)]
        self.agenda[:] = [FinalScoring(), *(self.agenda[rounds[0] :] if rounds else ())]

    def _take_over(self, other: Self) -> None:
        super()._take_over(other)
        self.expansions = other.expansions
        self.figures = other.figures
        self.land = other.land.copy()
        self.round = other.round

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

    def seats_from(self, seat: int) -> int:
        """How many seats after the player of the scoring round this one answers (CA-28a)."""
        return (seat - self.current_round.player) % self.players

    def tempered(self, action: Action, random: Random) -> Action:
        """A random action made sensible by the boxes."""
        for name in self.setup.expansions:
            temper = REGISTRY[name].tempered
            if temper is not None:
                action = temper(self, action, random)
        return action

    # -- what lies face down --------------------------------------------------------------------------------------

    @property
    def set_aside(self) -> range:
        """Which tiles of the pile have been taken from it and lie face down."""
        for expansion in self.expansions:
            aside = expansion.set_aside(self)
            if aside:
                return aside
        return range(0)

    @property
    def face_down(self) -> tuple[str, ...]:
        """The ids of the tiles that nobody has seen, in their order."""
        pile, aside = self.setup.pile, self.set_aside
        return (*pile[aside.start : aside.stop], *pile[self.next_tile :])

    # -- views ----------------------------------------------------------------------------------------------------

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
        return standing_on(self.land)

    def features(self) -> Iterator[Feature]:
        """All roads, cities, fields and monasteries."""
        return features_on(self.land)

    def feature_at(self, cell: Cell, segment: str) -> Feature:
        """The feature to which a segment belongs; any of the segment's places may name it.

        Raises:
            KeyError: there is no such segment.
        """
        return feature_on(self.land, cell, segment)

    def rebuilt(self) -> Self:
        """The same position, its features joined anew from the tiles: the slow twin of the landscape."""
        other = self.copy()
        land = Landscape(self.figures, self.land.vetoes)
        numbers: dict[int, int] = {}
        for placed in self.land.placed.values():
            base = land.place(placed.position, placed.face, placed.player).base
            numbers.update((placed.base + index, base + index) for index in range(len(placed.face.segments)))
        for placed in self.land.placed.values():
            for number, segment in placed.added:
                numbers[number] = land.add_segment(placed.position, segment)
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
