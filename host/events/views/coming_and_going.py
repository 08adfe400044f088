"""The lines of an event's log about players who left, came back or came late, read from its facts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from host.events.views.known import Known
from store import AuditRecord
from tournaments.facts import DISQUALIFIED, FACTS, LateEntry, Rejoined, Withdrawal, read_fact

LEFT: Final = "left"
LOST_ACCESS: Final = "lost_access"
CAME_BACK: Final = "came_back"
CAME_LATE: Final = "came_late"
COMING_AND_GOING: Final = frozenset({LEFT, LOST_ACCESS, CAME_BACK, CAME_LATE})
"""The kinds of these lines."""
_TOLD: Final = tuple(f'{{"fact":"{name}"' for name, kind in FACTS.items() if kind in (Withdrawal, Rejoined, LateEntry))
"""How the facts begin of which there are such lines."""


def coming_and_going(known: Known) -> Iterator[AuditRecord]:
    """Yield a line for everybody who left, came back or came late, in the order in which they did.

    A disqualification is an act of an organiser, and stands in the log with its reason already.
    """
    for record in known.facts:
        if not record.fact.startswith(_TOLD):
            continue
        match read_fact(record.fact):
            case Withdrawal(player, reason) if reason != DISQUALIFIED:
                kind = LEFT if record.user_id else LOST_ACCESS
                details = _who(known, player, record.number, named=not record.user_id)
            case Rejoined(player):
                kind, details = CAME_BACK, _who(known, player, record.number, named=False)
            case LateEntry():
                kind, details = CAME_LATE, {}
            case _:
                continue
        yield AuditRecord(record.number, record.at, record.user_id, kind, details)


def _who(known: Known, player: int, fact: int, *, named: bool) -> Mapping[str, Any]:
    """A team by its name; a player only if nobody else is ``named`` in the line: by who played for the entry then."""
    team = next((team for team in known.teams if team.number == player), None)
    if team is not None:
        return {"team": team.name}
    keys = [key for since, key in known.running.persons[player] if since <= fact]
    return {"user": int(keys[-1])} if named else {}
