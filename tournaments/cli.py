"""The command line ``python -m tournaments``: list the formats of events, simulate an event, measure ranking quality.

A simulated event is printed as JSON lines: one for each round, and a last one for the standings, as in
``python -m tournaments simulate --format duel-swiss --players 16``. ``docs/tournaments.md`` explains the output and
contains tables that these commands print.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from typing import Any, Final, NoReturn

from tournaments.errors import EventRuleError
from tournaments.event import EventFold, standings
from tournaments.facts import DISQUALIFIED, DrawnTable
from tournaments.formats import FORMATS, PROFILES, Format, Profile
from tournaments.points import Outcome, table_points
from tournaments.ranking import COUNTED, STAYED, Explanation, explain
from tournaments.states import RoundState, StageState
from tournaments.tables.field import MAX_PLAYERS, MIN_PLAYERS, pair, table_sizes
from tournaments.trials import Simulation, TrialConditions, drawn_rounds, measure_quality, simulate_format
from tournaments.weeks import DUEL_WEEKS


def json_number(value: Fraction) -> int | float:
    """Return a fraction as JSON has it: an integer if it is one, otherwise the nearest float."""
    return value.numerator if value.denominator == 1 else float(value)


def simulation_lines(simulation: Simulation) -> Iterator[dict[str, Any]]:
    """Yield the lines of a simulated event."""
    event = simulation.event
    for stage, drawn in drawn_rounds(event):
        state = event.stages[stage - 1]
        weeks = simulation.weeks.get((stage, drawn.number), Fraction(0))
        yield {**round_line(state, drawn), "weeks": round(float(weeks), 2)}
    yield {
        **standings_line(event),
        "weeks": round(float(simulation.total_weeks), 2),
        "promised": event.promised_weeks,
        "ended": {state.plan.name: state.ended for state in event.stages},
        "refused": simulation.refused,
    }


def round_line(state: StageState, drawn: RoundState) -> dict[str, Any]:
    """Return the line of a round, with its tables and points."""
    byes = [*drawn.byes, *drawn.resting]
    return {
        "stage": state.plan.name,
        "round": drawn.number,
        "tables": [_table(state, table, outcome) for table, outcome in zip(drawn.tables, drawn.outcomes, strict=True)],
        "byes": byes,
        "active": len({*byes, *(player for table in drawn.tables for player in table.seats)}),
        "repeats": repeats(state, drawn),
        "reasons": list(drawn.reasons),
    }


def _table(state: StageState, table: DrawnTable, outcome: Outcome | None) -> dict[str, Any]:
    """Return a table of a round: its match, its seats, and the points by seat."""
    plan = state.plan
    points = table_points(outcome, plan.points, plan.ties) if outcome else ()
    board = {"board": table.board} if table.board else {}
    return {"match": table.match, **board, "seats": list(table.seats), "points": list(map(json_number, points))}


def repeats(state: StageState, drawn: RoundState) -> int:
    """Return the number of pairs in a round who met in an earlier round of the stage."""
    before = {players for earlier in state.rounds if earlier.number < drawn.number for players in _pairs(earlier)}
    return len(before & _pairs(drawn))


def _pairs(drawn: RoundState) -> set[tuple[int, int]]:
    return {pair(first, second) for table in drawn.tables for first, second in combinations(table.seats, 2)}


def standings_line(event: EventFold) -> dict[str, Any]:
    """Return the line of the standings: rank and tie-breaks of all entrants."""
    return {
        "standings": [
            {
                "player": line.player,
                "rank": line.rank,
                "tie_breaks": {name: json_number(value) for name, value in line.values},
            }
            for line in standings(event)
        ]
    }


FIELDS_PER_ROW = 4
"""The number of field sizes in a row of the table."""


def field_table() -> Iterator[str]:
    """Yield the tables of every field size, as a table in Markdown."""
    yield "|" + " players | tables |" * FIELDS_PER_ROW
    yield "|" + "--:|---|" * FIELDS_PER_ROW
    for start in range(MIN_PLAYERS, MAX_PLAYERS + 1, FIELDS_PER_ROW):
        cells = (
            f" {players} | {field_division(players)} |"
            for players in range(start, start + FIELDS_PER_ROW)
            if players <= MAX_PLAYERS
        )
        row = "|" + "".join(cells)
        yield row + " | |" * (FIELDS_PER_ROW - min(FIELDS_PER_ROW, MAX_PLAYERS + 1 - start))


def field_division(players: int) -> str:
    """Return the tables of a field, such as ``2 x 4 + 3 x 3``."""
    sizes = table_sizes(players)
    return " + ".join(f"{sizes.count(size)} x {size}" for size in (5, 4, 3) if size in sizes)


def ranking_quality(players: int, events: int) -> Iterator[str]:
    """Yield the ranking quality of every format for a field size, as a table in Markdown."""
    yield f"| format, {players} players | best first | best in four | correlation | games each | weeks |"
    yield "|---|--:|--:|--:|--:|--:|"
    for event_format in FORMATS.values():
        if event_format.least <= players <= event_format.most and not event_format.teams:
            result = measure_quality(event_format.name, players, events, TrialConditions())
            yield (
                f"| `{result.name}` | {result.best_first:.0%} | {result.best_in_four:.0%} | {result.correlation:.2f} | "
                f"{result.games:.1f} | {result.weeks:.0f} |"
            )


USAGE_ERROR: Final = 2
"""The exit code for invalid arguments."""


class _Parser(argparse.ArgumentParser):
    """A parser that reports errors in one line."""

    def error(self, message: str) -> NoReturn:
        self.exit(USAGE_ERROR, f"{self.prog}: {message}\n")


def main(arguments: Sequence[str]) -> int:
    """Run a command line and return the exit code."""
    options = _parser().parse_args(arguments)
    run: Callable[[argparse.Namespace], None] = options.run
    try:
        run(options)
        sys.stdout.flush()
    except EventRuleError as error:
        _print_error(options, str(error))
        return USAGE_ERROR
    except BrokenPipeError:  # the reader has closed the pipe; the flush at exit must not fail, too
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


def _print_error(options: argparse.Namespace, message: str) -> None:
    """Print a message to the user on standard error."""
    print(f"python -m tournaments {options.command}: {message}", file=sys.stderr)


# -- the command line -------------------------------------------------------------------------------------------------


def _parser() -> argparse.ArgumentParser:
    """Return the parser of the command line, with all commands."""
    parser = _Parser(prog="python -m tournaments", description="The rules of events on the command line.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND", parser_class=_Parser)

    formats = commands.add_parser("formats", help="print the names of the formats, one a line")
    formats.add_argument("--json", action="store_true", help="print everything about them as JSON")
    formats.set_defaults(run=_formats)

    fields = commands.add_parser("fields", help="print the tables of every field size, in Markdown")
    fields.set_defaults(run=_fields)

    ranking = commands.add_parser("quality", help="measure how well the formats rank players")
    ranking.add_argument("--players", type=_count(4), default=16, help="number of players (16)")
    ranking.add_argument("--events", type=_count(1), default=200, help="number of events of each format (200)")
    ranking.set_defaults(run=_quality)

    event = commands.add_parser("simulate", help="simulate an event, and print it as JSON lines")
    kind = event.add_mutually_exclusive_group(required=True)
    kind.add_argument("--format", choices=sorted(FORMATS), metavar="NAME", help="see formats")
    kind.add_argument("--profile", choices=sorted(PROFILES), metavar="NAME", help="a format with usual parameters")
    event.add_argument("--players", type=_count(2), help="number of players, or of teams; a profile has a usual one")
    event.add_argument("--seed", default="1", help="the event's seed")
    event.add_argument("--dropouts", type=_share, default=0.0, metavar="P", help="the share of players who leave")
    event.add_argument(
        "--late",
        type=_count(0),
        default=0,
        metavar="N",
        help="players who join after round 1, or groups before a result",
    )
    event.add_argument("--timeouts", type=_share, default=0.0, metavar="P", help="the share of seats that time out")
    event.add_argument("--correct", type=_count(1), default=0, metavar="ROUND", help="correct a result of this round")
    event.add_argument("--explain", type=_count(0), nargs=2, metavar="PLAYER", help="explain the order of two players")
    event.add_argument("--json", action="store_true", help="JSON lines (the only form)")
    for name, value, text in _PARAMETERS:
        event.add_argument(f"--{name}", type=value, help=text)
    for name, text in _SWITCHES.items():
        event.add_argument(f"--{name}", action="store_true", default=None, help=text)
    event.set_defaults(run=_simulate)
    return parser


def _share(text: str) -> float:
    """Parse a share, written as 0.15 or 15%; plain numbers from 1 on are percentages."""
    try:
        value = float(text.removesuffix("%"))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no share such as 0.15 or 15%") from None
    share = value / 100 if text.endswith("%") or value > 1 else value
    if not 0 <= share <= 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no share such as 0.15 or 15%")
    return share


def _count(least: int) -> Callable[[str], int]:
    """Return a parser of numbers from ``least`` to 1000."""

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
    ("pace", str, "live, fast, standard, slow or fixed"),
    ("pool", _count(0), "size of a group or division"),
    ("groups", _count(0), "number of groups; 0 if it follows from their size"),
    ("group-play", str, "robin, knockout or double"),
    ("advance", _count(0), "players who advance, of each group or in all"),
    ("playoff", str, "knockout or double"),
    ("playoff-best-of", _count(0), "games of a match after groups or Swiss rounds"),
    ("last-best-of", _count(0), "games of a match in the last rounds of an elimination"),
    ("last-from", _count(2), "places of the first of these rounds (8 for quarter-finals), or players still in"),
    ("boards", _count(1), "boards of a match of teams"),
    ("season-weeks", _count(0), "weeks of a season of the ladder"),
    ("meetings", _count(0), "games of a season against the same opponent that count"),
)
_CHOICES: Final = {
    "final": ("four-games", "one-game", "none"),
    "pace": tuple(DUEL_WEEKS),
    "group_play": ("robin", "knockout", "double"),
    "playoff": ("knockout", "double"),
}
_SWITCHES: Final = {
    "first-byes": "firsts of groups rest in the next round",
    "third-place": "losers of the semi-finals play for the third place",
    "accelerated": "a Swiss is paired with additional points at first",
}
"""Parameters without a value."""


# -- commands ---------------------------------------------------------------------------------------------------------


def _formats(options: argparse.Namespace) -> None:
    """Print the names of the formats, or with ``--json`` their complete descriptions."""
    if options.json:
        print("[" + ",\n".join(map(json.dumps, map(_format_json, FORMATS.values()))) + "]")
        return
    for name in FORMATS:
        print(name)


def _format_json(event_format: Format) -> dict[str, Any]:
    """Return a format as JSON has it."""
    return {
        "name": event_format.name,
        "players": {"least": event_format.least, "most": event_format.most},
        "teams": event_format.teams,
        "late": event_format.late,
        "invariants": list(event_format.invariants),
        "profiles": [name for name, profile in PROFILES.items() if profile.format == event_format.name],
    }


def _fields(_: argparse.Namespace) -> None:
    for line in field_table():
        print(line)


def _quality(options: argparse.Namespace) -> None:
    for line in ranking_quality(options.players, options.events):
        print(line, flush=True)


def _simulate(options: argparse.Namespace) -> None:
    """Simulate an event, and print its rounds and standings, or explain the order of two players."""
    for name, choices in _CHOICES.items():
        if getattr(options, name) not in (None, *choices):
            raise EventRuleError("unknown-parameter", **{name: getattr(options, name)})
    profile = PROFILES[options.profile] if options.profile else Profile(options.format, entries=0)
    players = options.players or profile.entries
    if not players:
        raise EventRuleError("players-missing", format=options.format)
    names = [name.replace("-", "_") for name in (*_SWITCHES, *(name for name, _, _ in _PARAMETERS))]
    chosen = {name: getattr(options, name) for name in names if getattr(options, name) is not None}
    conditions = TrialConditions(options.dropouts, options.late, options.timeouts, options.correct)
    parameters = replace(profile.parameters, **chosen)
    simulation = simulate_format(profile.format, players, options.seed, conditions, parameters)
    if options.correct and not simulation.corrected:
        _print_error(options, _uncorrected_reason(options.correct, len(drawn_rounds(simulation.event))))
    if options.explain:
        first, second = options.explain
        event = simulation.event
        print(_explanation_text(explain(standings(event), first, second, event.disqualified)))
        return
    for line in simulation_lines(simulation):
        print(json.dumps(line, separators=(", ", ": ")))


def _uncorrected_reason(number: int, last: int) -> str:
    """Return the reason why no result was corrected, printed with the event."""
    if number > last:
        return f"no-such-round round={number}: there is no round {number} in this field, the last one is {last}"
    return f"nothing-to-correct round={number}: no game of it has scores that can be exchanged"


_LEAVER_REASONS: Final = {DISQUALIFIED: "was disqualified", COUNTED: "was struck out", STAYED: "has left"}
"""Reasons to rank a player behind another without a tie-break value."""


def _explanation_text(order: Explanation) -> str:
    """Return why one player ranks before another, for the command line alone; the bot has its own texts."""
    if order.name in _LEAVER_REASONS:
        return f"{order.before} before {order.behind}: {order.behind} {_LEAVER_REASONS[order.name]}"
    before, behind = (f"{float(value):g}" for value in order.values)
    reason = f"value {order.number}, {order.name}" if order.number else "the later stage"
    return f"{order.before} before {order.behind}: {reason}, {before} to {behind}"
