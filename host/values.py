"""Values that the services of the host return: frozen dataclasses.

The log of a game is a sequence of actions, and a *ply* is the number of actions applied so far. A *revision* also
counts the actions that were undone, so that it never occurs twice. A *span* of a game leads from one ply to another.
A *preset* action was made by a standing order of its player.

Positions in these values are copies, which the caller may change, unless an attribute says otherwise.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from engine import Action, Position, Setup, begin, read_setup
from engine.events import Event
from store import Game, GameLine, GameTiming, Lobby, Person, PostRecord, Preferences, columns_of


def setup_of(game: Game) -> Setup:
    """Parse the setup of a game: its tiles, options and seed."""
    return read_setup(game.setup_text)


@dataclass(frozen=True, slots=True)
class LoggedAction:
    """One action of a game's log, which leads from ``ply`` to ``ply + 1``."""

    ply: int
    seat: int
    """The seat for which the action was made."""
    user_id: int
    """The user who made it; see :mod:`host.games.move` for the ids of actions that no user made."""
    action: Action
    at: datetime
    preset: bool = False
    """True if a standing order made it."""


@dataclass(frozen=True, slots=True)
class Table:
    """A game with its position and its whole log."""

    game: Game
    position: Position
    log: tuple[LoggedAction, ...]
    earlier: Position | None = None
    """A position from before the moves that most players have missed, to shorten replays. It must not be changed."""

    def at(self, ply: int) -> Position:
        """Return the position at a ply, replayed from ``earlier`` if possible, else from the beginning."""
        cached = self.earlier
        position = begin(setup_of(self.game)) if cached is None or cached.ply > ply else cached.copy()
        for entry in self.log[position.ply : ply]:
            position.apply(entry.action)
        return position


@dataclass(frozen=True, slots=True)
class Moment:
    """A span of a game, from ``before`` to ``after``, which a *card* shows: the message of a move."""

    game: Game
    before: Position
    after: Position
    actions: tuple[LoggedAction, ...]
    events: tuple[Event, ...]
    preset: tuple[range, ...] = ()
    """The ranges of ``events`` that come from preset actions, one range for each action."""
    taken_back: int = 0
    """The number of actions that were undone before this span."""
    user_preferences: Preferences | None = None
    """The preferences of the player to move; None if they were not read along."""
    timing: GameTiming | None = None
    """The clocks and absences of the game; None if they were not read along."""

    @property
    def revision(self) -> int:
        """The revision of the game after the span."""
        return self.after.ply + self.taken_back


@dataclass(frozen=True, slots=True, kw_only=True)
class GameSummary(GameLine):
    """A line of a list of games, as one viewer sees it."""

    to_act: Person | None
    """The person to move; None if a computer is, and if the game is over."""
    waiting_for_me: bool
    """True if the viewer is the player to move."""
    last_message_id: int | None
    """The id of the game's newest card; None if there is none or it was not read."""
    seated: bool = True
    """True if the viewer has a seat in the game, even if they have withdrawn."""
    playing: bool = True
    """True if the viewer plays in the game and has not withdrawn."""
    deadline: datetime | None = None
    """The time at which the clock of the player to move runs out; None if no clock runs or it was not read."""
    away_until: datetime | None = None
    """The end of that player's vacation; None if there is none or it was not read."""

    @classmethod
    def of(cls, line: GameLine, user_id: int, last_message_id: int | None = None) -> GameSummary:
        """Return the line of a game as this user sees it."""
        to_act = None if line.seat_to_act is None else line.seats[line.seat_to_act]
        return cls(
            **columns_of(line),
            to_act=to_act if isinstance(to_act, Person) else None,
            waiting_for_me=to_act is not None and to_act.user_id == user_id,
            last_message_id=last_message_id,
            seated=line.seat_of(user_id) is not None,
            playing=line.plays(user_id),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Post(PostRecord):
    """A message to send, with the game that it is about.

    After an earlier attempt (``attempts``, ``first_attempt_at``) the message may have been posted already. ``refused``
    says that its channel was deleted, or closed to the bot.
    """

    game: Game
    leased_until: datetime | None = None
    """The time until which this process alone may send it, if it was leased when it was stored."""
    cause: Mapping[str, object] = field(default_factory=dict, compare=False)
    """The log fields of the interaction or other work that caused the post."""

    @property
    def from_revision(self) -> int:
        """The revision of the game before the span. An undo, whose span leads backwards, counts as one revision."""
        return self.revision - max(self.ply - self.from_ply, 1) if self.ply != self.from_ply else self.revision


@dataclass(frozen=True, slots=True)
class ClosingNotice:
    """A notice to the members of a lobby that it will be closed unless one of them keeps it."""

    lobby: Lobby
    """The lobby as it will be after the notice."""
    number: int
    """1 for the first notice, 2 for the second."""
    unchanged_since: datetime
    """The time of the last change of the lobby."""
    quiet_members: frozenset[int] = frozenset()
    """The members in their quiet hours, who are not pinged."""

    @property
    def nonce(self) -> str:
        """The text that identifies the message in Discord, so that it is posted only once."""
        return f"L{self.lobby.id}-{self.number}-{int(self.unchanged_since.timestamp())}"


@dataclass(frozen=True, slots=True)
class WaitingMove:
    """A confirmed move that its player can still take back."""

    table: Table
    """The game before the move."""
    actions: Sequence[Action]
    until: datetime
    """The time at which the move is published."""


@dataclass(frozen=True, slots=True)
class Consequence:
    """The outcome of a player's decision."""

    game: Game
    """The game after it."""
    before_ply: int
    ply: int
    events: tuple[Event, ...]
    repeated: bool
    """True if the same interaction was carried out before; then nothing has changed now."""
    silenced: bool = False
    """True if an earlier card of the game was refused, because its channel was deleted or closed to the bot."""
    waits: bool = False
    """True if the move is still pending, so that its player can take it back."""
    begun: Post | None = None
    """The card of the move, if this process has begun to send it."""
    preset: tuple[range, ...] = ()
    """The ranges of ``events`` that come from preset actions, as in :class:`Moment`."""

    @property
    def before_revision(self) -> int:
        """The revision of the game before the decision."""
        return self.before_ply + self.game.taken_back


@dataclass(frozen=True, slots=True)
class CheckReport:
    """The result of replaying all unfinished games."""

    verified: tuple[str, ...]
    """The codes of the games that replay to their stored positions."""
    frozen: tuple[str, ...]
    """The codes of the games that do not, and are frozen now."""
    thawed: tuple[str, ...]
    """The codes of the games that were frozen and replay again."""
    unclear: tuple[int, ...] = ()
    """The ids of the games that could not be read or have changed during the check; they stay as they are."""
