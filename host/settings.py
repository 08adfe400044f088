"""Settings of the host: limits, deadlines and delays that the bot's owner or a test may change.

An *interaction* is a click or command of a user in Discord. A *sender* is the task of a process that sends the messages
that the host has stored.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, Final

from host.clocks import DEFAULT_PACE
from store import DEFAULT_PUBLISH_WINDOW

LOBBY_LIFE: Final = timedelta(days=14)
"""The time after which an unchanged lobby is closed."""
LOBBY_NOTICES: Final = (timedelta(days=7), timedelta(days=1))
"""The times before the closing at which the members are notified, so that one of them can keep the lobby open."""
LOBBY_NOTICES_WAIT: Final = timedelta(hours=12)
"""The longest time for which such a notice waits for the end of a member's quiet hours."""


def random_seed() -> str:
    """Return 128 unguessable random bits as 32 hexadecimal digits."""
    return secrets.token_hex(16)


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkerLimits:
    """Limits on the processes that think for computers, the *workers*, and on the time that they spend."""

    workers: int = 1
    """The most processes that think at the same time; 0 to offer no computers."""
    seconds: float = 60.0
    """The time for a decision, after which its worker is ended."""
    advice_seconds: float = 20.0
    """The time for advice, with the time that it waits for a worker."""
    rest: float = 180.0
    """The seconds without a decision after which a worker ends."""
    niceness: int = 10
    """The value by which the priority of a worker is lower than that of the bot."""
    server_seconds: float = 7200.0
    """The seconds of a worker that a server may have in a day before its computers decide as *quick*; 0 for any."""
    person_seconds: float = 1800.0
    """The same for a person, of whom the people at a table share what its computers take."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HostSettings:
    """Settings of the host; the defaults are those of the production bot."""

    new_seed: Callable[[], str] = random_seed
    """Generates the seed of a new game; tests pass a function of their own."""
    material: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """Setup fields of new games besides the lobby's choices, by the name of the game in the engine's registry.

    An example are tiles that the bot's owner has added.
    """
    table_bytes: int = 48 * 2**20
    """The size of the game cache in bytes; a long game takes about 130 KiB. Other games are rebuilt when needed."""
    patience: timedelta = timedelta(seconds=10)
    """The time for storing a move, after which its player is told that it may not have been stored."""
    release: str = ""
    """The release that this process runs, to compare it with those of other processes."""
    lease: timedelta = timedelta(minutes=5)
    """The time for which a sender has a message to itself; then another sender may try it."""
    first_backoff: timedelta = timedelta(seconds=2)
    """The delay after the first failure to send a message; it doubles with each further failure."""
    longest_backoff: timedelta = timedelta(minutes=10)
    """The longest delay between two attempts to send a message."""
    poll: timedelta = timedelta(seconds=30)
    """The longest sleep of a sender, since another process may have added a message."""
    usual_pace: str = DEFAULT_PACE
    """The pace of a game for which nobody has chosen one."""
    publish_window: timedelta = DEFAULT_PUBLISH_WINDOW
    """The default time for which a player can take a confirmed move back before the others see it."""
    remember_interactions: timedelta = timedelta(hours=1)
    """The time for which a repeated interaction is recognised; Discord accepts answers to one for 15 minutes."""
    second_look: timedelta = timedelta(seconds=1)
    """The pause before a game that does not replay to its stored position is read again; then it is frozen."""
    lobbies_of_member: int = 3
    """The most open lobbies of one owner in a server."""
    lobbies_of_guild: int = 50
    """The most open lobbies of a server."""
    games_of_member: int = 60
    """The most unfinished games of one member in a server."""
    games_of_guild: int = 600
    """The most unfinished games of a server."""
    move_pause: timedelta = timedelta(minutes=10)
    """The least time between two moves of a game to another channel, so that copies of cards do not pile up."""
    workers: WorkerLimits = field(default_factory=WorkerLimits)
    """The processes in which computers think."""

    def backoff(self, attempts: int) -> timedelta:
        """Return the delay after this number of failed attempts to send a message."""
        # The exponent is bounded, since a timedelta overflows after a thousand attempts.
        doubled: timedelta = self.first_backoff * 2 ** min(max(attempts - 1, 0), 30)
        return min(doubled, self.longest_backoff)
