"""A changed permission makes the bot retry what was refused there, or check what it may still do."""

from types import SimpleNamespace
from typing import Any, cast

import discord
import pytest

from cogs.background.open_places import PlaceListener


class Publisher:
    """Remembers where it was asked to try again."""

    def __init__(self) -> None:
        self.tried: list[dict[str, int]] = []

    def try_again(self, **where: int | None) -> None:
        self.tried.append({name: number for name, number in where.items() if number is not None})


class OpenPlaces:
    """Remembers what was told to look at."""

    def __init__(self) -> None:
        self.told: list[dict[str, int]] = []

    async def review(self, **where: int | None) -> None:
        self.told.append({name: number for name, number in where.items() if number})

    async def removed(self, guild_id: int) -> None:
        self.told.append({"removed": guild_id})


@pytest.fixture
def publisher() -> Publisher:
    return Publisher()


@pytest.fixture
def places() -> OpenPlaces:
    return OpenPlaces()


@pytest.fixture
def watching(publisher: Publisher, places: OpenPlaces) -> PlaceListener:
    return PlaceListener(cast("Any", SimpleNamespace(publisher=publisher)), cast("Any", places))


def thing(**values: Any) -> Any:
    """A channel, a role, a member: no more of it than is looked at."""
    return SimpleNamespace(id=5, guild=SimpleNamespace(id=9, me=SimpleNamespace(id=5)), category_id=1, **values)


async def test_a_channel_that_other_people_may_use(watching: PlaceListener, publisher: Publisher) -> None:
    before, after = thing(overwrites={}), thing(overwrites={1: 2})
    await watching.on_guild_channel_update(before, after)
    await watching.on_guild_channel_update(after, after)
    assert publisher.tried == [{"place_id": 5}]


@pytest.mark.parametrize("locked", [False, True])
async def test_a_thread_that_was_opened_or_locked(
    watching: PlaceListener, publisher: Publisher, places: OpenPlaces, *, locked: bool
) -> None:
    data = {"thread_metadata": {"locked": locked}}
    await watching.on_raw_thread_update(cast("Any", SimpleNamespace(thread_id=7, guild_id=9, data=data)))
    assert publisher.tried == [{"place_id": 7}]
    assert places.told == [{"place_id": 7, "ask": True} if locked else {"place_id": 7}]


async def test_a_role_that_may_do_more(watching: PlaceListener, publisher: Publisher) -> None:
    before, after = thing(permissions=discord.Permissions.none()), thing(permissions=discord.Permissions.all())
    await watching.on_guild_role_update(before, after)
    await watching.on_guild_role_update(after, after)
    assert publisher.tried == [{"guild_id": 9}]


async def test_roles_of_the_bot_and_of_nobody_else(watching: PlaceListener, publisher: Publisher) -> None:
    before, after = thing(roles=[]), thing(roles=[1])
    await watching.on_member_update(before, after)
    await watching.on_member_update(after, after)
    somebody = thing(roles=[1])
    somebody.id = 6
    await watching.on_member_update(thing(roles=[]), somebody)
    assert publisher.tried == [{"guild_id": 9}]


async def test_an_invitation(watching: PlaceListener, publisher: Publisher) -> None:
    await watching.on_guild_join(cast("Any", SimpleNamespace(id=9)))
    assert publisher.tried == [{"guild_id": 9}]


async def test_what_is_gone_is_looked_at_and_not_tried(
    watching: PlaceListener, publisher: Publisher, places: OpenPlaces
) -> None:
    await watching.on_raw_thread_delete(cast("Any", SimpleNamespace(thread_id=7)))
    await watching.on_guild_channel_delete(thing())
    await watching.on_guild_remove(cast("Any", SimpleNamespace(id=9)))
    assert places.told == [{"place_id": 7, "ask": True}, {"place_id": 5, "ask": True}, {"removed": 9}]
    assert publisher.tried == []
