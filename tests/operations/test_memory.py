"""Memory that the C library keeps: the number of its arenas, and free blocks."""

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
"""Count the arenas by glibc's own report, since the map of the process shows other memory, too."""


def pools(*arguments: str) -> int:
    done = subprocess.run(  # noqa: S603 - this very program
        [sys.executable, "-c", PROGRAM, *arguments], check=True, capture_output=True, text=True, timeout=60
    )
    return int(done.stdout)


@pytest.mark.skipif(sys.platform != "linux", reason="only there glibc is")
def test_threads_share_their_memory() -> None:
    if not hasattr(ctypes.CDLL(None), "malloc_info") or pools() < 4:
        pytest.skip("this C library gives threads no memory of their own")
    assert pools("shared") <= memory.ARENAS


@pytest.mark.skipif(sys.platform != "linux", reason="only there glibc is")
async def test_what_is_free_between_pieces_in_use_is_given_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "TRIM_INTERVAL_SECONDS", 0.001)
    pieces = [bytes(50_000) for _ in range(1_000)]
    in_use = pieces[::2]
    del pieces
    before = resident_mib()
    working = asyncio.create_task(memory.trim_regularly())
    async with asyncio.timeout(30):
        while resident_mib() > before - 15:
            assert not working.done(), "this C library keeps everything"
            await asyncio.sleep(0.01)
    working.cancel()
    assert len(in_use) == 500


def resident_mib() -> float:
    """Memory of this process."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096 / 2**20
