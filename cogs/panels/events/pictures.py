"""Standings, brackets, cross tables and rounds of an event as pictures: at most sixteen entries each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Final, TypeVar

from cogs.panels.events.brackets import brackets
from cogs.panels.events.groups import groups
from cogs.panels.events.round_boxes import boxes_of, sections_of
from cogs.presenting.presenter import Shown
from cogs.texts import t
from cogs.words.alt_texts import bracket_alt, cross_alt, round_alt, standings_alt
from cogs.words.events import pictured_name, pictured_title, round_title, stage_name, tie_break_words
from renderers import DAY, Picture, Theme
from renderers.events import MOST, Rank, Section, Sort, bracket, cross_tables, parted, round_sheet, standings_table
from tournaments.ranking import OF_LEAVERS

if TYPE_CHECKING:
    from host.events.views.values import EventView, RankView, RoundView

T = TypeVar("T")

COLUMNS: Final = 4
"""Values of a place that a picture shows, if there is room."""
HIDDEN: Final = frozenset({"lot", *OF_LEAVERS})
"""The lot, which decides last and tells nobody anything, and what the line through a name shows already."""


def standings_pictures(
    view: EventView, lines: Sequence[RankView], note: str = "", theme: Theme = DAY
) -> Iterator[Shown]:
    """The standings, those of later stages first, each stage with the columns that decide it."""
    for stage, group in groupby(lines, key=lambda line: line.stage):
        ranked = list(group)
        names = _columns(ranked)
        title = stage_name(view.stages[stage - 1]) if stage and len(view.stages) > 1 else ""
        ranks = [_rank(view, line, names, through=line.number in _going_on(view, lines)) for line in ranked]
        parts = parted(ranks)
        for number, part in enumerate(parts, 1):
            said = _note([title, note], number, len(parts))
            rising = any(rank.sort is Sort.THROUGH for rank in part)
            headings = [t(f"event.heading.{name}") for name in names]
            foot = t("event.picture.through") if rising else ""
            picture = standings_table(pictured_title(view), headings, part, note=said, foot=foot, theme=theme)
            yield Shown(_named(picture, f"standings-{stage}-{number}"), standings_alt(view.name, said, part, headings))


def _columns(lines: Sequence[RankView]) -> list[str]:
    values = max((line.values for line in lines), key=len, default=())
    return [name for name, _ in values if name not in HIDDEN][:COLUMNS]


def _rank(view: EventView, line: RankView, names: Sequence[str], *, through: bool) -> Rank:
    known = dict(line.values)
    values = tuple(tie_break_words(name, known[name]) if name in known else "" for name in names)
    sort = Sort.LEFT if line.gone else Sort.THROUGH if through else Sort.PLAYING
    first = line.rank == 1 and not line.gone
    return Rank(str(line.rank), pictured_name(view, line.number), values, sort, first=first)


def _going_on(view: EventView, lines: Sequence[RankView]) -> frozenset[int]:
    """Who would play the next stage if this one ended now."""
    event = view.event
    if event is None or event.stage is None or event.stage.number >= len(view.stages):
        return frozenset()
    size = view.stages[event.stage.number].size
    there = [line.number for line in lines if line.stage == event.stage.number and not line.gone]
    return frozenset(there[:size])


def bracket_pictures(view: EventView, stage: int, theme: Theme = DAY) -> Iterator[Shown]:
    """A knock-out from the newest round, or from the last four."""
    if view.event is None:
        return
    found = brackets(view, view.event.stages[stage - 1])
    for number, (headings, columns) in enumerate(found, 1):
        note = _note([stage_name(view.stages[stage - 1])], number, len(found))
        picture = bracket(pictured_title(view), headings, columns, note=note, theme=theme)
        yield Shown(_named(picture, f"bracket-{stage}-{number}"), bracket_alt(view.name, note, headings, columns))


def group_pictures(view: EventView, stage: int, theme: Theme = DAY) -> Iterator[Shown]:
    """Cross tables of round robins, as many groups in a picture as have room; none for larger groups."""
    if view.event is None:
        return
    tables = [table for table in groups(view, view.event.stages[stage - 1]) if len(table.lines) <= MOST]
    parts = _filled(tables, [len(table.lines) for table in tables])
    for number, part in enumerate(parts, 1):
        note = _note([stage_name(view.stages[stage - 1])], number, len(parts))
        picture = cross_tables(pictured_title(view), part, note=note, theme=theme)
        yield Shown(_named(picture, f"groups-{stage}-{number}"), cross_alt(view.name, note, part))


def round_pictures(view: EventView, found: RoundView, theme: Theme = DAY) -> Iterator[Shown]:
    """The games of a round with who sits where and what came of it."""
    sections = sections_of(view, found)
    pieces = [Section(section.heading, (box,)) for section in sections for box in section.boxes]
    parts = _filled(pieces, [len(piece.boxes[0].lines) for piece in pieces])
    for number, part in enumerate(parts, 1):
        joined = [
            Section(heading, tuple(boxes_of(group))) for heading, group in groupby(part, key=lambda one: one.heading)
        ]
        note = _note([round_title(found)], number, len(parts))
        picture = round_sheet(pictured_title(view), joined, note=note, theme=theme)
        named = _named(picture, f"round-{found.stage}-{found.number}-{number}")
        yield Shown(named, round_alt(view.name, note, joined))


def _filled(items: Sequence[T], weights: Sequence[int]) -> list[list[T]]:
    """Items in their order, as many together as a picture has room for."""
    parts: list[list[T]] = []
    room = 0
    for item, weight in zip(items, weights, strict=True):
        if weight > room:
            parts.append([])
            room = MOST
        parts[-1].append(item)
        room -= weight
    return parts


def _note(words: Iterable[str], number: int, count: int) -> str:
    what = " · ".join(word for word in words if word)
    return t("event.picture.part", what=what, number=number, count=count) if count > 1 else what


def _named(picture: Picture, name: str) -> Picture:
    """The picture under a name of its own: those of one message must differ."""
    return Picture(picture.data, f"{name}.png", picture.width, picture.height)
