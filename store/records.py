"""What the store hands out and takes in: plain values, times as aware UTC datetimes.

Setups and actions are text here, positions a digest: the store knows nothing of the rules.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any, Final, NamedTuple

from store.person import Person
from store.settings import TableSettings


class LobbyState(StrEnum):
    """Where a lobby stands."""

    OPEN = "open"
    STARTED = "started"
    CLOSED = "closed"
    EXPIRED = "expired"
    """Closed because nothing had changed for too long."""


class GameStatus(StrEnum):
    """Where a game stands; a frozen one no longer replays to the position that was stored."""

    RUNNING = "running"
    FINISHED = "finished"
    FROZEN = "frozen"


class PostKind(StrEnum):
    """What a message of the outbox says."""

    OPENING = "opening"
    """A table of an event, in the event's channel: the thread under it is where the game is played."""
    START = "start"
    CARD = "card"
    FINAL = "final"
    FROZEN = "frozen"
    THAWED = "thawed"
    WENT_BACK = "went_back"
    """The file is older than what was posted: it was restored from a copy."""
    ASKED = "asked"
    """Somebody asks the others to undo his last decision and what followed."""
    UNDONE = "undone"
    """It is undone: the game stands where it stood before."""
    REMINDER = "reminder"
    """Somebody is asked something for long."""
    REPLACED = "replaced"
    """Somebody has taken over a seat: the game stands where it stood."""
    PAUSED = "paused"
    """The clocks of the game stand still for a time."""
    RESUMED = "resumed"
    """They go on."""
    BACK = "back"
    """Somebody for whom the game waits has ended their vacation early."""
    GIVEN = "given"
    """Somebody has given time to somebody else."""
    CLOSING = "closing"
    """A table at which nobody plays will be closed."""
    UNREACHED = "unreached"
    """Somebody cannot be written to directly any more."""
    CLOSED = "closed"
    VANISHED = "vanished"
    """All who play have left the server: the table will be closed, or is."""
    SHUT = "shut"
    """The place of a game is closed to the bot, and its clocks stand still: told where it can be."""
    REOPENED = "reopened"
    """It is open again: the game stands where it stood, and its clocks go on."""
    ENDS = "ends"
    """When the game ends, whatever is left to be played."""
    NEWS = "news"
    """Somebody was not called by what was posted in his quiet hours, and now is."""
    HELD = "held"
    """An operator lets the game rest."""
    ENDED = "ended"
    """An operator has closed it."""


CARDS: Final = (PostKind.START, PostKind.CARD, PostKind.FINAL, PostKind.UNDONE, PostKind.REPLACED, PostKind.REOPENED)
"""What shows where a game stands; everything else is a notice."""

TELLING_TIME: Final = (PostKind.REMINDER, PostKind.GIVEN, PostKind.PAUSED, PostKind.RESUMED, PostKind.BACK)
"""What beside the cards tells how much time there is, and of an outage."""


class TimerKind(StrEnum):
    """What is to be done for a game at a time; of the form ``[a-z_]{1,12}``."""

    RESULT = "result"
    """Show it on the card of the lobby."""
    PUT_AWAY = "put_away"
    """Archive its thread."""
    PUBLISH = "publish"
    """Publish the move that waits for it."""
    CLOCK = "clock"
    """Look at the clock that runs: one for each game that goes on, due no later than there is something to do."""
    RESUME = "resume"
    """End a pause that has lasted long enough."""
    LAPSE = "lapse"
    """End a request that nobody has answered."""
    PRESENT = "present"
    """Look whether all who play are still in the server: once a day."""
    LEFT = "left"
    """Withdraw the player in the subject, who has left the server."""
    VACATION = "vacation"
    """Look whether somebody's vacation begins or ends: of the game in the row, the person in its subject."""
    BACK = "back"
    """Let the clock of the person in the subject go on, who has ended their vacation early."""
    REMIND = "remind"
    """Remind somebody as he wished; the subject is who."""
    CALL = "call"
    """Call somebody whose card was posted in his quiet hours; the subject is who."""
    NEWS = "news"
    """Tell somebody what was posted in his quiet hours and called others than who is asked; the subject is who."""
    IDLE = "idle"
    """Look at a table without a pace, at least once a day."""
    END = "end"
    """Say that a game will end, or end it: its end date is near, or has come."""
    EVENT = "event"
    """Take the result of a game that is over into its event, or onto the ladder."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lobby:
    """A game that gathers its players; ``members`` in the order of joining."""

    id: int
    guild_id: int
    channel_id: int
    message_id: int | None
    owner_id: int
    game: str
    capacity: int
    members: tuple[Person, ...]
    expansions: tuple[str, ...]
    options: Mapping[str, Any]
    settings: TableSettings
    state: LobbyState
    game_id: int | None
    created_at: datetime
    changed_at: datetime
    """When somebody last joined, left or changed the rules."""
    barred: tuple[Person, ...] = ()
    """Who was removed and may not join again."""
    rematch_of: int | None = None
    """The game of which it is a rematch."""
    former: tuple[Person, ...] = ()
    """Who played that game, in its order of play."""

    @property
    def full(self) -> bool:
        """Whether every chair is taken."""
        return len(self.members) >= self.capacity

    @property
    def owner(self) -> Person | None:
        """Who opened the lobby or took it over; None once it is empty."""
        return self.member(self.owner_id)

    def member(self, user_id: int) -> Person | None:
        """The member with this id."""
        return next((person for person in self.members if person.user_id == user_id), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class NewLobby:
    """A lobby before it is stored."""

    guild_id: int
    channel_id: int
    owner: Person
    game: str
    capacity: int
    expansions: tuple[str, ...]
    options: Mapping[str, Any]
    settings: TableSettings = field(default_factory=TableSettings)
    rematch_of: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class NewGame:
    """A game before it is stored; ``setup`` is text, ``digest`` that of its first position.

    ``thread_id`` is where its cards go; None for the channel.
    """

    code: str
    name: str
    guild_id: int
    channel_id: int
    seats: tuple[Person, ...]
    setup: str
    digest: str
    seat_to_act: int
    thread_id: int | None = None
    settings: TableSettings = field(default_factory=TableSettings)


class Stamp(NamedTuple):
    """Where a game stands, by what every move is compared with before it is stored.

    ``ply`` is the number of its actions, ``epoch`` when it last went back, ``taken_back`` what undoing has added to the
    revision, which only grows: one for every action, and one for every undo.
    """

    ply: int
    epoch: int = 0
    taken_back: int = 0

    @property
    def revision(self) -> int:
        """What stands in buttons, plans, nonces and markers: no other state of the game ever has the same."""
        return self.ply + self.taken_back


@dataclass(frozen=True, slots=True, kw_only=True)
class GameLine:
    """What a list of games says of one: all but its setup and how its table is kept."""

    id: int
    code: str
    name: str
    guild_id: int
    channel_id: int
    thread_id: int | None
    seats: tuple[Person, ...]
    ply: int
    seat_to_act: int | None
    status: GameStatus
    updated_at: datetime
    taken_back: int = 0
    withdrawn: tuple[bool, ...] = ()


@dataclass(frozen=True, slots=True)
class NextGame:
    """Where the game is played that waits for somebody longest, its newest message, and how many such games wait."""

    guild_id: int
    place: int
    last_message_id: int | None
    count: int


@dataclass(frozen=True, slots=True)
class ActionRecord:
    """One action of the log: decided at ``ply``, leading to ``ply + 1``; ``preset`` when it was so beforehand."""

    ply: int
    seat: int
    user_id: int
    text: str
    at: datetime
    preset: bool = False


@dataclass(frozen=True, slots=True)
class Advance:
    """How a game moves on: the actions, and what the game's row says after them."""

    actions: tuple[ActionRecord, ...]
    digest: str
    seat_to_act: int | None
    status: GameStatus


@dataclass(frozen=True, slots=True, kw_only=True)
class AnsweredInteraction:
    """A click or command that was carried out, with all that is needed to answer it once more."""

    id: int
    game_id: int | None = None
    lobby_id: int | None = None
    before_ply: int = 0
    ply: int = 0
    taken_back: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class NewPost:
    """A message to send, before it is stored: it names a span of the log, not a text."""

    game_id: int
    from_ply: int
    ply: int
    kind: PostKind
    nonce: str
    taken_back: int = 0
    """That of the game when it stood there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PostRecord:
    """A message to send, or sent when it has a ``message_id``; ``refused`` when its place was closed to us."""

    id: int
    game_id: int
    from_ply: int
    ply: int
    kind: PostKind
    nonce: str
    attempts: int
    first_attempt_at: datetime | None
    message_id: int | None
    refused: bool = False
    taken_back: int = 0

    @property
    def revision(self) -> int:
        """That of the game after the span."""
        return self.ply + self.taken_back


@dataclass(frozen=True, slots=True)
class Timer:
    """Something to be done for a game at a time; ``subject`` is the seat, person or request it is about, if any."""

    game_id: int
    kind: TimerKind
    due_at: datetime
    attempts: int = 0
    subject: int = 0
