"""Setups of Carcassonne: the expansions in play, the shuffled pile and the start tile.

Tiles are named by id, such as ``base/D``. A box can have a deck of its own, which is drawn before the other tiles; such
separate decks are the first part of the pile. Codes such as BA-04 are rules of the rule digest.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Final, NamedTuple

from engine import setup
from engine.caching import thread_safe_cache
from engine.carcassonne.base import BaseOptions
from engine.carcassonne.box import Deck
from engine.carcassonne.expansions import DEFAULT_EXPANSIONS, REGISTRY
from engine.carcassonne.options import Options
from engine.carcassonne.tiles import BASE_SET, TileKind, tile, tile_set
from engine.errors import NotationError
from engine.setup import shuffled

GAME: Final = "carcassonne"
"""The name of the game in setups and records."""
START_TILE: Final = "base/D"
"""The start tile of the base game (BA-04)."""
PILE: Final = "pile"
"""The name of the deck that every game has; it is drawn after all others."""
PLAYERS: Final = range(2, 7)
"""The possible numbers of players (SU-08)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup(setup.Setup):
    """A game of Carcassonne before its first move.

    Raises:
        NotationError: a number of players outside 2 to 6 (SU-08), an unknown tile or expansion.
    """

    game: ClassVar[str] = GAME
    options: BaseOptions = field(default_factory=Options)
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

    @property
    def decks(self) -> Mapping[str, tuple[str, ...]]:
        """The decks that make up the pile, by name: first the one drawn last, then the others in drawing order."""
        decks, start = {PILE: self.pile}, 0
        for deck in _separate_decks(self.expansions):
            end = next((at for at in range(start, len(self.pile)) if self.pile[at] not in deck.tiles), len(self.pile))
            decks[deck.name], decks[PILE], start = self.pile[start:end], self.pile[end:], end
        return decks

    @property
    def is_one_deck(self) -> bool:
        """True if the pile is the only deck."""
        return not _separate_decks(self.expansions)

    def game_fields(self) -> Mapping[str, object]:
        """Return the expansions and the start tile."""
        return {"expansions": self.expansions, "start": [self.start_tile, self.start_rotation]}

    @staticmethod
    def read(value: setup.SetupValues) -> Setup:
        """Create a setup from the values that :meth:`engine.setup.Setup.to_json` wrote.

        Raises:
            KeyError, TypeError, ValueError: a value is missing or invalid.
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
    """Raise a NotationError if an expansion is not in the registry."""
    for name in expansions:
        if name not in REGISTRY:
            raise NotationError(f"unknown expansion {name!r}")


def tiles_in_play(expansions: Iterable[str], options: BaseOptions | None = None, seed: str = "") -> list[TileKind]:
    """Return all tiles of the base game and these expansions, with their copies but without the start tile.

    Options and seed matter only for boxes whose content varies, such as misprinted ones, and for later editions.
    """
    expansions, options = tuple(expansions), options or Options()
    edition = next((name for box in REGISTRY.values() if box.edition and (name := box.edition(options))), "")
    tiles = list(_copies(_usual(BASE_SET, edition), {}))
    for entry in (REGISTRY[expansion] for expansion in expansions):
        if entry.tiles is not None:
            usual, counts = _usual(entry.tiles.name, edition), entry.counts
            tiles += _copies(usual, {} if counts is None else counts(usual, options, seed))
    for start in {START_TILE, start_tile(expansions)}:
        tiles.remove(tile(start))
    left_out = _left_out(expansions)
    return [kind for kind in tiles if kind.id not in left_out] if left_out else tiles


def _left_out(expansions: tuple[str, ...]) -> set[str]:
    """Return the tiles that stay in their boxes: beside other boxes in play, or without a deck of others."""
    left_out = {
        tile_id
        for name in expansions
        for other, tile_ids in REGISTRY[name].leaves_out.items()
        if other in expansions
        for tile_id in tile_ids
    }
    decks = [deck for name in expansions if (deck := REGISTRY[name].deck) is not None]
    brought = _brought(decks)
    return left_out.union(*(deck.only for deck in decks if deck.name not in brought))


def _brought(decks: Iterable[Deck]) -> set[str]:
    """Return the names of the decks that a box brings with all its tiles."""
    return {deck.name for deck in decks if not deck.only}


def _usual(name: str, edition: str) -> Mapping[TileKind, int]:
    """Return the tiles of a set with the usual number of copies in an edition."""
    return {kind: kind.copies(edition) for kind in tile_set(name).values()}


def _copies(usual: Mapping[TileKind, int], counts: Mapping[str, int]) -> Iterator[TileKind]:
    """Yield each tile as often as ``counts`` says, or as usual."""
    return (kind for kind, count in usual.items() for _ in range(counts.get(kind.id, count)))


def start_tile(expansions: Iterable[str]) -> str:
    """Return the id of the tile that lies on the table before the first move."""
    expansions = tuple(expansions)
    starts, left_out = (REGISTRY[name].start for name in expansions), _left_out(expansions)
    return next((start for start in starts if start is not None and start not in left_out), START_TILE)


class _SeparateDeck(NamedTuple):
    """The tiles that form a separate deck, and those that are drawn first and last of it."""

    name: str
    tiles: frozenset[str]
    tops: frozenset[str]
    bottoms: frozenset[str]


@thread_safe_cache
def _separate_decks(expansions: tuple[str, ...]) -> tuple[_SeparateDeck, ...]:
    """Return the separate decks, in the order of drawing."""
    parts: dict[str, list[tuple[Deck, Iterable[str]]]] = {}
    boxes = [REGISTRY[name] for name in expansions]
    brought = _brought(box.deck for box in boxes if box.deck is not None)
    for box in boxes:
        if box.deck is not None and box.tiles is not None and box.deck.name in brought:
            parts.setdefault(box.deck.name, []).append((box.deck, box.deck.only or tile_set(box.tiles.name)))
    return tuple(
        _SeparateDeck(
            name,
            frozenset(tile_id for _, tiles in shared for tile_id in tiles),
            frozenset(deck.top for deck, _ in shared),
            frozenset(deck.bottom for deck, _ in shared),
        )
        for name, shared in parts.items()
    )


def sorted_by_deck(tiles: Iterable[str], expansions: tuple[str, ...]) -> tuple[str, ...]:
    """Sort tiles by their decks, with the top tile of each deck first and the bottom tile last; else keep the order."""
    decks = _separate_decks(expansions)
    if not decks:
        return tuple(tiles)

    def place(tile_id: str) -> tuple[int, int]:
        for number, deck in enumerate(decks):
            if tile_id in deck.tiles:
                return number, (tile_id in deck.bottoms) - (tile_id in deck.tops)
        return len(decks), 0

    return tuple(sorted(tiles, key=place))


def new_setup(
    *, players: int, seed: str, options: BaseOptions | None = None, expansions: tuple[str, ...] = DEFAULT_EXPANSIONS
) -> Setup:
    """Create a setup with its pile shuffled by the seed (SU-03); separate decks lie on top, in the order of drawing.

    Raises:
        NotationError: a number of players outside 2 to 6, or an unknown expansion.
    """
    require_known(expansions)
    return Setup(
        players=players,
        pile=sorted_by_deck(shuffled((kind.id for kind in tiles_in_play(expansions, options, seed)), seed), expansions),
        seed=seed,
        options=options or Options(),
        expansions=expansions,
        start_tile=start_tile(expansions),
    )
