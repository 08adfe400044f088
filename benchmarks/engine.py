"""How fast the rules are; measured by the engine itself, as ``python -m engine bench`` does."""

from __future__ import annotations

from benchmarks.figures import Figure
from engine.cli.bench import AIMS, measures


def figures() -> list[Figure]:
    """Games; replaying and reading a record, copy and undo."""
    return [Figure(f"engine {measure.name}", measure.samples, "ms", AIMS.get(measure.name)) for measure in measures()]
