"""What the host hands out: frozen values, with positions that are copies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from engine import Action, Position, Setup, begin, read_setup
from engine.events import Event
from store import Game, GameLine, GameTiming, Lobby, Person, PostRecord, Preferences, columns_of


def setup_of(game: Game) -> Setup:
    """Tiles, options and seed of a game, read from the text each time."""
    return read_setup(game.setup_text)


@dataclass(frozen=True, slots=True)
class LoggedAction:
    """One action of the log: decided at ``ply``, leading to ``ply + 1``; ``preset`` when it was so beforehand."""

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
    """One that was kept from before what most players have missed, not to be changed."""

    def at(self, ply: int) -> Position:
        """The position at a ply: from the one that was kept where that is not later, else from the beginning."""
        kept = self.earlier
        position = begin(setup_of(self.game)) if kept is None or kept.ply > ply else kept.copy()
        for entry in self.log[position.ply : ply]:
            position.apply(entry.action)
        return position


@dataclass(frozen=True, slots=True)
class Moment:
    """A span of a game: what a card shows, drawable at any time."""

    game: Game
    before: Position
    after: Position
    actions: tuple[LoggedAction, ...]
    events: tuple[Event, ...]
    preset: tuple[range, ...] = ()
    """Which of the events come from actions that were decided beforehand: those of each action together."""
    taken_back: int = 0
    """That of the game when it stood there."""
    wishes: Preferences | None = None
    """Those of who is asked by the game's newest card; None where they were not read."""
    around: GameTiming | None = None
    """Its clocks, and who is away, as they were when the span was looked at; None where they were not read."""

    @property
    def revision(self) -> int:
        """That of the game after the span."""
        return self.after.ply + self.taken_back


@dataclass(frozen=True, slots=True, kw_only=True)
class GameSummary(GameLine):
    """A line of a list of games, as one person sees it."""

    to_act: Person | None
    waiting_for_me: bool
    last_message_id: int | None
    seated: bool = True
    """True for the viewer's own games, those from which they have withdrawn included."""
    playing: bool = True
    """True as long as the viewer has not withdrawn."""
    deadline: datetime | None = None
    """When time runs out for the player it waits for, where a clock runs and that was asked for."""
    away_until: datetime | None = None
    """The end of that player's vacation, if that was asked for."""

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
    """A message to send with its game: it shows a span of it.

    ``attempts`` and ``first_attempt_at`` tell of earlier tries, after which the message may be there already;
    ``refused`` that its place was closed to us or gone.
    """

    game: Game
    leased_until: datetime | None = None
    """The end of our lease, where its first attempt began with it."""
    cause: Mapping[str, object] = field(default_factory=dict, compare=False)
    """What the log tells of the click, or other work, with which that began."""

    @property
    def from_revision(self) -> int:
        """The revision of the game before the span; one that leads backwards is an undo."""
        return self.revision - max(self.ply - self.from_ply, 1) if self.ply != self.from_ply else self.revision


@dataclass(frozen=True, slots=True)
class ClosingNotice:
    """That a lobby closes, told the first or the second time: the lobby as it is once that is told.

    Before, nothing had changed in it since ``unchanged_since``.
    """

    lobby: Lobby
    number: int
    unchanged_since: datetime
    asleep: frozenset[int] = frozenset()
    """Which members have quiet hours all the same: they are not pinged."""

    @property
    def nonce(self) -> str:
        """By which its message is known, whoever posts it, and however late."""
        return f"L{self.lobby.id}-{self.number}-{int(self.unchanged_since.timestamp())}"


@dataclass(frozen=True, slots=True)
class WaitingMove:
    """A move that its player has confirmed, at the table as everybody sees it; until then it can be taken back."""

    table: Table
    actions: Sequence[Action]
    until: datetime


@dataclass(frozen=True, slots=True)
class Consequence:
    """What an action led to; ``repeated`` when it had been carried out before, ``waits`` when it is not published yet.

    ``silenced`` when a card of the game could not be shown lately: the place is closed to us, or gone.
    """

    game: Game
    before_ply: int
    ply: int
    events: tuple[Event, ...]
    repeated: bool
    silenced: bool = False
    waits: bool = False
    begun: Post | None = None
    """Its card, if this process has begun to send it."""
    preset: tuple[range, ...] = ()
    """As in :class:`Moment`."""

    @property
    def before_revision(self) -> int:
        """That of the game before it."""
        return self.before_ply + self.game.taken_back


@dataclass(frozen=True, slots=True)
class CheckReport:
    """What the check of the games found: the codes of the games that replay, that no longer do, and that do again.

    ``unclear`` are the ids of those that could not be read, or did not rest: they are left as they are.
    """

    verified: tuple[str, ...]
    frozen: tuple[str, ...]
    thawed: tuple[str, ...]
    unclear: tuple[int, ...] = ()
