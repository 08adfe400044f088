"""A game of the season with what is known of it from outside, and what is told of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Final

from benchmarks.season.people import SeasonPlayer
from benchmarks.season.reckoning import Reckoning
from engine import Adjudicate
from engine import Position as AnyPosition
from engine.actions import Action
from engine.carcassonne.expansions.bridges_castles_bazaars import BuildCastle, ScoreTown
from host import TIMEOUT_USER_ID, Game, GameStatus, LoggedAction, Moment, Table
from store import SeatClock

SEAT: Final = (
    "granted_ms",
    "given_back_ms",
    "used_ms",
    "left_ms",
    "timeouts",
    "reminders",
    "vacation_days",
    "plans_used",
)
_TOWN: Final = (BuildCastle, ScoreTown)
"""The decisions of standing orders; all other decisions in advance come from a plan."""


@dataclass(slots=True)
class SeasonTable:
    """A game, who plays it, and how its clocks are reckoned, if it has any."""

    game: Game
    pace: str
    people: Sequence[SeasonPlayer]
    reckoning: Reckoning | None
    started: datetime
    seen: int = 0
    """Actions of its log that were reckoned."""
    ended: datetime | None = None
    presses: dict[int, datetime] = field(default_factory=dict)
    """By ply, when it was pressed."""
    planned: set[tuple[int, int]] = field(default_factory=set)
    """The plans that have been considered: bazaar and person."""

    def reckon(self, moment: Moment, now: datetime) -> None:
        """Reckon what has come to the log."""
        if self.reckoning is not None:
            self._reckon(self.reckoning, moment, now)

    def _reckon(self, reckoning: Reckoning, moment: Moment, now: datetime) -> None:
        before, after, first = moment.before, moment.after, moment.actions[0]
        step, then = before.step, after.step
        aside = step is not None and step.out_of_turn
        if isinstance(first.action, Adjudicate):
            reckoning.decided(now if self.game.ends_at is None else min(now, self.game.ends_at))
            return
        if first.user_id == TIMEOUT_USER_ID:
            reckoning.zero(now, aside=aside)
        else:
            reckoning.decided(self.presses[before.ply])
        same = (before.player, before.turn) == (after.player, after.turn) and then is not None
        same = same and not aside and not (then is not None and then.out_of_turn)
        if not (same or aside or after.withdrawn[before.player]):
            reckoning.turn_over()
        if then is not None:
            reckoning.ask(after.player, aside=then.out_of_turn, same=same)

    def compare(self, found: Sequence[SeatClock]) -> None:
        """Check that the clocks show the recomputed times.

        Raises:
            ClockError: they do not.
        """
        if self.reckoning is not None:
            said = [(one.granted, one.given_back, one.used, one.left, one.timeouts) for one in found]
            self.reckoning.compare(said)

    def line(self, end: Table, found: Sequence[SeatClock], now: datetime) -> dict[str, Any]:
        """Return the report on the game."""
        ended = self.ended or now
        seats: list[dict[str, Any]] = [
            {
                "granted_ms": one.granted,
                "given_back_ms": one.given_back,
                "used_ms": one.used,
                "left_ms": one.left,
                "timeouts": one.timeouts,
                "reminders": one.reminders,
                "vacation_days": _days(person.away, self.started, ended),
                "plans_used": sum(_is_planned(entry, one.seat) for entry in end.log),
            }
            for one, person in zip(found, self.people, strict=bool(found))
        ] or [dict.fromkeys(SEAT) for _ in self.people]
        return {
            "game": self.game.code,
            "pace": self.pace,
            "turns": end.position.turn,
            "started": self.started.isoformat(),
            "ended": ended.isoformat(),
            "how": how(end.game.status, end.position, end.log[-1].action if end.log else None),
            "seats": seats,
        }


def _days(away: Sequence[tuple[datetime, datetime]], start: datetime, end: datetime) -> int:
    """The days of vacation that fell into a time."""
    spans = (max(timedelta(0), min(end, b) - max(start, a)) for a, b in away)
    return sum(round(span / timedelta(days=1)) for span in spans)


def _is_planned(entry: LoggedAction, seat: int) -> bool:
    return entry.preset and entry.seat == seat and not isinstance(entry.action, _TOWN)


def how(status: GameStatus, position: AnyPosition, last: Action | None) -> str:
    """Return the end of a game."""
    if isinstance(last, Adjudicate):
        return "adjudicated"
    if status is GameStatus.FINISHED and not position.is_over:
        return "closed"
    if not position.is_ending:
        return "finished"
    return "forfeited" if position.players == 2 else "withdrawn"


def totals(lines: Sequence[dict[str, Any]], most_reminders: int) -> dict[str, Any]:
    """The last line; ``most_reminders`` is how often anybody was reminded in a day."""
    seats = [seat for line in lines for seat in line["seats"] if seat["granted_ms"] is not None]
    hows = [line["how"] for line in lines]
    return {
        "games": len(lines),
        "how": {how: hows.count(how) for how in sorted(set(hows))},
        "turns": sum(line["turns"] for line in lines),
        **{name: sum(seat[name] for seat in seats) for name in SEAT},
        "most_reminders_a_day": most_reminders,
    }
