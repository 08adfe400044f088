"""The matchmaking queue."""

from tournaments.lasting.ladder import MAX_WEEKLY_MEETINGS, QueuedPlayer, arrange


def queue(*ratings: int) -> list[QueuedPlayer]:
    return [QueuedPlayer(chr(ord("a") + number), rating) for number, rating in enumerate(ratings)]


def test_the_nearest_play_each_other_and_nobody_plays_twice() -> None:
    found = arrange(queue(1000, 1900, 1050, 1850), 2, {})
    assert found.games == (("a", "c"), ("b", "d"))
    assert found.waiting == ()


def test_who_is_too_far_apart_waits_and_reaches_further_each_time() -> None:
    found = arrange(queue(1000, 1500), 2, {})
    for _ in range(3):
        assert found.games == ()
        found = arrange(found.waiting, 2, {})
    assert found.games == (("a", "b"),)


def test_nobody_meets_the_same_too_often_in_a_week() -> None:
    met = {frozenset("ab"): MAX_WEEKLY_MEETINGS}
    found = arrange(queue(1000, 1000, 1100), 2, met)
    assert found.games == (("a", "c"),)
    assert [each.key for each in found.waiting] == ["b"]
    assert arrange(queue(1000, 1000), 2, met).games == ()


def test_tables_of_four_are_full_and_who_began_least_begins() -> None:
    waiting = [QueuedPlayer(key, 1000, firsts=firsts) for key, firsts in zip("abcde", (2, 1, 0, 3, 9), strict=True)]
    found = arrange(waiting, 4, {})
    assert found.games == (("c", "b", "a", "d"),)
    assert [(each.key, each.waited) for each in found.waiting] == [("e", 1)]


def test_who_has_waited_longest_chooses_first() -> None:
    found = arrange([QueuedPlayer("a", 1000), QueuedPlayer("b", 1010), QueuedPlayer("c", 1000, waited=1)], 2, {})
    assert found.games == (("a", "c"),)
