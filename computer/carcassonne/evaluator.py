"""Value every legal action of a decision in Carcassonne, one move deep.

A placement is tried on a copy of the land (:mod:`computer.carcassonne.trials`) and valued with the best figure that may
be deployed after it. Boxes value their own decisions; any other action is valued by the whole position after it.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Final

from computer.candidates import Candidate, comparable, stakes_of
from computer.carcassonne.boxes.terms import BoxTerms, Question, add_part
from computer.carcassonne.survey import Parts, Survey
from computer.carcassonne.trials import Trial, try_placement, try_standing_tile
from computer.memory import Memory
from computer.weights import Weights
from engine.actions import Action, Deploy, Pass, Place, Seat
from engine.board import Follower, SegmentNumber
from engine.caching import thread_safe_cache
from engine.carcassonne import Decline, DeployFollower, PlaceTile, Position, TileKind
from engine.carcassonne.placing import fitting
from engine.geometry import Cell

SECOND_FIGURE: Final = "second figure"
"""The part of a value that a figure adds which may follow the first one on the same tile."""


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
        own_actions = BoxTerms.instead_of_figure
        self._instead_terms = [term for term in self.survey.terms if type(term).instead_of_figure is not own_actions]
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
            with_figures=self._with_figures,
            figure_parts=self._figure_parts,
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
        follow_up: Action = Pass()
        gains = self._gains_of_figures(trial, stakes)
        for deploy, gain in gains.items():
            with_figures = without + gain + self._gain_of_second_figure(trial, gains, deploy)
            if comparable(with_figures) > comparable(value):
                value, follow_up = with_figures, deploy
        parts = parts_without
        for instead, added in self._instead_of_figure(trial, stakes).items():
            with_this = without + sum(added.values())
            if comparable(with_this) > comparable(value):
                value, follow_up, parts = with_this, instead, _sum_of(parts_without, added)
        self.evaluations += 1
        if with_parts and isinstance(follow_up, Deploy):
            root = self.roots_by_name(trial)[follow_up.segment]
            parts = trial.parts(stakes, (root, follow_up.figure))
            add_part(parts, SECOND_FIGURE, self._gain_of_second_figure(trial, gains, follow_up))
        return Candidate(action, value, parts, follow_up)

    def _instead_of_figure(self, trial: Trial, stakes: Sequence[float]) -> Mapping[Action, Mapping[str, float]]:
        """Return what boxes' actions instead of a figure add to the value of a trial, by parts."""
        if not self._instead_terms or not self._takes_figures(trial):
            return {}
        change = trial.change(stakes)
        return {
            action: parts
            for term in self._instead_terms
            for action, parts in term.instead_of_figure(change, stakes).items()
        }

    def _gains_of_figures(self, trial: Trial, stakes: Sequence[float]) -> dict[Deploy, float]:
        """Return how much the value of a trial rises with each figure that may be deployed after it."""
        roots = self.roots_by_name(trial)
        return {
            deploy: trial.gain_of_figure(stakes, roots[deploy.segment], deploy.figure) for deploy in self.figures(trial)
        }

    def _gain_of_second_figure(self, trial: Trial, gains: Mapping[Deploy, float], first: Deploy | None) -> float:
        """Return what a figure adds that may follow the first one, or an action instead of it, on the same tile.

        ``gains`` are those of each figure alone. Nothing follows a figure of a kind that could itself be the second.
        """
        kinds = self.survey.second_figures
        if not kinds or (first is not None and first.figure in kinds):
            return 0.0
        roots = self.roots_by_name(trial)
        best_gain = 0.0
        for deploy, gain in gains.items():
            if deploy.figure in kinds and (first is None or roots[deploy.segment] != roots[first.segment]):
                together = 0.0 if first is None else self.survey.pair_cost(trial.player, first.figure, deploy.figure)
                best_gain = max(best_gain, gain - together)
        return self.weights["second_figure"] * best_gain

    def with_each_figure(self, action: Place, kind: TileKind, player: Seat) -> list[Candidate]:
        """Return a placement as a candidate without a figure, and one with each figure that may follow."""
        stakes = stakes_of(self.position, player)
        face = kind.faces[action.rotation // 90]
        trial = try_placement(self.survey, action.cell.square, face, player, action.aid)
        parts, gains = trial.parts(stakes), self._gains_of_figures(trial, stakes)
        value = sum(parts.values())
        candidates = [Candidate(action, value, parts, Pass())]
        for deploy, gain in gains.items():
            second = self._gain_of_second_figure(trial, gains, deploy)
            candidates.append(Candidate(action, value + gain + second, parts, deploy))
        for instead, added in self._instead_of_figure(trial, stakes).items():
            candidates.append(Candidate(action, value + sum(added.values()), _sum_of(parts, added), instead))
        self.evaluations += 1
        return candidates

    def value_of(self, trial: Trial, figure: Action | None, stakes: Sequence[float]) -> float:
        """Return the value of a trial with a figure for a player with these stakes; Pass or None for no figure."""
        deployed = None
        if isinstance(figure, Deploy):
            deployed = self.roots_by_name(trial)[figure.segment], figure.figure
        instead = {} if figure is None else self._instead_of_figure(trial, stakes).get(figure, {})
        return sum(trial.parts(stakes, deployed).values()) + sum(instead.values())

    def figures(self, trial: Trial) -> Sequence[Deploy]:
        """Return the figures that may be deployed after a trial."""
        if not self._takes_figures(trial):
            return ()
        return DeployFollower(trial.player, trial.tile.cell).deployments(self.survey.scratch_on(trial.land))

    def _takes_figures(self, trial: Trial) -> bool:
        """Return True if a figure may be deployed after a trial, or something be done instead."""
        step = DeployFollower(trial.player, trial.tile.cell)
        return step.takes_figures(self.survey.scratch_on(trial.land))

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
        gains = self._gains_of_figures(trial, stakes) if self.survey.second_figures else {}
        instead = {} if step.deployed else self._instead_of_figure(trial, stakes)
        candidates = []
        for action in step.actions(position):
            match action:
                case Pass():
                    parts = trial.parts(stakes)
                case Deploy():
                    parts = trial.parts(stakes, (roots[action.segment], action.figure))
                    add_part(parts, SECOND_FIGURE, self._gain_of_second_figure(trial, gains, action))
                case _ if action in instead:
                    parts = _sum_of(trial.parts(stakes), instead[action])
                case _ if any(term.changed_squares(action) for term in self.survey.terms):
                    trial_with_bridge = try_standing_tile(self.survey, tile, step.player, action)
                    if step.deployed:
                        parts = trial_with_bridge.parts(stakes)
                    else:
                        candidates.append(self.with_best_figure(action, trial_with_bridge, stakes, with_parts=True))
                        continue
                case _:
                    parts = self._compared_with_passing(action, trial.parts(stakes))
                    add_part(parts, SECOND_FIGURE, self._gain_of_second_figure(trial, gains, None))
            candidates.append(Candidate(action, sum(parts.values()), parts))
        self.evaluations += len(candidates)
        return candidates

    def _with_figures(self, cell: Cell, actions: Mapping[Action, Deploy | None]) -> list[Candidate]:
        """Return actions of a box that deploy a figure on the tile just laid, or none, with their values."""
        position = self.position
        player = position.player
        trial = try_standing_tile(self.survey, position.land.placed[cell.square], player)
        roots, stakes = self.roots_by_name(trial), stakes_of(position, player)
        candidates = []
        for action, deploy in actions.items():
            parts = trial.parts(stakes, None if deploy is None else (roots[deploy.segment], deploy.figure))
            candidates.append(Candidate(action, sum(parts.values()), parts))
        self.evaluations += len(candidates)
        return candidates

    def _figure_parts(self, root: SegmentNumber, figure: str) -> Parts:
        """Return the parts of the value of a figure (name) of the player on a feature without figures."""
        player, survey = self.position.player, self.survey
        stakes, outlook, parts = stakes_of(self.position, player), survey.outlook(root), Parts()
        survey.add_outlook(parts, outlook, [-stake for stake in stakes], player)
        survey.add_outlook(parts, outlook._replace(holders=(Follower(player, figure, root),)), stakes, player)
        add_part(parts, "figures", survey.supply_gain(player, {figure: -1}) * stakes[player])
        self.evaluations += 1
        return parts

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

    def _compared_with_passing(self, action: Action, passing: Parts) -> Parts:
        """Return the parts of an action of a box instead of a figure, given those of passing.

        Added is what the action changes at once: points, supplies, and the figures on features. A feature that is left
        without figures has no value any more, since it is too late to enter it.
        """
        position, survey = self.position, self.survey
        player, stakes = position.player, stakes_of(self.position, self.position.player)
        after, parts = position.copy(), dict(passing)
        after.perform(player, action)
        for seat, stake in enumerate(stakes):
            add_part(parts, "points", (after.scores[seat] - position.scores[seat]) * stake)
            returned = {name: after.supply[name][seat] - position.supply[name][seat] for name in position.figures}
            add_part(parts, "figures", survey.supply_gain(Seat(seat), returned) * stake)
        land = position.land
        # What an action adds to the land, such as a bridge, comes last; no figure stands there yet.
        for number, before, now in zip(land.numbers, land.holders, after.land.holders, strict=False):
            if before != now:
                outlook = survey.outlook(number)
                survey.add_outlook(parts, outlook, [-stake for stake in stakes], player)
                if now:
                    survey.add_outlook(parts, outlook._replace(holders=now), stakes, player)
        return parts


def _sum_of(parts: Parts, added: Mapping[str, float]) -> Parts:
    """Return the parts of a value with others added."""
    together = dict(parts)
    for name, value in added.items():
        add_part(together, name, value)
    return together


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
