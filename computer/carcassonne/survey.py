"""A survey of a position: all that placements are compared by, worked out once for each decision."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import combinations
from typing import Final

from computer.carcassonne.boxes import terms_of
from computer.carcassonne.boxes.terms import BoxTerms
from computer.carcassonne.outlooks import NO_GAPS, Appraiser, Gaps, Outlook
from computer.carcassonne.unseen import UnseenTiles
from computer.weights import Weights
from engine.actions import FIRST_SEAT, FOLLOWER, Seat
from engine.board import Follower, SegmentNumber
from engine.carcassonne import FeatureKind, Position
from engine.carcassonne.landscape import Landscape
from engine.carcassonne.scoring import FIELD_CITY_POINTS, city_value, structure_points
from engine.geometry import AROUND, STEP, Square

Parts = dict[str, float]
"""The parts of a value by name, in points ahead of the rivals."""
PART_OF: Final[Mapping[str, str]] = {
    FeatureKind.CITY: "cities",
    FeatureKind.ROAD: "roads",
    FeatureKind.MONASTERY: "monasteries",
    FeatureKind.FIELD: "fields",
}
STRUCTURES: Final = frozenset({FeatureKind.CITY, FeatureKind.ROAD})
JOINABLE: Final[Mapping[str, str]] = {
    FeatureKind.CITY: "join",
    FeatureKind.ROAD: "join",
    FeatureKind.FIELD: "join_field",
}
"""The weight of joining two features of each kind; monasteries are never joined."""
NO_TRAITS: Final = frozenset[str]()
NO_ROOTS: Final = frozenset[SegmentNumber]()


class Survey:
    """The features of a position with their gaps, and what each of them is worth.

    The position itself stays as it is; placements are tried on a copy.
    """

    def __init__(self, position: Position, weights: Weights) -> None:
        self.position = position
        self.weights = weights
        self.land = position.land
        self.terms: Sequence[BoxTerms] = terms_of(position.setup.expansions)
        """The terms of the boxes in play."""
        self.unseen = UnseenTiles(position.setup.pile, position.face_down)
        self.appraiser = Appraiser(
            self.unseen,
            position.players,
            weights,
            [term.worth for term in self.terms if type(term).worth is not BoxTerms.worth],
            FIELD_CITY_POINTS[position.options.farm_scoring],
        )
        self.urgency = min(1.0, self.appraiser.draws / weights["follower_horizon"])
        """The part of a piece's price that is left: little of it can be used towards the end."""
        self.scratch = position.copy()
        """A copy on which the engine carries out what is tried."""
        self._outlooks: dict[SegmentNumber, Outlook] = {}
        self._city_worth: dict[SegmentNumber, float] = {}
        self._ladder = _price_ladder(weights, self.urgency)
        self._price_of = {
            name: price for term in self.terms for name, price in term.figure_prices(weights, self.urgency).items()
        }
        self._on_table = {
            name: value
            for term in self.terms
            for name, value in term.figures_on_table(weights, self.appraiser.draws).items()
        }
        self.plain_figures = frozenset(position.figures.keys() - self._on_table.keys())
        """The figures that are worth nothing beside their part in majorities."""
        self._look_round()
        self._meetings: dict[Square, float] = {}
        self._meeting_stakes: Sequence[float] = ()

    def _look_round(self) -> None:
        """Find the gaps of all features, the cities beside each field, and what is drawn on them."""
        land = self.land
        find = land.find
        self.roots: Sequence[SegmentNumber] = [find(number) for number in land.numbers]
        """The root of every segment."""
        self.at_cell: dict[Square, set[SegmentNumber]] = {}
        """The roots of the structures that are open at each empty cell."""
        self.field_cells: dict[SegmentNumber, set[Square]] = {}
        """The empty cells beside each field."""
        self.gaps: Mapping[SegmentNumber, Gaps] = self._find_gaps()
        self.held_at: dict[Square, list[SegmentNumber]] = {}
        """The roots of the features with figures at each empty cell, as far as features may be joined there."""
        for root, cells in (*self.gaps.items(), *self.field_cells.items()):
            if land.holders[root]:
                for cell in cells:
                    self.held_at.setdefault(cell, []).append(root)
        self.cities: dict[SegmentNumber, set[SegmentNumber]] = {}
        """The roots of the cities beside each field."""
        self.traits: dict[SegmentNumber, frozenset[str]] = {}
        """The names of the attributes drawn on each feature."""
        self._read_drawings()
        self.fields_beside: dict[SegmentNumber, list[SegmentNumber]] = {}
        """The roots of the fields with farmers beside each city."""
        for field, beside in self.cities.items():
            if land.holders[field]:
                for city in beside:
                    self.fields_beside.setdefault(city, []).append(field)

    def _find_gaps(self) -> Mapping[SegmentNumber, Gaps]:
        """Return the gaps of cities and roads by root, and note who is open at which cell, monasteries included."""
        land, roots = self.land, self.roots
        placed, kinds = land.placed, land.kind
        gaps: dict[SegmentNumber, dict[Square, int]] = {}
        open_sides = (
            (tile, side, beyond)
            for tile in placed.values()
            for side in (0, 1, 2, 3)
            if (beyond := Square(tile.square + STEP[side])) not in placed
        )
        for tile, side, beyond in open_sides:
            segment = tile.sides[side]
            if segment >= 0 and kinds[root := roots[segment]] in STRUCTURES:
                ends = gaps.setdefault(root, {})
                ends[beyond] = ends.get(beyond, 0) | 1 << (side + 2) % 4
                self.at_cell.setdefault(beyond, set()).add(root)
            for half in tile.face.half_segments[2 * side : 2 * side + 2]:
                if half >= 0:
                    self.field_cells.setdefault(roots[tile.base + half], set()).add(beyond)
        for square, number in land.open_monasteries.items():
            for step in AROUND:
                if square + step not in placed:
                    self.at_cell.setdefault(Square(square + step), set()).add(number)
        return gaps

    def _read_drawings(self) -> None:
        """Find the cities beside fields and the attributes of boxes."""
        roots = self.roots
        for tile in self.land.placed.values():
            for index, drawn in enumerate(tile.face.segments, tile.base):
                if drawn.cities:
                    beside = self.cities.setdefault(roots[index], set())
                    beside.update([roots[tile.base + at] for at in drawn.cities])
                if drawn.drawn:
                    root = roots[index]
                    self.traits[root] = self.traits.get(root, NO_TRAITS) | {name for name, _ in drawn.drawn}

    # -- features as they lie -----------------------------------------------------------------------------------------

    def outlook(self, root: SegmentNumber) -> Outlook:
        """Return the outlook of a feature."""
        found = self._outlooks.get(root)
        if found is None:
            land = self.land
            if land.kind[root] == FeatureKind.FIELD:
                worth = sum([self.city_worth(city) for city in self.cities.get(root, NO_ROOTS)])
                found = self.appraiser.field(land, root, worth, len(self.field_cells.get(root, ())))
            elif not land.ends[root]:
                found = complete_outlook(self.position, root)
            else:
                found = self.appraiser.structure(
                    land, root, self.gaps.get(root, NO_GAPS), self.traits.get(root, NO_TRAITS)
                )
            self._outlooks[root] = found
        return found

    def city_worth(self, root: SegmentNumber) -> float:
        """Return the points that a city is expected to bring to the farmers beside it."""
        found = self._city_worth.get(root)
        if found is None:
            value = city_value(self.position, root, self.appraiser.city_points)
            found = self._city_worth[root] = (
                self.outlook(root).chance * self.appraiser.city_points if value is None else value[1]
            )
        return found

    # -- features that may be joined ----------------------------------------------------------------------------------

    def cells_beside(self, root: SegmentNumber) -> Collection[Square]:
        """Return the empty cells beside a city, road or field."""
        gaps = self.gaps.get(root)
        return self.field_cells.get(root, ()) if gaps is None else gaps

    def meeting(self, square: Square, stakes: Sequence[float]) -> float:
        """Return what is expected of the features of several players that may be joined at an empty cell."""
        if stakes != self._meeting_stakes:
            self._meetings, self._meeting_stakes = {}, stakes
        found = self._meetings.get(square)
        if found is None:
            outlooks = [self.outlook(root) for root in self.held_at.get(square, ())]
            found = self.meeting_of(outlooks, self.land.frontier[square], stakes) if len(outlooks) > 1 else 0.0
            self._meetings[square] = found
        return found

    def meeting_of(self, outlooks: Sequence[Outlook], wanted: int, stakes: Sequence[float]) -> float:
        """Return what is expected of features at a cell: the stronger gets all, two of the same strength share it."""
        value = 0.0
        for one, other in combinations(outlooks, 2):
            if one.kind == other.kind and one.kind in JOINABLE:
                value += self.weights[JOINABLE[one.kind]] * self._joined(one, other, stakes)
        return value * self.appraiser.chance_of_covering(wanted) if value else 0.0

    def _joined(self, one: Outlook, other: Outlook, stakes: Sequence[float]) -> float:
        """Return what two features would bring more as one."""
        if len(one.holders) == len(other.holders) == 1 and one.holders[0].player == other.holders[0].player:
            return 0.0
        (first, strength), (second, other_strength) = self._leader(one), self._leader(other)
        if first == second or not strength or not other_strength:
            return 0.0
        if strength == other_strength:
            return stakes[first] * other.worth + stakes[second] * one.worth
        if strength > other_strength:
            return (stakes[first] - stakes[second]) * other.worth
        return (stakes[second] - stakes[first]) * one.worth

    def _leader(self, outlook: Outlook) -> tuple[Seat, int]:
        """Return who has most in a feature, and how much."""
        weights = weights_by_seat(self.land, outlook.holders)
        return max(weights.items(), key=lambda entry: entry[1], default=(FIRST_SEAT, 0))

    # -- what is tried ------------------------------------------------------------------------------------------------

    def scratch_on(self, land: Landscape) -> Position:
        """Return the copy of the position with this land."""
        self.scratch.land = land
        return self.scratch

    # -- prices -------------------------------------------------------------------------------------------------------

    def supply_worth(self, figure: str, count: int) -> float:
        """Return what so many figures in a player's supply are worth."""
        if figure == FOLLOWER:
            return self._ladder[min(count, len(self._ladder) - 1)]
        return count * self._price_of.get(figure, 0.0)

    def price(self, figure: str, seat: Seat) -> float:
        """Return what one more figure in the supply of a player is worth."""
        count = self.position.supply[figure][seat]
        return self.supply_worth(figure, count + 1) - self.supply_worth(figure, count)

    def add_outlook(self, parts: Parts, outlook: Outlook, stakes: Sequence[float], mover: Seat, sign: int) -> None:
        """Add what a feature brings to each player, in points ahead of the rivals, to the parts of a value.

        ``stakes`` are what a point of each player is worth to the player who thinks.
        """
        kind, holders, worth, chance, complete = outlook
        part = "points" if complete else PART_OF.get(kind, kind)
        value = 0.0
        if not holders:
            if not complete:
                value = -self.urgency * self.weights["loose"] * worth * stakes[mover]
        else:
            value = worth * self._shares(outlook, stakes)
            home = self.weights["home"]
            for holder in holders:
                on_table = self._on_table.get(holder.figure)
                if on_table is not None:
                    value += on_table(holder, outlook) * stakes[holder.player]
                if chance and not complete:
                    value += chance * home * self.price(holder.figure, holder.player) * stakes[holder.player]
        if value:
            parts[part] = parts.get(part, 0.0) + sign * value

    def _shares(self, outlook: Outlook, stakes: Sequence[float]) -> float:
        """Return the sum of the stakes of those who have the majority, softened while a feature is contested."""
        holders = outlook.holders
        if len(holders) == 1:
            return stakes[holders[0].player]
        weights = weights_by_seat(self.land, holders)
        if len(weights) == 1:
            return stakes[next(iter(weights))]
        if not weights:
            return 0.0
        most = max(weights.values())
        leaders = [seat for seat, weight in weights.items() if weight == most]
        total = sum([stakes[seat] for seat in leaders])
        if outlook.complete or len(leaders) > 1:
            return total
        second = sorted(weights.values())[-2]
        hope = self.urgency * self.weights["hope"] / (most - second)
        rivals = [seat for seat, weight in weights.items() if weight == second]
        return total * (1 - hope) + hope * sum([stakes[seat] for seat in rivals])


def complete_outlook(position: Position, root: SegmentNumber) -> Outlook:
    """Return the outlook of a structure that is complete: its points are certain."""
    land = position.land
    return Outlook(land.kind[root], land.holders[root], structure_points(position, root), 1.0, complete=True)


def weights_by_seat(land: Landscape, holders: Iterable[Follower]) -> dict[Seat, int]:
    """Return how much the figures of each player count for the majority."""
    weights: dict[Seat, int] = {}
    for holder in holders:
        weight = land.figures[holder.figure].weight(land, holder)
        if weight:
            weights[holder.player] = weights.get(holder.player, 0) + weight
    return weights


def _price_ladder(weights: Weights, urgency: float) -> list[float]:
    """Return what 0, 1, 2 … followers in the supply are worth: the last one most, the others ever less."""
    floor, first, decay = weights["follower_floor"], weights["follower_first"], weights["follower_decay"]
    ladder = [0.0]
    for count in range(8):
        ladder.append(ladder[-1] + urgency * (floor + (first - floor) * decay**count))
    return ladder
