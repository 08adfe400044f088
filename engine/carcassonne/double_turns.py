"""Double turns: a player lays a second tile before the next player's turn (CA-35, BZ-35), but never a third.

A box grants one by pushing a :class:`SecondTile` onto the agenda, which is a stack, before the first tile is scored. It
therefore runs when everything that follows from the first tile is over, including tasks of other boxes (BZ-40). Codes
such as CA-35 are rules of the rule digest.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from engine.actions import Seat
from engine.agenda import Task
from engine.carcassonne.box import ExtraCodec
from engine.carcassonne.steps import Draw
from engine.carcassonne.table import Expansion, Tabletop
from engine.grammar.words import NUMBER, PLAYER, AgendaWord, read_number

FIRST_TILE: Final = "first tile"
"""Key in ``position.extra``: the number of the tile laid in the first half of a double turn, during its second half."""


def first_tile(position: Tabletop) -> int:
    """Return the number of the first tile of a double turn during its second half; -1 at all other times."""
    number: int = position.extra.get(FIRST_TILE, -1)
    return number


def end_second_half(position: Tabletop) -> None:
    """End the second half of a double turn: tiles laid from now on belong to another turn."""
    position.extra.pop(FIRST_TILE, None)


@dataclass(frozen=True, slots=True)
class SecondTile(Task[Tabletop]):
    """The second half of a double turn; ``first`` is the number of the tile laid in the first half."""

    player: Seat
    first: int

    def run(self, position: Tabletop) -> None:
        """Draw another tile, unless the player has resigned since."""
        if position.withdrawn[self.player]:
            return
        position.extra[FIRST_TILE] = self.first
        position.agenda.append(SecondHalfOver())
        position.agenda.append(Draw(self.player))
        for expansion in position.hook_handlers[Expansion.before_draw]:
            expansion.before_draw(position, self.player)


@dataclass(frozen=True, slots=True)
class SecondHalfOver(Task[Tabletop]):
    """The end of a second half in which no tile was left to draw (BA-24)."""

    def run(self, position: Tabletop) -> None:
        """Remove the first tile from the state."""
        end_second_half(position)


def _write_first_tile(position: Tabletop) -> str:
    """Write the number of the first tile; nothing outside the second half of a double turn."""
    return str(position.extra.get(FIRST_TILE, ""))


def _read_first_tile(position: Tabletop, text: str) -> None:
    """Read the number of the first tile."""
    position.extra[FIRST_TILE] = read_number(text)


WORDS: Final = (
    AgendaWord("second", SecondTile, {"player": PLAYER, "first": NUMBER}),
    AgendaWord("secondover", SecondHalfOver),
)
"""The words of the agenda for a second tile: the half that begins with it, and its end."""
EXTRA_CODEC: Final = ExtraCodec("FirstTile", _write_first_tile, _read_first_tile)
"""The text form of the first tile's number; the box whose figures grant double turns registers it and ``WORDS``."""
