"""The topics of the first lesson that belong to the base game, and the moments at which they come up."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from cogs.presenting.lesson_topics import LEARNER, Topic
from engine.carcassonne import DeployFollower, FeatureKind, PlaceTile, Position
from engine.events import Event

_LAST_TILES: Final = 6
"""Tiles left in the pile at which whose points they are is explained, at the latest."""


def _lays_tile(position: Position, _: Sequence[Event]) -> bool:
    """Return True if the learner is to lay a tile."""
    return isinstance(position.step, PlaceTile)


def _laid(kind: FeatureKind, position: Position, _: Sequence[Event]) -> bool:
    """Return True if the tile that the learner has just laid shows a feature of this kind."""
    step = position.step
    return isinstance(step, DeployFollower) and any(feature.kind == kind for feature in position.features_at(step.cell))


def _meets_other(position: Position, _: Sequence[Event]) -> bool:
    """Return True if the tile that the learner has just laid continues a feature of somebody else."""
    step = position.step
    return isinstance(step, DeployFollower) and any(
        figure.player != LEARNER for feature in position.features_at(step.cell) for figure in feature.followers
    )


def _is_near_end(position: Position) -> bool:
    """Return True if the learner is to lay one of the last tiles, perhaps without ever having met the other player."""
    return isinstance(position.step, PlaceTile) and position.pile_left <= _LAST_TILES


TOPICS: Final = (
    Topic("tile", _lays_tile),
    Topic("follower", _lays_tile),
    *(
        Topic(kind.value, partial(_laid, kind), is_recalled=True, is_told_at_end=kind == FeatureKind.FIELD)
        for kind in (FeatureKind.ROAD, FeatureKind.CITY, FeatureKind.MONASTERY, FeatureKind.FIELD)
    ),
    Topic("majority", _meets_other, _is_near_end, is_recalled=True),
)
