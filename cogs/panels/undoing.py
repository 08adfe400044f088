"""What an undo that is asked for would turn face down again though everybody has seen it."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from cogs.words.asking import seen_words
from host import HostError, RequestKind

if TYPE_CHECKING:
    from cogs.presenting.presenter import Presenter
    from engine import Position
    from host import Host, Request


async def seen_by(
    host: Host, presenters: Mapping[str, Presenter[Any]], request: Request, later: Position | None = None
) -> list[str]:
    """Tell what has been seen since the decision that a request would undo; nothing for requests of other kinds.

    ``later`` is where the game stood, if it has gone back already. Where it was frozen or undone meanwhile the request
    is over, and nothing is told either.
    """
    if request.kind is not RequestKind.UNDO:
        return []
    with suppress(HostError, ValueError):
        until = request.stamp.ply if later is None else request.to_ply
        moment = await host.games.moment(request.game_id, request.to_ply, until)
        return seen_words(presenters[moment.after.setup.game], moment.before, later or moment.after)
    return []
