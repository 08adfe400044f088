"""What a player may work out before he makes a move: the game with everything face down exchanged for something else.

A move that is only planned is carried out on such a position, so that nothing in a plan can depend on what its player
does not know: where the marker lands on a corner, the real wall tile might ask for a decision that another would not.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from engine.the_castle import Position, wall


def veiled(position: Position) -> Position:
    """A copy in which the order of the pile, and of the wall tiles that nobody has taken, tell nothing.

    What lies on the wall follows from what has been taken alone: the highest numbers of those not seen yet, which do
    nothing before the end of the game.
    """
    setup, corners = position.setup, wall().corners
    taken = {corner: setup.wall_tile_on(corner) for corner in position.taken}
    unseen = sorted((Counter(setup.wall_tiles) - Counter(taken.values())).elements(), reverse=True)
    hidden = iter(unseen)
    lying = [taken[corner] if corner in taken else next(hidden) for corner in corners]
    drawn, left = setup.pile[: position.next_tile], setup.pile[position.next_tile :]
    other = position.copy()
    other.setup = replace(setup, seed="", pile=(*drawn, *sorted(left)), wall_tiles=(*lying, *hidden))
    return other
