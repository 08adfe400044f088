"""Positions for the tests of the computer player: random games of every box, also with other hidden information."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random

from engine import GAMES, Position, begin
from engine.carcassonne import Position as CarcassonneGame
from engine.carcassonne.setup import sorted_by_deck
from engine.selfplay import random_action
from engine.the_castle import Position as CastleGame
from engine.the_castle import wall

ALL_BOXES = GAMES["carcassonne"].expansions
"""Every expansion that can be chosen."""
GAMES_PLAYED = [
    ("carcassonne", 2, (), ""),
    *(("carcassonne", 2, (box,), "") for box in ALL_BOXES),
    ("carcassonne", 3, ALL_BOXES, "c1_zmg"),
    ("carcassonne", 4, ALL_BOXES, ""),
    ("carcassonne", 6, ALL_BOXES[:1], "c2_zmg"),
    ("the-castle", 2, (), ""),
    ("the-castle", 2, (), "tc_rgg"),
]
"""Games by name, players, expansions and preset: every box alone, and all together by rules of several editions."""


def random_positions(
    name: str, players: int, expansions: tuple[str, ...], preset: str, seed: int
) -> Iterator[Position]:
    """Yield the position before each decision of a random game; it must not be changed."""
    game, random = GAMES[name], Random(seed)
    options = game.presets[preset] if preset else game.options()
    position = begin(game.new_setup(players=players, seed=f"{seed}", options=options, expansions=expansions))
    while position.step is not None:
        yield position
        position.apply(random_action(position, random))


def with_other_secrets(position: Position, random: Random) -> Position:
    """Return the position with other hidden information: face-down tiles in another order, and another seed."""
    other = position.copy()
    pile = list(position.setup.pile)
    hidden = [pile[at] for at in position.unseen]
    random.shuffle(hidden)
    if isinstance(position, CarcassonneGame):
        hidden = list(sorted_by_deck(hidden, position.setup.expansions))
    for at, tile_id in zip(position.unseen, hidden, strict=True):
        pile[at] = tile_id
    other.setup = replace(position.setup, pile=tuple(pile), seed="another")
    if isinstance(other, CastleGame):
        places = [place for place, corner in enumerate(wall().corners) if corner not in other.taken]
        places += range(len(wall().corners), len(other.setup.wall_tiles))
        kinds = [other.setup.wall_tiles[place] for place in places]
        random.shuffle(kinds)
        wall_tiles = list(other.setup.wall_tiles)
        for place, kind in zip(places, kinds, strict=True):
            wall_tiles[place] = kind
        other.setup = replace(other.setup, wall_tiles=tuple(wall_tiles))
    return other
