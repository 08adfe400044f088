"""The policy of notifications: for every occasion who is told, where, whom it pings, and what makes it obsolete.

Whoever posts, defers or drops a message asks this table; ``docs/notifications.md`` is printed from it by
``python -m host.notifications``. Only the words and buttons of a message stand elsewhere (``cogs/panels``).
"""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from store import EventPostKind, PostKind


class Recipient(StrEnum):
    """Those whom a message is for; of these it pings the ones that its policy names."""

    EVERYBODY = "everybody who reads it"
    DECIDER = "the player whom the game asks"
    PLANNER = "players who may plan for a decision of others"
    PLAYERS = "all players"
    VOTERS = "the players who have to agree, and a substitute"
    ADDRESSEE = "one player, or one who is invited"
    MEMBERS = "those who joined"
    FORMER_PLAYERS = "the players of the last game"
    ENTRANTS = "those who have not checked in"
    CAPTAINS = "the captains of teams that play"
    ORGANISERS = "the organisers"
    PODIUM = "the first three"


class Where(StrEnum):
    """The place where a message is posted."""

    GAME = "the game's thread; if that is closed, its channel"
    GAME_ALONE = "the game's thread"
    CHANNEL = "the channel"
    EVENT = "the event's channel"
    ORGANISERS = "direct messages to organisers who want them, else the event's channel"


class QuietHours(StrEnum):
    """The fate of a ping in a recipient's quiet hours."""

    NO_PING = "nobody is pinged"
    UNTIL_TURN = "reminded of the turn when they end"
    UNTIL_NEWS = "told when they end, if it still holds"
    SILENT = "not pinged, and not told again"
    SENT_LATER = "it is sent when they have ended"


class Obsolete(StrEnum):
    """The reason for which a message that waits is dropped."""

    NEVER = "never"
    NOT_AWAITED = "the game waits for the player no more"
    NOTHING_HOLDS = "nothing of it holds any more"
    PLACE_CHANGED = "the place is open, or closed, again; the game is over"
    NOBODY_NAMED = "nobody is left whom it names"


class Matter(StrEnum):
    """A subject of deferred notifications; their texts are ``news.MATTER``."""

    PLAN = "plan"
    """Others decide something for which the player may plan, and has not."""
    QUESTION = "question"
    """Others ask for an answer that the player has not given."""
    CLOSING = "closing"
    """A game that nobody plays will be closed."""
    ENDS = "ends"
    """The date on which the game ends."""
    OPENING = "opening"
    """A game of an event is open."""
    SHUT = "shut"
    """The place of the game is closed to the bot."""
    RESULT = "result"
    """The game is over."""
    MOVED = "moved"
    """The game goes on in another place."""
    REMATCH = "rematch"
    """A lobby gathers for the same game again."""


class Condition(StrEnum):
    """The condition under which a deferred matter is still told when quiet hours end."""

    UNPLANNED = "others still decide it, and the player has not planned for it"
    UNANSWERED = "the question is open, and the player has not answered"
    WARNED = "the game runs, and no one has kept it since the warning"
    HAS_END_DATE = "the game runs, and has an end date"
    RUNNING = "the game runs"
    PLACE_CLOSED = "the place is still closed"
    NOT_JOINED = "the lobby is open, and the player has not joined"
    ALWAYS = "always"


@dataclass(frozen=True, slots=True, kw_only=True)
class Notification:
    """The policy for one occasion."""

    pings: tuple[Recipient, ...] = ()
    where: Where = Where.GAME
    quiet: tuple[QuietHours, ...] = (QuietHours.NO_PING,)
    """For each recipient that is pinged."""
    obsolete: Obsolete = Obsolete.NEVER
    direct: bool = False
    """True if the first recipient gets a direct message, too, if they want that."""
    keeps_card: bool = False
    """True if the card before it keeps its buttons."""
    tells_time: bool = False
    """True if it tells how much time there is, and so waits for the first heartbeat after a start."""
    matter: Matter | None = None
    """The subject under which it is told when quiet hours end."""
    urgent: bool = False
    """True if a reminder of the turn says it, too."""

    def pinged(self, recipients: Iterable[int], quiet_users: Collection[int]) -> list[int]:
        """Return the recipients whom the message pings now: those outside their quiet hours, or none without pings."""
        return [user_id for user_id in recipients if user_id not in quiet_users] if self.pings else []


_TURN: Final = Notification(
    pings=(Recipient.DECIDER, Recipient.PLANNER), quiet=(QuietHours.UNTIL_TURN, QuietHours.UNTIL_NEWS), direct=True
)
_NOTICE: Final = Notification(keeps_card=True)

POSTS: Final[Mapping[PostKind, Notification]] = {
    PostKind.OPENING: Notification(
        pings=(Recipient.PLAYERS,),
        where=Where.CHANNEL,
        quiet=(QuietHours.UNTIL_NEWS,),
        keeps_card=True,
        matter=Matter.OPENING,
    ),
    PostKind.START: _TURN,
    PostKind.CARD: Notification(pings=_TURN.pings, quiet=_TURN.quiet, direct=True, matter=Matter.PLAN),
    PostKind.UNDONE: _TURN,
    PostKind.REPLACED: _TURN,
    PostKind.REOPENED: Notification(
        pings=_TURN.pings, where=Where.GAME_ALONE, quiet=_TURN.quiet, direct=True, obsolete=Obsolete.PLACE_CHANGED
    ),
    PostKind.FINAL: Notification(pings=(Recipient.PLAYERS,), quiet=(QuietHours.UNTIL_NEWS,), matter=Matter.RESULT),
    PostKind.ASKED: Notification(
        pings=(Recipient.VOTERS,), quiet=(QuietHours.UNTIL_NEWS,), keeps_card=True, matter=Matter.QUESTION, urgent=True
    ),
    PostKind.REMINDER: Notification(
        pings=(Recipient.DECIDER,),
        quiet=(QuietHours.UNTIL_TURN,),
        obsolete=Obsolete.NOT_AWAITED,
        direct=True,
        keeps_card=True,
        tells_time=True,
    ),
    PostKind.NEWS: Notification(
        pings=(Recipient.ADDRESSEE,), quiet=(QuietHours.UNTIL_NEWS,), obsolete=Obsolete.NOTHING_HOLDS, keeps_card=True
    ),
    PostKind.RESUMED: Notification(
        pings=(Recipient.DECIDER,), quiet=(QuietHours.UNTIL_TURN,), direct=True, keeps_card=True, tells_time=True
    ),
    PostKind.UNREACHED: Notification(
        pings=(Recipient.DECIDER,), quiet=(QuietHours.UNTIL_TURN,), direct=True, keeps_card=True
    ),
    PostKind.CLOSING: Notification(
        pings=(Recipient.PLAYERS,), quiet=(QuietHours.UNTIL_NEWS,), keeps_card=True, matter=Matter.CLOSING, urgent=True
    ),
    PostKind.ENDS: Notification(
        pings=(Recipient.PLAYERS,), quiet=(QuietHours.UNTIL_NEWS,), keeps_card=True, matter=Matter.ENDS
    ),
    PostKind.SHUT: Notification(
        pings=(Recipient.PLAYERS,),
        where=Where.CHANNEL,
        quiet=(QuietHours.UNTIL_NEWS,),
        obsolete=Obsolete.PLACE_CHANGED,
        keeps_card=True,
        matter=Matter.SHUT,
    ),
    PostKind.BACK: Notification(obsolete=Obsolete.NOT_AWAITED, keeps_card=True, tells_time=True),
    PostKind.PAUSED: Notification(keeps_card=True, tells_time=True),
    PostKind.GIVEN: Notification(keeps_card=True, tells_time=True),
    PostKind.CLOSED: _NOTICE,
    PostKind.ENDED: _NOTICE,
    PostKind.VANISHED: _NOTICE,
    PostKind.FROZEN: Notification(),
    PostKind.HELD: Notification(),
    PostKind.THAWED: Notification(),
    PostKind.WENT_BACK: Notification(),
}
"""The policy for each post about a game."""

CONDITIONS: Final[Mapping[Matter, Condition]] = {
    Matter.PLAN: Condition.UNPLANNED,
    Matter.QUESTION: Condition.UNANSWERED,
    Matter.CLOSING: Condition.WARNED,
    Matter.ENDS: Condition.HAS_END_DATE,
    Matter.OPENING: Condition.RUNNING,
    Matter.SHUT: Condition.PLACE_CLOSED,
    Matter.RESULT: Condition.ALWAYS,
    Matter.MOVED: Condition.RUNNING,
    Matter.REMATCH: Condition.NOT_JOINED,
}
"""The condition for each deferred matter; :mod:`host.timing.reminders` checks them."""

DEFERRED: Final[Mapping[PostKind, Matter]] = {kind: its.matter for kind, its in POSTS.items() if its.matter is not None}
"""The matters of posts whose pings wait for the end of quiet hours."""
URGENT_MATTERS: Final = frozenset(its.matter for its in POSTS.values() if its.urgent)
"""The matters that a reminder of the turn says, too."""
KEEPING_CARD: Final = frozenset(kind for kind, its in POSTS.items() if its.keeps_card)
"""Notices that leave the card before them as it is."""

_ABOUT_EVENT: Final = Notification(where=Where.EVENT)
_TO_ORGANISERS: Final = Notification(pings=(Recipient.ORGANISERS,), where=Where.EVENT, quiet=(QuietHours.UNTIL_NEWS,))

EVENT_POSTS: Final[Mapping[EventPostKind, Notification]] = {
    **dict.fromkeys(EventPostKind, _ABOUT_EVENT),
    EventPostKind.CHECK_IN: Notification(
        pings=(Recipient.ENTRANTS,), where=Where.EVENT, quiet=(QuietHours.UNTIL_NEWS,)
    ),
    EventPostKind.LINE_UPS: Notification(
        pings=(Recipient.CAPTAINS,), where=Where.EVENT, quiet=(QuietHours.UNTIL_NEWS,)
    ),
    EventPostKind.FINISHED: Notification(pings=(Recipient.PODIUM,), where=Where.EVENT, quiet=(QuietHours.UNTIL_NEWS,)),
    EventPostKind.NEEDED: _TO_ORGANISERS,
    EventPostKind.DEADLINE: _TO_ORGANISERS,
    EventPostKind.TOO_FEW: _TO_ORGANISERS,
    EventPostKind.REPORTED: Notification(
        pings=(Recipient.ORGANISERS,),
        where=Where.ORGANISERS,
        quiet=(QuietHours.UNTIL_NEWS,),
        obsolete=Obsolete.NOBODY_NAMED,
        direct=True,
    ),
    EventPostKind.NEWS: Notification(
        pings=(Recipient.ADDRESSEE,), where=Where.EVENT, quiet=(QuietHours.SENT_LATER,), obsolete=Obsolete.NOBODY_NAMED
    ),
}
"""The policy for each post about an event."""


class Occasion(StrEnum):
    """An occasion that has no row in an outbox: it is posted at once by whoever caused it, or by a timer."""

    LOBBY_CLOSING = "lobby_closing"
    REMATCH = "rematch"
    MOVED = "moved"


OCCASIONS: Final[Mapping[Occasion, Notification]] = {
    Occasion.LOBBY_CLOSING: Notification(pings=(Recipient.MEMBERS,), where=Where.CHANNEL, quiet=(QuietHours.SILENT,)),
    Occasion.REMATCH: Notification(
        pings=(Recipient.FORMER_PLAYERS,), where=Where.CHANNEL, quiet=(QuietHours.UNTIL_NEWS,), matter=Matter.REMATCH
    ),
    Occasion.MOVED: Notification(
        pings=(Recipient.PLAYERS,), where=Where.GAME_ALONE, quiet=(QuietHours.UNTIL_NEWS,), matter=Matter.MOVED
    ),
}
"""The policy for each other occasion."""


def table() -> str:
    """Return the policy as the tables of ``docs/notifications.md``."""
    games = _table("Posts about a game", {str(kind): its for kind, its in POSTS.items()})
    events = _table("Posts about an event", {str(kind): its for kind, its in EVENT_POSTS.items()})
    others = _table("Other occasions", {str(kind): its for kind, its in OCCASIONS.items()})
    conditions = "\n".join(f"| `{matter}` | {condition} |" for matter, condition in sorted(CONDITIONS.items()))
    deferred = f"## Deferred by quiet hours\n\n| matter | still told if |\n|---|---|\n{conditions}"
    return f"{games}\n\n{events}\n\n{others}\n\n{deferred}"


def _table(title: str, policy: Mapping[str, Notification]) -> str:
    return "\n".join((f"## {title}\n", *_rows(policy)))


def _rows(policy: Mapping[str, Notification]) -> Iterator[str]:
    yield "| occasion | pings | where | in quiet hours | dropped when | also |"
    yield "|---|---|---|---|---|---|"
    for kind, its in sorted(policy.items()):
        also = (
            ["a direct message, if wanted"] * its.direct
            + ["waits for the first heartbeat"] * its.tells_time
            + ["said with a reminder of the turn"] * its.urgent
        )
        columns = (
            f"`{kind}`",
            "; ".join(its.pings) or "nobody",
            its.where,
            "; ".join(its.quiet),
            its.obsolete,
            "; ".join(also),
        )
        yield f"| {' | '.join(columns)} |"


if __name__ == "__main__":
    sys.stdout.write(f"{table()}\n")
