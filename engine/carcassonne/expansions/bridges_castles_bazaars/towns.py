"""Towns (CA-01 to CA-20, CA-61 to CA-67): completed cities of two tiles that are scored or turned into castles.

A town with several majority holders is shared: each of them decides, and those who build a castle own it together. A
token is the piece that a player pays for a castle. Codes such as CA-01 are rules of the rule digest.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Final, assert_never

from engine.actions import Action, Seat
from engine.agenda import Step, Task
from engine.board import SegmentNumber, bits
from engine.carcassonne.expansions.bridges_castles_bazaars.actions import BuildCastle, ScoreTown
from engine.carcassonne.expansions.bridges_castles_bazaars.events import CastleBuilt
from engine.carcassonne.expansions.bridges_castles_bazaars.fiefs import CASTLE, SHARED, Castle, castles_of, fief_of
from engine.carcassonne.expansions.bridges_castles_bazaars.options import options_of
from engine.carcassonne.scoring import PayStructures, send_home, structure_points, structure_terms
from engine.carcassonne.table import Expansion, Tabletop
from engine.carcassonne.tiles import FeatureKind
from engine.events import Scored, Term
from engine.figures import return_figure
from engine.geometry import Cell

TOWN_TILES: Final = 2
"""The number of tiles of a town (CA-01)."""
BUILDERS: Final = "builders of a castle"
"""Key in ``position.extra``: the players of a shared town who have chosen a castle so far."""


def is_town(position: Tabletop, root: SegmentNumber) -> bool:
    """Return True if a completed city may become a castle, by shape (CA-01 to CA-05) and holders (CA-06 to CA-08)."""
    return has_town_shape(position, root) and bool(deciders(position, root))


def has_town_shape(position: Tabletop, root: SegmentNumber) -> bool:
    """Return True if a city has the shape that a castle needs (CA-01 to CA-05)."""
    land = position.land
    if land.tiles[root].bit_count() != TOWN_TILES:
        return False
    pieces = [
        segment
        for number in bits(land.tiles[root])
        for index, segment in land.segments(land.placed[land.order[number]])
        if land.find(index) == root
    ]
    match options_of(position).castle_town_shape:
        case "semicircles":
            return all(piece.cap for piece in pieces)
        case "city_ends":
            return all(len(piece.places) == 1 for piece in pieces)
        case "any_two_tiles":
            return True
        case never:
            assert_never(never)


def deciders(position: Tabletop, root: SegmentNumber) -> list[Seat]:
    """Return the players who may turn a town into a castle: those who hold it (CA-07, CA-61).

    The player of the round comes first. With ``own_tile_only`` only they may, since their tile completed it (CA-08).
    """
    owners = sorted(_holders(position, root), key=position.seats_from)
    if options_of(position).castle_conversion_trigger == "own_tile_only":
        owners = [owner for owner in owners if owner == position.current_round.player]
    barring = position.hook_handlers[Expansion.bars_change]
    return [owner for owner in owners if not any(box.bars_change(position, owner, root) for box in barring)]


def _holders(position: Tabletop, root: SegmentNumber) -> tuple[Seat, ...]:
    """Return the players with the majority in a town, or all with followers there if none of these counts (CA-11)."""
    land = position.land
    followers = (figure.player for figure in land.holders[root] if land.is_follower(figure))
    return land.owners(root) or tuple(sorted({*followers}))


@dataclass(frozen=True, slots=True)
class AskTowns(Task[Tabletop]):
    """The questions about several towns, one town after the other."""

    towns: tuple[SegmentNumber, ...]

    def run(self, position: Tabletop) -> None:
        """Ask the holders of the first town who have a token left (CA-13, CA-19, CA-67)."""
        for index, root in enumerate(self.towns):
            holders = [player for player in deciders(position, root) if position.supply[CASTLE][player]]
            if holders:
                position.agenda.append(AskTowns(self.towns[index + 1 :]))
                if _is_shared(position, root):
                    position.agenda.append(SettleTown(root))
                # The agenda is a stack: the entry pushed last comes first.
                position.agenda += [town_question(position, root, player) for player in reversed(holders)]
                return


def _is_shared(position: Tabletop, root: SegmentNumber) -> bool:
    """Return True if several players hold a town."""
    return len(_holders(position, root)) > 1


def town_question(position: Tabletop, root: SegmentNumber, player: Seat) -> DecideTown:
    """Return the step in which a player decides about a town, which scores only for those with the majority."""
    first, second = position.land.cells(root)
    points = structure_points(position, root) if player in position.land.owners(root) else 0
    return DecideTown(player, (first, second), points, root)


@dataclass(frozen=True, slots=True)
class DecideTown(Step[Tabletop]):
    """Score a town or build a castle on it (CA-01); ``points`` is the score of the town."""

    out_of_turn: ClassVar[bool] = True
    player: Seat
    cells: tuple[Cell, Cell]
    points: int
    root: SegmentNumber

    def actions(self, position: Tabletop) -> Sequence[Action]:
        """Return scoring and building."""
        return (ScoreTown(), BuildCastle())

    def apply(self, position: Tabletop, action: Action) -> None:
        """Build the castle, or let the town be scored with everything else."""
        if not isinstance(action, BuildCastle):
            return
        if _is_shared(position, self.root):
            position.extra[BUILDERS] = (*position.extra.get(BUILDERS, ()), self.player)
        else:
            build_castle(position, self.root, (self.player,))

    def forfeit(self, position: Tabletop) -> None:
        """Let the town be scored."""


def build_castle(position: Tabletop, root: SegmentNumber, builders: tuple[Seat, ...]) -> None:
    """Turn a town into a castle of these players: it leaves the round and is no longer a city (CA-12 to CA-18).

    The builders' followers move in, all others return (CA-61, CA-63), and each builder pays a token (CA-66).
    """
    land = position.land
    first, second = land.cells(root)
    followers = tuple(entry for entry in land.holders[root] if entry.player in builders and land.is_follower(entry))
    for follower in land.holders[root]:
        if follower not in followers:
            return_figure(position, follower)
    land.holders[root] = ()
    land.kind[root] = CASTLE
    newest, fief = len(land.order) - 1, fief_of(first, second)
    castle = Castle(builders[0], (first, second), fief, followers, root, newest, position.turn)
    position.extra[CASTLE] = (*castles_of(position), castle)
    if len(builders) > 1:
        position.extra[SHARED] = (*position.extra.get(SHARED, ()), (root, len(builders)))
    for player in builders:
        position.supply[CASTLE][player] -= 1
        position.emit(CastleBuilt(player, (first, second)))
    current = position.current_round
    position.round = current._replace(completed=tuple(entry for entry in current.completed if entry != root))


@dataclass(frozen=True, slots=True)
class SettleTown(Task[Tabletop]):
    """The result of a shared town once all its holders have answered (CA-62 to CA-64)."""

    root: SegmentNumber

    def run(self, position: Tabletop) -> None:
        """Build the castle of those who want one; the town then scores for the majority among the other players."""
        builders: tuple[Seat, ...] = position.extra.pop(BUILDERS, ())
        if not builders:
            return
        land = position.land
        followers = land.holders[self.root]
        scorers = [player for player in land.majority(followers) if player not in builders]
        staying = tuple(entry for entry in followers if scorers and entry.player not in builders)
        terms = structure_terms(position, self.root)
        land.holders[self.root] = tuple(entry for entry in followers if entry not in staying)
        build_castle(position, self.root, builders)
        if staying:
            land.holders[self.root] = staying
            # Below the payment of all other structures in the stack: it comes right after that.
            position.agenda.insert(position.agenda.index(PayStructures()), PayTown(self.root, terms))


@dataclass(frozen=True, slots=True)
class PayTown(Task[Tabletop]):
    """The scoring of a town for some players after others have built a castle on it (CA-64)."""

    root: SegmentNumber
    terms: tuple[Term, ...]

    def run(self, position: Tabletop) -> None:
        """Score for the majority among the players who are not builders; their followers return."""
        land = position.land
        followers, cells = land.holders[self.root], land.cells(self.root)
        points = sum(term.points for term in self.terms)
        for player in land.majority(followers):
            position.award(Scored(player, points, FeatureKind.CITY, self.terms, cells, final=False))
        send_home(position, followers)
        land.holders[self.root] = ()
