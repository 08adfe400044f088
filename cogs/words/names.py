"""Names and terms: players and seats as a message may show them, places and messages, directions, parts of any game."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING, Final

from discord.utils import escape_mentions

from cogs.texts import listed, t
from cogs.texts.languages import by_ear
from engine.geometry import Side
from host import called_among, cleaned, told_apart
from renderers import PLAYER_MARKS, legible

if TYPE_CHECKING:
    from engine import Position
    from engine.tiles import Segment, TileKind
    from host import Game, GameSummary, Host, Lobby


MARKS: Final = tuple(mark.symbol for mark in PLAYER_MARKS)
"""The shape of each seat, as its followers have it in the pictures."""
_MARKS_UP: Final = str.maketrans({sign: f"\\{sign}" for sign in "\\*_~`|>#[]()<:-"})
"""Signs that mean something to Discord; behind a backslash they stand for themselves."""
_LEFTWARDS: Final = frozenset({"R", "AL", "AN"})
"""Signs that are written from right to left, by their classes in Unicode."""


def safe(text: str) -> str:
    """Text of somebody else in one line that neither formats nor mentions, nor turns or hides the words around it."""
    marked = cleaned(text).translate(_MARKS_UP)
    marked = escape_mentions(marked) if "@" in marked else marked
    return marked if marked.isascii() else isolated(marked)


def isolated(text: str) -> str:
    """A text apart from the words around it, if it has signs that would draw their numbers and stops to the left."""
    turns = any(unicodedata.bidirectional(sign) in _LEFTWARDS for sign in text)
    return f"\N{FIRST STRONG ISOLATE}{text}\N{POP DIRECTIONAL ISOLATE}" if turns else text


def seat_names(game: Game) -> list[str]:
    """The names of the players by seat, as they may stand in a message."""
    return [safe(name) for name in told_apart(game.seats)]


def plain_names(game: Game) -> list[str]:
    """The names of the players by seat, for alt texts and labels, where nothing is formatted."""
    return [isolated(name) for name in told_apart(game.seats)]


def pictured_names(game: Game) -> list[str]:
    """The names of the players by seat, for pictures: where no font can write one, the number of the seat stands."""
    return [
        name if legible(name) else t("picture.player", number=seat)
        for seat, name in enumerate(told_apart(game.seats), 1)
    ]


def seat_name(game: Game, seat: int) -> str:
    """The name of the player in a seat, as it may stand in a message."""
    return safe(told_apart(game.seats)[seat])


def others_at(game: Game | GameSummary, user_id: int) -> list[str]:
    """What all are called who play a game, but for one of them."""
    return [name for person, name in zip(game.seats, told_apart(game.seats), strict=True) if person.user_id != user_id]


def called(game: Game | GameSummary, user_id: int) -> str:
    """What one of the players is called; nothing of somebody else."""
    return called_among(game.seats, user_id)


def mentions(user_ids: Iterable[int]) -> str:
    """Mention users one after the other."""
    return " ".join(f"<@{user_id}>" for user_id in user_ids)


def owner_name(lobby: Lobby) -> str:
    """What the owner of a table that gathers is called there, as it may stand in a message."""
    return safe(called_among(lobby.members, lobby.owner_id))


def safe_title(game: Game | GameSummary, user_id: int = 0) -> str:
    """The one name of a game in a message: its own, its code, and whom somebody plays it with, or who play it."""
    others = [safe(name) for name in others_at(game, user_id)]
    key = "game.title" if len(others) == len(game.seats) else "game.title_against"
    return t(key, name=safe(game.name), code=game.code, players=", ".join(others))


CORNERS: Final = ("NW", "NE", "SE", "SW")
"""The corners of a tile, clockwise."""


def sides(names: Iterable[str]) -> str:
    """Sides and corners in one phrase, such as ``north, north-east and east``."""
    return listed([t(f"direction.{name}") for name in names])


def corner(half: int) -> int:
    """The corner of the tile, by its place in :data:`CORNERS`, at which a half-side lies."""
    return (half + 1) // 2 % 4


def corners(halves: Iterable[int], split: Collection[int] = ()) -> list[str]:
    """The corners at which half-sides lie; in a corner that is split, told with the side."""
    found = dict.fromkeys((corner(half), half // 2 if corner(half) in split else -1) for half in sorted(halves))
    return [_corner(place, side) for place, side in sorted(found)]


def _corner(place: int, side: int) -> str:
    words = t(f"direction.{CORNERS[place]}")
    return words if side < 0 else t("lies.corner", corner=words, side=t(f"direction.{Side(side).name}"))


def split_corners(tile: TileKind, rotation: int, kind: str) -> frozenset[int]:
    """The corners of a tile that lies so which two features of a kind share, as fields on both sides of a hedge."""
    parts = [part.turned_places(rotation // 90) for part in tile.segments if part.kind == kind]
    touched = Counter(place for part in parts for place in {corner(half) for half in part})
    return frozenset(place for place, count in touched.items() if count > 1)


def segment_aloud(segment: Segment, split: Collection[int] = ()) -> str:
    """A segment of a tile and where on it: ``city north and east``, ``field south-west``, ``monastery``."""
    kind = t(f"feature.{segment.kind}")
    if not segment.places:
        return kind
    if segment.kind in segment.HALF_KINDS:
        where = listed(corners(segment.places, split))
    else:
        where = sides(Side(place).name for place in segment.places)
    return t("segment.there", kind=kind, where=where)


_CORNERS: Final = ("NW", "NE", "NE", "SE", "SE", "SW", "SW", "NW")
"""The corner of the tile at which each half-side lies."""
_ROUND: Final = ("NW", "NE", "SE", "SW")
"""The corners of a tile, clockwise."""
_SPANS: Final = {("NW", "NE"): "N", ("NE", "SE"): "E", ("SE", "SW"): "S", ("SW", "NW"): "W"}


def capital(words: str) -> str:
    """Words that begin with a capital, as on a button."""
    return words[:1].upper() + words[1:]


def turn_words(rotation: int) -> str:
    """A rotation: ``as drawn`` or ``turned 90°``."""
    return t("turn.turned", degrees=rotation) if rotation else t("turn.none")


def pile_words(position: Position) -> str:
    """How many tiles lie face down."""
    return t("headline.pile", count=position.pile_left) if position.pile_left else t("headline.pile_empty")


def segment_words(segment: Segment) -> str:
    """A segment of a laid tile and where on it, such as ``field SW`` or ``monastery``."""
    kind = t(f"feature.{segment.kind}")
    where = direction_words(segment)
    return t("segment.there", kind=kind, where=where) if where else kind


def direction_words(segment: Segment) -> str:
    """Where on its tile a segment lies; empty where it touches no side, or lies at all corners. Whole words by ear."""
    names = segment.place_names
    if segment.kind in segment.HALF_KINDS:
        corners = _clockwise({_CORNERS[half] for half in segment.places})
        names = (_SPANS[corners],) if corners in _SPANS else corners
    if by_ear():
        return sides(names)
    return t("compass.to").join(t(f"compass.{name}") for name in names)


def _clockwise(corners: AbstractSet[str]) -> tuple[str, ...]:
    """Some corners round the tile, beginning behind a gap; nothing where there is no gap."""
    for start in range(len(_ROUND)):
        if _ROUND[start] in corners and _ROUND[start - 1] not in corners:
            return tuple(name for name in (*_ROUND[start:], *_ROUND[:start]) if name in corners)
    return ()


def link(guild_id: int, channel_id: int, message_id: int | None = None) -> str:
    """The address of a channel or thread, or of a message in it."""
    address = f"https://discord.com/channels/{guild_id}/{channel_id}"
    return f"{address}/{message_id}" if message_id else address


async def table_link(host: Host, game: Game) -> str:
    """The address of the newest card of a game; of its channel while there is none."""
    post = await host.outbox.last_sent(game.id)
    return link(game.guild_id, game.place, post.message_id if post else None)
