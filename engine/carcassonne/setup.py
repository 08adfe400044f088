"""What is fixed before the first move of Carcassonne: which boxes are played, their pile, the start tile."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final

from engine import setup
from engine.carcassonne.expansions import BCB, DEFAULT_EXPANSIONS, REGISTRY
from engine.carcassonne.misprint import first_print
from engine.carcassonne.options import Options
from engine.carcassonne.tiles import TileKind, tile, tile_set
from engine.errors import NotationError
from engine.setup import shuffled

GAME: Final = "carcassonne"
BASE_SET: Final = "base"
START_TILE: Final = "base/D"
PLAYERS: Final = range(2, 7)
"""How many can play (SU-08)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup(setup.Setup):
    """A game before its first move.

    Raises:
        NotationError: a number of players outside 2 to 6 (SU-08), an unknown tile or expansion.
    """

    game: ClassVar[str] = GAME
    options: Options = field(default_factory=Options)
    expansions: tuple[str, ...] = DEFAULT_EXPANSIONS
    start_tile: str = START_TILE
    start_rotation: int = 0

    def __post_init__(self) -> None:
        if self.players not in PLAYERS:
            raise NotationError(f"{self.players} players: 2 to 6 can play")
        require_known(self.expansions)
        if self.start_rotation not in {0, 90, 180, 270}:
            raise NotationError(f"rotation {self.start_rotation}: only quarter turns")
        try:
            for tile_id in (*self.pile, self.start_tile):
                tile(tile_id)
        except KeyError as error:
            raise NotationError(f"unknown tile {error.args[0]!r}") from error

    def particulars(self) -> Mapping[str, Any]:
        """The expansions and the start tile."""
        return {"expansions": self.expansions, "start": [self.start_tile, self.start_rotation]}

    @staticmethod
    def read(value: Mapping[str, Any]) -> Setup:
        """A setup from the values that :meth:`engine.setup.Setup.to_json` wrote.

        Raises:
            KeyError, TypeError, ValueError: something is missing or cannot be.
        """
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


def require_known(expansions: Iterable[str]) -> None:
    """Raise NotationError where an expansion is none of the registry's."""
    for name in expansions:
        if name not in REGISTRY:
            raise NotationError(f"unknown expansion {name!r}")


def box(expansions: Iterable[str], options: Options | None = None, seed: str = "") -> list[TileKind]:
    """All tiles of the base game and these expansions, each as often as it is in the box, the start tile left out.

    The seed matters only for the tiles that a misprinted box holds (option ``c2_tile_mix``).
    """
    tiles: list[TileKind] = []
    for name in (BASE_SET, *(REGISTRY[expansion].tile_set for expansion in expansions)):
        kinds = tile_set(name).values() if name else ()
        misprinted = name == BCB and options is not None and options.c2_tile_mix == "first_print"
        counts = first_print(kinds, seed) if misprinted else {kind.id: kind.count for kind in kinds}
        tiles += [kind for kind in kinds for _ in range(counts[kind.id])]
    tiles.remove(tile(START_TILE))
    return tiles


def new_setup(
    *, players: int, seed: str, options: Options | None = None, expansions: tuple[str, ...] = DEFAULT_EXPANSIONS
) -> Setup:
    """A game with its pile shuffled by the seed (SU-03).

    Raises:
        NotationError: a number of players outside 2 to 6, or an unknown expansion.
    """
    require_known(expansions)
    return Setup(
        players=players,
        pile=shuffled((kind.id for kind in box(expansions, options, seed)), seed),
        seed=seed,
        options=options or Options(),
        expansions=expansions,
    )
