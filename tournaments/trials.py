"""Simulation of events with random strengths, delays, dropouts, late entries and timeouts.

A simulation drives an event as the bot does: it adds the facts that are due, such as the next round, plays the games
that are open, and repeats both until the event is finished. The games that are open at one time are a *wave*. Many
simulations with players of known strength show how well a format ranks them (:func:`measure_quality`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from random import Random
from statistics import mean
from typing import Final

from tournaments.chance import random_source
from tournaments.errors import EventRuleError
from tournaments.event import EventFold, advance, standings
from tournaments.facts import (
    Correction,
    DrawnTable,
    Fact,
    LateEntry,
    Rejoined,
    Result,
    RoundDrawn,
    SeasonGame,
    StageEnded,
    Withdrawal,
)
from tournaments.points import Outcome
from tournaments.specification import Entry, Parameters, Specification
from tournaments.stages.base import PLAYED
from tournaments.stages.season import CLOSING_WEEKS, reason_not_to_count
from tournaments.states import ROBIN, SEASON, RoundState, StageState
from tournaments.weeks import WEEKS_BETWEEN_ROUNDS

GAME_A_WEEK: Final = 0.6
"""The probability with which a player of a season of the ladder looks for an opponent in a week."""
RESULT_A_WEEK: Final = 0.4
"""The probability with which an open game of a season ends in a week."""


@dataclass(frozen=True, slots=True)
class TrialConditions:
    """The disturbances of a simulated event."""

    dropouts: float = 0.0
    """The share of players who leave."""
    late: int = 0
    """The number of players who join after the first round; in a round robin, before the first result."""
    timeouts: float = 0.0
    """The share of seats that run out of time."""
    correct: int = 0
    """The round of which a result is corrected once the next one is open."""
    laggards: float = 0.05
    """The share of players who let games wait for their deadline."""


DEFAULT_CONDITIONS: Final = TrialConditions()
"""The default: some slow players and no other disturbance."""


@dataclass(slots=True)
class Simulation:
    """An event being simulated, with the duration of each round."""

    event: EventFold
    conditions: TrialConditions
    random: Random
    strengths: list[float] = field(default_factory=list)
    slow: set[int] = field(default_factory=set)
    leaving: dict[int, list[int]] = field(default_factory=dict)
    """The players who leave, by wave."""
    weeks: dict[tuple[int, int], Fraction] = field(default_factory=dict)
    """Weeks that a round added to the event, by stage and round."""
    refused: list[str] = field(default_factory=list)
    """The keys of late entries that the event did not admit."""
    corrected: bool = False
    """True once a result was corrected."""
    wave: int = 0
    """The number of waves that were played."""

    @property
    def total_weeks(self) -> Fraction:
        """The length of the event, in weeks."""
        return sum(self.weeks.values(), Fraction(0))


def entries_for(players: int) -> tuple[Entry, ...]:
    """Return this number of entries, with their numbers as names."""
    return tuple(Entry(f"player-{number}", party=f"server-{number % 4}") for number in range(players))


def simulate(specification: Specification, conditions: TrialConditions = DEFAULT_CONDITIONS) -> Simulation:
    """Play an event to its end; the same arguments give the same event."""
    random = random_source(specification.seed, "simulation")
    simulation = Simulation(EventFold(specification), conditions, random)
    _create_players(simulation, len(specification.entries) + conditions.late)
    _schedule_withdrawals(simulation)
    while not simulation.event.finished:
        opened = list(advance(simulation.event))
        if not simulation.wave and simulation.event.plans[0].kind == ROBIN:
            _enter_late(simulation)
            opened += advance(simulation.event)
        _correct_result(simulation, at_end=False)
        state = simulation.event.stage
        if state is not None and state.plan.kind == SEASON:
            _play_season(simulation, state)
        elif not _play_wave(simulation, opened) and not simulation.event.finished:
            raise EventRuleError("stuck", facts=len(simulation.event.facts))
    _correct_result(simulation, at_end=True)
    return simulation


def simulate_format(
    name: str, players: int, seed: str, conditions: TrialConditions, parameters: Parameters | None = None
) -> Simulation:
    """Simulate a format by name."""
    return simulate(Specification(name, entries_for(players), seed, parameters or Parameters()), conditions)


# -- people -----------------------------------------------------------------------------------------------------------


def _create_players(simulation: Simulation, count: int) -> None:
    """Give every player a strength, and choose those who are slow."""
    random = simulation.random
    simulation.strengths = [random.gauss(0, 1) for _ in range(count)]
    simulation.slow = {player for player in range(count) if random.random() < simulation.conditions.laggards}


def _schedule_withdrawals(simulation: Simulation) -> None:
    """Choose the players who leave, and the wave in which each of them does."""
    random, players = simulation.random, len(simulation.event.entries)
    waves = max(2, simulation.event.plans[0].rounds or 3)
    for player in random.sample(range(players), round(simulation.conditions.dropouts * players)):
        simulation.leaving.setdefault(random.randrange(waves), []).append(player)


# -- waves ------------------------------------------------------------------------------------------------------------


def _play_wave(simulation: Simulation, opened: list[Fact]) -> bool:
    """Play all open games; return False if there were none."""
    event = simulation.event
    games = list(_open_games(event))
    if not games:
        return False
    leavers = simulation.leaving.get(simulation.wave, [])
    for player in leavers[::2]:
        event.apply(Withdrawal(player))
    longest = Fraction(0)
    for stage, number, table_number, table in games:
        outcome, weeks = _play_game(simulation, table, event.plans[stage - 1].weeks)
        event.apply(Result(stage, number, table_number, outcome))
        longest = max(longest, weeks)
    first = min((stage, number) for stage, number, _, _ in games)
    between = WEEKS_BETWEEN_ROUNDS if any(isinstance(fact, RoundDrawn) for fact in opened) else Fraction(0)
    simulation.weeks[first] = simulation.weeks.get(first, Fraction(0)) + longest + between
    for player in leavers[1::2]:
        event.apply(Withdrawal(player))
    _apply_arrivals(simulation)
    simulation.wave += 1
    return True


def _play_season(simulation: Simulation, state: StageState) -> None:
    """Let players of a season of the ladder challenge each other week by week, and decide what is open at its end."""
    event, random, plan = simulation.event, simulation.random, state.plan
    for week in range(plan.weeks):
        for player in simulation.leaving.get(week, []):
            event.apply(Withdrawal(player))
        list(advance(event))
        if state.ended:  # everybody has left
            break
        if week < plan.weeks - CLOSING_WEEKS:
            _begin_season_games(simulation, state)
        for place in list(_open_games(event)):
            if random.random() < RESULT_A_WEEK:
                event.apply(Result(*place[:3], _play_game(simulation, place[3], plan.weeks)[0]))
        _apply_arrivals(simulation)
        simulation.wave += 1
    for place in list(_open_games(event)):
        scores = _play_game(simulation, place[3], plan.weeks)[0].scores
        event.apply(Result(*place[:3], Outcome(scores, (), random.randrange(2), "adjudicated")))
    if not state.ended:
        event.apply(StageEnded(state.number, PLAYED))
    simulation.weeks[state.number, 1] = Fraction(plan.weeks)


def _begin_season_games(simulation: Simulation, state: StageState) -> None:
    """Begin the games of a week between players of the same division, as far as they count."""
    event, random = simulation.event, simulation.random
    for pool in state.pools():
        looking = [player for player in pool if player not in event.gone and random.random() < GAME_A_WEEK]
        random.shuffle(looking)
        for seats in zip(looking[::2], looking[1::2], strict=False):
            if not reason_not_to_count(event.context(state), seats):
                event.apply(SeasonGame(state.number, seats, f"game-{len(event.season_games) + 1}"))


def _apply_arrivals(simulation: Simulation) -> None:
    """Let late players enter after the first wave, and every fifth leaver return after the next one."""
    event, wave = simulation.event, simulation.wave
    if wave == 0 and event.plans[0].kind != ROBIN:
        _enter_late(simulation)
    for player in simulation.leaving.get(wave - 1, [])[4::5]:
        if player in event.gone:
            event.apply(Rejoined(player))


def _enter_late(simulation: Simulation) -> None:
    """Let late players enter, as far as the event admits them."""
    for number in range(simulation.conditions.late):
        entry = Entry(f"late-{number}", party=f"server-{number % 4}")
        try:
            simulation.event.apply(LateEntry(entry))
        except EventRuleError:
            simulation.refused.append(entry.key)


def _open_games(event: EventFold) -> Iterator[tuple[int, int, int, DrawnTable]]:
    """Yield the undecided games of the present stage: stage, round, number of the table, and table."""
    state = event.stage
    if state is not None:
        for drawn in state.rounds:
            for number, (table, outcome) in enumerate(zip(drawn.tables, drawn.outcomes, strict=True), 1):
                if outcome is None:
                    yield state.number, drawn.number, number, table


def _play_game(simulation: Simulation, table: DrawnTable, time_limit: int) -> tuple[Outcome, Fraction]:
    """Return the outcome of a game and its weeks; at the deadline the game is adjudicated."""
    random, gone = simulation.random, simulation.event.gone
    scores = tuple(max(0, round(random.gauss(60 + 12 * simulation.strengths[player], 15))) for player in table.seats)
    out = tuple(
        seat
        for seat, player in enumerate(table.seats)
        if (player in gone and random.random() < 0.75) or random.random() < simulation.conditions.timeouts
    )
    if len(out) == len(table.seats):
        return Outcome((0,) * len(scores), out, how="forfeited"), Fraction(time_limit)
    slow = [seat for seat, player in enumerate(table.seats) if player in simulation.slow and random.random() < 0.7]
    if not slow:
        return Outcome(scores, out), time_limit * Fraction(random.randrange(50, 90), 100)
    stalled = slow[0] if len(slow) == 1 and slow[0] not in out and random.random() < 0.5 else -1
    return Outcome(scores, out, stalled, "adjudicated"), Fraction(time_limit)


# -- a correction -----------------------------------------------------------------------------------------------------


def drawn_rounds(event: EventFold) -> list[tuple[int, RoundState]]:
    """Return all rounds so far, each with the number of its stage."""
    return [(state.number, drawn) for state in event.stages for drawn in state.rounds]


def _correct_result(simulation: Simulation, *, at_end: bool) -> None:
    """Reverse the scores of a game once the next round is open, or at the end if there is none."""
    number, event = simulation.conditions.correct, simulation.event
    rounds = drawn_rounds(event)
    if not number or simulation.corrected or (len(rounds) <= number and not at_end):
        return
    if len(rounds) < number:
        return
    stage, drawn = rounds[number - 1]
    for table, outcome in enumerate(drawn.outcomes, 1):
        if outcome is not None and len(set(outcome.scores)) > 1 and not outcome.out:
            reversed_outcome = Outcome(outcome.scores[::-1], (), -1, outcome.how)
            event.apply(Correction(stage, drawn.number, table, reversed_outcome, "simulated"))
            simulation.corrected = True
            return


@dataclass(frozen=True, slots=True)
class Quality:
    """The quality of the rankings in many simulated events of one format, with a given number of players."""

    name: str
    players: int
    best_first: float
    """Share of events that the strongest player won."""
    best_in_four: float
    """Share of events in which the strongest player was among the first four."""
    correlation: float
    """Mean rank correlation (Spearman) of strengths and final ranks."""
    games: float
    """Mean number of games of a player."""
    weeks: float
    """Mean length of an event."""


def measure_quality(name: str, players: int, events: int, conditions: TrialConditions) -> Quality:
    """Simulate a number of events of a format and measure its ranking quality."""
    measures = [_measure(simulate_format(name, players, f"quality {number}", conditions)) for number in range(events)]
    ranks = [measure[0] for measure in measures]
    return Quality(
        name,
        players,
        mean(rank == 1 for rank in ranks),
        mean(rank <= 4 for rank in ranks),
        *(mean(measure[value] for measure in measures) for value in (1, 2, 3)),
    )


def _measure(simulation: Simulation) -> tuple[int, float, float, float]:
    """Return the rank of the strongest, the correlation, the games of a player and the weeks of one event."""
    event, strengths = simulation.event, simulation.strengths
    ranks = {line.player: line.rank for line in standings(event)}
    order = sorted(ranks, key=lambda player: -strengths[player])
    seats = sum(len(table.seats) for state in event.stages for drawn in state.rounds for table in drawn.tables)
    correlation = rank_correlation([ranks[player] for player in order])
    return ranks[order[0]], correlation, seats / len(order), float(simulation.total_weeks)


def rank_correlation(ranks: Sequence[int]) -> float:
    """Return Spearman's correlation of ranks without ties, given in the order of true strength."""
    count = len(ranks)
    squared_differences = sum((rank - true) ** 2 for true, rank in enumerate(ranks, 1))
    return 1 - 6 * squared_differences / (count * (count * count - 1))
