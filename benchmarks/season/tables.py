"""A game of a simulated season, with the clocks that it should have.

When the game has ended, the clocks that the bot has stored are compared with them, and a report is made.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Final

from benchmarks.season.expected_clocks import ExpectedClocks
from benchmarks.season.people import SeasonPlayer
from engine import Adjudicate
from engine import Position as AnyPosition
from engine.actions import Action
from engine.carcassonne.expansions.bridges_castles_bazaars import BuildCastle, ScoreTown
from host import TIMEOUT_USER_ID, Game, GameStatus, LoggedAction, Moment, Table
from store import SeatClock

SEAT_FIELDS: Final = (
    "granted_ms",
    "given_back_ms",
    "used_ms",
    "left_ms",
    "timeouts",
    "reminders",
    "vacation_days",
    "plans_used",
)
"""The figures of a seat in the report."""
_STANDING_ORDER_ACTIONS: Final = (BuildCastle, ScoreTown)
"""Decisions made by a player's preferences; every other decision made in advance comes from a plan."""


@dataclass(slots=True)
class SeasonTable:
    """A game with its players and its expected clocks, which are None in a game without clocks."""

    game: Game
    pace: str
    people: Sequence[SeasonPlayer]
    expected: ExpectedClocks | None
    started: datetime
    seen: int = 0
    """Number of actions in the log that were applied to the expected clocks."""
    ended: datetime | None = None
    presses: dict[int, datetime] = field(default_factory=dict)
    """The time of the press for each ply."""
    planned: set[tuple[int, int]] = field(default_factory=set)
    """Bazaars and users for which a plan has been considered."""

    def follow(self, moment: Moment, now: datetime) -> None:
        """Apply new actions of the log to the expected clocks."""
        if self.expected is not None:
            self._follow(self.expected, moment, now)

    def _follow(self, expected: ExpectedClocks, moment: Moment, now: datetime) -> None:
        """Apply a decision of the log to the expected clocks."""
        before, after, first = moment.before, moment.after, moment.actions[0]
        step, then = before.step, after.step
        out_of_turn = step is not None and step.out_of_turn
        if isinstance(first.action, Adjudicate):
            expected.decided(now if self.game.ends_at is None else min(now, self.game.ends_at))
            return
        if first.user_id == TIMEOUT_USER_ID:
            expected.time_ran_out(now, out_of_turn=out_of_turn)
        else:
            expected.decided(self.presses[before.ply])
        same_turn = (before.player, before.turn) == (after.player, after.turn) and then is not None
        same_turn = same_turn and not out_of_turn and not (then is not None and then.out_of_turn)
        if not (same_turn or out_of_turn or after.withdrawn[before.player]):
            expected.turn_over()
        if then is not None:
            expected.ask(after.player, out_of_turn=then.out_of_turn, same_turn=same_turn)

    def compare(self, seat_clocks: Sequence[SeatClock]) -> None:
        """Compare the stored clocks with the expected ones.

        Raises:
            ClockError: a clock differs.
        """
        if self.expected is not None:
            actual = [
                (clock.granted, clock.given_back, clock.used, clock.left, clock.timeouts) for clock in seat_clocks
            ]
            self.expected.compare(actual)

    def report(self, end: Table, seat_clocks: Sequence[SeatClock], now: datetime) -> dict[str, Any]:
        """Return the report on the game."""
        ended = self.ended or now
        seats: list[dict[str, Any]] = [
            {
                "granted_ms": clock.granted,
                "given_back_ms": clock.given_back,
                "used_ms": clock.used,
                "left_ms": clock.left,
                "timeouts": clock.timeouts,
                "reminders": clock.reminders,
                "vacation_days": _vacation_days(person.away, self.started, ended),
                "plans_used": sum(_is_planned(entry, clock.seat) for entry in end.log),
            }
            for clock, person in zip(seat_clocks, self.people, strict=bool(seat_clocks))
        ] or [dict.fromkeys(SEAT_FIELDS) for _ in self.people]
        return {
            "game": self.game.code,
            "pace": self.pace,
            "turns": end.position.turn,
            "started": self.started.isoformat(),
            "ended": ended.isoformat(),
            "how": end_reason(end.game.status, end.position, end.log[-1].action if end.log else None),
            "seats": seats,
        }


def _vacation_days(away: Sequence[tuple[datetime, datetime]], start: datetime, end: datetime) -> int:
    """Return the days of vacation between two times."""
    spans = (max(timedelta(0), min(end, last) - max(start, first)) for first, last in away)
    return sum(round(span / timedelta(days=1)) for span in spans)


def _is_planned(entry: LoggedAction, seat: int) -> bool:
    """Return whether a decision was made in advance by a plan of the seat."""
    return entry.preset and entry.seat == seat and not isinstance(entry.action, _STANDING_ORDER_ACTIONS)


def end_reason(status: GameStatus, position: AnyPosition, last: Action | None) -> str:
    """Return how a game ended, as one word."""
    if isinstance(last, Adjudicate):
        return "adjudicated"
    if status is GameStatus.FINISHED and not position.is_over:
        return "closed"
    if not position.is_ending:
        return "finished"
    return "forfeited" if position.players == 2 else "withdrawn"


def totals(reports: Sequence[dict[str, Any]], most_reminders: int) -> dict[str, Any]:
    """Return the totals of all games; ``most_reminders`` is the largest number of a player's reminders in a day."""
    seats = [seat for report in reports for seat in report["seats"] if seat["granted_ms"] is not None]
    reasons = [report["how"] for report in reports]
    return {
        "games": len(reports),
        "how": {reason: reasons.count(reason) for reason in sorted(set(reasons))},
        "turns": sum(report["turns"] for report in reports),
        **{name: sum(seat[name] for seat in seats) for name in SEAT_FIELDS},
        "most_reminders_a_day": most_reminders,
    }
