"""The first thing that happens after a start happens in several threads at once."""

import subprocess
import sys
from pathlib import Path

from tests.cogs.first_use import ASKED, kept, under_lock


def test_threads_that_ask_at_the_same_moment_get_the_same_thing() -> None:
    command = [sys.executable, "-m", "tests.cogs.first_use"]
    ended = subprocess.run(command, cwd=Path(__file__).parents[2], capture_output=True, text=True, check=False)  # noqa: S603
    assert (ended.stdout, ended.stderr, ended.returncode) == ("", "", 0)


def test_everything_that_worker_threads_share_is_made_under_a_lock() -> None:
    assert [name for name, function in kept().items() if not under_lock(function)] == []


def test_all_of_it_is_asked_for_by_many_threads() -> None:
    assert ASKED.keys() == kept().keys()
