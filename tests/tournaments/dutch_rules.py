"""The absolute criteria of the Dutch system (C.04.3, in force until 31 January 2026), checked without py4swiss.

C.1 nobody meets twice; C.2 nobody has a second bye; C.3 two who both must have the same seat do not meet. What follows
from them: nobody has begun three times more often than not, nor three times in a row the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tournaments.duels.dutch import DutchRound, PastRound


def broken(drawn: DutchRound, pasts: Mapping[int, Sequence[PastRound]], active: frozenset[int]) -> list[str]:
    """List the criteria that a round breaks."""
    found = []
    paired = [player for two in drawn.pairs for player in two] + ([] if drawn.bye is None else [drawn.bye])
    if sorted(paired) != sorted(active):
        found.append("somebody is not paired once")
    if drawn.bye is not None and any(past.bye for past in pasts[drawn.bye]):
        found.append(f"C.2: {drawn.bye} rests again")
    for one, other in drawn.pairs:
        if met(pasts, one, other):
            found.append(f"C.1: {one} and {other} meet again")
        if wants(pasts[one]) * wants(pasts[other]) == 1:
            found.append(f"C.3: {one} and {other} both need the same seat")
        for player, first in ((one, True), (other, False)):
            seats = [*seats_of(pasts[player]), first]
            if abs(2 * sum(seats) - len(seats)) > 2:
                found.append(f"seats of {player} are three apart")
            if len(seats) > 2 and len(set(seats[-3:])) == 1:
                found.append(f"{player} has the same seat three times")
    return found


def legal_round(pasts: Mapping[int, Sequence[PastRound]], active: Sequence[int]) -> bool:
    """Return whether any round keeps to the criteria, by trying all."""
    if not active:
        return True
    first, *rest = active
    if len(active) % 2:
        return any(
            legal_round(pasts, [player for player in active if player != resting])
            for resting in active
            if not any(past.bye for past in pasts[resting])
        )
    return any(
        legal_round(pasts, [player for player in rest if player != other])
        for other in rest
        if not met(pasts, first, other) and wants(pasts[first]) * wants(pasts[other]) != 1
    )


def met(pasts: Mapping[int, Sequence[PastRound]], one: int, other: int) -> bool:
    """Return whether two players have met."""
    return any(past.opponent == other for past in pasts[one])


def seats_of(past: Sequence[PastRound]) -> list[bool]:
    """Return for each game of a player whether they began."""
    return [each.first for each in past if each.opponent >= 0]


def wants(past: Sequence[PastRound]) -> int:
    """1 for who must begin, -1 for who must not, 0 for who may do either (A.6 a)."""
    seats = seats_of(past)
    balance = 2 * sum(seats) - len(seats)
    if abs(balance) > 1:
        return -1 if balance > 0 else 1
    if len(seats) > 1 and seats[-1] == seats[-2]:
        return -1 if seats[-1] else 1
    return 0
