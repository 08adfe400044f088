"""Random games of The Castle for the property tests: features close, figures come home, wall tiles are taken and used.

Uniformly random play scores a few points only. So tiles are laid where they complete something or where many neighbours
lie, and figures stand where they score.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random

from hypothesis import strategies as st

from engine import Action, Cell, Deploy, Pass, Place
from engine import Position as AnyPosition
from engine.geometry import STEP
from engine.selfplay import random_action
from engine.the_castle import (
    PRESETS,
    DeployFollower,
    Double,
    DoubleFeature,
    ExtraTurn,
    Options,
    PlaceTile,
    PlayAgain,
    Position,
    ScoreFeature,
    Setup,
    Triple,
    new_setup,
    wall,
)
from engine.the_castle.steps import NextTurn

SMALL = ("D13", "D16", "D20", "D22", "D22", "D29", "D30", "D31", "D49", "D53", "D56", "D57")
"""Tiles that make for small features."""
SEGMENTS = ("path.N", "path.W", "tower.NL", "tower.NR", "house.NL", "house.ER", "court.NL", "court.SR", "keep.N")


def options() -> st.SearchStrategy[Options]:
    """A preset, or any combination of all options."""
    values = {name: st.sampled_from(choices) for name, choices in Options.values().items()}
    return st.one_of(st.sampled_from(list(PRESETS.values())), st.builds(Options, **values))


def setups() -> st.SearchStrategy[Setup]:
    """Whole games, and games with a pile in which small features are completed all the time."""
    whole = st.builds(new_setup, seed=st.integers(0, 2**32).map(str), options=options())
    return st.one_of(whole, st.builds(crowded, whole))


def everything(_seed: int) -> tuple[str, ...]:
    """There is nothing to add."""
    return ()


def crowded(setup: Setup) -> Setup:
    """The same game with a pile of tiles that make for small features."""
    random = Random(setup.seed)
    pile = tuple(f"castle/{random.choice(SMALL)}" for _ in range(random.randint(1, 75)))
    return replace(setup, pile=pile)


def lively_action(position: Position, random: Random) -> Action:
    """A legal action, chosen so that features close and figures score."""
    actions = position.legal_actions
    match position.step:
        case PlaceTile():
            return max((random.choice(actions) for _ in range(5)), key=lambda action: _promise(position, action))
        case DeployFollower() if random.random() < 0.9:
            deployments = [action for action in actions if isinstance(action, Deploy)]
            return min(deployments, key=lambda action: _open_ends(position, action), default=Pass())
        case DoubleFeature() | ExtraTurn():
            return random.choice(actions[1:])
        case _:
            return random_action(position, random)


def _promise(position: Position, action: Action) -> tuple[int, int]:
    """Return the number of tiles in features that would be scored, and the number at the sides of the place."""
    step = position.step
    assert isinstance(step, PlaceTile)
    assert isinstance(action, Place)
    ward = position.ward.copy()
    ward.place(action.cell.square, step.tile.faces[action.rotation // 90], step.player)
    finished = [ward.find(segment) for segment in ward.take_completed_segments()]
    held = sum(ward.size(root) for root in finished if any(one.player == step.player for one in ward.holders[root]))
    return held, sum(action.cell.square + way not in position.ward.frontier for way in STEP)


def _open_ends(position: Position, action: Deploy) -> int:
    """Return how far a feature is from being scored; merchants only score at the end."""
    step = position.step
    assert isinstance(step, DeployFollower)
    feature = position.feature_at(step.cell, action.segment)
    return feature.open_ends if feature.open_ends >= 0 else 4


def begun_by(setup: Setup, seat: int) -> Position:
    """The position before the first move, in which this seat begins."""
    position = Position(setup, begin=False)
    position.agenda.append(NextTurn((seat - 1) % setup.players))
    position.resume()
    return position


def near_misses(position: AnyPosition, chance: Random) -> Iterator[Action]:
    """Actions of every kind, most of them not legal."""
    cells = [*position.open_cells(), *(placed.cell for placed in position.placed())]
    walls = [chance.choice(wall().squares).cell, chance.choice(wall().starts).cell, Cell(40, -40)]
    yield from (Pass(), Double(), Triple(), PlayAgain())
    for cell in (chance.choice(cells or walls), *walls):
        yield from (Place(cell, rotation) for rotation in (0, 90, 180, 270, 45))
        yield from (ScoreFeature(cell, segment) for segment in SEGMENTS)
    yield from (Deploy(segment) for segment in SEGMENTS)
    yield Deploy("tower.NL", "keep")
