"""What can be set about the host."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, Final

from host.clocks import USUAL_PACE
from store import USUAL_WINDOW

LOBBY_LIFE: Final = timedelta(days=14)
"""How long a lobby stays open in which nothing changes; its card says so."""
LOBBY_NOTICES: Final = (timedelta(days=7), timedelta(days=1))
"""How long before that its members are told, so that one of them may keep it."""
LOBBY_NOTICES_WAIT: Final = timedelta(hours=12)
"""How long that waits at most until none of them has quiet hours."""


def random_seed() -> str:
    """128 bits that nobody can guess, as 32 hexadecimal digits."""
    return secrets.token_hex(16)


@dataclass(frozen=True, slots=True, kw_only=True)
class HostSettings:
    """The defaults are those of the real bot."""

    new_seed: Callable[[], str] = random_seed
    """Where a game's seed comes from; a test hands in its own."""
    material: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """What new games of a kind (by its name in the engine's registry) are set up with beside what a lobby says, as
    tiles that an owner has loaded."""
    table_bytes: int = 48 * 2**20
    """Memory for tables, about 130 KiB for a late one; all others are rebuilt when they are asked for."""
    patience: timedelta = timedelta(seconds=10)
    """How long somebody waits for his move to be stored before he is told that it may not be."""
    release: str = ""
    """What this process is called among those of other releases."""
    lease: timedelta = timedelta(minutes=5)
    """How long a post belongs to who sends it."""
    first_backoff: timedelta = timedelta(seconds=2)
    """The wait after the first failure to send; it doubles with each further one."""
    longest_backoff: timedelta = timedelta(minutes=10)
    """The longest wait between two tries."""
    poll: timedelta = timedelta(seconds=30)
    """How long the sender sleeps at most: another process may have written something to send."""
    usual_pace: str = USUAL_PACE
    """The pace of a table whose owner has chosen none."""
    publish_window: timedelta = USUAL_WINDOW
    """How long a confirmed move can be taken back in silence, where its player has not chosen."""
    remember_interactions: timedelta = timedelta(hours=1)
    """How long a repeated interaction is recognised; Discord's own live 15 minutes."""
    second_look: timedelta = timedelta(seconds=1)
    """The pause before a game that does not replay is read once more: only one that fails twice is frozen."""
    lobbies_of_member: int = 3
    """Open lobbies of one owner in a server."""
    lobbies_of_guild: int = 50
    """Open lobbies of a server."""
    games_of_member: int = 60
    """Games that a member plays in a server at a time."""
    games_of_guild: int = 600
    """Games that go on in a server at a time."""
    move_pause: timedelta = timedelta(minutes=10)
    """How long a game stays in the place to which a player has moved it, so that copies of cards do not pile up."""
