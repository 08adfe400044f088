"""Custom ids: what a button means stands in its id, so that it still works after a restart.

``c1:act:K7QF:31:bid:5`` — version, operation, game (or lobby), revision, argument. The version lets an id of an older
format answer politely. The revision is that of the game: while nothing was ever undone, its ply.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, TypeAlias

VERSION: Final = "c1"
LONGEST: Final = 100
"""Characters that Discord allows in a custom id."""

HIGHEST: Final = 2**63 - 1
"""The highest id that Discord makes and the database holds."""

HERE: Final = "here"
"""The argument of a start button that plays in the channel itself."""


class Op(StrEnum):
    """What a button or modal does, whatever is played."""

    JOIN = "join"
    LEAVE = "leave"
    START = "start"
    RULING = "ruling"
    """Open the private panel of the rules of a table that gathers."""
    CHANGE = "change"
    """Turn that panel's page, or change a rule, as the argument says."""
    KEEP_GATHERING = "keepgathering"
    """Let a table that gathers stay open, though nothing changes in it."""
    SEATS = "seats"
    """Open the private panel of who sits at a table that gathers."""
    REMOVE = "remove"
    """Take the seat of the member in the argument away."""
    READMIT = "readmit"
    """Let the person in the argument join again."""
    CLOSE = "close"
    """Close a table that gathers: ask first, and do it when the argument says so."""
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
    """Take a move back: in silence while it waits to be published, else by asking the others."""
    ASK = "ask"
    """Ask the others whether what was published may be undone."""
    AGREE = "agree"
    """Agree to the request in the argument."""
    DECLINE = "decline"
    """Do not agree to it, or take one's own request back."""
    SEAT = "seat"
    """Ask who may take over a player's seat, or to go on without, as the argument says."""
    PUBLISH = "publish"
    """Publish a move that waits, before its time."""
    BOARD = "board"
    STEP = "step"
    """Show the board at this ply in the private panel of the button; the argument tells the buttons apart."""
    RECORD = "record"
    """The same with the record that hangs on the panel."""
    WORDS = "words"
    """Tell the table in words, in a private panel."""
    TELL = "tell"
    """Go to what the argument says in that panel, or to what was chosen in its lists."""
    TILES = "tiles"
    HINTS = "hints"
    RULES = "rules"
    RULE = "rule"
    """Turn the pages of the rule book to what the argument says."""
    LOG = "log"
    GAMES = "games"
    """Turn the pages of somebody's games; the argument is how many are skipped."""
    PROOF = "proof"
    """Tell how to check that nothing was arranged."""
    REMATCH = "rematch"
    """Open a table for those who have played a game."""
    REPLAY = "replay"
    """Show a finished game as one animated picture."""
    RESIGN = "resign"
    RESIGNING = "resigning"
    """Ask whether the player really means to leave."""
    HERE = "here"
    """Go on with the game in this channel."""
    EXPORT = "export"
    SETTING = "setting"
    """Give one of the player's settings the value in the argument, or turn the page of the panel."""
    HOURS = "hours"
    """Ask for quiet hours and time zone."""
    VACATION = "vacation"
    """Show somebody's vacations, after taking back the one that begins on the day in the argument."""
    DAYS = "days"
    """Ask when somebody is away."""
    BACK = "back"
    """End the vacation that began on the day in the argument."""
    AWAY = "away"
    """The modal that ``DAYS`` opens."""
    ORDERS = "orders"
    """Ask what somebody plans, sealed, for what is being decided."""
    DATA = "data"
    """Hand out everything that is known of somebody."""
    FORGET = "forget"
    """Take somebody out of everything."""
    NOTES = "notes"
    """Show what the player has written down about the game."""
    NOTE = "note"
    """Let him write it."""
    NOTED = "noted"
    """The modal that ``NOTE`` opens."""
    GIVE = "give"
    """Offer to give time to others at the table, or give what the argument says: a seat, and so many minutes."""
    PAUSE = "pause"
    """Offer to ask for a pause, or ask for one of so many days as the argument says."""
    RESUME = "resume"
    """End a pause."""
    LATER = "later"
    """Ask in how many hours somebody is reminded again, or remind him in as many as the argument says."""
    HUSH = "hush"
    """Remind somebody no more of this turn."""
    KEEP = "keep"
    """Say that a table is not to be closed."""
    QUIET = "quiet"
    """The modal that ``HOURS`` opens."""
    EVENT = "event"
    """Something about an event that one person is answered; the argument says what, the code is the event's."""
    EVENT_PAGE = "eventpage"
    """Turn the private panel of an event to another page, or do what the argument says."""
    EVENT_FORM = "eventform"
    """Open the form that the argument names."""
    EVENT_TYPED = "eventtyped"
    """The modal that ``EVENT_FORM`` opens."""
    REPORT = "report"
    """Let somebody tell the organisers of a game's event something."""
    REPORTED = "reported"
    """The modal that ``REPORT`` opens."""


@dataclass(frozen=True, slots=True)
class OwnOp:
    """What a button or modal does that only one game or box has; it says itself what others have to know of it."""

    value: str
    """Its name in ids, which no other operation has."""
    decides: bool = False
    """It belongs to what is decided on a card: buttons of the game's place, not of any other one."""
    moves: bool = False
    """A move may be made by it."""
    typed: bool = False
    """It is a modal's."""
    private: bool = False
    """It fills the message on which it stands with what is only for one person."""

    def __str__(self) -> str:
        return self.value


Operation: TypeAlias = Op | OwnOp
_SHARED: Final = {str(op): op for op in Op}
_OWN: Final[dict[str, OwnOp]] = {}


def own(operation: OwnOp) -> OwnOp:
    """Make the operation of a game or box known, so that ids with it are read.

    Raises:
        ValueError: its name is taken.
    """
    if operation.value in {*Op, *_OWN}:
        raise ValueError(f"there is an operation {operation} already")
    _OWN[operation.value] = operation
    return operation


def operations() -> tuple[Operation, ...]:
    """All operations that are known."""
    return (*Op, *_OWN.values())


LOBBY_OPS: Final = frozenset(
    {Op.JOIN, Op.LEAVE, Op.START, Op.RULING, Op.CHANGE, Op.SEATS, Op.REMOVE, Op.READMIT, Op.CLOSE, Op.KEEP_GATHERING}
)
"""Operations whose ids name a lobby, not a game."""
EVENT_OPS: Final = frozenset({Op.EVENT, Op.EVENT_PAGE, Op.EVENT_FORM, Op.EVENT_TYPED})
"""Operations whose ids name an event."""
_EPOCH: Final = re.compile(r"e(\d{1,12})", re.ASCII)


@dataclass(frozen=True, slots=True)
class Key:
    """The parsed custom id: operation, code of the game or number of the lobby, revision, argument.

    Where one steps through a game it is the ply that is shown.
    """

    op: Operation
    ref: str
    revision: int = 0
    argument: str = ""

    def __str__(self) -> str:
        return f"{VERSION}:{self.op}:{self.ref}:{self.revision}:{self.argument}"


OURS: Final = re.compile(r"c\d+:.*", re.DOTALL)
"""Any id that this bot has ever made, in whatever version of the format."""
_FORM: Final = re.compile(rf"{VERSION}:([a-z]+):([A-Z0-9]{{1,12}}):(\d{{1,6}}):(.*)", re.DOTALL)


def parse_key(custom_id: str) -> Key | None:
    """Read a custom id; None when it is none of the present format."""
    match = _FORM.fullmatch(custom_id)
    if match is None:
        return None
    name, ref, revision, argument = match.groups()
    op = _SHARED.get(name) or _OWN.get(name)
    return None if op is None else Key(op, ref, int(revision), argument)


def number_in(text: str) -> int:
    """The id of a person, place or lobby in an argument.

    Raises:
        ValueError: there is none.
    """
    number = int(text) if text.isascii() and text.isdecimal() and len(text) < LONGEST else HIGHEST + 1
    if number > HIGHEST:
        raise ValueError(text)
    return number


def card_marker(code: str, revision: int, epoch: int = 0) -> str:
    """The custom id that the card of a game's revision has, and nothing else has: how it is recognised in a channel."""
    return str(Key(Op.BOARD, code, revision, epoch_tag(epoch)))


def epoch_tag(epoch: int) -> str:
    """What the marker of a card says of the game's epoch: nothing while it never went back."""
    return f"e{epoch}" if epoch else ""


def epoch_in(key: Key) -> int:
    """The epoch that a card's marker names."""
    match = _EPOCH.fullmatch(key.argument)
    return int(match[1]) if match else 0


def notice_marker(code: str, revision: int, nonce: str) -> str:
    """The custom id by which a notice is recognised."""
    return str(Key(Op.LOG, code, revision, nonce))
