"""Teams of boards: line-ups sealed until both are in, boards that stay empty, substitutes from the roster."""

from __future__ import annotations

from collections.abc import Iterator

from tournaments.errors import EventRuleError
from tournaments.event import EventFold
from tournaments.facts import LineUp, Result
from tournaments.points import Outcome


def line_up(event: EventFold, stage: int, number: int, team: int, members: tuple[str, ...]) -> LineUp:
    """The fact that a team's players for a round are in; an empty text for a board without a player."""
    boards = event.plans[stage - 1].boards
    roster = event.entries[team].roster
    present = [member for member in members if member]
    if len(members) != boards:
        raise EventRuleError("line-up-length", boards=boards, members=len(members))
    if len(set(present)) != len(present):
        raise EventRuleError("line-up-twice", team=team)
    for member in present:
        if member not in roster:
            raise EventRuleError("not-in-roster", team=team, member=member)
    opponent(event, stage, number, team)
    return LineUp(stage, number, team, members)


def opponent(event: EventFold, stage: int, number: int, team: int) -> int:
    """Return the opponent of a team in a round."""
    for table in event.round(stage, number).tables:
        if team in table.seats:
            return next(other for other in table.seats if other != team)
    raise EventRuleError("team-not-paired", team=team, round=number)


def revealed(event: EventFold, stage: int, number: int, team: int) -> tuple[str, ...] | None:
    """The line-up of a team, as soon as that of its opponent is in, too; before that nobody sees it."""
    other = opponent(event, stage, number, team)
    own = event.line_ups.get((stage, number, team))
    return own if (stage, number, other) in event.line_ups else None


def forfeits(event: EventFold, stage: int, number: int) -> Iterator[Result]:
    """At the lock: the results of all games at boards for which a side has nobody. The rest is played."""
    drawn = event.round(stage, number)
    for place, table in enumerate(drawn.tables, 1):
        out = tuple(seat for seat, team in enumerate(table.seats) if not event.member(stage, number, team, table.board))
        if out and drawn.outcomes[place - 1] is None:
            yield Result(stage, number, place, Outcome((0, 0), out, how="forfeited"))


def substituted(event: EventFold, stage: int, number: int, team: int, board: int, member: str) -> LineUp:
    """The line-up with somebody else at a board; the caller knows that no move was made there."""
    members = list(event.line_ups.get((stage, number, team), ()))
    if not 1 <= board <= len(members):
        raise EventRuleError("no-such-board", team=team, board=board)
    drawn = event.round(stage, number)
    for table, outcome in zip(drawn.tables, drawn.outcomes, strict=True):
        if team in table.seats and table.board == board and outcome is not None:
            raise EventRuleError("board-decided", team=team, board=board)
    members[board - 1] = member
    return line_up(event, stage, number, team, tuple(members))
