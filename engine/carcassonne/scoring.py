"""Points: of structures when they are completed, of everything at the end, each with the terms that explain it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from engine.agenda import Task
from engine.carcassonne.tiles import FeatureKind
from engine.events import Completed, GameOver, Returned, Scored, Term
from engine.geometry import Cell
from engine.joining import Follower, majority

if TYPE_CHECKING:
    from engine.carcassonne.position import Position

MONASTERY_POINTS: Final = 9
TOWN_TILES: Final = 2
FIELD_CITY_POINTS: Final = {"farm3": 3, "farm3_once_per_city": 3, "city4": 4}
"""Points for a completed city on a field, by option ``farm_scoring`` (BA-28, BA-30, BA-31)."""


class Round(NamedTuple):
    """A scoring round (CA-28a): who placed the tile and the roots of what it completed, as far as it is to be scored.

    ``sources`` says where each castle that scores takes its points from (:mod:`engine.carcassonne.expansions.castles`).
    """

    player: int
    completed: tuple[int, ...]
    sources: tuple[tuple[int, int], ...] = ()


def structure_terms(position: Position, root: int) -> tuple[Term, ...]:
    """What a road, city or monastery is worth now: completed (BA-15 to BA-19) or not (BA-25, BA-26)."""
    land = position.land
    tiles = land.tiles[root].bit_count()
    complete = not land.ends[root]
    match land.kind[root]:
        case FeatureKind.ROAD:
            return (Term("tiles", tiles, tiles),)
        case FeatureKind.CITY:
            small = tiles == TOWN_TILES and position.options.small_city_points == 2
            factor = 2 if complete and not small else 1
            pennants = land.marks[root]
            terms = (Term("tiles", tiles, factor * tiles),)
            return (*terms, Term("pennants", pennants, factor * pennants)) if pennants else terms
        case FeatureKind.MONASTERY:
            count = MONASTERY_POINTS - land.ends[root]
            return (Term("tiles", count, count),)
        case _:
            return ()


def structure_points(position: Position, root: int) -> int:
    """The sum of :func:`structure_terms`."""
    return sum(term.points for term in structure_terms(position, root))


@dataclass(frozen=True, slots=True)
class PayStructures(Task["Position"]):
    """Pay the holders of everything that was completed; structures without followers count all the same (CA-31)."""

    def run(self, position: Position) -> None:
        """Pay in the order of the round."""
        for root in position.current_round.completed:
            pay(position, root, final=False)


def pay(position: Position, root: int, *, final: bool) -> None:
    """Give a structure's points to those who have the majority there."""
    terms = structure_terms(position, root)
    points = sum(term.points for term in terms)
    cells = position.land.cells(root)
    kind = position.land.kind[root]
    if not final:
        position.note(Completed(kind, cells, points))
    for player in majority(position.land.holders[root]):
        position.award(Scored(player, points, kind, terms, cells, final))


@dataclass(frozen=True, slots=True)
class SendHome(Task["Position"]):
    """The followers of what was scored return (BA-22)."""

    def run(self, position: Position) -> None:
        """Return them to their supplies and close the round."""
        land = position.land
        for root in position.current_round.completed:
            for follower in land.holders[root]:
                return_follower(position, follower)
            land.holders[root] = ()
        position.round = None


def return_follower(position: Position, follower: Follower) -> None:
    """Put a figure back into its owner's supply."""
    position.supply[follower.figure][follower.player] += 1
    position.note(Returned(follower.player, Cell.at(position.land.home[follower.segment]), follower.figure))


@dataclass(frozen=True, slots=True)
class FinalScoring(Task["Position"]):
    """The end of the game (BA-24): unfinished structures, then fields."""

    def run(self, position: Position) -> None:
        """Pay everything that still holds followers."""
        land = position.land
        fields = []
        for number, followers in enumerate(land.holders):
            if not followers or land.find(number) != number:
                continue
            if land.kind[number] == FeatureKind.FIELD:
                fields.append(number)
            else:
                pay(position, number, final=True)
        if position.options.farm_scoring == "city4":
            _pay_cities_to_farmers(position, fields)
        else:
            _pay_fields(position, fields)
        for expansion in position.expansions:
            expansion.game_ending(position)
        position.note(GameOver(tuple(position.scores)))


def field_values(position: Position) -> dict[int, dict[int, tuple[str, int]]]:
    """For each field (root) what it touches that scores for farmers: root of the city to its kind and points.

    A completed city counts 3 (BA-28), or 4 by the oldest rules (BA-31); what else counts an expansion says (CA-56).
    """
    land = position.land
    city_points = FIELD_CITY_POINTS[position.options.farm_scoring]
    values: dict[int, dict[int, tuple[str, int]]] = {}
    for tile in land.placed.values():
        for index, segment in enumerate(tile.face.segments):
            for city_index in segment.cities:
                city = land.find(tile.base + city_index)
                value = _field_value(position, city, city_points)
                if value is not None:
                    values.setdefault(land.find(tile.base + index), {})[city] = value
    return values


def _field_value(position: Position, root: int, city_points: int) -> tuple[str, int] | None:
    for expansion in position.expansions:
        value = expansion.field_value(position, root, city_points)
        if value is not None:
            return value
    land = position.land
    complete_city = land.kind[root] == FeatureKind.CITY and not land.ends[root]
    return ("city", city_points) if complete_city else None


_PLURAL: Final = {"city": "cities", "castle": "castles"}


def _field_terms(values: Iterable[tuple[str, int]]) -> tuple[Term, ...]:
    counts: dict[str, tuple[int, int]] = {}
    for kind, points in values:
        count, total = counts.get(kind, (0, 0))
        counts[kind] = (count + 1, total + points)
    return tuple(Term(_PLURAL[kind], count, total) for kind, (count, total) in counts.items())


def _pay_fields(position: Position, fields: Iterable[int]) -> None:
    """Field by field (BA-28, BA-29); with ``farm3_once_per_city`` a player scores each city once only (BA-30)."""
    once = position.options.farm_scoring == "farm3_once_per_city"
    values = field_values(position)
    counted: set[tuple[int, int]] = set()
    for field in fields:
        for player in majority(position.land.holders[field]):
            cities = {
                city: value
                for city, value in values.get(field, {}).items()
                if not once or (player, city) not in counted
            }
            counted.update((player, city) for city in cities)
            _award_field(position, player, _field_terms(cities.values()), position.land.cells(field))


def _pay_cities_to_farmers(position: Position, fields: Iterable[int]) -> None:
    """City by city: most farmers in all fields around it together (BA-31)."""
    values = field_values(position)
    farmers: dict[int, list[Follower]] = {}
    worth: dict[int, tuple[str, int]] = {}
    for field in fields:
        for city, value in values.get(field, {}).items():
            worth[city] = value
            farmers.setdefault(city, []).extend(position.land.holders[field])
    for city, value in worth.items():
        for player in majority(farmers[city]):
            _award_field(position, player, _field_terms([value]), position.land.cells(city))


def _award_field(position: Position, player: int, terms: tuple[Term, ...], cells: tuple[Cell, ...]) -> None:
    points = sum(term.points for term in terms)
    position.award(Scored(player, points, FeatureKind.FIELD, terms, cells, final=True))
