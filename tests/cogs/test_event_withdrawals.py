"""Withdrawals from games of a tournament: pictures, alt texts and lists mark them, and show no score of 0:0.

In simulated games the player with the lower number wins, with 70 points minus the number.
"""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from cogs.panels.events.pictures import bracket_pictures, brackets, group_pictures, round_pictures, round_sections
from cogs.panels.events.posts import table_line
from cogs.texts import t
from cogs.texts.languages import languages, speaking
from renderers.events import BracketSide, EntryState
from renderers.lettering import text_mask
from tests.cogs.event_views import event_view, round_view_of
from tournaments.event import EventFold, advance
from tournaments.facts import Result, Withdrawal
from tournaments.points import Outcome
from tournaments.specification import Parameters, Specification
from tournaments.trials import entries_for

MAX_WORD_WIDTH = 128
"""Width in pixels of the last column of a bracket of four rounds, in which the word has to fit."""
WITHDREW = {"en": "withdrew", "de": "Ausstieg", "nl": "gestopt", "cs": "mimo hru", "pl": "poza grą"}
"""The mark in each language."""


def started_event(name: str, players: int, **parameters: object) -> EventFold:
    """Return an event with its first round."""
    event = EventFold(Specification(name, entries_for(players), "seed", Parameters(**parameters)))  # type: ignore[arg-type]
    list(advance(event))
    return event


def end_round(event: EventFold, number: int, withdrawn: Sequence[int] = (), how: str = "played") -> None:
    """End the open games of a round: these players withdraw, otherwise the lower number wins."""
    round_ = event.round(1, number)
    for place, table in enumerate(round_.tables, 1):
        if round_.outcomes[place - 1] is None:
            withdrawn_seats = tuple(seat for seat, player in enumerate(table.seats) if player in withdrawn)
            scores = tuple(70 - player for player in table.seats)
            outcome = (
                Outcome((0,) * len(scores), withdrawn_seats, how="forfeited")
                if withdrawn_seats and how
                else Outcome(scores, withdrawn_seats)
            )
            event.apply(Result(1, number, place, outcome))
    list(advance(event))


def first_round_sides(event: EventFold) -> dict[str, BracketSide]:
    """Return the sides of the first round of a bracket, by name."""
    [(_, columns)] = brackets(event_view(event), event.stages[0])
    return {side.name: side for match in columns[0] for side in (match.upper, match.lower)}


@pytest.mark.parametrize("how", ["forfeited", ""])
def test_a_withdrawn_single_game_has_no_score_in_the_bracket(how: str) -> None:
    """Neither the 0:0 of an unplayed game nor the points at the time of the withdrawal are shown."""
    event = started_event("duel-knockout", 4)
    event.apply(Withdrawal(3))
    end_round(event, 1, withdrawn=[3], how=how)
    sides = first_round_sides(event)
    assert sides["Player number 3"] == BracketSide("Player number 3", "", EntryState.LEFT, "withdrew")
    assert sides["Player number 0"] == BracketSide("Player number 0", "", EntryState.THROUGH)
    assert (sides["Player number 1"].games, sides["Player number 2"].games) == ("69", "68")


@pytest.mark.parametrize("language", languages())
def test_a_withdrawal_is_marked_in_picture_alt_text_and_list(language: str) -> None:
    event = started_event("duel-knockout", 4)
    end_round(event, 1, withdrawn=[3])
    with speaking(language):
        view, round_view = event_view(event), round_view_of(event, 1, 1)
        assert t("event.picture.withdrew") == WITHDREW[language]
        expected = f"Player number 3 ({WITHDREW[language]})"
        for pictures in (bracket_pictures(view, 1), round_pictures(view, round_view)):
            (picture,) = pictures
            assert expected in picture.alt
            assert "Player number 0 (" in picture.alt  # the winner
            assert " 0:" not in picture.alt
            assert not any(sign in picture.alt for sign in (" ;", " ,", " ."))
        line = next(line for table in round_view.tables if "Player number 3" in (line := table_line(view, table)))
        assert t("event.withdrew", player="Player number 3") in line
        assert "Player number 0," in f"{line},".replace(" (", ", (")  # no score, as nothing was played
        assert text_mask(WITHDREW[language], 18).width <= MAX_WORD_WIDTH


def test_the_list_of_games_keeps_the_scores_of_the_others() -> None:
    event = started_event("swiss-tables", 4)
    end_round(event, 1, withdrawn=[2], how="")
    line = table_line(event_view(event), round_view_of(event, 1, 1).tables[0])
    for words in ("Player number 0 70", "Player number 1 69", "Player number 2 (withdrew)", "Player number 3 67"):
        assert words in line
    (picture,) = round_pictures(event_view(event), round_view_of(event, 1, 1))
    assert "Player number 2 (withdrew)" in picture.alt


def test_a_winner_who_leaves_withdraws_from_the_next_match() -> None:
    event = started_event("duel-knockout", 8)
    table_index = [0 in table.seats for table in event.round(1, 1).tables].index(True)
    scores = tuple(70 - player for player in event.round(1, 1).tables[table_index].seats)
    event.apply(Result(1, 1, table_index + 1, Outcome(scores)))
    event.apply(Withdrawal(0))
    end_round(event, 1)
    [(_, columns)] = brackets(event_view(event), event.stages[0])
    first, second = (
        {side.name: side for match in column for side in (match.upper, match.lower)} for column in columns[:2]
    )
    assert (first["Player number 0"].games, first["Player number 0"].note) == ("70", "")
    assert (second["Player number 0"].state, second["Player number 0"].note) == (EntryState.LEFT, "withdrew")
    assert second["Player number 3"].state is EntryState.THROUGH


def test_a_loser_who_leaves_later_keeps_the_score() -> None:
    event = started_event("duel-knockout", 4)
    end_round(event, 1)
    event.apply(Withdrawal(3))
    assert first_round_sides(event)["Player number 3"] == BracketSide("Player number 3", "67", EntryState.LEFT)
    (picture,) = bracket_pictures(event_view(event), 1)
    assert "Player number 3, who left, 67" in picture.alt


def test_an_incomplete_match_shows_who_advances() -> None:
    """The match is level, but one player left before its deciding game."""
    event = started_event("duel-knockout", 4, best_of=3)
    for place, table in enumerate(event.round(1, 1).tables, 1):
        won = table.seats[0] if 0 in table.seats else min(table.seats)
        event.apply(Result(1, 1, place, Outcome(tuple(9 if player == won else 1 for player in table.seats))))
    event.apply(Withdrawal(0))
    sides = first_round_sides(event)
    assert sides["Player number 0"] == BracketSide("Player number 0", "1", EntryState.LEFT, "withdrew")
    assert sides["Player number 3"] == BracketSide("Player number 3", "1", EntryState.THROUGH)
    (picture,) = round_pictures(event_view(event), round_view_of(event, 1, 1))
    assert "Player number 0 (1 withdrew)" in picture.alt


def test_a_double_withdrawal_shows_who_advances() -> None:
    event = started_event("duel-knockout", 4)
    event.apply(Withdrawal(0))
    end_round(event, 1, withdrawn=[0, 3])
    sides = first_round_sides(event)
    assert (sides["Player number 0"].state, sides["Player number 0"].note) == (EntryState.LEFT, "withdrew")
    assert (sides["Player number 3"].state, sides["Player number 3"].note) == (EntryState.THROUGH, "withdrew")


def test_an_open_match_has_no_winner() -> None:
    sides = first_round_sides(started_event("duel-knockout", 4))
    assert {(side.games, side.state, side.note) for side in sides.values()} == {("", EntryState.PLAYING, "")}


def test_a_match_of_teams_counts_its_boards() -> None:
    """The score of the first board is not used, as that may be unplayed."""
    event = started_event("team-round-robin", 2, boards=3)
    for place, outcome in enumerate((Outcome((0, 0), (0,), how="forfeited"), Outcome((9, 1))), 1):
        event.apply(Result(1, 1, place, outcome))
    [section] = round_sections(event_view(event), round_view_of(event, 1, 1))
    seats = event.round(1, 1).tables[0].seats
    values = {line.name: line.value for line in section.boxes[0].lines}
    assert values == {f"Player number {seats[0]}": "0", f"Player number {seats[1]}": "2"}


def test_an_empty_board_is_a_forfeit_and_no_withdrawal() -> None:
    event = started_event("team-round-robin", 2, boards=2)
    event.apply(Result(1, 1, 1, Outcome((0, 0), (0,), how="forfeited")))
    event.apply(Result(1, 1, 2, Outcome((9, 1), (1,))))
    forfeited, withdrawal = (table_line(event_view(event), table) for table in round_view_of(event, 1, 1).tables)
    assert "(forfeited)" in forfeited
    assert "(withdrew)" not in forfeited
    assert "(withdrew)" in withdrawal


def test_groups_mark_leavers() -> None:
    event = started_event("duel-round-robin", 4)
    event.apply(Withdrawal(3))
    (picture,) = group_pictures(event_view(event), 1)
    assert "Player number 3, who left, 0" in picture.alt
    assert "Player number 2, who" not in picture.alt
