"""Players' reports reach the organisers: by direct message if they opted in, otherwise in the event's channel."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import discord
import pytest

from cogs.background.direct_messages import write_to_organisers
from cogs.panels.events.announcement import PostContext
from cogs.panels.events.posts import EventCard, event_card
from host import Person
from host.events import EventPostKind
from host.timing.reminders import DeliveryMode
from tests.cogs.test_event_posts import moments, post_about, words

ORGANISERS = {
    1: DeliveryMode(quiet=False, direct=True),
    2: DeliveryMode(quiet=False, direct=False),
    3: DeliveryMode(quiet=True, direct=False),
}
CLOSED = discord.Forbidden(SimpleNamespace(status=403, reason="no"), {"code": 50007, "message": "no"})  # type: ignore[arg-type]


class People:
    """A fake Discord in which some users have closed direct messages."""

    def __init__(self, *closed: int) -> None:
        self.closed = closed
        self.got: list[int] = []

    async def create_dm(self, user: discord.Object) -> Any:
        return SimpleNamespace(send=lambda **sent: self._send(user.id, **sent))

    async def _send(self, user_id: int, *, nonce: str, **_: object) -> None:
        if user_id in self.closed:
            raise CLOSED
        assert nonce  # against duplicates
        self.got.append(user_id)


async def reported(people: People, *organisers: int) -> PostContext:
    """Send a report; return what is left to be posted in the channel."""
    report = post_about(EventPostKind.REPORTED, moments("duel-swiss", 4)[0])
    event = replace(report.post.event, organisers=tuple(Person(each, "x") for each in organisers))
    post = replace(report.post, event=event)

    async def manners(asked: list[int]) -> dict[int, DeliveryMode]:
        return {each: ORGANISERS[each] for each in asked}

    async def answer(value: object) -> object:
        return value

    host = SimpleNamespace(
        turn_reminders=SimpleNamespace(manners=manners),
        servers=SimpleNamespace(usual_settings=lambda _, **_more: answer(SimpleNamespace(language="en"))),
        locales=SimpleNamespace(of=lambda _: answer(SimpleNamespace(chosen="", locale=""))),
    )
    bot: Any = SimpleNamespace(host=host, create_dm=people.create_dm)
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
    people = People(*closed)
    left = await reported(people, *organisers)
    assert (people.got, list(left.named), list(left.pinged)) == (direct, named, pinged)
    card: EventCard = event_card(left)
    assert all(f"<@{user_id}>" in words(card) for user_id in named)
    assert sorted(user.id for user in card.mentions().users) == pinged  # type: ignore[union-attr]
