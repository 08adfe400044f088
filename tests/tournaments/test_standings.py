"""Standings, tie-breaks, and the explanation why one player ranks above another.

A tie-break ranks players of equal points; Buchholz, for example, is the sum of the opponents' points. Games are written
as a dict: the key lists the players in the order of their seats, and the value is the outcome.
"""

from fractions import Fraction

import pytest

from tournaments.errors import EventRuleError
from tournaments.event import EventFold, stage_ranking, standings
from tournaments.facts import DrawnTable, LateEntry, Rejoined, Result, RoundDrawn, StageBegun, Withdrawal
from tournaments.points import Outcome
from tournaments.ranking import AccountSheet, Explanation, explain, normalised_tie_breaks
from tournaments.specification import Entry, Parameters, Specification
from tournaments.trials import TrialConditions, simulate_format


def begin_event(name: str, players: int, **parameters: object) -> EventFold:
    """Begin the first stage of an event without drawing a round."""
    entries = tuple(Entry(str(number)) for number in range(players))
    event = EventFold(Specification(name, entries, "seed", Parameters(**parameters)))  # type: ignore[arg-type]
    event.apply(StageBegun(1, tuple(range(players))))
    return event


def play_round(
    event: EventFold, number: int, games: dict[tuple[int, ...], Outcome], byes: tuple[int, ...] = ()
) -> None:
    """Draw a round with these games and byes, and enter the outcomes."""
    tables = tuple(DrawnTable(match, seats) for match, seats in enumerate(games, 1))
    event.apply(RoundDrawn(1, number, tables, byes))
    for table, outcome in enumerate(games.values(), 1):
        event.apply(Result(1, number, table, outcome))


def tie_breaks_of(event: EventFold, player: int) -> dict[str, Fraction]:
    """Return a player's value in each tie-break."""
    (line,) = (line for line in standings(event) if line.player == player)
    return dict(line.values)


def test_standings_of_tables_are_by_points_then_shares() -> None:
    event = begin_event("swiss-tables", 8)
    play_round(event, 1, {(0, 1, 2, 3): Outcome((90, 80, 70, 60)), (4, 5, 6, 7): Outcome((100, 50, 40, 10))})
    order = [line.player for line in standings(event)]
    assert order[:2] == [4, 0]
    assert explain(standings(event), 0, 4) == Explanation(4, 0, "share", 2, (Fraction(1, 2), Fraction(3, 10)))
    assert tie_breaks_of(event, 0)["opponents"] == Fraction(5, 2)


def test_a_missed_round_gives_the_player_nothing_and_opponents_an_average() -> None:
    event = begin_event("swiss-tables", 8)
    play_round(event, 1, {(0, 1, 2, 3): Outcome((90, 80, 70, 60)), (4, 5, 6, 7): Outcome((100, 50, 40, 10))})
    event.apply(Withdrawal(0))
    play_round(event, 2, {(1, 4, 5, 6): Outcome((9, 8, 7, 6)), (2, 3, 7): Outcome((9, 8, 7))})
    event.apply(Rejoined(0))
    sheet = AccountSheet.of(event.context(event.stages[0]))
    assert sheet.points(0) == 5
    assert sheet.worth(0) == 5 + Fraction(11, 4)
    assert tie_breaks_of(event, 0)["opponents"] == Fraction(8 + 7 + 4, 3)


def test_late_entries_begin_with_zero_or_an_average() -> None:
    for late, points in (("zero", 0), ("average", Fraction(11, 4))):
        event = begin_event("swiss-tables", 8, late=late)
        play_round(event, 1, {(0, 1, 2, 3): Outcome((90, 80, 70, 60)), (4, 5, 6, 7): Outcome((100, 50, 40, 10))})
        event.apply(LateEntry(Entry("late")))
        play_round(
            event, 2, {(0, 4, 8): Outcome((9, 8, 7)), (1, 5, 2): Outcome((9, 8, 7)), (3, 6, 7): Outcome((9, 8, 7))}
        )
        assert tie_breaks_of(event, 8)["points"] == points + 1


def test_a_player_who_returns_gets_no_average_for_missed_rounds() -> None:
    """A late entry gets an average game for each round before the entry, but not for rounds missed later."""
    event = begin_event("swiss-tables", 9, late="average")
    event.apply(Withdrawal(0))
    play_round(event, 1, {(1, 2, 3, 4): Outcome((90, 80, 70, 60)), (5, 6, 7, 8): Outcome((100, 50, 40, 10))})
    event.apply(LateEntry(Entry("late")))
    event.apply(Withdrawal(9))
    play_round(event, 2, {(1, 5, 2, 6): Outcome((9, 8, 7, 6)), (3, 7, 4, 8): Outcome((9, 8, 7, 6))})
    for player in (0, 9):
        event.apply(Rejoined(player))
    play_round(
        event, 3, {(0, 9, 1, 5): Outcome((9, 8, 7, 6)), (2, 3, 6): Outcome((9, 8, 7)), (4, 7, 8): Outcome((9, 8, 7))}
    )
    assert tie_breaks_of(event, 0)["points"] == 5
    assert tie_breaks_of(event, 9)["points"] == 3 + Fraction(11, 4)


def test_buchholz_drops_the_weakest_opponent_and_counts_ones_own_points_for_a_bye() -> None:
    event = begin_event("duel-swiss", 5)
    play_round(event, 1, {(0, 2): Outcome((9, 1)), (3, 1): Outcome((1, 9))}, byes=(4,))
    play_round(event, 2, {(1, 0): Outcome((1, 9)), (4, 3): Outcome((9, 1))}, byes=(2,))
    values = tie_breaks_of(event, 4)
    assert values["points"] == 2
    assert values["buchholz"] == 2
    assert values["sonneborn"] == 2
    assert tie_breaks_of(event, 0)["buchholz"] == 1


def test_unplayed_games_have_a_value_in_every_tie_break() -> None:
    """Check the documented values for forfeits, withdrawals, byes, missed rounds and late entries."""
    names = ("buchholz", "sonneborn", "wins", "games", "boards", "scores", "direct", "share")
    event = begin_event("duel-swiss", 5, tie_breaks=names)
    forfeited, withdrawn = Outcome((0, 0), (1,), how="forfeited"), Outcome((50, 40), (0,))
    play_round(event, 1, {(0, 2): forfeited, (3, 1): withdrawn}, byes=(4,))
    event.apply(Withdrawal(2))
    event.apply(LateEntry(Entry("late")))
    play_round(event, 2, {(0, 1): Outcome((9, 1)), (4, 5): Outcome((1, 9))}, byes=(3,))
    half, quarter = Fraction(1, 2), Fraction(1, 4)
    expected = {
        0: (2, 1, 1 + half, 2, 2, 2, 8, 0, 0),
        1: (1, 2, 1, 1, 0, 1, -8, 0, 0),
        2: (0, 2, 0, 0, -1, 0, 0, 0, 0),
        3: (1, 1, 1, 0, -1, 0, 0, 0, quarter),
        4: (1, 1, 1, 0, -1, 0, -8, 0, quarter),
        5: (1, 1, 1, 1, 1, 1, 8, 0, 0),
    }
    values = {player: [tie_breaks_of(event, player)[name] for name in ("points", *names)] for player in expected}
    assert values == {player: list(worth) for player, worth in expected.items()}


def test_leaving_and_returning_is_not_better_than_staying_and_losing() -> None:
    """The tie-break `games` is left out: it adds scores of lost games, where a missed round counts 0."""
    values = []
    for leaves in (False, True):
        event = begin_event("duel-swiss", 6, tie_breaks=("buchholz", "sonneborn", "wins", "games", "scores"))
        play_round(event, 1, {(0, 1): Outcome((9, 1)), (2, 3): Outcome((9, 1)), (4, 5): Outcome((9, 1))})
        if leaves:
            event.apply(Withdrawal(0))
            play_round(event, 2, {(1, 3): Outcome((9, 1)), (4, 5): Outcome((9, 1))}, byes=(2,))
            event.apply(Rejoined(0))
        else:
            play_round(event, 2, {(0, 2): Outcome((9, 9)), (1, 3): Outcome((9, 1)), (4, 5): Outcome((9, 1))})
        play_round(event, 3, {(0, 3): Outcome((9, 1)), (1, 4): Outcome((9, 1)), (2, 5): Outcome((9, 1))})
        values.append({name: value for name, value in tie_breaks_of(event, 0).items() if name not in ("lot", "games")})
    stayed, returned = values
    assert all(returned[name] <= stayed[name] for name in returned)


def test_the_direct_encounter_counts_only_among_tied_players() -> None:
    event = begin_event("duel-round-robin", 4)
    play_round(event, 1, {(0, 1): Outcome((9, 1)), (2, 3): Outcome((9, 1))})
    play_round(event, 2, {(3, 0): Outcome((1, 9)), (1, 2): Outcome((9, 1))})
    play_round(event, 3, {(2, 0): Outcome((9, 1)), (3, 1): Outcome((9, 1))})
    lines = standings(event)
    assert [line.player for line in lines] == [2, 0, 3, 1]
    assert explain(lines, 0, 2) == Explanation(2, 0, "direct", 2, (Fraction(1), Fraction(0)))
    assert explain(lines, 0, 3).name == "points"


def test_the_lot_decides_last_of_all_and_always() -> None:
    event = begin_event("swiss-tables", 4)
    play_round(event, 1, {(0, 1, 2, 3): Outcome((9, 9, 9, 9))})
    lines = standings(event)
    explanation = explain(lines, lines[0].player, lines[1].player)
    assert explanation.name == "lot"
    assert explanation.number == 6
    assert [line.player for line in lines] == [line.player for line in standings(event)]


def test_the_order_of_tie_breaks_is_checked() -> None:
    assert normalised_tie_breaks(("wins", "points", "lot", "wins")) == ("points", "wins", "lot")
    with pytest.raises(EventRuleError, match="unknown-tie-break name=luck"):
        normalised_tie_breaks(("luck",))


def test_a_disqualified_player_ranks_last_despite_their_points() -> None:
    event = begin_event("swiss-tables", 4)
    play_round(event, 1, {(0, 1, 2, 3): Outcome((9, 8, 7, 6))})
    event.apply(Withdrawal(0, "disqualified"))
    explanation = explain(standings(event), 0, 3, event.disqualified)
    assert (explanation.before, explanation.behind, explanation.name) == (3, 0, "disqualified")
    assert explain(standings(event), 1, 3, event.disqualified).name == "points"


def test_explaining_needs_two_players_of_the_event() -> None:
    event = begin_event("swiss-tables", 4)
    play_round(event, 1, {(0, 1, 2, 3): Outcome((9, 8, 7, 6))})
    for first_player, second_player, code in ((0, 0, "same-player"), (0, 7, "no-such-player")):
        with pytest.raises(EventRuleError, match=code):
            explain(standings(event), first_player, second_player)


def test_a_scheduled_rest_gives_no_points() -> None:
    event = simulate_format("duel-round-robin", 5, "rest", TrialConditions(laggards=0)).event
    rounds = event.stages[0].rounds
    assert sorted(player for drawn_round in rounds for player in drawn_round.resting) == list(range(5))
    assert sum(dict(line.values)["points"] for line in standings(event)) == 10


def test_pools_of_different_sizes_have_no_missed_rounds() -> None:
    event = simulate_format("duel-league", 9, "sizes", TrialConditions(laggards=0)).event
    sheet = AccountSheet.of(event.context(event.stages[0]))
    assert {account.missed + account.before for account in sheet.accounts.values()} == {0}


def test_games_of_an_early_leaver_of_a_round_robin_do_not_count() -> None:
    event = begin_event("duel-round-robin", 4)
    play_round(event, 1, {(0, 3): Outcome((1, 9)), (1, 2): Outcome((9, 1))})
    event.apply(RoundDrawn(1, 2, (DrawnTable(1, (3, 2)), DrawnTable(2, (0, 1)))))
    event.apply(Withdrawal(3))
    event.apply(Result(1, 2, 1, Outcome((0, 0), out=(0,))))
    event.apply(Result(1, 2, 2, Outcome((9, 1))))
    play_round(event, 3, {(2, 0): Outcome((1, 9))}, byes=(1,))
    lines = stage_ranking(event, event.stages[0])
    assert dict(lines[0].values)["points"] == 2
    assert tie_breaks_of(event, 3)["points"] == 1
