"""Records of games: the values that functions of the store take and return.

There are records for lobbies, games and their actions, for *posts* (messages that are sent to Discord), and for timers.
A record is built from a row by :func:`record_of`, and turned into columns by :func:`columns_of`; its fields have the
names of the columns. All times are aware, in UTC. Setups and actions are texts here, and a position is only a *digest*
(a hash), because the store does not know the rules of the games. The *ply* of a game is the number of its actions; its
*revision* also counts what was undone. A *card* is a post that shows the position.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from datetime import datetime
from enum import StrEnum
from typing import Any, Final, NamedTuple, TypeAlias, TypeVar, cast

from sqlalchemy import Row

_SHOWN_DIGITS: Final = 4
"""The number of last digits of an id that are shown in place of an invisible name, if they suffice."""
_BREAKS: Final = frozenset({"Cc", "Zl", "Zp", "Zs"})
"""Unicode categories of control characters and of separators: each becomes a blank."""
_INVISIBLE: Final = frozenset({"Cf", "Cs"})
"""Unicode categories of invisible characters, which are removed: format characters and lone surrogates."""
_FILLERS: Final = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Invisible characters of other categories, such as fillers of Hangul."""


@dataclass(frozen=True, slots=True)
class Person:
    """A user of Discord, under the name that was last seen.

    An invisible name is replaced by the last digits of the id, and the name of an erased person by the number of the
    seat.
    """

    user_id: int
    name: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", clean_text(self.name) or self.number())

    def number(self, digits: int = _SHOWN_DIGITS) -> str:
        """Return the last digits of the id, which distinguish people of the same name."""
        if self.user_id < 0:
            return f"#{-self.user_id % 100 if digits <= _SHOWN_DIGITS else -self.user_id}"
        return f"#{self.user_id % 10**digits:0{digits}}"


@dataclass(frozen=True, slots=True)
class Computer:
    """A computer at a table: nobody's account, so that nobody is pinged, asked, exported or erased for it.

    ``level`` is its strength, and ``version`` that of the program that decided last; 0 before its first decision.
    """

    name: str
    level: str
    version: int = 0

    @property
    def user_id(self) -> None:
        """None, for no user: it equals no id, and a type check finds every place that needs one."""
        return


Player: TypeAlias = Person | Computer
"""A person or a computer at a table."""


def clean_text(text: str) -> str:
    """Return a name that a user has typed as one line of visible characters; an empty text if it has none."""
    if not text.isprintable() or not _FILLERS.isdisjoint(text):
        text = "".join(map(_visible, text))
    return " ".join(text.split())


def _visible(character: str) -> str:
    """Return a character, a blank for a break, or an empty text for an invisible one."""
    category = unicodedata.category(character)
    if category in _BREAKS:
        return " "
    return "" if category in _INVISIBLE or character in _FILLERS else character


def people_of(players: Iterable[Player]) -> tuple[Person, ...]:
    """Return the people among players, in the same order."""
    return tuple(player for player in players if isinstance(player, Person))


Record = TypeVar("Record")


def columns_of(record: Any, *without: str) -> dict[str, Any]:  # noqa: ANN401 - any frozen record
    """Return the fields of a record by name, except ``without``: the values of the columns that have these names."""
    return {name: getattr(record, name) for name in record.__dataclass_fields__ if name not in without}


def record_of(kind: type[Record], row: Row[Any], /, **computed: Any) -> Record:  # noqa: ANN401 - fields of any kind
    """Build a record from a row; each field that is not ``computed`` is read from the column with its name."""
    names = cast("Any", kind).__dataclass_fields__
    return kind(**{name: getattr(row, name) for name in names if name not in computed}, **computed)


def seat_columns(player: Player) -> dict[str, Any]:
    """Return the columns of a seat that say who sits there."""
    columns = {"user_id": player.user_id, "name": player.name, "level": None, "version": None}
    return columns | (columns_of(player) if isinstance(player, Computer) else {})


@dataclass(frozen=True, slots=True, kw_only=True)
class TableSettings:
    """The settings of a table, which are the same for all of its players and do not change the rules.

    ``hints`` allows all hints except those named in ``hints_off``; ``advice`` adds that of computers, which games
    against computers alone have anyway. ``theme`` is the theme of the public pictures; ``pace`` names the time control,
    which is ``none`` for a game without clocks; ``ends_after`` is the number of days after which the game ends even if
    it is not finished, or 0; ``stand_in`` is the level of the computer that takes the seat of a player who leaves, or
    empty to leave the seat empty.
    """

    hints: bool = True
    hints_off: tuple[str, ...] = ()
    advice: bool = False
    theme: str = "day"
    pace: str = "none"
    ends_after: int = 0
    stand_in: str = ""
    language: str = ""
    """The language of everything that all players see; empty for the default."""
    lesson: bool = False
    """True for a first lesson, which the bot explains to its only person."""
    least_punctuality: int = 0
    """The least punctuality, in per cent, of those who may join; 0 for anybody."""

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> TableSettings:
        """Read stored settings; unknown ones are ignored.

        Raises:
            TypeError: the values are no settings.
        """
        if not isinstance(values, Mapping):
            raise TypeError("the settings are not a mapping")
        chosen: dict[str, Any] = {entry.name: values[entry.name] for entry in fields(cls) if entry.name in values}
        has_names = all(isinstance(chosen.get(name, ""), str) for name in ("theme", "pace", "language", "stand_in"))
        has_flags = all(isinstance(chosen.get(name, True), bool) for name in ("hints", "advice", "lesson"))
        if not (has_flags and has_names):
            raise TypeError("hints, advice or lesson is not a boolean, or theme, pace … is not a string")
        if not all(isinstance(chosen.get(name, 0), int) for name in ("ends_after", "least_punctuality")):
            raise TypeError("ends_after or least_punctuality is not an integer")
        chosen["hints_off"] = tuple(chosen.get("hints_off", ()))
        return cls(**chosen)

    def allows(self, hint: str) -> bool:
        """Return whether a kind of hint is given at the table."""
        return self.hints and hint not in self.hints_off


@dataclass(frozen=True, slots=True)
class TableRules:
    """The choices that a table's owner makes before the game begins; ``options`` has only non-standard ones."""

    expansions: tuple[str, ...]
    options: Mapping[str, Any]
    settings: TableSettings


class LobbyState(StrEnum):
    """The state of a lobby."""

    OPEN = "open"
    STARTED = "started"
    CLOSED = "closed"
    EXPIRED = "expired"
    """Closed because nothing had changed for too long."""


class GameStatus(StrEnum):
    """The status of a game; a frozen one no longer replays to the position that was stored."""

    RUNNING = "running"
    FINISHED = "finished"
    FROZEN = "frozen"


class PostKind(StrEnum):
    """The kind of a post: a message of the outbox about a game."""

    OPENING = "opening"
    """A table of an event, in the event's channel: the thread under it is where the game is played."""
    START = "start"
    CARD = "card"
    FINAL = "final"
    FROZEN = "frozen"
    THAWED = "thawed"
    WENT_BACK = "went_back"
    """The game went back: the database was restored from a copy that is older than the last cards."""
    ASKED = "asked"
    """A player asks the others to undo their last decision and what followed."""
    UNDONE = "undone"
    """Moves were undone; the card shows the earlier position."""
    REMINDER = "reminder"
    """A reminder of a decision that a player has been asked to make."""
    REPLACED = "replaced"
    """A person has taken over a seat; the card shows the same position."""
    PAUSED = "paused"
    """The clocks of the game are paused."""
    RESUMED = "resumed"
    """The clocks run again."""
    BACK = "back"
    """The player for whom the game waits has ended their vacation early."""
    GIVEN = "given"
    """A player has given time to another."""
    CLOSING = "closing"
    """A game that nobody has played for long will be closed."""
    UNREACHED = "unreached"
    """Direct messages to a player fail, so that they are pinged in the thread instead."""
    CLOSED = "closed"
    VANISHED = "vanished"
    """All players have left the server, and the game will be closed or is closed."""
    SHUT = "shut"
    """The place of a game is closed to the bot, and its clocks are stopped; this is posted wherever it can be."""
    REOPENED = "reopened"
    """The place is open again, and the clocks run; the card shows the same position."""
    ENDS = "ends"
    """Notice of the date on which the game ends, finished or not."""
    NEWS = "news"
    """Deferred notifications of a player whose quiet hours are over."""
    HELD = "held"
    """An operator has frozen the game."""
    ENDED = "ended"
    """An operator has closed it."""
    STALLED = "stalled"
    """A computer does not decide; its seat is offered to people."""
    SPENT = "spent"
    """The time for which computers think in a day is used up; they decide as *quick* for the rest of it."""


CARDS: Final = (PostKind.START, PostKind.CARD, PostKind.FINAL, PostKind.UNDONE, PostKind.REPLACED, PostKind.REOPENED)
"""The kinds of posts that show the position of a game; all others are notices."""


class TimerKind(StrEnum):
    """The kind of a timer: a task for a game that is due at a time; of the form ``[a-z_]{1,12}``."""

    RESULT = "result"
    """Show the result on the message of the lobby."""
    PUT_AWAY = "put_away"
    """Archive the thread of a finished game."""
    PUBLISH = "publish"
    """Publish the pending move."""
    CLOCK = "clock"
    """Check the clocks of a game, when a reminder is due or time runs out."""
    RESUME = "resume"
    """End a pause at its time."""
    LAPSE = "lapse"
    """End a request to which not all have agreed in time."""
    PRESENT = "present"
    """Check daily that all players are still in the server."""
    LEFT = "left"
    """Withdraw the player in the subject, who has left the server."""
    VACATION = "vacation"
    """Check whether a vacation of the person in the subject begins or ends."""
    BACK = "back"
    """Release the clock of the person in the subject, who has ended their vacation early."""
    REMIND = "remind"
    """Remind the person in the subject, as they wished."""
    CALL = "call"
    """Notify the person in the subject of their turn, which began in their quiet hours."""
    NEWS = "news"
    """Deliver the other deferred notifications of the person in the subject."""
    IDLE = "idle"
    """Check an untimed game, at least once a day."""
    END = "end"
    """Announce the end date of a game, or end the game on it."""
    EVENT = "event"
    """Enter the result of a finished game into its event, or onto the ladder."""
    THINK = "think"
    """Let the computers decide whose turn it is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lobby:
    """A lobby: a game before it begins, with its ``members`` in the order of joining."""

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
    """The last time that a member joined or left, or the rules changed."""
    barred: tuple[Person, ...] = ()
    """People who were removed and may not join again."""
    rematch_of: int | None = None
    """The game that was played before, if the lobby is for a rematch."""
    former: tuple[Player, ...] = ()
    """The players of the game before the rematch, in their order of play."""
    computers: tuple[Computer, ...] = ()
    """The computers that its owner has added, in that order."""
    best_of: int | None = None
    """For a challenge, the most games of its match; None for an open table."""
    rated: bool = False
    """True if the games of a challenge are to change the ratings of its players."""
    event_id: int | None = None
    """The event that a challenge to a match has become."""
    meets_at: datetime | None = None
    """The time at which its people have agreed to meet."""
    challenged: tuple[Person, ...] = ()
    """Those who were challenged and have not answered."""
    declined: tuple[Person, ...] = ()
    """Those who were challenged and have declined."""

    @property
    def players(self) -> tuple[Player, ...]:
        """The members and the computers."""
        return (*self.members, *self.computers)

    @property
    def is_challenge(self) -> bool:
        """True for a challenge, which only those who were challenged may join."""
        return self.best_of is not None

    @property
    def is_match(self) -> bool:
        """True for a challenge that becomes an event."""
        return becomes_match(self.best_of, rated=self.rated)

    @property
    def full(self) -> bool:
        """True when no seat is free."""
        return len(self.players) >= self.capacity

    @property
    def owner(self) -> Person | None:
        """The member who opened the lobby or took it over; None once it is empty."""
        return self.member(self.owner_id)

    def member(self, user_id: int) -> Person | None:
        """Return the member with this id."""
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
    computers: tuple[Computer, ...] = ()
    best_of: int | None = None
    rated: bool = False
    challenged: tuple[Person, ...] = ()

    @property
    def is_match(self) -> bool:
        """True for a challenge that becomes an event."""
        return becomes_match(self.best_of, rated=self.rated)


def becomes_match(best_of: int | None, *, rated: bool) -> bool:
    """Return whether a challenge becomes an event: one to several games, or to a rated one."""
    return best_of is not None and (best_of > 1 or rated)


@dataclass(frozen=True, slots=True, kw_only=True)
class NewGame:
    """A game before it is stored: ``setup`` is the text of its setup, and ``digest`` the hash of its first position.

    Its cards are posted in the thread ``thread_id``, or in the channel when that is None.
    """

    code: str
    name: str
    guild_id: int
    channel_id: int
    seats: tuple[Player, ...]
    setup: str
    digest: str
    seat_to_act: int
    thread_id: int | None = None
    settings: TableSettings = field(default_factory=TableSettings)


class Stamp(NamedTuple):
    """The version of a game; a move is stored only if the game still has the stamp at which it was decided.

    ``ply`` is the number of actions in the log. ``epoch`` is the time at which the game last lost moves because the
    database was restored from an older copy. It is in seconds since 1970, and 0 if that never happened. ``taken_back``
    is the number of all undone actions, plus one for each undo or substitution. Therefore the revision grows even when
    the ply does not.
    """

    ply: int
    epoch: int = 0
    taken_back: int = 0

    @property
    def revision(self) -> int:
        """The number that identifies this state of the game in buttons and plans; no other state of it has the same."""
        return self.ply + self.taken_back


class Seated(NamedTuple):
    """The players of a game in the order of play, and which of them have withdrawn."""

    players: tuple[Player, ...] = ()
    withdrawn: tuple[bool, ...] = ()


NO_SEATS: Final = Seated()
"""The seats of a game for which no rows were found."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameLine:
    """A game as a list shows it, without its setup and settings.

    ``code`` identifies the game to its players, who are in ``seats`` in the order of play: people, and computers, which
    have no account. ``seat_to_act`` is the seat of the player who has to decide; None when there is nothing to decide
    any more.
    """

    id: int
    code: str
    name: str
    guild_id: int
    channel_id: int
    thread_id: int | None
    seats: tuple[Player, ...]
    ply: int
    seat_to_act: int | None
    status: GameStatus
    updated_at: datetime
    taken_back: int = 0
    """The difference between the game's revision and its ply; see :class:`Stamp`."""
    withdrawn: tuple[bool, ...] = ()
    """Withdrawals by seat; the log has them, too, but a list of games does not read the log."""

    @property
    def revision(self) -> int:
        """The number that identifies this state of the game; it only grows (:attr:`Stamp.revision`)."""
        return self.ply + self.taken_back

    @property
    def place(self) -> int:
        """The thread or channel in which the cards are posted."""
        return self.channel_id if self.thread_id is None else self.thread_id

    @property
    def players(self) -> tuple[Person, ...]:
        """The people who have not withdrawn; all of them where ``withdrawn`` is empty."""
        withdrawals = self.withdrawn or (False,) * len(self.seats)
        return people_of(
            player for player, has_withdrawn in zip(self.seats, withdrawals, strict=True) if not has_withdrawn
        )

    @property
    def computers(self) -> tuple[Computer, ...]:
        """The computers at the table, in the order of play."""
        return tuple(player for player in self.seats if isinstance(player, Computer))

    @property
    def computer_to_act(self) -> Computer | None:
        """The computer that has to decide; None if nobody or a person has to."""
        player = None if self.seat_to_act is None else self.seats[self.seat_to_act]
        return player if isinstance(player, Computer) and self.status is not GameStatus.FINISHED else None

    def person_at(self, seat: int) -> Person:
        """Return the person in a seat; only people are timed, reminded, and play in events.

        Raises:
            TypeError: a computer sits there.
        """
        player = self.seats[seat]
        if not isinstance(player, Person):
            raise TypeError(f"a computer sits at seat {seat} of game {self.code}")
        return player

    def seat_of(self, user_id: int) -> int | None:
        """Return the seat of a person; None for others."""
        return next((seat for seat, player in enumerate(self.seats) if player.user_id == user_id), None)

    def plays(self, user_id: int) -> bool:
        """Return whether a person has a seat and has not withdrawn."""
        return any(person.user_id == user_id for person in self.players)


@dataclass(frozen=True, slots=True, kw_only=True)
class Game(GameLine):
    """A game without its log and position.

    ``setup_text`` is the setup with which it began, ``digest`` the hash of its present position. ``epoch`` is explained
    at :class:`Stamp`.
    """

    created_at: datetime
    setup_text: str
    digest: str = ""
    settings: TableSettings = field(default_factory=TableSettings)
    epoch: int = 0
    ends_at: datetime | None = None
    """The date on which it ends, finished or not; None for a game that is played to its end."""

    @property
    def stamp(self) -> Stamp:
        """The present version of the game."""
        return Stamp(self.ply, self.epoch, self.taken_back)

    @property
    def person_to_act(self) -> Person | None:
        """The person who has to decide; None if a computer has to, and when the game is over or was closed."""
        if self.seat_to_act is None or self.status is GameStatus.FINISHED:
            return None
        player = self.seats[self.seat_to_act]
        return player if isinstance(player, Person) else None

    @property
    def allows_advice(self) -> bool:
        """True if computers advise its players: the table allows it, or a single person plays against computers alone.

        A table without hints has no advice, either.
        """
        is_alone = bool(self.computers) and len(self.players) == 1
        return self.settings.hints and (self.settings.advice or is_alone)


@dataclass(frozen=True, slots=True)
class NextGame:
    """The place and newest message of the game that has waited longest for a player, and how many wait for them."""

    guild_id: int
    place: int
    last_message_id: int | None
    count: int


@dataclass(frozen=True, slots=True)
class ActionRecord:
    """An action of the log, which leads from ``ply`` to ``ply + 1``; ``preset`` if a standing order decided it."""

    ply: int
    seat: int
    user_id: int
    text: str
    at: datetime
    preset: bool = False


@dataclass(frozen=True, slots=True)
class Advance:
    """A move to be stored: its actions, and the columns of the game after them."""

    actions: tuple[ActionRecord, ...]
    digest: str
    seat_to_act: int | None
    status: GameStatus


@dataclass(frozen=True, slots=True, kw_only=True)
class AnsweredInteraction:
    """A click or command that was carried out, with everything needed to answer it again."""

    id: int
    game_id: int | None = None
    lobby_id: int | None = None
    before_ply: int = 0
    ply: int = 0
    taken_back: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class NewPost:
    """A post before it is stored.

    Its text and picture are made from the actions of the log between ``from_ply`` and ``ply``. Discord posts only one
    message for each ``nonce``.
    """

    game_id: int
    from_ply: int
    ply: int
    kind: PostKind
    nonce: str
    taken_back: int = 0
    """The difference between the game's revision and its ply after the post; see :class:`Stamp`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PostRecord(NewPost):
    """A stored post, with a ``message_id`` once it is sent; ``refused`` if its place was closed to the bot."""

    id: int
    attempts: int
    first_attempt_at: datetime | None
    message_id: int | None
    refused: bool = False

    @property
    def revision(self) -> int:
        """The revision of the game after the actions that the post shows."""
        return self.ply + self.taken_back


@dataclass(frozen=True, slots=True)
class Timer:
    """A task that is due for a game at a time; ``subject`` is the seat, person or request it is about, or 0."""

    game_id: int
    kind: TimerKind
    due_at: datetime
    attempts: int = 0
    subject: int = 0
