"""The matchmaking queue of the ladder: pairing by rating, waiting time and earlier meetings.

A ladder is a permanent competition: players queue, and whoever has a similar rating becomes their opponent. Players are
"a", "b" and so on. The argument 2 is the number of players in a game.
"""

from tournaments.lasting.ladder import MAX_WEEKLY_MEETINGS, QueuedPlayer, match_queue


def queue_players(*ratings: int) -> list[QueuedPlayer]:
    """Return players with these ratings, who have just entered the queue."""
    return [QueuedPlayer(chr(ord("a") + number), rating) for number, rating in enumerate(ratings)]


def test_players_with_the_nearest_ratings_are_paired_once() -> None:
    arranged = match_queue(queue_players(1000, 1900, 1050, 1850), 2, {})
    assert arranged.games == (("a", "c"), ("b", "d"))
    assert arranged.waiting == ()


def test_waiting_widens_the_accepted_range_of_ratings() -> None:
    arranged = match_queue(queue_players(1000, 1500), 2, {})
    for _ in range(3):
        assert arranged.games == ()
        arranged = match_queue(arranged.waiting, 2, {})
    assert arranged.games == (("a", "b"),)


def test_meetings_of_two_players_in_a_week_are_limited() -> None:
    weekly_meetings = {frozenset("ab"): MAX_WEEKLY_MEETINGS}
    arranged = match_queue(queue_players(1000, 1000, 1100), 2, weekly_meetings)
    assert arranged.games == (("a", "c"),)
    assert [player.key for player in arranged.waiting] == ["b"]
    assert match_queue(queue_players(1000, 1000), 2, weekly_meetings).games == ()


def test_tables_of_four_are_full_and_the_player_who_began_least_begins() -> None:
    waiting = [QueuedPlayer(key, 1000, firsts=firsts) for key, firsts in zip("abcde", (2, 1, 0, 3, 9), strict=True)]
    arranged = match_queue(waiting, 4, {})
    assert arranged.games == (("c", "b", "a", "d"),)
    assert [(player.key, player.waited) for player in arranged.waiting] == [("e", 1)]


def test_the_longest_waiting_player_is_paired_first() -> None:
    arranged = match_queue([QueuedPlayer("a", 1000), QueuedPlayer("b", 1010), QueuedPlayer("c", 1000, waited=1)], 2, {})
    assert arranged.games == (("a", "c"),)
