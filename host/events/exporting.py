"""Events as files: everything as JSON, games and standings as CSV. What is secret until the end is not in them."""

from __future__ import annotations

import asyncio
import csv
import io
import json
from dataclasses import asdict
from fractions import Fraction
from typing import Any

from host.events.teaming import Teaming
from host.events.views.known import OVER, Known
from host.events.views.values import EventView
from tournaments.facts import LineUp, read_fact, to_json
from tournaments.points import table_points
from tournaments.progress import standings


class Exporting(Teaming):
    """What organisers, and players, can take away."""

    async def export_json(self, ref: int | str) -> str:
        """An event with its plan, entries, facts, rounds, standings and audit log; once it is over with the seed.

        Raises:
            HostError: ``unknown_event``.
        """
        async with self._store.reading() as tx:
            known = await self._known(tx, ref)
        audit = await self.audit(known.record.id)
        data = await asyncio.to_thread(exported, known, self._shown(known))
        data["audit"] = [
            {"at": line.at.isoformat(), "by": line.user_id, "kind": line.kind, **line.details} for line in audit
        ]
        return json.dumps(data, indent=1, ensure_ascii=False)

    async def export_csv(self, ref: int | str) -> str:
        """The games of an event, a line for each seat: stage, round, table, board, match, player, score, place, points.

        Raises:
            HostError: ``unknown_event``.
        """
        async with self._store.reading() as tx:
            known = await self._known(tx, ref)
        shown, out = self._shown(known), io.StringIO()
        lines = csv.writer(out)
        lines.writerow(["stage", "round", "table", "board", "match", "seat", "player", "score", "points", "how"])
        for row in _games(known):
            for seat, player in enumerate(row["seats"]):
                score = row["scores"][seat] if row["scores"] else ""
                points = row["points"][seat] if row["points"] else ""
                place = [row[name] for name in ("stage", "round", "table", "board", "match")]
                lines.writerow([*place, seat + 1, _safe(shown.name_of(player)), score, points, row["how"]])
        return out.getvalue()


def exported(known: Known, shown: EventView) -> dict[str, Any]:
    """An event as JSON: line-ups that are still sealed, the seed and what follows from it alone are left out."""
    event, over = known.event, known.record.state in OVER
    data: dict[str, Any] = {
        "code": shown.code,
        "name": shown.name,
        "state": shown.state,
        "plan": shown.plan.to_data(),
        "commitment": shown.commitment,
        "seed": shown.seed,
        "entries": [
            {"number": entry.number, "user": entry.person.user_id, "name": entry.person.name, "team": entry.team}
            for entry in shown.entries
        ],
        "teams": [{"number": team.number, "name": team.name, "captain": team.captain_id} for team in shown.teams],
    }
    if event is None:
        return data
    facts = [(line, read_fact(line.fact)) for line in known.facts]
    data["facts"] = [
        {"at": line.at.isoformat(), "by": line.user_id, **json.loads(to_json(fact))}
        for line, fact in facts
        if over or not isinstance(fact, LineUp)
    ]
    data["games"] = _games(known)
    data["standings"] = [
        {
            "player": line.player,
            "name": shown.name_of(line.player),
            "rank": line.rank,
            "stage": line.stage,
            "tie_breaks": {name: _number(value) for name, value in line.values if over or name != "lot"},
        }
        for line in standings(event)
    ]
    return data


def _games(known: Known) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for state in known.event.stages if known.event else ():
        for drawn in state.rounds:
            for number, (table, outcome) in enumerate(zip(drawn.tables, drawn.outcomes, strict=True), 1):
                row: dict[str, Any] = {"stage": state.number, "round": drawn.number, "table": number}
                row |= asdict(table) | {"seats": list(table.seats)}
                points = table_points(outcome, state.plan.points, state.plan.ties) if outcome else ()
                row |= {
                    "scores": list(outcome.scores) if outcome else [],
                    "out": list(outcome.out) if outcome else [],
                    "points": [_number(value) for value in points],
                    "how": outcome.how if outcome else "",
                }
                found.append(row)
    return found


def _number(value: Fraction) -> int | float:
    return int(value) if value.denominator == 1 else float(value)


def _safe(name: str) -> str:
    """A name that no spreadsheet takes for a formula."""
    return f"'{name}" if name[:1] in "=+-@\t\r" else name
