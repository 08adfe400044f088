"""Messages of events that fall into quiet hours notify when those end, if still relevant."""

from __future__ import annotations

import pytest

from host import Host, Preferences
from host.events import EventPost, EventPostKind
from store import NewEventPost, event_posts
from tests.host.events.driver import AS_ORGANISER, ORGANISER, announce_event, duel_plan, player
from tests.host.people import GUILD, SettableClock, click_id

NIGHT = Preferences(choices={"quiet": "08:00-18:00", "zone": "UTC"})
"""It is noon when a test begins."""


async def posted(host: Host, kind: EventPostKind, number: int = 1) -> EventPost:
    """A message about an event of two players, whose turn it is to be sent."""
    event = await announce_event(host, duel_plan(), 2)
    for post in await host.events.posts.due():
        await host.events.posts.sent(post.id, 5)
    async with host._store.writing() as tx:
        new = NewEventPost(event_id=event.id, kind=kind, nonce=f"E.{kind}.{number}", details={})
        await event_posts.add(tx, new, host._clock.now())
    (post,) = await host.events.posts.due()
    return post


async def morning(host: Host, clock: SettableClock, seconds: float = 6 * 3600) -> list[tuple[list[int], int | None]]:
    """Return, for the messages due by then, the users they notify."""
    clock.advance(seconds)
    found = []
    while posts := await host.events.posts.due():
        for post in posts:
            assert post.kind is EventPostKind.NEWS
            found.append(await host.events.posts.awaited(post))
            await host.events.posts.sent(post.id, 9)
    return found


async def test_those_who_sleep_are_called_once_when_that_ends_to_what_they_have_not_done(
    host: Host, clock: SettableClock
) -> None:
    one, two = player(0).user_id, player(1).user_id
    for user_id in (one, two):
        await host.preferences.set(user_id, NIGHT)
    post = await posted(host, EventPostKind.CHECK_IN)
    for _ in range(2):  # whoever sent it was stopped; it is sent again
        assert await host.events.posts.asleep(post, [one, two, ORGANISER.user_id]) == {one, two}
    await host.events.posts.sent(post.id, 77)
    await host.events.starts.begin_check_in(post.event.code, AS_ORGANISER, click_id())
    await host.events.sign_up.check_in(post.event.code, one, click_id())
    (said,) = [each for each in await host.events.posts.due() if each.kind is EventPostKind.CHECK_IN]
    await host.events.posts.sent(said.id, 78)  # it does not wait for the morning
    assert await morning(host, clock) == [([two], 77)]
    assert await morning(host, clock) == []


@pytest.mark.sqlite
async def test_each_is_called_when_his_own_quiet_hours_end(host: Host, clock: SettableClock) -> None:
    one, two = player(0).user_id, player(1).user_id
    await host.preferences.set(one, NIGHT)
    await host.preferences.set(two, Preferences(choices={"quiet": "08:00-20:00", "zone": "UTC"}))
    post = await posted(host, EventPostKind.FINISHED)
    assert await host.events.posts.asleep(post, [one, two]) == {one, two}
    await host.events.posts.sent(post.id, 77)
    assert await morning(host, clock) == [([one], 77)]
    assert await morning(host, clock, 2 * 3600) == [([two], 77)]


@pytest.mark.sqlite
async def test_a_message_that_was_given_up_calls_nobody_and_one_by_day_leaves_nothing(
    host: Host, clock: SettableClock
) -> None:
    await host.preferences.set(ORGANISER.user_id, NIGHT)
    post = await posted(host, EventPostKind.DEADLINE)
    assert await host.events.posts.asleep(post, [ORGANISER.user_id]) == {ORGANISER.user_id}
    await host.events.posts.sent(post.id, None)
    assert await morning(host, clock) == [([], None)]
    assert await host.events.posts.asleep(post, [ORGANISER.user_id]) == frozenset()
    assert await host.events.posts.due() == []
    assert post.event.guild_id == GUILD
