"""``python -m benchmarks.walks [WALK …] [--json | --modules]``: count the functions that a walk through the code calls.

A walk is one thing that the bot does, such as a bid. Each runs in a new process, so that no cache is warm from another
one. *Outer* modules and functions are those outside of the rules and the pictures.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

from benchmarks.walks import sources
from benchmarks.walks.played import WALKS, record
from benchmarks.walks.trace import RecordedWalk

PROCESS_COUNT = 2
"""Number of walks that are recorded at the same time."""


def record_in_processes(names: Sequence[str]) -> dict[str, RecordedWalk]:
    """Record each walk in a new process."""
    with ProcessPoolExecutor(PROCESS_COUNT, mp_context=get_context("spawn"), max_tasks_per_child=1) as pool:
        return dict(zip(names, pool.map(record, names), strict=True))


def show(walks: dict[str, RecordedWalk], size: dict[str, int]) -> None:
    """Print the counts of each walk as a table, and the size of the source."""
    print("                        modules  outer  functions  outer  depth")
    for name, walk in walks.items():
        counts = walk.figures()
        depth = counts.get("append_depth", "")
        print(
            f"{name:<22} {counts['modules']:8} {counts['outer_modules']:6} {counts['functions']:10}"
            f" {counts['outer_functions']:6} {depth:>6}"
        )
    print(f"{size['source_files']} source files, {size['code_lines']} lines of code without blanks and docstrings")
    print(f"{size['short_modules']} of {size['modules']} modules have fewer than {sources.SHORT_MODULE_LINES} lines")


def show_modules(walk: RecordedWalk) -> None:
    """Print the modules in the order of their first calls, with the number of called functions and the first one."""
    for module, functions in walk.modules.items():
        print(f"{module} {len(functions)} {functions[0]}")


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.walks")
    parser.add_argument("walks", nargs="*", metavar="WALK", help=f"any of: {', '.join(WALKS)} (default: all)")
    parser.add_argument("--json", action="store_true", help="print one line of JSON")
    parser.add_argument("--modules", action="store_true", help="print the modules in the order of their first calls")
    options = parser.parse_args()
    if unknown := {*options.walks} - {*WALKS}:
        parser.error(f"no such walk: {', '.join(sorted(unknown))}")
    walks = record_in_processes(options.walks or [*WALKS])
    if options.modules:
        for walk in walks.values():
            show_modules(walk)
    elif options.json:
        print(json.dumps({name: walk.figures() for name, walk in walks.items()} | {"source": sources.figures()}))
    else:
        show(walks, sources.figures())


if __name__ == "__main__":
    main()
