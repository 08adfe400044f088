"""Speed of the rules of *The Castle* in sensible games: two greedy players choose the action with the best evaluation.

Unlike random games, which other benchmarks play, these resemble games of people.
"""

from __future__ import annotations

from random import Random
from time import perf_counter

from benchmarks.figures import Measurement
from engine import Action, Deploy, Pass, Place
from engine.the_castle import DeployFollower, PlaceTile, Position, new_setup
from engine.the_castle.scoring import POINTS
from engine.the_castle.tiles import FeatureKind

GAME_COUNT = 12
UNFINISHED_POINT_VALUE = 0.5
"""The value of a point of an unfinished feature; that of a scored point is 1."""
SPARE_FIGURE_VALUE = 1.5
"""Value of a figure in the supply, in points."""
MARKET_POINTS = 3
"""Points of a court for each market on it."""


def evaluate(position: Position, seat: int) -> float:
    """Return a seat's value of a position: points, unfinished features and spare figures, minus the opponent's."""
    sign = [1 if seat == other else -1 for other in range(position.players)]
    total = sum(
        sign[player] * (position.scores[player] + SPARE_FIGURE_VALUE * position.supply["follower"][player])
        for player in (0, 1)
    )
    ward = position.ward
    for root, figures in enumerate(ward.holders):
        owners = ward.majority(figures)
        if len(owners) == 1:
            court = ward.kind[root] == FeatureKind.COURT
            points = MARKET_POINTS * ward.marks[root] if court else POINTS[ward.kind[root]] * ward.size(root)
            total += sign[owners[0]] * UNFINISHED_POINT_VALUE * points
    return total


def greedy_action(position: Position, random: Random) -> Action:
    """Return the action with the best evaluation; a placement counts together with its best deployment.

    Rotations that look alike are tried only once, and the player does not look at hidden tiles.
    """
    seat, visible = position.player, position.veiled()
    actions = list(visible.legal_actions)
    if isinstance(visible.step, PlaceTile):
        distinct = visible.step.tile.rotations
        actions = [action for action in actions if isinstance(action, Place) and action.rotation in distinct]
    random.shuffle(actions)
    return max(actions, key=lambda action: _value_after(visible, action, seat))


def _value_after(position: Position, action: Action, seat: int) -> float:
    """Return the value of a position after an action and, for a placement, the best deployment that may follow it."""
    position.push(action)
    if isinstance(action, Place) and isinstance(position.step, DeployFollower):
        choices = [action for action in position.legal_actions if isinstance(action, Deploy | Pass)]
        best = max(_value_after(position, choice, seat) for choice in choices)
    else:
        best = evaluate(position, seat)
    position.pop()
    return best


def play_greedy_game(number: int) -> tuple[float, list[int]]:
    """Play a game; return its duration in milliseconds and its points, the winner's first."""
    position, random = Position(new_setup(seed=f"greedy {number}")), Random(number)
    start = perf_counter()
    while position.step is not None:
        position.apply(greedy_action(position, random))
    return (perf_counter() - start) * 1000, sorted(position.scores, reverse=True)


def figures() -> list[Measurement]:
    """Measure greedy games; print their average points, which show whether the players play sensibly."""
    games = [play_greedy_game(number) for number in range(GAME_COUNT)]
    first, second = (sum(scores[place] for _, scores in games) / GAME_COUNT for place in (0, 1))
    print(f"greedy games of The Castle end {first:.1f} : {second:.1f} on average")
    return [Measurement("castle greedy-2p", tuple(duration for duration, _ in games), "ms")]
