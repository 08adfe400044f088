"""One test that looks at many small things, such as all tiles: pytest takes longer for a test than most of them do."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Protocol, TypeVar


class _Named(Protocol):
    """A value with an id."""

    @property
    def id(self) -> str: ...


Value = TypeVar("Value", bound=_Named)


def for_each(values: Collection[Value]) -> Callable[[Callable[[Value], None]], Callable[[], None]]:
    """Make a test of one value a test of all of these; the report of a failure names the value."""

    def decorate(check: Callable[[Value], None]) -> Callable[[], None]:
        def test() -> None:
            assert values
            for value in values:
                try:
                    check(value)
                except Exception as error:
                    error.add_note(f"with {value.id}")
                    raise

        test.__name__, test.__qualname__, test.__doc__ = check.__name__, check.__qualname__, check.__doc__
        test.__module__ = check.__module__
        return test

    return decorate
