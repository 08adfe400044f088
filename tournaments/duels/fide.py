"""An adapter to py4swiss, which implements the Dutch System, the rules of the chess federation FIDE for Swiss pairing.

py4swiss works on TRF, FIDE's tournament report file, which has a section for each player and an X section with settings
beyond the standard. :func:`pair_round` builds these sections and translates the pairs back. In a report players are
numbered from 1, and the player in the first seat has White.
"""

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
"""A number of rounds that is never reached, so that FIDE's exception for the last round never applies."""


def pair_round(
    order: Sequence[int],
    pasts: Mapping[int, Sequence[PastRound]],
    active: frozenset[int],
    *,
    bye: Fraction,
    seed_begins: bool,
    apart: Iterable[Pair],
    virtual_points: Mapping[int, Sequence[Fraction]],
) -> DutchRound | None:
    """Return the next round of players in their initial order, or None if there is no legal one."""
    numbers = {player: number for number, player in enumerate(order, 1)}
    sections = [_section(numbers, player, pasts[player], bye) for player in order]
    absent = {numbers[player] for player in order if player not in active}
    extension = XSection(
        number_of_rounds=UNREACHED_ROUND_COUNT,
        zeroed_ids=absent,
        configuration=XSectionConfiguration(first_round_color=seed_begins),
        forbidden_pairs={
            ordered_pair for first, second in apart for ordered_pair in _both_orders(numbers[first], numbers[second])
        },
        accelerations={
            numbers[player]: [int(points * 10) for points in by_round] for player, by_round in virtual_points.items()
        },
    )
    if bye != 1:  # py4swiss counts in tenths of a point, and a bye as a win by default
        extension.scoring_point_system.score_dict[ResultToken.PAIRING_ALLOCATED_BYE, ColorToken.BYE_OR_NOT_PAIRED] = (
            int(bye * 10)
        )
    try:
        pairings = DutchEngine.generate_pairings(ParsedTrf(player_sections=sections, x_section=extension))
    except PairingError:
        return None
    pairs = tuple((order[pairing.white - 1], order[pairing.black - 1]) for pairing in pairings if pairing.black)
    without_opponent = [order[pairing.white - 1] for pairing in pairings if not pairing.black]
    return DutchRound(pairs, without_opponent[0] if without_opponent else None)


def _both_orders(first: int, second: int) -> tuple[Pair, Pair]:
    return (first, second), (second, first)


def _section(numbers: Mapping[int, int], player: int, past: Sequence[PastRound], bye: Fraction) -> PlayerSection:
    """Return the section of a player in the report: number, points and past rounds."""
    points = sum((bye if past_round.bye else past_round.points for past_round in past), Fraction(0))
    return PlayerSection(
        code=PlayerCode.PLAYER,
        starting_number=numbers[player],
        points_times_ten=int(points * 10),
        rank=numbers[player],
        results=[_result(numbers, past_round) for past_round in past],
    )


def _result(numbers: Mapping[int, int], past: PastRound) -> RoundResult:
    """Return a past round as the report has it; results are those of chess, a point for a win and half for a draw."""
    if past.bye or past.opponent < 0:
        token = ResultToken.PAIRING_ALLOCATED_BYE if past.bye else ResultToken.ZERO_POINT_BYE
        return RoundResult(id=0, color=ColorToken.BYE_OR_NOT_PAIRED, result=token)
    token = (ResultToken.LOSS, ResultToken.DRAW, ResultToken.WIN)[int(past.points * 2)]
    color = ColorToken.WHITE if past.first else ColorToken.BLACK
    return RoundResult(id=numbers[past.opponent], color=color, result=token)
