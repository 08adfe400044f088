"""Castles in the text forms: towns that are asked about, castles and what they take their points from."""

from __future__ import annotations

import re
from typing import Final

from engine.actions import FOLLOWER, Seat
from engine.carcassonne.box import Arranger, Memory
from engine.carcassonne.expansions.bridges_castles_bazaars import castles, towns
from engine.carcassonne.expansions.bridges_castles_bazaars.fiefs import CASTLE, SHARED, Castle, castles_of, fief_of
from engine.carcassonne.segments import follower_text, read_cell, read_follower, read_segment, segment_text
from engine.carcassonne.table import Tabletop
from engine.carcassonne.tiles import FeatureKind
from engine.errors import NotationError
from engine.events import Term
from engine.grammar.words import PLAYER, Part, Word, read_number, read_player, seat_text
from engine.joining import Follower, SegmentNumber


def _write_castles(position: Tabletop) -> str:
    return " ".join(_castle_text(position, castle) for castle in castles_of(position))


def _castle_text(position: Tabletop, castle: Castle) -> str:
    """``2@M12.city.N/31/30=2@M12.city.N``: the owner, a segment, the number of the tile and turn that built it, who."""
    land = position.land
    inside = "scored" if castle.scored else ",".join(follower_text(land, follower) for follower in castle.followers)
    where = f"{seat_text(castle.player)}@{segment_text(land, castle.root)}"
    return f"{where}/{castle.tile_number}/{castle.turn}={inside}"


_CASTLE: Final = re.compile(r"([1-9])@([^/=]+)/(\d{1,4})/(-1|\d{1,4})=(\S*)", re.ASCII)


def _read_castles(position: Tabletop, text: str) -> None:
    position.extra[CASTLE] = tuple(_read_castle(position, entry) for entry in text.split())


def _read_castle(position: Tabletop, text: str) -> Castle:
    match = _CASTLE.fullmatch(text)
    if match is None:
        raise ValueError(f"not a castle: {text!r}")
    seat, segment, tile_number, turn, inside = match.groups()
    land = position.land
    root = land.find(read_segment(land, segment))
    one, other = land.cells(root)
    land.kind[root] = CASTLE
    scored = inside == "scored"
    followers = () if scored else tuple(read_follower(position, entry) for entry in inside.split(",") if entry)
    player = read_player(position, seat)
    return Castle(player, (one, other), fief_of(one, other), followers, root, int(tile_number), int(turn), scored)


def _town(position: Tabletop, player: Seat, root: SegmentNumber) -> towns.DecideTown:
    return towns.town_question(position, root, player)


def _source(position: Tabletop, castle: int) -> castles.ChooseCastleSource:
    chosen = dict(castles.chosen(position))
    return castles.castle_question(position, castle, castles.triggered(position), chosen)


def _write_towns(position: Tabletop, towns: tuple[SegmentNumber, ...]) -> str:
    return ",".join(segment_text(position.land, root) for root in towns)


def _read_towns(position: Tabletop, text: str) -> tuple[SegmentNumber, ...]:
    return tuple(read_segment(position.land, entry) for entry in text.split(",") if entry)


def _castle_index(position: Tabletop, text: str) -> int:
    index = read_number(text) - 1
    if not 0 <= index < len(castles_of(position)):
        raise ValueError(f"no castle {text!r}")
    return index


def _terms_text(_: Tabletop, terms: tuple[Term, ...]) -> str:
    return ",".join(f"{term.name}/{term.count}/{term.points}" for term in terms)


def _read_terms(_: Tabletop, text: str) -> tuple[Term, ...]:
    parts = (entry.split("/") for entry in text.split(","))
    return tuple(Term(name, read_number(count), read_number(points)) for name, count, points in parts)


def _write_shared(position: Tabletop) -> str:
    """``M12.city.N/2``: a castle, and how many built it."""
    return " ".join(f"{segment_text(position.land, root)}/{count}" for root, count in position.extra.get(SHARED, ()))


def _read_shared(position: Tabletop, text: str) -> None:
    entries = (entry.split("/") for entry in text.split())
    position.extra[SHARED] = tuple((read_segment(position.land, name), read_number(count)) for name, count in entries)


def _write_builders(position: Tabletop) -> str:
    return " ".join(map(seat_text, position.extra.get(towns.BUILDERS, ())))


def _read_builders(position: Tabletop, text: str) -> None:
    position.extra[towns.BUILDERS] = tuple(read_player(position, entry) for entry in text.split())


def _write_segment(position: Tabletop, number: SegmentNumber) -> str:
    return segment_text(position.land, number)


def _read_segment(position: Tabletop, text: str) -> SegmentNumber:
    return read_segment(position.land, text)


_SEGMENT: Final = Part(_write_segment, _read_segment)
_CASTLE_NUMBER: Final = Part(lambda _, index: str(index + 1), _castle_index)

WORDS: Final = (
    Word("towns", towns.AskTowns, {"towns": Part(_write_towns, _read_towns)}),
    Word("town", towns.DecideTown, {"player": PLAYER, "root": _SEGMENT}, build=_town),
    Word("settle", towns.SettleTown, {"root": _SEGMENT}),
    Word("paytown", towns.PayTown, {"root": _SEGMENT, "terms": Part(_terms_text, _read_terms)}),
    Word("sources", castles.ChooseSources),
    Word("source", castles.ChooseCastleSource, {"index": _CASTLE_NUMBER}, build=_source),
    Word("castles", castles.PayCastles),
)

MEMORIES: Final = (
    Memory("Castles", _write_castles, _read_castles),
    Memory("SharedCastles", _write_shared, _read_shared),
    Memory("CastleBuilders", _write_builders, _read_builders),
)


def _write_sources(position: Tabletop) -> str:
    """``1=M12.city.N 2=1``: the source of each castle."""
    return " ".join(f"{castle + 1}={_source_text(position, source)}" for castle, source in castles.chosen(position))


def _source_text(position: Tabletop, source: int) -> str:
    return segment_text(position.land, SegmentNumber(source)) if source >= 0 else str(-source)


def _read_sources(position: Tabletop, text: str) -> None:
    castles.choose(position, dict(_read_source(position, entry) for entry in text.split()))


def _read_source(position: Tabletop, text: str) -> tuple[int, int]:
    castle, _, source = text.partition("=")
    return int(castle) - 1, -int(source) if source.isdecimal() else read_segment(position.land, source)


ROUND_MEMORY: Final = Memory("=", _write_sources, _read_sources)


def _found_castle(position: Tabletop, text: str) -> None:
    seat, one, other, *scored = text.split()
    land, player = position.land, Seat(int(seat))
    cells = (read_cell(one), read_cell(other))
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


ARRANGER: Final = Arranger(_found_castle, stands=True)
"""``seat x,y x,y`` for the two tiles, with ``scored`` behind for a finished one."""
