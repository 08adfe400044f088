"""Recordings with a part missing, and a helper that replays one through a command and returns its output.

The tests of the recordings use them to show that a missing decision is reported instead of guessed.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

from tests.golden.recordings import Line


def replay_and_print(main: Callable[[Sequence[str]], int], folder: Path, recording: Sequence[Line]) -> list[Line]:
    """Replay a recording through a command; return the printed lines, of which only the last may be an error."""
    file = folder / "recording.jsonl"
    file.write_text("\n".join(map(json.dumps, recording)))
    with redirect_stdout(StringIO()) as output:
        status = main([str(file)])
    lines: list[Line] = [json.loads(line) for line in output.getvalue().splitlines()]
    assert not any("error" in line for line in lines[:-1])
    assert status == int("error" in lines[-1])
    return lines


def incomplete_versions(recording: Sequence[Line], number: int) -> Iterator[list[Line]]:
    """Yield the recording without one line, without each key of it, and without lots of its bazaar or their keys."""
    before, line, after = recording[:number], recording[number], recording[number + 1 :]
    yield [*before, *after]
    yield from ([*before, _without(line, key), *after] for key in line)
    if "bazaar" in line:
        bazaar, lots = line["bazaar"], line["bazaar"]["lots"]
        for lots_left in (lots[1:], [], *([_without(lots[0], key), *lots[1:]] for key in lots[0])):
            yield [*before, {"bazaar": bazaar | {"lots": lots_left}}, *after]


def _without(line: Line, key: str) -> Line:
    """Return a line without one of its keys."""
    return {name: value for name, value in line.items() if name != key}
