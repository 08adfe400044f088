"""Simulated events of every format: they end, keep their invariants and announced length, and are reproducible.

Results, dropouts and late players of a simulation are drawn from a seed, such as "7". `make soak` also simulates
events of every size.
"""

import pytest

from tests.tournaments.invariants import ROUGH_CONDITIONS, check_event, repeated_pairs, simulate_lines
from tests.tournaments.rating_history import rated_games, rebuild_ratings
from tournaments.event import EventFold, advance, due, replay, standings
from tournaments.facts import Result, StageEnded, Withdrawal, read_fact, to_json
from tournaments.formats import FORMATS
from tournaments.points import Outcome
from tournaments.ranking import explain
from tournaments.specification import Parameters, Specification
from tournaments.trials import TrialConditions, entries_for, simulate_format

FIELD_SIZES = (4, 5, 6, 9, 14, 33)
"""Numbers of players: the smallest, odd and even ones, and a large one."""
MATCH_LENGTHS = (1, 3, 5)
"""The maximum numbers of games in a match."""
EVENT_COUNT = 20


def formats_and_sizes(sizes: tuple[int, ...]) -> list[tuple[str, int]]:
    """Return each format with each number of players that it allows."""
    return [
        (name, size)
        for name, event_format in FORMATS.items()
        for size in sizes
        if event_format.least <= size <= event_format.most
    ]


@pytest.mark.parametrize(("name", "players"), formats_and_sizes(FIELD_SIZES))
def test_events_end_and_keep_their_invariants(name: str, players: int) -> None:
    check_event(name, players, "7")


@pytest.mark.soak
@pytest.mark.parametrize(("name", "players"), formats_and_sizes(tuple(range(4, 257))))
def test_events_of_every_size_end_and_keep_their_invariants(name: str, players: int) -> None:
    check_event(name, players, f"soak {players}")


@pytest.mark.parametrize("name", FORMATS)
def test_the_same_seed_gives_the_same_event(name: str) -> None:
    first_event, first_lines = simulate_lines(name, 11, "again")
    second_event, second_lines = simulate_lines(name, 11, "again")
    assert first_lines == second_lines
    assert first_event.event.facts == second_event.event.facts
    assert simulate_lines(name, 11, "another")[1] != first_lines


@pytest.mark.parametrize("name", FORMATS)
def test_replaying_the_stored_log_gives_the_same_event(name: str) -> None:
    """After a crash any process draws the same round from the same facts; only a clock ends a season of the ladder."""
    event = simulate_format(name, 9, "log", ROUGH_CONDITIONS).event
    facts = [read_fact(to_json(fact)) for fact in event.facts]
    assert facts == event.facts
    fold = EventFold(event.specification)
    for fact in facts:
        if type(fact).__name__ in ("StageBegun", "RoundDrawn", "GamesAdded", "StageEnded"):
            assert due(fold) == (None if name == "duel-season" and isinstance(fact, StageEnded) else fact)
        fold.apply(fact)
    assert standings(fold) == standings(event)


@pytest.mark.parametrize("name", ["swiss-tables", "duel-swiss", "duel-knockout", "duel-double-elimination", "tables"])
def test_a_correction_keeps_drawn_rounds_and_recomputes_the_standings(name: str) -> None:
    corrected, printed = simulate_lines(name, 20, "7", TrialConditions(correct=2))
    assert corrected.corrected
    _, before = simulate_lines(name, 20, "7", TrialConditions())
    seats = [[table["seats"] for table in drawn_round["tables"]] for drawn_round in printed[:3]]
    assert seats == [[table["seats"] for table in drawn_round["tables"]] for drawn_round in before[:3]]
    facts = [fact for fact in corrected.event.facts if type(fact).__name__ != "Correction"]
    (correction,) = (fact for fact in corrected.event.facts if type(fact).__name__ == "Correction")
    corrected_facts = [
        type(fact)(fact.stage, fact.round, fact.table, correction.outcome)
        if type(fact).__name__ == "Result"
        and (fact.stage, fact.round, fact.table) == (correction.stage, correction.round, correction.table)
        else fact
        for fact in facts
    ]
    recomputed = replay(corrected.event.specification, corrected_facts)
    assert standings(recomputed) == standings(corrected.event)
    assert rebuild_ratings(rated_games(recomputed)) == rebuild_ratings(rated_games(corrected.event))


def check_weeks(name: str, players: int, best_of: int) -> None:
    """Check that 19 of 20 events with 5 % late players take at most the announced number of weeks."""
    parameters = Parameters(best_of=best_of)
    played = [
        simulate_format(name, players, f"weeks {number}", TrialConditions(laggards=0.05), parameters)
        for number in range(EVENT_COUNT)
    ]
    event_weeks = sorted(simulation.total_weeks for simulation in played)
    assert event_weeks[EVENT_COUNT - 2] <= played[0].event.promised_weeks


@pytest.mark.parametrize(("number", "name"), list(enumerate(FORMATS)))
def test_one_laggard_in_twenty_keeps_within_the_promised_weeks(number: int, name: str) -> None:
    check_weeks(name, 8 + number % 2, MATCH_LENGTHS[number % 3])


@pytest.mark.parametrize("best_of", MATCH_LENGTHS)
def test_a_double_elimination_keeps_its_length_with_many_forfeits(best_of: int) -> None:
    """A match also has a loser if it is tied because both players forfeited a game."""
    parameters = Parameters(best_of=best_of)
    for number in range(3):
        played = simulate_format("duel-double-elimination", 5, f"d{number}", TrialConditions(timeouts=0.4), parameters)
        assert played.total_weeks <= played.event.promised_weeks


@pytest.mark.soak
@pytest.mark.parametrize("best_of", MATCH_LENGTHS)
@pytest.mark.parametrize(("name", "players"), formats_and_sizes((*FIELD_SIZES, 7, 12, 16, 23, 50)))
def test_one_laggard_in_twenty_keeps_within_the_promised_weeks_at_every_length(
    name: str, players: int, best_of: int
) -> None:
    check_weeks(name, players, best_of)


@pytest.mark.parametrize("name", FORMATS)
def test_an_event_that_all_players_leave_ends(name: str) -> None:
    event = EventFold(Specification(name, entries_for(8), "seed"))
    list(advance(event))
    for player in range(8):
        event.apply(Withdrawal(player))
    drawn = event.stages[0].rounds
    for drawn_round in drawn:
        for number, table in enumerate(drawn_round.tables, 1):
            seats = len(table.seats)
            event.apply(
                Result(1, drawn_round.number, number, Outcome((0,) * seats, tuple(range(seats)), how="forfeited"))
            )
    list(advance(event))
    assert event.finished
    assert [line.rank for line in standings(event)] == list(range(1, 9))


def test_players_of_a_later_stage_rank_above_the_others() -> None:
    event = simulate_format("swiss-tables", 12, "stages", TrialConditions()).event
    ranking = standings(event)
    explanation = explain(ranking, ranking[4].player, ranking[3].player)
    assert (explanation.name, explanation.number, explanation.values) == ("stage", 0, (2, 1))


def test_repeats_are_counted() -> None:
    _, printed = simulate_lines("swiss-tables", 12, "7", TrialConditions())
    preliminary = [drawn_round for drawn_round in printed[:-1] if drawn_round["stage"] == "preliminary"]
    assert sum(drawn_round["repeats"] for drawn_round in preliminary) == repeated_pairs(preliminary) > 0


@pytest.mark.parametrize("name", FORMATS)
def test_a_copy_is_independent_and_continues_alike(name: str) -> None:
    played = simulate_format(name, 9, "copy", ROUGH_CONDITIONS).event
    facts, specification = played.facts, played.specification
    event = EventFold(specification)
    for number, fact in enumerate(facts):
        before, after = event, event.copy()
        after.apply(fact)
        assert len(before.facts) == number
        if number % 7 == 0:
            assert vars(before) == vars(replay(specification, facts[:number]))
        event = after
    assert vars(event) == vars(replay(specification, facts))
