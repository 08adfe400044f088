"""Swiss pairing of duels: FIDE's (Dutch) System as in force until 31 January 2026, worked out by py4swiss 0.3.1.

First seats take the part of the colours. Every game that was opened counts as played, for repeats and for seats. The
exception for top scorers in the last round is not made, so that first seats stay within two.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from importlib.util import find_spec
from typing import Final

from tournaments.duels.matches import DutchRound, PastRound
from tournaments.errors import EventRuleError
from tournaments.tables.field import Pair

PY4SWISS_INSTALLED: Final = find_spec("py4swiss") is not None
"""Not every machine has a wheel of it. Loading it takes as long as loading the whole engine, so only a pairing does."""
EDITION: Final = "C.04.3, in force until 31 January 2026"


def dutch(
    order: Sequence[int],
    pasts: Mapping[int, Sequence[PastRound]],
    active: frozenset[int],
    *,
    bye: Fraction,
    seed_begins: bool,
    apart: Iterable[Pair] = (),
) -> DutchRound | None:
    """Return the next round in initial order, or None if there is no legal one; ``apart`` may not meet.

    Raises EventRuleError where py4swiss is not installed.
    """
    if not PY4SWISS_INSTALLED:
        raise EventRuleError("no-dutch-pairing", package="py4swiss")
    from tournaments.duels import fide  # noqa: PLC0415 - takes long to load, and is not there everywhere

    return fide.pair_round(order, pasts, active, bye=bye, seed_begins=seed_begins, apart=apart)
