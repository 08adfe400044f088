"""Castles in the text forms: towns that are asked about, castles and what they take their points from."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from engine.carcassonne.expansions import castles, towns
from engine.carcassonne.expansions.fiefs import CASTLE, SHARED, Castle, castles_of, fief_of
from engine.carcassonne.expansions.memory import Memory
from engine.carcassonne.segments import follower_text, read_follower, read_segment, segment_text
from engine.events import Term
from engine.notation.words import PLAYER, Part, Word, read_number, read_player, seat_text

if TYPE_CHECKING:
    from engine.carcassonne.position import Position


def _write_castles(position: Position) -> str:
    return " ".join(_castle_text(position, castle) for castle in castles_of(position))


def _castle_text(position: Position, castle: Castle) -> str:
    """``2@M12.city.N/31/30=2@M12.city.N``: the owner, a segment, the number of the tile and turn that built it, who."""
    land = position.land
    inside = "scored" if castle.scored else ",".join(follower_text(land, follower) for follower in castle.followers)
    where = f"{seat_text(castle.player)}@{segment_text(land, castle.root)}"
    return f"{where}/{castle.tile_number}/{castle.turn}={inside}"


_CASTLE: Final = re.compile(r"([1-9])@([^/=]+)/(\d{1,4})/(-1|\d{1,4})=(\S*)", re.ASCII)


def _read_castles(position: Position, text: str) -> None:
    position.extra[CASTLE] = tuple(_read_castle(position, entry) for entry in text.split())


def _read_castle(position: Position, text: str) -> Castle:
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


def _town(position: Position, player: int, root: int) -> Any:
    return towns.town_question(position, root, player)


def _source(position: Position, castle: int) -> Any:
    chosen = dict(position.current_round.sources)
    return castles.castle_question(position, castle, castles.triggered(position), chosen)


def _write_towns(position: Position, towns: tuple[int, ...]) -> str:
    return ",".join(segment_text(position.land, root) for root in towns)


def _read_towns(position: Position, text: str) -> tuple[int, ...]:
    return tuple(read_segment(position.land, entry) for entry in text.split(",") if entry)


def _castle_index(position: Position, text: str) -> int:
    index = read_number(text) - 1
    if not 0 <= index < len(castles_of(position)):
        raise ValueError(f"no castle {text!r}")
    return index


def _terms_text(_: Position, terms: tuple[Term, ...]) -> str:
    return ",".join(f"{term.name}/{term.count}/{term.points}" for term in terms)


def _read_terms(_: Position, text: str) -> tuple[Term, ...]:
    parts = (entry.split("/") for entry in text.split(","))
    return tuple(Term(name, read_number(count), read_number(points)) for name, count, points in parts)


def _write_shared(position: Position) -> str:
    """``M12.city.N/2``: a castle, and how many built it."""
    return " ".join(f"{segment_text(position.land, root)}/{count}" for root, count in position.extra.get(SHARED, ()))


def _read_shared(position: Position, text: str) -> None:
    entries = (entry.split("/") for entry in text.split())
    position.extra[SHARED] = tuple((read_segment(position.land, name), read_number(count)) for name, count in entries)


def _write_builders(position: Position) -> str:
    return " ".join(map(seat_text, position.extra.get(towns.BUILDERS, ())))


def _read_builders(position: Position, text: str) -> None:
    position.extra[towns.BUILDERS] = tuple(read_player(position, entry) for entry in text.split())


_SEGMENT: Final = Part(
    lambda position, number: segment_text(position.land, number),
    lambda position, text: read_segment(position.land, text),
)
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
