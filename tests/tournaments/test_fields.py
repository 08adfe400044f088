"""The division of a field of players into tables of four and three, and the rotation of tables of three.

A field is the number of players of a tournament. The numbers checked here are those that `docs/tournaments.md`
promises.
"""

import pytest

from tournaments.tables.field import SeatingRecord, final_stage_sizes, preliminary_rounds, table_sizes
from tournaments.tables.schedule import rounds_together, side_by_side


@pytest.mark.parametrize("players", range(4, 257))
def test_every_field_divides_into_tables_of_four_and_at_most_three_of_three(players: int) -> None:
    sizes = table_sizes(players)
    assert sum(sizes) == players
    if players == 5:
        assert sizes == (5,)
    else:
        assert set(sizes) <= {3, 4}
        assert sizes.count(3) <= 3
        assert list(sizes) == sorted(sizes, reverse=True)


@pytest.mark.parametrize("players", [0, 1, 2])
def test_two_players_are_too_few_for_a_table(players: int) -> None:
    assert table_sizes(players) == ()


def test_up_to_sixteen_players_play_four_rounds_and_more_play_five() -> None:
    assert [preliminary_rounds(players) for players in (4, 5, 6, 16, 17, 256)] == [4, 5, 4, 4, 5, 5]


def test_the_number_of_finalists_depends_on_the_field() -> None:
    assert [final_stage_sizes(players) for players in (5, 6, 32, 33)] == [(), (4,), (4,), (16, 4)]


@pytest.mark.parametrize("players", [9, 18, 31])
def test_no_player_has_a_second_table_of_three_before_all_had_one(players: int) -> None:
    threes_played = dict.fromkeys(range(players), 0)
    for seating in rounds_together(tuple(map(SeatingRecord, range(players))), 5, "threes", apart=False):
        for player in (player for table in seating.tables if len(table) == 3 for player in table):
            threes_played[player] += 1
        assert max(threes_played.values()) - min(threes_played.values()) <= 1 or seating.undue


@pytest.mark.parametrize("count", [2, 3, 4, 5])
def test_parallel_games_give_each_player_each_seat_once(count: int) -> None:
    games = side_by_side(range(10, 10 + count))
    assert len(games) == count
    for seat in range(count):
        assert sorted(game[seat] for game in games) == list(range(10, 10 + count))


def test_in_five_rounds_of_sixteen_all_players_meet_once() -> None:
    rounds = rounds_together(tuple(map(SeatingRecord, range(16))), 5, "plane", apart=False)
    assert [seating.repeats for seating in rounds] == [0] * 5
    firsts = [table[0] for seating in rounds for table in seating.tables]
    assert {firsts.count(player) for player in range(16)} == {1, 2}
