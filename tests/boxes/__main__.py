"""List everything that boxes (expansions) lack on any floor of the project: ``python -m tests.boxes [NAME …]``.

The exit status is 1 if anything is missing, so that the command can be a step of a build.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Sequence

from engine.carcassonne import REGISTRY
from tests.boxes.lacks import lacks
from tests.boxes.papers import write_lists


def main(arguments: Sequence[str] | None = None) -> int:
    """Print everything that boxes lack; return 1 if any of them lacks something."""
    parser = ArgumentParser(prog="python -m tests.boxes", description="What boxes of Carcassonne lack, on all floors.")
    parser.add_argument(
        "boxes", nargs="*", metavar="NAME", help="names of boxes; all that are registered if none is named"
    )
    parser.add_argument("--write", action="store_true", help="first write the lists of boxes in documents anew")
    chosen = parser.parse_args(arguments)
    if chosen.write:
        write_lists()
    names = chosen.boxes or list(REGISTRY)
    status = 0
    for name in names:
        missing = lacks(name)
        sys.stdout.writelines(f"{name}: {lack.floor}: {lack.what}\n" for lack in missing)
        sys.stdout.write(f"{name}: {summary(len(missing))}\n")
        status |= bool(missing)
    return status


def summary(count: int) -> str:
    """Return the number of things to do in words, or "complete"."""
    return f"{count} thing{'s' if count > 1 else ''} to do" if count else "complete"


if __name__ == "__main__":
    sys.exit(main())
