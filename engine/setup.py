"""Setups: everything that is fixed before the first move, including the order of the shuffled tiles.

The order follows from the seed alone: the tiles, in the order of the data files, are sorted by
``sha256(f"{seed}:{index}")``. A hash of seed and order (the commitment) is published before the game and the seed after
it, so that any player can check with ten lines of code, in any language, that nothing was exchanged.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import Any, ClassVar, Final, Self

from engine.options import Options

RULES_VERSION: Final = 2
"""The rules version of new games; raised when a change of the engine would replay an old log differently.

Since version 2, steps that ask all players in turn count only those who are still in the game: the last of them may
choose among the things left, and players who have resigned do not count where a rule asks whether all have 0 points.
"""
PLAYED_VERSIONS: Final = frozenset({1, 2})
"""The rules versions that this engine can play: a running game keeps the version with which it began."""
SetupValues = Mapping[str, Any]
"""The fields of a stored setup by name; the game's own setup class checks their values."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup(ABC):
    """A game before its first move; each game adds its own fields. Its ``repr`` reveals nothing that lies face down.

    Raises:
        NotationError: an impossible number of players, an unknown tile or an unknown expansion.
    """

    game: ClassVar[str]
    """The game's name in :data:`engine.games.GAMES`."""

    players: int
    pile: tuple[str, ...] = field(repr=False)
    options: Options
    seed: str = field(default="", repr=False)
    expansions: tuple[str, ...] = ()
    rules: int = RULES_VERSION

    @property
    def shuffled(self) -> tuple[str, ...]:
        """Everything that was shuffled, in its order, beginning with the pile."""
        return self.pile

    @property
    def commitment(self) -> str:
        """SHA-256 of the seed and of the shuffled order: published before the game, checked after it."""
        return sha256(f"{self.seed}:{','.join(self.shuffled)}".encode()).hexdigest()

    def with_tile(self, tile_id: str, place: int) -> Self:
        """Return the setup with a tile swapped to this place of the pile."""
        pile = list(self.pile)
        if pile[place] == tile_id:
            return self
        index = pile.index(tile_id)
        pile[index], pile[place] = pile[place], pile[index]
        return replace(self, pile=tuple(pile))

    @abstractmethod
    def game_fields(self) -> Mapping[str, object]:
        """Return the fields that only this game's setups have, as JSON values."""

    def to_json(self) -> str:
        """Return the setup as one line of JSON; :func:`engine.games.read_setup` reads it back."""
        value = {
            "game": self.game,
            "rules": self.rules,
            "players": self.players,
            "options": self.options.differences(),
            **self.game_fields(),
            "seed": self.seed,
            "pile": self.pile,
        }
        return json.dumps(value, separators=(",", ":"))


def shuffled(ids: Iterable[str], seed: str) -> tuple[str, ...]:
    """Return the ids in the order that the seed determines."""
    keyed = [(sha256(f"{seed}:{index}".encode()).digest(), name) for index, name in enumerate(ids)]
    return tuple(name for _, name in sorted(keyed))
