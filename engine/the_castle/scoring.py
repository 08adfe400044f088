"""Score completed paths, towers and houses in The Castle.

A score moves the player's marker along the castle wall. If it stops on a corner tower, the player takes the wall tile
there, a bonus with a number from 1 to 9. A keep is the piece that marks a player's largest house. TC-32 and the like
are rules of the rule digest; ``root`` is the segment that represents a feature, see :mod:`engine.board`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from engine.actions import NO_SEAT, Seat
from engine.board import SegmentNumber
from engine.events import Completed, Scored, Term
from engine.figures import return_figure
from engine.the_castle.events import KeepMoved, WallTilesUsed, WallTileTaken
from engine.the_castle.table import KEEP, Keep, Tabletop
from engine.the_castle.tiles import FeatureKind
from engine.the_castle.wall import DOUBLING_WALL_TILE, NO_CORNER, TRACK_SPACES, WallTile, wall

POINTS: Final[Mapping[str, int]] = {FeatureKind.PATH: 1, FeatureKind.TOWER: 2, FeatureKind.HOUSE: 1}
"""The points of each tile of a completed feature (TC-89); each well of a path adds 1 (TC-34)."""


def feature_terms(position: Tabletop, root: SegmentNumber, *, wells: bool = True) -> tuple[Term, ...]:
    """Return the value of a path, tower or house (TC-32 to TC-38); without ``wells``, wells do not count."""
    ward = position.ward
    size = ward.size(root)
    tiles = Term("tiles", size, POINTS[ward.kind[root]] * size)
    if wells and ward.kind[root] == FeatureKind.PATH and ward.marks[root]:
        return tiles, Term("wells", ward.marks[root], size)
    return (tiles,)


def feature_points(position: Tabletop, segment: SegmentNumber) -> int:
    """Return the sum of :func:`feature_terms`."""
    return sum(term.points for term in feature_terms(position, position.ward.find(segment)))


def owner_of(position: Tabletop, segment: SegmentNumber) -> Seat:
    """Return the seat with most figures on a feature, or :data:`NO_SEAT` on a tie or without figures (TC-41)."""
    owners = position.ward.owners(position.ward.find(segment))
    return owners[0] if len(owners) == 1 else NO_SEAT


def usable_wall_tiles(position: Tabletop, player: Seat, kind: WallTile) -> int:
    """Count the wall tiles of a kind that the player may use: not those taken in this turn (TC-59, TC-67)."""
    return position.hands[player].count(kind) - position.taken_this_turn.count(kind)


def use_wall_tiles(position: Tabletop, player: Seat, kind: WallTile, count: int) -> None:
    """Remove a player's wall tiles from the game (TC-59)."""
    hand = list(position.hands[player])
    for _ in range(count):
        hand.remove(kind)
    position.hands[player] = tuple(hand)
    position.emit(WallTilesUsed(player, kind, count))


def score_feature(position: Tabletop, player: Seat, segment: SegmentNumber, used: int) -> None:
    """Score a feature that ``player`` completed, and return its figures.

    ``used`` is the number of wall tiles used to double (1) or triple (2) it.
    """
    ward = position.ward
    root = ward.find(segment)
    kind, cells, terms = ward.kind[root], ward.cells(root), feature_terms(position, root)
    points = sum(term.points for term in terms)
    owner = owner_of(position, segment)
    position.emit(Completed(kind, cells, points))
    if used:
        use_wall_tiles(position, player, DOUBLING_WALL_TILE[kind], used)
        terms = (*terms, Term("doubled", used, used * points))
    if owner != NO_SEAT:
        position.award(Scored(owner, points * (1 + used), kind, terms, cells, final=False))
        _pick_up_now_or_later(position, player, owner)
        if kind == FeatureKind.HOUSE:
            _consider_keep(position, player, owner, root)
    _return_figures(position, root)


def _pick_up_now_or_later(position: Tabletop, player: Seat, owner: Seat) -> None:
    """Take a wall tile at once or, by option ``tc_wall_pickup``, remember the marker until the end of the turn."""
    if position.options.tc_wall_pickup == "end_of_turn":
        position.moved_markers = tuple({**dict.fromkeys(position.moved_markers), owner: None})
    else:
        pick_up(position, player, owner)


def pick_up(position: Tabletop, player: Seat, seat: Seat) -> None:
    """Let ``seat`` take the wall tile under their marker, if any, in a turn of ``player`` (TC-53 to TC-58)."""
    space = position.scores[seat] % TRACK_SPACES
    corner = wall().corner_at[space]
    if corner == NO_CORNER or corner not in position.corners:
        return
    position.taken = (*position.taken, corner)
    kind = position.setup.wall_tile_on(corner)
    position.hands[seat] = tuple(sorted((*position.hands[seat], kind)))
    if seat == player:
        position.taken_this_turn = (*position.taken_this_turn, kind)
    position.emit(WallTileTaken(seat, kind, space))


def _consider_keep(position: Tabletop, player: Seat, owner: Seat, root: SegmentNumber) -> None:
    """Put the owner's keep on a house that is larger than its current one (TC-49 to TC-52, TC-91)."""
    if owner != player and position.options.tc_keep_trigger == "self_completed_with_majority":
        return
    size = house_size(position, root)
    keep = position.keeps[owner]
    if keep is None:
        position.supply[KEEP][owner] -= 1
    elif size <= keep.size:
        return
    position.keeps[owner] = Keep(size, root)
    position.emit(KeepMoved(owner, size, position.ward.cells(root)))


def house_size(position: Tabletop, root: SegmentNumber) -> int:
    """Return the size of a house for keeps, in tiles or in quarters of tiles (TC-52, option ``tc_keep_measure``)."""
    ward = position.ward
    if position.options.tc_keep_measure == "tiles":
        return ward.size(root)
    numbers = [number for number in ward.numbers if ward.find(number) == root]
    return len({(ward.home[number], quarter) for number in numbers for quarter in ward.part(number)[1].quarters})


def _return_figures(position: Tabletop, root: SegmentNumber) -> None:
    """Return the figures to their supplies (TC-42)."""
    ward = position.ward
    for follower in ward.holders[root]:
        return_figure(position, follower)
    ward.holders[root] = ()
