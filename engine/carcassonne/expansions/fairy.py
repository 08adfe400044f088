"""The fairy, as far as castles need her (IX-14): without tiles, dragon or final scoring.

The fairy stands beside a follower. Its player gets a point at the beginning of each turn, and three points when the
follower's feature is scored. Players move her instead of deploying a figure. Codes such as IX-14 are rules of the rule
digest.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from engine.actions import CELL, SEGMENT, Action, Form, Instead, Seat
from engine.board import Follower
from engine.carcassonne.box import Box, ExtraCodec
from engine.carcassonne.expansions.bridges_castles_bazaars.fiefs import CASTLE, Castle, castle_by_side, castles_of
from engine.carcassonne.expansions.bridges_castles_bazaars.options import BCB, options_of
from engine.carcassonne.segments import follower_text, read_follower
from engine.carcassonne.table import Deployment, Expansion, Tabletop
from engine.events import PlayerEvent, Scored, Term
from engine.geometry import Cell

FAIRY: Final = "fairy"
"""The key in ``position.extra``, and the kind of the score."""
TURN_POINTS: Final = 1
"""The points at the beginning of a turn for the player beside whose follower the fairy stands."""
SCORING_POINTS: Final = 3
"""The points for that player when the follower's feature is scored."""


@dataclass(frozen=True, slots=True)
class MoveFairy(Instead):
    """Move the fairy to a follower: on a segment of a cell, or in a castle there (IX-14)."""

    cell: Cell
    segment: str

    def __str__(self) -> str:
        return f"fairy:{self.cell.label}.{self.segment}"


@dataclass(frozen=True, slots=True)
class FairyMoved(PlayerEvent):
    """A player moved the fairy to one of their followers (IX-14)."""

    cell: Cell


class Fairy(NamedTuple):
    """The cell to which the fairy was moved, and the follower."""

    cell: Cell
    follower: Follower


def fairy_of(position: Tabletop) -> Fairy | None:
    """Return the place of the fairy; None before she is first moved."""
    fairy: Fairy | None = position.extra.get(FAIRY)
    return fairy


def companion_of(position: Tabletop) -> Follower | None:
    """Return the follower beside the fairy, or None.

    A follower that returns, or moves into a castle where the fairy is not allowed, leaves her behind (IX-14).
    """
    fairy = fairy_of(position)
    if fairy is None or all(follower != fairy.follower for _, follower in _hosts(position)):
        return None
    return fairy.follower


def castle_with_fairy(position: Tabletop, action: MoveFairy) -> Castle | None:
    """Return the castle to which the player to move would send the fairy; None if it is not a castle."""
    follower = _hosts_of(position, position.player).get(action)
    return next((castle for castle in castles_of(position) if follower in castle.followers), None)


class Fairies(Expansion):
    """A player may move the fairy to one of their followers instead of deploying one."""

    def instead_of_follower(self, position: Tabletop, step: Deployment) -> Sequence[Action]:
        """Return a move to each of the player's followers, except the one beside the fairy."""
        companion = companion_of(position)
        hosts = _hosts_of(position, step.player)
        return [host for host, follower in hosts.items() if follower != companion]

    def perform(self, position: Tabletop, player: Seat, action: Action) -> bool:
        """Move the fairy."""
        if not isinstance(action, MoveFairy):
            return False
        position.extra[FAIRY] = Fairy(action.cell, _hosts_of(position, player)[action])
        position.emit(FairyMoved(player, action.cell))
        return True

    def turn_begins(self, position: Tabletop, player: Seat) -> None:
        """Award a point if the fairy stands beside a follower of the player."""
        companion = companion_of(position)
        if companion is not None and companion.player == player:
            _award(position, player, TURN_POINTS)

    def followers_returning(self, position: Tabletop, followers: Sequence[Follower]) -> None:
        """Award three points if the feature of her companion scores, whoever has the majority there."""
        companion = companion_of(position)
        if companion is not None and companion in followers:
            _award(position, companion.player, SCORING_POINTS)


def _hosts_of(position: Tabletop, player: Seat) -> dict[MoveFairy, Follower]:
    """Return the followers of a player to which the fairy may move, by the action that moves her."""
    return {host: follower for host, follower in _hosts(position) if follower.player == player}


def _hosts(position: Tabletop) -> Iterator[tuple[MoveFairy, Follower]]:
    """Yield every follower to which the fairy may move, with the action."""
    land = position.land
    for followers in land.holders:
        for follower in followers:
            if land.is_follower(follower):
                tile, segment = land.segment_of(follower.segment)
                yield MoveFairy(tile.cell, segment.name), follower
    if options_of(position).castle_fairy == "allowed":
        castles = castles_of(position)
        for number, castle in enumerate(castles, 1):
            for follower in castle.followers:
                yield MoveFairy(castle.cells[0], _castle_name(position, castle, follower, castles[number:])), follower


def _castle_name(position: Tabletop, castle: Castle, follower: Follower, later: Sequence[Castle]) -> str:
    """Return the name of a castle in actions; the earlier of two castles on a tile is named by its side."""
    cell = castle.cells[0]
    rivals = (other for other in later if other.cells[0] == cell)
    if any(inside.player == follower.player for other in rivals for inside in other.followers):
        return castle_by_side(position.land, castle, cell)
    return CASTLE


def _award(position: Tabletop, player: Seat, points: int) -> None:
    """Give a player points for the fairy."""
    fairy = fairy_of(position)
    cells = () if fairy is None else (fairy.cell,)
    position.award(Scored(player, points, FAIRY, (Term(FAIRY, 1, points),), cells, final=False))


def _write_fairy(position: Tabletop) -> str:
    """Write the fairy's cell and the follower to which she was moved: ``M12 2@M12.city.N``."""
    fairy = fairy_of(position)
    return "" if fairy is None else f"{fairy.cell.label} {follower_text(position.land, fairy.follower)}"


def _read_fairy(position: Tabletop, text: str) -> None:
    """Read what :func:`_write_fairy` wrote."""
    cell, follower = text.split()
    position.extra[FAIRY] = Fairy(Cell.parse(cell), read_follower(position, follower))


BOX: Final = Box(
    name="fairy",
    mechanisms=(Fairies(),),
    number=3,
    depends_on=(BCB,),
    forms=(Form(re.compile(rf"fairy:{CELL}\.{SEGMENT}"), lambda cell, name: MoveFairy(Cell.parse(cell), name)),),
    extra_codecs=(ExtraCodec("Fairy", _write_fairy, _read_fairy),),
)
