"""Recorded games, as other programs wrote them: how a file is read, and how it is told what our engine says."""

from __future__ import annotations

import gzip
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

from engine import EngineError

Line = dict[str, Any]
"""One line of a recording, or what the engine says in its place."""
T = TypeVar("T")


class RecordingError(ValueError):
    """The recording decides something that the engine does not ask, or leaves out what it asks."""


class Recorded(dict[str, Any]):
    """An object of a recording, which says so if it lacks what is wanted of it."""

    def __missing__(self, key: str) -> Any:
        raise RecordingError(f"the recording says nothing of {key!r}, but of {', '.join(self) or 'nothing'}")


def read_recording(path: Path) -> list[Line]:
    """The lines of a recording, its header first; compressed or not."""
    data = path.read_bytes()
    text = (gzip.decompress(data) if path.suffix == ".gz" else data).decode()
    return [json.loads(line, object_hook=Recorded) for line in text.splitlines() if line.strip()]


def retold(recording: Sequence[Line], begin: Callable[[Line], T], tell: Callable[[T, Line], Line]) -> list[Line]:
    """Begin a game by the header and return what ``tell`` says to each further line.

    The last line reads ``{"error": …}`` when the engine refuses a decision, or the recording lacks one.
    """
    if not recording:
        return [{"error": "RecordingError: the recording is empty"}]
    said: list[Line] = []
    try:
        game = begin(recording[0])
        for line in recording[1:]:
            said.append(tell(game, line))  # noqa: PERF401 - what was said before an error is kept
    except (EngineError, RecordingError) as error:
        said.append({"error": f"{type(error).__name__}: {error}"})
    return said


def print_facts(paths: Sequence[str], replay: Callable[[Sequence[Line]], list[Line]]) -> int:
    """Print what the engine says to every file; 1 when it refused a decision."""
    refused = False
    for path in paths:
        for said in replay(read_recording(Path(path))):
            refused = refused or "error" in said
            sys.stdout.write(json.dumps(said, separators=(",", ":")) + "\n")
    return int(refused)
