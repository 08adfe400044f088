"""What is fixed before the first move of any game: players, rules, and the order of everything that is shuffled.

The order follows from the seed alone: what is shuffled, in the order of the data files, is sorted by
``sha256(f"{seed}:{index}")``. So anybody can check a revealed seed with ten lines in any language.
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
"""The rules of new games; raised when a change of the engine would replay an old log differently.

Since 2, what asks all players beside a turn asks only those who are still in the game: the last of them has the choice
of what is left, and who has resigned does not count where all have no points.
"""
PLAYED_VERSIONS: Final = frozenset({1, 2})
"""The versions that this engine plays as they were: a running game keeps the rules with which it began."""
SetupValues = Mapping[str, Any]
"""What a setup is read from, by name: each value of the type that the game's own setup has there, and checks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup(ABC):
    """A game before its first move; each game adds what it needs. Its ``repr`` tells nothing that lies face down.

    Raises:
        NotationError: a number of players that cannot play, an unknown tile or expansion.
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
        """Everything that lies in an order by chance, beginning with the pile."""
        return self.pile

    @property
    def commitment(self) -> str:
        """SHA-256 of the seed and what it shuffled, which can be shown before the game and checked after it."""
        return sha256(f"{self.seed}:{','.join(self.shuffled)}".encode()).hexdigest()

    def with_tile(self, tile_id: str, place: int) -> Self:
        """The same setup with a tile at this place of the pile; what lies there is where that tile was."""
        pile = list(self.pile)
        if pile[place] == tile_id:
            return self
        at = pile.index(tile_id)
        pile[at], pile[place] = pile[place], pile[at]
        return replace(self, pile=tuple(pile))

    @abstractmethod
    def particulars(self) -> Mapping[str, object]:
        """What only this game's setups hold, as JSON values."""

    def to_json(self) -> str:
        """The setup as one line of JSON; :func:`engine.games.read_setup` reads it back."""
        value = {
            "game": self.game,
            "rules": self.rules,
            "players": self.players,
            "options": self.options.differences(),
            **self.particulars(),
            "seed": self.seed,
            "pile": self.pile,
        }
        return json.dumps(value, separators=(",", ":"))


def shuffled(ids: Iterable[str], seed: str) -> tuple[str, ...]:
    """The ids in the order that the seed gives."""
    keyed = [(sha256(f"{seed}:{index}".encode()).digest(), name) for index, name in enumerate(ids)]
    return tuple(name for _, name in sorted(keyed))
