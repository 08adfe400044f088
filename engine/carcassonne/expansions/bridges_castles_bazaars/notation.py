"""The text forms of bridges, castles and bazaars in positions, and their descriptions for built positions.

A codec writes a value as text and reads it back; a word stands for a step or task of the agenda. An arranger puts a
piece on the table of a position that is built from descriptions (:mod:`gallery.built_positions`). The text forms are
documented in ``docs/notation.md``.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final, TypeVar

from engine.actions import FOLLOWER, Seat
from engine.board import Follower, SegmentNumber
from engine.carcassonne.box import AddedSegmentCodec, Arranger, ExtraCodec
from engine.carcassonne.expansions.bridges_castles_bazaars import auction, bazaars, castles, towns
from engine.carcassonne.expansions.bridges_castles_bazaars.actions import BuildBridge
from engine.carcassonne.expansions.bridges_castles_bazaars.auction import BAZAAR, Bazaar, bazaar_of
from engine.carcassonne.expansions.bridges_castles_bazaars.bazaars import DELAYED
from engine.carcassonne.expansions.bridges_castles_bazaars.bridges import (
    SPANS,
    bridge_segment,
    build_bridge,
    rests_on_field,
)
from engine.carcassonne.expansions.bridges_castles_bazaars.fiefs import CASTLE, SHARED, Castle, castles_of, fief_of
from engine.carcassonne.landscape import Landscape
from engine.carcassonne.segments import TILE, follower_text, read_cell, read_follower
from engine.carcassonne.table import Tabletop
from engine.carcassonne.tiles import FeatureKind, Segment
from engine.errors import NotationError
from engine.events import Term
from engine.geometry import Axis, Cell
from engine.grammar.words import (
    NUMBER,
    PLAYER,
    SEGMENT,
    AgendaWord,
    FieldCodec,
    read_number,
    read_player,
    read_seat,
    read_segment,
    seat_text,
    segment_text,
)

S = TypeVar("S")
"""A step of a bazaar."""


# -- bridges ----------------------------------------------------------------------------------------------------------


_BRIDGE: Final = re.compile(r"~(-?[A-Z]{1,2}-?\d{1,3})(NS|WE)", re.ASCII)
"""A bridge: its cell and its axis, such as ``~M12WE``."""


def _write_bridge(cell: Cell, segment: Segment) -> str | None:
    """Write a bridge like the action that builds it: ``~M12WE``."""
    return next((str(BuildBridge(cell, axis)) for axis in Axis if segment is bridge_segment(axis)), None)


def _read_bridge(land: Landscape, text: str) -> None:
    """Build a bridge, see :data:`_BRIDGE`."""
    match = _BRIDGE.fullmatch(text)
    if match is None:
        raise ValueError(f"not a bridge: {text!r}")
    cell, axis = Cell.parse(match[1]), Axis(match[2])
    placed = land.placed.get(cell.square)
    if placed is None or not rests_on_field(placed, SPANS[axis]):
        raise ValueError(f"no place for a bridge: {text!r}")
    build_bridge(land, cell.square, axis)


def _arrange_bridge(position: Tabletop, text: str) -> None:
    """Build a bridge that is described by its cell and its axis."""
    cell, axis = text.split()
    build_bridge(position.land, read_cell(cell).square, Axis(axis))


BRIDGE_CODEC: Final = AddedSegmentCodec("~", _write_bridge, _read_bridge)
"""Bridges among the segments that were added to the board; ``~`` is the sign before each."""
BRIDGE_ARRANGER: Final = Arranger(_arrange_bridge)
"""Read ``x,y axis``."""


# -- castles ---------------------------------------------------------------------------------------------------------


def _write_castles(position: Tabletop) -> str:
    """Write all castles."""
    return " ".join(_castle_text(position, castle) for castle in castles_of(position))


def _castle_text(position: Tabletop, castle: Castle) -> str:
    """Write a castle: ``2@M12.city.N/31/30=2@M12.city.N``.

    These are the owner, a segment, the numbers of the tile and turn that built it, and the followers inside.
    """
    land = position.land
    inside = "scored" if castle.scored else ",".join(follower_text(land, follower) for follower in castle.followers)
    place = f"{seat_text(castle.player)}@{segment_text(land, castle.root)}"
    return f"{place}/{castle.tile_number}/{castle.turn}={inside}"


_CASTLE: Final = re.compile(r"([1-9])@([^/=]+)/(\d{1,4})/(-1|\d{1,4})=(\S*)", re.ASCII)
"""The text of a castle, see :func:`_castle_text`."""


def _read_castles(position: Tabletop, text: str) -> None:
    """Read all castles."""
    position.extra[CASTLE] = tuple(_read_castle(position, entry) for entry in text.split())


def _read_castle(position: Tabletop, text: str) -> Castle:
    """Read a castle, see :func:`_castle_text`."""
    match = _CASTLE.fullmatch(text)
    if match is None:
        raise ValueError(f"not a castle: {text!r}")
    seat, segment, tile_number, turn, inside = match.groups()
    land = position.land
    root = land.find(read_segment(land, segment))
    first, second = land.cells(root)
    land.kind[root] = CASTLE
    scored = inside == "scored"
    followers = () if scored else tuple(read_follower(position, entry) for entry in inside.split(",") if entry)
    player = read_player(position, seat)
    return Castle(player, (first, second), fief_of(first, second), followers, root, int(tile_number), int(turn), scored)


def _town(position: Tabletop, player: Seat, root: SegmentNumber) -> towns.DecideTown:
    """Build the question about a town, which follows from the position."""
    return towns.town_question(position, root, player)


def _source(position: Tabletop, castle: int) -> castles.ChooseCastleSource:
    """Build the question about the source of a castle, which follows from the position."""
    chosen = dict(castles.chosen_sources(position))
    return castles.castle_question(position, castle, castles.scoring_castles(position), chosen)


def _write_towns(position: Tabletop, towns: tuple[SegmentNumber, ...]) -> str:
    """Write towns, each as one of its segments."""
    return ",".join(segment_text(position.land, root) for root in towns)


def _read_towns(position: Tabletop, text: str) -> tuple[SegmentNumber, ...]:
    """Read what :func:`_write_towns` wrote."""
    return tuple(read_segment(position.land, entry) for entry in text.split(",") if entry)


def _castle_index(position: Tabletop, text: str) -> int:
    """Read the number of a castle."""
    index = read_number(text) - 1
    if not 0 <= index < len(castles_of(position)):
        raise ValueError(f"no castle {text!r}")
    return index


def _terms_text(_: Tabletop, terms: tuple[Term, ...]) -> str:
    """Write the terms of a score, each as its name, count and points."""
    return ",".join(f"{term.name}/{term.count}/{term.points}" for term in terms)


def _read_terms(_: Tabletop, text: str) -> tuple[Term, ...]:
    """Read what :func:`_terms_text` wrote."""
    parts = (entry.split("/") for entry in text.split(","))
    return tuple(Term(name, read_number(count), read_number(points)) for name, count, points in parts)


def _write_shared(position: Tabletop) -> str:
    """Write shared castles: ``M12.city.N/2`` is a castle with two builders."""
    return " ".join(f"{segment_text(position.land, root)}/{count}" for root, count in position.extra.get(SHARED, ()))


def _read_shared(position: Tabletop, text: str) -> None:
    """Read what :func:`_write_shared` wrote."""
    entries = (entry.split("/") for entry in text.split())
    position.extra[SHARED] = tuple((read_segment(position.land, name), read_number(count)) for name, count in entries)


def _seats_codec(tag: str, key: str) -> ExtraCodec:
    """Return the codec of players that are kept under a key."""

    def read(position: Tabletop, text: str) -> None:
        position.extra[key] = tuple(read_player(position, entry) for entry in text.split())

    return ExtraCodec(tag, lambda position: " ".join(map(seat_text, position.extra.get(key, ()))), read)


_CASTLE_NUMBER: Final = FieldCodec(lambda _, index: str(index + 1), _castle_index)
"""A castle by its place in the list of castles; texts count from 1."""

CASTLE_WORDS: Final = (
    AgendaWord("towns", towns.AskTowns, {"towns": FieldCodec(_write_towns, _read_towns)}),
    AgendaWord("town", towns.DecideTown, {"player": PLAYER, "root": SEGMENT}, build=_town),
    AgendaWord("settle", towns.SettleTown, {"root": SEGMENT}),
    AgendaWord("paytown", towns.PayTown, {"root": SEGMENT, "terms": FieldCodec(_terms_text, _read_terms)}),
    AgendaWord("sources", castles.ChooseSources),
    AgendaWord("source", castles.ChooseCastleSource, {"index": _CASTLE_NUMBER}, build=_source),
    AgendaWord("castles", castles.PayCastles),
)
"""The words of the agenda for decisions and tasks about towns and castles."""

CASTLE_CODECS: Final = (
    ExtraCodec("Castles", _write_castles, _read_castles),
    ExtraCodec("SharedCastles", _write_shared, _read_shared),
    _seats_codec("CastleBuilders", towns.BUILDERS),
)
"""The tags for castles, for castles that are shared, and for the players who built one in this scoring round."""


def _write_sources(position: Tabletop) -> str:
    """Write the source of each castle: ``1=M12.city.N 2=1``."""
    return " ".join(
        f"{castle + 1}={_source_text(position, source)}" for castle, source in castles.chosen_sources(position)
    )


def _source_text(position: Tabletop, source: int) -> str:
    """Write the source of a castle: a segment, or the number of another castle."""
    return segment_text(position.land, SegmentNumber(source)) if source >= 0 else str(-source)


def _read_sources(position: Tabletop, text: str) -> None:
    """Read what :func:`_write_sources` wrote."""
    castles.store_sources(position, dict(_read_source(position, entry) for entry in text.split()))


def _read_source(position: Tabletop, text: str) -> tuple[int, int]:
    """Read a castle and its source."""
    castle, _, source = text.partition("=")
    return int(castle) - 1, -int(source) if source.isdecimal() else read_segment(position.land, source)


ROUND_CODEC: Final = ExtraCodec("=", _write_sources, _read_sources)
"""The chosen sources of castles, which last for one scoring round; ``=`` is the sign before them."""


def _arrange_castle(position: Tabletop, text: str) -> None:
    """Build a castle that is described by its owner and its two cells."""
    seat, first, second, *scored = text.split()
    land, player = position.land, Seat(int(seat))
    cells = (read_cell(first), read_cell(second))
    caps = [
        (number, land.find(number))
        for cell in cells
        for number, segment in land.segments(land.placed[cell.square])
        if segment.kind is FeatureKind.CITY
    ]
    roots = [root for _, root in caps]
    town = next((number for number, root in caps if roots.count(root) == 2), None)
    if town is None:
        raise NotationError(f"no town for a castle: {text!r}")
    root = land.find(town)
    land.kind[root] = CASTLE
    followers = () if scored else (Follower(player, FOLLOWER, town),)
    position.supply[FOLLOWER][player] -= len(followers)
    position.supply[CASTLE][player] -= 1
    castle = Castle(player, cells, fief_of(*cells), followers, root, 0, -1, bool(scored))
    position.extra[CASTLE] = (*castles_of(position), castle)


CASTLE_ARRANGER: Final = Arranger(_arrange_castle, stands=True)
"""Read ``seat x,y x,y`` for the two tiles, followed by ``scored`` for a scored castle."""


# -- bazaars ---------------------------------------------------------------------------------------------------------


def _write_bazaar(position: Tabletop) -> str:
    """Write a bazaar: ``auction 1 2 3@5/4 base/A=1 base/B``.

    These are the active player, the selector, the lot with its bid and bidder, and the lots with their owners.
    """
    bazaar = bazaar_of(position)
    if bazaar is None:
        return ""
    lot = "-" if bazaar.lot < 0 else f"{bazaar.lot + 1}@{bazaar.bid}/{seat_text(bazaar.bidder)}"
    lots = (
        kind.id if owner < 0 else f"{kind.id}={seat_text(owner)}"
        for kind, owner in zip(bazaar.tiles, bazaar.owners, strict=True)
    )
    mode = "draft" if bazaar.draft else "auction"
    return " ".join((mode, seat_text(bazaar.active), seat_text(bazaar.selector), lot, *lots))


_LOT: Final = re.compile(r"-|([1-9]\d?)@(\d{1,4})/([1-9])", re.ASCII)
"""The lot that is for sale with its bid and bidder, such as ``3@5/4``; ``-`` between two lots."""


def _read_bazaar(position: Tabletop, text: str) -> None:
    """Read a bazaar, see :func:`_write_bazaar`."""
    mode, active, selector, lot, *lots = text.split()
    match = _LOT.fullmatch(lot)
    if mode not in {"auction", "draft"} or match is None:
        raise ValueError(f"not a bazaar: {text!r}")
    entries = [entry.partition("=") for entry in lots]
    number, bid, bidder = match.groups()
    if number and int(number) > len(lots):
        raise ValueError(f"no lot {number!r}")
    position.extra[BAZAAR] = Bazaar(
        active=read_player(position, active),
        tiles=tuple(TILE.read(position, name) for name, _, _ in entries),
        owners=tuple(read_seat(owner or "-", position.players) for _, _, owner in entries),
        draft=mode == "draft",
        selector=read_player(position, selector),
        lot=int(number or 0) - 1,
        bid=int(bid or 0),
        bidder=read_seat(bidder or "-", position.players),
    )


def _of_bazaar(step: Callable[[Seat, Bazaar], S]) -> Callable[[Tabletop, Seat], S]:
    """Return a function that builds a step with the bazaar in progress."""

    def build(position: Tabletop, player: Seat) -> S:
        bazaar = bazaar_of(position)
        if bazaar is None:
            raise ValueError("there is no [Bazaar]")
        return step(player, bazaar)

    return build


def _turn_up(position: Tabletop, active: Seat, count: int) -> bazaars.TurnUp:
    """Set aside the next tiles of the pile; their order is unknown anyway."""
    if count > position.pile_left:
        raise ValueError(f"{count} tiles cannot be set aside")
    position.next_tile += count
    return bazaars.TurnUp(active, position.next_tile - count, count)


BAZAAR_WORDS: Final = (
    AgendaWord("lots", auction.NextLot, {"active": PLAYER}),
    AgendaWord("picks", auction.NextPick, {"last": PLAYER}),
    AgendaWord("lot", auction.ChooseLot, {"player": PLAYER}, build=_of_bazaar(auction.ChooseLot)),
    AgendaWord("bid", auction.BidOnLot, {"player": PLAYER}, build=_of_bazaar(auction.BidOnLot)),
    AgendaWord("deal", auction.BuyOrSell, {"player": PLAYER}, build=_of_bazaar(auction.BuyOrSell)),
    AgendaWord("bought", auction.PlaceBought, {"player": PLAYER, "tile": TILE}),
    AgendaWord("turnup", bazaars.TurnUp, {"active": PLAYER, "count": NUMBER}, build=_turn_up),
    AgendaWord("close", bazaars.CloseBazaar, {"active": PLAYER}),
)
"""The words of the agenda for the decisions and tasks of a bazaar."""

BAZAAR_CODECS: Final = (ExtraCodec("Bazaar", _write_bazaar, _read_bazaar), _seats_codec("Delayed", DELAYED))
"""The tags for the bazaar in progress, and for the players whose bazaar is delayed until it is over."""
