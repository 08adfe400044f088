"""Random games of The Castle for the property tests: features are completed, wall tiles are taken and used.

Uniformly random play scores only a few points. So lively play places tiles where they complete a feature of the
player's or have many neighbours, and deploys figures on the features with the fewest open ends.
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

SMALL_FEATURE_TILES = ("D13", "D16", "D20", "D22", "D22", "D29", "D30", "D31", "D49", "D53", "D56", "D57")
"""Tiles that lead to small features."""
SEGMENTS = ("path.N", "path.W", "tower.NL", "tower.NR", "house.NL", "house.ER", "court.NL", "court.SR", "keep.N")
"""Names of segments on which figures may be deployed."""


def options() -> st.SearchStrategy[Options]:
    """Draw a preset, or any combination of all options."""
    values = {name: st.sampled_from(choices) for name, choices in Options.values().items()}
    return st.one_of(st.sampled_from(list(PRESETS.values())), st.builds(Options, **values))


def setups() -> st.SearchStrategy[Setup]:
    """Draw whole games, and games with a pile that leads to many small completed features."""
    whole_games = st.builds(new_setup, seed=st.integers(0, 2**32).map(str), options=options())
    return st.one_of(whole_games, st.builds(crowded, whole_games))


def expansions_for(_seed: int) -> tuple[str, ...]:
    """Return no expansions: the game has none."""
    return ()


def crowded(setup: Setup) -> Setup:
    """Return the game with a pile of tiles that lead to small features."""
    rng = Random(setup.seed)
    pile = tuple(f"castle/{rng.choice(SMALL_FEATURE_TILES)}" for _ in range(rng.randint(1, 75)))
    return replace(setup, pile=pile)


def lively_action(position: Position, rng: Random) -> Action:
    """Choose a legal action that favours completed features and scoring figures."""
    actions = position.legal_actions
    match position.step:
        case PlaceTile():
            return max((rng.choice(actions) for _ in range(5)), key=lambda action: _placement_value(position, action))
        case DeployFollower() if rng.random() < 0.9:
            deployments = [action for action in actions if isinstance(action, Deploy)]
            return min(deployments, key=lambda action: _open_ends(position, action), default=Pass())
        case DoubleFeature() | ExtraTurn():
            return rng.choice(actions[1:])
        case _:
            return random_action(position, rng)


def _placement_value(position: Position, action: Action) -> tuple[int, int]:
    """Return the number of tiles in the player's features that would be scored, and the number of neighbours."""
    step = position.step
    assert isinstance(step, PlaceTile)
    assert isinstance(action, Place)
    ward = position.ward.copy()
    ward.place(action.cell.square, step.tile.faces[action.rotation // 90], step.player)
    finished = [ward.find(segment) for segment in ward.take_completed_segments()]
    held = sum(ward.size(root) for root in finished if any(one.player == step.player for one in ward.holders[root]))
    return held, sum(action.cell.square + way not in position.ward.frontier for way in STEP)


def _open_ends(position: Position, action: Deploy) -> int:
    """Return the number of open ends of a feature; a court counts as four, for merchants score only at the end."""
    step = position.step
    assert isinstance(step, DeployFollower)
    feature = position.feature_at(step.cell, action.segment)
    return feature.open_ends if feature.open_ends >= 0 else 4


def start_from_seat(setup: Setup, seat: int) -> Position:
    """Return the position before the first move with this seat to begin."""
    position = Position(setup, begin=False)
    position.agenda.append(NextTurn((seat - 1) % setup.players))
    position.resume()
    return position


def near_misses(position: AnyPosition, rng: Random) -> Iterator[Action]:
    """Yield actions of every kind, most of them illegal."""
    cells = [*position.open_cells(), *(placed.cell for placed in position.placed())]
    walls = [rng.choice(wall().squares).cell, rng.choice(wall().starts).cell, Cell(40, -40)]
    yield from (Pass(), Double(), Triple(), PlayAgain())
    for cell in (rng.choice(cells or walls), *walls):
        yield from (Place(cell, rotation) for rotation in (0, 90, 180, 270, 45))
        yield from (ScoreFeature(cell, segment) for segment in SEGMENTS)
    yield from (Deploy(segment) for segment in SEGMENTS)
    yield Deploy("tower.NL", "keep")
