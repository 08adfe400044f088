"""Survey a position once for each decision, so that many placements can be compared with it cheaply.

A feature is a city, road, monastery or field; it is identified by its root, the number of one of its segments. The gaps
of a feature are the empty cells at which it is open. An :class:`~computer.carcassonne.outlooks.Outlook` says what a
feature is expected to bring. ``stakes`` says, by seat, how much a point of each player is worth to the player who
thinks. Terms are the additions of boxes (expansions) to the evaluation, and ``parts`` is the value of an action, split
by source.

Weights are looked up by name. ``computer/data/weights.toml`` explains each of them, such as ``home``, ``hope`` and
``loose``.

:mod:`computer.carcassonne.trials` then values a placement by the few features that it changes.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Final

from computer.carcassonne.boxes import terms_of
from computer.carcassonne.boxes.terms import BoxTerms
from computer.carcassonne.outlooks import NO_GAPS, STRUCTURES, Appraiser, Gaps, Outlook
from computer.carcassonne.unseen import UnseenTiles
from computer.weights import Weights
from engine.actions import FIRST_SEAT, FOLLOWER, Seat
from engine.board import Follower, SegmentNumber, counts_once
from engine.carcassonne import FeatureKind, Position
from engine.carcassonne.landscape import Landscape
from engine.carcassonne.scoring import FIELD_CITY_POINTS, city_value, structure_points
from engine.geometry import AROUND, STEP, Square

Parts = dict[str, float]
"""The parts of a value by name, in points ahead of the rivals."""
PART_NAMES: Final[Mapping[str, str]] = {
    FeatureKind.CITY: "cities",
    FeatureKind.ROAD: "roads",
    FeatureKind.MONASTERY: "monasteries",
    FeatureKind.FIELD: "fields",
}
"""The part of a value to which each kind of feature adds."""
JOIN_WEIGHTS: Final[Mapping[str, str]] = {
    FeatureKind.CITY: "join",
    FeatureKind.ROAD: "join",
    FeatureKind.FIELD: "join_field",
}
"""The name of the weight of joining two features of each kind; monasteries are never joined."""
MAX_FOLLOWERS: Final = 12
"""As many followers in a supply have a value; each further one has none."""
NO_TRAITS: Final = frozenset[str]()
"""The traits of a feature to which no box has added an attribute."""
NO_ROOTS: Final = frozenset[SegmentNumber]()
"""No features, as for a field without cities."""


class Survey:
    """The features of a position with their gaps, and the worth of each.

    The position must not change while its survey is in use; placements are tried on :attr:`scratch`. ``appraiser`` is
    that of another survey, so that the values of both can be compared; None for one that counts the unseen tiles.
    """

    def __init__(self, position: Position, weights: Weights, *, appraiser: Appraiser | None = None) -> None:
        self.position = position
        self.weights = weights
        self.land = position.land
        self.terms: Sequence[BoxTerms] = terms_of(position.setup.expansions)
        """The terms of the boxes in play."""
        self.appraiser = appraiser or Appraiser(
            UnseenTiles(position.setup.pile, position.face_down),
            position.players,
            weights,
            [term.worth for term in self.terms if type(term).worth is not BoxTerms.worth],
            FIELD_CITY_POINTS[position.options.farm_scoring],
        )
        self.urgency = min(1.0, self.appraiser.draws / weights["follower_horizon"])
        """The share of its full price that a piece is still worth, from 1 to 0: late in the game it has little use."""
        self.scratch = position.copy()
        """A copy of the position on which the engine carries out trials."""
        self._outlooks: dict[SegmentNumber, Outlook] = {}
        self._city_worth: dict[SegmentNumber, float] = {}
        self._follower_values = _follower_value_table(weights, self.urgency)
        self._price_of = {
            name: price for term in self.terms for name, price in term.figure_prices(weights, self.urgency).items()
        }
        self._followers = (FOLLOWER, *(name for term in self.terms for name in term.followers()))
        supplies = [position.supply[figure] for figure in self._followers if figure in position.supply]
        self._follower_counts = [sum(counts) for counts in zip(*supplies, strict=True)]
        self._prices: dict[tuple[str, Seat], float] = {}
        self._board_values = {
            name: value
            for term in self.terms
            for name, value in term.figure_values_on_board(weights, self.appraiser.draws).items()
        }
        trapped = weights["trapped"] * self.appraiser.draws
        self._trapped = dict.fromkeys(self._followers, trapped)
        """The cost of a figure that never returns from the board, by name: it grows with the turns that it misses."""
        self._herds = [term for term in self.terms if type(term).herd_points is not BoxTerms.herd_points]
        self.second_figures = frozenset(name for term in self.terms for name in term.second_figures())
        """The figures that may follow another one on the same tile, by name."""
        self._claimable = {*FeatureKind, *self.land.surrounded}
        """The kinds of features that a figure may stand on; all others are only drawn."""
        self._loose = self.urgency * weights["loose"]
        self._home = weights["home"]
        self.plain_figures = frozenset(position.figures.keys() - self._board_values.keys())
        """The figures that have no value on the board except what they count for the majority."""
        self._find_features()
        self._joining_values: dict[tuple[float, ...], dict[Square, float]] = {}
        self._standing_values: dict[tuple[SegmentNumber, Seat, tuple[float, ...]], float] = {}

    def _find_features(self) -> None:
        """Find the gaps of all features, the cities beside each field, and the attributes drawn on features."""
        land = self.land
        find = land.find
        self.roots: Sequence[SegmentNumber] = [find(number) for number in land.numbers]
        """The root of every segment."""
        self.open_at_cell: dict[Square, set[SegmentNumber]] = {}
        """The roots of the cities, roads and monasteries that are open at each empty cell."""
        self.field_cells: dict[SegmentNumber, set[Square]] = {}
        """The empty cells beside each field."""
        self.gaps: Mapping[SegmentNumber, Gaps] = self._find_gaps()
        self.claimed_at: dict[Square, list[SegmentNumber]] = {}
        """The roots of the features with figures that touch each empty cell, where they may be joined."""
        for root, cells in (*self.gaps.items(), *self.field_cells.items()):
            if land.holders[root]:
                for cell in cells:
                    self.claimed_at.setdefault(cell, []).append(root)
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
        """Return the gaps of cities and roads by root; also fill ``open_at_cell`` (with monasteries) and fields."""
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
                self.open_at_cell.setdefault(beyond, set()).add(root)
            for half in tile.face.half_segments[2 * side : 2 * side + 2]:
                if half >= 0:
                    self.field_cells.setdefault(roots[tile.base + half], set()).add(beyond)
        for square, number in land.unsurrounded.items():
            for step in AROUND:
                if square + step not in placed:
                    self.open_at_cell.setdefault(Square(square + step), set()).add(number)
        return gaps

    def _read_drawings(self) -> None:
        """Find the cities beside fields, and the attributes that boxes have drawn on segments."""
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
        result = self._outlooks.get(root)
        if result is None:
            land = self.land
            if land.kind[root] == FeatureKind.FIELD:
                worth = sum([self.city_worth(city) for city in self.cities.get(root, NO_ROOTS)])
                worth *= self.herd_factor(self.traits.get(root, NO_TRAITS))
                result = self.appraiser.field(land, root, worth, len(self.field_cells.get(root, ())))
            elif not land.ends[root]:
                result = complete_outlook(self.position, root)
            else:
                result = self.appraiser.structure(
                    land, root, self.gaps.get(root, NO_GAPS), self.traits.get(root, NO_TRAITS)
                )
            self._outlooks[root] = result
        return result

    def city_worth(self, root: SegmentNumber) -> float:
        """Return the points that a city (root) is expected to bring to the farmers beside it."""
        points = self._city_worth.get(root)
        if points is None:
            value = city_value(self.position, root, self.appraiser.city_points)
            points = self._city_worth[root] = (
                self.outlook(root).chance * self.appraiser.city_points if value is None else value[1]
            )
        return points

    def herd_factor(self, traits: frozenset[str]) -> float:
        """Return the factor by which herds raise the worth of a field with these attributes; several count once."""
        if not traits or not self._herds:
            return 1.0
        bonus = max(term.herd_points(self.position, traits) for term in self._herds)
        return 1 + self.weights["herd"] * bonus / self.appraiser.city_points

    def roots_near(self, square: Square) -> Iterator[SegmentNumber]:
        """Yield the roots of the features that a tile on an empty square may change, except for distant fields.

        They are open at the square, touch it, or are open at an empty cell beside it; some come twice.
        """
        land, roots = self.land, self.roots
        yield from self.open_at_cell.get(square, ())
        for side in (0, 1, 2, 3):
            neighbour = Square(square + STEP[side])
            tile = land.placed.get(neighbour)
            if tile is None:
                yield from self.open_at_cell.get(neighbour, ())
                continue
            opposite = side - 2
            if tile.sides[opposite] >= 0:
                yield roots[tile.sides[opposite]]
            halves = tile.face.half_segments
            for half in (halves[2 * opposite], halves[2 * opposite + 1]):
                if half >= 0:
                    yield roots[tile.base + half]

    # -- features that may be joined ----------------------------------------------------------------------------------

    def cells_beside(self, root: SegmentNumber) -> Collection[Square]:
        """Return the empty cells beside a city, road or field."""
        gaps = self.gaps.get(root)
        return self.field_cells.get(root, ()) if gaps is None else gaps

    def joining_value(self, square: Square, stakes: Sequence[float]) -> float:
        """Return the expected gain from joining features of several players at an empty cell; cached."""
        values = self._joining_values.setdefault(tuple(stakes), {})
        value = values.get(square)
        if value is None:
            outlooks = [self.outlook(root) for root in self.claimed_at.get(square, ())]
            value = self.joining_value_of(outlooks, self.land.frontier[square], stakes) if len(outlooks) > 1 else 0.0
            values[square] = value
        return value

    def joining_value_of(self, outlooks: Sequence[Outlook], constraint: int, stakes: Sequence[float]) -> float:
        """Return the expected gain from joining these features at a cell.

        The player with more figures takes both features; two of the same strength each get the points of both.
        ``constraint`` is that of the neighbouring tiles, as in :attr:`Landscape.frontier`.
        """
        value = 0.0
        for first, second in combinations(outlooks, 2):
            if first.kind == second.kind and first.kind in JOIN_WEIGHTS:
                value += self.weights[JOIN_WEIGHTS[first.kind]] * self._joined(first, second, stakes)
        return value * self.appraiser.chance_of_covering(constraint) if value else 0.0

    def _joined(self, first: Outlook, second: Outlook, stakes: Sequence[float]) -> float:
        """Return what joining two features would change, in points ahead of the rivals."""
        if len(first.holders) == len(second.holders) == 1 and first.holders[0].player == second.holders[0].player:
            return 0.0
        (leader, strength), (other_leader, other_strength) = self._leader(first), self._leader(second)
        if leader == other_leader or not strength or not other_strength:
            return 0.0
        if strength == other_strength:
            return stakes[leader] * second.worth + stakes[other_leader] * first.worth
        if strength > other_strength:
            return (stakes[leader] - stakes[other_leader]) * second.worth
        return (stakes[other_leader] - stakes[leader]) * first.worth

    def _leader(self, outlook: Outlook) -> tuple[Seat, int]:
        """Return the player with the most weight in a feature, and that weight; 0 if nobody counts."""
        weights = weights_by_seat(outlook.land, outlook.holders)
        return max(weights.items(), key=lambda entry: entry[1], default=(FIRST_SEAT, 0))

    # -- trials -------------------------------------------------------------------------------------------------------

    def scratch_on(self, land: Landscape) -> Position:
        """Return the scratch copy of the position with this land; it is valid until the next call."""
        self.scratch.land = land
        return self.scratch

    # -- prices -------------------------------------------------------------------------------------------------------

    def supply_worth(self, counts: Mapping[str, int]) -> float:
        """Return the value of a player's supply, given the number of figures of each kind.

        All kinds of followers share one scale, on which the last follower is dearest.
        """
        followers = sum([counts[figure] for figure in self._followers if figure in counts])
        prices = [counts[figure] * price for figure, price in self._price_of.items() if figure in counts]
        return self._worth_of_followers(followers) + sum(prices)

    def supply_gain(self, seat: Seat, changes: Mapping[str, int]) -> float:
        """Return how much the value of a player's supply rises if the numbers of these kinds change by so much."""
        gain, count = 0.0, self._follower_counts[seat]
        after = count
        for figure, change in changes.items():
            gain += change * self._price_of.get(figure, 0.0)
            if figure in self._followers:
                after += change
        return gain + self._worth_of_followers(after) - self._worth_of_followers(count)

    def _worth_of_followers(self, count: int) -> float:
        """Return the value of a number of followers of any kind in a supply."""
        return self._follower_values[min(count, MAX_FOLLOWERS)]

    def pair_cost(self, seat: Seat, first: str, second: str) -> float:
        """Return how much more it costs a player to deploy two figures (names) together than each of them alone."""
        apart = self.supply_gain(seat, {first: -1}) + self.supply_gain(seat, {second: -1})
        both = {first: -1, second: -1} if first != second else {first: -2}
        return apart - self.supply_gain(seat, both)

    def price(self, figure: str, seat: Seat) -> float:
        """Return the value of one more figure in the supply of a player."""
        price = self._prices.get((figure, seat))
        if price is None:
            price = self._prices[figure, seat] = self.supply_gain(seat, {figure: 1})
        return price

    def add_outlook(self, parts: Parts, outlook: Outlook, stakes: Sequence[float], mover: Seat) -> None:
        """Add the value of a feature to the parts of a value."""
        value = self.value_of(outlook, stakes, mover)
        if value:
            part = _part_name(outlook)
            parts[part] = parts.get(part, 0.0) + value

    def subtract_standing(self, parts: Parts, root: SegmentNumber, stakes: tuple[float, ...], mover: Seat) -> None:
        """Subtract the value of a feature as it lies from the parts of a value; it is computed once."""
        key = root, mover, stakes
        value = self._standing_values.get(key)
        if value is None:
            value = self._standing_values[key] = self.value_of(self.outlook(root), stakes, mover)
        if value:
            part = _part_name(self.outlook(root))
            parts[part] = parts.get(part, 0.0) - value

    def value_of(self, outlook: Outlook, stakes: Sequence[float], mover: Seat) -> float:
        """Return the value of a feature.

        A feature without figures counts against the player to move, since a rival may take it.
        """
        kind, holders, worth, chance, _land, complete = outlook
        if not holders:
            return 0.0 if complete or kind not in self._claimable else -self._loose * worth * stakes[mover]
        value = worth * self._shares(outlook, stakes)
        for holder in holders:
            board_value = self._board_values.get(holder.figure)
            if board_value is not None:
                value += board_value(holder, outlook) * stakes[holder.player]
            if not complete:
                kept = (1 - chance) * self._trapped.get(holder.figure, 0.0)
                if chance:
                    kept -= chance * self._home * self.price(holder.figure, holder.player)
                value -= kept * stakes[holder.player]
        return value

    def _shares(self, outlook: Outlook, stakes: Sequence[float]) -> float:
        """Return the stakes of the players with the majority, softened while a feature is contested.

        As long as an incomplete feature has one leader, the runners-up count a little, since they may still overtake.
        """
        holders = outlook.holders
        if len(holders) == 1:
            figure = outlook.land.figures[holders[0].figure]
            counts = figure.weight is counts_once or figure.weight(outlook.land, holders[0])
            return stakes[holders[0].player] if counts else 0.0
        weights = weights_by_seat(outlook.land, holders)
        if len(weights) == 1:
            return stakes[next(iter(weights))]
        if not weights:
            return 0.0
        highest = max(weights.values())
        leaders = [seat for seat, weight in weights.items() if weight == highest]
        leaders_stakes = sum([stakes[seat] for seat in leaders])
        if outlook.complete or len(leaders) > 1:
            return leaders_stakes
        second = sorted(weights.values())[-2]
        overtaking_share = self.urgency * self.weights["hope"] / (highest - second)
        runners_up = [seat for seat, weight in weights.items() if weight == second]
        return leaders_stakes * (1 - overtaking_share) + overtaking_share * sum([stakes[seat] for seat in runners_up])


def _part_name(outlook: Outlook) -> str:
    """Return the part of a value to which a feature adds."""
    return "points" if outlook.complete else PART_NAMES.get(outlook.kind, outlook.kind)


def complete_outlook(position: Position, root: SegmentNumber) -> Outlook:
    """Return the outlook of a completed structure, whose points are certain."""
    land = position.land
    return Outlook(land.kind[root], land.holders[root], structure_points(position, root), 1.0, land, complete=True)


def weights_by_seat(land: Landscape, holders: Iterable[Follower]) -> dict[Seat, int]:
    """Return how much the figures of each player count for the majority; players without weight are left out."""
    weights: dict[Seat, int] = {}
    for holder in holders:
        weight = land.figures[holder.figure].weight(land, holder)
        if weight:
            weights[holder.player] = weights.get(holder.player, 0) + weight
    return weights


def _follower_value_table(weights: Weights, urgency: float) -> list[float]:
    """Return the value of 0, 1, 2 … followers in the supply: the last one is worth most, each further one less."""
    floor, last_follower, decay = weights["follower_floor"], weights["follower_first"], weights["follower_decay"]
    values = [0.0]
    for count in range(MAX_FOLLOWERS):
        values.append(values[-1] + urgency * (floor + (last_follower - floor) * decay**count))
    return values
