"""Swiss pairing of duels: FIDE's (Dutch) System as in force until 31 January 2026, worked out by py4swiss 0.3.1.

First seats are its colours. Every game that was opened counts as played: its players never meet again, and its seats
count. The exception for the top scorers of the last round is not made, so that first seats stay within two.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from importlib.util import find_spec
from typing import Final

from tournaments.errors import RefusedError
from tournaments.tables.sitters import Pair

AVAILABLE: Final = find_spec("py4swiss") is not None
"""There is no wheel of it for every machine."""
if AVAILABLE:
    from py4swiss.engines import DutchEngine
    from py4swiss.engines.common import PairingError
    from py4swiss.trf import ParsedTrf
    from py4swiss.trf.codes import PlayerCode
    from py4swiss.trf.results import ColorToken, ResultToken, RoundResult
    from py4swiss.trf.sections import PlayerSection, XSection
    from py4swiss.trf.sections.x_section import XSectionConfiguration

EDITION: Final = "C.04.3, in force until 31 January 2026"
NEVER_LAST: Final = 1000
"""A number of rounds that is never reached: no round is the last one with its exception."""


@dataclass(frozen=True, slots=True)
class Past:
    """One round of one player: an opponent, whether the player began, and the points; a bye, or not there."""

    opponent: int = -1
    first: bool = False
    points: Fraction = Fraction(0)
    bye: bool = False


@dataclass(frozen=True, slots=True)
class DutchRound:
    """The pairs in the order of their tables, who begins first, and who has the bye."""

    pairs: tuple[tuple[int, int], ...]
    bye: int | None


def dutch(
    order: Sequence[int],
    pasts: Mapping[int, Sequence[Past]],
    active: frozenset[int],
    *,
    bye: Fraction,
    seed_begins: bool,
    apart: Iterable[Pair] = (),
) -> DutchRound | None:
    """The next round of players in their initial order; None where no legal round is left. ``apart`` may not meet.

    Raises RefusedError where py4swiss is not installed.
    """
    if not AVAILABLE:
        raise RefusedError("no-dutch-pairing", package="py4swiss")
    numbers = {player: number for number, player in enumerate(order, 1)}
    sections = [_section(numbers, player, pasts[player], bye) for player in order]
    away = {numbers[player] for player in order if player not in active}
    extra = XSection(
        number_of_rounds=NEVER_LAST,
        zeroed_ids=away,
        configuration=XSectionConfiguration(first_round_color=seed_begins),
        forbidden_pairs={two for one, other in apart for two in _both(numbers[one], numbers[other])},
    )
    if bye != 1:
        extra.scoring_point_system.score_dict[ResultToken.PAIRING_ALLOCATED_BYE, ColorToken.BYE_OR_NOT_PAIRED] = int(
            bye * 10
        )
    try:
        pairings = DutchEngine.generate_pairings(ParsedTrf(player_sections=sections, x_section=extra))
    except PairingError:
        return None
    pairs = tuple((order[each.white - 1], order[each.black - 1]) for each in pairings if each.black)
    rests = [order[each.white - 1] for each in pairings if not each.black]
    return DutchRound(pairs, rests[0] if rests else None)


def _both(one: int, other: int) -> tuple[Pair, Pair]:
    return (one, other), (other, one)


def _section(numbers: Mapping[int, int], player: int, past: Sequence[Past], bye: Fraction) -> PlayerSection:
    points = sum((bye if each.bye else each.points for each in past), Fraction(0))
    return PlayerSection(
        code=PlayerCode.PLAYER,
        starting_number=numbers[player],
        points_times_ten=int(points * 10),
        rank=numbers[player],
        results=[_result(numbers, each) for each in past],
    )


def _result(numbers: Mapping[int, int], past: Past) -> RoundResult:
    if past.bye or past.opponent < 0:
        token = ResultToken.PAIRING_ALLOCATED_BYE if past.bye else ResultToken.ZERO_POINT_BYE
        return RoundResult(id=0, color=ColorToken.BYE_OR_NOT_PAIRED, result=token)
    token = (ResultToken.LOSS, ResultToken.DRAW, ResultToken.WIN)[int(past.points * 2)]
    color = ColorToken.WHITE if past.first else ColorToken.BLACK
    return RoundResult(id=numbers[past.opponent], color=color, result=token)
