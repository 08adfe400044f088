"""Value every legal action of a decision in Carcassonne, one move deep.

A placement is tried on a copy of the land (:mod:`computer.carcassonne.trials`) and valued with the best figure that may
be deployed after it. Boxes value their own decisions; any other action is valued by the whole position after it.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from computer.candidates import Candidate, stakes_of
from computer.carcassonne.boxes.terms import Question
from computer.carcassonne.survey import Parts, Survey
from computer.carcassonne.trials import Trial, try_placement, try_standing_tile
from computer.memory import Memory
from computer.weights import Weights
from engine.actions import Action, Deploy, Pass, Place, Seat
from engine.board import SegmentNumber
from engine.caching import thread_safe_cache
from engine.carcassonne import Decline, DeployFollower, PlaceTile, Position, TileKind
from engine.carcassonne.placing import fitting
from engine.geometry import Cell


@thread_safe_cache
def distinct_rotations(kind: TileKind) -> frozenset[int]:
    """Return the rotations that look different from each other."""
    return frozenset(kind.rotations)


class Evaluator:
    """The valued actions of the player to move.

    ``position`` must not change while the evaluator is in use. With ``cheapest`` only the lowest bids are candidates,
    and selling. ``memory`` keeps the worth of tiles between decisions. ``survey`` is that of the position; None for a
    new one.
    """

    def __init__(
        self,
        position: Position,
        weights: Weights,
        *,
        memory: Memory | None = None,
        cheapest: bool = False,
        survey: Survey | None = None,
    ) -> None:
        self.position = position
        self.weights = weights
        self.survey = survey or Survey(position, weights)
        self._cheapest = cheapest
        self.evaluations = 0
        """The number of placements and other actions that were valued."""
        self._memory = memory or Memory()

    def candidates(self, *, parts: bool = False) -> list[Candidate]:
        """Return the actions of the step with their values, in the order of the legal actions.

        Rotations that look the same are listed once. With ``parts`` every candidate has the parts of its value.
        """
        match self.position.step:
            case PlaceTile() as step:
                return self._placements(step, with_parts=parts)
            case DeployFollower() as step:
                return self._deployments(step)
            case _:
                answers = (term.candidates(self._question()) for term in self.survey.terms)
                candidates = next((entry for entry in answers if entry is not None), None)
                return candidates or [self._after(action) for action in self.position.legal_actions]

    def _question(self) -> Question:
        """Return the current decision as boxes need it to value their own actions."""
        fingerprint, survey = self._fingerprint(), self.survey

        def tile_worth(kind: TileKind, seat: Seat) -> float:
            return self._memory.recall((fingerprint, kind.id, seat), lambda: self.tile_worth(kind, seat))

        return Question(
            position=self.position,
            weights=self.weights,
            urgency=survey.urgency,
            outlook=survey.outlook,
            price=survey.price,
            tile_worth=tile_worth,
            cheapest=self._cheapest,
        )

    # -- placing ------------------------------------------------------------------------------------------------------

    def _placements(self, step: PlaceTile, *, with_parts: bool) -> list[Candidate]:
        """Return the placements of the tile in hand."""
        stakes = stakes_of(self.position, step.player)
        return self.placements(step.tile, step.player, step.actions(self.position), stakes, with_parts=with_parts)

    def placements(
        self,
        kind: TileKind,
        player: Seat,
        actions: Sequence[Action],
        stakes: Sequence[float],
        *,
        with_parts: bool = False,
    ) -> list[Candidate]:
        """Return the placements of a tile by a player, each valued with the best figure on it."""
        rotations, candidates = distinct_rotations(kind), []
        for action in actions:
            if isinstance(action, Place):
                if action.rotation in rotations:
                    face = kind.faces[action.rotation // 90]
                    trial = try_placement(self.survey, action.cell.square, face, player, action.aid)
                    candidates.append(self.with_best_figure(action, trial, stakes, with_parts=with_parts))
            elif isinstance(action, Decline):
                parts = {"draws": self.weights["draw"]}
                candidates.append(Candidate(action, parts["draws"], parts))
        return candidates

    def with_best_figure(
        self, action: Action, trial: Trial, stakes: Sequence[float], *, with_parts: bool = False
    ) -> Candidate:
        """Return an action with the value of its trial when the best figure is deployed afterwards."""
        parts_without = trial.parts(stakes)
        value = without = sum(parts_without.values())
        best_deployment: Deploy | None = None
        roots = self.roots_by_name(trial)
        for deploy in self.figures(trial):
            with_figure = without + trial.gain_of_figure(stakes, roots[deploy.segment], deploy.figure)
            if with_figure > value:
                value, best_deployment = with_figure, deploy
        self.evaluations += 1
        parts = parts_without
        if with_parts and best_deployment is not None:
            parts = trial.parts(stakes, (roots[best_deployment.segment], best_deployment.figure))
        return Candidate(action, value, parts, best_deployment or Pass())

    def with_each_figure(self, action: Place, kind: TileKind, player: Seat) -> list[Candidate]:
        """Return a placement as a candidate without a figure, and one with each figure that may follow."""
        stakes = stakes_of(self.position, player)
        face = kind.faces[action.rotation // 90]
        trial = try_placement(self.survey, action.cell.square, face, player, action.aid)
        parts, roots = trial.parts(stakes), self.roots_by_name(trial)
        value = sum(parts.values())
        candidates = [Candidate(action, value, parts, Pass())]
        for deploy in self.figures(trial):
            gain = trial.gain_of_figure(stakes, roots[deploy.segment], deploy.figure)
            candidates.append(Candidate(action, value + gain, parts, deploy))
        self.evaluations += 1
        return candidates

    def value_of(self, trial: Trial, figure: Action | None, stakes: Sequence[float]) -> float:
        """Return the value of a trial with a figure for a player with these stakes; Pass or None for no figure."""
        deployed = None
        if isinstance(figure, Deploy):
            deployed = self.roots_by_name(trial)[figure.segment], figure.figure
        return sum(trial.parts(stakes, deployed).values())

    def figures(self, trial: Trial) -> Sequence[Deploy]:
        """Return the figures that may be deployed after a trial."""
        scratch = self.survey.scratch_on(trial.land)
        return DeployFollower(trial.player, trial.tile.cell).deployments(scratch)

    def roots_by_name(self, trial: Trial) -> dict[str, SegmentNumber]:
        """Return the roots of the features on the tile of a trial, by the names of their segments."""
        land = trial.land
        tile = land.placed[trial.tile.square]
        return {segment.name: land.find(number) for number, segment in land.segments(tile)}

    def _deployments(self, step: DeployFollower) -> list[Candidate]:
        """Return passing, the figures that may be deployed, and the actions of boxes at this moment."""
        position, stakes = self.position, stakes_of(self.position, step.player)
        tile = position.land.placed[step.cell.square]
        trial = try_standing_tile(self.survey, tile, step.player)
        roots = self.roots_by_name(trial)
        candidates = []
        for action in step.actions(position):
            match action:
                case Pass():
                    parts = trial.parts(stakes)
                case Deploy():
                    parts = trial.parts(stakes, (roots[action.segment], action.figure))
                case _ if any(term.changed_squares(action) for term in self.survey.terms):
                    trial_with_bridge = try_standing_tile(self.survey, tile, step.player, action)
                    if step.deployed:
                        parts = trial_with_bridge.parts(stakes)
                    else:
                        candidates.append(self.with_best_figure(action, trial_with_bridge, stakes, with_parts=True))
                        continue
                case _:
                    candidates.append(self._compared_with_passing(action, trial.parts(stakes)))
                    continue
            candidates.append(Candidate(action, sum(parts.values()), parts))
        self.evaluations += len(candidates)
        return candidates

    # -- everything else -----------------------------------------------------------------------------------------------

    def _fingerprint(self) -> Hashable:
        """Return a key of everything on which the worth of a tile depends: all that is public except the points."""
        position = self.position
        land = position.land
        return (
            position.setup.expansions,
            position.options,
            tuple((placed.square, placed.tile.id, placed.rotation, placed.added) for placed in land.placed.values()),
            tuple(land.holders),
            tuple(map(tuple, position.supply.values())),
            tuple(term.state(position) for term in self.survey.terms),
            tuple(sorted(position.face_down)),
            position.withdrawn,
        )

    def tile_worth(self, kind: TileKind, seat: Seat) -> float:
        """Return the value of a tile to a player who may lay it now, without a bridge."""
        places = [Place(Cell.at(square), rotation) for square, rotation in fitting(self.position.land, kind)]
        values = [entry.value for entry in self.placements(kind, seat, places, stakes_of(self.position, seat))]
        return max(values, default=self.weights["draw"])

    def _after(self, action: Action) -> Candidate:
        """Return an action with the value of the position after it."""
        parts = self._parts_after(action)
        return Candidate(action, sum(parts.values()), parts)

    def _parts_after(self, action: Action) -> Parts:
        """Return the value of the position after an action, by parts."""
        after = self.position.copy()
        after.push(action)
        self.evaluations += 1
        return standing_parts(after, self.weights, stakes_of(self.position, self.position.player))

    def _compared_with_passing(self, action: Action, passing: Parts) -> Candidate:
        """Return an action of a box without terms instead of a figure, given the parts of the value of passing.

        Passing is valued as a change, the position after an action as a whole, so the difference of two whole positions
        is added.
        """
        after, after_passing = self._parts_after(action), self._parts_after(Pass())
        parts = {
            name: passing.get(name, 0.0) + after.get(name, 0.0) - after_passing.get(name, 0.0)
            for name in {**passing, **after, **after_passing}
        }
        return Candidate(action, sum(parts.values()), parts)


def standing_parts(position: Position, weights: Weights, stakes: Sequence[float]) -> Parts:
    """Return the value of a whole position by parts: the points, the supplies, and every feature with figures."""
    survey = Survey(position, weights)
    parts: Parts = {"points": sum(points * stake for points, stake in zip(position.scores, stakes, strict=True))}
    if position.is_over:
        return parts
    for seat, stake in enumerate(stakes):
        supply = {figure: position.supply[figure][seat] for figure in position.figures}
        parts["figures"] = parts.get("figures", 0.0) + survey.supply_worth(supply) * stake
    for number, holders in zip(position.land.numbers, position.land.holders, strict=True):
        if holders:
            survey.add_outlook(parts, survey.outlook(number), stakes, position.player)
    return parts
