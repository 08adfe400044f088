"""The games of a round as values for its pictures: tables with their seats, matches with their sides."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from cogs.panels.events.brackets import games_words, has_withdrawn
from cogs.texts import t
from cogs.words.events import pictured_name, value_words
from renderers.events import BoxLine, BracketBox, Section, Sort
from tournaments.duels.matches import matches
from tournaments.points import places
from tournaments.stages.knockout import losses
from tournaments.states import StageState

if TYPE_CHECKING:
    from host.events.views.values import EventView, RoundView, TableView


def sections_of(view: EventView, found: RoundView) -> list[Section]:
    """The games by what they have in common: in a double elimination how often their players have lost."""
    if not found.plan.duel:
        return [Section("", tuple(_table(view, found, table) for table in found.tables))]
    sides = _matches(view, found)
    if found.plan.kind != "double" or view.event is None:
        resting = [_resting(view, player) for player in without_match(found)]
        return [Section("", tuple(box for _, box in sides) + tuple(resting))]
    lost = _losses_before(view, found)
    headings = (t("event.picture.unbeaten"), t("event.picture.beaten"))
    parts: list[list[BracketBox]] = [[], []]
    for players, box in sides:
        parts[max(lost[player] for player in players) > 0].append(box)
    for player in found.state.byes:
        parts[lost[player] > 0].append(_resting(view, player))
    return [Section(heading, tuple(part)) for heading, part in zip(headings, parts, strict=True) if part]


def without_match(found: RoundView) -> tuple[int, ...]:
    """Return who has no match in a round: who has a bye, and the team that rests by the schedule of a round robin.

    Of players those who rest are left out: in groups of which all rounds are drawn at once there are many, and nobody
    waits for them.
    """
    return (*found.state.byes, *(found.state.resting if found.plan.boards else ()))


def boxes_of(sections: Iterable[Section]) -> Iterator[BracketBox]:
    """The boxes of several sections in a row."""
    for section in sections:
        yield from section.boxes


def _table(view: EventView, found: RoundView, table: TableView) -> BracketBox:
    outcome = table.outcome
    ranks = places(outcome, found.plan.ties) if outcome else ()
    lines = []
    for seat, player in enumerate(table.seats):
        value, sort = "", Sort.PLAYING
        if outcome is not None and seat in outcome.out:
            value, sort = t("event.picture.withdrew"), Sort.LEFT
        elif outcome is not None:
            value = t("event.picture.score", score=outcome.scores[seat], points=value_words(table.points[seat]))
            sort = Sort.THROUGH if ranks[seat] == 1 else Sort.PLAYING
        lines.append(BoxLine(pictured_name(view, player), value, seat, sort))
    return BracketBox(t("event.picture.table", number=table.number), tuple(lines))


def _matches(view: EventView, found: RoundView) -> list[tuple[tuple[int, int], BracketBox]]:
    state, gone = _stage(view, found), view.event.gone if view.event else frozenset()
    decided = {match.players[side]: match.points[side] for match in matches(found.state, found.plan) for side in (0, 1)}
    pairs: dict[int, tuple[int, int]] = {}
    for table in found.tables:
        pairs.setdefault(table.match, (table.seats[0], table.seats[1]))
    boxes = []
    for match, players in pairs.items():
        lines = []
        for player in players:
            points = decided.get(player)
            sort = Sort.PLAYING
            if points is not None:
                sort = Sort.THROUGH if points == 1 else Sort.BEATEN if points == 0 else Sort.PLAYING
            value = games_words(state, found.state, match, player)
            if has_withdrawn(state, found.state, match, player, gone):
                value, sort = " ".join(filter(None, (value, t("event.picture.withdrew")))), Sort.LEFT
            lines.append(BoxLine(pictured_name(view, player), value, sort=sort))
        boxes.append((players, BracketBox("", tuple(lines))))
    return boxes


def _resting(view: EventView, player: int) -> BracketBox:
    return BracketBox("", (BoxLine(pictured_name(view, player), t("event.picture.rests")),))


def _stage(view: EventView, found: RoundView) -> StageState:
    return view.event.stages[found.stage - 1] if view.event else StageState(found.stage, found.plan, [])


def _losses_before(view: EventView, found: RoundView) -> dict[int, int]:
    gone = view.event.gone if view.event else ()
    return losses(_stage(view, found), gone, found.number - 1)
