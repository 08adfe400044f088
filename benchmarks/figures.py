"""Results of the benchmarks: named measurements, a table that prints them, and a file of JSON.

A measurement has one sample or many. Its median and its 95th percentile are shown.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median, quantiles


@dataclass(frozen=True, slots=True)
class Measurement:
    """A named measurement with its samples; ``aim`` is the target for its median or its 95th percentile, or None."""

    name: str
    samples: tuple[float, ...]
    unit: str = "ms"
    aim: float | None = None
    aim_for: str = "median"

    @property
    def median(self) -> float:
        """The middle sample."""
        return median(self.samples)

    @property
    def p95(self) -> float:
        """The 95th percentile; of a single sample, the sample itself."""
        if len(self.samples) < 2:
            return self.samples[0]
        return quantiles(self.samples, n=20, method="inclusive")[-1]

    def line(self) -> str:
        """Return the line of the printed table."""
        text = f"{self.name:<32} median {self.median:9.3f} {self.unit:<3}  p95 {self.p95:9.3f} {self.unit:<3}"
        if self.aim is None:
            return text
        ratio = (self.p95 if self.aim_for == "p95" else self.median) / self.aim
        return f"{text}  {self.aim_for} is {ratio:.2f} x the aim of {self.aim:g} {self.unit}"


def write(figures: Iterable[Measurement], path: Path) -> None:
    """Write median, 95th percentile and unit of each measurement as JSON, by name."""
    table = {
        figure.name: {"median": round(figure.median, 4), "p95": round(figure.p95, 4), "unit": figure.unit}
        for figure in figures
    }
    path.write_text(json.dumps(table, indent=2) + "\n", encoding="utf-8")


def show(figures: Sequence[Measurement]) -> None:
    """Print a line for each measurement."""
    for figure in figures:
        print(figure.line(), flush=True)
