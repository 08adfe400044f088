"""Names and terms in texts: players and tables, links, directions, and the segments of a tile.

Names come from users, so they must not format, mention, reverse or hide anything: messages use :func:`safe` names;
labels and alt texts, which have no markup, use names that are only isolated (:func:`isolate`). Players with the same
name get a number.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from collections.abc import Set as AbstractSet
from typing import Final

from discord.utils import escape_mentions

from cogs.texts import listed, t
from cogs.texts.languages import by_ear
from engine import Position
from engine.geometry import CORNERS, Side
from engine.tiles import Segment, TileKind
from host import Computer, Game, GameSummary, Host, Lobby, Player, clean_text, unique_name_of, unique_names
from renderers import PLAYER_MARKS, legible

MARKS: Final = tuple(mark.emoji + mark.symbol for mark in PLAYER_MARKS)
"""The colour and the shape of each seat as characters, the same as on its followers in pictures."""
_MARKUP_ESCAPES: Final = str.maketrans({sign: f"\\{sign}" for sign in "\\*_~`|>#[]()<:-"})
"""Escapes the characters of Discord's markup by a backslash."""
_RIGHT_TO_LEFT_CLASSES: Final = frozenset({"R", "AL", "AN"})
"""Unicode classes of characters that are written from right to left."""


def safe(text: str) -> str:
    """Return a user's text as one line for a message, so that it does not affect the text around it.

    Markup and mentions are escaped, invisible characters removed, and right-to-left text is isolated.
    """
    marked = clean_text(text).translate(_MARKUP_ESCAPES)
    marked = escape_mentions(marked) if "@" in marked else marked
    return marked if marked.isascii() else isolate(marked)


def isolate(text: str) -> str:
    """Return a text isolated if it is right-to-left; else it would reorder the numbers and punctuation around it."""
    turns = any(unicodedata.bidirectional(sign) in _RIGHT_TO_LEFT_CLASSES for sign in text)
    return f"\N{FIRST STRONG ISOLATE}{text}\N{POP DIRECTIONAL ISOLATE}" if turns else text


def player_names(players: Sequence[Player]) -> list[str]:
    """Return an unambiguous name for each player, in the same order, with the badge of a computer."""
    return with_badges(players, unique_names(players))


def with_badges(players: Sequence[Player], names: Sequence[str]) -> list[str]:
    """Return the names of players, those of computers with their badge."""
    key, named = "computer.aloud" if by_ear() else "computer.badge", zip(players, names, strict=True)
    return [t(key, player=name) if isinstance(player, Computer) else name for player, name in named]


def level_words(level: str) -> str:
    """Return the strength of a computer in words."""
    return t(f"computer.level.{level}")


def seat_names(game: Game) -> list[str]:
    """Return the players' names by seat, safe for a message."""
    return [safe(name) for name in player_names(game.seats)]


def plain_names(game: Game) -> list[str]:
    """Return the players' names by seat for alt texts and labels, which have no markup."""
    return [isolate(name) for name in player_names(game.seats)]


def pictured_names(game: Game) -> list[str]:
    """Return the players' names by seat for pictures; a name that no font can write becomes the seat's number."""
    return [
        name if legible(name) else t("picture.player", number=seat)
        for seat, name in enumerate(unique_names(game.seats), 1)
    ]


def marked(seat: int, name: str) -> str:
    """Return a player's name with the colour and shape of their seat, or with the colour's word for a listener."""
    if by_ear():
        return t("colour.of", player=name, colour=t(f"colour.{PLAYER_MARKS[seat].name}"))
    return f"{MARKS[seat]} {name}"


def seat_name(game: Game, seat: int) -> str:
    """Return the name of the player in a seat, safe for a message."""
    return safe(player_names(game.seats)[seat])


def others_at(game: Game | GameSummary, user_id: int) -> list[str]:
    """Return the names of all players of a game except one."""
    return [
        name for person, name in zip(game.seats, player_names(game.seats), strict=True) if person.user_id != user_id
    ]


def player_name(game: Game | GameSummary, user_id: int) -> str:
    """Return the name of a user in a game; empty if they do not play it."""
    return unique_name_of(game.seats, user_id)


def name_to_act(game: Game | GameSummary) -> str:
    """Return the name of the player to move; empty if the game is over."""
    return "" if game.seat_to_act is None else player_names(game.seats)[game.seat_to_act]


def mentions(user_ids: Iterable[int]) -> str:
    """Mention users one after the other."""
    return " ".join(f"<@{user_id}>" for user_id in user_ids)


def owner_name(lobby: Lobby) -> str:
    """Return the name of a lobby's owner, safe for a message."""
    return safe(unique_name_of(lobby.members, lobby.owner_id))


def safe_title(game: Game | GameSummary, user_id: int = 0) -> str:
    """Return the title of a game in a message: its name, its code, and the user's opponents, or all players."""
    players = [safe(name) for name in others_at(game, user_id)]
    key = "game.title" if len(players) == len(game.seats) else "game.title_against"
    return t(key, name=safe(game.name), code=game.code, players=", ".join(players))


def sides(names: Iterable[str]) -> str:
    """Return sides and corners in one phrase, such as ``north, north-east and east``."""
    return listed([t(f"direction.{name}") for name in names])


def corner(half: int) -> int:
    """Return the index in :data:`CORNERS` of the corner at which a half-side lies."""
    return (half + 1) // 2 % 4


def corners(halves: Iterable[int], split: Collection[int] = ()) -> list[str]:
    """Return the corners at which half-sides lie; in a corner that is split, together with the side."""
    places = dict.fromkeys((corner(half), half // 2 if corner(half) in split else -1) for half in sorted(halves))
    return [_corner(place, side) for place, side in sorted(places)]


def _corner(place: int, side: int) -> str:
    """Name a corner; if two features share it, together with the side."""
    words = t(f"direction.{CORNERS[place]}")
    return words if side < 0 else t("lies.corner", corner=words, side=t(f"direction.{Side(side).name}"))


def split_corners(tile: TileKind, rotation: int, kind: str) -> frozenset[int]:
    """Return the corners of a rotated tile that two features of a kind share, as fields on both sides of a hedge do."""
    parts = [part.turned_places(rotation // 90) for part in tile.segments if part.kind == kind]
    touched = Counter(place for part in parts for place in {corner(half) for half in part})
    return frozenset(place for place, count in touched.items() if count > 1)


def segment_aloud(segment: Segment, split: Collection[int] = ()) -> str:
    """Return a segment with its place, spelled out: ``city north and east``, ``field south-west``, ``monastery``."""
    kind = t(f"feature.{segment.kind}")
    if not segment.place_names:
        return kind
    if not segment.places:
        where = sides(segment.place_names)
    elif segment.kind in segment.HALF_KINDS:
        where = listed(corners(segment.places, split))
    else:
        where = sides(Side(place).name for place in segment.places)
    return t("segment.aloud", kind=kind, where=where)


_TURNS_ALOUD: Final = {90: "right", 180: "half", 270: "left"}
"""Keys of the rotations for listeners, by degrees clockwise."""
_SPANS: Final = {("NW", "NE"): "N", ("NE", "SE"): "E", ("SE", "SW"): "S", ("SW", "NW"): "W"}
"""The side that lies between two corners."""


def capital(words: str) -> str:
    """Return words that begin with a capital, as on a button."""
    return words[:1].upper() + words[1:]


def turn_words(rotation: int) -> str:
    """Return a rotation in words: ``not turned`` or ``turned 90°``; to listeners, ``a quarter turn right``."""
    if rotation and by_ear():
        return t(f"turn.{_TURNS_ALOUD[rotation]}")
    return t("turn.turned", degrees=rotation) if rotation else t("turn.none")


def pile_words(position: Position) -> str:
    """Return the number of tiles in the pile, in words."""
    return t("headline.pile", count=position.pile_left) if position.pile_left else t("headline.pile_empty")


def segment_words(segment: Segment) -> str:
    """Return a segment with its place in short, such as ``field SW`` or ``monastery``."""
    kind = t(f"feature.{segment.kind}")
    where = direction_words(segment)
    return t("segment.aloud" if by_ear() else "segment.there", kind=kind, where=where) if where else kind


def direction_words(segment: Segment) -> str:
    """Return the place of a segment; empty if it touches no side or all corners. Spelled out for listeners."""
    names = segment.place_names
    if segment.kind in segment.HALF_KINDS and segment.places:
        corners = _clockwise({CORNERS[corner(half)] for half in segment.places})
        names = (_SPANS[corners],) if corners in _SPANS else corners
    if by_ear():
        return sides(names)
    return t("compass.to").join(t(f"compass.{name}") for name in names)


def _clockwise(corners: AbstractSet[str]) -> tuple[str, ...]:
    """Order corners clockwise, beginning after a gap; return nothing if all corners are given."""
    for start in range(len(CORNERS)):
        if CORNERS[start] in corners and CORNERS[start - 1] not in corners:
            return tuple(name for name in (*CORNERS[start:], *CORNERS[:start]) if name in corners)
    return ()


def link(guild_id: int, channel_id: int, message_id: int | None = None) -> str:
    """Return the URL of a channel or thread, or of a message in it; the server 0 stands for direct messages."""
    address = f"https://discord.com/channels/{guild_id or '@me'}/{channel_id}"
    return f"{address}/{message_id}" if message_id else address


async def table_link(host: Host, game: Game) -> str:
    """Return the URL of a game's newest card, or of its channel before the first card."""
    post = await host.outbox.last_sent(game.id)
    return link(game.guild_id, game.place, post.message_id if post else None)
