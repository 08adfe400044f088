"""The command line of the computer player: ``python -m computer COMMAND``.

``play`` speaks the line protocol, ``arena`` measures players against each other, ``explain`` shows how the actions of a
position are valued, and ``tune`` improves the weights.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from computer.arena import Match, ResumeError, percentiles, run, summary
from computer.candidates import Candidate
from computer.players import Player, UnknownPlayerError
from computer.protocol import serve
from computer.tuning import Tuning, tune
from computer.weights import WeightsError
from engine import DEFAULT_GAME, GAMES, EngineError
from engine.cli.files import FileError, read_position

EXIT_FAILURE = 1
"""The exit code for an invalid file or player; for wrong arguments it is 2."""
MAX_SHOWN_CANDIDATES = 10
"""The number of candidates that ``explain`` prints unless ``--all`` is given."""


def main(arguments: Sequence[str]) -> int:
    """Run a command line and return its exit code."""
    options = _parser().parse_args(arguments)
    command: Callable[[argparse.Namespace], None] = options.run
    try:
        command(options)
    except (EngineError, FileError, ResumeError, UnknownPlayerError, WeightsError) as error:
        print(f"{options.command}: {error}", file=sys.stderr)
        return EXIT_FAILURE
    return 0


def _parser() -> argparse.ArgumentParser:
    """Return the parser of all commands."""
    parser = argparse.ArgumentParser(prog="python -m computer", description="A computer that plays.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    play = commands.add_parser("play", help="speak the line protocol on the standard input and output")
    play.add_argument("--nice", type=int, default=0, help="the value by which to lower the priority of this process")
    play.set_defaults(run=_play)

    arena = commands.add_parser("arena", help="pairs of games between two players, seats exchanged")
    arena.add_argument("--a", required=True, help="player A: a level, level:weights, or either with +cheapest")
    arena.add_argument("--b", required=True, help="player B, who has all other seats")
    arena.add_argument("--pairs", type=int, default=100)
    arena.add_argument("--seed", type=int, default=1)
    arena.add_argument("--json", action="store_true", help="print nothing but the last line")
    arena.add_argument("--resume", type=Path, help="go on with the pairs in this file, and add each new one")
    arena.add_argument("--workers", type=int, help="processes; default: one for each core")
    _add_game(arena)
    arena.set_defaults(run=_arena)

    explain = commands.add_parser("explain", help="the candidates of a position with the parts of their values")
    explain.add_argument("file", help="a record or a position; - for the standard input")
    explain.add_argument("--ply", type=int, help="after so many actions of a record; default: all")
    explain.add_argument("--player", default="quick")
    explain.add_argument("--all", action="store_true", help=f"all candidates, not only the best {MAX_SHOWN_CANDIDATES}")
    explain.set_defaults(run=_explain)

    tuning = commands.add_parser("tune", help="find weights by self-play")
    tuning.add_argument("--from", dest="start", default="weights", help="the set of weights to begin with")
    tuning.add_argument("--steps", type=int, default=20)
    tuning.add_argument("--pairs", type=int, default=100, help="pairs of games for each step")
    tuning.add_argument("--spread", type=float, default=0.2, help="the size of the changes that are tried")
    tuning.add_argument("--rate", type=float, default=0.1, help="the length of a step")
    tuning.add_argument("--seed", type=int, default=1)
    tuning.add_argument("--only", nargs="*", default=[], help="the weights to change; default: all")
    tuning.add_argument("--out", type=Path, required=True, help="the file for the weights, written after each step")
    tuning.add_argument("--workers", type=int, help="processes; default: one for each core")
    _add_game(tuning)
    tuning.set_defaults(run=_tune)
    return parser


def _add_game(parser: argparse.ArgumentParser) -> None:
    """Add the arguments that choose a game."""
    parser.add_argument("--game", choices=tuple(GAMES), default=DEFAULT_GAME)
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--expansions", nargs="*", default=[], help="boxes beside the base game, or 'all'")
    parser.add_argument("--preset", default="", help="the options of an edition")


def _match(options: argparse.Namespace, a: str, b: str) -> Match:
    """Return the settings of a match between two players, as the command line gives them."""
    game = GAMES[options.game]
    expansions = game.expansions if options.expansions == ["all"] else tuple(options.expansions)
    return Match(a, b, options.players, options.game, expansions, options.preset, options.seed)


def _play(options: argparse.Namespace) -> None:
    """Serve the line protocol on standard input and output."""
    if options.nice:
        os.nice(options.nice)
    for line in serve(sys.stdin):
        print(line, flush=True)


def _arena(options: argparse.Namespace) -> None:
    """Run the arena, and print its progress and its result."""
    match = _match(options, str(Player.parse(options.a)), str(Player.parse(options.b)))
    pairs = []
    for pair in run(match, options.pairs, resume=options.resume, workers=options.workers):
        pairs.append(pair)
        if not options.json:
            print(f"{len(pairs)} of {options.pairs} pairs: {json.dumps(pair.games)}", flush=True)
    if not options.json:
        cpu_ms = {side: percentiles([ms for pair in pairs for ms in pair.other[side]]) for side in "ab"}
        print(f"CPU ms of all decisions but placements: {json.dumps(cpu_ms)}")
    print(json.dumps(summary(pairs)))


def _explain(options: argparse.Namespace) -> None:
    """Print the candidates of a stored position, the best first."""
    position = read_position(options.file, options.ply)
    player = Player.parse(options.player)
    candidates = sorted(player.candidates(position), key=lambda candidate: -candidate.value)
    print(f"{len(candidates)} candidates of {position.step}")
    for candidate in candidates if options.all else candidates[:MAX_SHOWN_CANDIDATES]:
        print(_line(candidate))


def _line(candidate: Candidate) -> str:
    """Return a candidate as a line of text: its value, its actions, and the parts of the value."""
    parts = "  ".join(f"{name} {value:+.2f}" for name, value in candidate.parts.items() if round(value, 2))
    action = " ".join(map(str, filter(None, (candidate.action, candidate.follow_up))))
    return f"{candidate.value:+8.2f}  {action:24}  {parts}"


def _tune(options: argparse.Namespace) -> None:
    """Tune the weights, and print each step."""
    match = _match(options, "quick", "quick")
    tuning = Tuning(match, options.start, options.pairs, options.spread, options.rate, tuple(options.only))
    for line in tune(tuning, options.steps, options.out, workers=options.workers):
        print(line, flush=True)
