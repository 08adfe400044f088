"""Write and read the agenda of a position: a word for each step and task, followed by its fields.

The agenda is the stack of what is to be decided and done next (:mod:`engine.agenda`). Fields are separated by colons,
lists within a field by commas: ``deploy:2:M12`` is the step in which seat 2 may deploy a figure on M12.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Generic, NamedTuple, TypeVar

from engine.actions import NO_SEAT, Seat
from engine.agenda import Step, Task
from engine.board import Board, SegmentNumber
from engine.geometry import Cell
from engine.position import Position

AgendaEntry = Step[Any] | Task[Any]
"""An entry of the agenda of any game; only the words of that game know its type."""
P = TypeVar("P", bound=Position)
"""The position of a game."""
V = TypeVar("V")
"""The type of a field."""


class FieldCodec(NamedTuple, Generic[P, V]):
    """A codec of one field of an agenda entry; the position already has its table when the field is read.

    ``read`` raises ``ValueError`` or ``LookupError`` for invalid text.
    """

    write: Callable[[P, V], str]
    read: Callable[[P, str], V]


AnyFieldCodec = FieldCodec[Any, Any]
"""A codec in a collection: each one works on values of its own type."""


@dataclass(frozen=True, slots=True)
class AgendaWord:
    """The word for one kind of step or task.

    ``parts`` are its fields in order. ``flags`` are its boolean fields; the names of the true ones follow the other
    fields. ``build`` creates the entry from the position and the fields; without it, the fields are the arguments of
    ``kind``. Fields that follow from the position are not written.
    """

    name: str
    kind: type
    parts: Mapping[str, AnyFieldCodec] = field(default_factory=dict)
    flags: tuple[str, ...] = ()
    build: Callable[..., AgendaEntry] | None = None

    def written(self, position: Position, entry: AgendaEntry) -> str:
        """Return the text of an agenda entry."""
        fields = (part.write(position, getattr(entry, name)) for name, part in self.parts.items())
        return ":".join((self.name, *fields, *(name for name in self.flags if getattr(entry, name))))

    def read(self, position: Position, fields: list[str]) -> AgendaEntry:
        """Return the entry with these fields.

        Raises:
            ValueError, LookupError: the fields are invalid.
        """
        values, flags = fields[: len(self.parts)], fields[len(self.parts) :]
        if len(values) < len(self.parts) or flags != [name for name in self.flags if name in flags]:
            raise ValueError(f"{self.name!r} takes {', '.join((*self.parts, *self.flags)) or 'nothing'}")
        args = [part.read(position, text) for part, text in zip(self.parts.values(), values, strict=True)]
        true = {name: name in flags for name in self.flags}
        entry: AgendaEntry = self.kind(*args, **true) if self.build is None else self.build(position, *args, **true)
        return entry


def agenda_text(words: Iterable[AgendaWord], position: Position) -> str:
    """Return the agenda as text; its last word is the current step."""
    by_kind = {word.kind: word for word in words}
    return " ".join(by_kind[type(entry)].written(position, entry) for entry in position.agenda)


def read_agenda(words: Iterable[AgendaWord], position: Position, text: str) -> list[AgendaEntry]:
    """Read what :func:`agenda_text` wrote.

    Raises:
        ValueError, LookupError: the text is not a possible agenda of this position.
    """
    by_name = {word.name: word for word in words}
    agenda: list[AgendaEntry] = []
    for entry in text.split():
        name, *fields = entry.split(":")
        if name not in by_name:
            raise ValueError(f"nothing to do is called {name!r}")
        agenda.append(by_name[name].read(position, fields))
    return agenda


def seat_text(seat: Seat) -> str:
    """Return a seat counted from 1, or a dash for no player."""
    return "-" if seat == NO_SEAT else str(seat + 1)


def read_seat(text: str, players: int) -> Seat:
    """Read what :func:`seat_text` wrote.

    Raises:
        ValueError: there is no such seat.
    """
    if text == "-":
        return NO_SEAT
    if not (text.isascii() and text.isdecimal() and 1 <= int(text) <= players):
        raise ValueError(f"no seat {text!r}, only 1 to {players}")
    return Seat(int(text) - 1)


def read_player(position: Position, text: str) -> Seat:
    """Read the seat of a player.

    Raises:
        ValueError: there is no such seat, or the text is a dash.
    """
    seat = read_seat(text, position.players)
    if seat == NO_SEAT:
        raise ValueError("nobody sits in seat '-'")
    return seat


def read_number(text: str) -> int:
    """Read a number that is not negative.

    Raises:
        ValueError: the text is not such a number, or has more than six digits.
    """
    if not (text.isascii() and text.isdecimal() and len(text) <= 6):
        raise ValueError(f"not a number: {text!r}")
    return int(text)


def segment_text(board: Board, number: SegmentNumber) -> str:
    """Return the name of the segment with this global number.

    ``M12.city.N`` is the city segment of the tile on M12 that touches its north side.
    """
    cell, segment = board.part(number)
    return f"{cell.label}.{segment.name}"


def read_segment(board: Board, text: str) -> SegmentNumber:
    """Read what :func:`segment_text` wrote.

    Raises:
        ValueError, KeyError: there is no such segment.
    """
    label, _, name = text.partition(".")
    return board.number_of(Cell.parse(label), name)


PLAYER: Final[FieldCodec[Position, Seat]] = FieldCodec(lambda _, seat: seat_text(seat), read_player)
"""The seat of a player."""
CELL: Final[FieldCodec[Position, Cell]] = FieldCodec(lambda _, cell: cell.label, lambda _, text: Cell.parse(text))
"""A cell by its label."""
NUMBER: Final[FieldCodec[Position, int]] = FieldCodec(lambda _, number: str(number), lambda _, text: read_number(text))
"""A number that is not negative."""
SEGMENT: Final[FieldCodec[Position, SegmentNumber]] = FieldCodec(
    lambda position, number: segment_text(position.board, number),
    lambda position, text: read_segment(position.board, text),
)
"""A segment by its cell and name."""
