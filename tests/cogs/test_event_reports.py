"""Players' reports reach a tournament's organisers: by direct message if they opted in, otherwise in its channel.

Organiser 1 has opted in, 2 has not, 3 has not and is in their quiet hours.
"""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import discord
import pytest

from cogs.background.direct_messages import write_to_organisers
from cogs.panels.events.posts import EventCard, PostContext, event_card
from host import Person
from host.events import EventPostKind
from host.timing.reminders import DeliveryMode
from tests.cogs.test_event_posts import half_and_end, post_about, words

DELIVERY_MODES = {
    1: DeliveryMode(quiet=False, direct=True),
    2: DeliveryMode(quiet=False, direct=False),
    3: DeliveryMode(quiet=True, direct=False),
}
"""The wishes of the three organisers."""
CANNOT_SEND_ERROR = discord.Forbidden(SimpleNamespace(status=403, reason="no"), {"code": 50007, "message": "no"})  # type: ignore[arg-type]


class FakeDiscord:
    """A fake Discord in which some users have closed direct messages."""

    def __init__(self, *closed: int) -> None:
        self.closed = closed
        self.received: list[int] = []

    async def create_dm(self, user: discord.Object) -> Any:
        """Return a direct channel that records what is sent."""
        return SimpleNamespace(send=lambda **sent: self._send(user.id, **sent))

    async def _send(self, user_id: int, *, nonce: str, **_: object) -> None:
        """Record a message, unless the user has closed their direct messages."""
        if user_id in self.closed:
            raise CANNOT_SEND_ERROR
        assert nonce  # against duplicates
        self.received.append(user_id)


async def send_report(fake_discord: FakeDiscord, *organisers: int) -> PostContext:
    """Send a report; return what is left to be posted in the channel."""
    report = post_about(EventPostKind.REPORTED, half_and_end("duel-swiss", 4)[0])
    event = replace(report.post.event, organisers=tuple(Person(user_id, "x") for user_id in organisers))
    post = replace(report.post, event=event)

    async def delivery_modes(user_ids: list[int]) -> dict[int, DeliveryMode]:
        """Return how each user wants messages."""
        return {user_id: DELIVERY_MODES[user_id] for user_id in user_ids}

    async def answer(value: object) -> object:
        return value

    host = SimpleNamespace(
        turn_reminders=SimpleNamespace(delivery_modes=delivery_modes),
        servers=SimpleNamespace(usual_settings=lambda _, **_options: answer(SimpleNamespace(language="en"))),
        locales=SimpleNamespace(of=lambda _: answer(SimpleNamespace(chosen="", locale=""))),
    )
    bot: Any = SimpleNamespace(host=host, create_dm=fake_discord.create_dm)
    return await write_to_organisers(bot, PostContext(post, report.presenters))


@pytest.mark.parametrize(
    ("closed", "organisers", "direct", "named", "pinged"),
    [
        ((), (1,), [1], [], []),
        ((), (1, 2, 3), [1], [2, 3], [2]),  # an organiser with quiet hours is named but not pinged
        ((1,), (1, 2), [], [1, 2], [1, 2]),  # with closed direct messages, the channel is used
        ((), (2,), [], [2], [2]),
    ],
)
async def test_only_organisers_who_opted_in_get_direct_messages(
    closed: tuple[int, ...], organisers: tuple[int, ...], direct: list[int], named: list[int], pinged: list[int]
) -> None:
    fake_discord = FakeDiscord(*closed)
    remaining = await send_report(fake_discord, *organisers)
    assert (fake_discord.received, list(remaining.named), list(remaining.pinged)) == (direct, named, pinged)
    card: EventCard = event_card(remaining)
    assert all(f"<@{user_id}>" in words(card) for user_id in named)
    assert sorted(user.id for user in card.mentions().users) == pinged  # type: ignore[union-attr]
