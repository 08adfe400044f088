"""An independent check of the absolute criteria of FIDE's Dutch pairing system (C.04.3, until 31 January 2026).

A player who begins has the first seat. C.1: no two players meet twice. C.2: no player has a second bye. C.3: two
players who need the same seat do not meet. It follows that no player has begun three games more than not begun, or the
reverse, nor had the same seat three times running.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tournaments.duels.dutch import DutchRound, PastRound


def criteria_violations(
    drawn: DutchRound, pasts: Mapping[int, Sequence[PastRound]], active: frozenset[int]
) -> list[str]:
    """Return the violations of the criteria in a round, as texts."""
    violations = []
    paired = [player for two in drawn.pairs for player in two] + ([] if drawn.bye is None else [drawn.bye])
    if sorted(paired) != sorted(active):
        violations.append("not all players are paired once")
    if drawn.bye is not None and any(past.bye for past in pasts[drawn.bye]):
        violations.append(f"C.2: {drawn.bye} rests again")
    for first_player, second_player in drawn.pairs:
        if have_met(pasts, first_player, second_player):
            violations.append(f"C.1: {first_player} and {second_player} meet again")
        if required_seat(pasts[first_player]) * required_seat(pasts[second_player]) == 1:
            violations.append(f"C.3: {first_player} and {second_player} both need the same seat")
        for player, first in ((first_player, True), (second_player, False)):
            seats = [*seats_of(pasts[player]), first]
            if abs(2 * sum(seats) - len(seats)) > 2:
                violations.append(f"seats of {player} are three apart")
            if len(seats) > 2 and len(set(seats[-3:])) == 1:
                violations.append(f"{player} has the same seat three times")
    return violations


def legal_round(pasts: Mapping[int, Sequence[PastRound]], active: Sequence[int]) -> bool:
    """Return whether any pairing meets the criteria, by trying all of them."""
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
        if not have_met(pasts, first, other) and required_seat(pasts[first]) * required_seat(pasts[other]) != 1
    )


def have_met(pasts: Mapping[int, Sequence[PastRound]], first_player: int, second_player: int) -> bool:
    """Return whether two players have met."""
    return any(past.opponent == second_player for past in pasts[first_player])


def seats_of(past: Sequence[PastRound]) -> list[bool]:
    """Return, for each game of a player, whether they began."""
    return [game.first for game in past if game.opponent >= 0]


def required_seat(past: Sequence[PastRound]) -> int:
    """Return 1 for a player who must begin, -1 for one who must not, 0 for one who may do either (A.6 a)."""
    seats = seats_of(past)
    balance = 2 * sum(seats) - len(seats)
    if abs(balance) > 1:
        return -1 if balance > 0 else 1
    if len(seats) > 1 and seats[-1] == seats[-2]:
        return -1 if seats[-1] else 1
    return 0
