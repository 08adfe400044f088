"""Measure two computer players against each other in pairs of games.

The two games of a pair have the same pile, and the players exchange seats, so that luck with tiles cancels out. The
same seed gives the same result, except for the measured times. Games run on all cores. Each finished pair is appended
to the file of ``--resume``, so that an interrupted match can continue.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict, dataclass
from math import sqrt
from os import cpu_count
from pathlib import Path
from statistics import mean, median, stdev
from time import process_time
from typing import Any, Final, NamedTuple

from computer.players import Player
from engine import DEFAULT_GAME, GAMES, Place, Setup, begin
from engine.options import Options

CALIBRATION_ROUNDS: Final = 1_000_000
"""The length of the loop whose CPU time says how fast a machine is; the reference machine takes 45 ms."""
UPPER_PERCENTILE: Final = 0.95
"""The share of decisions that the upper of the two reported times covers."""


@dataclass(frozen=True, slots=True)
class Match:
    """The settings of a match: the game, and two players by name (see :meth:`Player.parse`).

    With more than two seats, player B has all but one. Player A takes two opposite seats in the two games of a pair,
    and other seats in the next pair.
    """

    a: str
    b: str
    players: int = 2
    game: str = DEFAULT_GAME
    expansions: tuple[str, ...] = ()
    preset: str = ""
    seed: int = 1

    def setup(self, pair: int, *, prefix: str = "arena") -> Setup:
        """Return the setup of both games of a pair."""
        game = GAMES[self.game]
        options: Options = game.presets[self.preset] if self.preset else game.options()
        seed = f"{prefix}:{self.seed + pair}"
        return game.new_setup(players=self.players, seed=seed, options=options, expansions=self.expansions)


class Game(NamedTuple):
    """The result of one game for player A; ``won`` is 1, 0, or a share of a tied first place."""

    won: float
    points: int
    rival_points: float
    """The mean points of the players B."""


class Pair(NamedTuple):
    """The results of a pair of games, and the CPU milliseconds of each decision by side ("a" or "b").

    ``placing`` has one entry for each placement together with its figure, ``other`` one for each other decision.
    """

    number: int
    games: tuple[Game, ...]
    placing: Mapping[str, Sequence[float]]
    other: Mapping[str, Sequence[float]]

    def to_json(self) -> str:
        """Return the pair as a line of text."""
        return json.dumps(self._asdict(), separators=(",", ":"))

    @staticmethod
    def from_json(text: str) -> Pair:
        """Read what :meth:`to_json` wrote."""
        value = json.loads(text)
        games = tuple(Game(*game) for game in value["games"])
        return Pair(value["number"], games, value["placing"], value["other"])


class ResumeError(Exception):
    """The file to resume from holds the pairs of another match."""


def play_pair(match: Match, number: int) -> Pair:
    """Play the two games of a pair."""
    setup = match.setup(number)
    placing, other = {"a": list[float](), "b": list[float]()}, {"a": list[float](), "b": list[float]()}
    first = number % match.players if match.players > 2 else 0
    seats = first, (first + (match.players + 1) // 2) % match.players
    games = tuple(play_game(match, setup, seat, placing, other) for seat in seats)
    return Pair(number, games, placing, other)


def play_game(
    match: Match, setup: Setup, seat: int, placing: Mapping[str, list[float]], other: Mapping[str, list[float]]
) -> Game:
    """Play one game with player A on a seat, and add the CPU milliseconds of every decision to the lists."""
    a, b = Player.parse(match.a), Player.parse(match.b)
    position = begin(setup)
    placed = False
    while (step := position.step) is not None:
        side = "a" if step.player == seat else "b"
        start = process_time()
        decision = (a if side == "a" else b).decide(position, f"{setup.seed}:{side}")
        milliseconds = round((process_time() - start) * 1000, 2)
        if placed:
            placing[side][-1] += milliseconds
        else:
            (other if position.hand is None else placing)[side].append(milliseconds)
        placed = isinstance(decision.chosen.action, Place)
        position.play(decision.chosen.action)
    return result(position.scores, seat)


def result(scores: Sequence[int], seat: int) -> Game:
    """Return the result of a game for the player on a seat."""
    best = max(scores)
    won = 1 / scores.count(best) if scores[seat] == best else 0.0
    return Game(won, scores[seat], mean(points for other_seat, points in enumerate(scores) if other_seat != seat))


def run(match: Match, pairs: int, *, resume: Path | None = None, workers: int | None = None) -> Iterator[Pair]:
    """Play pairs of games and yield each when it is finished; those in the file ``resume`` are not played again.

    ``workers`` is the number of processes; None for one on each core.

    Raises:
        ResumeError: the file holds the pairs of another match.
    """
    finished = {} if resume is None else _read(match, resume)
    yield from (pair for number, pair in sorted(finished.items()) if number < pairs)
    missing = [number for number in range(pairs) if number not in finished]
    for pair in _play_pairs(match, missing, workers or cpu_count() or 1):
        if resume is not None:
            with resume.open("a", encoding="utf-8") as file:
                file.write(pair.to_json() + "\n")
        yield pair


def _play_pairs(match: Match, numbers: Sequence[int], workers: int) -> Iterator[Pair]:
    """Yield the results of the pairs, from several processes in the order in which they end."""
    if workers == 1 or len(numbers) < 2:
        yield from (play_pair(match, number) for number in numbers)
        return
    with ProcessPoolExecutor(workers) as pool:
        for future in as_completed([pool.submit(play_pair, match, number) for number in numbers]):
            yield future.result()


def _read(match: Match, path: Path) -> dict[int, Pair]:
    """Return the pairs in a file by number; start a new file with the settings of the match as its first line."""
    header = json.dumps(asdict(match))
    if not path.exists():
        path.write_text(header + "\n", encoding="utf-8")
        return {}
    first_line, *lines = path.read_text(encoding="utf-8").splitlines()
    if json.loads(first_line) != json.loads(header):
        raise ResumeError(f"{path} holds another match: {first_line}")
    return {pair.number: pair for pair in map(Pair.from_json, lines)}


def summary(pairs: Iterable[Pair]) -> dict[str, Any]:  # a JSON object of numbers and of objects of numbers
    """Return the result of a match as the JSON object that the arena prints last."""
    pairs = sorted(pairs)
    games = [game for pair in pairs for game in pair.games]
    return {
        "games": len(games),
        "wins_a": sum(game.won == 1 for game in games),
        "wins_b": sum(game.won == 0 for game in games),
        "draws": sum(0 < game.won < 1 for game in games),
        "points_a": round(mean(game.points for game in games), 2),
        "points_b": round(mean(game.rival_points for game in games), 2),
        "win_error": _error([mean(game.won for game in pair.games) for pair in pairs]),
        "points_error": _error([mean(game.points - game.rival_points for game in pair.games) for pair in pairs]),
        "cpu_ms": {side: percentiles([ms for pair in pairs for ms in pair.placing[side]]) for side in "ab"},
        "calibration_ms": round(calibration(), 1),
    }


def _error(values: Sequence[float]) -> float:
    """Return the standard error of a mean."""
    return round(stdev(values) / sqrt(len(values)), 4) if len(values) > 1 else 0.0


def percentiles(values: Sequence[float]) -> dict[str, float]:
    """Return the median ("p50") and the 95th percentile ("p95"), 0 if there are no values."""
    ordered = sorted(values) or [0.0]
    return {"p50": round(median(ordered), 2), "p95": round(ordered[int(UPPER_PERCENTILE * (len(ordered) - 1))], 2)}


def calibration() -> float:
    """Return the CPU milliseconds of the calibration loop on this machine."""
    start = process_time()
    sum(i * i % 7 for i in range(CALIBRATION_ROUNDS))
    return (process_time() - start) * 1000
