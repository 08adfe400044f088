"""The engine's caches: each value is computed once, and the docstring of the wrapped function stays."""

from engine.caching import lazy_property, thread_safe_cache, thread_safe_lru_cache


def test_a_permanent_cache_computes_each_argument_once() -> None:
    computed: list[int] = []

    @thread_safe_cache
    def double(number: int) -> list[int]:
        """Twice as much."""
        computed.append(number)
        return [2 * number]

    assert double(1) is double(1)
    assert double(2) == [4]
    assert computed == [1, 2]
    assert double.__doc__ == "Twice as much."


def test_an_lru_cache_evicts_the_least_recently_used_value() -> None:
    computed: list[int] = []

    @thread_safe_lru_cache(2)
    def double(number: int) -> int:
        computed.append(number)
        return 2 * number

    assert [double(number) for number in (1, 2, 1, 3, 1, 2)] == [2, 4, 2, 6, 2, 4]
    assert computed == [1, 2, 3, 2]


def test_a_lazy_property_is_computed_once_per_object() -> None:
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
