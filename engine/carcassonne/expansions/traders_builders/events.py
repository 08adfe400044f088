"""What happens with trade goods, see :mod:`engine.events`."""

from __future__ import annotations

from dataclasses import dataclass

from engine.actions import Seat
from engine.events import Event


@dataclass(frozen=True, slots=True)
class GoodsTaken(Event):
    """A player took so many goods of a kind from a city that he completed."""

    player: Seat
    kind: str
    count: int
