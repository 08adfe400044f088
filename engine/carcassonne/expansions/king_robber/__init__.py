"""The box *King & Robber Baron* (KR-01 to KR-17): markers for completing the largest city and the longest road.

Whoever completes a larger city takes the King from its holder, and likewise the Robber Baron with a longer road; at the
end the markers bring points. Castles do not affect the Robber Baron (IX-23), and a castle is no city for the King
(IX-20, KR-12). Codes such as KR-01 are rules of the rule digest.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Final, Literal, NamedTuple, assert_never

from engine import options
from engine.actions import Seat
from engine.agenda import Task
from engine.carcassonne.box import Arranger, Box, ExtraCodec
from engine.carcassonne.scoring import SendHome
from engine.carcassonne.table import Expansion, Tabletop
from engine.carcassonne.tiles import FeatureKind, TileKind, TileSet
from engine.events import Event, PlayerEvent, Scored, Term
from engine.grammar.words import AgendaWord, read_number, read_player, seat_text
from engine.options import option

NAME: Final = "king-robber"
"""The name of the box."""
ONE_MARKER_POINTS: Final = {"ten_each": 10, "fifteen_forty": 15}
"""The points of a player with one marker at the end, by option ``king_robber_scoring``."""
EACH_OF_BOTH_POINTS: Final = {"ten_each": 10, "fifteen_forty": 20}
"""The points of each marker of a player with both."""


class Marker(StrEnum):
    """The markers: the names of their entries in ``position.extra`` and the kinds of their scores."""

    KING = "king"
    ROBBER = "robber"


FEATURE_OF: Final[Mapping[Marker, FeatureKind]] = {Marker.KING: FeatureKind.CITY, Marker.ROBBER: FeatureKind.ROAD}
"""The kind of feature whose completion wins a marker."""
_TERM_OF: Final[Mapping[Marker, str]] = {Marker.KING: "cities", Marker.ROBBER: "roads"}
"""The name, in the terms of a score, of the features for which a marker brings points at the end."""


@dataclass(frozen=True, kw_only=True)
class KingRobberOptions(options.Options):
    """The options of King and Robber Baron, a part of the options of a game."""

    __slots__ = ()

    king_robber_scoring: Literal["per_feature", "ten_each", "fifteen_forty", "continuous"] = option(
        "OA-08", "KR-11", "per_feature", needs=NAME
    )
    king_robber_tie: Literal["holder_keeps", "shared"] = option("OA-09", "KR-05", "holder_keeps", needs=NAME)
    king_robber_tiles: bool = option("OA-20", "KR-01", default=True, needs=NAME)


def options_of(position: Tabletop) -> KingRobberOptions:
    """Return the options of a position, typed as the options of this box."""
    return position.options  # type: ignore[return-value]  # the options of a game include those of every box


class Holding(NamedTuple):
    """The holders of a marker, by seat, and the tiles of the largest feature that has won it so far."""

    holders: tuple[Seat, ...]
    size: int


@dataclass(frozen=True, slots=True)
class KingRobberTaken(PlayerEvent):
    """A player took a marker, kept it with a larger feature, or now shares it (KR-04, KR-05, KR-07).

    ``size`` is the number of tiles of the feature; ``holders`` are all who hold the marker from now on.
    """

    marker: Marker
    size: int
    kept: bool
    holders: tuple[Seat, ...]


def holding_of(position: Tabletop, marker: Marker) -> Holding | None:
    """Return the holders of a marker; None as long as no feature has won it (KR-16)."""
    holding: Holding | None = position.extra.get(marker)
    return holding


def markers_of(position: Tabletop, seat: int) -> tuple[Marker, ...]:
    """Return the markers that a player holds."""
    return tuple(
        marker for marker in Marker if (holding := holding_of(position, marker)) is not None and seat in holding.holders
    )


def completed_features(position: Tabletop, marker: Marker) -> int:
    """Count the completed features of the marker's kind on the board (KR-11); castles are not cities (KR-12)."""
    land, kind = position.land, FEATURE_OF[marker]
    return sum(
        1
        for number in land.numbers
        if land.kind[number] == kind and not land.ends[number] and land.find(number) == number
    )


class KingRobber(Expansion):
    """The King goes to whoever completes the largest city, the Robber Baron to whoever completes the longest road."""

    def structures_paid(self, position: Tabletop) -> None:
        """Push the moving of the markers below everything that is paid in this round (KR-09)."""
        position.agenda.insert(position.agenda.index(SendHome()) + 1, MoveMarkers())

    def game_ending(self, position: Tabletop) -> None:
        """Award the points of the markers (KR-11, option ``king_robber_scoring``)."""
        match options_of(position).king_robber_scoring:
            case "per_feature":
                for marker in Marker:
                    _award_features(position, marker, completed_features(position, marker), final=True)
            case "ten_each" | "fifteen_forty" as scoring:
                for marker in Marker:
                    _award_sum(position, marker, scoring)
            case "continuous":
                pass
            case never:
                assert_never(never)


def _award_features(position: Tabletop, marker: Marker, count: int, *, final: bool) -> None:
    """Award each holder of a marker a point for each of ``count`` completed features."""
    holding = holding_of(position, marker)
    if holding is None:
        return
    for seat in holding.holders:
        position.award(Scored(seat, count, marker, (Term(_TERM_OF[marker], count, count),), (), final=final))


def _award_sum(position: Tabletop, marker: Marker, scoring: str) -> None:
    """Award each holder of a marker a fixed number of points."""
    holding = holding_of(position, marker)
    if holding is None:
        return
    for seat in holding.holders:
        count = len(markers_of(position, seat))
        points = (EACH_OF_BOTH_POINTS if count == len(Marker) else ONE_MARKER_POINTS)[scoring]
        position.award(Scored(seat, points, marker, (Term("markers", count, points),), (), final=True))


@dataclass(frozen=True, slots=True)
class MoveMarkers(Task[Tabletop]):
    """The player of the round takes the markers that their completed cities and roads have won (KR-09)."""

    def run(self, position: Tabletop) -> None:
        """Find the largest completed feature of each kind (KR-08); a castle founded in this round is none (KR-12)."""
        land, current = position.land, position.current_round
        for marker, kind in FEATURE_OF.items():
            sizes = [land.tiles[root].bit_count() for root in current.completed if land.kind[root] == kind]
            if not sizes:
                continue
            if options_of(position).king_robber_scoring == "continuous":
                _award_features(position, marker, len(sizes), final=False)
            _claim(position, current.player, marker, max(sizes))


def _claim(position: Tabletop, player: Seat, marker: Marker, size: int) -> None:
    """Give a marker to the player of a completed feature, if the feature is large enough (KR-03 to KR-07)."""
    holding = holding_of(position, marker) or Holding((), 0)
    if size > holding.size:
        holders: tuple[Seat, ...] = (player,)
    elif size == holding.size and player not in holding.holders and options_of(position).king_robber_tie == "shared":
        holders = tuple(sorted((*holding.holders, player)))
    else:
        return
    position.extra[marker] = Holding(holders, size)
    position.emit(KingRobberTaken(player, marker, size, holding.holders == (player,), holders))


def _counts(kinds: Mapping[TileKind, int], values: options.Options, _seed: str) -> Mapping[str, int]:
    """Return 0 copies of each tile of the box if a table plays without them (option ``king_robber_tiles``)."""
    left_out = isinstance(values, KingRobberOptions) and not values.king_robber_tiles
    return {kind.id: 0 for kind in kinds} if left_out else {}


def _write_holdings(position: Tabletop) -> str:
    """Write the size and holders of each marker: ``king:5:2 robber:6:1/3``."""
    pairs = ((marker, holding_of(position, marker)) for marker in Marker)
    return " ".join(
        f"{marker}:{held.size}:{'/'.join(map(seat_text, held.holders))}" for marker, held in pairs if held is not None
    )


def _read_holdings(position: Tabletop, text: str) -> None:
    """Read the holders of the markers."""
    for entry in text.split():
        name, size, seats = entry.split(":")
        holders = tuple(read_player(position, seat) for seat in seats.split("/"))
        if list(holders) != sorted(set(holders)):
            raise ValueError(f"a seat holds a marker twice, or out of order: {entry!r}")
        position.extra[Marker(name)] = Holding(holders, read_number(size))


def _put_marker(position: Tabletop, text: str) -> None:
    """Give a marker to players in a built position: ``king 0 5``, the marker, the seats and the size."""
    name, *seats, size = text.split()
    position.extra[Marker(name)] = Holding(tuple(Seat(int(seat)) for seat in seats), int(size))


BOX: Final = Box(
    name=NAME,
    mechanisms=(KingRobber(),),
    number=6,
    offered=True,
    tiles=TileSet(NAME, __name__),
    options=KingRobberOptions,
    counts=_counts,
    words=(AgendaWord("markers", MoveMarkers),),
    extra_codecs=(ExtraCodec("KingRobber", _write_holdings, _read_holdings),),
    arrangers=MappingProxyType({"king_robber": Arranger(_put_marker)}),
)
