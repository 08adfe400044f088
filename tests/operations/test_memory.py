from __future__ import annotations

import platform
import subprocess
import sys

import pytest

from operations import memory

ASKING = "from operations.memory import give_back_early; print(give_back_early())"


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only glibc can be told")
def test_glibc_is_told_to_give_memory_back() -> None:
    """In a process of its own: what is told holds for all of it."""
    told = subprocess.run([sys.executable, "-c", ASKING], capture_output=True, text=True, check=True)  # noqa: S603
    assert told.stdout == "True\n"


def test_where_nothing_can_be_told_nothing_happens(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory.ctypes, "CDLL", lambda _name: object())
    assert not memory.give_back_early()
