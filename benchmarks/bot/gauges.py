"""Gauges of a running bot: the CPU and memory of its processes, its database statements and its requests.

:class:`GaugeReading` has all counters at one moment, and the difference of two readings is the cost of what happened
between them. Times depend on the machine. So a fixed loop is timed, too (:func:`calibration_ms`), and by it all times
are scaled to a reference machine, to which the targets of the benchmarks refer.
"""

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
"""Figures by name; a waiting time is a dictionary of percentiles."""
REFERENCE_MS = 45.0
"""The duration of the calibration loop on the reference machine."""
_UNSCALED = frozenset({"calibration_ms", "away_ms"})
"""Times that do not depend on the speed of the machine."""
_ANSWER_PATHS = ("/interactions/", "/webhooks/")
"""The beginnings of the paths of requests that answer an interaction."""
_PROC = Path("/proc")
"""The directory in which Linux describes processes."""


def calibration_ms(rounds: int = 5) -> float:
    """Return the CPU milliseconds of a fixed loop, the shortest of several runs; it compares the speed of machines."""
    times = []
    for _ in range(rounds):
        before = process_time()
        sum(i * i % 7 for i in range(1_000_000))
        times.append(process_time() - before)
    return 1000 * min(times)


def processes(root: int) -> list[int]:
    """Return the ids of a process and of all its descendants (Linux only)."""
    process_ids = [root]
    for task in (_PROC / str(root) / "task").glob("*"):
        with suppress(OSError):  # a process or thread that has ended meanwhile
            for child in (task / "children").read_text().split():
                process_ids += processes(int(child))
    return process_ids


def cpu_ms(root: int) -> float:
    """Return the CPU milliseconds of a process so far, including its threads and its running descendants."""
    nanoseconds = 0
    for process in processes(root):
        for thread in (_PROC / str(process) / "task").glob("*"):
            with suppress(OSError, ValueError):
                nanoseconds += int((thread / "schedstat").read_text().split()[0])
    return nanoseconds / 1e6


def rss_mib(root: int) -> float:
    """Return the resident memory of a process and its descendants, in MiB."""
    kib = 0
    for process in processes(root):
        with suppress(OSError):
            lines = (_PROC / str(process) / "status").read_text().splitlines()
            kib += sum(int(line.split()[1]) for line in lines if line.startswith("VmRSS"))
    return kib / 1024


@dataclass(slots=True)
class RequestCounter:
    """A counter of a bot's requests to Discord, by kind; it deletes the server's records, which would grow for ever."""

    kinds: Counter[str] = field(default_factory=Counter)
    pictures: int = 0
    bytes_sent: list[int] = field(default_factory=list)
    """The size of the pictures of each card, in bytes."""

    def watch(self, server: LoopbackDiscord) -> None:
        """Count the requests to a server from now on."""

        def on_request(stage: str, request: RecordedRequest) -> None:
            if stage == "done":
                self._count(request)
                server.requests.clear()

        server.watchers.append(on_request)

    def _count(self, request: RecordedRequest) -> None:
        """Count a request by its method and its path without ids."""
        path = request.path
        kind = "answer" if path.startswith(_ANSWER_PATHS) else f"{request.method} {_path_without_ids(path)}"
        self.kinds[kind] += 1
        self.pictures += len(request.files)
        if kind == "POST channels/messages":
            self.bytes_sent.append(sum(len(file.data) for file in request.files))

    @property
    def beyond_answers(self) -> int:
        """The number of requests that do not answer an interaction."""
        return sum(count for kind, count in self.kinds.items() if kind != "answer")


def _path_without_ids(path: str) -> str:
    """Return a path without ids."""
    return "/".join(part for part in path.split("/") if part and not part.isdecimal())


@dataclass(frozen=True, slots=True)
class GaugeReading:
    """All counters at one moment."""

    statements: int
    transactions: int
    writes: int
    cpu: float
    requests: int
    pictures: int

    def per_move(self, before: GaugeReading, moves: int) -> dict[str, float]:
        """Return the average cost of a move since an earlier reading."""
        count = max(1, moves)
        return {
            "statements": (self.statements - before.statements) / count,
            "write_transactions": (self.writes - before.writes) / count,
            "requests": (self.requests - before.requests) / count,
            "pictures": (self.pictures - before.pictures) / count,
            "cpu_ms": (self.cpu - before.cpu) / count,
        }


def percentiles(samples: list[float]) -> dict[str, float]:
    """Return the 50th, 95th and 99th percentile."""
    if len(samples) < 2:
        return dict.fromkeys(("p50", "p95", "p99"), samples[0] if samples else 0.0)
    cuts = quantiles(samples, n=100, method="inclusive")
    return {"p50": cuts[49], "p95": cuts[94], "p99": cuts[98]}


def with_scaled_times(figures: Figures) -> Figures:
    """Return the figures with, after each time, the time that the reference machine would take."""
    calibration = figures["calibration_ms"]
    speed = REFERENCE_MS / calibration if isinstance(calibration, float) else 1.0
    result: Figures = {}
    for name, value in figures.items():
        result[name] = value
        if name.endswith(("_ms", "_s")) and name not in _UNSCALED:
            scaled = {part: time * speed for part, time in value.items()} if isinstance(value, dict) else value * speed
            result[f"{name}_scaled"] = scaled
    return result


def print_figures(figures: Figures, *, as_json: bool) -> None:
    """Print figures as one line of JSON, or one a line."""
    lines = [format_json(figures)] if as_json else [format_json({name: figures[name]})[1:-1] for name in figures]
    print("\n".join(lines))


def format_json(figures: Figures) -> str:
    """Format figures as a line of JSON, with two decimals."""
    return json.dumps(json.loads(json.dumps(figures), parse_float=lambda text: round(float(text), 2)))
