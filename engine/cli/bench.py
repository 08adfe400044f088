"""How fast the rules are: whole random games, listing and applying through the checked interface.

Each game is another one. From those of four players comes all the rest: the finished game is replayed from its setup
and actions and read back from its text, and in its middle the position is copied and a turn taken back.
No other module of the engine looks at a clock.
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
from engine.notation.reading import read_record
from engine.notation.records import Record, format_record
from engine.position import Position
from engine.selfplay import random_action, random_game
from engine.setup import Setup


def milliseconds(work: Callable[[], object], times: int = 1) -> float:
    """How long a piece of work takes, on average if it is done so many times in a row.

    It is the time that the process was at work: what else goes on in the machine does not count.
    """
    start = process_time()
    for _ in range(times):
        work()
    return (process_time() - start) * 1000 / times


MEASURED: Final = 200
"""Games of each kind that count."""
WARM_UP: Final = 5
"""Games of each kind before these."""
REPEATED: Final = 20
"""How often in a row what takes microseconds is done; its time is the mean."""
REPLAY: Final = "replay-bcb-4p"
READ: Final = "read-bcb-4p"
COPY: Final = "copy"
UNDO: Final = "undo"


class MeasuredGame(NamedTuple):
    """A kind of game that is measured, and the milliseconds that one may take."""

    name: str
    aim: float
    game: str
    players: int
    expansions: tuple[str, ...]

    def setup(self, number: int) -> Setup:
        """The setup of one game of this kind."""
        game = GAMES[self.game]
        return game.new_setup(players=self.players, seed=f"bench {number}", expansions=self.expansions)


BCB: Final = ("bridges-castles-bazaars",)
KINDS: Final = (
    MeasuredGame("base-2p", 4.0, DEFAULT_GAME, 2, ()),
    MeasuredGame("bcb-2p", 9.0, DEFAULT_GAME, 2, BCB),
    MeasuredGame("bcb-3p", 13.0, DEFAULT_GAME, 3, BCB),
    MeasuredGame("bcb-4p", 18.0, DEFAULT_GAME, 4, BCB),
    MeasuredGame("the-castle", 5.0, "the-castle", 2, ()),
)
PARTS_OF: Final = "bcb-4p"
"""The kind of game whose record, copies and undone turns are measured."""
AIMS: Final[Mapping[str, float]] = {**{kind.name: kind.aim for kind in KINDS}, REPLAY: 6.0, COPY: 0.015, UNDO: 0.030}
"""The milliseconds to reach, where there are any."""


@dataclass(frozen=True, slots=True)
class Measure:
    """The milliseconds of one thing, each time it was done."""

    name: str
    samples: tuple[float, ...]

    @property
    def median(self) -> float:
        """The middle sample."""
        return median(self.samples)

    @property
    def line(self) -> str:
        """A line of the table: the median and how it compares with what has to be reached."""
        text = f"{self.name:<16} {self.median:9.4f} ms"
        aim = AIMS.get(self.name)
        return text if aim is None else f"{text} {aim:9.3f} ms {self.median / aim:6.2f}"


HEADING: Final = f"{'':<16} {'median':>12} {'must reach':>12} {'ratio':>6}"


def measures(count: int = MEASURED, kinds: tuple[MeasuredGame, ...] = KINDS) -> Iterator[Measure]:
    """Everything, as it is measured."""
    for kind in kinds:
        numbers = range(-WARM_UP, count)
        yield Measure(kind.name, tuple(milliseconds(_game(kind, number)) for number in numbers)[WARM_UP:])
        if kind.name == PARTS_OF:
            parts = zip(*[_parts(kind, number) for number in numbers][WARM_UP:], strict=True)
            yield from map(Measure, (REPLAY, READ, COPY, UNDO), parts)


def _game(kind: MeasuredGame, number: int) -> Callable[[], object]:
    return lambda: random_game(kind.setup(number), Random(number))


def _parts(kind: MeasuredGame, number: int) -> tuple[float, float, float, float]:
    """Replaying a game from setup and actions, reading its record, copying in its middle, taking back a turn there."""
    setup = kind.setup(number)
    _, log = random_game(setup, Random(number))
    record = Record.of(setup, log)
    text = format_record(record)
    middle = record.position(len(log) // 2)
    replayed, read = milliseconds(record.position), milliseconds(lambda: read_record(text))
    return replayed, read, milliseconds(middle.copy, REPEATED), _undo(middle, Random(number))


def _undo(position: Position, random: Random) -> float:
    """Push actions until another tile comes up, then take them back."""
    turn, pushed = position.turn, list[Action]()
    while position.step is not None and position.turn == turn:
        pushed.append(random_action(position, random))
        position.push(pushed[-1])
    samples = [milliseconds(lambda: _take_back(position, len(pushed)))]
    for _ in range(REPEATED - 1):
        for action in pushed:
            position.push(action)
        samples.append(milliseconds(lambda: _take_back(position, len(pushed))))
    return mean(samples)


def _take_back(position: Position, count: int) -> None:
    for _ in range(count):
        position.pop()
