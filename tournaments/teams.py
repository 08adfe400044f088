"""Team matches: sealed line-ups, and substitutes from the roster.

A *line-up* names the member of the team who plays at each board. It stays sealed until the opposing team has handed in
its own, so that neither can adapt to the other. The functions check a line-up against the state of the event, and
return the *fact*, an entry that the caller adds to the event's log.
"""

from __future__ import annotations

from tournaments.errors import EventRuleError
from tournaments.event import EventFold
from tournaments.facts import LineUp


def line_up(event: EventFold, stage: int, number: int, team: int, members: tuple[str, ...]) -> LineUp:
    """Check a team's line-up for a round, and return it as a fact; an empty string is a board without a player.

    Raises:
        EventRuleError: ``line-up-length``, ``line-up-twice``, ``not-in-roster``, ``team-not-paired``.
    """
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
    """Return the number of a team's opponent in a round.

    Raises:
        EventRuleError: ``team-not-paired``.
    """
    for table in event.round(stage, number).tables:
        if team in table.seats:
            return next(seat for seat in table.seats if seat != team)
    raise EventRuleError("team-not-paired", team=team, round=number)


def with_substitute(event: EventFold, stage: int, number: int, team: int, board: int, member: str) -> LineUp:
    """Return a team's line-up with another member at a board; the caller ensures that no move was made there.

    Raises:
        EventRuleError: ``no-such-board``, ``board-decided``, or the codes of :func:`line_up`.
    """
    members = list(event.line_ups.get((stage, number, team), ()))
    if not 1 <= board <= len(members):
        raise EventRuleError("no-such-board", team=team, board=board)
    drawn = event.round(stage, number)
    for table, outcome in zip(drawn.tables, drawn.outcomes, strict=True):
        if team in table.seats and table.board == board and outcome is not None:
            raise EventRuleError("board-decided", team=team, board=board)
    members[board - 1] = member
    return line_up(event, stage, number, team, tuple(members))
