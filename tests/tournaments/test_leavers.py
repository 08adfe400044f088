"""Ranking of players who leave: only games won put them above players who stayed, never the seed or the lot.

The lot is the random order that decides ties when nothing else does; the seed is a player's rank at the start. Events
with many dropouts are simulated in every format.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import pytest

from tests.soak import first
from tournaments.event import EventFold, advance, stage_ranking, standings
from tournaments.facts import DrawnTable, Rejoined, Result, RoundDrawn, StageBegun, Withdrawal
from tournaments.formats import FORMATS
from tournaments.points import Outcome
from tournaments.ranking import Line, explain
from tournaments.specification import Parameters, Specification
from tournaments.states import StageState
from tournaments.trials import TrialConditions, entries_for, simulate_format

MANY_DROPOUTS = TrialConditions(dropouts=0.35, late=1, timeouts=0.03)
"""A player leaves with this probability; one enters late, and some games end on time."""
FIELD_SIZES = (4, 6, 9, 16)
"""Numbers of players of the simulated events."""


@cache  # both tests below look at the same events
def ranked_stages(name: str, best_of: int, seeds: int) -> list[tuple[EventFold, StageState, list[Line]]]:
    """Simulate some events with many dropouts; return all their stages with the rankings."""
    event_format = FORMATS[name]
    events = [
        simulate_format(name, size, f"flight {seed}", MANY_DROPOUTS, Parameters(best_of=best_of)).event
        for size in FIELD_SIZES
        if event_format.least <= size <= event_format.most
        for seed in range(seeds)
    ]
    return [(event, state, stage_ranking(event, state)) for event in events for state in event.stages]


@pytest.mark.parametrize("seeds", first(1, (2, 4)))
@pytest.mark.parametrize("best_of", [1, 3])
@pytest.mark.parametrize("name", FORMATS)
def test_neither_seed_nor_lot_ranks_a_leaver_above_a_player_who_stayed(name: str, best_of: int, seeds: int) -> None:
    for event, _, lines in ranked_stages(name, best_of, seeds):
        for place, leaver in enumerate(lines):
            behind = [line for line in lines[place + 1 :] if line.player not in event.gone]
            if leaver.player in event.gone:
                assert not {"seed", "lot"} & {explain(lines, leaver.player, line.player).name for line in behind}


@pytest.mark.parametrize("seeds", first(1, (2, 4)))
@pytest.mark.parametrize("best_of", [1, 3])
@pytest.mark.parametrize("name", FORMATS)
def test_all_players_of_a_stage_have_the_same_tie_breaks_in_order(name: str, best_of: int, seeds: int) -> None:
    for event, state, lines in ranked_stages(name, best_of, seeds):
        assert len({tuple(value for value, _ in line.values) for line in lines}) == 1
        keys = [[value for _, value in line.values] for line in lines]
        assert keys == sorted(keys, reverse=True)
        has_leavers = not event.gone.isdisjoint(state.entrants)
        assert all(("stayed" in dict(line.values)) is has_leavers for line in lines)


def begin_knockout(players: int, **parameters: object) -> EventFold:
    """Begin a knock-out and draw its first round."""
    specification = Specification("duel-knockout", entries_for(players), "seed", Parameters(**parameters))  # type: ignore[arg-type]
    event = EventFold(specification)
    list(advance(event))
    return event


def play_round(event: EventFold, number: int, winner: Callable[[tuple[int, ...]], int], games: int = 99) -> None:
    """Enter results for the open games of a round, up to the given number in each match."""
    round_state, games_seen = event.round(1, number), dict[int, int]()
    for place, table in enumerate(round_state.tables, 1):
        games_seen[table.match] = games_seen.get(table.match, 0) + 1
        if round_state.outcomes[place - 1] is None and games_seen[table.match] <= games:
            winning_player = winner(table.seats)
            event.apply(
                Result(1, number, place, Outcome(tuple(50 if seat == winning_player else 30 for seat in table.seats)))
            )


def final_order(event: EventFold) -> list[int]:
    """Return all players from first to last."""
    return [line.player for line in standings(event)]


def test_of_two_players_beaten_in_one_round_the_leaver_ranks_lower() -> None:
    event = begin_knockout(4)
    event.apply(Withdrawal(0))
    leaver = [0 in table.seats for table in event.round(1, 1).tables].index(True) + 1
    seats = event.round(1, 1).tables[leaver - 1].seats
    event.apply(Result(1, 1, leaver, Outcome((20, 10), (seats.index(0),))))
    play_round(event, 1, min)
    list(advance(event))
    assert final_order(event)[2:] == [2, 0]
    why = explain(standings(event), 0, 2)
    assert (why.before, why.behind, why.name, why.number) == (2, 0, "stayed", 0)


def test_a_round_reached_by_winning_counts_after_leaving() -> None:
    event = begin_knockout(8)
    play_round(event, 1, min)
    list(advance(event))
    event.apply(Withdrawal(0))
    play_round(event, 2, max)
    list(advance(event))
    assert final_order(event)[3] == 0  # below the other semi-finalist, above all quarter-finalists
    assert explain(standings(event), 0, 4).name == "reached"


def test_a_bye_alone_does_not_count_as_a_round_reached_for_a_leaver() -> None:
    event = begin_knockout(5)
    assert event.round(1, 1).byes[0] == 0
    play_round(event, 1, min)
    event.apply(Withdrawal(0))
    list(advance(event))
    lines = {line.player: dict(line.values) for line in standings(event)}
    assert (lines[0]["reached"], lines[4]["reached"]) == (1, 1)
    assert final_order(event)[-2:] == [4, 0]


@pytest.mark.parametrize(("best_of", "lead"), [(3, 1), (5, 2)])
def test_an_unfinished_match_goes_to_the_player_who_stayed(best_of: int, lead: int) -> None:
    """The leaver is level or ahead, but the deciding games are never played."""
    event = begin_knockout(4, best_of=best_of)
    play_round(event, 1, min, lead)
    play_round(event, 1, lambda seats: 3 if 0 in seats else min(seats))
    event.apply(Withdrawal(0))
    list(advance(event))
    assert set(event.round(1, 2).slots) == {3, 1}
    play_round(event, 2, max)
    list(advance(event))
    assert event.finished
    assert final_order(event) == [3, 1, 2, 0]


def test_a_match_won_before_its_winner_left_stays_won() -> None:
    event = begin_knockout(4, best_of=3)
    play_round(event, 1, min)
    event.apply(Withdrawal(0))
    list(advance(event))
    assert event.round(1, 2).byes == (1,)
    assert final_order(event) == [1, 0, 2, 3]


def test_of_two_absent_players_the_one_who_has_not_left_advances() -> None:
    event = begin_knockout(4)
    event.apply(Withdrawal(0))
    for number, table in enumerate(event.round(1, 1).tables, 1):
        out = (0, 1) if 0 in table.seats else ()
        event.apply(Result(1, 1, number, Outcome((0, 0), out, how="forfeited") if out else Outcome((50, 30))))
    list(advance(event))
    assert 3 in event.round(1, 2).slots
    assert 0 not in event.round(1, 2).slots


def test_a_tied_knock_out_match_goes_to_the_player_who_began_it() -> None:
    event = begin_knockout(4, best_of=3)
    play_round(event, 1, min)
    list(advance(event))
    began, other = event.round(1, 2).tables[0].seats
    assert (began, other) == (1, 0)  # player 0 has the better seed
    play_round(event, 2, lambda seats: seats[0])
    list(advance(event))
    event.apply(Result(1, 2, 3, Outcome((0, 0), (0, 1))))
    list(advance(event))
    assert final_order(event)[:2] == [began, other]


def begin_double_elimination(players: int, best_of: int = 1) -> EventFold:
    """Begin a double elimination and draw its first round."""
    parameters = Parameters(best_of=best_of)
    event = EventFold(Specification("duel-double-elimination", entries_for(players), "seed", parameters))
    list(advance(event))
    return event


def test_an_unbeaten_leaver_of_a_double_elimination_does_not_win_it() -> None:
    event = begin_double_elimination(4)
    play_round(event, 1, min)
    list(advance(event))
    play_round(event, 2, min)
    list(advance(event))
    (resting,) = event.round(1, 3).byes
    assert resting == 0
    event.apply(Withdrawal(0))
    play_round(event, 3, min)
    list(advance(event))
    assert event.finished
    assert final_order(event)[0] != 0
    assert dict(standings(event)[0].values)["stayed"] == 1


@pytest.mark.parametrize("returns", [False, True])
def test_a_leaver_loses_an_unfinished_match_of_a_double_elimination(returns: bool) -> None:
    event = begin_double_elimination(4, best_of=3)
    table = event.round(1, 1).tables[0]
    leaver, other = table.seats  # by staying, the first player would win a tied match
    play_round(event, 1, lambda seats: seats[0])
    event.apply(Withdrawal(leaver))
    list(advance(event))
    play_round(event, 1, lambda seats: seats[0])  # the deciding game of the other match
    list(advance(event))
    assert len(event.stages[0].rounds) == 2
    if returns:
        event.apply(Rejoined(leaver))
    lost = {line.player: -dict(line.values)["losses"] for line in standings(event)}
    assert lost[other] == 0
    assert lost[leaver] >= 1


@pytest.mark.parametrize("name", ["duel-league", "league"])
def test_a_leaver_removed_from_a_pool_ranks_below_a_player_who_lost_all_games(name: str) -> None:
    event = EventFold(Specification(name, entries_for(5), "seed", Parameters(points="win")))
    list(advance(event))
    event.apply(Withdrawal(0))
    for drawn_round in event.stages[0].rounds:
        for number, table in enumerate(drawn_round.tables, 1):
            best = min(table.seats)
            scores = tuple(0 if player == 4 else 90 - player for player in table.seats)
            out = (table.seats.index(0),) if best == 0 else ()
            event.apply(Result(1, drawn_round.number, number, Outcome(scores, out)))
    list(advance(event))
    assert final_order(event)[-2:] == [4, 0]
    assert explain(standings(event), 0, 4).name == "counted"


def test_a_leaver_of_a_smaller_group_ranks_below_the_last_of_a_larger_one() -> None:
    event = EventFold(Specification("duel-groups", entries_for(7), "seed", Parameters()))
    list(advance(event))
    larger, smaller = sorted(event.stages[0].pools(), key=len, reverse=True)
    leaver, last = smaller[0], larger[-1]
    event.apply(Withdrawal(leaver))
    for drawn_round in event.stages[0].rounds:
        for number, table in enumerate(drawn_round.tables, 1):
            out = (table.seats.index(leaver),) if leaver in table.seats else ()
            scores = tuple(90 - player if player != last else 0 for player in table.seats)
            event.apply(Result(1, drawn_round.number, number, Outcome(scores, out)))
    ranking = [line.player for line in stage_ranking(event, event.stages[0])]
    assert ranking[-2:] == [last, leaver]


def test_a_player_who_leaves_before_the_first_stage_ranks_last() -> None:
    event = EventFold(Specification("duel-swiss", entries_for(4), "seed", Parameters()))
    event.apply(Withdrawal(0))
    assert final_order(event) == [1, 2, 3, 0]


def test_the_tie_break_stayed_appears_only_after_a_withdrawal() -> None:
    event = EventFold(Specification("duel-swiss", entries_for(4), "seed", Parameters()))
    event.apply(StageBegun(1, (0, 1, 2, 3)))
    event.apply(RoundDrawn(1, 1, (DrawnTable(1, (0, 2)), DrawnTable(2, (1, 3)))))
    assert "stayed" not in dict(standings(event)[0].values)
    event.apply(Withdrawal(3))
    assert list(dict(standings(event)[0].values))[-2:] == ["stayed", "lot"]


def round_robin_without(leaver: int, *, played: int, rules: int = 5) -> EventFold:
    """Return a round robin of nine whose better numbers win; one leaves in the first block of three rounds.

    They have played that many of their three games until then.
    """
    event = EventFold(Specification("duel-round-robin", entries_for(9), "seed", Parameters(), rules))
    while not event.finished:
        list(advance(event))
        for drawn in event.stages[0].rounds:
            for number, (table, outcome) in enumerate(zip(drawn.tables, drawn.outcomes, strict=True), 1):
                if outcome is None:
                    left = leaver in table.seats and drawn.number > played
                    out = (table.seats.index(leaver),) if left else ()
                    event.apply(Result(1, drawn.number, number, Outcome(tuple(90 - seat for seat in table.seats), out)))
        if leaver not in event.gone:
            event.apply(Withdrawal(leaver))
        list(advance(event))
    return event


def byes_and_points(event: EventFold, leaver: int) -> dict[int, tuple[int, int]]:
    """Return the byes and points of everybody who stayed."""
    byes = {player: sum(player in drawn.byes for drawn in event.stages[0].rounds) for player in range(9)}
    points = {line.player: int(dict(line.values)["points"]) for line in standings(event)}
    return {player: (byes[player], points[player]) for player in range(9) if player != leaver}


def test_a_bye_instead_of_a_player_who_was_struck_out_is_worth_nothing() -> None:
    stayed = byes_and_points(round_robin_without(8, played=1), 8)
    assert {byes for byes, _ in stayed.values()} == {0, 1}
    assert {player: points for player, (_, points) in stayed.items()} == {player: 7 - player for player in range(8)}


def test_a_bye_instead_of_a_player_whose_games_count_is_a_win() -> None:
    """Player 8 would have lost to everybody; player 0, had they stayed, would have won against everybody."""
    worst = byes_and_points(round_robin_without(8, played=2), 8)
    assert {player: points for player, (_, points) in worst.items()} == {player: 8 - player for player in range(8)}


def test_such_a_bye_was_a_win_under_former_rules() -> None:
    stayed = byes_and_points(round_robin_without(8, played=1, rules=4), 8)
    assert {player: points - byes for player, (byes, points) in stayed.items()} == {
        player: 7 - player for player in range(8)
    }
