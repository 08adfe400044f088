"""Caches shared by worker threads are filled once, even if several threads make the first call concurrently.

A cached function without a lock computes its result twice if two threads call it at the same moment, and the two
results are different objects. `first_use.py` lists the caches and how to call them.
"""

import subprocess
import sys
from pathlib import Path

from tests.cogs.first_use import CALLS, cached_functions, is_locked


def test_concurrent_first_calls_return_the_same_object() -> None:
    command = [sys.executable, "-m", "tests.cogs.first_use"]
    process = subprocess.run(command, cwd=Path(__file__).parents[2], capture_output=True, text=True, check=False)  # noqa: S603
    assert (process.stdout, process.stderr, process.returncode) == ("", "", 0)


def test_every_shared_cache_is_filled_under_a_lock() -> None:
    assert [name for name, function in cached_functions().items() if not is_locked(function)] == []


def test_the_check_calls_every_cache() -> None:
    assert CALLS.keys() == cached_functions().keys()
