"""The Swiss system for duels and team matches: in each round players with equal points meet, and no two meet twice.

Rounds are paired by the Dutch System, the rules of the chess federation FIDE. If parties (servers or teams) are to be
kept apart, but no legal round does so, the round is paired without regard to parties. If no legal round is left at all,
the stage ends.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from itertools import combinations
from typing import Final

from tournaments.chance import random_source
from tournaments.duels.dutch import dutch
from tournaments.duels.matches import DutchRound, PastRound, initial_games, matches
from tournaments.facts import RoundDrawn, StageEnded
from tournaments.ranking import ZERO, AccountSheet, Line, rank_players
from tournaments.specification import COMPUTERS
from tournaments.stages.base import NO_LEGAL_ROUND, TOO_FEW, next_round_drawn, parties_kept_apart, stage_ended
from tournaments.states import RoundState, StageContext
from tournaments.tables.field import Pair

PARTIES_MEET = "parties-meet"
"""Code of a round in which members of a party meet, since no legal round keeps them apart."""
COMPUTERS_MEET = "computers-meet"
"""The same code where computers are among these members."""


class Swiss:
    """A Swiss system with the planned number of rounds, or fewer if no further round is legal."""

    def rounds(self, context: StageContext) -> int:
        """Return the planned number of rounds."""
        return context.state.plan.rounds

    def draw(self, context: StageContext) -> RoundDrawn | StageEnded:
        """Return the next round; the stage ends if none is legal."""
        state = context.state
        if len(context.active) < 2:
            return stage_ended(context, TOO_FEW)
        parties = parties_kept_apart(context)
        apart = list(_same_party_pairs(parties))
        paired = _pair_round(context, apart)
        reasons = []
        if paired is None and apart:
            paired = _pair_round(context, [])
            computers = any(parties[first] == COMPUTERS for first, _ in apart)
            reasons = [COMPUTERS_MEET if computers else PARTIES_MEET]
        if paired is None:
            return stage_ended(context, NO_LEGAL_ROUND)
        tables = [
            table
            for number, players in enumerate(paired.pairs, 1)
            for table in initial_games(number, players, state.plan.best_of, state.plan.boards)
        ]
        return next_round_drawn(context, tables, () if paired.bye is None else (paired.bye,), reasons=reasons)

    def ranking(self, context: StageContext) -> list[Line]:
        """Rank by the tie-breaks of the plan."""
        return rank_players(AccountSheet.of(context), context.state.entrants, context.state.plan.tie_breaks)


def _pair_round(context: StageContext, apart: Iterable[Pair]) -> DutchRound | None:
    """Pair the next round, in which the pairs in ``apart`` must not meet; return None if no round is legal."""
    state = context.state
    return dutch(
        state.entrants,
        past_rounds(context),
        frozenset(context.active),
        bye=Fraction(1) if context.parameters.bye == "win" else Fraction(1, 2),
        seed_begins=random_source(context.seed, state.number, "begins").random() < 0.5,
        apart=apart,
        virtual_points=virtual_points(context),
    )


ONE_POINT: Final = Fraction(1)


def virtual_points(context: StageContext) -> dict[int, list[Fraction]]:
    """Return the points that count for pairing alone, by player for all rounds up to the next (FIDE's C.04.5.1).

    The better half of those who began the stage, rounded up to an even number, has one point in the first half of the
    accelerated rounds, and half a point in the rest of them. The first half of all rounds is accelerated. Both halves
    of rounds are rounded up. Late entrants have none.
    """
    state = context.state
    if not state.plan.accelerated:
        return {}
    beginners = [player for player in state.entrants if player not in state.joined]
    accelerated = -(-state.plan.rounds // 2)
    whole = -(-accelerated // 2)
    points = [ONE_POINT] * whole + [ONE_POINT / 2] * (accelerated - whole)
    until_next = (points + [ZERO] * context.next_round)[: context.next_round]
    return {player: list(until_next) for player in beginners[: 2 * -(-len(beginners) // 4)]}


def _same_party_pairs(parties: Mapping[int, str]) -> Iterator[Pair]:
    """Yield the pairs of players of the same party."""
    return (pair for pair in combinations(parties, 2) if parties[pair[0]] == parties[pair[1]])


def past_rounds(context: StageContext) -> dict[int, list[PastRound]]:
    """Return the past rounds of each player, as input of the pairing."""
    rounds_of_player: dict[int, list[PastRound]] = {player: [] for player in context.state.entrants}
    for number, drawn in enumerate(context.state.rounds, 1):
        for player, past in _past_round(context, drawn).items():
            rounds_of_player[player].append(past)
        for player, player_rounds in rounds_of_player.items():
            if len(player_rounds) < number:
                player_rounds.append(PastRound(bye=player in drawn.byes))
    return rounds_of_player


def _past_round(context: StageContext, drawn: RoundState) -> dict[int, PastRound]:
    """Return a past round from the view of each player who had an opponent."""
    first_seats_of_match = {table.match: table.seats for table in reversed(drawn.tables)}
    points = {
        player: match.points[side]
        for match in matches(drawn, context.state.plan)
        for side, player in enumerate(match.players)
    }
    past_round_of: dict[int, PastRound] = {}
    for first, second in first_seats_of_match.values():
        past_round_of[first] = PastRound(second, first=True, points=points.get(first, Fraction(0)))
        past_round_of[second] = PastRound(first, first=False, points=points.get(second, Fraction(0)))
    return past_round_of
