"""What the log says in every line of some work: its reference, and what it is about; bound where the work begins.

A click has one reference, whatever it causes, and so has each timer and each post. Players are told the same one
where something has failed.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import Context
from typing import TYPE_CHECKING, Final

from structlog.contextvars import bind_contextvars, clear_contextvars, get_contextvars

if TYPE_CHECKING:
    from store import Game

known = bind_contextvars
"""What the work under way turns out to be about."""
_REFERENCE: Final = "reference"
_CAUSE: Final = ("interaction", _REFERENCE)


def new_reference() -> str:
    """Something to tell the keepers of the bot, and to look for in the log."""
    return secrets.token_hex(4).upper()


def reference() -> str:
    """That of the work under way; a new one where none is bound."""
    return str(get_contextvars().get(_REFERENCE) or new_reference())


def about(game: Game) -> dict[str, object]:
    """What a line of the log says of a game."""
    return {"game": game.code, "ply": game.ply, "server": game.guild_id}


def cause() -> dict[str, object]:
    """The click under way and its reference, for what is done later because of it."""
    bound = get_contextvars()
    return {name: bound[name] for name in _CAUSE if name in bound}


@contextmanager
def work(**about: object) -> Iterator[None]:
    """What is logged in this block is about one piece of work, and nothing of it afterwards."""
    before = get_contextvars()
    clear_contextvars()
    bind_contextvars(**{_REFERENCE: new_reference(), **about})
    try:
        yield
    finally:
        clear_contextvars()
        bind_contextvars(**before)


def work_apart(**about: object) -> Context:
    """A context for one piece of work that takes along nothing of whatever began it."""
    context = Context()
    context.run(bind_contextvars, **{_REFERENCE: new_reference(), **about})
    return context
