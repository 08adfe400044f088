"""Invariants of simulated events: seats, byes, repeated pairs, standings and length.

They are checked on the lines that ``python -m tournaments simulate --json`` prints: one for each round, and the result.
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations, pairwise
from typing import Any

from tournaments.cli import simulation_lines
from tournaments.event import EventFold, stage_ranking
from tournaments.formats import FORMATS
from tournaments.ranking import explain
from tournaments.states import ELIMINATIONS, SEASON
from tournaments.tables.pairing import MAX_EXACT_PLAYERS
from tournaments.trials import Simulation, TrialConditions, simulate_format

ROUGH_CONDITIONS = TrialConditions(dropouts=0.15, late=3, timeouts=0.03)
"""Conditions with leaving and late players and with missed deadlines."""
RoundLines = list[dict[str, Any]]
"""The printed lines of the rounds, parsed from JSON."""


def simulate_lines(
    name: str, players: int, seed: str, conditions: TrialConditions = ROUGH_CONDITIONS
) -> tuple[Simulation, RoundLines]:
    """Simulate an event; return it with the lines printed for it."""
    simulation = simulate_format(name, players, seed, conditions)
    return simulation, list(simulation_lines(simulation))


def check_event(name: str, players: int, seed: str, conditions: TrialConditions = ROUGH_CONDITIONS) -> None:
    """Simulate an event; check the general invariants and those that its format promises."""
    simulation, printed = simulate_lines(name, players, seed, conditions)
    assert simulation.event.finished
    *rounds, last = printed
    promised = FORMATS[name].invariants
    stages: dict[str, RoundLines] = {}
    for drawn_round in rounds:
        stages.setdefault(drawn_round["stage"], []).append(drawn_round)
    check_all_play_or_rest(simulation)
    check_leavers(simulation)
    for stage, lines_of_stage in stages.items():
        assert [drawn_round["round"] for drawn_round in lines_of_stage] == list(range(1, len(lines_of_stage) + 1))
        for drawn_round in lines_of_stage:
            check_round(drawn_round)
        if "one-match-a-round" in promised and stage not in ("final", "semi-finals"):
            assert all(one_match_each(drawn_round) for drawn_round in lines_of_stage)
        if stage in ("final", "semi-finals"):
            check_final(lines_of_stage[0])
    if "best-of-each-group-advance" in promised:
        check_group_quota(simulation.event)
    if "late-entrants-meet-their-group" in promised:
        check_late_entrants(simulation.event)
    if "match-length-by-round" in promised:
        check_match_lengths(simulation.event)
    if "opponents-of-same-division" in promised:
        check_season_games(simulation.event)
    check_promises(name, stages)
    ranks = [line["rank"] for line in last["standings"]]
    assert ranks == list(range(1, len(simulation.event.entries) + 1))
    assert sorted(line["player"] for line in last["standings"]) == list(range(len(ranks)))
    assert last["weeks"] <= last["promised"]


def check_group_quota(event: EventFold) -> None:
    """Check that as many of each group play the next stage as were announced, or all who stayed."""
    groups, following = event.stages[0], event.stages[1]
    for pool in groups.pools():
        through = [player for player in pool if player in following.entrants]
        assert len(through) <= groups.plan.advance
        assert len(through) == groups.plan.advance or event.gone >= set(pool) - set(through)


def check_late_entrants(event: EventFold) -> None:
    """Check that who entered a group late and stayed has one match with each of its players who stayed."""
    groups = event.stages[0]
    for player in groups.group_joined.keys() - event.gone:
        (pool,) = (pool for pool in groups.pools() if player in pool)
        matches = Counter(
            other
            for drawn in groups.rounds
            for other in {seat for table in drawn.tables if player in table.seats for seat in table.seats} - {player}
        )
        assert set(pool) - event.gone - {player} <= set(matches) <= set(pool)
        assert set(matches.values()) <= {1}


def check_match_lengths(event: EventFold) -> None:
    """Check that each match has as many games as its round allows; in the last rounds these may be more."""
    for state in event.stages:
        for drawn in state.rounds:
            playing = {*drawn.byes, *(player for table in drawn.tables for player in table.seats)}
            places = len(drawn.slots) if state.plan.kind == "knockout" else len(playing)
            is_last = state.plan.kind in {"knockout", "double"} and places <= state.plan.last_from
            longest = state.plan.last_best_of if state.plan.last_best_of and is_last else state.plan.best_of
            games = Counter((table.match, table.board) for table in drawn.tables)
            assert all(longest // 2 < number <= longest for number in games.values())


def check_season_games(event: EventFold) -> None:
    """Check that opponents are of the same division, and meet no more often than counts."""
    state = event.stages[0]
    division = {player: number for number, pool in enumerate(state.pools()) for player in pool}
    pairs = Counter(frozenset(table.seats) for table in state.rounds[0].tables)
    assert all(len({division[player] for player in pair}) == 1 and len(pair) == 2 for pair in pairs)
    assert max(pairs.values()) <= state.plan.meetings


def check_round(drawn_round: dict[str, Any]) -> None:
    """Check that a round seats every active player once, or gives them a bye."""
    for table in drawn_round["tables"]:
        assert len(set(table["seats"])) == len(table["seats"]) == len(table["points"])
    seated = {player for table in drawn_round["tables"] for player in table["seats"]}
    assert not seated & set(drawn_round["byes"])
    assert drawn_round["active"] == len(seated | set(drawn_round["byes"]))


def check_all_play_or_rest(simulation: Simulation) -> None:
    """Check that entrants who have not left play or rest in each round.

    Except those who are beaten in an elimination, or who find no opponent in a season of the ladder.
    """
    for state in simulation.event.stages:
        for drawn_round in state.rounds if state.plan.kind not in {*ELIMINATIONS, SEASON} else ():
            playing = {player for table in drawn_round.tables for player in table.seats}
            assert set(drawn_round.active) <= playing | set(drawn_round.byes) | set(drawn_round.resting)


def check_leavers(simulation: Simulation) -> None:
    """Check that no leaver ranks above a player who stayed by nothing but the seed or the lot."""
    event = simulation.event
    for state in event.stages:
        ranking = stage_ranking(event, state)
        for better, worse in pairwise(ranking):
            if better.player in event.gone and worse.player not in event.gone:
                assert explain(ranking, better.player, worse.player).name not in ("seed", "lot")


def one_match_each(drawn_round: dict[str, Any]) -> bool:
    """Return whether each player has one match at most."""
    matches = {(table["match"], player) for table in drawn_round["tables"] for player in table["seats"]}
    return max(Counter(player for _, player in matches).values(), default=1) == 1


def check_final(drawn_round: dict[str, Any]) -> None:
    """Check that every finalist has each seat once over the games of the final."""
    games: dict[int, list[list[int]]] = {}
    for table in drawn_round["tables"]:
        games.setdefault(table["match"], []).append(table["seats"])
    for seats in games.values():
        for column in zip(*seats, strict=True):
            assert sorted(column) == sorted(seats[0])


def check_promises(name: str, stages: dict[str, RoundLines]) -> None:
    """Check the invariants that the format promises for its first stage."""
    promised = FORMATS[name].invariants
    first = next(iter(stages.values()))
    if "no-rematch" in promised:
        assert all(drawn_round["repeats"] == 0 for drawn_round in first)
    if "no-avoidable-repeat" in promised:
        for drawn_round in first:
            proved = "unavoidable" if drawn_round["active"] <= MAX_EXACT_PLAYERS else "no-better-found"
            assert not drawn_round["repeats"] or f"repeats-{proved}" in drawn_round["reasons"]
    if "no-byes" in promised:
        assert not any(drawn_round["byes"] for drawn_round in first)
    if "one-bye-each" in promised:
        assert max(Counter(player for drawn_round in first for player in drawn_round["byes"]).values(), default=0) <= 1
    if "first-seats-within-two" in promised:
        assert all(abs(balance) <= 2 for balance in first_seat_balances(first).values())
    if "first-seats-within-one-or-reason" in promised:
        check_first_seats(first)
    if "each-seat-once" in promised:
        for player, seats in seats_of(first).items():
            assert max(seats.values()) == 1, player


def first_seat_balances(rounds: RoundLines) -> Counter[int]:
    """Count, for each player of a duel event, the games begun minus those not begun."""
    balances: Counter[int] = Counter()
    for first_player, second_player in (table["seats"] for drawn_round in rounds for table in drawn_round["tables"]):
        balances[first_player] += 1
        balances[second_player] -= 1
    return balances


def seats_of(rounds: RoundLines) -> dict[int, Counter[int]]:
    """Count how often each player had each seat."""
    seats_by_player: dict[int, Counter[int]] = {}
    for table in (table for drawn_round in rounds for table in drawn_round["tables"]):
        for seat, player in enumerate(table["seats"]):
            seats_by_player.setdefault(player, Counter())[seat] += 1
    return seats_by_player


def check_first_seats(rounds: RoundLines) -> None:
    """Check that players with as many games began as often, give or take one, or that the round states why not."""
    for number, drawn_round in enumerate(rounds, 1):
        seats = seats_of(rounds[:number])
        seated = {player for table in drawn_round["tables"] for player in table["seats"]}
        by_games: dict[int, list[int]] = {}
        for player in seated:
            by_games.setdefault(seats[player].total(), []).append(seats[player][0])
        uneven = any(max(firsts) - min(firsts) > 1 for firsts in by_games.values())
        assert not uneven or "first-seats-uneven" in drawn_round["reasons"]


def repeated_pairs(rounds: RoundLines) -> int:
    """Count the pairs at a table that had met before."""
    met: set[tuple[int, ...]] = set()
    repeats = 0
    for drawn_round in rounds:
        pairs = {pair for table in drawn_round["tables"] for pair in combinations(sorted(table["seats"]), 2)}
        repeats += len(pairs & met)
        met |= pairs
    return repeats
