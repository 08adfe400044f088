"""The Castle's part in the text forms of positions and records, see :mod:`engine.notation`.

A position is a list of tags, such as ``[Keeps "- -"]``; the agenda, the stack of what is to be decided and done, is a
list of words, such as ``deploy:1:F5``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import ClassVar, Final, TypeVar

from engine.actions import FOLLOWER
from engine.board import Follower, SegmentNumber
from engine.geometry import Cell
from engine.grammar.language import Notation
from engine.grammar.tags import Tag, Tags, counts_text, quoted, read_counts, remaining_names, split_pile
from engine.grammar.words import (
    CELL,
    PLAYER,
    SEGMENT,
    AgendaWord,
    FieldCodec,
    read_player,
    read_seat,
    read_segment,
    seat_text,
    segment_text,
)
from engine.setup import SetupValues
from engine.the_castle import steps
from engine.the_castle.final import FinalScoring
from engine.the_castle.position import Position
from engine.the_castle.setup import Setup, new_setup
from engine.the_castle.table import Keep
from engine.the_castle.tilefile import DEFAULT_TILE_SET, default_tile_set, read_tiles, tile_set_text
from engine.the_castle.tiles import FeatureKind, TileKind, TileSet
from engine.the_castle.wall import ALL_WALL_TILES, WallTile, wall

T = TypeVar("T")
"""The type of one entry of a list."""

PILE: Final = "pile"
"""The name of the deck of castle tiles."""
WALL: Final = "wall"
"""The name of the deck of wall tiles."""
MAX_TILES: Final = 100
"""The most tiles of a pile that is read: more than fit into the castle."""
FRESH_MARK: Final = "!"
"""The word before the tile whose placement is not over yet."""
NOTHING: Final = "-"
"""Written for a player without a keep or without wall tiles."""
_TILE: Final = re.compile(r"([A-Z]{1,2}\d{1,3})/(0|90|180|270):([^\s:]{1,40}):([1-9])", re.ASCII)
"""A laid tile: cell, rotation, kind and the number of the seat that laid it, such as ``F5/90:D20:1``."""
_DRAWING: Final = re.compile(
    r'\[[A-Za-z0-9_-]{1,12}\]|segments = \["[^"\\]{1,80}"(?:, "[^"\\]{1,80}")*\]|flags = \["square"\]', re.ASCII
)
"""The pattern of a line of a tile set as :func:`engine.the_castle.tilefile.tile_set_text` writes it."""
_FIGURE: Final = re.compile(r"([1-9])@(\S{1,40})", re.ASCII)
"""A figure: the number of its seat and a segment, such as ``1@F5.path.N``."""


def _read_segments(position: Position, text: str) -> tuple[SegmentNumber, ...]:
    """Read several features, each named by one of its segments."""
    return tuple(read_segment(position.ward, entry) for entry in text.split(","))


def _read_tile(position: Position, text: str) -> TileKind:
    """Read a tile of the set that the game is played with."""
    kind = position.setup.tiles.kinds.get(text)
    if kind is None:
        raise ValueError(f"unknown tile {text!r}")
    return kind


def _read_laid(position: Position, text: str) -> Cell:
    """Read the cell of a tile that has been laid."""
    cell = Cell.parse(text)
    if position.tile_at(cell) is None:
        raise ValueError(f"no tile on {text!r}")
    return cell


_SEGMENTS: Final = FieldCodec(
    lambda position, numbers: ",".join(segment_text(position.ward, number) for number in numbers), _read_segments
)
"""Several features, each by one of its segments."""
_PLAYER: Final = {"player": PLAYER}
"""The fields of a step or task that only has a player."""


class CastleNotation(Notation[Position, Setup]):
    """The tags of The Castle: the tile set, the ward, the keeps, and the wall tiles taken."""

    words: ClassVar = (
        AgendaWord("next", steps.NextTurn, {"after": PLAYER}),
        AgendaWord("begin", steps.BeginTurn, _PLAYER),
        AgendaWord("draw", steps.Draw, _PLAYER),
        AgendaWord(
            "place", steps.PlaceTile, {"player": PLAYER, "tile": FieldCodec(lambda _, kind: kind.id, _read_tile)}
        ),
        AgendaWord("deploy", steps.DeployFollower, {"player": PLAYER, "cell": FieldCodec(CELL.write, _read_laid)}),
        AgendaWord("score", steps.ScoringRound, _PLAYER),
        AgendaWord("rest", steps.ScoreNext, {"player": PLAYER, "features": _SEGMENTS}),
        AgendaWord(
            "choose", steps.ChooseFeature, {"player": PLAYER, "features": _SEGMENTS}, build=steps.feature_question
        ),
        AgendaWord(
            "double", steps.DoubleFeature, {"player": PLAYER, "segment": SEGMENT}, build=steps.doubling_question
        ),
        AgendaWord("over", steps.TurnOver, _PLAYER),
        AgendaWord("again", steps.ExtraTurn, _PLAYER),
        AgendaWord("end", FinalScoring),
    )
    signs: ClassVar = MappingProxyType(
        {FeatureKind.TOWER: "#", FeatureKind.PATH: "=", FeatureKind.COURT: ".", FeatureKind.HOUSE: "^"}
    )

    # -- setups ---------------------------------------------------------------------------------------------------

    def setup_tags(self, setup: Setup) -> Iterator[Tag]:
        """Yield a tile set other than the built-in one, and the pile: its size, or its tiles if not the whole box."""
        if setup.tiles.name != DEFAULT_TILE_SET:
            yield Tag("Drawings", tile_set_text(setup.tiles))
        whole = sorted(setup.pile) == sorted(setup.tiles.kinds)
        yield Tag("Pile", str(len(setup.pile)) if whole else counts_text(setup.pile))

    def read_setup(self, tags: Tags, fixed: SetupValues) -> Setup:
        """Read a setup; its pile and its wall tiles are sorted by name."""
        tiles = tags.read_or("Drawings", _read_drawings, default_tile_set())
        whole = tuple(sorted(tiles.kinds))
        pile = tags.read("Pile", lambda text: whole if text == str(len(whole)) else read_counts(text, MAX_TILES))
        return Setup(**fixed, pile=pile, wall_tiles=ALL_WALL_TILES, tiles=tiles)

    # -- chance ---------------------------------------------------------------------------------------------------

    def decks(self, setup: Setup) -> Mapping[str, tuple[str, ...]]:
        """Return the pile, and the numbers of the wall tiles."""
        return {PILE: setup.pile, WALL: tuple(str(int(kind)) for kind in setup.wall_tiles)}

    def with_decks(self, setup: Setup, decks: Mapping[str, tuple[str, ...]], seed: str) -> Setup:
        """Return the setup with another order of its pile and wall tiles."""
        wall_tiles = tuple(WallTile(int(name)) for name in decks[WALL])
        return replace(setup, pile=decks[PILE], wall_tiles=wall_tiles, seed=seed)

    def from_seed(self, setup: Setup) -> Setup:
        """Return the setup as its seed alone would have shuffled it."""
        shuffled = new_setup(players=setup.players, seed=setup.seed, options=setup.options, tiles=setup.tiles)
        return replace(shuffled, rules=setup.rules)

    def revealed(self, position: Position) -> Mapping[str, Sequence[int]]:
        """Return the indices of the tiles drawn and of the wall tiles taken."""
        corners = wall().corners
        return {PILE: range(position.next_tile), WALL: sorted(corners.index(corner) for corner in position.taken)}

    # -- positions ------------------------------------------------------------------------------------------------

    def position_tags(self, position: Position) -> Iterator[Tag]:
        """Yield the tiles left by name, the tiles, figures and keeps on the table, and the wall tiles turned up."""
        ward = position.ward
        yield Tag("FaceDown", counts_text(position.setup.pile[position.next_tile :]))
        yield Tag("Tiles", " ".join(_tiles_text(position)))
        figures = (figure for figures in ward.holders for figure in figures)
        yield Tag(
            "Figures", " ".join(f"{one.player + 1}@{segment_text(position.ward, one.segment)}" for one in figures)
        )
        yield Tag("Keeps", " ".join(_keep_text(position, keep) for keep in position.keeps))
        taken = (f"{corner}={int(position.setup.wall_tile_on(corner))}" for corner in position.taken)
        yield Tag("Taken", " ".join(taken))
        yield Tag("Hands", " ".join(_kinds_text(hand) for hand in position.hands))
        if position.taken_this_turn:
            yield Tag("Fresh", _kinds_text(position.taken_this_turn))
        if position.moved_markers:
            yield Tag("Moved", " ".join(map(seat_text, position.moved_markers)))
        if position.wall_cleared:
            yield Tag("Cleared", "yes")

    def read_position(self, setup: Setup, tags: Tags) -> Position:
        """Read the table."""
        drawn, remaining = tags.read("FaceDown", lambda text: split_pile(setup.pile, text, MAX_TILES))
        taken = tags.read("Taken", _read_taken)
        position = Position(replace(setup, pile=drawn + remaining, wall_tiles=_on_wall(taken)), begin=False)
        position.next_tile = len(drawn)
        position.taken = tuple(taken)
        tags.read("Tiles", lambda text: _lay(position, text))
        tags.read("Figures", lambda text: _put_figures(position, text))
        position.keeps = tags.read("Keeps", lambda text: _by_seat(position, text, _read_keep))
        position.hands = tags.read("Hands", lambda text: _by_seat(position, text, _read_hand))
        position.taken_this_turn = tags.read_or("Fresh", _read_kinds, ())
        position.moved_markers = tags.read_or(
            "Moved", lambda text: tuple(read_player(position, entry) for entry in text.split()), ()
        )
        position.wall_cleared = tags.read_or("Cleared", lambda text: text == "yes", default=False)
        return position


def _read_drawings(text: str) -> TileSet:
    """Read a tile set, but only in the exact form that is written here.

    Arbitrary TOML from untrusted text could take too much time and memory.
    """
    for line in text.splitlines():
        if _DRAWING.fullmatch(line) is None:
            raise ValueError(f"not a drawing: {quoted(line)}")
    return read_tiles(text)


# -- the ward ---------------------------------------------------------------------------------------------------------


def _tiles_text(position: Position) -> Iterator[str]:
    """Yield the laid tiles in their order."""
    newest = len(position.ward.order) - 1
    for placed in position.placed():
        if placed.number == newest and position.ward.touched:
            yield FRESH_MARK
        yield f"{placed.cell.label}/{placed.rotation}:{placed.tile.id}:{seat_text(placed.player)}"


def _lay(position: Position, text: str) -> None:
    """Lay the tiles of a text in their order."""
    ward, fresh = position.ward, False
    for entry in text.split():
        if entry == FRESH_MARK and not fresh:
            fresh = True
            ward.touched.clear()
            continue
        match = _TILE.fullmatch(entry)
        if match is None:
            raise ValueError(f"not a tile: {entry!r}")
        label, rotation, name, seat = match.groups()
        cell = Cell.parse(label)
        if cell.square not in wall().inside or cell.square in ward.placed:
            raise ValueError(f"no place for a tile: {entry!r}")
        face = _read_tile(position, name).faces[int(rotation) // 90]
        ward.place(cell.square, face, read_seat(seat, position.players))
    if not fresh:
        ward.touched.clear()


def _put_figures(position: Position, text: str) -> None:
    """Put figures on their features."""
    ward = position.ward
    for entry in text.split():
        match = _FIGURE.fullmatch(entry)
        if match is None:
            raise ValueError(f"not a figure: {entry!r}")
        number = read_segment(position.ward, match[2])
        ward.holders[ward.find(number)] += (Follower(read_player(position, match[1]), FOLLOWER, number),)


# -- what the players own --------------------------------------------------------------------------------------------


def _by_seat(position: Position, text: str, read: Callable[[Position, str], T]) -> list[T]:
    """Read one entry for each player."""
    entries = text.split()
    if len(entries) != position.players:
        raise ValueError(f"{len(entries)} entries for {position.players} players")
    return [read(position, entry) for entry in entries]


def _keep_text(position: Position, keep: Keep | None) -> str:
    """Write a keep: the size of its house, and a segment of the house."""
    return NOTHING if keep is None else f"{keep.size}:{segment_text(position.ward, keep.segment)}"


def _read_keep(position: Position, text: str) -> Keep | None:
    """Read a keep: the size of its house, and one of the house's segments."""
    if text == NOTHING:
        return None
    size, _, segment = text.partition(":")
    return Keep(int(size), read_segment(position.ward, segment))


def _kinds_text(kinds: Sequence[WallTile]) -> str:
    """Write wall tiles by their numbers."""
    return ",".join(str(int(kind)) for kind in kinds) or NOTHING


def _read_kinds(text: str) -> tuple[WallTile, ...]:
    """Read what :func:`_kinds_text` wrote."""
    return () if text == NOTHING else tuple(WallTile(int(entry)) for entry in text.split(","))


def _read_hand(_: Position, text: str) -> tuple[WallTile, ...]:
    """Read a player's wall tiles."""
    return tuple(sorted(_read_kinds(text)))


def _read_taken(text: str) -> dict[int, WallTile]:
    """Read the wall tiles taken, by corner tower."""
    taken: dict[int, WallTile] = {}
    for entry in text.split():
        corner, _, kind = entry.partition("=")
        if int(corner) not in wall().corners or int(corner) in taken:
            raise ValueError(f"no wall tile there: {entry!r}")
        taken[int(corner)] = WallTile(int(kind))
    return taken


def _on_wall(taken: Mapping[int, WallTile]) -> tuple[WallTile, ...]:
    """Return the wall tiles with the taken ones at their places and the others sorted by number."""
    numbers = [str(int(kind)) for kind in taken.values() if kind is not WallTile.HIDDEN]
    others = iter(WallTile(int(name)) for name in remaining_names([str(int(kind)) for kind in ALL_WALL_TILES], numbers))
    on_corners = [taken[corner] if corner in taken else next(others) for corner in wall().corners]
    return (*on_corners, *others)[: len(ALL_WALL_TILES)]
