"""``python -m benchmarks``: run all benchmarks one after another, print the results, and write them to a JSON file."""

from __future__ import annotations

from pathlib import Path

from benchmarks import castle, castle_pictures, clicks, crowd, engine, events, first_card, hints, move, pictures, plies
from benchmarks.figures import show, write

OUTPUT_FILE: Path = Path("bench.json")
"""The file to which the results are written, in the working directory."""


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
