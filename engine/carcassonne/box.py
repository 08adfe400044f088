"""What a box brings: one value that holds everything which is not a hook of its mechanisms."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import NamedTuple

from engine.actions import Action, Form, Seat
from engine.carcassonne.landscape import Landscape
from engine.carcassonne.table import Expansion, Tabletop
from engine.carcassonne.tiles import Segment, TileKind, TileSet
from engine.geometry import Cell
from engine.grammar.words import AgendaWord
from engine.options import Options, Value


class Deck(NamedTuple):
    """The tiles of a box where they lie by themselves and are drawn before the pile; ``bottom`` is the last of them."""

    name: str
    bottom: str


class AddedSegmentCodec(NamedTuple):
    """How segments that came onto a tile after it was laid are written among the tiles of a position.

    ``sign`` is how their words begin, and nothing else's; ``write`` returns None for a segment that is not the box's.
    ``read`` raises ``ValueError`` for what cannot be.
    """

    sign: str
    write: Callable[[Cell, Segment], str | None]
    read: Callable[[Landscape, str], None]


class ExtraCodec(NamedTuple):
    """How a value of ``position.extra`` is written in a tag; empty where there is nothing to say.

    ``read`` sets it in a position that has its table; it raises ``ValueError`` or ``LookupError`` for what cannot be.
    Among a box's ``round_memories``, ``tag`` is the sign that all its words have and no others.
    """

    tag: str
    write: Callable[[Tabletop], str]
    read: Callable[[Tabletop, str], None]


class Arranger(NamedTuple):
    """What a position that nobody played may have of a box: descriptions, each of which is put on the table.

    ``stands``: it comes after the followers, else before them.
    """

    put: Callable[[Tabletop, str], None]
    stands: bool = False


class StandingOrders(NamedTuple):
    """What players may decide of a box before they are asked, see :mod:`engine.carcassonne.orders`.

    ``check_plan`` raises ``NotationError`` for what is no plan of this box, ``IllegalActionError`` for what cannot be.
    """

    may_be_ordered: Callable[[Tabletop, Tabletop], bool]
    ordered_action: Callable[[Tabletop, Mapping[str, str]], Action | None]
    check_plan: Callable[[Tabletop, Seat, str], None]
    may_plan: Callable[[Tabletop, Seat], bool]


@dataclass(frozen=True, slots=True, kw_only=True)
class Box:
    """An expansion as it is sold: its tiles and its mechanisms, in the order in which their hooks run.

    ``number`` is its place among the large expansions, ``years`` are those of its editions (SU-13), as far as the
    documents name them. Without ``tiles`` it is here only as far as the rules of others need it. What is not
    ``offered`` can be played by the engine and is tested, but a table cannot choose it. ``rests_on`` are the boxes that
    its rules name: of no others may it import anything, nor they of it.
    """

    name: str
    mechanisms: tuple[Expansion, ...]
    number: int
    years: tuple[int, ...] = ()
    offered: bool = False
    asks_all_players: bool = False
    """Whether it asks all players, one after the other, again and again: the longer the more they are."""
    depends_on: tuple[str, ...] = ()
    tiles: TileSet | None = None
    options: type[Options] | None = None
    """What it leaves open: its part of the options of a game."""
    counts: Callable[[Iterable[TileKind], Options, str], Mapping[str, int]] | None = None
    """How many of each tile are in the box by options and seed, where that is not what the tiles say."""
    start: str | None = None
    """The tile that lies on the table at first instead of the base game's, which is then left out."""
    deck: Deck | None = None
    presets: Mapping[str, Mapping[str, Value]] = field(default_factory=dict)
    """What editions make of its options, by the name of their preset."""
    forms: tuple[Form, ...] = ()
    """Its actions as text."""
    words: tuple[AgendaWord, ...] = ()
    """Its steps and tasks as text."""
    extra_codecs: tuple[ExtraCodec, ...] = ()
    """What it keeps in ``position.extra``, in the order in which it is read."""
    round_codecs: tuple[ExtraCodec, ...] = ()
    """What it keeps there for a scoring round."""
    added_segment_codecs: tuple[AddedSegmentCodec, ...] = ()
    adjust_random_action: Callable[[Tabletop, Action, Random], Action] | None = None
    """A random action made sensible, so that random games are like games."""
    standing_orders: StandingOrders | None = None
    arrangers: Mapping[str, Arranger] = field(default_factory=dict)
    """What can be arranged, by the name of the argument."""
