"""``python -m benchmarks``: run all benchmarks one after another, print their figures, and write a file of JSON."""

from __future__ import annotations

from pathlib import Path

from benchmarks import castle, castle_pictures, clicks, crowd, engine, events, first_card, hints, move, pictures, plies
from benchmarks.figures import show, write

OUTPUT_FILE: Path = Path("bench.json")
"""The file of the figures, in the working directory."""


def main() -> None:
    """Run the benchmarks one after another."""
    measured = []
    modules = (engine, castle, plies, hints, events, pictures, castle_pictures, crowd, clicks, move, first_card)
    for module in modules:
        figures = module.figures()
        show(figures)
        measured += figures
    write(measured, OUTPUT_FILE)


if __name__ == "__main__":
    main()
