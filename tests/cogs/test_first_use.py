"""Caches shared by worker threads are filled once, even if several threads make the first call concurrently."""

import subprocess
import sys
from pathlib import Path

from tests.cogs.first_use import CALLS, cached_functions, is_locked


def test_concurrent_first_calls_return_the_same_object() -> None:
    command = [sys.executable, "-m", "tests.cogs.first_use"]
    ended = subprocess.run(command, cwd=Path(__file__).parents[2], capture_output=True, text=True, check=False)  # noqa: S603
    assert (ended.stdout, ended.stderr, ended.returncode) == ("", "", 0)


def test_every_shared_cache_is_filled_under_a_lock() -> None:
    assert [name for name, function in cached_functions().items() if not is_locked(function)] == []


def test_every_cache_is_called_by_the_check() -> None:
    assert CALLS.keys() == cached_functions().keys()
