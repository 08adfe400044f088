"""Caches that compute each value only once, even if several threads ask for it at the same moment.

``functools.cache`` alone lets two threads that miss at the same time compute two values. Tiles are compared by
identity, so a box must not mix tiles of two computations. Here a value is computed under a lock; a second thread waits.

Cached functions cannot deadlock as long as their calls form no cycle, since locks are taken in the order of the calls.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache, wraps
from threading import RLock
from typing import Generic, ParamSpec, Self, TypeVar, cast, overload

P = ParamSpec("P")
"""The parameters of a cached function."""
T = TypeVar("T")
"""The result of a cached function or property."""
O = TypeVar("O")  # noqa: E741
"""The object that has a lazy property."""


def thread_safe_cache(make: Callable[P, T]) -> Callable[P, T]:
    """Cache the results of a function without a limit.

    Only a miss takes the lock; a hit costs no more than with ``functools.cache``.
    """
    return cast("Callable[P, T]", cache(_locked(cache(make))))


def thread_safe_lru_cache(max_size: int) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Cache at most ``max_size`` results of a function and drop the least recently used."""

    def decorate(make: Callable[P, T]) -> Callable[P, T]:
        return _locked(cast("Callable[P, T]", lru_cache(maxsize=max_size)(make)))

    return decorate


def _locked(make: Callable[P, T]) -> Callable[P, T]:
    """Return a function that only one thread runs at a time; the thread that runs it may call it again."""
    lock = RLock()

    @wraps(make)
    def made(*args: P.args, **kwargs: P.kwargs) -> T:
        with lock:
            return make(*args, **kwargs)

    return made


class lazy_property(Generic[O, T]):  # noqa: N801 - it is used like ``property``
    """A property that each object computes once and stores; the object must belong to a single thread.

    In Python 3.11 ``functools.cached_property`` has one lock for all objects of a class, so threads would wait for the
    slow properties of each other's objects.
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
