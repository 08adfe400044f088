"""The Dutch System by py4swiss: translates players into its terms, and its pairs into ours."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Final

from py4swiss.engines import DutchEngine
from py4swiss.engines.common import PairingError
from py4swiss.trf import ParsedTrf
from py4swiss.trf.codes import PlayerCode
from py4swiss.trf.results import ColorToken, ResultToken, RoundResult
from py4swiss.trf.sections import PlayerSection, XSection
from py4swiss.trf.sections.x_section import XSectionConfiguration

from tournaments.duels.matches import DutchRound, PastRound
from tournaments.tables.field import Pair

UNREACHED_ROUND_COUNT: Final = 1000
"""A number of rounds that is never reached, so that the last round's exception is never made."""


def pair_round(
    order: Sequence[int],
    pasts: Mapping[int, Sequence[PastRound]],
    active: frozenset[int],
    *,
    bye: Fraction,
    seed_begins: bool,
    apart: Iterable[Pair],
) -> DutchRound | None:
    """Return the next round of players in their initial order, or None if there is no legal one."""
    numbers = {player: number for number, player in enumerate(order, 1)}
    sections = [_section(numbers, player, pasts[player], bye) for player in order]
    away = {numbers[player] for player in order if player not in active}
    extra = XSection(
        number_of_rounds=UNREACHED_ROUND_COUNT,
        zeroed_ids=away,
        configuration=XSectionConfiguration(first_round_color=seed_begins),
        forbidden_pairs={two for one, other in apart for two in _both_orders(numbers[one], numbers[other])},
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


def _both_orders(one: int, other: int) -> tuple[Pair, Pair]:
    return (one, other), (other, one)


def _section(numbers: Mapping[int, int], player: int, past: Sequence[PastRound], bye: Fraction) -> PlayerSection:
    points = sum((bye if each.bye else each.points for each in past), Fraction(0))
    return PlayerSection(
        code=PlayerCode.PLAYER,
        starting_number=numbers[player],
        points_times_ten=int(points * 10),
        rank=numbers[player],
        results=[_result(numbers, each) for each in past],
    )


def _result(numbers: Mapping[int, int], past: PastRound) -> RoundResult:
    if past.bye or past.opponent < 0:
        token = ResultToken.PAIRING_ALLOCATED_BYE if past.bye else ResultToken.ZERO_POINT_BYE
        return RoundResult(id=0, color=ColorToken.BYE_OR_NOT_PAIRED, result=token)
    token = (ResultToken.LOSS, ResultToken.DRAW, ResultToken.WIN)[int(past.points * 2)]
    color = ColorToken.WHITE if past.first else ColorToken.BLACK
    return RoundResult(id=numbers[past.opponent], color=color, result=token)
