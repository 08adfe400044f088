"""Try placements on a copy of the land and value only the features that they change.

The land is the part of a position that holds tiles and features. A feature is identified by its root, the number of one
of its segments; when features join, one root stands for all. A :class:`Trial` compares the changed features with the
:class:`~computer.carcassonne.survey.Survey` of the position before it. Nothing else is valued anew, which makes a trial
many times cheaper than a second survey.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final

from computer.carcassonne.boxes.terms import Change
from computer.carcassonne.outlooks import NO_GAPS, Gaps, Outlook
from computer.carcassonne.survey import NO_ROOTS, NO_TRAITS, Parts, Survey, complete_outlook
from engine.actions import Action, Seat
from engine.board import Follower, SegmentNumber
from engine.carcassonne import FeatureKind
from engine.carcassonne.landscape import Landscape, PlacedTile
from engine.carcassonne.tiles import Face
from engine.geometry import AROUND, STEP, Square

NO_CLAIMS: Final = tuple[SegmentNumber, ...]()
"""No features with figures at a cell, by their roots."""
NO_OUTLOOKS: Final = tuple[Outlook, ...]()
"""No features with figures at a cell."""


def try_placement(survey: Survey, square: Square, face: Face, player: Seat, aid: Action | None = None) -> Trial:
    """Lay a tile on a copy of the land, together with the bridge or other piece (``aid``) that it needs."""
    land = survey.land.copy()
    tile = land.place(square, face, player)
    return _trial(survey, land, tile, player, aid)


def try_standing_tile(survey: Survey, tile: PlacedTile, player: Seat, aid: Action | None = None) -> Trial:
    """Try a piece (``aid``), or none, on a copy of the land; the tile that has just been laid stays as it is."""
    return _trial(survey, survey.land.copy(), tile, player, aid)


def _trial(survey: Survey, land: Landscape, tile: PlacedTile, player: Seat, aid: Action | None) -> Trial:
    """Return the trial of a land that has been changed, after building the piece ``aid`` on it, if any."""
    changed = [tile.square]
    if aid is not None:
        scratch = survey.scratch_on(land)
        supply = {piece: counts.copy() for piece, counts in scratch.supply.items()}
        # ``perform`` takes the piece from the supply, but the scratch position serves all trials: restore it.
        scratch.perform(player, aid)
        scratch.supply = supply
        changed += [square for term in survey.terms for square in term.changed_squares(aid)]
    return Trial(survey, land, tile, player, changed, aid)


class Trial:
    """The land after a placement or another change was tried, and the features that changed.

    ``former_roots`` identify these features in the survey, ``outlooks`` value them as they are now.
    """

    def __init__(
        self,
        survey: Survey,
        land: Landscape,
        tile: PlacedTile,
        player: Seat,
        changed: Sequence[Square],
        aid: Action | None,
    ) -> None:
        self.survey = survey
        self.land = land
        self.tile = tile
        self.player = player
        self.aid = aid
        self.former_roots = self._find_former_roots(changed)
        """The roots, in the survey, of all features that may look different now."""
        find = land.find
        self.roots_on_tile = {find(number): None for number, _ in land.segments(land.placed[tile.square])}
        """The roots of the features on the tile."""
        roots = {find(root): None for root in self.former_roots}
        for square in changed:
            roots.update({find(number): None for number, _ in land.segments(land.placed[square])})
        self.cities: dict[SegmentNumber, set[SegmentNumber]] = {}
        self.traits: dict[SegmentNumber, frozenset[str]] = {}
        self.field_cells: dict[SegmentNumber, set[Square]] = {}
        gaps = self._merge_former()
        self._merge_new(changed, gaps)
        self.gaps: Mapping[SegmentNumber, Gaps] = gaps
        self._plain_claimed: dict[Square, list[Outlook]] | None = None
        self.outlooks: dict[SegmentNumber, Outlook] = {}
        """The outlooks of these features as they are now, by root; fields come last, since they rest on cities."""
        fields = []
        for root in roots:
            if land.kind[root] == FeatureKind.FIELD:
                fields.append(root)
            elif land.ends[root] <= len(AROUND) * len(land.order):
                self.outlooks[root] = self._structure(root)
        for root in fields:
            if land.holders[root] or root in self.roots_on_tile:
                self.outlooks[root] = self._field(root)
        self.completed = tuple(
            root
            for root in {find(number): None for number in land.touched}
            if not land.ends[root] and root in self.outlooks
        )
        """The roots of the structures that were completed."""

    def _find_former_roots(self, changed: Iterable[Square]) -> dict[SegmentNumber, None]:
        """Return the roots, in the survey, of the features on and around the changed squares, and of fields there."""
        survey = self.survey
        former_roots: dict[SegmentNumber, None] = {}
        for square in changed:
            standing = survey.land.placed.get(square)
            if standing is not None:
                roots = [survey.roots[number] for number, _ in survey.land.segments(standing)]
                former_roots.update(dict.fromkeys(roots))
            former_roots.update(dict.fromkeys(survey.roots_near(square)))
        for root in tuple(former_roots):
            former_roots.update(dict.fromkeys(survey.fields_beside.get(root, ())))
        return former_roots

    def _merge_former(self) -> dict[SegmentNumber, dict[Square, int]]:
        """Return the gaps of the joined features by their new roots; join their cities and attributes, too."""
        survey, find, placed = self.survey, self.land.find, self.land.placed
        gaps: dict[SegmentNumber, dict[Square, int]] = {}
        for former in self.former_roots:
            root = find(former)
            ends = survey.gaps.get(former)
            if ends:
                root_gaps = gaps.setdefault(root, {})
                for square, sides in ends.items():
                    if square not in placed:
                        root_gaps[square] = root_gaps.get(square, 0) | sides
            cells = survey.field_cells.get(former)
            if cells:
                self.field_cells.setdefault(root, set()).update([cell for cell in cells if cell not in placed])
            if former in survey.cities:
                self.cities.setdefault(root, set()).update([find(city) for city in survey.cities[former]])
            if former in survey.traits:
                self.traits[root] = self.traits.get(root, NO_TRAITS) | survey.traits[former]
        return gaps

    def _merge_new(self, changed: Iterable[Square], gaps: dict[SegmentNumber, dict[Square, int]]) -> None:
        """Add the gaps of the changed tiles, and the cities and attributes of the new tile."""
        find, placed = self.land.find, self.land.placed
        for square in changed:
            tile = placed[square]
            for side in (0, 1, 2, 3):
                beyond = Square(square + STEP[side])
                if beyond in placed:
                    continue
                segment = tile.sides[side]
                if segment >= 0:
                    root_gaps = gaps.setdefault(find(segment), {})
                    root_gaps[beyond] = root_gaps.get(beyond, 0) | 1 << (side + 2) % 4
                for half in tile.face.half_segments[2 * side : 2 * side + 2]:
                    if half >= 0:
                        self.field_cells.setdefault(find(SegmentNumber(tile.base + half)), set()).add(beyond)
        base = self.tile.base
        for index, drawn in enumerate(self.tile.face.segments, base):
            if drawn.cities:
                beside = self.cities.setdefault(find(SegmentNumber(index)), set())
                beside.update([find(SegmentNumber(base + at)) for at in drawn.cities])
            if drawn.drawn:
                root = find(SegmentNumber(index))
                self.traits[root] = self.traits.get(root, NO_TRAITS) | {name for name, _ in drawn.drawn}

    def _structure(self, root: SegmentNumber) -> Outlook:
        """Return the outlook of a road, city or monastery as it is now."""
        land, survey = self.land, self.survey
        if not land.ends[root]:
            return complete_outlook(survey.scratch_on(land), root)
        return survey.appraiser.structure(land, root, self.gaps.get(root, NO_GAPS), self.traits.get(root, NO_TRAITS))

    def _field(self, root: SegmentNumber) -> Outlook:
        """Return the outlook of a field as it is now."""
        worth = sum([self._worth_of_city(city) for city in self.cities.get(root, NO_ROOTS)])
        worth *= self.survey.herd_factor(self.traits.get(root, NO_TRAITS))
        return self.survey.appraiser.field(self.land, root, worth, len(self.field_cells.get(root, ())))

    def _worth_of_city(self, root: SegmentNumber) -> float:
        """Return the points that a city is expected to bring to a field beside it."""
        outlook = self.outlooks.get(root)
        if outlook is None:
            return self.survey.city_worth(root)
        return outlook.chance * self.survey.appraiser.city_points

    # -- values -------------------------------------------------------------------------------------------------------

    def parts(self, stakes: Sequence[float], deployed: tuple[SegmentNumber, str] | None = None) -> Parts:
        """Return how much better the position has become for a player with these stakes, by parts.

        ``deployed`` is the root of a feature and the figure that the player who laid the tile deploys there; None for
        no figure.
        """
        survey, parts = self.survey, Parts()
        mover, standing_stakes = self.player, tuple(stakes)
        for root in self.former_roots:
            outlook = survey.outlook(root)
            if outlook.holders or root in self.roots_on_tile or outlook.kind != FeatureKind.FIELD:
                survey.subtract_standing(parts, root, standing_stakes, mover)
        outlooks = self.outlooks
        if deployed is not None:
            root, figure = deployed
            outlook = outlooks[root]
            holders = (*outlook.holders, Follower(mover, figure, root))
            outlooks = {**outlooks, root: outlook._replace(holders=holders)}
        for outlook in outlooks.values():
            survey.add_outlook(parts, outlook, stakes, mover)
        self._add_joining(parts, stakes, outlooks)
        self._add_figures(parts, stakes, outlooks, None if deployed is None else deployed[1])
        if survey.terms:
            self._add_terms(parts, stakes, outlooks, None if deployed is None else deployed[1])
        return parts

    def _add_joining(self, parts: Parts, stakes: Sequence[float], outlooks: Mapping[SegmentNumber, Outlook]) -> None:
        """Add the change at the cells where features of several players may be joined."""
        survey, land = self.survey, self.land
        claimed = self._claimed_at(outlooks)
        square = self.tile.square
        # The tile also changes what fits into the cells beside it, where features that it does not touch may be joined.
        cells = dict.fromkeys([square, *(Square(square + step) for step in STEP)])
        for root in self.former_roots:
            if survey.land.holders[root]:
                cells.update(dict.fromkeys(survey.cells_beside(root)))
        value = 0.0
        for cell in {**cells, **dict.fromkeys(claimed)}:
            standing, changed = survey.claimed_at.get(cell, NO_CLAIMS), claimed.get(cell, NO_OUTLOOKS)
            if len(standing) + len(changed) < 2:
                continue  # most cells touch one claimed feature at most, so that nothing can be joined there
            if len(standing) > 1:
                value -= survey.joining_value(cell, stakes)
            if cell in land.frontier:
                outlooks_at_cell = [*changed, *self._unchanged_at(cell)]
                if len(outlooks_at_cell) > 1:
                    value += survey.joining_value_of(outlooks_at_cell, land.frontier[cell], stakes)
        if value:
            parts["joining"] = value

    def _claimed_at(self, outlooks: Mapping[SegmentNumber, Outlook]) -> dict[Square, list[Outlook]]:
        """Return the changed features with figures by the empty cells at which they are open."""
        claims: dict[Square, list[Outlook]] = {}
        for root, outlook in outlooks.items():
            if outlook.holders:
                for cell in self._open_cells_beside(root):
                    claims.setdefault(cell, []).append(outlook)
        return claims

    def _open_cells_beside(self, root: SegmentNumber) -> Collection[Square]:
        """Return the empty cells beside a feature."""
        gaps = self.gaps.get(root)
        return self.field_cells.get(root, ()) if gaps is None else gaps

    def _unchanged_at(self, cell: Square) -> list[Outlook]:
        """Return the outlooks of the unchanged features with figures at a cell."""
        survey = self.survey
        return [survey.outlook(root) for root in survey.claimed_at.get(cell, ()) if root not in self.former_roots]

    def gain_of_figure(self, stakes: Sequence[float], root: SegmentNumber, figure: str) -> float:
        """Return how much the value rises when the player deploys a figure on a feature of the tile.

        It equals the difference of two calls of :meth:`parts`, but is usually computed from this one feature.
        """
        survey, mover = self.survey, self.player
        outlook = self.outlooks[root]
        if outlook.complete or figure not in survey.plain_figures:
            return sum(self.parts(stakes, (root, figure)).values()) - sum(self.parts(stakes).values())
        with_figure = outlook._replace(holders=(*outlook.holders, Follower(mover, figure, root)))
        gain = survey.value_of(with_figure, stakes, mover) - survey.value_of(outlook, stakes, mover)
        gain += self._joining_gain(root, with_figure, stakes)
        returning = self._figures_returning(self.outlooks).get(mover, {})
        fewer = {**returning, figure: returning.get(figure, 0) - 1}
        return gain + (survey.supply_gain(mover, fewer) - survey.supply_gain(mover, returning)) * stakes[mover]

    def _figures_returning(self, outlooks: Mapping[SegmentNumber, Outlook]) -> dict[Seat, dict[str, int]]:
        """Return how many figures of each kind (name) return to each player from the completed features."""
        returning: dict[Seat, dict[str, int]] = {}
        for root in self.completed:
            for holder in outlooks[root].holders:
                counts = returning.setdefault(holder.player, {})
                counts[holder.figure] = counts.get(holder.figure, 0) + 1
        return returning

    def _joining_gain(self, root: SegmentNumber, outlook: Outlook, stakes: Sequence[float]) -> float:
        """Return the change that a figure on a feature makes where features may be joined."""
        survey, value = self.survey, 0.0
        if self._plain_claimed is None:
            self._plain_claimed = self._claimed_at(self.outlooks)
        before = self.outlooks[root]
        for cell in self._open_cells_beside(root):
            changed = self._plain_claimed.get(cell, NO_OUTLOOKS)
            if not changed and cell not in survey.claimed_at:
                continue
            others = [other for other in changed if other is not before]
            others += self._unchanged_at(cell)
            if others:
                constraint = self.land.frontier[cell]
                value += survey.joining_value_of([*others, outlook], constraint, stakes)
                if before.holders:
                    value -= survey.joining_value_of([*others, before], constraint, stakes)
                elif len(others) > 1:
                    value -= survey.joining_value_of(others, constraint, stakes)
        return value

    def _add_terms(
        self, parts: Parts, stakes: Sequence[float], outlooks: Mapping[SegmentNumber, Outlook], deployed: str | None
    ) -> None:
        """Add the value of the change by the rules of boxes."""
        change = self.change(stakes, outlooks, deployed)
        for term in self.survey.terms:
            term.add(parts, stakes, change)

    def change(
        self,
        stakes: Sequence[float],
        outlooks: Mapping[SegmentNumber, Outlook] | None = None,
        deployed: str | None = None,
    ) -> Change:
        """Return the change as boxes value it, for a player with these stakes; ``outlooks`` are those of the trial."""
        survey = self.survey
        return Change(
            position=survey.position,
            after=survey.scratch_on(self.land),
            mover=self.player,
            tile=self.tile,
            completed=self.completed,
            outlooks=self.outlooks if outlooks is None else outlooks,
            outlook_before=survey.outlook,
            price=survey.price,
            value_of=lambda outlook: survey.value_of(outlook, stakes, self.player),
            aid=self.aid,
            deployed=deployed,
            weights=survey.weights,
            urgency=survey.urgency,
            draws=survey.appraiser.draws,
        )

    def _add_figures(
        self, parts: Parts, stakes: Sequence[float], outlooks: Mapping[SegmentNumber, Outlook], deployed: str | None
    ) -> None:
        """Add the value of the figures that return to a supply, and subtract that of a figure that leaves it."""
        changes_by_seat = self._figures_returning(outlooks)
        if deployed is not None:
            changes = changes_by_seat.setdefault(self.player, {})
            changes[deployed] = changes.get(deployed, 0) - 1
        value = sum(
            [self.survey.supply_gain(seat, changes) * stakes[seat] for seat, changes in changes_by_seat.items()]
        )
        if value:
            parts["figures"] = parts.get("figures", 0.0) + value
