"""Which game is meant by somebody who names none."""

from __future__ import annotations

from collections.abc import Sequence

from host.values import GameSummary
from store import GameStatus


def meant(
    here: Sequence[GameSummary], mine: Sequence[GameSummary], place: int, *, own: bool, thread: bool
) -> Sequence[GameSummary]:
    """The games that may be meant in a channel or thread: one is certain, several have to be asked about.

    ``here`` are the games that are played or were opened there, ``mine`` those that somebody plays in the server;
    ``own`` leaves out whatever is not theirs. First comes the game of this place (in a thread of its own even when it
    is over), then the one that waits, then all of theirs; for those who only look on, what was opened here.
    """
    living = [game for game in here if game.place == place and (game.seated or not own)]
    running = [game for game in living if game.status is not GameStatus.FINISHED]
    played = [game for game in running if game.playing]
    past = [game for game in living if game not in played][:1] if thread or not mine else []
    waiting = [game for game in mine if game.waiting_for_me]
    groups = (
        [game for game in played if game.waiting_for_me],
        played,
        [] if own else running,
        past,
        _opened(waiting, place) or waiting,
        _opened(mine, place) or mine,
        [] if own else here,
    )
    return next((group for group in groups if group), [])


def _opened(games: Sequence[GameSummary], place: int) -> Sequence[GameSummary]:
    """The one that was opened here, if it is one."""
    found = [game for game in games if game.channel_id == place]
    return found if len(found) == 1 else []
