"""Tests of the order in which workers run tests, ``tests.dealing``."""

from __future__ import annotations

import pytest

from tests.dealing import dealt


@pytest.mark.parametrize("workers", [1, 2, 4, 7])
def test_every_worker_begins_with_its_share_of_the_long_tests(workers: int) -> None:
    tests = [*range(50, 0, -1), *range(100, 150)]
    order = dealt(tests, workers, lambda test: test % 10 == 0)
    assert sorted(order) == sorted(tests)
    begin = 0
    for remaining in range(workers, 0, -1):  # as xdist divides the tests that are left among the workers that are left
        block = order[begin : begin + (len(order) - begin) // remaining]
        begin += len(block)
        long = [test for test in block if test % 10 == 0]
        assert block[: len(long)] == long
        assert len(long) in {10 // workers, -(-10 // workers)}
    assert begin == len(order)


def test_short_tests_keep_their_order() -> None:
    assert dealt("aBcDeF", 1, str.isupper) == list("BDFace")
    assert dealt("aBcDeF", 2, str.isupper) == list("BacDFe")
