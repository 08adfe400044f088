"""The commands of ``python -m tournaments``; ``docs/tournaments.md`` says what they print."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable, Sequence
from typing import Any, Final, NoReturn

from tournaments.cli.lines import lines_of
from tournaments.cli.tables import fields, ranking_quality
from tournaments.errors import EventRuleError
from tournaments.facts import DISQUALIFIED
from tournaments.formats import FORMATS, Format
from tournaments.progress import standings
from tournaments.ranking.standings import Explanation, explain
from tournaments.ranking.tiebreaks import COUNTED, STAYED
from tournaments.specification import Parameters
from tournaments.trials.simulation import Weather, drawn_rounds, simulated

WRONG: Final = 2
"""The exit code for arguments that do not fit."""


class _Parser(argparse.ArgumentParser):
    """Says what is wrong in one line."""

    def error(self, message: str) -> NoReturn:
        self.exit(WRONG, f"{self.prog}: {message}\n")


def main(arguments: Sequence[str]) -> int:
    """Carry out a command line; the exit code."""
    options = _parser().parse_args(arguments)
    run: Callable[[argparse.Namespace], None] = options.run
    try:
        run(options)
        sys.stdout.flush()
    except EventRuleError as error:
        _say(options, str(error))
        return WRONG
    except BrokenPipeError:  # whoever read the output has seen enough; nothing may be flushed into it at the end
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


def _say(options: argparse.Namespace, words: str) -> None:
    """Tell the user something beside what is printed."""
    print(f"python -m tournaments {options.command}: {words}", file=sys.stderr)


# -- the command line -------------------------------------------------------------------------------------------------


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="python -m tournaments", description="The rules of events on the command line.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND", parser_class=_Parser)

    formats = commands.add_parser("formats", help="the names of the formats, one a line")
    formats.add_argument("--json", action="store_true", help="with their fields and what they promise")
    formats.set_defaults(run=_formats)

    every = commands.add_parser("fields", help="how every field divides into tables, as in the documentation")
    every.set_defaults(run=_fields)

    known = commands.add_parser("quality", help="how well the formats rank players of known strengths")
    known.add_argument("--players", type=_count(4), default=16, help="how many (16)")
    known.add_argument("--events", type=_count(1), default=200, help="how many of each format (200)")
    known.set_defaults(run=_quality)

    event = commands.add_parser("simulate", help="an event that nobody plays, as JSON lines")
    event.add_argument("--format", required=True, choices=sorted(FORMATS), metavar="NAME", help="see formats")
    event.add_argument("--players", type=_count(2), required=True, help="entries, of team formats teams")
    event.add_argument("--seed", default="1", help="the event's seed")
    event.add_argument("--dropouts", type=_share, default=0.0, metavar="P", help="the share of players who leave")
    event.add_argument("--late", type=_count(0), default=0, metavar="N", help="players who join after round 1")
    event.add_argument("--timeouts", type=_share, default=0.0, metavar="P", help="the share of seats that time out")
    event.add_argument("--correct", type=_count(1), default=0, metavar="ROUND", help="correct a result of this round")
    event.add_argument("--explain", type=_count(0), nargs=2, metavar="PLAYER", help="why one is before the other")
    event.add_argument("--json", action="store_true", help="JSON lines (the only form)")
    for name, kind, text in _PARAMETERS:
        event.add_argument(f"--{name}", type=kind, help=text)
    event.set_defaults(run=_simulate)
    return parser


def _share(text: str) -> float:
    """A share as 0.15 or 15%; from 1 on a plain number counts in hundredths."""
    try:
        value = float(text.removesuffix("%"))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no share such as 0.15 or 15%") from None
    share = value / 100 if text.endswith("%") or value > 1 else value
    if not 0 <= share <= 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no share such as 0.15 or 15%")
    return share


def _count(least: int) -> Callable[[str], int]:
    def count(text: str) -> int:
        if not text.isascii() or not text.isdecimal() or not least <= int(text) <= 1000:
            raise argparse.ArgumentTypeError(f"{text!r} is no number from {least} to 1000")
        return int(text)

    return count


_PARAMETERS: Final[tuple[tuple[str, Callable[[str], Any], str], ...]] = (
    ("rounds", _count(1), "rounds of the first stage"),
    ("best-of", _count(1), "games of a match: 1, 3 or 5"),
    ("final", str, "four-games, one-game or none"),
    ("points", str, "5-3-2-1 and others"),
    ("pace", str, "live, fast, standard or slow"),
)
_CHOICES: Final = {"final": ("four-games", "one-game", "none"), "pace": ("live", "fast", "standard", "slow")}


# -- commands ---------------------------------------------------------------------------------------------------------


def _formats(options: argparse.Namespace) -> None:
    if options.json:
        print("[" + ",\n".join(json.dumps(_described(each)) for each in FORMATS.values()) + "]")
        return
    for each in FORMATS.values():
        print(each.name)


def _described(each: Format) -> dict[str, Any]:
    return {
        "name": each.name,
        "players": {"least": each.least, "most": each.most},
        "teams": each.teams,
        "late": each.late,
        "invariants": list(each.invariants),
    }


def _fields(_: argparse.Namespace) -> None:
    for line in fields():
        print(line)


def _quality(options: argparse.Namespace) -> None:
    for line in ranking_quality(options.players, options.events):
        print(line, flush=True)


def _simulate(options: argparse.Namespace) -> None:
    for name, choices in _CHOICES.items():
        if getattr(options, name) not in (None, *choices):
            raise EventRuleError("unknown-parameter", **{name: getattr(options, name)})
    chosen = {name.replace("-", "_"): getattr(options, name.replace("-", "_")) for name, _, _ in _PARAMETERS}
    parameters = Parameters(**{name: value for name, value in chosen.items() if value is not None})
    weather = Weather(options.dropouts, options.late, options.timeouts, options.correct)
    simulation = simulated(options.format, options.players, options.seed, weather, parameters)
    if options.correct and not simulation.corrected:
        _say(options, _uncorrected(options.correct, len(drawn_rounds(simulation.event))))
    if options.explain:
        one, other = options.explain
        event = simulation.event
        print(_explained(explain(standings(event), one, other, event.disqualified)))
        return
    for line in lines_of(simulation):
        print(json.dumps(line, separators=(", ", ": ")))


def _uncorrected(asked: int, last: int) -> str:
    """Say why no result was corrected; the event is printed all the same."""
    if asked > last:
        return f"no-such-round round={asked}: there is no round {asked} in this field, the last one is {last}"
    return f"nothing-to-correct round={asked}: no game of it has scores that can be exchanged"


_OF_THE_OTHER: Final = {DISQUALIFIED: "was disqualified", COUNTED: "was struck out", STAYED: "has left"}
"""What puts one player behind another without any value of a tie-break."""


def _explained(why: Explanation) -> str:
    """Say in plain words why one player is before another; a bot says it in its own."""
    if why.name in _OF_THE_OTHER:
        return f"{why.before} before {why.behind}: {why.behind} {_OF_THE_OTHER[why.name]}"
    before, behind = (f"{float(value):g}" for value in why.values)
    what = f"value {why.number}, {why.name}" if why.number else "the later stage"
    return f"{why.before} before {why.behind}: {what}, {before} to {behind}"
