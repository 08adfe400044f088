"""Players' names as they may stand in a message, and the marks of the seats."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING, Final

from discord.utils import escape_mentions

from cogs.texts import t
from host import called_among, cleaned, told_apart
from renderers import PLAYER_MARKS, legible

if TYPE_CHECKING:
    from host import Game, GameSummary, Lobby

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


def owner_name(lobby: Lobby) -> str:
    """What the owner of a table that gathers is called there, as it may stand in a message."""
    return safe(called_among(lobby.members, lobby.owner_id))


def safe_title(game: Game | GameSummary, user_id: int = 0) -> str:
    """The one name of a game in a message: its own, its code, and whom somebody plays it with, or who play it."""
    others = [safe(name) for name in others_at(game, user_id)]
    key = "game.title" if len(others) == len(game.seats) else "game.title_against"
    return t(key, name=safe(game.name), code=game.code, players=", ".join(others))
