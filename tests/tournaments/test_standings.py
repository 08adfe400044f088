"""Standings, tie-breaks and why one player is before another."""

from fractions import Fraction

import pytest

from tournaments.errors import EventRuleError
from tournaments.event import EventFold, stage_ranking, standings
from tournaments.facts import DrawnTable, LateEntry, Rejoined, Result, RoundDrawn, StageBegun, Withdrawal
from tournaments.points import Outcome
from tournaments.ranking import AccountSheet, Explanation, explain, normalised_tie_breaks
from tournaments.specification import Entry, Parameters, Specification
from tournaments.trials import TrialConditions, simulated


def event_of(name: str, players: int, **parameters: object) -> EventFold:
    entries = tuple(Entry(str(number)) for number in range(players))
    event = EventFold(Specification(name, entries, "seed", Parameters(**parameters)))  # type: ignore[arg-type]
    event.apply(StageBegun(1, tuple(range(players))))
    return event


def play(event: EventFold, number: int, games: dict[tuple[int, ...], Outcome], byes: tuple[int, ...] = ()) -> None:
    tables = tuple(DrawnTable(match, seats) for match, seats in enumerate(games, 1))
    event.apply(RoundDrawn(1, number, tables, byes))
    for table, outcome in enumerate(games.values(), 1):
        event.apply(Result(1, number, table, outcome))


def values(event: EventFold, player: int) -> dict[str, Fraction]:
    (line,) = (line for line in standings(event) if line.player == player)
    return dict(line.values)


def test_tables_are_decided_by_points_then_shares() -> None:
    event = event_of("swiss-tables", 8)
    play(event, 1, {(0, 1, 2, 3): Outcome((90, 80, 70, 60)), (4, 5, 6, 7): Outcome((100, 50, 40, 10))})
    order = [line.player for line in standings(event)]
    assert order[:2] == [4, 0]
    assert explain(standings(event), 0, 4) == Explanation(4, 0, "share", 2, (Fraction(1, 2), Fraction(3, 10)))
    assert values(event, 0)["opponents"] == Fraction(5, 2)


def test_a_round_that_was_missed_is_worth_nothing_to_who_left_and_an_average_game_to_opponents() -> None:
    event = event_of("swiss-tables", 8)
    play(event, 1, {(0, 1, 2, 3): Outcome((90, 80, 70, 60)), (4, 5, 6, 7): Outcome((100, 50, 40, 10))})
    event.apply(Withdrawal(0))
    play(event, 2, {(1, 4, 5, 6): Outcome((9, 8, 7, 6)), (2, 3, 7): Outcome((9, 8, 7))})
    event.apply(Rejoined(0))
    sheet = AccountSheet.of(event.context(event.stages[0]))
    assert sheet.points(0) == 5
    assert sheet.worth(0) == 5 + Fraction(11, 4)
    assert values(event, 0)["opponents"] == Fraction(8 + 7 + 4, 3)


def test_late_entries_begin_with_nothing_or_an_average() -> None:
    for late, points in (("zero", 0), ("average", Fraction(11, 4))):
        event = event_of("swiss-tables", 8, late=late)
        play(event, 1, {(0, 1, 2, 3): Outcome((90, 80, 70, 60)), (4, 5, 6, 7): Outcome((100, 50, 40, 10))})
        event.apply(LateEntry(Entry("late")))
        play(event, 2, {(0, 4, 8): Outcome((9, 8, 7)), (1, 5, 2): Outcome((9, 8, 7)), (3, 6, 7): Outcome((9, 8, 7))})
        assert values(event, 8)["points"] == points + 1


def test_who_leaves_before_the_first_game_and_returns_has_no_average_for_it() -> None:
    """Neither one of the first, nor who came late: an average game stands for the rounds before the entry alone."""
    event = event_of("swiss-tables", 9, late="average")
    event.apply(Withdrawal(0))
    play(event, 1, {(1, 2, 3, 4): Outcome((90, 80, 70, 60)), (5, 6, 7, 8): Outcome((100, 50, 40, 10))})
    event.apply(LateEntry(Entry("late")))
    event.apply(Withdrawal(9))
    play(event, 2, {(1, 5, 2, 6): Outcome((9, 8, 7, 6)), (3, 7, 4, 8): Outcome((9, 8, 7, 6))})
    for player in (0, 9):
        event.apply(Rejoined(player))
    play(event, 3, {(0, 9, 1, 5): Outcome((9, 8, 7, 6)), (2, 3, 6): Outcome((9, 8, 7)), (4, 7, 8): Outcome((9, 8, 7))})
    assert values(event, 0)["points"] == 5
    assert values(event, 9)["points"] == 3 + Fraction(11, 4)


def test_buchholz_drops_the_weakest_and_a_bye_counts_ones_own_points() -> None:
    event = event_of("duel-swiss", 5)
    play(event, 1, {(0, 2): Outcome((9, 1)), (3, 1): Outcome((1, 9))}, byes=(4,))
    play(event, 2, {(1, 0): Outcome((1, 9)), (4, 3): Outcome((9, 1))}, byes=(2,))
    found = values(event, 4)
    assert found["points"] == 2
    assert found["buchholz"] == 2
    assert found["sonneborn"] == 2
    assert values(event, 0)["buchholz"] == 1


def test_what_was_not_played_has_a_worth_in_every_tie_break() -> None:
    """The table in the documentation: forfeits, who withdraws while ahead, byes, missed rounds, a late entry."""
    names = ("buchholz", "sonneborn", "wins", "games", "boards", "scores", "direct", "share")
    event = event_of("duel-swiss", 5, tie_breaks=names)
    forfeited, withdrawn = Outcome((0, 0), (1,), how="forfeited"), Outcome((50, 40), (0,))
    play(event, 1, {(0, 2): forfeited, (3, 1): withdrawn}, byes=(4,))
    event.apply(Withdrawal(2))
    event.apply(LateEntry(Entry("late")))
    play(event, 2, {(0, 1): Outcome((9, 1)), (4, 5): Outcome((1, 9))}, byes=(3,))
    half, quarter = Fraction(1, 2), Fraction(1, 4)
    expected = {
        0: (2, 1, 1 + half, 2, 2, 2, 8, 0, 0),
        1: (1, 2, 1, 1, 0, 1, -8, 0, 0),
        2: (0, 2, 0, 0, -1, 0, 0, 0, 0),
        3: (1, 1, 1, 0, -1, 0, 0, 0, quarter),
        4: (1, 1, 1, 0, -1, 0, -8, 0, quarter),
        5: (1, 1, 1, 1, 1, 1, 8, 0, 0),
    }
    found = {player: [values(event, player)[name] for name in ("points", *names)] for player in expected}
    assert found == {player: list(worth) for player, worth in expected.items()}


def test_who_leaves_and_returns_has_no_more_than_who_stayed_and_lost() -> None:
    """But for `games`, which counts those that were lost: a round that was missed is worth 0 there, too."""
    found = []
    for leaves in (False, True):
        event = event_of("duel-swiss", 6, tie_breaks=("buchholz", "sonneborn", "wins", "games", "scores"))
        play(event, 1, {(0, 1): Outcome((9, 1)), (2, 3): Outcome((9, 1)), (4, 5): Outcome((9, 1))})
        if leaves:
            event.apply(Withdrawal(0))
            play(event, 2, {(1, 3): Outcome((9, 1)), (4, 5): Outcome((9, 1))}, byes=(2,))
            event.apply(Rejoined(0))
        else:
            play(event, 2, {(0, 2): Outcome((9, 9)), (1, 3): Outcome((9, 1)), (4, 5): Outcome((9, 1))})
        play(event, 3, {(0, 3): Outcome((9, 1)), (1, 4): Outcome((9, 1)), (2, 5): Outcome((9, 1))})
        found.append({name: value for name, value in values(event, 0).items() if name not in ("lot", "games")})
    stayed, left = found
    assert all(left[name] <= stayed[name] for name in left)


def test_the_direct_encounter_counts_only_among_those_who_are_level() -> None:
    event = event_of("duel-round-robin", 4)
    play(event, 1, {(0, 1): Outcome((9, 1)), (2, 3): Outcome((9, 1))})
    play(event, 2, {(3, 0): Outcome((1, 9)), (1, 2): Outcome((9, 1))})
    play(event, 3, {(2, 0): Outcome((9, 1)), (3, 1): Outcome((9, 1))})
    lines = standings(event)
    assert [line.player for line in lines] == [2, 0, 3, 1]
    assert explain(lines, 0, 2) == Explanation(2, 0, "direct", 2, (Fraction(1), Fraction(0)))
    assert explain(lines, 0, 3).name == "points"


def test_the_lot_decides_last_of_all_and_always() -> None:
    event = event_of("swiss-tables", 4)
    play(event, 1, {(0, 1, 2, 3): Outcome((9, 9, 9, 9))})
    lines = standings(event)
    told = explain(lines, lines[0].player, lines[1].player)
    assert told.name == "lot"
    assert told.number == 6
    assert [line.player for line in lines] == [line.player for line in standings(event)]


def test_the_order_of_tie_breaks_is_checked() -> None:
    assert normalised_tie_breaks(("wins", "points", "lot", "wins")) == ("points", "wins", "lot")
    with pytest.raises(EventRuleError, match="unknown-tie-break name=luck"):
        normalised_tie_breaks(("luck",))


def test_who_was_disqualified_is_behind_whatever_they_had() -> None:
    event = event_of("swiss-tables", 4)
    play(event, 1, {(0, 1, 2, 3): Outcome((9, 8, 7, 6))})
    event.apply(Withdrawal(0, "disqualified"))
    told = explain(standings(event), 0, 3, event.disqualified)
    assert (told.before, told.behind, told.name) == (3, 0, "disqualified")
    assert explain(standings(event), 1, 3, event.disqualified).name == "points"


def test_there_is_nothing_to_explain_of_one_player_or_a_stranger() -> None:
    event = event_of("swiss-tables", 4)
    play(event, 1, {(0, 1, 2, 3): Outcome((9, 8, 7, 6))})
    for one, other, code in ((0, 0, "same-player"), (0, 7, "no-such-player")):
        with pytest.raises(EventRuleError, match=code):
            explain(standings(event), one, other)


def test_who_rests_by_the_schedule_has_nothing_for_it() -> None:
    event = simulated("duel-round-robin", 5, "rest", TrialConditions(laggards=0)).event
    rounds = event.stages[0].rounds
    assert sorted(player for each in rounds for player in each.resting) == list(range(5))
    assert sum(dict(line.values)["points"] for line in standings(event)) == 10


def test_pools_of_different_size_miss_nothing() -> None:
    event = simulated("duel-league", 9, "sizes", TrialConditions(laggards=0)).event
    sheet = AccountSheet.of(event.context(event.stages[0]))
    assert {account.missed + account.before for account in sheet.accounts.values()} == {0}


def test_in_a_round_robin_games_of_who_left_early_count_for_nobody() -> None:
    event = event_of("duel-round-robin", 4)
    play(event, 1, {(0, 3): Outcome((1, 9)), (1, 2): Outcome((9, 1))})
    event.apply(RoundDrawn(1, 2, (DrawnTable(1, (3, 2)), DrawnTable(2, (0, 1)))))
    event.apply(Withdrawal(3))
    event.apply(Result(1, 2, 1, Outcome((0, 0), out=(0,))))
    event.apply(Result(1, 2, 2, Outcome((9, 1))))
    play(event, 3, {(2, 0): Outcome((1, 9))}, byes=(1,))
    lines = stage_ranking(event, event.stages[0])
    assert dict(lines[0].values)["points"] == 2
    assert values(event, 3)["points"] == 1
