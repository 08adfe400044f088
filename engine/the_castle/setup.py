"""Setups of The Castle: the shuffled castle tiles and wall tiles.

Castle tiles are drawn and laid. Wall tiles are bonuses that lie face down on the corner towers of the castle wall.
Codes such as TC-01 are rules of the rule digest.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Final

from engine import setup
from engine.errors import NotationError
from engine.setup import shuffled
from engine.the_castle.options import Options
from engine.the_castle.tilefile import DEFAULT_TILE_SET, default_tile_set, read_tiles, tile_set_text
from engine.the_castle.tiles import TileSet
from engine.the_castle.wall import ALL_WALL_TILES, WallTile, wall

GAME: Final = "the-castle"
"""The name of the game in :data:`engine.games.GAMES`."""
PLAYERS: Final = range(2, 3)
"""The possible numbers of players (TC-01)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup(setup.Setup):
    """A game of The Castle before its first move.

    ``wall_tiles`` are all eighteen: first those on the corner towers in the order of the track, then those that go back
    into the box unseen (TC-10, TC-11); unknown ones are ``HIDDEN``. ``tiles`` is the tile set; it belongs to the setup,
    so that a game continues with the tiles with which it began.

    Raises:
        NotationError: not two players (TC-01), an unknown tile, other wall tiles than those of the box.
    """

    game: ClassVar[str] = GAME
    options: Options = field(default_factory=Options)
    wall_tiles: tuple[WallTile, ...] = field(repr=False)
    tiles: TileSet = field(default_factory=default_tile_set)

    def __post_init__(self) -> None:
        if self.players not in PLAYERS:
            raise NotationError(f"{self.players} players: only 2 can play")
        known = Counter(kind for kind in self.wall_tiles if kind is not WallTile.HIDDEN)
        if len(self.wall_tiles) != len(ALL_WALL_TILES) or not known <= Counter(ALL_WALL_TILES):
            raise NotationError(f"wall tiles {' '.join(map(str, map(int, self.wall_tiles)))}: the box holds others")
        for tile_id in self.pile:
            if tile_id not in self.tiles.kinds:
                raise NotationError(f"unknown tile {tile_id!r}")

    @property
    def shuffled(self) -> tuple[str, ...]:
        """The pile, followed by the numbers of the wall tiles."""
        return (*self.pile, *(str(int(kind)) for kind in self.wall_tiles))

    def wall_tile_on(self, corner: int) -> WallTile:
        """Return the wall tile that lies on a corner tower at first; a tower is named by its first space."""
        return self.wall_tiles[wall().corners.index(corner)]

    def game_fields(self) -> Mapping[str, object]:
        """Return the wall tiles, and the tile set if it is not the built-in one."""
        is_default = self.tiles.name == DEFAULT_TILE_SET
        return {"wall_tiles": self.wall_tiles, **({} if is_default else {"tiles": tile_set_text(self.tiles)})}

    @staticmethod
    def read(value: setup.SetupValues) -> Setup:
        """Create a setup from the values that :meth:`engine.setup.Setup.to_json` wrote.

        Raises:
            KeyError, TypeError, ValueError: a value is missing or invalid.
        """
        return Setup(
            players=value["players"],
            pile=tuple(value["pile"]),
            seed=value["seed"],
            options=Options.of(value["options"]),
            wall_tiles=tuple(map(WallTile, value["wall_tiles"])),
            tiles=read_tiles(value["tiles"]) if "tiles" in value else default_tile_set(),
            rules=value["rules"],
        )


def new_setup(
    *,
    seed: str,
    players: int = 2,
    options: Options | None = None,
    expansions: tuple[str, ...] = (),
    tiles: TileSet | None = None,
) -> Setup:
    """Create a setup with its pile and its wall tiles shuffled by the seed (TC-09, TC-10).

    The wall tiles are shuffled by a seed of their own, ``SEED:wall``, so that drawn tiles reveal nothing about them.

    Raises:
        NotationError: not two players (TC-01), or an expansion, of which there are none.
    """
    if expansions:
        raise NotationError(f"unknown expansion {expansions[0]!r}")
    tiles = tiles or default_tile_set()
    numbers = shuffled((str(int(kind)) for kind in ALL_WALL_TILES), f"{seed}:wall")
    return Setup(
        players=players,
        pile=shuffled(tiles.kinds, seed),
        seed=seed,
        options=options or Options(),
        wall_tiles=tuple(WallTile(int(number)) for number in numbers),
        tiles=tiles,
    )
