"""Drawing ahead: nothing.

A tile of The Castle looks different with each neighbour at which its features end, and is kept together with the grass
that it lies on, so what a card will need cannot be guessed; the wall alone, which can, is a sixth of what a first card
waits for (a tenth of a second when a game begins, half a second or more late in one) and would take another 2 MiB.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from renderers.theme import DAY, Theme


def warm_up(_theme: Theme = DAY, _boxes: Collection[str] = ()) -> Iterator[None]:
    """No step at all."""
    return iter(())
