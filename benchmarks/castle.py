"""Speed of The Castle in sensible play: greedy games, each move the best of all by a simple measure."""

from __future__ import annotations

from random import Random
from time import perf_counter

from benchmarks.figures import Measurement
from engine import Action, Deploy, Pass, Place
from engine.the_castle import DeployFollower, PlaceTile, Position, new_setup
from engine.the_castle.scoring import POINTS
from engine.the_castle.tiles import FeatureKind

GAMES = 12
HOPE = 0.5
"""The value of a point of an unfinished feature."""
FIGURE = 1.5
"""The value of a figure in the supply."""
MARKET = 3


def worth(position: Position, seat: int) -> float:
    """Return a player's evaluation: points, prospects of features and figures left, less the opponent's."""
    sign = [1 if seat == other else -1 for other in range(position.players)]
    total = sum(
        sign[player] * (position.scores[player] + FIGURE * position.supply["follower"][player]) for player in (0, 1)
    )
    ward = position.ward
    for root, figures in enumerate(ward.holders):
        owners = ward.majority(figures)
        if len(owners) == 1:
            court = ward.kind[root] == FeatureKind.COURT
            points = MARKET * ward.marks[root] if court else POINTS[ward.kind[root]] * ward.size(root)
            total += sign[owners[0]] * HOPE * points
    return total


def greedy_action(position: Position, random: Random) -> Action:
    """The action after which its player stands best; a tile is laid where its best deployment stands best."""
    seat, thought = position.player, position.veiled()
    actions = list(thought.legal_actions)
    if isinstance(thought.step, PlaceTile):
        looks = thought.step.tile.rotations
        actions = [action for action in actions if isinstance(action, Place) and action.rotation in looks]
    random.shuffle(actions)
    return max(actions, key=lambda action: _after(thought, action, seat))


def _after(position: Position, action: Action, seat: int) -> float:
    position.push(action)
    if isinstance(action, Place) and isinstance(position.step, DeployFollower):
        choices = [action for action in position.legal_actions if isinstance(action, Deploy | Pass)]
        best = max(_after(position, choice, seat) for choice in choices)
    else:
        best = worth(position, seat)
    position.pop()
    return best


def greedy_game(number: int) -> tuple[float, list[int]]:
    """The milliseconds that a game takes, and its points, the winner's first."""
    position, random = Position(new_setup(seed=f"greedy {number}")), Random(number)
    begun = perf_counter()
    while position.step is not None:
        position.apply(greedy_action(position, random))
    return (perf_counter() - begun) * 1000, sorted(position.scores, reverse=True)


def figures() -> list[Measurement]:
    """Greedy games; their points are printed, as they tell whether the play has any sense."""
    games = [greedy_game(number) for number in range(GAMES)]
    first, second = (sum(scores[place] for _, scores in games) / GAMES for place in (0, 1))
    print(f"greedy games of The Castle end {first:.1f} : {second:.1f} on average")
    return [Measurement("castle greedy-2p", tuple(taken for taken, _ in games), "ms")]
