"""The policy of notifications: for every kind of message, where it is posted, whom it pings, and when it is dropped.

Code that posts, defers or drops a message looks its kind up here: in ``POSTS`` for messages about a game,
``EVENT_POSTS`` for tournaments, ``OCCASIONS`` for all others. The texts and buttons are in ``cogs/panels``.

Users can choose *quiet hours*, in which they are not pinged. Then a notification may be *deferred*: it is delivered
when the quiet hours end, under its :class:`Matter`, if the matter's :class:`Condition` still holds.

The values of the enumerations are the sentences of ``docs/notifications.md``, whose tables
``python -m host.notifications`` prints.
"""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import timedelta
from enum import StrEnum
from typing import Any, Final

from store import EventPostKind, PostKind


class Recipient(StrEnum):
    """The users whom a message pings."""

    DECIDER = "the player to move"
    PLANNER = "players who may plan for a decision of others"
    PLAYERS = "all players"
    VOTERS = "the players who have to agree, and a substitute"
    ADDRESSEE = "one player, or one who is invited"
    MEMBERS = "those who joined"
    CHALLENGED = "those who have to answer a challenge, unless they avoid the challenger"
    MEETING = "those who are to meet, except the one who has just proposed the time"
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
    """The treatment of a ping in the quiet hours of a recipient."""

    NO_PING = "nobody is pinged"
    UNTIL_TURN = "reminded of the turn when they end"
    UNTIL_NEWS = "told when they end, if it still holds"
    SILENT = "not pinged, and not told again"
    PINGED = "pinged all the same, since they have agreed to it"
    SENT_LATER = "it is sent when they have ended"


class Obsolete(StrEnum):
    """The reason for which a message that was not sent yet is dropped."""

    NEVER = "never"
    NOT_AWAITED = "the game no longer waits for the player"
    NOTHING_HOLDS = "nothing in it is relevant any more"
    PLACE_CHANGED = "the place was opened or closed again, or the game is over"
    NOBODY_NAMED = "there is nobody left to ping"


class Matter(StrEnum):
    """A subject of deferred notifications. Its text has the key ``news.`` and the value."""

    PLAN = "plan"
    """Another player is deciding something for which this one may plan, and has not."""
    QUESTION = "question"
    """The other players ask for an answer that this one has not given."""
    CLOSING = "closing"
    """The game will be closed because nobody plays it."""
    ENDS = "ends"
    """The game has an end date, which is near or was changed."""
    OPENING = "opening"
    """A game of an event has been opened."""
    SHUT = "shut"
    """The channel or thread of the game is closed to the bot."""
    RESULT = "result"
    """The game is over."""
    MOVED = "moved"
    """The game was moved to another channel or thread."""
    REMATCH = "rematch"
    """A lobby gathers for the same game again."""


class Condition(StrEnum):
    """The condition under which a deferred notification is still delivered when quiet hours end."""

    UNPLANNED = "another player is still deciding, and the player has not planned for it"
    UNANSWERED = "the question is open, and the player has not answered"
    WARNED = "the game runs, and nobody has kept it open since the warning"
    HAS_END_DATE = "the game runs, and has an end date"
    RUNNING = "the game runs"
    PLACE_CLOSED = "the place is still closed"
    NOT_JOINED = "the lobby is open, and the player has not joined"
    ALWAYS = "always"


@dataclass(frozen=True, slots=True, kw_only=True)
class Notification:
    """The policy for one kind of message."""

    pings: tuple[Recipient, ...] = ()
    where: Where = Where.GAME
    quiet: tuple[QuietHours, ...] = (QuietHours.NO_PING,)
    """The treatment of each of the ``pings`` in quiet hours."""
    obsolete: Obsolete = Obsolete.NEVER
    direct: bool = False
    """True if the first recipient gets a direct message as well, provided that they want that."""
    keeps_card: bool = False
    """True if the game's newest card before this message keeps its buttons."""
    tells_time: bool = False
    """True if it says how much time a player has. Then it waits for the first heartbeat after a start of the bot, which
    refunds the time for which the bot was down."""
    matter: Matter | None = None
    """The subject under which it is delivered when quiet hours end; None if it is not deferred."""
    urgent: bool = False
    """True if a reminder of the player's turn includes it."""
    spacing: timedelta = timedelta(0)
    """The least time between two pings of somebody by messages of this kind at one table."""

    def pinged(self, recipients: Iterable[int], quiet_users: Collection[int]) -> list[int]:
        """Return the recipients whom the message pings now: all but those in quiet hours; none if it pings nobody."""
        return [user_id for user_id in recipients if user_id not in quiet_users] if self.pings else []


_TURN: Final = Notification(
    pings=(Recipient.DECIDER, Recipient.PLANNER), quiet=(QuietHours.UNTIL_TURN, QuietHours.UNTIL_NEWS), direct=True
)
"""The policy for a message that asks for a move."""
_NOTICE: Final = Notification(keeps_card=True)
"""The policy for a message that only informs: it pings nobody, and the card before it keeps its buttons."""


def _told_later(recipient: Recipient, **options: Any) -> Notification:  # noqa: ANN401 - fields of a policy
    """Return the policy for a message whose recipients are told when their quiet hours end."""
    return Notification(pings=(recipient,), quiet=(QuietHours.UNTIL_NEWS,), **options)


def _to_decider(**options: Any) -> Notification:  # noqa: ANN401 - fields of a policy
    """Return the policy for a message to the player to move, whose newest card keeps its buttons."""
    return Notification(
        pings=(Recipient.DECIDER,), quiet=(QuietHours.UNTIL_TURN,), direct=True, keeps_card=True, **options
    )


POSTS: Final[Mapping[PostKind, Notification]] = {
    PostKind.OPENING: _told_later(Recipient.PLAYERS, where=Where.CHANNEL, keeps_card=True, matter=Matter.OPENING),
    PostKind.START: _TURN,
    PostKind.CARD: replace(_TURN, matter=Matter.PLAN),
    PostKind.UNDONE: _TURN,
    PostKind.REPLACED: _TURN,
    PostKind.REOPENED: replace(_TURN, where=Where.GAME_ALONE, obsolete=Obsolete.PLACE_CHANGED),
    PostKind.FINAL: _told_later(Recipient.PLAYERS, matter=Matter.RESULT),
    PostKind.ASKED: _told_later(Recipient.VOTERS, keeps_card=True, matter=Matter.QUESTION, urgent=True),
    PostKind.REMINDER: _to_decider(obsolete=Obsolete.NOT_AWAITED, tells_time=True),
    PostKind.NEWS: _told_later(Recipient.ADDRESSEE, obsolete=Obsolete.NOTHING_HOLDS, keeps_card=True),
    PostKind.RESUMED: _to_decider(tells_time=True),
    PostKind.UNREACHED: _to_decider(),
    PostKind.CLOSING: _told_later(Recipient.PLAYERS, keeps_card=True, matter=Matter.CLOSING, urgent=True),
    PostKind.ENDS: _told_later(Recipient.PLAYERS, keeps_card=True, matter=Matter.ENDS),
    PostKind.SHUT: _told_later(
        Recipient.PLAYERS, where=Where.CHANNEL, obsolete=Obsolete.PLACE_CHANGED, keeps_card=True, matter=Matter.SHUT
    ),
    PostKind.BACK: Notification(obsolete=Obsolete.NOT_AWAITED, keeps_card=True, tells_time=True),
    PostKind.PAUSED: Notification(keeps_card=True, tells_time=True),
    PostKind.GIVEN: Notification(keeps_card=True, tells_time=True),
    PostKind.CLOSED: _NOTICE,
    PostKind.ENDED: _NOTICE,
    PostKind.VANISHED: _NOTICE,
    PostKind.STALLED: _NOTICE,
    PostKind.SPENT: _NOTICE,
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

DEFERRED: Final[Mapping[PostKind, Matter]] = {
    kind: policy.matter for kind, policy in POSTS.items() if policy.matter is not None
}
"""The matters of the posts that are deferred in quiet hours."""
URGENT_MATTERS: Final = frozenset(policy.matter for policy in POSTS.values() if policy.urgent)
"""The matters that a reminder of the player's turn includes."""
KEEPING_CARD: Final = frozenset(kind for kind, policy in POSTS.items() if policy.keeps_card)
"""The posts after which the newest card before them keeps its buttons."""

_ABOUT_EVENT: Final = Notification(where=Where.EVENT)
"""The policy for a message in the channel of an event that pings nobody."""
_TO_ORGANISERS: Final = _told_later(Recipient.ORGANISERS, where=Where.EVENT)
"""The policy for a message in the channel of an event that pings its organisers."""

EVENT_POSTS: Final[Mapping[EventPostKind, Notification]] = {
    **dict.fromkeys(EventPostKind, _ABOUT_EVENT),
    EventPostKind.CHECK_IN: _told_later(Recipient.ENTRANTS, where=Where.EVENT),
    EventPostKind.LINE_UPS: _told_later(Recipient.CAPTAINS, where=Where.EVENT),
    EventPostKind.FINISHED: _told_later(Recipient.PODIUM, where=Where.EVENT),
    EventPostKind.NEEDED: _TO_ORGANISERS,
    EventPostKind.DEADLINE: _TO_ORGANISERS,
    EventPostKind.TOO_FEW: _TO_ORGANISERS,
    EventPostKind.REPORTED: _told_later(
        Recipient.ORGANISERS, where=Where.ORGANISERS, obsolete=Obsolete.NOBODY_NAMED, direct=True
    ),
    EventPostKind.NEWS: Notification(
        pings=(Recipient.ADDRESSEE,), where=Where.EVENT, quiet=(QuietHours.SENT_LATER,), obsolete=Obsolete.NOBODY_NAMED
    ),
}
"""The policy for each post about an event."""


class Occasion(StrEnum):
    """A kind of message that is posted at once, without a row in an outbox."""

    LOBBY_CLOSING = "lobby_closing"
    CHALLENGE = "challenge"
    REMATCH = "rematch"
    MOVED = "moved"
    APPOINTMENT = "appointment"
    APPOINTMENT_SOON = "appointment_soon"


OCCASIONS: Final[Mapping[Occasion, Notification]] = {
    Occasion.LOBBY_CLOSING: Notification(pings=(Recipient.MEMBERS,), where=Where.CHANNEL, quiet=(QuietHours.SILENT,)),
    Occasion.CHALLENGE: Notification(pings=(Recipient.CHALLENGED,), where=Where.CHANNEL, quiet=(QuietHours.SILENT,)),
    Occasion.REMATCH: _told_later(Recipient.FORMER_PLAYERS, where=Where.CHANNEL, matter=Matter.REMATCH),
    Occasion.APPOINTMENT: Notification(
        pings=(Recipient.MEETING,), quiet=(QuietHours.SILENT,), spacing=timedelta(hours=1)
    ),
    Occasion.APPOINTMENT_SOON: Notification(pings=(Recipient.MEETING,), quiet=(QuietHours.PINGED,)),
    Occasion.MOVED: _told_later(Recipient.PLAYERS, where=Where.GAME_ALONE, matter=Matter.MOVED),
}
"""The policy for each other occasion."""


def policy_tables() -> str:
    """Return the policies as the tables of ``docs/notifications.md``, in Markdown."""
    games = _policy_table("Posts about a game", {str(kind): policy for kind, policy in POSTS.items()})
    events = _policy_table("Posts about an event", {str(kind): policy for kind, policy in EVENT_POSTS.items()})
    others = _policy_table("Other occasions", {str(kind): policy for kind, policy in OCCASIONS.items()})
    conditions = "\n".join(f"| `{matter}` | {condition} |" for matter, condition in sorted(CONDITIONS.items()))
    deferred = f"## Deferred by quiet hours\n\n| matter | still told if |\n|---|---|\n{conditions}"
    return f"{games}\n\n{events}\n\n{others}\n\n{deferred}"


def _policy_table(title: str, policies: Mapping[str, Notification]) -> str:
    """Return a heading and a Markdown table of policies, which are given by the kinds of messages."""
    return "\n".join((f"## {title}\n", *_rows(policies)))


def _rows(policies: Mapping[str, Notification]) -> Iterator[str]:
    """Yield the lines of the Markdown table of these policies."""
    yield "| occasion | pings | where | in quiet hours | dropped when | also |"
    yield "|---|---|---|---|---|---|"
    for kind, policy in sorted(policies.items()):
        also = (
            ["a direct message, if wanted"] * policy.direct
            + ["waits for the first heartbeat"] * policy.tells_time
            + ["said with a reminder of the turn"] * policy.urgent
            + [f"a person is pinged at most once in {policy.spacing // timedelta(minutes=1)} minutes"]
            * bool(policy.spacing)
        )
        columns = (
            f"`{kind}`",
            "; ".join(policy.pings) or "nobody",
            policy.where,
            "; ".join(policy.quiet),
            policy.obsolete,
            "; ".join(also),
        )
        yield f"| {' | '.join(columns)} |"


if __name__ == "__main__":
    sys.stdout.write(f"{policy_tables()}\n")
