"""Custom ids of buttons and modals. An id contains all that its button needs, so that it works after a restart.

``c1:act:K7QF:31:bid:5`` — version, operation, game (or lobby or event), revision, argument. Because of the version, ids
of an older format get a polite answer. The revision is that of the game; it equals the *ply*, the number of actions so
far, unless a move was undone.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, TypeAlias

VERSION: Final = "c1"
MAX_CUSTOM_ID_LENGTH: Final = 100
"""Characters that Discord allows in a custom id."""

MAX_ID: Final = 2**63 - 1
"""The highest id that Discord assigns and the database can store."""

HERE: Final = "here"
"""The argument of a start button that keeps the game in the channel itself."""
LOBBY: Final = "lobby"
GAME: Final = "game"
"""The first words of arguments that name a lobby by its id, or a game by its code."""


class Op(StrEnum):
    """The operations of buttons and modals that exist for all games."""

    JOIN = "join"
    LEAVE = "leave"
    START = "start"
    RULING = "ruling"
    """Open the private panel with the rules of a lobby."""
    CHANGE = "change"
    """Turn that panel's page, or change a rule, as the argument says."""
    ACCEPT = "accept"
    """Accept a challenge, and start its game once everybody has."""
    REFUSE = "refuse"
    """Decline a challenge, or withdraw one's own."""
    AVOID = "avoid"
    """Show the people whom a user avoids, after removing the one in the argument from them."""
    KEEP_GATHERING = "keepgathering"
    """Keep a lobby open although nothing changes in it."""
    SEATS = "seats"
    """Open the private panel with the members of a lobby."""
    REMOVE = "remove"
    """Remove the member in the argument from a lobby."""
    COMPUTERS = "computers"
    """Open the private panel with the computers of a lobby."""
    COMPUTER = "computer"
    """Let a computer sit down or stand up, as the argument says: ``+quick`` or ``-Adela``."""
    READMIT = "readmit"
    """Let the user in the argument join again."""
    CLOSE = "close"
    """Close a lobby: ask first, and do it when the argument says so."""
    MANAGE = "manage"
    """Turn the pages of the managers' panel, or do what the argument says."""
    PLAY = "play"
    """Open the private panel for the decision at hand."""
    PLAN = "plan"
    """Show the composer with the plan in the argument."""
    GO = "go"
    """Make the move in the argument: actions separated by blanks."""
    MODE = "mode"
    """Switch between quick and careful, then show the plan in the argument."""
    ACT = "act"
    """Do the one action in the argument."""
    UNDO = "undo"
    """Undo a move: at once while it waits to be published, else by asking the others."""
    ASK = "ask"
    """Ask the other players to agree to undo a published move."""
    AGREE = "agree"
    """Agree to the request in the argument."""
    DECLINE = "decline"
    """Decline the request in the argument, or withdraw one's own."""
    SEAT = "seat"
    """Request a substitute or a computer for a player, or to continue without them, as the argument says."""
    TAKE = "take"
    """Ask for the seat of a computer that does not decide."""
    RETURN = "return"
    """Take one's own seat back from a computer."""
    PUBLISH = "publish"
    """Publish a waiting move before its time."""
    BOARD = "board"
    STEP = "step"
    """Show the board at this ply in the private panel of the button; the argument tells the buttons apart."""
    RECORD = "record"
    """Step through the game record attached to the panel."""
    WORDS = "words"
    """Tell the table in words, in a private panel."""
    TELL = "tell"
    """Show the part of that panel that the argument, or the entry chosen in its menus, names."""
    TILES = "tiles"
    HINTS = "hints"
    ADVICE = "advice"
    """Show the placements that a computer recommends."""
    RULES = "rules"
    RULE = "rule"
    """Turn the pages of the rule book to what the argument says."""
    LOG = "log"
    GAMES = "games"
    """Turn the pages of a player's games; the argument is the number of games skipped."""
    PROOF = "proof"
    """Explain how to verify that the pile was not arranged."""
    REMATCH = "rematch"
    """Open a lobby for the players of a finished game."""
    LESSON = "lesson"
    """Do in a first lesson what the argument says: take back, leave, begin once more."""
    REPLAY = "replay"
    """Show a finished game as one animated picture."""
    RESIGN = "resign"
    RESIGNING = "resigning"
    """Ask the player to confirm that they leave the game."""
    HERE = "here"
    """Continue the game in this channel."""
    EXPORT = "export"
    SETTING = "setting"
    """Give one of the player's settings the value in the argument, or turn the page of the panel."""
    HOURS = "hours"
    """Ask for quiet hours and time zone."""
    VACATION = "vacation"
    """Show a player's vacations, after cancelling the one that begins on the day in the argument."""
    DAYS = "days"
    """Open the form for a vacation."""
    BACK = "back"
    """End the vacation that began on the day in the argument."""
    AWAY = "away"
    """The modal that ``DAYS`` opens."""
    ORDERS = "orders"
    """Open the form for a sealed plan for the decision at hand."""
    DATA = "data"
    """Export all data about a user."""
    FORGET = "forget"
    """Erase all data about a user."""
    NOTES = "notes"
    """Show the player's notes about the game."""
    NOTE = "note"
    """Open the form for those notes."""
    NOTED = "noted"
    """The modal that ``NOTE`` opens."""
    GIVE = "give"
    """Offer to give time to others at the table, or give what the argument says: a seat, and so many minutes."""
    PAUSE = "pause"
    """Offer to ask for a pause, or ask for one of so many days as the argument says."""
    RESUME = "resume"
    """End a pause."""
    LATER = "later"
    """Ask in how many hours to remind the player again, or do so in as many as the argument says."""
    HUSH = "hush"
    """Send no further reminders of this turn."""
    KEEP = "keep"
    """Keep an abandoned game from being closed."""
    QUIET = "quiet"
    """The modal that ``HOURS`` opens."""
    MEET = "meet"
    """Open the private panel about when to meet; the argument names the lobby or game, without one the code a game."""
    MEETING = "meeting"
    """Accept an appointment or call it off, as the argument says."""
    MEETING_FILE = "meetingfile"
    """Send the appointment in the argument as a calendar file."""
    MEETING_FORM = "meetingform"
    """Open the form for the time of an appointment."""
    MEETING_TYPED = "meetingtyped"
    """The modal that ``MEETING_FORM`` opens."""
    EVENT = "event"
    """Answer one user about an event; the argument says about what, the code is the event's."""
    EVENT_PAGE = "eventpage"
    """Turn the private panel of an event to another page, or do what the argument says."""
    EVENT_FORM = "eventform"
    """Open the form that the argument names."""
    EVENT_TYPED = "eventtyped"
    """The modal that ``EVENT_FORM`` opens."""
    REPORT = "report"
    """Open the form for a message to the organisers of a game's event."""
    REPORTED = "reported"
    """The modal that ``REPORT`` opens."""


@dataclass(frozen=True, slots=True)
class OwnOp:
    """An operation that only one game or box (expansion) has, and the facts about it that the dispatcher needs."""

    value: str
    """Its unique name in custom ids."""
    decides: bool = False
    """True if it decides something on a card, and so is valid only in the game's own place."""
    moves: bool = False
    """True if it may make a move."""
    typed: bool = False
    """True if it is the submission of a modal."""
    private: bool = False
    """True if it fills its own message with content for one user."""

    def __str__(self) -> str:
        return self.value


Operation: TypeAlias = Op | OwnOp
_SHARED: Final = {str(op): op for op in Op}
_REGISTERED: Final[dict[str, OwnOp]] = {}


def register_operation(operation: OwnOp) -> OwnOp:
    """Register the operation of a game or box, so that :func:`parse_key` knows it.

    Raises:
        ValueError: the name is taken.
    """
    if operation.value in {*Op, *_REGISTERED}:
        raise ValueError(f"there is an operation {operation} already")
    _REGISTERED[operation.value] = operation
    return operation


def operations() -> tuple[Operation, ...]:
    """Return all known operations."""
    return (*Op, *_REGISTERED.values())


LOBBY_OPS: Final = frozenset(
    {Op.JOIN, Op.LEAVE, Op.START, Op.RULING, Op.CHANGE, Op.SEATS, Op.REMOVE, Op.READMIT, Op.CLOSE, Op.KEEP_GATHERING}
    | {Op.COMPUTERS, Op.COMPUTER, Op.ACCEPT, Op.REFUSE}
)
"""Operations whose ids name a lobby, not a game."""
EVENT_OPS: Final = frozenset({Op.EVENT, Op.EVENT_PAGE, Op.EVENT_FORM, Op.EVENT_TYPED})
"""Operations whose ids name an event."""
_EPOCH: Final = re.compile(r"e(\d{1,12})", re.ASCII)


@dataclass(frozen=True, slots=True)
class Key:
    """A parsed custom id: operation, code of the game or event or number of the lobby, revision, argument.

    Where a player steps through a game, the revision is the ply shown.
    """

    op: Operation
    ref: str
    revision: int = 0
    argument: str = ""

    def __str__(self) -> str:
        return f"{VERSION}:{self.op}:{self.ref}:{self.revision}:{self.argument}"


CUSTOM_ID_PATTERN: Final = re.compile(r"c\d+:.*", re.DOTALL)
"""Matches custom ids of this bot in any version of the format."""
_PRESENT_FORMAT: Final = re.compile(rf"{VERSION}:([a-z]+):([A-Z0-9]{{1,12}}):(\d{{1,6}}):(.*)", re.DOTALL)


def parse_key(custom_id: str) -> Key | None:
    """Read a custom id; return None if it is not of the present format."""
    match = _PRESENT_FORMAT.fullmatch(custom_id)
    if match is None:
        return None
    name, ref, revision, argument = match.groups()
    op = _SHARED.get(name) or _REGISTERED.get(name)
    return None if op is None else Key(op, ref, int(revision), argument)


def parse_id(text: str) -> int:
    """Read the id of a user, channel or lobby in an argument.

    Raises:
        ValueError: the text is no such id.
    """
    number = int(text) if text.isascii() and text.isdecimal() and len(text) < MAX_CUSTOM_ID_LENGTH else MAX_ID + 1
    if number > MAX_ID:
        raise ValueError(text)
    return number


def card_marker(code: str, revision: int, epoch: int = 0) -> str:
    """Return the custom id by which the card of a game's revision is recognised in a channel."""
    return str(Key(Op.BOARD, code, revision, epoch_tag(epoch)))


def epoch_tag(epoch: int) -> str:
    """Return the argument that names a game's *epoch*, its number of returns to a backup; empty if there was none."""
    return f"e{epoch}" if epoch else ""


def epoch_in(key: Key) -> int:
    """Return the epoch that a card's marker names."""
    match = _EPOCH.fullmatch(key.argument)
    return int(match[1]) if match else 0


def notice_marker(code: str, revision: int, nonce: str) -> str:
    """Return the custom id by which a notice is recognised."""
    return str(Key(Op.LOG, code, revision, nonce))
