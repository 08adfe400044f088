"""Which structure feeds which castle, when several castles score in one round (CA-28a step 5, CA-47 to CA-50).

Castles are numbers from 0; a source is the root of a structure (0 or more), or ``-1 - i``: the points of castle ``i``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Sources:
    """The sources open to each castle, in the order in which the holders choose, and what structures are worth."""

    options: Mapping[int, tuple[int, ...]]
    values: Mapping[int, int]

    def offered(self, castle: int, chosen: Mapping[int, int]) -> tuple[int, ...]:
        """The sources of a castle that close no circle: after the choice every castle still leads to a structure."""
        return tuple(source for source in self.options[castle] if self._all_lead_somewhere({**chosen, castle: source}))

    def forced(self, chosen: Mapping[int, int]) -> dict[int, int]:
        """The choices so far and all that follow from them, because only one source is left."""
        fixed = dict(chosen)
        while True:
            single = {
                castle: offered[0]
                for castle in self.options
                if castle not in fixed and len(offered := self.offered(castle, fixed)) == 1
            }
            if not single:
                return fixed
            castle = next(iter(single))
            fixed[castle] = single[castle]

    def best(self, source: int, chosen: Mapping[int, int]) -> int:
        """The most that a source can bring, as far as the others have chosen; below 0 on a circle.

        Whatever can be reached is reached without going in a circle, so this is a search through a graph.
        """
        values: list[int] = []
        seen, ahead = {source}, [source]
        while ahead:
            reached = ahead.pop()
            if reached >= 0:
                values.append(self.values[reached])
                continue
            castle = -1 - reached
            following = {chosen[castle]} if castle in chosen else set(self.options[castle])
            ahead += following - seen
            seen |= following
        return max(values, default=-1)

    def points(self, castle: int, chosen: Mapping[int, int]) -> int:
        """What a castle scores once everything is chosen."""
        source = chosen[castle]
        return self.values[source] if source >= 0 else self.points(-1 - source, chosen)

    def _all_lead_somewhere(self, chosen: Mapping[int, int]) -> bool:
        fed: set[int] = set()
        while True:
            more = {
                castle
                for castle, options in self.options.items()
                if castle not in fed
                and any(
                    source >= 0 or -1 - source in fed for source in ((chosen[castle],) if castle in chosen else options)
                )
            }
            if not more:
                return len(fed) == len(self.options)
            fed |= more
