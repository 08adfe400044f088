"""Abbey & Mayor, an expansion that exists only in the tests and shows that the engine's hooks suffice for its rules.

The abbey matches every edge and closes the features beside it; it is placed instead of drawing a tile. The mayor counts
as many followers as its city has pennants. The wagon may move on to a free feature when it is scored. The barn scores
its field as soon as it is deployed. The rules on corners, and on the tiles that a wagon may cross, are left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from engine import Cell, Deploy, Pass, games
from engine.actions import Action, constant_form
from engine.agenda import Step
from engine.board import Board, Follower, counts_nothing
from engine.carcassonne import FeatureKind, Position, tile
from engine.carcassonne.box import Box
from engine.carcassonne.expansions import BOXES, register
from engine.carcassonne.landscape import Landscape, Veto
from engine.carcassonne.notation import CarcassonneNotation
from engine.carcassonne.scoring import field_values, pay_field
from engine.carcassonne.steps import Draw, ScoringRound, offer_tile
from engine.carcassonne.table import Expansion, Figure, free_features
from engine.carcassonne.tiles import KNOWN_SETS, TileKind, TileSet
from engine.events import Scored, Term
from engine.figures import deploy, return_figure
from engine.geometry import STEP
from engine.grammar.words import CELL, PLAYER, AgendaWord

NAME = "abbey-mayor"
"""The name of the box."""
ABBEY = "abbey"
"""The name of the abbey in the supply."""
MAYOR = "mayor"
"""The name of the mayor and of its supply."""
WAGON = "wagon"
"""The name of the wagon and of its supply."""
BARN = "barn"
"""The name of the barn, of its supply, and of the kind of its scores."""
TILE = "am/abbey"
"""The tile of the abbey."""
BARN_POINTS = 4
"""The points of a barn at the end for each completed city beside its field."""


# ---------------------------------------------------------------- the abbey


@dataclass(frozen=True, slots=True)
class UseAbbey(Action):
    """Place the abbey instead of drawing a tile."""

    def __str__(self) -> str:
        return "abbey"


@dataclass(frozen=True, slots=True)
class DecideAbbey(Step[Position]):
    """The decision before the draw: place the abbey, or pass."""

    player: int

    def actions(self, position: Position) -> Sequence[Action]:  # noqa: ARG002
        """Offer to pass, or to place the abbey."""
        return (Pass(), UseAbbey())

    def apply(self, position: Position, action: Action) -> None:
        """Skip the draw and offer the abbey to be placed, if it is used."""
        if isinstance(action, UseAbbey):
            position.agenda.remove(Draw(self.player))
            position.supply[ABBEY][self.player] -= 1
            assert offer_tile(position, self.player, tile(TILE), drawn=False)

    def forfeit(self, position: Position) -> None:
        """Keep the abbey when the player's time runs out."""


def has_gap(land: Landscape, _kind: TileKind, place: int, _rotation: int) -> bool:
    """Veto a placement of the abbey unless all four neighbouring cells hold tiles."""
    return any(place + step not in land.placed for step in STEP)


class Abbeys(Expansion):
    """The abbeys: each player may place one in a gap that has tiles on all four sides."""

    def pieces(self, players: int) -> Mapping[str, int]:  # noqa: ARG002
        """Return one abbey for each player."""
        return {ABBEY: 1}

    def vetoes(self) -> Mapping[TileKind, Veto]:
        """Return the veto on the abbey."""
        return {tile(TILE): has_gap}

    def turn_begins(self, position: Position, player: int) -> None:
        """Ask a player who has the abbey whether to place it, if there is a gap for it."""
        kind = tile(TILE)
        holes = any(not has_gap(position.land, kind, place, 0) for place in position.land.frontier)
        if position.supply[ABBEY][player] and holes:
            position.agenda.append(DecideAbbey(player))


# ---------------------------------------------------------------- figures


def pennants(board: Board, follower: Follower) -> int:
    """Return the number of pennants in the city of a follower."""
    return board.marks[board.find(follower.segment)]


def free_features_of(*kinds: FeatureKind) -> Any:
    """Return a function that finds the free features of these kinds on a tile."""

    def places(position: Position, player: int, cell: Cell) -> Sequence[str]:
        return [name for name in free_features(position, player, cell) if name.partition(".")[0] in kinds]

    return places


def fields_without_barn(position: Position, _player: int, cell: Cell) -> Sequence[str]:
    """Return the fields of a tile on which no barn stands."""
    land = position.land
    return [
        segment.name
        for number, segment in land.segments(land.placed[cell.square])
        if segment.kind is FeatureKind.FIELD
        and all(figure.figure != BARN for figure in land.holders[land.find(number)])
    ]


def return_and_offer_move(position: Position, follower: Follower) -> None:
    """Return a scored wagon to its owner and ask where it moves next."""
    return_figure(position, follower)
    position.agenda.append(MoveWagon(follower.player, Cell.at(position.land.home[follower.segment])))


@dataclass(frozen=True, slots=True)
class MoveWagon(Step[Position]):
    """The decision about a scored wagon: move to a free, incomplete feature of its tile, or pass."""

    player: int
    cell: Cell

    def actions(self, position: Position) -> Sequence[Action]:
        """Offer to pass, or to deploy the wagon on a free feature that is open."""
        land = position.land
        return (
            Pass(),
            *(
                Deploy(segment.name, WAGON)
                for number, segment in land.segments(land.placed[self.cell.square])
                if segment.kind is not FeatureKind.FIELD
                and not segment.is_bare
                and land.ends[land.find(number)]
                and not land.holders[land.find(number)]
            ),
        )

    def apply(self, position: Position, action: Action) -> None:
        """Deploy the wagon, unless the player passes."""
        if isinstance(action, Deploy):
            deploy(position, self.player, self.cell, action.segment, action.figure)

    def forfeit(self, position: Position) -> None:
        """Keep the wagon in the supply."""


class Figures(Expansion):
    """The mayor, the wagon and the barn, one of each for a player."""

    def figures(self) -> Sequence[Figure]:
        """Return the figures with their weights, places and what happens when they are scored."""
        structures = (FeatureKind.CITY, FeatureKind.ROAD, FeatureKind.MONASTERY)
        return (
            Figure(MAYOR, 1, weight=pennants, places=free_features_of(FeatureKind.CITY)),
            Figure(WAGON, 1, places=free_features_of(*structures), scored=return_and_offer_move),
            Figure(BARN, 1, is_follower=False, weight=counts_nothing, places=fields_without_barn),
        )


class Barns(Expansion):
    """A barn scores its field when it is deployed, and again at the end."""

    def tile_laid(self, position: Position, task: ScoringRound) -> None:  # noqa: ARG002
        """Score the field of a barn deployed on this tile; the barn stays, the farmers return."""
        land = position.land
        newest = land.placed[land.order[-1]]
        for number, _ in land.segments(newest):
            root = land.find(number)
            barns = tuple(figure for figure in land.holders[root] if figure.figure == BARN)
            if any(land.home[figure.segment] == newest.square for figure in barns):
                land.holders[root] = tuple(figure for figure in land.holders[root] if figure not in barns)
                pay_field(position, root)
                land.holders[root] = barns

    def game_ending(self, position: Position) -> None:
        """Score each barn for the completed cities beside its field."""
        values = field_values(position)
        for root, followers in enumerate(position.land.holders):
            for barn in followers:
                if barn.figure == BARN:
                    cities = len(values.get(root, {}))
                    term = Term(BARN, cities, BARN_POINTS * cities)
                    cells = position.land.cells(root)
                    position.award(Scored(barn.player, term.points, BARN, (term,), cells, final=True))


BOX = Box(
    name=NAME,
    mechanisms=(Abbeys(), Figures(), Barns()),
    number=5,
    tiles=TileSet(NAME, "tests.engine", "abbey_mayor.toml"),
    forms=(constant_form(UseAbbey()),),
    words=(
        AgendaWord("abbey", DecideAbbey, {"player": PLAYER}),
        AgendaWord("wagon", MoveWagon, {"player": PLAYER, "cell": CELL}),
    ),
)
"""Everything that the engine has to know of the box."""


@contextmanager
def registered() -> Iterator[Box]:
    """Register the box while the context lasts."""
    words = CarcassonneNotation.words
    register(BOX)
    CarcassonneNotation.words = (*words, *BOX.words)
    games._WORDS[str(UseAbbey())] = UseAbbey()
    try:
        yield BOX
    finally:
        CarcassonneNotation.words = words
        del games._WORDS[str(UseAbbey())], BOXES[NAME], KNOWN_SETS[NAME]
