"""What is worked out once and then kept, however many threads ask for it at the same moment.

``functools.cache`` alone lets two threads that miss at once make two values. Tiles are compared by identity, so half a
box of one making and half of another is no box. Here the value is made under a lock: who comes second waits for it.

A function that is kept so never waits, while it works, for another one that waits for it: the locks are taken in the
order of the calls.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache, wraps
from threading import RLock
from typing import Generic, ParamSpec, Self, TypeVar, cast, overload

P = ParamSpec("P")
T = TypeVar("T")
O = TypeVar("O")  # noqa: E741


def thread_safe_cache(make: Callable[P, T]) -> Callable[P, T]:
    """Keep what a function returns for each of its arguments, for as long as the process lives.

    The lock is only taken for what has not been made yet; what has been costs no more than ``functools.cache``.
    """
    return cast("Callable[P, T]", cache(_locked(cache(make))))


def thread_safe_lru_cache(most: int) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Keep as many values as this; what has not been asked for longest goes first, and is made again when needed."""

    def keeping(make: Callable[P, T]) -> Callable[P, T]:
        return _locked(cast("Callable[P, T]", lru_cache(maxsize=most)(make)))

    return keeping


def _locked(make: Callable[P, T]) -> Callable[P, T]:
    lock = RLock()

    @wraps(make)
    def made(*args: P.args, **kwargs: P.kwargs) -> T:
        with lock:
            return make(*args, **kwargs)

    return made


class lazy_property(Generic[O, T]):  # noqa: N801 - it is used like ``property``
    """A property that each object works out for itself and keeps; such an object belongs to one thread.

    In Python 3.11 ``functools.cached_property`` has one lock for all objects of a class: what one thread works out at
    length for its own object, all other threads would wait for.
    """

    def __init__(self, make: Callable[[O], T]) -> None:
        self._make = make
        self.__doc__ = make.__doc__

    def __set_name__(self, owner: type[O], name: str) -> None:
        self._name = name

    @overload
    def __get__(self, instance: None, owner: type[O]) -> Self: ...
    @overload
    def __get__(self, instance: O, owner: type[O]) -> T: ...
    def __get__(self, instance: O | None, owner: type[O]) -> Self | T:
        if instance is None:
            return self
        value = instance.__dict__[self._name] = self._make(instance)
        return value
