"""Rounds of tables: no avoidable repeats, even first seats, parties kept apart, and reproducible pairings.

A *repeat* is a pair of players who meet again, a *three* a table of three players.
"""

from collections.abc import Iterator
from fractions import Fraction
from random import Random

import pytest

from tests.tournaments.solver import fewest_repeats
from tournaments.tables.field import Field, SeatingRecord
from tournaments.tables.pairing import Seating, meetings, seat_round
from tournaments.tables.schedule import rounds_together, with_round

POINTS = {3: (5, 3, 1), 4: (5, 3, 2, 1), 5: (5, 3, 2, 1, 0)}
"""Table points of the places, by the number of players at the table."""


def swiss_rounds(players: int, seed: int, dropouts: float) -> Iterator[tuple[list[SeatingRecord], list[Seating]]]:
    """Play five rounds with random results; yield the paired players and all rounds so far, after each round."""
    rng = Random(seed)
    records = [SeatingRecord(player) for player in range(players)]
    leaving_rounds = {player: rng.randrange(1, 5) for player in range(players) if rng.random() < dropouts}
    rounds: list[Seating] = []
    for number in range(5):
        records = [record for record in records if leaving_rounds.get(record.player, 5) > number]
        records.sort(key=lambda record: (-record.points, record.player))
        met = meetings([seating.tables for seating in rounds])
        rounds.append(seat_round(records, met, Random(f"{seed}/{number}")))
        yield records, rounds
        records = [with_round(record, rounds[-1].tables) for record in records]
        points = {
            player: place_points
            for table in rounds[-1].tables
            for player, place_points in zip(rng.sample(table, len(table)), POINTS[len(table)], strict=True)
        }
        records = [
            SeatingRecord(record.player, record.points + points[record.player], record.seats, record.threes)
            for record in records
        ]


def check_against_solver(players: int, seed: int) -> None:
    """Play Swiss rounds; compare the repeats of each with the exact minimum."""
    for records, rounds in swiss_rounds(players, seed, 0.15):
        drawn = rounds[-1]
        assert drawn.proved
        if drawn.repeats:
            sizes = [len(table) for table in drawn.tables]
            met = meetings([seating.tables for seating in rounds[:-1]])
            assert drawn.repeats == fewest_repeats([record.player for record in records], sizes, met)


@pytest.mark.parametrize("players", [17, 20])
@pytest.mark.parametrize("seed", range(2))
def test_no_round_has_more_repeats_than_the_exact_solver(players: int, seed: int) -> None:
    check_against_solver(players, seed)


def count_second_threes(players: int, seed: int, dropouts: float) -> int:
    """Count the rounds in which a player has a second three; assert that avoiding it needs more repeats."""
    count = 0
    for records, rounds in swiss_rounds(players, seed, dropouts):
        drawn, met = rounds[-1], meetings([seating.tables for seating in rounds[:-1]])
        roles = {
            record.player: role for record, role in zip(records, Field.of(records, met).roles, strict=True) if role
        }
        at = {player: len(table) for table in drawn.tables for player in table}
        assert sorted(drawn.undue) == sorted(player for player, size in roles.items() if at[player] != size)
        if drawn.undue:
            count += 1
            sizes = [len(table) for table in drawn.tables]
            assert fewest_repeats([record.player for record in records], sizes, met, roles) > drawn.repeats
    return count


@pytest.mark.parametrize("players", [10, 13])
def test_a_second_table_of_three_is_given_only_to_avoid_repeats(players: int) -> None:
    assert count_second_threes(players, 3, 0)


@pytest.mark.parametrize(("players", "seed"), [(25, 0), (26, 0), (26, 2)])
def test_an_unneeded_second_table_of_three_is_avoided_beyond_the_exact_search(players: int, seed: int) -> None:
    assert not count_second_threes(players, seed, 0)


@pytest.mark.soak
@pytest.mark.parametrize("players", [*range(10, 25), 33, 41, 45, 49])
@pytest.mark.parametrize("seed", range(4))
def test_a_second_table_of_three_is_given_only_to_avoid_repeats_in_many_events(players: int, seed: int) -> None:
    count_second_threes(players, seed, 0.15 * (seed % 2))


@pytest.mark.soak
@pytest.mark.parametrize("players", [17, 20])
@pytest.mark.parametrize("seed", range(200))
def test_no_round_of_many_events_has_more_repeats_than_the_exact_solver(players: int, seed: int) -> None:
    check_against_solver(players, seed)


@pytest.mark.parametrize(("players", "seed"), [(12, 1), (20, 3), (23, 2), (33, 5), (64, 1)])
def test_first_seats_differ_by_at_most_one_or_the_round_says_so(players: int, seed: int) -> None:
    for records, rounds in swiss_rounds(players, seed, 0.1):
        after = [with_round(record, rounds[-1].tables) for record in records]
        for games in {record.games for record in after}:
            firsts = [record.seats[0] for record in after if record.games == games]
            assert max(firsts) - min(firsts) <= 1 or rounds[-1].uneven


@pytest.mark.parametrize("players", [6, 13, 24, 50])
def test_every_player_is_seated_once(players: int) -> None:
    for records, rounds in swiss_rounds(players, 4, 0.2):
        seated = [player for table in rounds[-1].tables for player in table]
        assert sorted(seated) == sorted(record.player for record in records)


def test_the_same_random_seed_gives_the_same_round() -> None:
    records = [SeatingRecord(player, Fraction(player % 4)) for player in range(30)]
    met = meetings([[(0, 1, 2, 3), (4, 5, 6, 7)]])
    assert seat_round(records, met, Random("a")) == seat_round(records, met, Random("a"))


def test_players_with_equal_points_sit_together() -> None:
    records = [SeatingRecord(player, Fraction(20 - player // 4 * 5)) for player in range(16)]
    drawn = seat_round(records, {}, Random(1))
    assert all(len({player // 4 for player in table}) == 1 for table in drawn.tables)


@pytest.mark.parametrize("met", [False, True])
def test_repeats_weigh_more_than_first_seats_and_those_more_than_the_spread_of_scores(met: bool) -> None:
    """The four leaders have begun. Once they have met all others, they have to share a table to avoid repeats."""
    records = [SeatingRecord(player, Fraction(5), (1, 0, 0, 0, 0)) for player in range(4)]
    records += [SeatingRecord(player, Fraction(0), (0, 1, 0, 0, 0)) for player in range(4, 8)]
    meetings_before = {(leader, pursuer): 1 for leader in range(4) for pursuer in range(4, 8)} if met else {}
    drawn = seat_round(records, meetings_before, Random(1))
    apart = {frozenset(range(4)), frozenset(range(4, 8))} == {frozenset(table) for table in drawn.tables}
    assert drawn.repeats == 0
    assert apart is met
    assert bool(drawn.uneven) is met
    assert all(table[0] >= 4 for table in drawn.tables) is not met


def test_tables_of_three_are_at_the_bottom() -> None:
    records = [SeatingRecord(player, Fraction(30 - player)) for player in range(15)]
    drawn = seat_round(records, {}, Random(1))
    assert [sorted(table) for table in drawn.tables if len(table) == 3] == [[12, 13, 14]]


@pytest.mark.parametrize(("players", "rounds"), [(15, 1), (16, 4), (16, 5)])
def test_parties_are_kept_apart_by_option(players: int, rounds: int) -> None:
    """Sixteen players need one round of five in which parties meet, neither an early round nor the last one."""
    records = tuple(SeatingRecord(player, party=f"server {player % 4}") for player in range(players))
    drawn = rounds_together(records, rounds, "apart", apart=True)
    assert not any(seating.repeats for seating in drawn)
    for seating in (*drawn[:2], drawn[-1]):
        assert all(len({player % 4 for player in table}) == len(table) for table in seating.tables)


def test_a_third_meeting_is_worse_than_a_second() -> None:
    met = {(0, 1): 3, (0, 2): 1, (0, 3): 1, (0, 4): 1, (0, 5): 1}
    drawn = seat_round([SeatingRecord(player) for player in range(6)], met, Random(1))
    assert drawn.repeats == 2
    assert not any({0, 1} <= set(table) for table in drawn.tables)
