"""Value every legal action of a decision in The Castle, one move deep.

The board of this game, the ward inside the castle wall, is small, so the engine simply plays each action on a copy of
the position. There is one exception: a figure on a feature that stays open is valued without being played, as a change
of the value of its placement.

Weights are looked up by name. ``computer/data/weights.toml`` explains each of them, such as ``plain`` and ``home``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from computer.candidates import Candidate, comparable, stakes_of
from computer.weights import Weights
from engine.actions import FOLLOWER, Action, Deploy, Pass, Place, Seat
from engine.caching import thread_safe_cache
from engine.the_castle import DeployFollower, PlaceTile, Position
from engine.the_castle.final import RAISED_MARKET_POINTS
from engine.the_castle.scoring import POINTS
from engine.the_castle.tiles import FeatureKind, TileKind
from engine.the_castle.wall import SCORED_WHEN_INCOMPLETE, WallTile

Parts = dict[str, float]
"""The parts of a value by name, in points ahead of the rival."""
MARKET_POINTS: Final = RAISED_MARKET_POINTS[0]
"""The points of a market to the owner of its court."""
PART_NAMES: Final = {
    FeatureKind.PATH: "paths",
    FeatureKind.TOWER: "towers",
    FeatureKind.HOUSE: "houses",
    FeatureKind.COURT: "courts",
}
"""The name of the part of a value that features of each kind make up."""


@thread_safe_cache
def _distinct_rotations(kind: TileKind) -> frozenset[int]:
    """Return the rotations that look different from each other."""
    return frozenset(kind.rotations)


class Evaluation:
    """Values positions of one game for a player.

    ``stakes`` says, by seat, how much a point of each player is worth to that player.
    """

    def __init__(self, position: Position, weights: Weights, stakes: Sequence[float]) -> None:
        self.weights = weights
        self.stakes = stakes
        self.draws = position.pile_left / position.players
        self.urgency = min(1.0, self.draws / weights["follower_horizon"])
        exponent = weights["pace"] * self.draws + weights["start"]
        self._closing = 1 - (1 - weights["closing"]) ** exponent if position.pile_left else 0.0
        self._follower = [
            sum(
                weights["follower_floor"] + weights["follower"] * weights["follower_decay"] ** at for at in range(count)
            )
            * self.urgency
            for count in range(8)
        ]

    def followers(self, count: int) -> float:
        """Return the value of ``count`` figures in a player's supply."""
        return self._follower[count]

    def feature(self, position: Position, root: int, owner: Seat) -> float:
        """Return the points that a feature (root) is expected to bring its owner."""
        ward, weights = position.ward, self.weights
        kind = ward.kind[root]
        size = ward.tiles[root].bit_count()
        if kind == FeatureKind.COURT:
            share = weights["court"]
            return share * (MARKET_POINTS * ward.marks[root] + weights["court_future"] * self.draws)
        ends = ward.ends[root]
        chance = self._closing**ends
        points = POINTS[kind] * (size + weights["growth"] * ends)
        if kind == FeatureKind.PATH and ward.marks[root]:
            points += ward.marks[root] * size
        worth = weights["plain"] * POINTS[kind] * size + chance * points + chance * weights["home"] * self.urgency
        if kind == FeatureKind.HOUSE:
            keep = position.keeps[owner]
            if keep is None or size > keep.size:
                worth += chance * weights["keep_grow"] * (size - (keep.size if keep else 0))
        for wall_tile, scored in SCORED_WHEN_INCOMPLETE.items():
            if scored == kind and wall_tile in position.hands[owner]:
                worth += (1 - chance) * weights["open_share"] * POINTS[kind] * size
        return worth

    def parts(self, position: Position) -> Parts:
        """Return the value of a position, split by source."""
        stakes, weights = self.stakes, self.weights
        parts: Parts = {"points": sum([points * stake for points, stake in zip(position.scores, stakes, strict=True)])}
        if position.is_over:
            return parts
        parts["figures"] = sum(
            [self.followers(count) * stake for count, stake in zip(position.supply[FOLLOWER], stakes, strict=True)]
        )
        ward = position.ward
        for root, figures in enumerate(ward.holders):
            if figures:
                owner = figures[0].player
                if len(figures) > 1:
                    owners = ward.majority(figures)
                    if len(owners) != 1:
                        continue
                    owner = owners[0]
                part = PART_NAMES[FeatureKind(ward.kind[root])]
                parts[part] = parts.get(part, 0.0) + self.feature(position, root, owner) * stakes[owner]
        parts["wall tiles"] = sum([self.hand(hand) * stake for hand, stake in zip(position.hands, stakes, strict=True)])
        parts["keeps"] = self.keeps(position)
        parts["turn"] = weights["draw"] * stakes[position.player]
        return parts

    def hand(self, hand: Sequence[WallTile]) -> float:
        """Return the value of a player's wall tiles; hidden ones are worth the mean of all."""
        value = 0.0
        for kind in hand:
            if kind is WallTile.HIDDEN:
                value += self.weights["wall_tile"]
            elif kind is WallTile.FIVE_POINTS:
                value += 5
            else:
                value += self.weights[f"wall_tile_{int(kind)}"]
        return value

    def keeps(self, position: Position) -> float:
        """Return the value of having the largest keep, which scores the largest empty area at the end.

        The empty area shrinks with every tile, so the value depends on the lead and the number of tiles still to come.
        """
        sizes = [keep.size if keep else 0 for keep in position.keeps]
        first, second = sizes
        if first == second:
            return 0.0
        ahead = Seat(0) if first > second else Seat(1)
        lead = abs(first - second)
        certain = lead / (lead + self.weights["keep_doubt"] * self.draws / 10)
        return self.weights["keep"] * certain * self.stakes[ahead]


class Evaluator:
    """The valued actions of the player to move; ``position`` must not change while the evaluator is in use."""

    def __init__(self, position: Position, weights: Weights) -> None:
        self.position = position
        self.weights = weights
        self.evaluations = 0
        """The number of placements and other actions that were valued."""
        self._evaluation = Evaluation(position, weights, stakes_of(position, position.player))
        self._before = self._evaluation.parts(position)

    def candidates(self, *, parts: bool = False) -> list[Candidate]:  # noqa: ARG002
        """Return the actions of the step with their values; rotations that look the same are listed once."""
        position = self.position.copy()
        step = position.step
        actions = list(position.legal_actions)
        if not isinstance(step, PlaceTile):
            return [self._after(position, action) for action in actions]
        rotations = _distinct_rotations(step.tile)
        return [
            self._placement(position, action, step.player)
            for action in actions
            if isinstance(action, Place) and action.rotation in rotations
        ]

    def _placement(self, position: Position, action: Place, player: Seat) -> Candidate:
        """Return a placement as a candidate, valued with the best figure on it."""
        before = position
        position = before.copy()
        position.play(action)
        step = position.step
        if not isinstance(step, DeployFollower):
            return self._after(before, action)
        self.evaluations += 1
        ward, evaluation, stake = position.ward, self._evaluation, self._evaluation.stakes[player]
        deployments = step.actions(position)
        closed = {ward.find(number) for number in ward.touched if not ward.ends[ward.find(number)]}
        segment_numbers = {
            segment.name: number
            for number, segment in zip(
                ward.numbers_at(action.cell.square), ward.placed[action.cell.square].face.segments, strict=True
            )
        }
        count = position.supply[FOLLOWER][player]
        parts_without = self._settled(position, Pass())
        chosen: Action = Pass()
        best_value, parts = sum(parts_without.values()), parts_without
        value_without = best_value
        for deployment in deployments:
            if not isinstance(deployment, Deploy):
                continue
            root = ward.find(segment_numbers[deployment.segment])
            if root in closed:
                with_figure = self._settled(position, deployment)
                value = sum(with_figure.values())
            else:
                figure_price = evaluation.followers(count) - evaluation.followers(count - 1)
                gain = (evaluation.feature(position, root, player) - figure_price) * stake
                value = value_without + gain
                with_figure = {**parts_without, "figure": gain}
            if comparable(value) > comparable(best_value):
                best_value, chosen, parts = value, deployment, with_figure
        return Candidate(action, best_value, parts, chosen)

    def _settled(self, position: Position, action: Action) -> Parts:
        """Return the change of each part of the value when an action is played.

        Default actions follow it up to the next placement.
        """
        after = position.copy()
        after.play(action)
        while after.step is not None and not isinstance(after.step, PlaceTile):
            after.play(after.step.default_action(after))
        parts = self._evaluation.parts(after)
        return {name: parts.get(name, 0.0) - self._before.get(name, 0.0) for name in {**parts, **self._before}}

    def _after(self, position: Position, action: Action) -> Candidate:
        """Return an action as a candidate, valued by the position to which it leads."""
        self.evaluations += 1
        parts = self._settled(position, action)
        return Candidate(action, sum(parts.values()), parts)
