"""Values that the host returns: frozen dataclasses, whose positions are copies that the caller may change."""

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
    """One action of a game's log, which leads from ``ply`` to ``ply + 1``; ``preset`` if a standing order made it."""

    ply: int
    seat: int
    user_id: int
    action: Action
    at: datetime
    preset: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """A game with its position and its whole log."""

    game: Game
    position: Position
    log: tuple[LoggedAction, ...]
    earlier: Position | None = None
    """A cached position from before the moves that most players have missed, to shorten replays; read-only."""

    def at(self, ply: int) -> Position:
        """Replay the position at a ply, from ``earlier`` if that is not past it, else from the beginning."""
        cached = self.earlier
        position = begin(setup_of(self.game)) if cached is None or cached.ply > ply else cached.copy()
        for entry in self.log[position.ply : ply]:
            position.apply(entry.action)
        return position


@dataclass(frozen=True, slots=True)
class Moment:
    """A span of a game, from ``before`` to ``after``, which a card shows."""

    game: Game
    before: Position
    after: Position
    actions: tuple[LoggedAction, ...]
    events: tuple[Event, ...]
    preset: tuple[range, ...] = ()
    """The ranges of ``events`` that come from preset actions, one range for each action."""
    taken_back: int = 0
    """The number of undone plies when the game was at this span."""
    user_preferences: Preferences | None = None
    """The preferences of the player to move; None if they were not read."""
    timing: GameTiming | None = None
    """The clocks and absences of the game when the span was read; None if they were not read."""

    @property
    def revision(self) -> int:
        """The revision of the game after the span."""
        return self.after.ply + self.taken_back


@dataclass(frozen=True, slots=True, kw_only=True)
class GameSummary(GameLine):
    """A line of a list of games, as one person sees it."""

    to_act: Person | None
    waiting_for_me: bool
    last_message_id: int | None
    seated: bool = True
    """True for the viewer's own games, including those from which they have withdrawn."""
    playing: bool = True
    """True as long as the viewer has not withdrawn."""
    deadline: datetime | None = None
    """The time at which the clock of the player to move runs out; None if no clock runs or it was not read."""
    away_until: datetime | None = None
    """The end of that player's vacation; None if there is none or it was not read."""

    @classmethod
    def of(cls, line: GameLine, user_id: int, last_message_id: int | None = None) -> GameSummary:
        """Return the line of a game in a person's list."""
        to_act = None if line.seat_to_act is None else line.seats[line.seat_to_act]
        return cls(
            **columns_of(line),
            to_act=to_act,
            waiting_for_me=to_act is not None and to_act.user_id == user_id,
            last_message_id=last_message_id,
            seated=line.seat_of(user_id) is not None,
            playing=line.plays(user_id),
        )

    @property
    def game_id(self) -> int:
        """The id of the game."""
        return self.id


@dataclass(frozen=True, slots=True, kw_only=True)
class Post(PostRecord):
    """A message to send, with the game of which it shows a span.

    After an earlier attempt (``attempts``, ``first_attempt_at``) the message may already have been posted.
    ``refused`` is set if its channel was deleted or closed to the bot.
    """

    game: Game
    leased_until: datetime | None = None
    """The end of the lease of this process, if the post was stored with its first attempt."""
    cause: Mapping[str, object] = field(default_factory=dict, compare=False)
    """The log fields of the interaction, or other work, that caused the post."""

    @property
    def from_revision(self) -> int:
        """The revision of the game before the span; an undo, whose span leads backwards, adds one revision."""
        return self.revision - max(self.ply - self.from_ply, 1) if self.ply != self.from_ply else self.revision


@dataclass(frozen=True, slots=True)
class ClosingNotice:
    """The first or second notice (``number``) that a lobby will be closed.

    ``lobby`` is the lobby after the notice. Before it, nothing had changed since ``unchanged_since``.
    """

    lobby: Lobby
    number: int
    unchanged_since: datetime
    quiet_members: frozenset[int] = frozenset()
    """The members in their quiet hours, who are not pinged."""

    @property
    def nonce(self) -> str:
        """The key that identifies the message, so that it is posted only once."""
        return f"L{self.lobby.id}-{self.number}-{int(self.unchanged_since.timestamp())}"


@dataclass(frozen=True, slots=True)
class WaitingMove:
    """A pending move and the table before it. The player can retract it before ``until``, when it is published."""

    table: Table
    actions: Sequence[Action]
    until: datetime


@dataclass(frozen=True, slots=True)
class Consequence:
    """The outcome of a decision.

    ``repeated`` is true if its interaction had been carried out before, ``waits`` if the move is still pending, and
    ``silenced`` if an earlier card of the game was refused: its channel is deleted or closed to the bot.
    """

    game: Game
    before_ply: int
    ply: int
    events: tuple[Event, ...]
    repeated: bool
    silenced: bool = False
    waits: bool = False
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
    """The result of replaying games: the codes of those that replay, that were frozen, and that were thawed.

    ``unclear`` are the ids of games that could not be read, or changed during the check; these are left unchanged.
    """

    verified: tuple[str, ...]
    frozen: tuple[str, ...]
    thawed: tuple[str, ...]
    unclear: tuple[int, ...] = ()
