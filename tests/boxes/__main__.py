"""``python -m tests.boxes``: say everything that boxes lack, all or only the named ones; status 1 if anything."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Sequence

from engine.carcassonne import REGISTRY
from tests.boxes.lacks import lacks
from tests.boxes.papers import write_lists


def main(arguments: Sequence[str] | None = None) -> int:
    """Print what boxes lack; return 1 if any lacks something."""
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
        found = lacks(name)
        sys.stdout.writelines(f"{name}: {lack.floor}: {lack.what}\n" for lack in found)
        sys.stdout.write(f"{name}: {summary(len(found))}\n")
        status |= bool(found)
    return status


def summary(count: int) -> str:
    """Return how much is left to do, in words."""
    return f"{count} thing{'s' if count > 1 else ''} to do" if count else "complete"


if __name__ == "__main__":
    sys.exit(main())
