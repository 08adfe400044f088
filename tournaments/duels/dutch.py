"""Swiss pairing of duels by the Dutch System of the chess federation FIDE, computed by the package py4swiss.

The rules are those in force until 31 January 2026, which py4swiss 0.3.1 implements. The player in the first seat, who
begins, has White. Every game that was opened counts as played, for repeats and for seats. FIDE's exception for top
scorers in the last round is left out, so that nobody begins more than two games too many or too few.
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
"""True if py4swiss can be imported; it has no wheel for some platforms."""
EDITION: Final = "C.04.3, in force until 31 January 2026"
"""The section and edition of the FIDE Handbook that is applied."""


def dutch(
    order: Sequence[int],
    pasts: Mapping[int, Sequence[PastRound]],
    active: frozenset[int],
    *,
    bye: Fraction,
    seed_begins: bool,
    apart: Iterable[Pair] = (),
    virtual_points: Mapping[int, Sequence[Fraction]] | None = None,
) -> DutchRound | None:
    """Return the next round, or None if there is no legal one.

    ``order`` holds the players by initial rank, ``pasts`` their past rounds, ``active`` those to be paired, ``bye`` the
    points for a bye, and ``apart`` the pairs that must not meet. With ``seed_begins`` the best player begins round 1.
    ``virtual_points`` are added to a player's points in each round up to the next one, for the pairing alone.

    Raises:
        EventRuleError: ``no-dutch-pairing``, if py4swiss is not installed.
    """
    if not PY4SWISS_INSTALLED:
        raise EventRuleError("no-dutch-pairing", package="py4swiss")
    from tournaments.duels import fide  # noqa: PLC0415 - slow to load, and optional

    return fide.pair_round(
        order, pasts, active, bye=bye, seed_begins=seed_begins, apart=apart, virtual_points=virtual_points or {}
    )
