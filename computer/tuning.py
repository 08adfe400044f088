"""Tuning: weights are found by self-play, by random changes of all weights at once.

In each pair of games a player whose weights were changed by random factors meets one with the opposite changes. How far
one of them is ahead says, over many pairs, in which direction each weight should move. The seeds of the tuning are
others than those of the arena.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from math import exp
from os import cpu_count
from pathlib import Path
from random import Random
from statistics import fmean, pstdev
from typing import NamedTuple

from computer.arena import Match
from computer.players import Level, Player
from computer.weights import Weights, read_weights
from engine import Setup, begin


@dataclass(frozen=True, slots=True)
class Tuning:
    """The subject of tuning: the games, the weights to begin with, and how boldly they are changed.

    ``spread`` is the standard deviation of the logarithms of the factors that are tried, ``rate`` the length of a step.
    ``only`` names the weights that are changed; empty for all.
    """

    match: Match
    start: str
    pairs: int
    spread: float
    rate: float
    only: tuple[str, ...] = ()


class Probe(NamedTuple):
    """The result of one pair: the random changes that were tried, and the points by which they were ahead."""

    changes: Mapping[str, float]
    ahead: float


def tune(tuning: Tuning, steps: int, out: Path, *, workers: int | None = None) -> Iterator[str]:
    """Take so many steps, write the weights after each of them, and yield a line about it."""
    game = tuning.match.game
    weights = dict(read_weights(tuning.start, game))
    names = [name for name, value in weights.items() if value and (not tuning.only or name in tuning.only)]
    with ExitStack() as stack:
        count = workers or cpu_count() or 1
        pool = stack.enter_context(ProcessPoolExecutor(count)) if count > 1 else None
        for step in range(steps):
            jobs = [(tuning, weights, names, step * tuning.pairs + number) for number in range(tuning.pairs)]
            probes = list(map(_probe, jobs) if pool is None else pool.map(_probe, jobs, chunksize=4))
            moves = _moves(probes, names, tuning.rate)
            weights.update({name: weights[name] * exp(move) for name, move in moves.items()})
            out.write_text(_text(game, weights, tuning, step + 1), encoding="utf-8")
            yield f"step {step + 1}: " + " ".join(f"{name} {weights[name]:.3g}" for name in names)


def _moves(probes: Sequence[Probe], names: Sequence[str], rate: float) -> dict[str, float]:
    """Return how far the logarithm of each weight moves: the mean of the changes, each as good as it was."""
    scale = pstdev([probe.ahead for probe in probes]) or 1.0
    return {name: rate * fmean(probe.changes[name] * probe.ahead / scale for probe in probes) for name in names}


def _probe(job: tuple[Tuning, Weights, Sequence[str], int]) -> Probe:
    """Play one pair of games between two opposite changes."""
    tuning, weights, names, number = job
    random = Random(f"tune:{tuning.match.seed}:{number}")
    changes = {name: random.gauss(0, 1) for name in names}
    a, b = (
        {**weights, **{name: weights[name] * exp(sign * tuning.spread * changes[name]) for name in names}}
        for sign in (1, -1)
    )
    setup = tuning.match.setup(number, prefix="tune")
    seats = number % setup.players, (number + (setup.players + 1) // 2) % setup.players
    return Probe(changes, fmean(_ahead(setup, a, b, seat) for seat in seats))


def _ahead(setup: Setup, a: Weights, b: Weights, seat: int) -> float:
    """Return the points by which a player with weights ``a`` is ahead of the mean of the others."""
    players = [Player(Level.QUICK, own={setup.game: a if other == seat else b}) for other in range(setup.players)]
    position = begin(setup)
    while (step := position.step) is not None:
        position.play(players[step.player].decide(position).chosen.action)
    others = [points for other, points in enumerate(position.scores) if other != seat]
    return position.scores[seat] - fmean(others)


def _text(game: str, weights: Weights, tuning: Tuning, steps: int) -> str:
    """Return the weights as a data file."""
    about = f"# {steps} steps of {tuning.pairs} pairs from {tuning.start}: {tuning.match}"
    return "\n".join([about, "", f"[{game}]", *(f"{name} = {value:.6g}" for name, value in weights.items()), ""])
