"""The decisions of The Castle, each with its candidates compared by the evaluation, one move deep.

The wall is small, so candidates are carried out by the engine on a copy without hidden information. A figure on a
feature that stays open is valued as a difference to its placement.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from computer.candidates import Candidate, stakes_of
from computer.weights import Weights
from engine.actions import FOLLOWER, Action, Deploy, Pass, Place, Seat
from engine.caching import thread_safe_cache
from engine.the_castle import DeployFollower, PlaceTile, Position
from engine.the_castle.final import RAISED_MARKET_POINTS
from engine.the_castle.scoring import POINTS
from engine.the_castle.tiles import FeatureKind, TileKind
from engine.the_castle.wall import SCORED_WHEN_INCOMPLETE, WallTile

Parts = dict[str, float]
MARKET_POINTS: Final = RAISED_MARKET_POINTS[0]
PART_OF: Final = {
    FeatureKind.PATH: "paths",
    FeatureKind.TOWER: "towers",
    FeatureKind.HOUSE: "houses",
    FeatureKind.COURT: "courts",
}


@thread_safe_cache
def _looks(kind: TileKind) -> frozenset[int]:
    """Return the rotations that look different from each other."""
    return frozenset(kind.rotations)


class Evaluation:
    """The worth of positions of one game, for a player with these stakes."""

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
        """Return what so many figures in the supply are worth."""
        return self._follower[count]

    def feature(self, position: Position, root: int, owner: Seat) -> float:
        """Return the points that a feature is expected to bring its owner."""
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
        """Return the parts of a position's value."""
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
                part = PART_OF[FeatureKind(ward.kind[root])]
                parts[part] = parts.get(part, 0.0) + self.feature(position, root, owner) * stakes[owner]
        parts["wall tiles"] = sum([self.hand(hand) * stake for hand, stake in zip(position.hands, stakes, strict=True)])
        parts["keeps"] = self.keeps(position)
        parts["turn"] = weights["draw"] * stakes[position.player]
        return parts

    def hand(self, hand: Sequence[WallTile]) -> float:
        """Return what a player's wall tiles are worth; those that nobody has seen are worth the mean."""
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
        """Return what the largest keep is worth: the largest empty area, which shrinks with every tile."""
        result = [keep.size if keep else 0 for keep in position.keeps]
        one, other = result
        if one == other:
            return 0.0
        ahead = Seat(0) if one > other else Seat(1)
        lead = abs(one - other)
        certain = lead / (lead + self.weights["keep_doubt"] * self.draws / 10)
        return self.weights["keep"] * certain * self.stakes[ahead]


class Deciding:
    """The candidates of the player to move; ``position`` must not change as long as they are asked for."""

    def __init__(self, position: Position, weights: Weights) -> None:
        self.position = position
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
        looks = _looks(step.tile)
        return [
            self._placement(position, action, step.player)
            for action in actions
            if isinstance(action, Place) and action.rotation in looks
        ]

    def _placement(self, position: Position, action: Place, player: Seat) -> Candidate:
        """Return a placement with the best figure."""
        before = position
        position = before.copy()
        position.play(action)
        step = position.step
        if not isinstance(step, DeployFollower):
            return self._after(before, action)
        self.evaluations += 1
        ward, evaluation, stake = position.ward, self._evaluation, self._evaluation.stakes[player]
        options = step.actions(position)
        closed = {ward.find(number) for number in ward.touched if not ward.ends[ward.find(number)]}
        names = {
            segment.name: number
            for number, segment in zip(
                ward.numbers_at(action.cell.square), ward.placed[action.cell.square].face.segments, strict=True
            )
        }
        count = position.supply[FOLLOWER][player]
        plain = self._settled(position, Pass())
        chosen: Action = Pass()
        best_value, parts = sum(plain.values()), plain
        without = best_value
        for option in options:
            if not isinstance(option, Deploy):
                continue
            root = ward.find(names[option.segment])
            if root in closed:
                with_figure = self._settled(position, option)
                value = sum(with_figure.values())
            else:
                spent = evaluation.followers(count) - evaluation.followers(count - 1)
                gain = (evaluation.feature(position, root, player) - spent) * stake
                value = without + gain
                with_figure = {**plain, "figure": gain}
            if value > best_value:
                best_value, chosen, parts = value, option, with_figure
        return Candidate(action, best_value, parts, chosen)

    def _settled(self, position: Position, action: Action) -> Parts:
        """Return how the parts have changed after an action, and after what follows without anybody laying a tile."""
        after = position.copy()
        after.play(action)
        while after.step is not None and not isinstance(after.step, PlaceTile):
            after.play(after.step.default_action(after))
        parts = self._evaluation.parts(after)
        return {name: parts.get(name, 0.0) - self._before.get(name, 0.0) for name in {**parts, **self._before}}

    def _after(self, position: Position, action: Action) -> Candidate:
        self.evaluations += 1
        parts = self._settled(position, action)
        return Candidate(action, sum(parts.values()), parts)
