"""Memory held by glibc: its number of arenas is limited, and free blocks are returned to the system.

An arena is a heap that glibc's allocator gives to a thread. `PROGRAM` runs in a process of its own: eight threads
allocate at the same time, then it counts the arenas.
"""

from __future__ import annotations

import asyncio
import ctypes
import subprocess
import sys
from pathlib import Path

import pytest

from operations import memory

PROGRAM = """
import ctypes, sys
from threading import Barrier, Thread
from operations.memory import limit_arenas

if sys.argv[1:]:
    limit_arenas()
together = Barrier(9)

def take():
    kept = [bytearray(20_000) for _ in range(20)]
    together.wait()
    together.wait()

threads = [Thread(target=take) for _ in range(8)]
for thread in threads:
    thread.start()
together.wait()
text, length = ctypes.c_char_p(), ctypes.c_size_t()
library = ctypes.CDLL(None)
library.open_memstream.restype = ctypes.c_void_p
stream = ctypes.c_void_p(library.open_memstream(ctypes.byref(text), ctypes.byref(length)))
library.malloc_info(0, stream)
library.fclose(stream)
together.wait()
print(text.value.count(b"<heap "))
"""
"""A program whose threads allocate at once and which prints the number of arenas, by glibc's own report."""


def count_arenas(*arguments: str) -> int:
    """Run the program, with an argument to limit the arenas, and return what it printed."""
    result = subprocess.run(  # noqa: S603 - this very program
        [sys.executable, "-c", PROGRAM, *arguments], check=True, capture_output=True, text=True, timeout=60
    )
    return int(result.stdout)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has glibc")
def test_the_number_of_arenas_is_limited() -> None:
    if not hasattr(ctypes.CDLL(None), "malloc_info") or count_arenas() < 4:
        pytest.skip("this C library has no arenas for threads")
    assert count_arenas("shared") <= memory.ARENAS


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has glibc")
async def test_free_blocks_between_used_ones_are_returned(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "TRIM_INTERVAL_SECONDS", 0.001)
    blocks = [bytes(50_000) for _ in range(1_000)]
    in_use = blocks[::2]
    del blocks
    before = resident_mib()
    trimming = asyncio.create_task(memory.trim_regularly())
    async with asyncio.timeout(30):
        while resident_mib() > before - 15:
            assert not trimming.done(), "this C library returns nothing"
            await asyncio.sleep(0.01)
    trimming.cancel()
    assert len(in_use) == 500


def resident_mib() -> float:
    """Return the resident memory of this process."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096 / 2**20
