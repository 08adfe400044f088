"""Positions with all features joined anew from the tiles: slow, to check the fast way of the engine."""

from __future__ import annotations

from functools import singledispatch
from typing import Any

from engine import carcassonne, the_castle
from engine.board import SegmentNumber
from engine.carcassonne.landscape import Landscape
from engine.the_castle.ward import Ward


@singledispatch
def rebuilt(position: Any) -> Any:
    """Return the same position with all features joined anew."""
    raise NotImplementedError(position)


@rebuilt.register
def _(position: carcassonne.Position) -> carcassonne.Position:
    rejoined = position.copy()
    land = Landscape(position.figures, position.land.vetoes, position.land.surrounded)
    numbers: dict[int, SegmentNumber] = {}
    for placed in position.land.placed.values():
        segments = land.segments(land.place(placed.square, placed.face, placed.player))
        numbers.update((placed.base + index, number) for index, (number, _) in enumerate(segments))
    for placed in position.land.placed.values():
        for number, segment in placed.added:
            numbers[number] = land.add_segment(placed.square, segment)
    for followers in position.land.holders:
        for follower in followers:
            moved = follower._replace(segment=numbers[follower.segment])
            land.holders[land.find(moved.segment)] += (moved,)
    for number, kind in zip(position.land.numbers, position.land.kind, strict=True):
        if position.land.find(number) == number:
            land.kind[land.find(numbers[number])] = kind
    land.touched.clear()
    rejoined.land = land
    return rejoined


@rebuilt.register
def _(position: the_castle.Position) -> the_castle.Position:
    rejoined = position.copy()
    rejoined.ward = Ward()
    for placed in position.placed():
        rejoined.ward.place(placed.square, placed.face, placed.player)
    for followers in position.ward.holders:
        for follower in followers:
            rejoined.ward.holders[rejoined.ward.find(follower.segment)] += (follower,)
    rejoined.ward.touched.clear()
    return rejoined
