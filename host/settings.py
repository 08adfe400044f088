"""Settings of the host."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, Final

from host.clocks import DEFAULT_PACE
from store import DEFAULT_PUBLISH_WINDOW

LOBBY_LIFE: Final = timedelta(days=14)
"""Time after which an unchanged lobby is closed; its card says so."""
LOBBY_NOTICES: Final = (timedelta(days=7), timedelta(days=1))
"""Times before closing at which the members are notified, so that one of them may keep the lobby open."""
LOBBY_NOTICES_WAIT: Final = timedelta(hours=12)
"""Longest delay of such a notice until no member is in quiet hours."""


def random_seed() -> str:
    """Return 128 unguessable random bits as 32 hexadecimal digits."""
    return secrets.token_hex(16)


@dataclass(frozen=True, slots=True, kw_only=True)
class HostSettings:
    """Settings of the host; the defaults are those of the production bot."""

    new_seed: Callable[[], str] = random_seed
    """Generates the seed of a new game; tests pass their own."""
    material: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """Setup fields of new games beside the lobby's choices, by the game's name in the engine's registry; for example,
    tiles that the bot's owner has loaded."""
    table_bytes: int = 48 * 2**20
    """Bytes of the game cache; a long game takes about 130 KiB. Evicted games are rebuilt when they are requested."""
    patience: timedelta = timedelta(seconds=10)
    """Deadline for storing a move, after which its player is told that it may not have been stored."""
    release: str = ""
    """The release of this process, to compare with those of other processes."""
    lease: timedelta = timedelta(minutes=5)
    """Time for which a sender holds a post exclusively."""
    first_backoff: timedelta = timedelta(seconds=2)
    """Delay after the first failure to send; it doubles with each further failure."""
    longest_backoff: timedelta = timedelta(minutes=10)
    """Longest delay between two attempts to send."""
    poll: timedelta = timedelta(seconds=30)
    """Longest sleep of the sender, since another process may have added a post."""
    usual_pace: str = DEFAULT_PACE
    """The pace of a game whose lobby's owner has chosen none."""
    publish_window: timedelta = DEFAULT_PUBLISH_WINDOW
    """Default time for which a confirmed move stays pending and can be retracted without the others noticing."""
    remember_interactions: timedelta = timedelta(hours=1)
    """Time for which a repeated interaction is recognised; Discord's interaction tokens are valid for 15 minutes."""
    second_look: timedelta = timedelta(seconds=1)
    """Pause before a game that does not replay is read again; only one that fails twice is frozen."""
    lobbies_of_member: int = 3
    """Open lobbies of one owner in a server."""
    lobbies_of_guild: int = 50
    """Open lobbies of a server."""
    games_of_member: int = 60
    """Unfinished games of one member in a server."""
    games_of_guild: int = 600
    """Unfinished games of a server."""
    move_pause: timedelta = timedelta(minutes=10)
    """Minimum time between two moves of a game to another channel, so that copies of cards do not pile up."""
