"""The description of a box (expansion): everything that it adds, apart from the hooks of its mechanisms.

Codes such as SU-13 are rules of the rule digest.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
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
    """A separate deck of a box's tiles, drawn before the pile; boxes with decks of one name share the deck.

    ``bottom`` is the tile drawn last, ``top`` the one drawn first, if the box has one. All tiles of the box are in the
    deck, or ``only`` some. These then stay in the box unless another box in play brings the deck.
    """

    name: str
    bottom: str = ""
    top: str = ""
    only: frozenset[str] = frozenset()


class AddedSegmentCodec(NamedTuple):
    """A codec of segments that were added to a tile after it was laid.

    Their words stand among the tiles of a position and are the only ones that begin with ``sign``. ``write`` returns
    None for a segment that is not the box's. ``read`` raises ``ValueError`` for invalid text.
    """

    sign: str
    write: Callable[[Cell, Segment], str | None]
    read: Callable[[Landscape, str], None]


class ExtraCodec(NamedTuple):
    """A codec that writes a value of ``position.extra`` as the value of a tag, and reads it back.

    ``write`` returns an empty text if there is nothing to store. ``read`` sets the value in a position that has its
    table; it raises ``ValueError`` or ``LookupError`` for invalid text. The ``round_codecs`` of a box have no tag:
    there ``tag`` is a character that all words of this codec contain, and no other words.
    """

    tag: str
    write: Callable[[Tabletop], str]
    read: Callable[[Tabletop, str], None]


class Arranger(NamedTuple):
    """A function that puts a piece of a box on the table of a built position, as a text describes it.

    ``stands`` is true if the piece is put there after the followers, and false if before them.
    """

    put: Callable[[Tabletop, str], None]
    stands: bool = False


class StandingOrders(NamedTuple):
    """The standing orders that a box supports; see :mod:`engine.carcassonne.orders`.

    ``check_plan`` raises ``NotationError`` if a text is not a plan for this box, and ``IllegalActionError`` if the plan
    is impossible now.
    """

    may_be_ordered: Callable[[Tabletop, Tabletop], bool]
    ordered_action: Callable[[Tabletop, Mapping[str, str]], Action | None]
    check_plan: Callable[[Tabletop, Seat, str], None]
    may_plan: Callable[[Tabletop, Seat], bool]


@dataclass(frozen=True, slots=True, kw_only=True)
class Box:
    """An expansion as it is sold: its tiles and its mechanisms, in the order in which their hooks run.

    ``number`` is its number among the large expansions. ``years`` are the years of its editions (SU-13), as far as the
    documents name them. A box may have no ``tiles``. A box that is not ``offered`` is tested, and the engine can play
    it, but tables cannot choose it. ``depends_on`` names the boxes to which its rules refer; it imports from no others.
    """

    name: str
    mechanisms: tuple[Expansion, ...]
    number: int
    years: tuple[int, ...] = ()
    offered: bool = False
    asks_all_players: bool = False
    """True if the box often asks all players in turn, which makes games of many players long."""
    depends_on: tuple[str, ...] = ()
    tiles: TileSet | None = None
    options: type[Options] | None = None
    """The options that the box adds to those of a game."""
    counts: Callable[[Mapping[TileKind, int], Options, str], Mapping[str, int]] | None = None
    """Return the number of copies of its tiles (by id) that differs from the usual one, given options and seed."""
    edition: Callable[[Options], str] | None = None
    """Return the edition whose numbers of tiles a table plays, given its options; empty for the first one."""
    proposes: Mapping[str, Value] = field(default_factory=dict)
    """The options that a table gets when it adds the box, and loses with it."""
    start: str | None = None
    """The start tile that replaces that of the base game."""
    deck: Deck | None = None
    leaves_out: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """The tiles of other boxes, by the names of these, that stay in the box if both are played."""
    presets: Mapping[str, Mapping[str, Value]] = field(default_factory=dict)
    """The values of its options in each edition, by the name of the preset."""
    forms: tuple[Form, ...] = ()
    """The text forms of its actions."""
    words: tuple[AgendaWord, ...] = ()
    """The words of its steps and tasks."""
    extra_codecs: tuple[ExtraCodec, ...] = ()
    """The codecs of its values in ``position.extra``, in the order of reading."""
    round_codecs: tuple[ExtraCodec, ...] = ()
    """The codecs of those of its values in ``position.extra`` that exist only during a scoring round."""
    added_segment_codecs: tuple[AddedSegmentCodec, ...] = ()
    adjust_random_action: Callable[[Tabletop, Action, Random], Action] | None = None
    """Adjust a random action so that random games resemble real ones."""
    standing_orders: StandingOrders | None = None
    arrangers: Mapping[str, Arranger] = field(default_factory=dict)
    """Its arrangers, by the name of the argument of ``arrange``."""
