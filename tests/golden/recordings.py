"""Recorded games, as other programs wrote them: how a file is read, and how it is told what our engine says."""

from __future__ import annotations

import gzip
import json
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from engine import EngineError

Line = dict[str, Any]
"""One line of a recording, or what the engine says in its place."""


class RecordingError(ValueError):
    """The recording decides something that the engine does not ask."""


def read_recording(path: Path) -> list[Line]:
    """The lines of a recording, its header first; compressed or not."""
    data = path.read_bytes()
    text = (gzip.decompress(data) if path.suffix == ".gz" else data).decode()
    return [json.loads(line) for line in text.splitlines() if line.strip()]


def retold(lines: Iterable[Line], tell: Callable[[Line], Line]) -> list[Line]:
    """What ``tell`` says to each line; the last one reads ``{"error": …}`` when the engine refuses a decision."""
    said: list[Line] = []
    for line in lines:
        try:
            said.append(tell(line))
        except (EngineError, RecordingError) as error:
            said.append({"error": f"{type(error).__name__}: {error}"})
            break
    return said


def print_facts(paths: Sequence[str], replay: Callable[[Sequence[Line]], list[Line]]) -> int:
    """Print what the engine says to every file; 1 when it refused a decision."""
    refused = False
    for path in paths:
        for said in replay(read_recording(Path(path))):
            refused = refused or "error" in said
            sys.stdout.write(json.dumps(said, separators=(",", ":")) + "\n")
    return int(refused)
