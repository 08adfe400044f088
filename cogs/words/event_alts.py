"""Alt texts of the pictures of events: the same in words, for those who hear them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from cogs.texts import listed, t
from cogs.words.alt_texts import LONGEST
from cogs.words.names import isolated
from cogs.words.story import lines_within, units
from renderers.events import Sort

if TYPE_CHECKING:
    from renderers.events import BoxLine, BracketSide, CrossTable, Pairing, Rank, Section


_STANDING: Final = {Sort.LEFT: "event.alt.left", Sort.THROUGH: "event.alt.rising"}
"""How a place is told; all other sorts alike."""


def standings_alt(name: str, note: str, ranks: Sequence[Rank], columns: Sequence[str]) -> str:
    """Places, names and values, and what the values are."""
    lines = []
    for rank in ranks:
        key = _STANDING.get(rank.sort, "event.alt.standing")
        lines.append(t(key, place=rank.place, player=isolated(rank.name), values=" ".join(rank.values)))
    return _told("standings", name, note, lines, ", ", t("event.alt.columns", columns=listed(columns)))


def bracket_alt(name: str, note: str, headings: Sequence[str], rounds: Sequence[Sequence[Pairing]]) -> str:
    """Who meets whom, round by round, as far as it is known."""
    lines = [
        t("event.alt.match", heading=heading, one=_side(match.upper), other=_side(match.lower))
        for heading, column in zip(headings, rounds, strict=True)
        for match in column
        if match.upper.name and match.lower.name
    ]
    return _told("bracket", name, note, lines)


def round_alt(name: str, note: str, sections: Sequence[Section]) -> str:
    """The games, and what came of them."""
    lines = [
        t("event.alt.box", heading=box.heading or section.heading, lines=", ".join(map(_line, box.lines))).strip()
        for section in sections
        for box in section.boxes
    ]
    return _told("round", name, note, lines)


def cross_alt(name: str, note: str, tables: Sequence[CrossTable]) -> str:
    """The groups with everybody's points, and what came of each two."""
    return _told("cross", name, note, list(_groups(tables)), more=t("event.alt.in_turn"))


def _groups(tables: Sequence[CrossTable]) -> Iterator[str]:
    for table in tables:
        people = (
            t(
                "event.alt.against_left" if line.sort is Sort.LEFT else "event.alt.against",
                player=isolated(line.name),
                value=line.total,
                cells=" ".join(line.cells),
            )
            for line in table.lines
        )
        yield t("event.alt.box", heading=table.heading, lines=", ".join(people))


def _side(side: BracketSide) -> str:
    if side.note:
        return _noted(side.name, " ".join(filter(None, (side.games, side.note))))
    if side.sort is Sort.LEFT:
        return t("event.alt.side_left", player=isolated(side.name), value=side.games).rstrip(" ,")
    return _words(side.name, side.games, side.sort)


def _line(line: BoxLine) -> str:
    return _noted(line.name, line.value) if line.sort is Sort.LEFT else _words(line.name, line.value, line.sort)


def _words(name: str, value: str, sort: Sort) -> str:
    key = "event.alt.won" if sort is Sort.THROUGH else "event.alt.side"
    return t(key, player=isolated(name), value=value).rstrip()


def _noted(name: str, note: str) -> str:
    """A name with what stands there in place of a score."""
    return t("event.alt.noted", player=isolated(name), note=note)


def _told(kind: str, name: str, note: str, lines: Sequence[str], between: str = "; ", more: str = "") -> str:
    """The lines for which there is room, how many more there are, and what has to be known of them."""
    about = ", ".join(filter(None, [isolated(name), note]))
    room = LONGEST - units(f"{t(f'event.alt.{kind}', about=about, lines='')} {more}")
    text = t(f"event.alt.{kind}", about=about, lines=lines_within(lines, room, between))
    return " ".join(f"{text} {more}".split())
