"""Places, table points and score shares from the scores of a table.

The score share of a player is their part of all points of a table, scaled as if there were four players.
"""

from fractions import Fraction

import pytest

from tournaments.errors import EventRuleError
from tournaments.points import SCHEMES, Outcome, places, table_points
from tournaments.ranking import score_shares

THIRD = Fraction(10, 3)
"""A third of ten table points, the 5 + 3 + 2 of places 1 to 3 shared by three players."""


@pytest.mark.parametrize(
    ("scores", "points"),
    [
        ((90, 80, 70, 60), (5, 3, 2, 1)),
        ((60, 90, 90, 10), (2, 4, 4, 1)),
        ((90, 90, 90, 10), (THIRD, THIRD, THIRD, 1)),
        ((50, 60, 70), (1, 3, 5)),
        ((10, 20, 30, 40, 50), (0, 1, 2, 3, 5)),
    ],
)
def test_joint_places_share_their_points(scores: tuple[int, ...], points: tuple[Fraction, ...]) -> None:
    assert table_points(Outcome(scores), "5-3-2-1") == points


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
@pytest.mark.parametrize("scheme", SCHEMES)
def test_every_scheme_pays_joint_places_without_a_loss(scheme: str, seats: int) -> None:
    place_points = SCHEMES[scheme][seats]
    assert table_points(Outcome(tuple(range(seats, 0, -1))), scheme) == place_points
    assert table_points(Outcome((9,) * seats), scheme) == (Fraction(sum(place_points), seats),) * seats
    joint = table_points(Outcome((9, 9, *range(seats - 2))), scheme)
    assert joint[:2] == (Fraction(place_points[0] + place_points[1], 2),) * 2
    assert sum(joint) == sum(place_points)


def test_withdrawn_players_are_last_and_the_others_keep_their_places() -> None:
    outcome = Outcome((90, 80, 70, 95), out=(0, 3))
    assert places(outcome) == (3, 1, 2, 3)
    assert table_points(outcome, "5-3-2-1") == (0, 5, 3, 0)


def test_a_stalling_player_places_between_the_others_and_withdrawn_players() -> None:
    outcome = Outcome((90, 80, 70, 95), out=(3,), stalled=0, how="adjudicated")
    assert places(outcome) == (3, 1, 2, 4)
    assert table_points(outcome, "5-3-2-1") == (2, 5, 3, 0)


def test_the_second_player_of_a_duel_wins_a_tie() -> None:
    assert table_points(Outcome((70, 70)), "win", "later-seat") == (0, 1)
    assert table_points(Outcome((70, 70)), "win") == (Fraction(1, 2), Fraction(1, 2))


def test_score_shares_are_scaled_to_a_table_of_four() -> None:
    assert score_shares(Outcome((40, 30, 20, 10))) == tuple(Fraction(points, 100) for points in (40, 30, 20, 10))
    assert score_shares(Outcome((30, 20, 10))) == (Fraction(3, 8), Fraction(1, 4), Fraction(1, 8))
    assert score_shares(Outcome((40, 30, 20, 90), out=(3,))) == (Fraction(1, 3), Fraction(1, 4), Fraction(1, 6), 0)
    assert score_shares(Outcome((0, 0, 0))) == (Fraction(1, 4),) * 3
    assert score_shares(Outcome((5, 0), out=(1,), how="forfeited")) == (Fraction(1, 4), 0)


@pytest.mark.parametrize("outcome", [{"out": (4,)}, {"stalled": 9}])
def test_a_missing_seat_is_refused(outcome: dict[str, tuple[int, ...]]) -> None:
    with pytest.raises(EventRuleError, match="no-such-seat"):
        Outcome((1, 2, 3, 4), **outcome)
