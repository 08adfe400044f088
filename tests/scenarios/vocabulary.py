"""The words the scenarios are written in.

A cell is written ``"1,0"`` (x grows east, y south), a bridge ``"1,0 WE"``, a segment by its board oriented
name. The scenarios build their positions with :func:`engine.arrange.arrange` and act through these functions,
so that a scenario reads as given, when, then.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from typing import TypeVar

import pytest

from engine import IllegalActionError, parse_action, state_digest
from engine.actions import FOLLOWER, Action, Deploy, Pass, Place
from engine.carcassonne import Decline, DeployFollower, Position
from engine.carcassonne.built_positions import arrange
from engine.carcassonne.expansions.bridges_castles_bazaars import BuildBridge
from engine.events import Event, Scored
from engine.geometry import Axis, Cell
from engine.views import Feature

BCB = ("bridges-castles-bazaars",)
RED, BLUE, GREEN, YELLOW = range(4)

base_game = partial(arrange, expansions=())
"""An arranged position of the base game alone: no bridges, no castles, no bazaars."""

E = TypeVar("E")


def cell(where: str) -> Cell:
    """The cell written ``x,y``."""
    x, y = where.split(",")
    return Cell(int(x), int(y))


def bridge(spot: str) -> BuildBridge:
    """The action that builds the bridge written ``x,y axis``."""
    where, axis = spot.split()
    return BuildBridge(cell(where), Axis(axis))


def place(where: str, rotation: int, *, aid: str | None = None) -> Action:
    """Laying the tile in hand, with the bridge that makes it legal, if one is needed."""
    return parse_action(f"{cell(where).label}/{rotation}{'' if aid is None else bridge(aid)}")


def lay(
    position: Position,
    where: str,
    rotation: int = 0,
    *,
    aid: str | None = None,
    build: str | None = None,
    deploy: str | None = None,
) -> list[Event]:
    """Play a turn as far as its player decides it alone (tile, bridge, follower); return what happened.

    ``aid`` is a bridge that the placement needs, ``build`` one that it does not need; ``deploy`` is a segment, or
    ``builder@segment`` for another figure than a follower.
    """
    events = list(position.apply(place(where, rotation, aid=aid)))
    if build is not None:
        events += position.apply(bridge(build))
    if deploy is not None:
        events += position.apply(parse_action(deploy) if "@" in deploy else Deploy(deploy))
    return events + passing(position)


def put(
    position: Position, where: str, rotation: int = 0, *, aid: str | None = None, build: str | None = None
) -> Position:
    """Lay the tile in hand and stop where a follower may be deployed."""
    position.apply(place(where, rotation, aid=aid))
    if build is not None:
        position.apply(bridge(build))
    return position


def passing(position: Position) -> list[Event]:
    """Pass, if a follower could be deployed now."""
    return list(position.apply(Pass())) if isinstance(position.step, DeployFollower) else []


def only(kind: type[E], events: Iterable[object]) -> list[E]:
    """The events of one kind, in order."""
    return [event for event in events if isinstance(event, kind)]


def points(events: Iterable[object]) -> list[tuple[int, int]]:
    """Return the scores in order, as (seat, points). A follower that returns without points is left out."""
    return [(scored.player, scored.points) for scored in only(Scored, events) if scored.points]


def spots(position: Position) -> set[str]:
    """The names of the segments on which a follower may be deployed now."""
    return spots_of(position, FOLLOWER)


def spots_of(position: Position, figure: str) -> set[str]:
    """The names of the segments on which a figure may be deployed now."""
    return {
        action.segment for action in position.legal_actions if isinstance(action, Deploy) and action.figure == figure
    }


def bridges(position: Position) -> set[str]:
    """The bridges that may be built now, as ``x,y axis``."""
    return {
        f"{action.cell.x},{action.cell.y} {action.axis}"
        for action in position.legal_actions
        if isinstance(action, BuildBridge)
    }


def placements(position: Position, where: str) -> set[str]:
    """Return the placements on a cell: ``"90"``, or ``"90 with 1,0 WE"`` if a bridge is needed."""
    return set(_placements(position, cell(where)))


def _placements(position: Position, where: Cell) -> Iterator[str]:
    for action in position.legal_actions:
        if isinstance(action, Place) and action.cell == where:
            aid = action.aid
            needed = "" if aid is None else f" with {aid.cell.x},{aid.cell.y} {aid.axis}"
            yield f"{action.rotation}{needed}"


def fits_without_bridge(position: Position) -> bool:
    """Return True if the tile in hand fits anywhere without a bridge."""
    return any(isinstance(action, Place) and action.aid is None for action in position.legal_actions)


def may_decline(position: Position) -> bool:
    """Return True if the tile in hand may be declined (BR-13)."""
    return Decline() in position.legal_actions


def feature(position: Position, where: str, segment: str) -> Feature:
    """The feature that a segment on a cell belongs to."""
    return position.feature_at(cell(where), segment)


def tiles_of(found: Feature) -> int:
    """On how many tiles a feature lies, each counted once (BA-18)."""
    return len({where for where, _ in found.parts})


def standing(position: Position) -> set[tuple[int, str, str]]:
    """Return where the followers stand: (seat, ``x,y``, name of the segment)."""
    followers = [(one.player, f"{one.cell.x},{one.cell.y}", one.segment.name) for one in position.standing_figures()]
    assert len(followers) == len(set(followers)), "a follower is shown twice"
    return set(followers)


def refused(position: Position, action: Action) -> None:
    """Assert that an action is illegal, and that trying it changes nothing."""
    before = state_digest(position)
    assert action not in position.legal_actions
    with pytest.raises(IllegalActionError):
        position.apply(action)
    assert state_digest(position) == before
