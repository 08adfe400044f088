"""Read games recorded by other programs, and replay them line by line through our engine.

A recording is a file with a header, which describes the game, and a line of JSON for each turn.
"""

from __future__ import annotations

import gzip
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

from engine import EngineError

Line = dict[str, Any]
"""One line of a recording, or our engine's version of it."""
GameT = TypeVar("GameT")
"""The type of the object that replays a game."""


class RecordingError(ValueError):
    """The recording has a decision that the engine does not ask for, or lacks one that it asks for."""


class RecordedObject(dict[str, Any]):
    """An object of a recording that raises a readable error for a missing key."""

    def __missing__(self, key: str) -> Any:
        raise RecordingError(f"the recording says nothing of {key!r}, but of {', '.join(self) or 'nothing'}")


def read_recording(path: Path) -> list[Line]:
    """Read the lines of a recording, plain or compressed; the header comes first."""
    data = path.read_bytes()
    text = (gzip.decompress(data) if path.suffix == ".gz" else data).decode()
    return [json.loads(line, object_hook=RecordedObject) for line in text.splitlines() if line.strip()]


def replay_lines(
    recording: Sequence[Line], begin: Callable[[Line], GameT], replay_line: Callable[[GameT, Line], Line]
) -> list[Line]:
    """Start a game from the header; return the result of ``replay_line`` for each further line.

    The last line reads ``{"error": …}`` when the engine refuses a decision, or the recording lacks one.
    """
    if not recording:
        return [{"error": "RecordingError: the recording is empty"}]
    lines: list[Line] = []
    try:
        game = begin(recording[0])
        for line in recording[1:]:
            lines.append(replay_line(game, line))  # noqa: PERF401 - lines before an error are kept
    except (EngineError, RecordingError) as error:
        lines.append({"error": f"{type(error).__name__}: {error}"})
    return lines


def print_facts(paths: Sequence[str], replay: Callable[[Sequence[Line]], list[Line]]) -> int:
    """Print our engine's version of every file; return 1 if it refused a decision, else 0."""
    refused = False
    for path in paths:
        for lines in replay(read_recording(Path(path))):
            refused = refused or "error" in lines
            sys.stdout.write(json.dumps(lines, separators=(",", ":")) + "\n")
    return int(refused)
