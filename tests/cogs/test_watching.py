"""The listener to changes in servers: more permissions make the bot retry refused posts, fewer make it check channels.

Ids: the bot and every channel, role and member is 5, a thread 7, the server 9.
"""

from types import SimpleNamespace
from typing import Any, cast

import discord
import pytest

from cogs.background.open_places import PlaceListener


class FakePublisher:
    """Records where the bot is to retry its posts."""

    def __init__(self) -> None:
        self.retries: list[dict[str, int]] = []

    def try_again(self, **scope: int | None) -> None:
        """Record which posts are retried."""
        self.retries.append({name: number for name, number in scope.items() if number is not None})


class FakeOpenPlaces:
    """Records which channels the bot is to check, and in which there are no appointments any more."""

    def __init__(self) -> None:
        self.reviews: list[dict[str, int]] = []

    async def review(self, **scope: int | None) -> None:
        """Record which channels are checked."""
        self.reviews.append({name: number for name, number in scope.items() if number})

    async def close_server(self, guild_id: int) -> None:
        """Record that the bot has left a server."""
        self.reviews.append({"removed": guild_id})

    async def close_in(self, place_id: int) -> None:
        """Record that the appointments in a deleted place are called off."""
        self.reviews.append({"appointments": place_id})


@pytest.fixture
def publisher() -> FakePublisher:
    """A fake publisher."""
    return FakePublisher()


@pytest.fixture
def places() -> FakeOpenPlaces:
    """A fake check of channels."""
    return FakeOpenPlaces()


@pytest.fixture
def listener(publisher: FakePublisher, places: FakeOpenPlaces) -> PlaceListener:
    """The listener with all fakes."""
    bot = SimpleNamespace(publisher=publisher, host=SimpleNamespace(appointments=places))
    return PlaceListener(cast("Any", bot), cast("Any", places))


def event_object(**values: Any) -> Any:
    """Return a fake channel, role or member with only the attributes that the listener reads."""
    return SimpleNamespace(id=5, guild=SimpleNamespace(id=9, me=SimpleNamespace(id=5)), category_id=1, **values)


async def test_changed_overwrites_of_a_channel_cause_a_retry(listener: PlaceListener, publisher: FakePublisher) -> None:
    before, after = event_object(overwrites={}), event_object(overwrites={1: 2})
    await listener.on_guild_channel_update(before, after)
    await listener.on_guild_channel_update(after, after)
    assert publisher.retries == [{"place_id": 5}]


@pytest.mark.parametrize("locked", [False, True])
async def test_an_opened_thread_causes_a_retry_and_a_locked_one_a_check(
    listener: PlaceListener, publisher: FakePublisher, places: FakeOpenPlaces, *, locked: bool
) -> None:
    data = {"thread_metadata": {"locked": locked}}
    await listener.on_raw_thread_update(cast("Any", SimpleNamespace(thread_id=7, guild_id=9, data=data)))
    assert publisher.retries == [{"place_id": 7}]
    assert places.reviews == [{"place_id": 7, "ask": True} if locked else {"place_id": 7}]


async def test_a_role_with_more_permissions_causes_a_retry(listener: PlaceListener, publisher: FakePublisher) -> None:
    before, after = (
        event_object(permissions=discord.Permissions.none()),
        event_object(permissions=discord.Permissions.all()),
    )
    await listener.on_guild_role_update(before, after)
    await listener.on_guild_role_update(after, after)
    assert publisher.retries == [{"guild_id": 9}]


async def test_only_new_roles_of_the_bot_cause_a_retry(listener: PlaceListener, publisher: FakePublisher) -> None:
    before, after = event_object(roles=[]), event_object(roles=[1])
    await listener.on_member_update(before, after)
    await listener.on_member_update(after, after)
    other_member = event_object(roles=[1])
    other_member.id = 6
    await listener.on_member_update(event_object(roles=[]), other_member)
    assert publisher.retries == [{"guild_id": 9}]


async def test_joining_a_server_causes_a_retry(listener: PlaceListener, publisher: FakePublisher) -> None:
    await listener.on_guild_join(cast("Any", SimpleNamespace(id=9)))
    assert publisher.retries == [{"guild_id": 9}]


async def test_deleted_places_are_checked_and_not_retried(
    listener: PlaceListener, publisher: FakePublisher, places: FakeOpenPlaces
) -> None:
    await listener.on_raw_thread_delete(cast("Any", SimpleNamespace(thread_id=7)))
    await listener.on_guild_channel_delete(event_object())
    await listener.on_guild_remove(cast("Any", SimpleNamespace(id=9)))
    assert places.reviews == [
        {"place_id": 7, "ask": True},
        {"appointments": 7},
        {"place_id": 5, "ask": True},
        {"appointments": 5},
        {"removed": 9},
    ]
    assert publisher.retries == []
