"""The sources of points when several castles score in one round (CA-28a step 5, CA-47 to CA-50).

A castle scores the points of one structure that was completed near it, or of one castle near it that scores in the same
round; this is its source. Chains are allowed, cycles are not. Castles are numbers from 0. A source is one number, too:
the root of a structure (0 or more), or ``-1 - i`` for the points of castle ``i``. Codes such as CA-28a are rules of the
rule digest.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Sources:
    """The possible sources of each castle, in the order of choosing, and the points of each structure (``values``).

    ``chosen``, in all methods, are the sources chosen so far, by castle.
    """

    options: Mapping[int, tuple[int, ...]]
    values: Mapping[int, int]

    def offered(self, castle: int, chosen: Mapping[int, int]) -> tuple[int, ...]:
        """Return the sources of a castle that form no cycle: every castle can still lead to a structure."""
        return tuple(
            source for source in self.options[castle] if self._all_reach_a_structure({**chosen, castle: source})
        )

    def forced(self, chosen: Mapping[int, int]) -> dict[int, int]:
        """Return the choices so far, and those that are forced because a castle has only one source left."""
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
        """Return the most points that a source can bring, given the choices so far; -1 if it leads only into a cycle.

        This is a graph search: any reachable structure can be reached without a cycle.
        """
        values: list[int] = []
        visited, waiting = {source}, [source]
        while waiting:
            reached = waiting.pop()
            if reached >= 0:
                values.append(self.values[reached])
                continue
            castle = -1 - reached
            next_sources = {chosen[castle]} if castle in chosen else set(self.options[castle])
            waiting += next_sources - visited
            visited |= next_sources
        return max(values, default=-1)

    def points(self, castle: int, chosen: Mapping[int, int]) -> int:
        """Return the points of a castle once all sources are chosen."""
        source = chosen[castle]
        return self.values[source] if source >= 0 else self.points(-1 - source, chosen)

    def _all_reach_a_structure(self, chosen: Mapping[int, int]) -> bool:
        """Return True if every castle can still get points from a structure, directly or through other castles."""
        supplied: set[int] = set()
        still_open = {**self.options, **{castle: (source,) for castle, source in chosen.items()}}
        while True:
            newly_supplied = {
                castle
                for castle in self.options.keys() - supplied
                if any(source >= 0 or -1 - source in supplied for source in still_open[castle])
            }
            if not newly_supplied:
                return len(supplied) == len(self.options)
            supplied |= newly_supplied
