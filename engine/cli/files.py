"""Read and write the files of the commands; ``-`` stands for standard input or output."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from engine.grammar.tags import VERSION_KEY
from engine.notation.positions import VERSION as POSITION_VERSION
from engine.notation.positions import parse_position
from engine.notation.records import Record, read_record, records_in
from engine.position import Position

STANDARD: Final = "-"
"""The file name that stands for standard input or output."""


class FileError(Exception):
    """A file cannot be read or written; the message is for the user of the command line."""


def read_text(name: str) -> str:
    """Return the whole text of a file.

    Raises:
        FileError: the file does not exist or is not UTF-8.
    """
    try:
        raw = sys.stdin.buffer.read() if name == STANDARD else Path(name).read_bytes()
        return raw.decode("utf-8")
    except OSError as error:
        raise FileError(f"{name}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise FileError(f"{name}: not a text in UTF-8: {error.reason} at byte {error.start}") from error


def write_text(name: str, text: str) -> None:
    """Write a file, replacing an existing one.

    Raises:
        FileError: the file cannot be written.
    """
    if name == STANDARD:
        sys.stdout.write(text)
        return
    try:
        Path(name).write_text(text, encoding="utf-8")
    except OSError as error:
        raise FileError(f"{name}: {error.strerror}") from error


def read_records(name: str) -> Iterator[Record]:
    """Yield the records in a file.

    Raises:
        FileError: the file cannot be read.
        RecordError: it contains something else.
    """
    for first_line, text in records_in(read_text(name)):
        yield read_record(text, first_line=first_line)


def read_position(name: str, ply: int | None) -> Position:
    """Return the position in a file, or of its first record the position after ``ply`` actions (default: all).

    Raises:
        FileError: the file cannot be read, or the game has no such ply.
        RecordError: the file contains something else.
    """
    text = read_text(name)
    if text.lstrip().startswith(f'[{VERSION_KEY} "{POSITION_VERSION.split()[0]} '):
        return parse_position(text)
    first_line, first = next(records_in(text))
    record = read_record(first, first_line=first_line)
    if ply is not None and not 0 <= ply <= len(record.actions):
        raise FileError(f"{name}: the game has the plies 0 to {len(record.actions)}, not {ply}")
    return record.position(ply)
