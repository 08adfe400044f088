"""Posts of events during quiet hours: those asleep are notified when the hours end, if it is still relevant.

All tests begin at noon UTC.
"""

from __future__ import annotations

import pytest

from host import Host, Preferences
from host.events import EventPost, EventPostKind
from store import NewEventPost, event_posts
from tests.host.events.driver import AS_ORGANISER, ORGANISER, announce_event, duel_plan, player
from tests.host.people import GUILD, SettableClock, click_id

IN_QUIET_HOURS = Preferences(choices={"quiet": "08:00-18:00", "zone": "UTC"})
"""Preferences of a player whose quiet hours include noon, when a test begins."""


async def create_post(host: Host, kind: EventPostKind, number: int = 1) -> EventPost:
    """Announce an event of two players and return a due post of this kind about it."""
    event = await announce_event(host, duel_plan(), 2)
    for post in await host.events.posts.due():
        await host.events.posts.record_sent(post.id, 5)
    async with host._store.writing() as tx:
        new = NewEventPost(event_id=event.id, kind=kind, nonce=f"E.{kind}.{number}", details={})
        await event_posts.add(tx, new, host._clock.now())
    (post,) = await host.events.posts.due()
    return post


async def end_quiet_hours(
    host: Host, clock: SettableClock, seconds: float = 6 * 3600
) -> list[tuple[list[int], int | None]]:
    """Let the quiet hours pass; return for each deferred notification its users and the message it refers to."""
    clock.advance(seconds)
    sent = []
    while posts := await host.events.posts.due():
        for post in posts:
            assert post.kind is EventPostKind.NEWS
            sent.append(await host.events.posts.deferred_recipients(post))
            await host.events.posts.record_sent(post.id, 9)
    return sent


@pytest.mark.both_databases
async def test_players_are_notified_after_quiet_hours_unless_they_have_acted(host: Host, clock: SettableClock) -> None:
    first, second = player(0).user_id, player(1).user_id
    for user_id in (first, second):
        await host.preferences.set(user_id, IN_QUIET_HOURS)
    post = await create_post(host, EventPostKind.CHECK_IN)
    for _ in range(2):  # the first sender was stopped; sending is retried
        assert await host.events.posts.defer_quiet(post, [first, second, ORGANISER.user_id]) == {first, second}
    await host.events.posts.record_sent(post.id, 77)
    await host.events.starts.begin_check_in(post.event.code, AS_ORGANISER, click_id())
    await host.events.sign_up.check_in(post.event.code, first, click_id())
    (check_in,) = [due for due in await host.events.posts.due() if due.kind is EventPostKind.CHECK_IN]
    await host.events.posts.record_sent(check_in.id, 78)  # the post itself is not deferred
    assert await end_quiet_hours(host, clock) == [([second], 77)]
    assert await end_quiet_hours(host, clock) == []


@pytest.mark.sqlite
async def test_each_player_is_notified_when_their_own_quiet_hours_end(host: Host, clock: SettableClock) -> None:
    first, second = player(0).user_id, player(1).user_id
    await host.preferences.set(first, IN_QUIET_HOURS)
    await host.preferences.set(second, Preferences(choices={"quiet": "08:00-20:00", "zone": "UTC"}))
    post = await create_post(host, EventPostKind.FINISHED)
    assert await host.events.posts.defer_quiet(post, [first, second]) == {first, second}
    await host.events.posts.record_sent(post.id, 77)
    assert await end_quiet_hours(host, clock) == [([first], 77)]
    assert await end_quiet_hours(host, clock, 2 * 3600) == [([second], 77)]


@pytest.mark.sqlite
async def test_an_abandoned_post_notifies_no_one(host: Host, clock: SettableClock) -> None:
    await host.preferences.set(ORGANISER.user_id, IN_QUIET_HOURS)
    post = await create_post(host, EventPostKind.DEADLINE)
    assert await host.events.posts.defer_quiet(post, [ORGANISER.user_id]) == {ORGANISER.user_id}
    await host.events.posts.record_sent(post.id, None)
    assert await end_quiet_hours(host, clock) == [([], None)]
    assert await host.events.posts.defer_quiet(post, [ORGANISER.user_id]) == frozenset()
    assert await host.events.posts.due() == []
    assert post.event.guild_id == GUILD
