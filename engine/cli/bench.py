"""Measure the speed of the rules by whole random games, with every action listed and checked.

Each game has a seed of its own. Games of four players are also replayed from their actions and read from their text;
their middle position is copied, and a turn is undone there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from random import Random
from statistics import mean, median
from time import process_time
from typing import Final, NamedTuple

from engine.actions import Action
from engine.games import DEFAULT_GAME, GAMES
from engine.notation.records import Record, format_record, read_record
from engine.position import Position
from engine.selfplay import random_action, random_game
from engine.setup import Setup


def milliseconds(work: Callable[[], object], times: int = 1) -> float:
    """Return the mean duration of a piece of work in milliseconds, when it is repeated ``times`` times.

    This is the CPU time of the process, so other processes on the machine do not count.
    """
    start = process_time()
    for _ in range(times):
        work()
    return (process_time() - start) * 1000 / times


MEASURED_GAMES: Final = 200
"""The games of each kind that are measured."""
WARM_UP_GAMES: Final = 5
"""The games of each kind that are played before measuring, so that caches are filled."""
REPETITIONS: Final = 20
"""The repetitions of work that takes only microseconds; its time is their mean."""
REPLAY: Final = "replay-bcb-4p"
READ: Final = "read-bcb-4p"
COPY: Final = "copy"
UNDO: Final = "undo"
"""The names of the measurements beside whole games; a game of four players is replayed and read."""


class MeasuredGame(NamedTuple):
    """A kind of game that is measured; ``target`` is the time that one game may take, in milliseconds."""

    name: str
    target: float
    game: str
    players: int
    expansions: tuple[str, ...]

    def setup(self, number: int) -> Setup:
        """Return the setup of one game of this kind."""
        game = GAMES[self.game]
        return game.new_setup(players=self.players, seed=f"bench {number}", expansions=self.expansions)


BCB: Final = ("bridges-castles-bazaars",)
"""The expansions of the measured games that have any."""
KINDS: Final = (
    MeasuredGame("base-2p", 4.0, DEFAULT_GAME, 2, ()),
    MeasuredGame("bcb-2p", 9.0, DEFAULT_GAME, 2, BCB),
    MeasuredGame("bcb-3p", 13.0, DEFAULT_GAME, 3, BCB),
    MeasuredGame("bcb-4p", 18.0, DEFAULT_GAME, 4, BCB),
    MeasuredGame("the-castle", 5.0, "the-castle", 2, ()),
)
"""The kinds of games, with their targets on the reference machine."""
DETAILED_KIND: Final = "bcb-4p"
"""The kind of game for which replaying, reading, copying and undoing are measured as well."""
TARGETS_MS: Final[Mapping[str, float]] = {
    **{kind.name: kind.target for kind in KINDS},
    REPLAY: 6.0,
    COPY: 0.015,
    UNDO: 0.030,
}
"""The target of each measurement in milliseconds, where there is one."""


@dataclass(frozen=True, slots=True)
class Measurement:
    """The samples of one measurement in milliseconds."""

    name: str
    samples: tuple[float, ...]

    @property
    def median(self) -> float:
        """The middle sample."""
        return median(self.samples)

    @property
    def line(self) -> str:
        """A line of the table: the median and its ratio to the target."""
        text = f"{self.name:<16} {self.median:9.4f} ms"
        target = TARGETS_MS.get(self.name)
        return text if target is None else f"{text} {target:9.3f} ms {self.median / target:6.2f}"


HEADING: Final = f"{'':<16} {'median':>12} {'must reach':>12} {'ratio':>6}"
"""The first line of the table."""


def measurements(count: int = MEASURED_GAMES, kinds: tuple[MeasuredGame, ...] = KINDS) -> Iterator[Measurement]:
    """Yield all measurements, each as soon as it is complete."""
    for kind in kinds:
        numbers = range(-WARM_UP_GAMES, count)
        samples = tuple(milliseconds(_random_game(kind, number)) for number in numbers)
        yield Measurement(kind.name, samples[WARM_UP_GAMES:])
        if kind.name == DETAILED_KIND:
            parts = zip(*[_measure_parts(kind, number) for number in numbers][WARM_UP_GAMES:], strict=True)
            yield from map(Measurement, (REPLAY, READ, COPY, UNDO), parts)


def _random_game(kind: MeasuredGame, number: int) -> Callable[[], object]:
    """Return a function that plays one random game."""
    return lambda: random_game(kind.setup(number), Random(number))


def _measure_parts(kind: MeasuredGame, number: int) -> tuple[float, float, float, float]:
    """Measure replaying a game, reading its record, copying its middle position, and taking back a turn there."""
    setup = kind.setup(number)
    _, log = random_game(setup, Random(number))
    record = Record.of(setup, log)
    text = format_record(record)
    middle = record.position(len(log) // 2)
    replayed, read = milliseconds(record.position), milliseconds(lambda: read_record(text))
    return replayed, read, milliseconds(middle.copy, REPETITIONS), _measure_undo(middle, Random(number))


def _measure_undo(position: Position, rng: Random) -> float:
    """Measure taking back a turn: push actions until the next tile comes up, then pop them."""
    turn, pushed = position.turn, list[Action]()
    while position.step is not None and position.turn == turn:
        pushed.append(random_action(position, rng))
        position.push(pushed[-1])
    samples = [milliseconds(lambda: _pop_actions(position, len(pushed)))]
    for _ in range(REPETITIONS - 1):
        for action in pushed:
            position.push(action)
        samples.append(milliseconds(lambda: _pop_actions(position, len(pushed))))
    return mean(samples)


def _pop_actions(position: Position, count: int) -> None:
    """Take back several actions."""
    for _ in range(count):
        position.pop()
