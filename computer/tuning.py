"""Improve the weights of the evaluation by self-play, with random changes of all weights at once.

In each pair of games a player whose weights were multiplied by random factors meets one with the inverse factors. Over
many pairs, the lead of the first shows in which direction each weight should move. The method is simultaneous
perturbation, as in SPSA. Seeds differ from those of the arena, so that a match never measures tuned games.
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
    """The settings of a tuning run.

    ``match`` says which games are played, ``start`` names the weights to begin with, ``pairs`` is the number of pairs
    of games for each step. ``spread`` is the standard deviation of the logarithms of the random factors, ``rate`` the
    length of a step. ``only`` names the weights to change; empty for all.
    """

    match: Match
    start: str
    pairs: int
    spread: float
    rate: float
    only: tuple[str, ...] = ()


class Probe(NamedTuple):
    """The result of one pair of games: the random change of each weight, and the mean lead that they brought."""

    changes: Mapping[str, float]
    ahead: float


def tune(tuning: Tuning, steps: int, out: Path, *, workers: int | None = None) -> Iterator[str]:
    """Take ``steps`` steps, write the weights to ``out`` after each, and yield a line of text about each.

    ``workers`` is the number of processes; None for one on each core.
    """
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
    """Return the step of each weight's logarithm: the mean of its changes, weighted by the leads that they brought."""
    deviation = pstdev([probe.ahead for probe in probes]) or 1.0
    return {name: rate * fmean(probe.changes[name] * probe.ahead / deviation for probe in probes) for name in names}


def _probe(job: tuple[Tuning, Weights, Sequence[str], int]) -> Probe:
    """Play one pair of games between a random change of the weights and its opposite."""
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
    """Play a game and return the lead in points of a player with weights ``a`` over the mean of the others (``b``)."""
    weights = [{setup.game: a if other == seat else b} for other in range(setup.players)]
    players = [Player(Level.QUICK, weights_by_game=own) for own in weights]
    position = begin(setup)
    while (step := position.step) is not None:
        position.play(players[step.player].decide(position).chosen.action)
    others = [points for other, points in enumerate(position.scores) if other != seat]
    return position.scores[seat] - fmean(others)


def _text(game: str, weights: Weights, tuning: Tuning, steps: int) -> str:
    """Return the text of a data file with the weights, which says how they were found."""
    about = f"# {steps} steps of {tuning.pairs} pairs from {tuning.start}: {tuning.match}"
    return "\n".join([about, "", f"[{game}]", *(f"{name} = {value:.6g}" for name, value in weights.items()), ""])
