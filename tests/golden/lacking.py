"""Recordings that lack something, and what a command that replays them prints then."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

from tests.golden.recordings import Line


def printed(main: Callable[[Sequence[str]], int], folder: Path, recording: Sequence[Line]) -> list[Line]:
    """Replay a recording and return the lines that are printed, of which only the last may be an error."""
    file = folder / "recording.jsonl"
    file.write_text("\n".join(map(json.dumps, recording)))
    with redirect_stdout(StringIO()) as output:
        status = main([str(file)])
    lines: list[Line] = [json.loads(line) for line in output.getvalue().splitlines()]
    assert not any("error" in line for line in lines[:-1])
    assert status == int("error" in lines[-1])
    return lines


def lacking(recording: Sequence[Line], number: int) -> Iterator[list[Line]]:
    """The recording without one line, without each part of it, and without the lots of a bazaar or parts of them."""
    before, line, behind = recording[:number], recording[number], recording[number + 1 :]
    yield [*before, *behind]
    yield from ([*before, _without(line, key), *behind] for key in line)
    if "bazaar" in line:
        bazaar, lots = line["bazaar"], line["bazaar"]["lots"]
        for left in (lots[1:], [], *([_without(lots[0], key), *lots[1:]] for key in lots[0])):
            yield [*before, {"bazaar": bazaar | {"lots": left}}, *behind]


def _without(line: Line, key: str) -> Line:
    return {name: value for name, value in line.items() if name != key}
