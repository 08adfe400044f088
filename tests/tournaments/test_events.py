"""The log of an event: its facts determine its state, and invalid facts are refused without any change.

A fact is an entry of the log, such as a drawn round or a result; `EventFold` applies facts one by one, and `advance`
yields those that follow automatically. A *party* is a group, such as a server, whose members should not meet at
first.
"""

from collections import Counter
from itertools import combinations
from types import SimpleNamespace
from typing import Any

import pytest

from tournaments.errors import EventRuleError
from tournaments.event import EventFold, advance, due, replay, standings
from tournaments.facts import (
    Correction,
    DeadlineExtended,
    DrawnTable,
    EntrySubstitution,
    Fact,
    GamesAdded,
    LateEntry,
    Rejoined,
    Result,
    RoundDrawn,
    RoundUndone,
    StageBegun,
    StageEnded,
    Withdrawal,
    read_fact,
)
from tournaments.points import Outcome
from tournaments.specification import (
    COMPUTERS,
    Entry,
    Parameters,
    Specification,
    read_parameters,
    read_specification,
    seeded,
)
from tournaments.stages.base import parties_kept_apart

GAME = Outcome((9, 8, 7, 6))
"""The scores of a game of four."""


def specification(name: str = "swiss-tables", players: int = 12, parameters: Parameters | None = None) -> Specification:
    """Return an event with players rated and divided among three servers."""
    entries = tuple(Entry(str(number), rating=number % 5, party=f"server {number % 3}") for number in range(players))
    return Specification(name, entries, "seed", parameters or Parameters(tie_breaks=("wins",)))


@pytest.fixture
def event() -> EventFold:
    """An event whose first round is drawn."""
    fold = EventFold(specification())
    list(advance(fold))
    return fold


def test_a_specification_round_trips_as_json() -> None:
    assert read_specification(specification().to_json()) == specification()
    assert len(specification().commitment) == 64
    assert read_parameters({"equal_turns": True, "rounds": 4}) == Parameters(rounds=4)  # stored by an older version
    with pytest.raises(EventRuleError, match="unknown-parameter name=luck"):
        read_parameters({"luck": 1})


def test_entries_are_seeded_by_rating_or_by_lot() -> None:
    entries = (*specification().entries, Entry("new"))
    by_rating = seeded(entries, "seed", by="rating")
    assert [entry.rating for entry in by_rating[:-1]] == sorted((e.rating for e in entries[:-1]), reverse=True)
    assert by_rating[-1].key == "new"
    by_lot = seeded(entries, "seed", by="lot")
    assert sorted(by_lot, key=entries.index) == list(entries)
    assert by_lot == seeded(entries, "seed", by="lot") != seeded(entries, "other", by="lot")


@pytest.mark.parametrize(
    ("fact", "code"),
    [
        (StageBegun(1, (0, 1)), "stage-not-due"),
        (StageBegun(2, (0, 1)), "stage-not-due"),
        (RoundDrawn(1, 1, ()), "round-already-drawn"),
        (RoundDrawn(1, 3, ()), "round-already-drawn"),
        (RoundDrawn(2, 1, ()), "stage-not-running"),
        (GamesAdded(1, 1, (DrawnTable(1, (0, 1)),)), "games-already-added"),
        (StageEnded(1, "played"), "games-running"),
        (Result(1, 2, 1, GAME), "no-such-round"),
        (Result(1, 1, 4, GAME), "no-such-table"),
        (Result(1, 1, 0, GAME), "no-such-table"),
        (Result(1, 1, 1, Outcome((9, 8))), "seats-differ"),
        (Correction(1, 1, 1, GAME), "game-running"),
        (Withdrawal(12), "no-such-player"),
        (Rejoined(0), "not-withdrawn"),
        (EntrySubstitution(-1, "x"), "no-such-player"),
        (LateEntry(Entry("0")), "already-entered"),
        (RoundUndone(1, 2), "round-has-results"),
    ],
)
def test_an_invalid_fact_is_refused_and_changes_nothing(event: EventFold, fact: Fact, code: str) -> None:
    facts = list(event.facts)
    with pytest.raises(EventRuleError) as refused:
        event.apply(fact)
    assert refused.value.code == code
    assert event.facts == facts
    assert standings(event) == standings(replay(event.specification, facts))


def test_a_result_counts_once_and_can_be_corrected(event: EventFold) -> None:
    event.apply(Result(1, 1, 1, GAME))
    with pytest.raises(EventRuleError, match="result-known"):
        event.apply(Result(1, 1, 1, GAME))
    event.apply(Correction(1, 1, 1, Outcome((6, 7, 8, 9))))
    assert standings(event)[0].player == event.round(1, 1).tables[0].seats[3]


def test_sign_up_closes_with_the_last_round_or_by_option() -> None:
    for name, parameters in (("tables", None), ("swiss-tables", Parameters(late="closed"))):
        event = EventFold(specification(name, parameters=parameters))
        list(advance(event))
        with pytest.raises(EventRuleError, match="sign-up-closed"):
            event.apply(LateEntry(Entry("late")))


def test_a_round_without_results_can_be_redrawn(event: EventFold) -> None:
    before = event.round(1, 1).tables
    event.apply(RoundUndone(1, 1, "wrong room"))
    list(advance(event))
    assert event.round(1, 1).tables != before
    event.apply(Result(1, 1, 1, GAME))
    with pytest.raises(EventRuleError, match="round-has-results"):
        event.apply(RoundUndone(1, 1))


@pytest.mark.parametrize("players", [16, 33])
def test_a_redrawn_parallel_round_respects_the_other_rounds(players: int) -> None:
    event = EventFold(specification("tables", players))
    list(advance(event))
    kept_tables = [drawn_round.tables for drawn_round in event.stages[0].rounds[:-1]]
    event.apply(RoundUndone(1, len(kept_tables) + 1))
    list(advance(event))
    rounds = event.stages[0].rounds
    assert [drawn_round.tables for drawn_round in rounds[:-1]] == kept_tables
    assert max(event.stages[0].met().values()) == 1
    firsts = Counter(table.seats[0] for drawn_round in rounds for table in drawn_round.tables)
    assert {firsts[player] for player in range(players)} <= {1, 2}


def test_drawing_a_round_is_deterministic(event: EventFold) -> None:
    for table in (1, 2, 3):
        event.apply(Result(1, 1, table, GAME))
    drawn = due(event)
    assert isinstance(drawn, RoundDrawn)
    assert drawn == due(event) == due(replay(event.specification, event.facts))
    event.apply(drawn)
    with pytest.raises(EventRuleError, match="round-already-drawn"):
        event.apply(drawn)


def test_a_leaver_is_not_paired_and_cannot_leave_twice(event: EventFold) -> None:
    event.apply(Withdrawal(5))
    with pytest.raises(EventRuleError, match="already-withdrawn"):
        event.apply(Withdrawal(5))
    for table in (1, 2, 3):
        event.apply(Result(1, 1, table, GAME))
    list(advance(event))
    assert not any(5 in table.seats for table in event.round(1, 2).tables)


def test_a_disqualified_player_ranks_last_and_cannot_return(event: EventFold) -> None:
    for table in (1, 2, 3):
        event.apply(Result(1, 1, table, GAME))
    best = standings(event)[0].player
    event.apply(Withdrawal(best, "disqualified"))
    assert standings(event)[-1].player == best
    with pytest.raises(EventRuleError, match="not-withdrawn"):
        event.apply(Rejoined(best))


def test_a_deadline_can_be_extended_once(event: EventFold) -> None:
    event.apply(DeadlineExtended(1, 1, 7, "Ana is ill"))
    assert event.extended == {(1, 1): 7}
    with pytest.raises(EventRuleError, match="already-extended"):
        event.apply(DeadlineExtended(1, 1, 7, "still"))


def test_a_leaver_stays_in_rounds_drawn_together() -> None:
    event = EventFold(specification("tables", 16))
    for _ in range(2):
        fact = due(event)
        assert fact is not None
        event.apply(fact)
    event.apply(Withdrawal(3))
    list(advance(event))
    met = [
        frozenset(pair)
        for drawn_round in event.stages[0].rounds
        for t in drawn_round.tables
        for pair in combinations(t.seats, 2)
    ]
    assert len(met) == len(set(met)) == 4 * 24


@pytest.mark.parametrize("name", ["swiss-tables", "duel-swiss", "duel-knockout", "duel-double-elimination"])
def test_parties_are_kept_apart_in_the_first_round_by_option(name: str) -> None:
    event = EventFold(specification(name, 12, Parameters(apart="first")))
    list(advance(event))
    parties = [[event.entries[player].party for player in table.seats] for table in event.round(1, 1).tables]
    if name != "swiss-tables":
        assert all(first_party != second_party for first_party, second_party in parties)
    else:
        assert all(len(set(party)) == 3 for party in parties)


@pytest.mark.parametrize(
    ("apart", "rounds"), [("never", []), ("first", [1, 2]), ("first-and-last", [1, 2, 5])], ids=str
)
def test_the_option_decides_in_which_rounds_parties_are_kept_apart(apart: str, rounds: list[int]) -> None:
    def stage_context(number: int) -> Any:
        state = SimpleNamespace(plan=SimpleNamespace(rounds=5), entrants=(0, 1, 2))
        entries = [Entry("a", party="one"), Entry("b"), Entry("c", party=COMPUTERS)]
        parameters = SimpleNamespace(apart=apart)
        return SimpleNamespace(parameters=parameters, next_round=number, state=state, entries=entries)

    for number in range(1, 6):
        expected = {0: "one", 2: COMPUTERS} if number in rounds else {2: COMPUTERS}
        assert parties_kept_apart(stage_context(number)) == expected


@pytest.mark.parametrize(
    ("name", "rounds", "most"),
    [("swiss-tables", 3, 2), ("duel-swiss", 3, 1), ("duel-knockout", 1, 1), ("duel-double-elimination", 1, 1)],
)
def test_computers_meet_people_where_they_can(name: str, rounds: int, most: int) -> None:
    entries = tuple(Entry(str(number), party=COMPUTERS if number < 4 else "") for number in range(12))
    event = EventFold(Specification(name, entries, "seed", Parameters(rounds=3, final="none")))
    for _ in range(rounds):
        list(advance(event))
        drawn = event.stages[0].rounds[-1]
        assert max(sum(player < 4 for player in table.seats) for table in drawn.tables) <= most
        assert "computers-meet" not in drawn.reasons
        for number in range(1, len(drawn.tables) + 1):
            event.apply(Result(1, drawn.number, number, Outcome((9, 5, 3, 1)[: len(drawn.tables[number - 1].seats)])))


def test_computers_meet_each_other_if_no_other_round_is_legal() -> None:
    entries = tuple(Entry(str(number), party=COMPUTERS if number < 2 else "") for number in range(4))
    event = EventFold(Specification("duel-swiss", entries, "seed", Parameters(rounds=3)))
    reasons = []
    for number in (1, 2, 3):
        list(advance(event))
        reasons.append(event.round(1, number).reasons)
        for table in (1, 2):
            event.apply(Result(1, number, table, Outcome((9, 8))))
    assert reasons == [(), (), ("computers-meet",)]


def test_players_of_the_only_party_meet_each_other() -> None:
    entries = tuple(Entry(str(number), party="one") for number in range(4))
    event = EventFold(Specification("duel-swiss", entries, "seed", Parameters(apart="first")))
    list(advance(event))
    assert event.round(1, 1).reasons == ("parties-meet",)


def test_a_withdrawal_does_not_change_who_advanced() -> None:
    event = EventFold(specification(parameters=Parameters(rounds=1)))
    list(advance(event))
    for table in (1, 2, 3):
        event.apply(Result(1, 1, table, GAME))
    list(advance(event))
    finalists = list(event.stages[1].entrants)
    event.apply(Withdrawal(finalists[0]))
    event.apply(Correction(1, 1, 1, Outcome((1, 2, 3, 4))))
    list(advance(event))
    assert event.stages[1].entrants == finalists
    assert {player for table in event.round(2, 1).tables for player in table.seats} == set(finalists)


@pytest.mark.parametrize("best_of", [1, 3, 5])
def test_deciding_games_of_a_match_are_added_when_needed(best_of: int) -> None:
    event = EventFold(specification("duel-knockout", 4, Parameters(best_of=best_of)))
    list(advance(event))
    first = [table.seats for table in event.round(1, 1).tables if table.match == 1]
    assert len(first) == best_of // 2 + 1
    assert first == [first[0] if game % 2 == 0 else first[0][::-1] for game in range(len(first))]
    results = {1: Outcome((9, 1)), 2: Outcome((9, 1))}
    for table in range(1, len(event.round(1, 1).tables) + 1):
        event.apply(Result(1, 1, table, results.get(table, Outcome((1, 9) if table % 2 else (9, 1)))))
    added = [fact for fact in advance(event) if isinstance(fact, GamesAdded)]
    games_added = [sum(table.match == 1 for table in fact.tables) for fact in added]
    assert games_added == ([] if best_of == 1 else [best_of // 2])


def test_unknown_facts_are_refused() -> None:
    with pytest.raises(EventRuleError, match="unknown-fact"):
        read_fact('{"fact": "rain"}')
    with pytest.raises(EventRuleError, match="unknown-fact"):
        EventFold(specification()).apply("rain")  # type: ignore[arg-type]
