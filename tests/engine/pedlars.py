"""Pedlars, an expansion that exists only in the tests: a box of which no other floor knows anything.

It has a bit of everything that a box can bring: a figure with a decision after its scoring, a piece with a decision
before the draw, a score of its own, and a tile with a mark. A pedlar may move on to a free feature of its tile when it
is scored, and a player may sell their kiosk before drawing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from engine import Cell, Deploy, Pass, games
from engine.actions import Action, Seat, constant_form
from engine.agenda import Step
from engine.board import Follower
from engine.carcassonne import FeatureKind
from engine.carcassonne.box import Box
from engine.carcassonne.expansions import BOXES, register
from engine.carcassonne.notation import CarcassonneNotation
from engine.carcassonne.table import Expansion, Figure, Tabletop, free_features_of
from engine.carcassonne.tiles import KNOWN_SETS, TileSet
from engine.events import Scored, Term
from engine.figures import deploy, return_figure
from engine.grammar.words import CELL, PLAYER, AgendaWord

NAME = "pedlars"
"""The name of the box."""
PEDLAR = "pedlar"
"""The name of the figure and of its supply."""
KIOSK = "kiosk"
"""The name of the piece in the supply, of its score and of the term of that."""
KIOSK_POINTS = 2
"""The points for which a kiosk is sold."""


@dataclass(frozen=True, slots=True)
class SellKiosk(Action):
    """Sell the kiosk."""

    def __str__(self) -> str:
        return "kiosk"


@dataclass(frozen=True, slots=True)
class DecideKiosk(Step[Tabletop]):
    """The decision before the draw: sell the kiosk, or pass."""

    player: Seat

    def actions(self, position: Tabletop) -> Sequence[Action]:  # noqa: ARG002
        """Offer to pass, or to sell it."""
        return (Pass(), SellKiosk())

    def apply(self, position: Tabletop, action: Action) -> None:
        """Give the player the points for a kiosk that is sold."""
        if isinstance(action, SellKiosk):
            position.supply[KIOSK][self.player] -= 1
            terms = (Term(KIOSK, 1, KIOSK_POINTS),)
            position.award(Scored(self.player, KIOSK_POINTS, KIOSK, terms, (), final=False))

    def forfeit(self, position: Tabletop) -> None:
        """Keep it when the player resigns."""


class Kiosks(Expansion):
    """Each player may sell one kiosk."""

    def pieces(self, players: int) -> Mapping[str, int]:  # noqa: ARG002
        """Return one kiosk for each player."""
        return {KIOSK: 1}

    def before_draw(self, position: Tabletop, player: Seat) -> None:
        """Ask a player who has a kiosk."""
        if position.supply[KIOSK][player]:
            position.agenda.append(DecideKiosk(player))


structures = free_features_of(FeatureKind.ROAD, FeatureKind.CITY, FeatureKind.MONASTERY)
"""The function for the places of a tile where a pedlar may stand."""


def return_and_offer_move(position: Tabletop, follower: Follower) -> None:
    """Return a scored pedlar to its owner and ask where it moves next."""
    return_figure(position, follower)
    position.agenda.append(MovePedlar(follower.player, Cell.at(position.land.home[follower.segment])))


@dataclass(frozen=True, slots=True)
class MovePedlar(Step[Tabletop]):
    """The decision about a scored pedlar: move to a free, incomplete feature of its tile, or pass."""

    player: Seat
    cell: Cell

    def actions(self, position: Tabletop) -> Sequence[Action]:
        """Offer to pass, or to deploy the pedlar on a free feature that is open."""
        land = position.land
        places = structures(position, self.player, self.cell)
        return (
            Pass(),
            *(Deploy(name, PEDLAR) for name in places if land.ends[land.find(land.number_of(self.cell, name))]),
        )

    def apply(self, position: Tabletop, action: Action) -> None:
        """Deploy the pedlar, unless the player passes."""
        if isinstance(action, Deploy):
            deploy(position, self.player, self.cell, action.segment, action.figure)

    def forfeit(self, position: Tabletop) -> None:
        """Keep the pedlar in the supply."""


class Pedlars(Expansion):
    """Each player has one pedlar."""

    def figures(self) -> Sequence[Figure]:
        """Return the pedlar."""
        return (Figure(PEDLAR, 1, places=structures, scored=return_and_offer_move),)


BOX = Box(
    name=NAME,
    mechanisms=(Kiosks(), Pedlars()),
    number=99,
    tiles=TileSet(NAME, "tests.engine", "pedlars.toml"),
    forms=(constant_form(SellKiosk()),),
    words=(
        AgendaWord("kiosk", DecideKiosk, {"player": PLAYER}),
        AgendaWord("pedlar", MovePedlar, {"player": PLAYER, "cell": CELL}),
    ),
)
"""Everything that the engine has to know of the box."""


@contextmanager
def registered() -> Iterator[Box]:
    """Register the box while the context lasts."""
    words = CarcassonneNotation.words
    register(BOX)
    CarcassonneNotation.words = (*words, *BOX.words)
    games._WORDS[str(SellKiosk())] = SellKiosk()
    try:
        yield BOX
    finally:
        CarcassonneNotation.words = words
        del games._WORDS[str(SellKiosk())], BOXES[NAME], KNOWN_SETS[NAME]
