"""Helpers of the Carcassonne scenarios, which make each test read as given, when, then.

A scenario builds its position with ``arrange`` and acts through these functions. Text forms: a cell is ``"1,0"`` (x
grows east, y south), a tile is ``"base/D 1,0 90"`` (kind, cell, clockwise rotation), a bridge is ``"1,0 WE"`` (cell and
axis), a figure is ``"0 1,0 road.E"`` (seat, cell, segment). A segment is named by its kind and the sides that it
touches on the board. Each test is named after its rule, such as BR-10; ``docs/rules.md`` explains the ids.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from typing import TypeVar

import pytest

from engine import IllegalActionError, parse_action, state_digest
from engine.actions import FOLLOWER, Action, Deploy, Pass, Place
from engine.carcassonne import Decline, DeployFollower, Position
from engine.carcassonne.expansions.bridges_castles_bazaars import BuildBridge
from engine.events import Event, Scored
from engine.geometry import Axis, Cell
from engine.views import Feature
from gallery.built_positions import arrange

BCB = ("bridges-castles-bazaars",)
"""The expansions of most scenarios."""
RED, BLUE, GREEN, YELLOW = range(4)
"""The seats of the players."""

base_game = partial(arrange, expansions=())
"""An arranged position of the base game alone: no bridges, no castles, no bazaars."""

EventT = TypeVar("EventT")
"""A class of events."""


def cell(where: str) -> Cell:
    """Parse a cell that is written ``x,y``."""
    x, y = where.split(",")
    return Cell(int(x), int(y))


def bridge(spot: str) -> BuildBridge:
    """Return the action that builds the bridge written ``x,y axis``."""
    where, axis = spot.split()
    return BuildBridge(cell(where), Axis(axis))


def placement(where: str, rotation: int, *, aid: str | None = None) -> Action:
    """Return the action that places the tile in hand; ``aid`` is the bridge that makes the placement legal."""
    return parse_action(f"{cell(where).label}/{rotation}{'' if aid is None else bridge(aid)}")


def play_turn(
    position: Position,
    where: str,
    rotation: int = 0,
    *,
    aid: str | None = None,
    build: str | None = None,
    deploy: str | None = None,
) -> list[Event]:
    """Place the tile in hand, build a bridge, deploy a figure; return the events up to the next decision.

    ``aid`` is a bridge that the placement needs, ``build`` one that it does not need. ``deploy`` is a segment, or
    ``builder@segment`` for a figure other than a follower; without it the player passes.
    """
    events = list(position.apply(placement(where, rotation, aid=aid)))
    if build is not None:
        events += position.apply(bridge(build))
    if deploy is not None:
        events += position.apply(parse_action(deploy) if "@" in deploy else Deploy(deploy))
    return events + skip_deployment(position)


def place_tile(
    position: Position, where: str, rotation: int = 0, *, aid: str | None = None, build: str | None = None
) -> Position:
    """Place the tile in hand and stop where a follower may be deployed."""
    position.apply(placement(where, rotation, aid=aid))
    if build is not None:
        position.apply(bridge(build))
    return position


def skip_deployment(position: Position) -> list[Event]:
    """Pass if the player is asked to deploy a figure; return the events."""
    return list(position.apply(Pass())) if isinstance(position.step, DeployFollower) else []


def events_of(kind: type[EventT], events: Iterable[object]) -> list[EventT]:
    """Return the events of one type, in order."""
    return [event for event in events if isinstance(event, kind)]


def points(events: Iterable[object]) -> list[tuple[int, int]]:
    """Return the scores in order, as (seat, points). A follower that returns without points is left out."""
    return [(scored.player, scored.points) for scored in events_of(Scored, events) if scored.points]


def legal_segments(position: Position) -> set[str]:
    """Return the names of the segments on which a follower may be deployed now."""
    return legal_segments_for(position, FOLLOWER)


def legal_segments_for(position: Position, figure: str) -> set[str]:
    """Return the names of the segments on which this figure may be deployed now."""
    return {
        action.segment for action in position.legal_actions if isinstance(action, Deploy) and action.figure == figure
    }


def legal_bridges(position: Position) -> set[str]:
    """Return the bridges that may be built now, as ``x,y axis``."""
    return {
        f"{action.cell.x},{action.cell.y} {action.axis}"
        for action in position.legal_actions
        if isinstance(action, BuildBridge)
    }


def legal_placements(position: Position, where: str) -> set[str]:
    """Return the placements on a cell: ``"90"``, or ``"90 with 1,0 WE"`` if a bridge is needed."""
    return set(_placements(position, cell(where)))


def _placements(position: Position, where: Cell) -> Iterator[str]:
    """Yield the legal placements on a cell: the rotation, and the bridge that it needs."""
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
    """Return the feature to which a segment on a cell belongs."""
    return position.feature_at(cell(where), segment)


def tile_count(feature: Feature) -> int:
    """Return the number of tiles of a feature, each counted once (BA-18)."""
    return len({where for where, _ in feature.parts})


def standing_followers(position: Position) -> set[tuple[int, str, str]]:
    """Return where the followers stand: (seat, ``x,y``, name of the segment)."""
    followers = [
        (figure.player, f"{figure.cell.x},{figure.cell.y}", figure.segment.name)
        for figure in position.standing_figures()
    ]
    assert len(followers) == len(set(followers)), "a follower is shown twice"
    return set(followers)


def assert_illegal(position: Position, action: Action) -> None:
    """Assert that an action is illegal, and that trying it changes nothing."""
    before = state_digest(position)
    assert action not in position.legal_actions
    with pytest.raises(IllegalActionError):
        position.apply(action)
    assert state_digest(position) == before
