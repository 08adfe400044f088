"""Invariants of a finished event, checked on its lines: seats, byes, repeats, standings, weeks."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, pairwise
from typing import Any

from tournaments.cli import simulation_lines
from tournaments.event import stage_ranking
from tournaments.formats import FORMATS
from tournaments.ranking import explain
from tournaments.tables.pairing import MAX_EXACT_PLAYERS
from tournaments.trials import Simulation, TrialConditions, simulated

ROUGH_CONDITIONS = TrialConditions(dropouts=0.15, late=3, timeouts=0.03)
Lines = list[dict[str, Any]]


def lines(
    name: str, players: int, seed: str, conditions: TrialConditions = ROUGH_CONDITIONS
) -> tuple[Simulation, Lines]:
    simulation = simulated(name, players, seed, conditions)
    return simulation, list(simulation_lines(simulation))


def check(name: str, players: int, seed: str, conditions: TrialConditions = ROUGH_CONDITIONS) -> None:
    simulation, printed = lines(name, players, seed, conditions)
    assert simulation.event.finished
    *rounds, last = printed
    promised = FORMATS[name].invariants
    stages: dict[str, Lines] = {}
    for each in rounds:
        stages.setdefault(each["stage"], []).append(each)
    check_nobody_is_forgotten(simulation)
    check_leavers(simulation)
    for stage, found in stages.items():
        assert [each["round"] for each in found] == list(range(1, len(found) + 1))
        for each in found:
            check_round(each)
        if "one-match-a-round" in promised and stage not in ("final", "semi-finals"):
            assert all(once(each) for each in found)
        if stage in ("final", "semi-finals"):
            check_final(found[0])
    check_promises(name, stages)
    ranks = [line["rank"] for line in last["standings"]]
    assert ranks == list(range(1, len(simulation.event.entries) + 1))
    assert sorted(line["player"] for line in last["standings"]) == list(range(len(ranks)))
    assert last["weeks"] <= last["promised"]


def check_round(each: dict[str, Any]) -> None:
    for table in each["tables"]:
        assert len(set(table["seats"])) == len(table["seats"]) == len(table["points"])
    seated = {player for table in each["tables"] for player in table["seats"]}
    assert not seated & set(each["byes"])
    assert each["active"] == len(seated | set(each["byes"]))


def check_nobody_is_forgotten(simulation: Simulation) -> None:
    """Entrants of a stage who have not left play or rest in each of its rounds; knock-outs leave the beaten out."""
    for state in simulation.event.stages:
        for each in state.rounds if state.plan.kind not in ("knockout", "double") else ():
            playing = {player for table in each.tables for player in table.seats}
            assert set(each.active) <= playing | set(each.byes) | set(each.resting)


def check_leavers(simulation: Simulation) -> None:
    """Nobody who left is before the next one, who stayed, only by the seed or the lot."""
    event = simulation.event
    for state in event.stages:
        ranking = stage_ranking(event, state)
        for one, other in pairwise(ranking):
            if one.player in event.gone and other.player not in event.gone:
                assert explain(ranking, one.player, other.player).name not in ("seed", "lot")


def once(each: dict[str, Any]) -> bool:
    """Return whether everybody plays one match or rests."""
    matches = {(table["match"], player) for table in each["tables"] for player in table["seats"]}
    return max(Counter(player for _, player in matches).values(), default=1) == 1


def check_final(each: dict[str, Any]) -> None:
    """At each of its tables everybody sits in each seat once."""
    games: dict[int, list[list[int]]] = {}
    for table in each["tables"]:
        games.setdefault(table["match"], []).append(table["seats"])
    for seats in games.values():
        for column in zip(*seats, strict=True):
            assert sorted(column) == sorted(seats[0])


def check_promises(name: str, stages: dict[str, Lines]) -> None:
    promised = FORMATS[name].invariants
    first = next(iter(stages.values()))
    if "no-rematch" in promised:
        assert all(each["repeats"] == 0 for each in first)
    if "no-avoidable-repeat" in promised:
        for each in first:
            proved = "unavoidable" if each["active"] <= MAX_EXACT_PLAYERS else "no-better-found"
            assert not each["repeats"] or f"repeats-{proved}" in each["reasons"]
    if "no-byes" in promised:
        assert not any(each["byes"] for each in first)
    if "one-bye-each" in promised:
        assert max(Counter(player for each in first for player in each["byes"]).values(), default=0) <= 1
    if "first-seats-within-two" in promised:
        assert all(abs(each) <= 2 for each in balances(first).values())
    if "first-seats-within-one-or-reason" in promised:
        check_first_seats(first)
    if "each-seat-once" in promised:
        for player, seats in seats_of(first).items():
            assert max(seats.values()) == 1, player


def balances(rounds: Lines) -> Counter[int]:
    found: Counter[int] = Counter()
    for one, other in (table["seats"] for each in rounds for table in each["tables"]):
        found[one] += 1
        found[other] -= 1
    return found


def seats_of(rounds: Lines) -> dict[int, Counter[int]]:
    found: dict[int, Counter[int]] = {}
    for table in (table for each in rounds for table in each["tables"]):
        for seat, player in enumerate(table["seats"]):
            found.setdefault(player, Counter())[seat] += 1
    return found


def check_first_seats(rounds: Lines) -> None:
    for number, each in enumerate(rounds, 1):
        seats = seats_of(rounds[:number])
        there = {player for table in each["tables"] for player in table["seats"]}
        by_games: dict[int, list[int]] = {}
        for player in there:
            by_games.setdefault(seats[player].total(), []).append(seats[player][0])
        uneven = any(max(firsts) - min(firsts) > 1 for firsts in by_games.values())
        assert not uneven or "first-seats-uneven" in each["reasons"]


def repeated_pairs(rounds: Lines) -> int:
    met: set[tuple[int, ...]] = set()
    repeats = 0
    for each in rounds:
        pairs = {two for table in each["tables"] for two in combinations(sorted(table["seats"]), 2)}
        repeats += len(pairs & met)
        met |= pairs
    return repeats
