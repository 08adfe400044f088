"""Swiss rounds of duels, or of teams: the Dutch system."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import combinations

from tournaments.chance import random_source
from tournaments.duels.dutch import dutch
from tournaments.duels.matches import DutchRound, PastRound, initial_games, matches
from tournaments.facts import RoundDrawn, StageEnded
from tournaments.ranking import AccountSheet, Line, rank_players
from tournaments.stages.base import NO_LEGAL_ROUND, TOO_FEW, next_round_drawn, parties_kept_apart, stage_ended
from tournaments.states import RoundState, StageContext
from tournaments.tables.field import Pair

PARTIES_MEET = "parties-meet"


class Swiss:
    """Swiss rounds: as many as planned, while a legal one exists."""

    def rounds(self, context: StageContext) -> int:
        """Return the planned number of rounds."""
        return context.state.plan.rounds

    def draw(self, context: StageContext) -> RoundDrawn | StageEnded:
        """Return the next round; without a legal one the stage ends."""
        state = context.state
        if len(context.active) < 2:
            return stage_ended(context, TOO_FEW)
        apart = list(_same_party_pairs(context)) if parties_kept_apart(context) else []
        found = _pair_round(context, apart)
        reasons = []
        if found is None and apart:
            found = _pair_round(context, [])
            reasons = [PARTIES_MEET]
        if found is None:
            return stage_ended(context, NO_LEGAL_ROUND)
        tables = [
            table
            for number, players in enumerate(found.pairs, 1)
            for table in initial_games(number, players, state.plan.best_of, state.plan.boards)
        ]
        return next_round_drawn(context, tables, () if found.bye is None else (found.bye,), reasons=reasons)

    def ranking(self, context: StageContext) -> list[Line]:
        """Rank by the tie-breaks of the plan."""
        return rank_players(AccountSheet.of(context), context.state.entrants, context.state.plan.tie_breaks)


def _pair_round(context: StageContext, apart: Iterable[Pair]) -> DutchRound | None:
    state = context.state
    return dutch(
        state.entrants,
        past_rounds(context),
        frozenset(context.active),
        bye=Fraction(1) if context.parameters.bye == "win" else Fraction(1, 2),
        seed_begins=random_source(context.seed, state.number, "begins").random() < 0.5,
        apart=apart,
    )


def _same_party_pairs(context: StageContext) -> Iterator[Pair]:
    """Return the pairs of players of the same server or team."""
    for one, other in combinations(context.state.entrants, 2):
        party = context.entries[one].party
        if party and party == context.entries[other].party:
            yield one, other


def past_rounds(context: StageContext) -> dict[int, list[PastRound]]:
    """Return the past rounds of each player, as input of the pairing."""
    found: dict[int, list[PastRound]] = {player: [] for player in context.state.entrants}
    for number, each in enumerate(context.state.rounds, 1):
        for player, past in _past_round(context, each).items():
            found[player].append(past)
        for player, known in found.items():
            if len(known) < number:
                known.append(PastRound(bye=player in each.byes))
    return found


def _past_round(context: StageContext, each: RoundState) -> dict[int, PastRound]:
    begun = {table.match: table.seats for table in reversed(each.tables)}
    points = {
        player: match.points[side]
        for match in matches(each, context.state.plan)
        for side, player in enumerate(match.players)
    }
    found: dict[int, PastRound] = {}
    for one, other in begun.values():
        found[one] = PastRound(other, first=True, points=points.get(one, Fraction(0)))
        found[other] = PastRound(one, first=False, points=points.get(other, Fraction(0)))
    return found
