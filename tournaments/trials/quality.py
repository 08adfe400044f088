"""How well formats rank: many simulated events among players whose strengths are known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import mean

from tournaments.progress import standings
from tournaments.trials.simulation import Simulation, Weather, simulated


@dataclass(frozen=True, slots=True)
class Quality:
    """What came out for one format and field."""

    name: str
    players: int
    best_first: float
    """In which share of events the strongest player came first."""
    best_in_four: float
    """In which share among the first four."""
    correlation: float
    """Spearman's rank correlation of strengths and final ranks, on average."""
    games: float
    """Games a player, on average."""
    weeks: float
    """The length of an event, on average."""


def quality(name: str, players: int, events: int, weather: Weather) -> Quality:
    """Simulate so many events of a format."""
    found = [_looked_at(simulated(name, players, f"quality {number}", weather)) for number in range(events)]
    ranks = [each[0] for each in found]
    return Quality(
        name,
        players,
        mean(rank == 1 for rank in ranks),
        mean(rank <= 4 for rank in ranks),
        *(mean(each[value] for each in found) for value in (1, 2, 3)),
    )


def _looked_at(simulation: Simulation) -> tuple[int, float, float, float]:
    """The rank of the strongest, the correlation, games a player and weeks of one event."""
    event, strengths = simulation.event, simulation.strengths
    ranks = {line.player: line.rank for line in standings(event)}
    order = sorted(ranks, key=lambda player: -strengths[player])
    seats = sum(len(table.seats) for state in event.stages for drawn in state.rounds for table in drawn.tables)
    correlation = rank_correlation([ranks[player] for player in order])
    return ranks[order[0]], correlation, seats / len(order), float(simulation.total_weeks)


def rank_correlation(ranks: Sequence[int]) -> float:
    """Spearman's, of ranks without ties given in the order of true strength."""
    count = len(ranks)
    apart = sum((rank - true) ** 2 for true, rank in enumerate(ranks, 1))
    return 1 - 6 * apart / (count * (count * count - 1))
