"""The printed figures contain each time twice: as measured, and scaled to the reference machine."""

from __future__ import annotations

from benchmarks.bot.gauges import Figures, with_scaled_times


def test_times_are_scaled_and_counts_are_not() -> None:
    figures: Figures = {
        "away_ms": 20.0,
        "confirmed": 584,
        "ack_ms": {"p50": 10.0, "p99": 60.0},
        "first_click_s": 4.0,
        "calibration_ms": 90.0,
    }
    found = with_scaled_times(figures)
    assert {name: found[name] for name in figures} == figures
    assert {name: value for name, value in found.items() if name not in figures} == {
        "ack_ms_scaled": {"p50": 5.0, "p99": 30.0},
        "first_click_s_scaled": 2.0,
    }
