"""Scoring: structures when they are completed, and everything at the end of the game.

A structure is a road, city or monastery. Each score lists its terms, such as 4 tiles for 8 points, so that it can be
explained. ``root`` is the number of the segment that represents a feature, see :mod:`engine.board`. Codes such as BA-19
are rules of the rule digest.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from engine.actions import Seat
from engine.agenda import Task
from engine.board import Follower, SegmentNumber, bits
from engine.carcassonne.landscape import PlacedTile
from engine.carcassonne.table import Expansion, FarmerBonus, Tabletop
from engine.carcassonne.tiles import FeatureKind
from engine.events import Completed, GameOver, Scored, Term
from engine.geometry import Cell

MONASTERY_POINTS: Final = 9
"""The points of a completed monastery: one for its tile and for each of the eight around it (BA-19).

Other features that are complete when they are surrounded bring as many."""
SMALL_CITY_TILES: Final = 2
"""The number of tiles of a small city, which by an option brings fewer points (BA-17)."""
FIELD_CITY_POINTS: Final = {"farm3": 3, "farm3_once_per_city": 3, "city4": 4}
"""The points of a completed city on a field, by option ``farm_scoring`` (BA-28, BA-30, BA-31)."""


def structure_terms(position: Tabletop, root: SegmentNumber) -> tuple[Term, ...]:
    """Return the current value of a road, city or monastery, by the base game and the expansions."""
    terms = _plain_terms(position, root)
    for expansion in position.hook_handlers[Expansion.structure_worth]:
        terms = expansion.structure_worth(position, root, terms)
    return terms


def _plain_terms(position: Tabletop, root: SegmentNumber) -> tuple[Term, ...]:
    """Return the value of a structure in the base game: completed (BA-15 to BA-19) or not (BA-25, BA-26)."""
    land = position.land
    tiles = land.tiles[root].bit_count()
    complete = not land.ends[root]
    match land.kind[root]:
        case FeatureKind.ROAD:
            return (Term("tiles", tiles, tiles),)
        case FeatureKind.CITY:
            is_small = tiles == SMALL_CITY_TILES and position.options.small_city_points == 2
            factor = 2 if complete and not is_small else 1
            pennants = land.marks[root]
            terms = (Term("tiles", tiles, factor * tiles),)
            return (*terms, Term("pennants", pennants, factor * pennants)) if pennants else terms
        case kind if kind in land.surrounded:
            count = MONASTERY_POINTS - land.ends[root]
            return (Term("tiles", count, count),)
        case _:
            return ()


def structure_points(position: Tabletop, root: SegmentNumber) -> int:
    """Return the sum of :func:`structure_terms`."""
    return sum(term.points for term in structure_terms(position, root))


def potential_points(position: Tabletop, cell: Cell, name: str) -> int:
    """Return the points of a road, city or monastery if it were complete as it lies, and of a field as it is now.

    Raises:
        KeyError: there is no such segment.
    """
    trial = position.copy()
    land = trial.land
    root = land.find(land.number_of(cell, name))
    if land.kind[root] == FeatureKind.FIELD:
        return sum(points for _, points in field_values(trial).get(root, {}).values())
    land.ends[root] = 0
    return structure_points(trial, root)


@dataclass(frozen=True, slots=True)
class PayStructures(Task[Tabletop]):
    """Score everything that was completed; structures without followers count as completed, too (CA-31)."""

    def run(self, position: Tabletop) -> None:
        """Score in the order of the round."""
        for root in position.current_round.completed:
            pay(position, root, final=False)


def pay(position: Tabletop, root: SegmentNumber, *, final: bool) -> None:
    """Give a structure's points to the players with the majority."""
    terms = structure_terms(position, root)
    points = sum(term.points for term in terms)
    cells = position.land.cells(root)
    kind = position.land.kind[root]
    if not final:
        position.emit(Completed(kind, cells, points))
    for player in position.land.owners(root):
        position.award(Scored(player, points, kind, terms, cells, final))


@dataclass(frozen=True, slots=True)
class SendHome(Task[Tabletop]):
    """The return of the followers of the scored structures (BA-22)."""

    def run(self, position: Tabletop) -> None:
        """Return them to their supplies and end the round."""
        land = position.land
        for root in position.current_round.completed:
            if land.holders[root]:
                send_home(position, land.holders[root])
                land.holders[root] = ()
        position.round = None


def send_home(position: Tabletop, followers: Sequence[Follower]) -> None:
    """Let each figure of a scored feature do what its kind prescribes; most kinds return to their owners."""
    for expansion in position.hook_handlers[Expansion.followers_returning]:
        expansion.followers_returning(position, followers)
    for follower in followers:
        position.figures[follower.figure].scored(position, follower)


@dataclass(frozen=True, slots=True)
class FinalScoring(Task[Tabletop]):
    """The end of the game (BA-24): unfinished structures, then fields."""

    def run(self, position: Tabletop) -> None:
        """Score everything that still has followers."""
        land = position.land
        for number, followers in zip(land.numbers, land.holders, strict=True):
            if followers and land.kind[number] != FeatureKind.FIELD:
                pay(position, number, final=True)
        for score in field_scores(position):
            position.award(Scored(score.player, score.points, FeatureKind.FIELD, score.terms, score.cells, final=True))
        for expansion in position.hook_handlers[Expansion.game_ending]:
            expansion.game_ending(position)
        position.emit(GameOver(tuple(position.scores)))


FieldValues = Mapping[SegmentNumber, Mapping[SegmentNumber, tuple[str, int]]]
"""For each field (root) the features that score for its farmers: their roots, term names and points."""


def field_values(
    position: Tabletop, city_points: int | None = None, only: Iterable[SegmentNumber] | None = None
) -> FieldValues:
    """Return the value of every field: 3 for a completed city (BA-28), or 4 by the oldest rules (BA-31).

    ``city_points`` are the points of a city where a box has its own. Expansions can count other features, too (CA-56).
    If ``only`` some fields (roots) are asked for, others may be incomplete or missing.
    """
    land = position.land
    if city_points is None:
        city_points = FIELD_CITY_POINTS[position.options.farm_scoring]
    values: dict[SegmentNumber, dict[SegmentNumber, tuple[str, int]]] = {}
    tiles: Iterable[PlacedTile] = land.placed.values()
    if only is not None:
        numbers = sorted({number for root in only for number in bits(land.tiles[root])})
        tiles = (land.placed[land.order[number]] for number in numbers)
    for tile in tiles:
        for number, segment in land.segments(tile):
            for city_index in segment.cities:
                city = land.find(SegmentNumber(tile.base + city_index))
                value = city_value(position, city, city_points)
                if value is not None:
                    values.setdefault(land.find(number), {})[city] = value
    return values


def city_value(position: Tabletop, root: SegmentNumber, city_points: int) -> tuple[str, int] | None:
    """Return the value of a city, or of what took its place, to farmers: name and points; None if it is open."""
    for expansion in position.hook_handlers[Expansion.field_value]:
        value = expansion.field_value(position, root, city_points)
        if value is not None:
            return value
    return None if position.land.ends[root] else ("cities", city_points)


def field_terms(values: Iterable[tuple[str, int]]) -> tuple[Term, ...]:
    """Return the terms of a field's score: cities and the features of boxes, each kind with its count and points."""
    counts: dict[str, tuple[int, int]] = {}
    for kind, points in values:
        count, total = counts.get(kind, (0, 0))
        counts[kind] = (count + 1, total + points)
    return tuple(Term(kind, count, total) for kind, (count, total) in counts.items())


class FieldScore(NamedTuple):
    """A player's score for a field (root): the cities that count, by root, and the cells to highlight.

    ``bonuses`` (name and points) are added for each city, or feature in place of one, that counts (CA-57).
    """

    player: Seat
    field: SegmentNumber
    cities: Mapping[SegmentNumber, tuple[str, int]]
    cells: tuple[Cell, ...]
    bonuses: tuple[tuple[str, int], ...]

    @property
    def terms(self) -> tuple[Term, ...]:
        """The terms of the cities and of the bonuses."""
        terms = field_terms(self.cities.values())
        counting = sum(1 for _, points in self.cities.values() if points)
        return (*terms, *(Term(name, counting, counting * points) for name, points in self.bonuses if counting))

    @property
    def points(self) -> int:
        """The sum of the terms."""
        return sum(term.points for term in self.terms)


def pay_field(
    position: Tabletop, root: SegmentNumber, *, staying: Sequence[Follower] = (), city_points: int | None = None
) -> None:
    """Score one field in the middle of the game; its figures return, except those that are ``staying``.

    Its cities count again in the final scoring. ``city_points`` are the points of a city where a box has its own.
    """
    land = position.land
    for score in field_scores(position, (root,), city_points):
        position.award(Scored(score.player, score.points, FeatureKind.FIELD, score.terms, score.cells, final=False))
    send_home(position, [figure for figure in land.holders[root] if figure not in staying])
    land.holders[root] = tuple(staying)


def field_scores(
    position: Tabletop, only: Iterable[SegmentNumber] | None = None, city_points: int | None = None
) -> Iterator[FieldScore]:
    """Return the farmers' scores if the game ended now, by option ``farm_scoring``: on all fields, or on ``only``.

    ``city_points`` are the points of a city where a box has its own.
    """
    land = position.land
    fields = [
        number
        for number in (land.numbers if only is None else only)
        if land.holders[number] and land.kind[number] == FeatureKind.FIELD
    ]
    values = field_values(position, city_points, None if only is None else fields)
    if position.options.farm_scoring == "city4":
        return _city_by_city(position, fields, values)
    return _field_by_field(position, fields, values)


def _field_by_field(position: Tabletop, fields: Iterable[SegmentNumber], values: FieldValues) -> Iterator[FieldScore]:
    """Score fields by BA-28 and BA-29; with ``farm3_once_per_city`` a player scores each city only once (BA-30)."""
    land = position.land
    once = position.options.farm_scoring == "farm3_once_per_city"
    bonuses_of = _farmer_bonuses(position)
    shares = [
        (field, player, _bonuses(bonuses_of, land.holders[field], player))
        for field in fields
        for player in land.owners(field)
    ]
    if once:
        # A player's fields with the highest bonus come first, so that a city counts where it brings most.
        shares.sort(key=lambda share: -sum(points for _, points in share[2]))
    counted: set[tuple[int, int]] = set()
    for field, player, bonuses in shares:
        cities = {
            city: value for city, value in values.get(field, {}).items() if not once or (player, city) not in counted
        }
        counted.update((player, city) for city in cities)
        yield FieldScore(player, field, cities, land.cells(field), bonuses)


def _farmer_bonuses(position: Tabletop) -> list[FarmerBonus]:
    """Return the functions that give players' bonuses; they are asked of the expansions once for each scoring."""
    bonuses = [expansion.farmer_bonus(position) for expansion in position.hook_handlers[Expansion.farmer_bonus]]
    return [bonus for bonus in bonuses if bonus is not None]


def _bonuses(
    bonuses_of: Iterable[FarmerBonus], farmers: Sequence[Follower], player: Seat
) -> tuple[tuple[str, int], ...]:
    """Return the bonuses of a player for each city on a field."""
    bonuses = [bonus_of(farmers, player) for bonus_of in bonuses_of]
    return tuple([bonus for bonus in bonuses if bonus is not None])


def _city_by_city(position: Tabletop, fields: Iterable[SegmentNumber], values: FieldValues) -> Iterator[FieldScore]:
    """Score each city for the majority of farmers in all fields around it (BA-31).

    The score names the first of the player's fields there.
    """
    land = position.land
    bonuses_of = _farmer_bonuses(position)
    farmers: dict[SegmentNumber, list[Follower]] = {}
    worth: dict[SegmentNumber, tuple[str, int]] = {}
    for field in fields:
        for city, value in values.get(field, {}).items():
            worth[city] = value
            farmers.setdefault(city, []).extend(land.holders[field])
    for city, value in worth.items():
        for player in land.majority(farmers[city]):
            first = next(farmer for farmer in farmers[city] if farmer.player == player)
            bonuses = _bonuses(bonuses_of, farmers[city], player)
            yield FieldScore(player, land.find(first.segment), {city: value}, land.cells(city), bonuses)
