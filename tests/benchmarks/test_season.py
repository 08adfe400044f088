"""A small season ends without a clock error; a bot that keeps time wrongly is found out."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from benchmarks.season.__main__ import run
from benchmarks.season.people import START, Hands
from benchmarks.season.play import Season
from benchmarks.season.reckoning import HOUR, ClockError, Reminded
from benchmarks.season.tables import SEAT
from host import clocks
from host.games import timekeeping
from store import SeatClock
from store import clocks as stored_clocks

pytestmark = pytest.mark.long
SMALL = {"seed": 2, "players": 12, "games": 2}
SMALLEST = {"seed": 2, "players": 6, "games": 1}
WRONG = r"in place of|too early"


@pytest.mark.parametrize("season", [SMALLEST, pytest.param(SMALL, marks=pytest.mark.soak)])
async def test_every_game_ends_and_every_clock_says_what_it_has_to(tmp_path: Path, season: dict[str, int]) -> None:
    *lines, last = await run(**season, file=tmp_path / "season.sqlite3")
    told: list[dict[str, Any]] = [json.loads(json.dumps(line)) for line in lines]
    assert len(told) == season["games"]
    for line in told:
        assert list(line) == ["game", "pace", "turns", "started", "ended", "how", "seats"]
        assert all(list(seat) == list(SEAT) for seat in line["seats"])
        assert line["how"] in {"finished", "forfeited", "withdrawn", "adjudicated", "closed"}
        for seat in line["seats"]:
            assert seat["granted_ms"] + seat["given_back_ms"] - seat["used_ms"] == seat["left_ms"] >= 0
    assert json.loads(json.dumps(last))["totals"]["games"] == season["games"]


def test_whoever_is_reminded_too_often_is_found_out() -> None:
    told, start = Reminded(), START
    for hour in range(6):
        told.reminded(1, start + timedelta(hours=2 * hour), 50 * HOUR)
    told.reminded(1, start + timedelta(hours=12), 2 * HOUR)
    told.reminded(2, start + timedelta(hours=12), None)
    assert told.most == 6
    with pytest.raises(ClockError, match="7 times in a day"):
        told.reminded(1, start + timedelta(hours=12), 50 * HOUR)
    with pytest.raises(ClockError, match="twice in an hour"):
        told.reminded(2, start + timedelta(hours=12, minutes=59), None)
    told.reminded(3, start, None)
    told.reminded(3, start + timedelta(hours=24), None)


@pytest.mark.soak
async def test_a_vacation_that_holds_no_clock_is_found_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def nothing(*_: Any) -> None:
        return None

    monkeypatch.setattr(timekeeping, "settle_clocks", nothing)
    with pytest.raises(ClockError, match=WRONG):
        await run(seed=3, players=6, games=4, file=tmp_path / "season.sqlite3")


@pytest.mark.soak
async def test_clocks_that_start_when_a_move_is_stored_are_found_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hands: list[Hands] = []
    begin, ask = Season.__init__, clocks.ask

    def begun(season: Season, *given: Any, **named: Any) -> None:
        begin(season, *given, **named)
        hands.append(season.clock)

    def too_early(clock: SeatClock, card: int, free: int) -> SeatClock:
        return replace(ask(clock, card, free), since=hands[-1].now())

    monkeypatch.setattr(Season, "__init__", begun)
    monkeypatch.setattr(clocks, "ask", too_early)
    with pytest.raises(ClockError, match=WRONG):
        await run(**SMALL, file=tmp_path / "season.sqlite3")


@pytest.mark.soak
async def test_downtime_that_is_not_given_back_is_found_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def nothing(*_: Any) -> int:
        return 0

    monkeypatch.setattr(stored_clocks, "give_back", nothing)
    with pytest.raises(ClockError, match=WRONG):
        await run(**SMALL, file=tmp_path / "season.sqlite3")
