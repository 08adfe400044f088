"""A pytest plugin that writes down which blocks each test executes and how many seconds of CPU it takes."""

from __future__ import annotations

import base64
import json
import os
import zlib
from collections.abc import Generator
from pathlib import Path

import pytest

from benchmarks.quick import blocks


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests() -> None:
    """Give this process, and those that it starts, a file of marks, before it imports the first module of the bot."""
    marks = Path(os.environ[blocks.FOLDER]) / f"marks-{os.getpid()}"
    marks.write_bytes(bytes(blocks.read_index().count))
    os.environ[blocks.MARKS] = str(marks)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Clear the marks before a test, and read them after it."""
    folder = Path(os.environ[blocks.FOLDER])
    with blocks.open_marks() as marks:
        marks[:] = bytes(len(marks))
        before = os.times()
        result = yield
        after = os.times()
        packed = base64.b85encode(zlib.compress(marks[:], 1)).decode()
    seconds = sum(after[:4]) - sum(before[:4])
    with (folder / f"recorded-{os.getpid()}.jsonl").open("a", encoding="utf-8") as file:
        file.write(json.dumps([item.nodeid, round(seconds, 3), packed]) + "\n")
    return result
