"""Double turns: a player lays a second tile before the next one's turn (CA-35, BZ-35); never a third.

Whoever grants one puts a :class:`SecondTile` on the agenda before the first tile is scored. So it comes up when
everything that follows from the first tile is over, whatever boxes make of it (BZ-40).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from engine.actions import Seat
from engine.agenda import Task
from engine.carcassonne.box import ExtraCodec
from engine.carcassonne.steps import Draw
from engine.carcassonne.table import Tabletop
from engine.grammar.words import NUMBER, PLAYER, AgendaWord, read_number

FIRST_TILE: Final = "first tile"
"""Key in ``position.extra`` in the second half of a double turn: the number of the tile laid in the first half."""


def first_tile(position: Tabletop) -> int:
    """The number of the first tile of the double turn whose second tile is played now; -1 at all other times."""
    number: int = position.extra.get(FIRST_TILE, -1)
    return number


def end_second_half(position: Tabletop) -> None:
    """What is laid from here on belongs to another turn."""
    position.extra.pop(FIRST_TILE, None)


@dataclass(frozen=True, slots=True)
class SecondTile(Task[Tabletop]):
    """The second half of a double turn; ``first`` is the number of the tile that was laid in the first."""

    player: Seat
    first: int

    def run(self, position: Tabletop) -> None:
        """Draw another tile, unless the player has resigned since."""
        if position.withdrawn[self.player]:
            return
        position.extra[FIRST_TILE] = self.first
        position.agenda.append(SecondHalfOver())
        position.agenda.append(Draw(self.player))


@dataclass(frozen=True, slots=True)
class SecondHalfOver(Task[Tabletop]):
    """The end of a second half for which no tile was left (BA-24)."""

    def run(self, position: Tabletop) -> None:
        """Forget the first tile."""
        end_second_half(position)


def _write_first_tile(position: Tabletop) -> str:
    return str(position.extra.get(FIRST_TILE, ""))


def _read_first_tile(position: Tabletop, text: str) -> None:
    position.extra[FIRST_TILE] = read_number(text)


WORDS: Final = (
    AgendaWord("second", SecondTile, {"player": PLAYER, "first": NUMBER}),
    AgendaWord("secondover", SecondHalfOver),
)
EXTRA_CODEC: Final = ExtraCodec("FirstTile", _write_first_tile, _read_first_tile)
"""The text forms, for the box whose figures grant double turns; others rest on it."""
