"""Caches compute each value once."""

from engine.caching import lazy_property, thread_safe_cache, thread_safe_lru_cache


def test_what_is_kept_for_good_is_made_once_for_each_argument() -> None:
    made: list[int] = []

    @thread_safe_cache
    def doubled(number: int) -> list[int]:
        """Twice as much."""
        made.append(number)
        return [2 * number]

    assert doubled(1) is doubled(1)
    assert doubled(2) == [4]
    assert made == [1, 2]
    assert doubled.__doc__ == "Twice as much."


def test_of_what_is_kept_for_a_while_the_longest_unused_goes_first() -> None:
    made: list[int] = []

    @thread_safe_lru_cache(2)
    def doubled(number: int) -> int:
        made.append(number)
        return 2 * number

    assert [doubled(number) for number in (1, 2, 1, 3, 1, 2)] == [2, 4, 2, 6, 2, 4]
    assert made == [1, 2, 3, 2]


def test_an_object_works_out_its_own_once() -> None:
    class Box:
        opened = 0

        @lazy_property
        def content(self) -> list[int]:
            """The content of the box."""
            self.opened += 1
            return [self.opened]

    box, other = Box(), Box()
    assert box.content is box.content
    assert box.content is not other.content
    assert (box.opened, other.opened) == (1, 1)
    assert Box.content.__doc__ == "The content of the box."
