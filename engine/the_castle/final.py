"""The final scoring of The Castle (TC-69 to TC-87): the largest keep, the courts, and the wall tiles 4, 5, 6 and 9.

A keep marks its player's largest house. Merchants are the figures in courts; the markets drawn there score for the
player with most merchants. Wall tiles, numbered from 1 to 9, are bonuses that players have taken from the castle wall.
``root`` is the segment that represents a feature, see :mod:`engine.board`. TC-69 and the like are rules of the rule
digest.

No player decides anything here: wall tiles are used where they bring most points. The functions return the results as
if the game ended now; :class:`FinalScoring` awards the points.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple

from engine.actions import NO_SEAT, Seat, seats
from engine.agenda import Task
from engine.board import SegmentNumber
from engine.events import GameOver, Scored, Term
from engine.geometry import AROUND, STEP, Cell, Square
from engine.the_castle.events import KeepsCompared
from engine.the_castle.scoring import feature_terms, owner_of
from engine.the_castle.table import KEEP, Tabletop
from engine.the_castle.tiles import FeatureKind
from engine.the_castle.wall import SCORED_WHEN_INCOMPLETE, WallTile, wall

MARKET_POINTS: Final = 3
"""The points of a market in a court (TC-86)."""
RAISED_MARKET_POINTS: Final = {0: 3, 1: 4, 2: 8}
"""The points of a market by the number of wall tiles 7 used on its court (TC-77, TC-78)."""
WALL_TILE_9_POINTS: Final = 5
"""The points of a wall tile 9 (TC-80)."""
KEEP_BONUS: Final = {"tiles": 2, "quarters": 8}
"""The size that a wall tile 8 adds to a keep, by option ``tc_keep_measure`` (TC-79)."""
NO_FEATURE: Final = SegmentNumber(-1)
"""The root number that stands for no feature."""
WALL_TILE_SCORE: Final = "wall_tile_{}"
"""The kind of the scores of wall tiles 4, 5, 6 and 9, by their number."""


class EmptyArea(NamedTuple):
    """Connected empty cells within the wall; ``starts`` counts the start spaces beside them that count too (TC-84)."""

    cells: tuple[Cell, ...]
    starts: int

    @property
    def size(self) -> int:
        """The points that it is worth (TC-82)."""
        return len(self.cells) + self.starts


class KeepResult(NamedTuple):
    """The comparison of the keeps.

    ``sizes`` are by seat, 0 without a keep; ``counted`` includes wall tiles 8. ``player`` has the largest keep, or is
    -1 on a tie. ``area`` is the largest empty area.
    """

    sizes: tuple[int, ...]
    counted: tuple[int, ...]
    player: Seat
    area: EmptyArea | None

    @property
    def points(self) -> int:
        """The points of the player with the largest keep."""
        return self.area.size if self.area is not None and self.player != NO_SEAT else 0


class CourtResult(NamedTuple):
    """The result of a court (root).

    ``player`` has most merchants, or is -1 on a tie. ``used`` is the number of wall tiles 7, which raise the points of
    each of the ``markets``.
    """

    root: SegmentNumber
    player: Seat
    markets: int
    used: int

    @property
    def points(self) -> int:
        """The player's points."""
        return 0 if self.player == NO_SEAT else self.markets * RAISED_MARKET_POINTS[self.used]


class WallTileResult(NamedTuple):
    """The result of a player's ``held`` wall tiles of one kind, and the feature (root, or -1) that they score."""

    player: Seat
    kind: WallTile
    held: int
    root: SegmentNumber
    terms: tuple[Term, ...]

    @property
    def points(self) -> int:
        """The player's points."""
        return sum(term.points for term in self.terms)


def empty_areas(position: Tabletop) -> list[EmptyArea]:
    """Return the empty areas within the wall, the largest first (TC-82, options O-20 and O-30)."""
    ward, options = position.ward, position.options
    steps = AROUND if options.tc_empty_area_adjacency == "diagonal" else STEP
    empty = dict.fromkeys(cell.square for cell in wall().interior if cell.square not in ward.placed)
    start_neighbours = [start.inside.square for start in wall().starts if options.tc_empty_area_includes_start_spaces]
    areas = []
    while empty:
        area = [empty.popitem()[0]]
        for square in area:
            reached = [neighbour for step in steps if (neighbour := Square(square + step)) in empty]
            area += reached
            for visited in reached:
                del empty[visited]
        cells = sorted(map(Cell.at, area), key=lambda cell: (cell.y, cell.x))
        areas.append(EmptyArea(tuple(cells), sum(start in area for start in start_neighbours)))
    return sorted(areas, key=lambda area: (-area.size, area.cells[0].y, area.cells[0].x))


def keep_result(position: Tabletop) -> KeepResult:
    """Compare the keeps (TC-81, TC-91)."""
    bonus = KEEP_BONUS[position.options.tc_keep_measure]
    sizes = tuple(keep.size if keep else 0 for keep in position.keeps)
    counted = tuple(
        size + bonus * hand.count(WallTile.LARGER_KEEP) if size else 0
        for size, hand in zip(sizes, position.hands, strict=True)
    )
    largest = max(counted)
    player = Seat(counted.index(largest)) if counted.count(largest) == 1 else NO_SEAT
    return KeepResult(sizes, counted, player, next(iter(empty_areas(position)), None))


def potential_points(position: Tabletop, cell: Cell, name: str) -> int:
    """Return the points of a path, tower or house if it were complete as it lies, and of a court for its markets.

    Raises:
        KeyError: there is no such segment.
    """
    ward = position.ward
    root = ward.find(ward.number_of(cell, name))
    if ward.kind[root] == FeatureKind.COURT:
        return MARKET_POINTS * ward.marks[root]
    return sum(term.points for term in feature_terms(position, root))


def court_results(position: Tabletop) -> list[CourtResult]:
    """Return the courts that may score (TC-85 to TC-87), with each player's wall tiles 7 used on their best (TC-77)."""
    ward = position.ward
    courts = [
        CourtResult(root, owner_of(position, root), ward.marks[root], 0)
        for root, merchants in zip(ward.numbers, ward.holders, strict=True)
        if merchants and ward.kind[root] == FeatureKind.COURT and ward.marks[root]
    ]
    courts.sort(key=lambda court: _first_port(position, court.root))
    for seat, hand in enumerate(position.hands):
        best = max((court for court in courts if court.player == seat), key=lambda court: court.markets, default=None)
        if best is not None:
            courts[courts.index(best)] = best._replace(used=hand.count(WallTile.MARKETS))
    return courts


def wall_tile_results(position: Tabletop) -> list[WallTileResult]:
    """Return the results of the wall tiles 4, 5, 6 and 9 (TC-73 to TC-76, TC-80)."""
    results = []
    for seat, hand in zip(seats(position.players), position.hands, strict=True):
        for kind in (*SCORED_WHEN_INCOMPLETE, WallTile.FIVE_POINTS):
            count = hand.count(kind)
            if count and kind in SCORED_WHEN_INCOMPLETE:
                results.append(_incomplete_result(position, seat, kind, count))
            elif count:
                terms = (Term("wall_tiles", count, WALL_TILE_9_POINTS * count),)
                results.append(WallTileResult(seat, kind, count, NO_FEATURE, terms))
    return results


def _incomplete_result(position: Tabletop, seat: Seat, kind: WallTile, count: int) -> WallTileResult:
    """Return the player's most valuable incomplete feature, scored twice with both wall tiles (TC-76)."""
    ward = position.ward
    wells = position.options.tc_incomplete_path_fountain == 2
    scores = [
        WallTileResult(seat, kind, count, root, feature_terms(position, root, wells=wells))
        for root, followers in zip(ward.numbers, ward.holders, strict=True)
        if followers
        and ward.kind[root] == SCORED_WHEN_INCOMPLETE[kind]
        and ward.ends[root]
        and owner_of(position, root) == seat
    ]
    if not scores:
        return WallTileResult(seat, kind, count, NO_FEATURE, ())
    best = min(scores, key=lambda score: (-score.points, _first_port(position, score.root)))
    repeated = (Term("again", count - 1, best.points),) if count > 1 else ()
    return best._replace(terms=(*best.terms, *repeated))


def _first_port(position: Tabletop, root: SegmentNumber) -> tuple[int, int, int]:
    """Return a sort key for a feature: its first cell in reading order, and its first port on that tile.

    A port is a place where a segment meets the neighbouring tile; see :data:`engine.the_castle.tiles.PORTS`.
    """
    ward = position.ward
    parts = [ward.part(number) for number in ward.numbers if ward.find(number) == root]
    return min((cell.y, cell.x, min(segment.ports)) for cell, segment in parts)


@dataclass(frozen=True, slots=True)
class FinalScoring(Task[Tabletop]):
    """The end of the game: remaining wall tiles are removed from the wall, then everything is scored (TC-70, TC-72)."""

    def run(self, position: Tabletop) -> None:
        """Award the points in the order of the rules."""
        position.wall_cleared = True
        keeps = keep_result(position)
        position.emit(KeepsCompared(keeps.sizes, keeps.counted, keeps.player))
        for score in (*_keep_scores(keeps), *_court_scores(position), *_wall_tile_scores(position)):
            position.award(score)
        position.emit(GameOver(tuple(position.scores)))


def _keep_scores(result: KeepResult) -> Iterator[Scored]:
    """Yield the score of the largest keep, which brings the size of the largest empty area; none on a tie."""
    if result.points and result.area is not None:
        spaces = Term("spaces", len(result.area.cells), len(result.area.cells))
        starts = (Term("start_spaces", result.area.starts, result.area.starts),) if result.area.starts else ()
        yield Scored(result.player, result.points, KEEP, (spaces, *starts), result.area.cells, final=True)


def _court_scores(position: Tabletop) -> Iterator[Scored]:
    """Yield the score of each court that belongs to a player."""
    for court in court_results(position):
        if court.player != NO_SEAT:
            plain = court.markets * MARKET_POINTS
            raised = (Term("raised", court.used, court.points - plain),) if court.used else ()
            terms = (Term("markets", court.markets, plain), *raised)
            cells = position.ward.cells(court.root)
            yield Scored(court.player, court.points, FeatureKind.COURT, terms, cells, final=True)


def _wall_tile_scores(position: Tabletop) -> Iterator[Scored]:
    """Yield the score of each wall tile that brings points."""
    for result in wall_tile_results(position):
        if result.points:
            cells = position.ward.cells(result.root) if result.root >= 0 else ()
            kind = WALL_TILE_SCORE.format(result.kind.value)
            yield Scored(result.player, result.points, kind, result.terms, cells, final=True)
