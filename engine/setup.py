"""What is fixed before the first move: players, rules, tiles and the order of the pile.

The order follows from the seed alone: the tiles of all sets, in the order of the data files, are sorted by
``sha256(f"{seed}:{index}")``. So anybody can check a revealed seed with ten lines in any language.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, Final

from engine.errors import NotationError
from engine.expansions import DEFAULT_EXPANSIONS, REGISTRY
from engine.options import Options
from engine.tiles import TileKind, tile, tile_set

BASE_SET: Final = "base"
START_TILE: Final = "base/D"
RULES_VERSION: Final = 1
"""Raised when a change of the engine would replay an old log differently."""
MIN_PLAYERS: Final = 2
MAX_PLAYERS: Final = 6


@dataclass(frozen=True, slots=True)
class Setup:
    """A game before its first move.

    Raises:
        NotationError: a number of players outside 2 to 6 (SU-08), an unknown tile or expansion.
    """

    players: int
    pile: tuple[str, ...]
    seed: str = ""
    options: Options = field(default_factory=Options)
    expansions: tuple[str, ...] = DEFAULT_EXPANSIONS
    start_tile: str = START_TILE
    start_rotation: int = 0
    rules: int = RULES_VERSION

    def __post_init__(self) -> None:
        if not MIN_PLAYERS <= self.players <= MAX_PLAYERS:
            raise NotationError(f"{self.players} players: 2 to 6 can play")
        unknown = [name for name in self.expansions if name not in REGISTRY]
        if unknown:
            raise NotationError(f"unknown expansion {unknown[0]!r}")
        if self.start_rotation not in {0, 90, 180, 270}:
            raise NotationError(f"rotation {self.start_rotation}: only quarter turns")
        try:
            for tile_id in (*self.pile, self.start_tile):
                tile(tile_id)
        except KeyError as error:
            raise NotationError(f"unknown tile {error.args[0]!r}") from error

    @property
    def commitment(self) -> str:
        """SHA-256 of seed and pile, which can be shown before the game and checked after it."""
        return sha256(f"{self.seed}:{','.join(self.pile)}".encode()).hexdigest()

    def to_json(self) -> str:
        """The setup as one line of JSON."""
        value: dict[str, Any] = {
            "rules": self.rules,
            "players": self.players,
            "expansions": self.expansions,
            "options": self.options.differences(),
            "start": [self.start_tile, self.start_rotation],
            "seed": self.seed,
            "pile": self.pile,
        }
        return json.dumps(value, separators=(",", ":"))

    @staticmethod
    def from_json(text: str) -> Setup:
        """Read what :meth:`to_json` wrote.

        Raises:
            NotationError: the text is no setup.
        """
        try:
            value = json.loads(text)
            start_tile, start_rotation = value["start"]
            return Setup(
                players=value["players"],
                pile=tuple(value["pile"]),
                seed=value["seed"],
                options=Options.of(value["options"]),
                expansions=tuple(value["expansions"]),
                start_tile=start_tile,
                start_rotation=start_rotation,
                rules=value["rules"],
            )
        except (KeyError, TypeError, ValueError) as error:
            raise NotationError(f"not a setup: {error}") from error


def box(expansions: Iterable[str]) -> list[TileKind]:
    """All tiles of the base game and these expansions, each as often as it is in the box, the start tile left out."""
    tiles = [
        kind
        for name in (BASE_SET, *(REGISTRY[expansion].tile_set for expansion in expansions))
        for kind in tile_set(name).values()
        for _ in range(kind.count)
    ]
    tiles.remove(tile(START_TILE))
    return tiles


def shuffled(tiles: Iterable[TileKind], seed: str) -> tuple[str, ...]:
    """The ids of the tiles in the order that the seed gives."""
    keyed = [(sha256(f"{seed}:{index}".encode()).digest(), kind.id) for index, kind in enumerate(tiles)]
    return tuple(tile_id for _, tile_id in sorted(keyed))


def new_setup(
    *, players: int, seed: str, options: Options | None = None, expansions: tuple[str, ...] = DEFAULT_EXPANSIONS
) -> Setup:
    """A game with its pile shuffled by the seed (SU-03).

    Raises:
        NotationError: a number of players outside 2 to 6, or an unknown expansion.
    """
    unknown = [name for name in expansions if name not in REGISTRY]
    if unknown:
        raise NotationError(f"unknown expansion {unknown[0]!r}")
    return Setup(
        players=players,
        pile=shuffled(box(expansions), seed),
        seed=seed,
        options=options or Options(),
        expansions=expansions,
    )
