"""Decisions of organisers: seats exchanged in the round that is due, penalties, warnings."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from typing import Any

import pytest

from tournaments.errors import EventRuleError
from tournaments.event import EventFold, advance, due, exchanged, replay, standings
from tournaments.facts import (
    Correction,
    Penalty,
    Result,
    RoundDrawn,
    SeatExchange,
    Warned,
    Withdrawal,
    read_fact,
    to_json,
)
from tournaments.formats import FORMATS
from tournaments.organising import due_round, repeated_pairs, seat_exchange
from tournaments.points import Outcome
from tournaments.specification import Parameters, Specification
from tournaments.tables.field import pair
from tournaments.trials import entries_for


def begun(name: str, players: int, **parameters: Any) -> EventFold:
    """Return an event whose first round is drawn."""
    event = EventFold(Specification(name, entries_for(players), "seed", Parameters(**parameters)))
    list(advance(event))
    return event


def win_round(event: EventFold) -> None:
    """Let the better numbers win all open games."""
    state = event.stages[-1]
    for drawn in state.rounds:
        for number, table in enumerate(drawn.tables, 1):
            if drawn.outcomes[number - 1] is None:
                scores = tuple(90 - player for player in table.seats)
                event.apply(Result(state.number, drawn.number, number, Outcome(scores)))


def pairs_of(drawn: RoundDrawn) -> list[tuple[int, int]]:
    """Return the pairs who meet in a round."""
    return [pair for table in drawn.tables for pair in combinations(sorted(table.seats), 2)]


def allowed_exchanges(event: EventFold) -> list[SeatExchange]:
    """Return all exchanges that the rules allow in the round that is due."""
    drawn, allowed = due_round(event), []
    players = sorted({player for table in drawn.tables for player in table.seats} | set(drawn.byes))
    for player, other in combinations(players, 2):
        refused = refusal_of(event, player, other)
        if refused is None:
            allowed.append(seat_exchange(event, player, other, "friends"))
        else:
            assert refused.code in {"pairs-repeat", "other-group", "exchange-fixed"}
    return allowed


def refusal_of(event: EventFold, player: int, other: int) -> EventRuleError | None:
    """Return the refusal of an exchange; None if it is allowed."""
    try:
        seat_exchange(event, player, other, "friends")
    except EventRuleError as error:
        return error
    return None


@pytest.mark.parametrize(
    ("name", "players"), [("duel-swiss", 9), ("swiss-tables", 16), ("duel-double-elimination", 10), ("team-swiss", 8)]
)
def test_an_allowed_exchange_makes_no_repeat_and_is_what_is_drawn(name: str, players: int) -> None:
    event = begun(name, players)
    win_round(event)
    met = event.stages[0].met()
    before = due_round(event)
    exchanges = allowed_exchanges(event)
    assert exchanges
    for exchange in exchanges:
        changed = event.copy()
        changed.apply(exchange)
        after = due_round(changed)
        new_pairs = set(pairs_of(after)) - set(pairs_of(before))
        assert not repeated_pairs(event, after)
        same_table = any({exchange.player, exchange.other} <= set(table.seats) for table in before.tables)
        assert bool(new_pairs) is not same_table
        assert not new_pairs & met.keys()
        assert after != before
        assert exchanged(after, [(exchange.player, exchange.other)]) == before
        changed.apply(after)
        assert not changed.exchanges
        assert replay(changed.specification, changed.facts).stages[-1].rounds == changed.stages[-1].rounds


def test_two_who_would_meet_again_are_named() -> None:
    event = begun("duel-swiss", 4)
    win_round(event)
    (one, _), (three, four) = [sorted(table.seats) for table in due_round(event).tables]
    met, refused = event.stages[0].met(), []
    for player, other in ((one, three), (one, four)):
        error = refusal_of(event, player, other)
        if error is not None:
            assert error.code == "pairs-repeat"
            refused.append((error.values["player"], error.values["other"]))
    assert len(refused) == 1
    assert refused[0] in met
    with pytest.raises(EventRuleError, match="same-player"):
        seat_exchange(event, one, one, "")
    with pytest.raises(EventRuleError, match="not-in-round player=9"):
        seat_exchange(event, one, 9, "")


def test_two_who_meet_change_seats_in_all_games_of_their_match() -> None:
    event = begun("duel-swiss", 4, best_of=3)
    win_round(event)
    before = [table.seats for table in due_round(event).tables if table.match == 1]
    event.apply(seat_exchange(event, before[0][0], before[0][1], "begins too often"))
    after = [table.seats for table in due_round(event).tables if table.match == 1]
    assert after == [seats[::-1] for seats in before]


def test_a_player_with_a_bye_changes_places_with_one_who_plays() -> None:
    event = begun("duel-swiss", 7)
    win_round(event)
    drawn = due_round(event)
    (resting,) = drawn.byes
    playing = next(
        exchange.other if exchange.player == resting else exchange.player
        for exchange in allowed_exchanges(event)
        if resting in (exchange.player, exchange.other)
    )
    event.apply(seat_exchange(event, resting, playing, "arrives late"))
    assert due_round(event).byes == (playing,)


@pytest.mark.parametrize(("name", "players"), [("duel-round-robin", 8), ("tables", 16), ("duel-knockout", 8)])
def test_a_schedule_and_a_bracket_stay_as_they_are(name: str, players: int) -> None:
    event = begun(name, players)
    win_round(event)
    while not isinstance(fact := due(event), RoundDrawn):  # after the rounds of tables the final begins
        assert fact is not None
        event.apply(fact)
    drawn = due_round(event)
    first, *_, last = (player for table in drawn.tables for player in table.seats)
    with pytest.raises(EventRuleError, match="exchange-fixed"):
        seat_exchange(event, first, last, "")


def test_the_first_bracket_can_be_changed_within_a_group_alone() -> None:
    parameters = Parameters(group_play="knockout", groups=2)
    event = EventFold(Specification("duel-groups", entries_for(16), "seed", parameters))
    begins = due(event)
    assert begins is not None
    event.apply(begins)
    first_group, second_group = event.stages[0].pools()
    with pytest.raises(EventRuleError, match="other-group"):
        seat_exchange(event, first_group[0], second_group[0], "")
    event.apply(seat_exchange(event, first_group[0], first_group[1], "same family"))
    drawn = due_round(event)
    event.apply(drawn)
    assert set(drawn.slots[:8]) == set(first_group)
    assert (first_group[0] in drawn.slots[:8], drawn.slots.index(first_group[1])) == (True, 0)


@pytest.mark.parametrize("kept", [True, False])
def test_what_changes_the_round_takes_exchanges_back(*, kept: bool) -> None:
    event = begun("duel-swiss", 8)
    win_round(event)
    before = due_round(event)
    exchange = allowed_exchanges(event)[0]
    event.apply(exchange)
    assert due_round(event) != before
    if kept:
        event.apply(Penalty(1, exchange.player, "1/2", "rude"))
        event.apply(Warned(exchange.other, "late"))
        assert due_round(event) != before
    else:
        event.apply(Correction(1, 1, 1, event.round(1, 1).outcomes[0] or Outcome((1, 0))))
        assert due_round(event) == before


def test_while_games_are_played_nobody_is_exchanged() -> None:
    event = begun("duel-swiss", 8)
    with pytest.raises(EventRuleError, match="no-round-due"):
        seat_exchange(event, 0, 5, "")
    with pytest.raises(EventRuleError, match="no-round-due"):
        event.apply(SeatExchange(1, 2, 0, 5, ""))


POINT_FORMATS = [name for name, form in FORMATS.items() if "knockout" not in name and "double" not in name]
"""Formats whose first stage is ranked by points."""


@pytest.mark.parametrize("name", POINT_FORMATS)
def test_a_penalty_takes_points_from_one_player_and_nothing_from_opponents(name: str) -> None:
    event = begun(name, 12)
    win_round(event)
    before = {line.player: dict(line.values) for line in standings(event)}
    event.apply(Penalty(1, 0, "1", "talking"))
    event.apply(Penalty(1, 0, "0.5", "again"))
    after = {line.player: dict(line.values) for line in standings(event)}
    assert after[0]["points"] == before[0]["points"] - Fraction(3, 2)
    for player in range(1, 12):
        changed = {key for key in before[player] if before[player][key] != after[player][key]}
        assert changed <= {"direct", "place"}, player


def test_a_penalty_reorders_and_the_order_is_explained() -> None:
    event = begun("duel-swiss", 4)
    win_round(event)
    first = standings(event)[0].player
    event.apply(Penalty(1, first, "3/2", "a second account"))
    assert standings(event)[-1].player == first
    assert dict(standings(event)[-1].values)["points"] == Fraction(-1, 2)


@pytest.mark.parametrize("points", ["0", "-1", "1/3", "101", "many", "1/0"])
def test_odd_penalties_are_refused(points: str) -> None:
    event = begun("duel-swiss", 4)
    with pytest.raises(EventRuleError, match="bad-penalty"):
        event.apply(Penalty(1, 0, points, ""))
    assert not event.penalties


def test_a_knock_out_has_no_points_to_take() -> None:
    event = begun("duel-knockout", 4)
    with pytest.raises(EventRuleError, match="no-points"):
        event.apply(Penalty(1, 0, "1", ""))


def test_warnings_are_counted_and_change_no_rank() -> None:
    event = begun("duel-swiss", 4)
    before = standings(event)
    event.apply(Warned(2, "language"))
    event.apply(Warned(2, "again"))
    assert event.warnings == {2: 2}
    assert standings(event) == before


@pytest.mark.parametrize(
    "fact", [SeatExchange(1, 2, 3, 4, "why"), Penalty(1, 2, "1/2", "why"), Warned(3, "why"), Withdrawal(1)]
)
def test_facts_have_a_form_in_json(fact: Any) -> None:
    assert read_fact(to_json(fact)) == fact


def test_who_never_appeared_is_kept_with_the_result() -> None:
    result = Result(1, 1, 1, Outcome((3, 4), (0,), absent=(0,)))
    assert read_fact(to_json(result)) == result
    assert read_fact(to_json(result).replace(',"absent":[0]', "")) == Result(1, 1, 1, Outcome((3, 4), (0,)))
    with pytest.raises(EventRuleError, match="no-such-seat"):
        Outcome((3, 4), absent=(2,))


def test_pairs_that_meet_again_are_named() -> None:
    event = begun("duel-swiss", 8)
    win_round(event)
    drawn, first = due_round(event), event.stages[0].rounds[0]
    repeated = replace(drawn, tables=(*drawn.tables[1:], first.tables[0]))
    assert repeated_pairs(event, repeated) == [pair(*first.tables[0].seats)]
    assert not repeated_pairs(event, drawn)
