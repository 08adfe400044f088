"""The commands of ``python -m engine``, which read and write the notation of ``docs/notation.md``.

Perft, counting all sequences of legal actions up to a depth, finds a wrong rule faster than anything else. If a count
is wrong, compare the counts by first action (``--divide``), apply an action whose counts differ, and repeat one action
deeper.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable, Sequence
from random import Random
from typing import Final

from engine.cli import bench
from engine.cli.files import STANDARD, FileError, read_position, read_records, write_text
from engine.cli.picture import picture
from engine.errors import EngineError
from engine.games import DEFAULT_GAME, GAMES, begin
from engine.notation.positions import format_position
from engine.notation.records import Record, format_record
from engine.position import Position
from engine.selfplay import random_game
from engine.setup import Setup

EXIT_FAILURE: Final = 1
"""The exit code for an invalid file; for wrong arguments it is 2."""


def main(arguments: Sequence[str]) -> int:
    """Run a command line and return its exit code."""
    options = _parser().parse_args(arguments)
    run: Callable[[argparse.Namespace], None] = options.run
    try:
        run(options)
        sys.stdout.flush()
    except (EngineError, FileError) as error:
        print(f"{options.command}: {error}", file=sys.stderr)
        return EXIT_FAILURE
    except BrokenPipeError:  # the reader has closed the pipe; redirect the final flush
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


# -- the command line -------------------------------------------------------------------------------------------------


def _parser() -> argparse.ArgumentParser:
    """Return the parser of all commands."""
    parser = argparse.ArgumentParser(prog="python -m engine", description="The rules on the command line.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    replay = commands.add_parser("replay", help="play recorded games again and check what they promise")
    replay.add_argument("file", help="the records; - for the standard input")
    replay.set_defaults(run=_replay)

    show = commands.add_parser("show", help="a position as text and as a picture made of letters")
    show.add_argument("file", help="a record or a position; - for the standard input")
    show.add_argument("--ply", type=int, help="after so many actions of the record; otherwise after all")
    show.add_argument("--only", choices=("text", "picture"), help="one of the two alone")
    show.set_defaults(run=_show)

    count = commands.add_parser("perft", help="count all ways to play on")
    count.add_argument("file", nargs="?", help="from the position in this file; otherwise from the start of a new game")
    count.add_argument("--depth", type=_number(0, 20), required=True, help="how many actions")
    count.add_argument("--ply", type=int, help="from the position after so many actions of the record")
    count.add_argument("--divide", action="store_true", help="and by first action")
    _add_game(count)
    count.set_defaults(run=_perft)

    play = commands.add_parser("selfplay", help="random games as records")
    play.add_argument("--games", type=_number(1, 100_000), default=1, help="how many (1)")
    play.add_argument("--out", default=STANDARD, metavar="FILE", help="where to write them; the standard output")
    _add_game(play)
    play.set_defaults(run=_selfplay)

    speed = commands.add_parser("bench", help="how fast the engine is")
    speed.add_argument("--json", action="store_true", help="nothing but one object of medians in milliseconds")
    speed.add_argument("--games", type=_number(2, 100_000), default=bench.MEASURED_GAMES, help="of each kind (200)")
    speed.set_defaults(run=_bench)
    return parser


def _add_game(parser: argparse.ArgumentParser) -> None:
    """Add the arguments that choose a game."""
    parser.add_argument("--game", choices=list(GAMES), default=DEFAULT_GAME, help=f"({DEFAULT_GAME})")
    parser.add_argument("--players", type=int, default=2, help="(2)")
    parser.add_argument("--seed", default="0", help="what shuffles, and decides in random games (0)")
    parser.add_argument("--preset", help="the edition whose rules are played")
    parser.add_argument("--expansions", help="names with commas between them; none for the base game alone")


def _number(lowest: int, highest: int) -> Callable[[str], int]:
    """Return a function that reads a number within these limits."""

    def convert(text: str) -> int:
        number = int(text)
        if not lowest <= number <= highest:
            raise argparse.ArgumentTypeError(f"not from {lowest} to {highest}: {text!r}")
        return number

    return convert


def _setup(options: argparse.Namespace, seed: str) -> Setup:
    """Return the setup of a new game."""
    game = GAMES[options.game]
    preset = options.preset or next(iter(game.presets))
    if preset not in game.presets:
        raise FileError(f"no preset {preset!r}, only {', '.join(game.presets)}")
    further: dict[str, tuple[str, ...]] = {}
    if options.expansions is not None:
        further["expansions"] = tuple(name for name in options.expansions.split(",") if name not in {"", "none"})
    return game.new_setup(players=options.players, seed=seed, options=game.presets[preset], **further)


# -- the commands -----------------------------------------------------------------------------------------------------


def _replay(options: argparse.Namespace) -> None:
    """Replay records and print how they end."""
    for number, record in enumerate(read_records(options.file), 1):
        position = record.position()
        names = ", ".join(record.names) or f"{record.setup.players} players"
        print(f"game {number}: {record.title or record.setup.game}, {names}, {len(record.actions)} actions")
        if not position.is_over:
            print(f"  goes on: {position.pile_left} tiles face down, seat {position.player + 1} decides")
            continue
        print(f"  over: {':'.join(map(str, position.scores))}")
        print(f"  commitment kept; {'' if _follows_from_seed(record.setup) else 'not '}shuffled by its seed alone")


def _follows_from_seed(setup: Setup) -> bool:
    """Return True if shuffling the tiles of the box by the seed gives this order."""
    return bool(GAMES[setup.game].notation.from_seed(setup) == setup)


def _show(options: argparse.Namespace) -> None:
    """Print a position as text and as a picture."""
    position = read_position(options.file, options.ply)
    if options.only != "picture":
        print(format_position(position), end="")
    if options.only is None:
        print()
    if options.only != "text":
        print(picture(position))


def _perft(options: argparse.Namespace) -> None:
    """Print the number of action sequences of a length, with ``--divide`` by their first action."""
    position = _beginning(options)
    if options.divide and options.depth:
        counts = perft_by_first_action(position, options.depth)
        for action, count in sorted(counts.items()):
            print(f"{action:>20} {count}")
        print(sum(counts.values()))
    else:
        print(perft(position, options.depth))


def _beginning(options: argparse.Namespace) -> Position:
    """Return the position in a file or, without a file, that of a new game."""
    return read_position(options.file, options.ply) if options.file else begin(_setup(options, options.seed))


def _selfplay(options: argparse.Namespace) -> None:
    """Play random games and write their records."""
    texts = []
    for number in range(options.games):
        seed = options.seed if options.games == 1 else f"{options.seed}/{number + 1}"
        setup = _setup(options, seed)
        _, actions = random_game(setup, Random(seed))
        texts.append(format_record(Record.of(setup, actions)))
    write_text(options.out, "\n".join(texts))


def _bench(options: argparse.Namespace) -> None:
    """Print all measurements."""
    if options.json:
        print(json.dumps({measure.name: round(measure.median, 5) for measure in bench.measurements(options.games)}))
        return
    print(bench.HEADING)
    for measure in bench.measurements(options.games):
        print(measure.line, flush=True)


def perft(position: Position, depth: int) -> int:
    """Count the sequences of ``depth`` legal actions; sequences that end the game earlier do not count."""
    if depth == 0:
        return 1
    if depth == 1:
        return len(position.legal_actions)
    return sum(perft_by_first_action(position, depth).values())


def perft_by_first_action(position: Position, depth: int) -> dict[str, int]:
    """Count the sequences of :func:`perft` by first action; those that differ only in an amount count as one."""
    counts: dict[str, int] = {}
    for action in position.legal_actions:
        position.push(action)
        counts[action.group] = counts.get(action.group, 0) + perft(position, depth - 1)
        position.pop()
    return counts
