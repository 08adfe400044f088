"""Costs of a running bot: CPU and memory of its processes, its statements, its requests."""

from __future__ import annotations

import json
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from statistics import quantiles
from time import process_time

from tests.loopback import LoopbackDiscord, RecordedRequest

Figures = dict[str, float | dict[str, float]]
"""The measurements by name; of waiting times several percentiles."""
REFERENCE_MS = 45.0
"""The calibration loop on the machine for which the aims are."""
_AS_ASKED = frozenset({"calibration_ms", "away_ms"})
_ANSWERS = ("/interactions/", "/webhooks/")
_PROC = Path("/proc")


def calibration_ms(rounds: int = 5) -> float:
    """CPU milliseconds of the loop by which machines are compared; the quickest of so many."""
    times = []
    for _ in range(rounds):
        before = process_time()
        sum(i * i % 7 for i in range(1_000_000))
        times.append(process_time() - before)
    return 1000 * min(times)


def processes(root: int) -> list[int]:
    """A process and all that it has started (Linux)."""
    found = [root]
    for task in (_PROC / str(root) / "task").glob("*"):
        with suppress(OSError):
            for child in (task / "children").read_text().split():
                found += processes(int(child))
    return found


def cpu_ms(root: int) -> float:
    """CPU milliseconds of a process, its threads and its children so far, as exact as the kernel counts them."""
    nanoseconds = 0
    for process in processes(root):
        for thread in (_PROC / str(process) / "task").glob("*"):
            with suppress(OSError, ValueError):
                nanoseconds += int((thread / "schedstat").read_text().split()[0])
    return nanoseconds / 1e6


def rss_mib(root: int) -> float:
    """Memory of a process and its children."""
    kib = 0
    for process in processes(root):
        with suppress(OSError):
            lines = (_PROC / str(process) / "status").read_text().splitlines()
            kib += sum(int(line.split()[1]) for line in lines if line.startswith("VmRSS"))
    return kib / 1024


@dataclass(slots=True)
class RequestCounter:
    """Counts the requests of a bot by kind, and forgets them: what was posted stays with the server."""

    kinds: Counter[str] = field(default_factory=Counter)
    pictures: int = 0
    bytes_sent: list[int] = field(default_factory=list)
    """Of each card, its pictures'."""

    def watch(self, server: LoopbackDiscord) -> None:
        """Count from now on."""

        def note(stage: str, request: RecordedRequest) -> None:
            if stage == "done":
                self._note(request)
                server.requests.clear()

        server.watchers.append(note)

    def _note(self, request: RecordedRequest) -> None:
        path = request.path
        kind = "answer" if path.startswith(_ANSWERS) else f"{request.method} {_shape(path)}"
        self.kinds[kind] += 1
        self.pictures += len(request.files)
        if kind == "POST channels/messages":
            self.bytes_sent.append(sum(len(file.data) for file in request.files))

    @property
    def beyond_answers(self) -> int:
        """Requests that answer no interaction."""
        return sum(count for kind, count in self.kinds.items() if kind != "answer")


def _shape(path: str) -> str:
    """A path without its ids."""
    return "/".join(part for part in path.split("/") if part and not part.isdecimal())


@dataclass(frozen=True, slots=True)
class GaugeReading:
    """Everything that is counted, at one moment."""

    statements: int
    transactions: int
    writes: int
    cpu: float
    requests: int
    pictures: int

    def per_move(self, before: GaugeReading, moves: int) -> dict[str, float]:
        """Return the cost of each of this many moves since an earlier reading."""
        share = max(1, moves)
        return {
            "statements": (self.statements - before.statements) / share,
            "write_transactions": (self.writes - before.writes) / share,
            "requests": (self.requests - before.requests) / share,
            "pictures": (self.pictures - before.pictures) / share,
            "cpu_ms": (self.cpu - before.cpu) / share,
        }


def percentiles(samples: list[float]) -> dict[str, float]:
    """The 50th, 95th and 99th percentile."""
    if len(samples) < 2:
        return dict.fromkeys(("p50", "p95", "p99"), samples[0] if samples else 0.0)
    cuts = quantiles(samples, n=100, method="inclusive")
    return {"p50": cuts[49], "p95": cuts[94], "p99": cuts[98]}


def scaled(figures: Figures) -> Figures:
    """The figures, and behind each time what it would be on the machine for which the aims are."""
    calibration = figures["calibration_ms"]
    share = REFERENCE_MS / calibration if isinstance(calibration, float) else 1.0
    found: Figures = {}
    for name, value in figures.items():
        found[name] = value
        if name.endswith(("_ms", "_s")) and name not in _AS_ASKED:
            its = {part: time * share for part, time in value.items()} if isinstance(value, dict) else value * share
            found[f"{name}_scaled"] = its
    return found


def in_json(figures: Figures) -> str:
    """One line, the numbers as one reads them."""
    return json.dumps(json.loads(json.dumps(figures), parse_float=lambda text: round(float(text), 2)))
