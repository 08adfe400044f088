"""Carcassonne's part in the text forms of positions and records, see :mod:`engine.notation`.

A position is a list of tags; ``[Tiles "M13/0:base/D:- M12/90:base/E:1"]`` has the start tile and one laid by seat 1.
Boxes add tags and words through the codecs in their :class:`~engine.carcassonne.box.Box`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from types import MappingProxyType
from typing import ClassVar, Final

from engine.carcassonne.box import AddedSegmentCodec, ExtraCodec
from engine.carcassonne.expansions import REGISTRY
from engine.carcassonne.landscape import Landscape
from engine.carcassonne.position import Position
from engine.carcassonne.scoring import FinalScoring, PayStructures, SendHome
from engine.carcassonne.segments import TILE, follower_text, read_follower, read_tile
from engine.carcassonne.setup import PILE, Setup, new_setup, require_known, sorted_by_deck, start_tile, tiles_in_play
from engine.carcassonne.steps import DeployFollower, Draw, NextTurn, PlacementOver, PlaceTile, ScoringRound
from engine.carcassonne.table import Round
from engine.carcassonne.tiles import EDGE_KINDS, SURROUNDED_KINDS, FeatureKind, Segment
from engine.geometry import Cell
from engine.grammar.language import Notation
from engine.grammar.tags import Tag, Tags, counts_text, read_counts, split_pile
from engine.grammar.words import (
    CELL,
    PLAYER,
    AgendaWord,
    AnyFieldCodec,
    FieldCodec,
    read_player,
    read_seat,
    read_segment,
    seat_text,
    segment_text,
)
from engine.setup import SetupValues

MAX_TILES: Final = 500
"""The most tiles of a game that is read; a straight line of so many stays on the grid."""
FRESH_MARK: Final = "!"
"""The word before the tile whose placement is not over yet."""
_TILE: Final = re.compile(r"(-?[A-Z]{1,2}-?\d{1,3})/(0|90|180|270):([^\s:]{1,40}):(-|[1-9])", re.ASCII)
"""A laid tile: cell, rotation, kind and the seat that laid it (``-`` for none), such as ``M12/90:base/D:2``."""


def _read_laid(position: Position, text: str) -> Cell:
    """Read the cell of a tile that has been laid."""
    cell = Cell.parse(text)
    if cell.square not in position.land.placed:
        raise ValueError(f"no tile on {text!r}")
    return cell


LAID_CELL: Final = FieldCodec(CELL.write, _read_laid)
"""The cell of a tile that has been laid."""
_LAYING: Final[Mapping[str, AnyFieldCodec]] = {"player": PLAYER, "tile": TILE}
"""The fields of a step or task about a tile and the player who lays it."""

WORDS: Final = (
    AgendaWord("next", NextTurn, {"after": PLAYER}),
    AgendaWord("draw", Draw, {"player": PLAYER}),
    AgendaWord("place", PlaceTile, _LAYING, ("drawn",)),
    AgendaWord("deploy", DeployFollower, {"player": PLAYER, "cell": LAID_CELL}, ("built", "deployed")),
    AgendaWord("score", ScoringRound, _LAYING, ("drawn",)),
    AgendaWord("over", PlacementOver, _LAYING, ("drawn",)),
    AgendaWord("pay", PayStructures),
    AgendaWord("home", SendHome),
    AgendaWord("end", FinalScoring),
)
"""The words of the agenda for the steps and tasks of the base game."""


class CarcassonneNotation(Notation[Position, Setup]):
    """The tags of Carcassonne: the box, the landscape, the scoring round, and the state of the expansions."""

    words: ClassVar = (*WORDS, *(word for box in REGISTRY.values() for word in box.words))
    signs: ClassVar = MappingProxyType(
        {FeatureKind.CITY: "#", FeatureKind.ROAD: "=", FeatureKind.FIELD: ".", FeatureKind.MONASTERY: "M"}
    )
    optional_signs: ClassVar = MappingProxyType(
        {
            **{kind.name: kind.sign for kind in EDGE_KINDS.values()},
            **{kind.name: kind.sign for kind in SURROUNDED_KINDS.values()},
        }
    )

    # -- setups ---------------------------------------------------------------------------------------------------

    def setup_tags(self, setup: Setup) -> Iterator[Tag]:
        """Yield the expansions, a non-default start tile, and the pile: its size, or its tiles if not the whole box."""
        yield Tag("Expansions", " ".join(setup.expansions))
        if (setup.start_tile, setup.start_rotation) != (start_tile(setup.expansions), 0):
            yield Tag("Start", f"{setup.start_tile}/{setup.start_rotation}")
        whole = Counter(setup.pile) == Counter(kind.id for kind in tiles_in_play(setup.expansions))
        yield Tag("Pile", str(len(setup.pile)) if whole else counts_text(setup.pile))

    def read_setup(self, tags: Tags, fixed: SetupValues) -> Setup:
        """Read a setup; its pile is sorted by name."""
        expansions = tags.read("Expansions", _read_expansions)
        start, rotation = tags.read_or("Start", _read_start, (start_tile(expansions), 0))
        return Setup(
            **fixed,
            expansions=expansions,
            pile=tags.read("Pile", lambda text: _read_pile(text, expansions)),
            start_tile=start,
            start_rotation=rotation,
        )

    # -- chance ---------------------------------------------------------------------------------------------------

    def decks(self, setup: Setup) -> Mapping[str, tuple[str, ...]]:
        """Return the pile and the decks of boxes that are drawn before it."""
        return setup.decks

    def with_decks(self, setup: Setup, decks: Mapping[str, tuple[str, ...]], seed: str) -> Setup:
        """Return the setup with another order of its decks."""
        pile = (*(card for name, cards in decks.items() if name != PILE for card in cards), *decks[PILE])
        return replace(setup, pile=sorted_by_deck(pile, setup.expansions), seed=seed)

    def from_seed(self, setup: Setup) -> Setup:
        """Return the setup as its seed alone would have shuffled it."""
        shuffled = new_setup(players=setup.players, seed=setup.seed, options=setup.options, expansions=setup.expansions)
        return replace(shuffled, rules=setup.rules)

    def revealed(self, position: Position) -> Mapping[str, Sequence[int]]:
        """Return the indices of the tiles that have been drawn and not set aside face down."""
        drawn, set_aside = range(position.next_tile), position.set_aside
        if position.setup.is_one_deck:
            return {PILE: [index for index in drawn if index not in set_aside] if set_aside else drawn}
        decks, revealed, start = position.setup.decks, dict[str, Sequence[int]](), 0
        for name in (*list(decks)[1:], PILE):
            end = start + len(decks[name])
            revealed[name] = [index - start for index in drawn[start:end] if index not in set_aside]
            start = end
        return revealed

    # -- positions ------------------------------------------------------------------------------------------------

    def position_tags(self, position: Position) -> Iterator[Tag]:
        """Yield the tiles left by name, the tiles and figures on the table, the round, and the expansions' state."""
        land = position.land
        yield Tag("FaceDown", counts_text(position.face_down))
        yield Tag("Tiles", " ".join(_tiles_text(land)))
        yield Tag("Figures", " ".join(follower_text(land, entry) for entries in land.holders for entry in entries))
        for codec in _extra_codecs():
            text = codec.write(position)
            if text:
                yield Tag(codec.tag, text)
        if position.round is not None:
            yield Tag("Round", _round_text(position, position.round))

    def read_position(self, setup: Setup, tags: Tags) -> Position:
        """Read the table."""
        parts = tags.read("FaceDown", lambda text: split_pile(setup.pile, text, MAX_TILES))
        drawn, remaining = (sorted_by_deck(part, setup.expansions) for part in parts)
        position = Position(replace(setup, pile=drawn + remaining), begin=False)
        position.next_tile = len(drawn)
        tags.read("Tiles", lambda text: _lay(position, text))
        tags.read("Figures", lambda text: _put_followers(position, text))
        for codec in _extra_codecs():
            if codec.tag in tags:
                tags.read(codec.tag, partial(codec.read, position))
        position.round = tags.read_or("Round", lambda text: _read_round(position, text), None)
        return position


# -- the box ----------------------------------------------------------------------------------------------------------


def _read_expansions(text: str) -> tuple[str, ...]:
    """Read the names of expansions."""
    names = tuple(text.split())
    require_known(names)
    if len(set(names)) < len(names):
        raise ValueError("an expansion stands there twice")
    return names


def _read_start(text: str) -> tuple[str, int]:
    """Read the start tile: its id and its rotation."""
    name, _, rotation = text.rpartition("/")
    return read_tile(name).id, int(rotation)


def _read_pile(text: str, expansions: tuple[str, ...]) -> tuple[str, ...]:
    """Read a pile: the number of tiles if it has all those of its boxes, or else each kind with its count."""
    whole = sorted_by_deck(sorted(kind.id for kind in tiles_in_play(expansions)), expansions)
    if text == str(len(whole)):
        return whole
    pile = read_counts(text, MAX_TILES)
    for name in set(pile):
        read_tile(name)
    return sorted_by_deck(pile, expansions)


# -- the table --------------------------------------------------------------------------------------------------------


def _tiles_text(land: Landscape) -> Iterator[str]:
    """Yield tiles and added segments in the order of placing, so that reading gives segments the same numbers."""
    entries = [
        (placed.base, f"{placed.cell.label}/{placed.rotation}:{placed.tile.id}:{seat_text(placed.player)}")
        for placed in land.placed.values()
    ]
    entries += [
        (number, _added_text(placed.cell, segment))
        for placed in land.placed.values()
        for number, segment in placed.added
    ]
    newest = land.placed[land.order[-1]].base
    for number, text in sorted(entries):
        if number == newest and land.touched:
            yield FRESH_MARK
        yield text


def _added_segment_codecs() -> Iterator[AddedSegmentCodec]:
    """Yield the codecs of added segments of all boxes."""
    return (codec for box in REGISTRY.values() for codec in box.added_segment_codecs)


def _added_text(cell: Cell, segment: Segment) -> str:
    """Return an added segment as text, written by the box to which it belongs."""
    return next(text for codec in _added_segment_codecs() if (text := codec.write(cell, segment)) is not None)


def _lay(position: Position, text: str) -> None:
    """Lay the tiles of a text in their order, and put the pieces of boxes on them."""
    land, fresh = position.land, False
    for entry in text.split():
        if entry == FRESH_MARK and not fresh:
            fresh = True
            land.touched.clear()
        elif (
            codec := next((item for item in _added_segment_codecs() if entry.startswith(item.sign)), None)
        ) is not None:
            codec.read(land, entry)
        else:
            _lay_tile(position, entry)
    if not land.placed:
        raise ValueError("there is no tile")
    if not fresh:
        land.touched.clear()


def _lay_tile(position: Position, text: str) -> None:
    """Lay one tile, see :data:`_TILE`."""
    match = _TILE.fullmatch(text)
    if match is None:
        raise ValueError(f"not a tile: {text!r}")
    label, rotation, name, seat = match.groups()
    cell = Cell.parse(label)
    if cell.square in position.land.placed:
        raise ValueError(f"two tiles on {label!r}")
    position.land.place(cell.square, read_tile(name).faces[int(rotation) // 90], read_seat(seat, position.players))


def _put_followers(position: Position, text: str) -> None:
    """Put figures on their features."""
    land = position.land
    for entry in text.split():
        follower = read_follower(position, entry)
        land.holders[land.find(follower.segment)] += (follower,)


# -- the round --------------------------------------------------------------------------------------------------------


def _extra_codecs() -> Iterator[ExtraCodec]:
    """Yield the codecs of the values that boxes keep in ``position.extra``."""
    return (codec for box in REGISTRY.values() for codec in box.extra_codecs)


def _round_codecs() -> Iterator[ExtraCodec]:
    """Yield the codecs of the values that boxes keep during a scoring round."""
    return (codec for box in REGISTRY.values() for codec in box.round_codecs)


def _round_text(position: Position, current: Round) -> str:
    """Return a round as text: ``2 M12.city.N L10.road.W``.

    It begins with the player who placed the tile and the structures to score; the boxes' state of the round follows.
    """
    codec_words = (text for codec in _round_codecs() if (text := codec.write(position)))
    structures = (segment_text(position.land, root) for root in current.completed)
    return " ".join((seat_text(current.player), *structures, *codec_words))


def _read_round(position: Position, text: str) -> Round:
    """Read a scoring round: its player, the structures still to be scored, and the state of boxes."""
    seat, *entries = text.split()
    for codec in _round_codecs():
        codec_words = [entry for entry in entries if codec.tag in entry]
        if codec_words:
            codec.read(position, " ".join(codec_words))
            entries = [entry for entry in entries if entry not in codec_words]
    return Round(read_player(position, seat), tuple(read_segment(position.land, entry) for entry in entries))
