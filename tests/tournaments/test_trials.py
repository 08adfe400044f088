"""Simulate whole events of every format: they end, keep their invariants, and are reproducible."""

import pytest

from tests.tournaments.invariants import ROUGH_CONDITIONS, check, lines, repeated_pairs
from tests.tournaments.rating_history import rated_games, rebuild_ratings
from tournaments.event import EventFold, advance, due, replay, standings
from tournaments.facts import Result, Withdrawal, read_fact, to_json
from tournaments.formats import FORMATS
from tournaments.points import Outcome
from tournaments.ranking import explain
from tournaments.specification import Parameters, Specification
from tournaments.trials import TrialConditions, entries_for, simulated

SAMPLE = (4, 5, 6, 9, 14, 33)
LENGTHS = (1, 3, 5)
"""Games of a match at most."""
TWENTY = 20


def fields(sizes: tuple[int, ...]) -> list[tuple[str, int]]:
    return [(name, size) for name, each in FORMATS.items() for size in sizes if each.least <= size <= each.most]


@pytest.mark.parametrize(("name", "players"), fields(SAMPLE))
def test_events_end_and_keep_their_promises(name: str, players: int) -> None:
    check(name, players, "7")


@pytest.mark.soak
@pytest.mark.parametrize(("name", "players"), fields(tuple(range(4, 257))))
def test_events_of_every_size_end_and_keep_their_promises(name: str, players: int) -> None:
    check(name, players, f"soak {players}")


@pytest.mark.parametrize("name", FORMATS)
def test_the_same_seed_gives_the_same_event(name: str) -> None:
    one, first = lines(name, 11, "again")
    other, second = lines(name, 11, "again")
    assert first == second
    assert one.event.facts == other.event.facts
    assert lines(name, 11, "another")[1] != first


@pytest.mark.parametrize("name", FORMATS)
def test_the_log_read_back_is_the_same_event_and_what_was_due_is_due_again(name: str) -> None:
    """Whatever stops the process, whoever looks at the same facts draws the same round."""
    event = simulated(name, 9, "log", ROUGH_CONDITIONS).event
    facts = [read_fact(to_json(fact)) for fact in event.facts]
    assert facts == event.facts
    again = EventFold(event.specification)
    for fact in facts:
        if type(fact).__name__ in ("StageBegun", "RoundDrawn", "GamesAdded", "StageEnded"):
            assert fact == due(again)
        again.apply(fact)
    assert standings(again) == standings(event)


@pytest.mark.parametrize("name", ["swiss-tables", "duel-swiss", "duel-knockout", "duel-double-elimination", "tables"])
def test_a_correction_leaves_drawn_rounds_and_changes_standings_as_if_it_had_been_so(name: str) -> None:
    corrected, printed = lines(name, 20, "7", TrialConditions(correct=2))
    assert corrected.corrected
    _, before = lines(name, 20, "7", TrialConditions())
    seats = [[table["seats"] for table in each["tables"]] for each in printed[:3]]
    assert seats == [[table["seats"] for table in each["tables"]] for each in before[:3]]
    facts = [fact for fact in corrected.event.facts if type(fact).__name__ != "Correction"]
    (correction,) = (fact for fact in corrected.event.facts if type(fact).__name__ == "Correction")
    straight = [
        type(fact)(fact.stage, fact.round, fact.table, correction.outcome)
        if type(fact).__name__ == "Result"
        and (fact.stage, fact.round, fact.table) == (correction.stage, correction.round, correction.table)
        else fact
        for fact in facts
    ]
    recomputed = replay(corrected.event.specification, straight)
    assert standings(recomputed) == standings(corrected.event)
    assert rebuild_ratings(rated_games(recomputed)) == rebuild_ratings(rated_games(corrected.event))


def check_weeks(name: str, players: int, best_of: int) -> None:
    """With one laggard in twenty, of twenty events the nineteenth by length is within what the card promised."""
    parameters = Parameters(best_of=best_of)
    played = [
        simulated(name, players, f"weeks {number}", TrialConditions(laggards=0.05), parameters)
        for number in range(TWENTY)
    ]
    lengths = sorted(simulation.total_weeks for simulation in played)
    assert lengths[TWENTY - 2] <= played[0].event.promised_weeks


@pytest.mark.parametrize(("number", "name"), list(enumerate(FORMATS)))
def test_one_laggard_in_twenty_keeps_within_the_promised_weeks(number: int, name: str) -> None:
    check_weeks(name, 8 + number % 2, LENGTHS[number % 3])


@pytest.mark.parametrize("best_of", LENGTHS)
def test_a_double_elimination_keeps_its_promise_however_many_never_come(best_of: int) -> None:
    """A match that is level, since to one of its games nobody came, is lost by one of the two all the same."""
    parameters = Parameters(best_of=best_of)
    for number in range(3):
        played = simulated("duel-double-elimination", 5, f"d{number}", TrialConditions(timeouts=0.4), parameters)
        assert played.total_weeks <= played.event.promised_weeks


@pytest.mark.soak
@pytest.mark.parametrize("best_of", LENGTHS)
@pytest.mark.parametrize(("name", "players"), fields((*SAMPLE, 7, 12, 16, 23, 50)))
def test_one_laggard_in_twenty_keeps_within_the_promised_weeks_at_every_length(
    name: str, players: int, best_of: int
) -> None:
    check_weeks(name, players, best_of)


@pytest.mark.parametrize("name", FORMATS)
def test_an_event_that_everybody_leaves_ends(name: str) -> None:
    event = EventFold(Specification(name, entries_for(8), "seed"))
    list(advance(event))
    for player in range(8):
        event.apply(Withdrawal(player))
    drawn = event.stages[0].rounds
    for each in drawn:
        for number, table in enumerate(each.tables, 1):
            seats = len(table.seats)
            event.apply(Result(1, each.number, number, Outcome((0,) * seats, tuple(range(seats)), how="forfeited")))
    list(advance(event))
    assert event.finished
    assert [line.rank for line in standings(event)] == list(range(1, 9))


def test_who_played_a_later_stage_is_before_who_did_not() -> None:
    event = simulated("swiss-tables", 12, "stages", TrialConditions()).event
    lines = standings(event)
    why = explain(lines, lines[4].player, lines[3].player)
    assert (why.name, why.number, why.values) == ("stage", 0, (2, 1))


def test_repeats_are_counted() -> None:
    _, printed = lines("swiss-tables", 12, "7", TrialConditions())
    preliminary = [each for each in printed[:-1] if each["stage"] == "preliminary"]
    assert sum(each["repeats"] for each in preliminary) == repeated_pairs(preliminary) > 0


@pytest.mark.parametrize("name", FORMATS)
def test_a_copy_goes_on_as_the_event_would_and_changes_nothing_of_it(name: str) -> None:
    played = simulated(name, 9, "copy", ROUGH_CONDITIONS).event
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
