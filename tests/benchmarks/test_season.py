"""A small simulated season ends without a clock error, and each kind of wrong clock causes one.

The tests of wrong clocks break the host's timekeeping with a patch; the simulation has to notice.
"""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from benchmarks.season.__main__ import run
from benchmarks.season.expected_clocks import HOUR_MS, ClockError, ReminderLimits
from benchmarks.season.people import START, SimulatedClock
from benchmarks.season.play import Season
from benchmarks.season.tables import SEAT_FIELDS
from host import clocks
from host.games import timekeeping
from store import SeatClock
from store import clocks as stored_clocks

pytestmark = pytest.mark.long
SMALL_SEASON = {"seed": 2, "players": 12, "games": 2}
SMALLEST_SEASON = {"seed": 2, "players": 6, "games": 1}
CLOCK_DIFFERENCE = r"in place of|too early"
"""Messages of a `ClockError` that reports a wrong time."""


@pytest.mark.usefixtures("game_length")
@pytest.mark.parametrize("season", [SMALLEST_SEASON, pytest.param(SMALL_SEASON, marks=pytest.mark.soak)])
async def test_every_game_ends_with_correct_clocks(tmp_path: Path, season: dict[str, int]) -> None:
    *lines, last = await run(**season, file=tmp_path / "season.sqlite3")
    reports: list[dict[str, Any]] = [json.loads(json.dumps(line)) for line in lines]
    assert len(reports) == season["games"]
    for report in reports:
        assert list(report) == ["game", "pace", "turns", "started", "ended", "how", "seats"]
        assert all(list(seat) == list(SEAT_FIELDS) for seat in report["seats"])
        assert report["how"] in {"finished", "forfeited", "withdrawn", "adjudicated", "closed"}
        for seat in report["seats"]:
            assert seat["granted_ms"] + seat["given_back_ms"] - seat["used_ms"] == seat["left_ms"] >= 0
    assert json.loads(json.dumps(last))["totals"]["games"] == season["games"]


def test_too_many_reminders_are_an_error() -> None:
    reminders, start = ReminderLimits(), START
    for number in range(6):
        reminders.add(1, start + timedelta(hours=2 * number), 50 * HOUR_MS)
    reminders.add(1, start + timedelta(hours=12), 2 * HOUR_MS)
    reminders.add(2, start + timedelta(hours=12), None)
    assert reminders.most == 6
    with pytest.raises(ClockError, match="7 times in a day"):
        reminders.add(1, start + timedelta(hours=12), 50 * HOUR_MS)
    with pytest.raises(ClockError, match="twice in an hour"):
        reminders.add(2, start + timedelta(hours=12, minutes=59), None)
    reminders.add(3, start, None)
    reminders.add(3, start + timedelta(hours=24), None)


@pytest.mark.soak
async def test_a_vacation_that_does_not_stop_the_clock_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def do_nothing(*_: Any) -> None:
        return None

    monkeypatch.setattr(timekeeping, "settle_clocks", do_nothing)
    with pytest.raises(ClockError, match=CLOCK_DIFFERENCE):
        await run(seed=3, players=6, games=4, file=tmp_path / "season.sqlite3")


@pytest.mark.soak
async def test_clocks_that_start_before_the_card_is_posted_are_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    season_clocks: list[SimulatedClock] = []
    init_season, ask = Season.__init__, clocks.ask

    def init_and_remember_clock(season: Season, *args: Any, **options: Any) -> None:
        init_season(season, *args, **options)
        season_clocks.append(season.clock)

    def start_clock_early(clock: SeatClock, card: int, free: int) -> SeatClock:
        return replace(ask(clock, card, free), since=season_clocks[-1].now())

    monkeypatch.setattr(Season, "__init__", init_and_remember_clock)
    monkeypatch.setattr(clocks, "ask", start_clock_early)
    with pytest.raises(ClockError, match=CLOCK_DIFFERENCE):
        await run(**SMALL_SEASON, file=tmp_path / "season.sqlite3")


@pytest.mark.soak
async def test_downtime_that_is_not_given_back_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def give_nothing_back(*_: Any) -> int:
        return 0

    monkeypatch.setattr(stored_clocks, "give_back", give_nothing_back)
    with pytest.raises(ClockError, match=CLOCK_DIFFERENCE):
        await run(**SMALL_SEASON, file=tmp_path / "season.sqlite3")
