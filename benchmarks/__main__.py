"""``python -m benchmarks``: measure, print, write ``bench.json``."""

from __future__ import annotations

from pathlib import Path

from benchmarks import castle, castle_pictures, clicks, crowd, engine, events, first_card, hints, move, pictures, plies
from benchmarks.figures import show, write

BENCH: Path = Path("bench.json")


def main() -> None:
    """All figures."""
    found = []
    modules = (engine, castle, plies, hints, events, pictures, castle_pictures, crowd, clicks, move, first_card)
    for module in modules:
        figures = module.figures()
        show(figures)
        found += figures
    write(found, BENCH)


if __name__ == "__main__":
    main()
