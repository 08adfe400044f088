"""The page of the preview shows the channel and its threads, in each tab the place that was chosen there.

The offline Discord is simcord, whose page shows one channel; the tests send the requests of the page's scripts.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from io import BytesIO
from typing import Any

import aiohttp
import discord
import pytest
import simcord
from PIL import Image
from simcord.backend.errors import SetupError

from preview.threads import CHANNEL_ADDRESS, PLACES_PATH, SCRIPT_PATH, ThreadedPreview, with_channel_links, with_switch
from preview.world import World, offline_discord
from tests.preview.test_world import IdleBot

COMPONENTS_V2 = 1 << 15
"""Discord's flag of messages of components."""


@dataclass
class Tab:
    """A browser tab with the page, as the page's scripts use it."""

    session: aiohttp.ClientSession
    page: ThreadedPreview
    state: dict[str, Any] = field(default_factory=dict)
    sequence: int = 0

    async def request(self, method: str, path: str, body: object = None) -> Any:
        """Send a request with the credentials of this tab and return the answer."""
        headers = {"X-Simcord-Capability": self.page.capability}
        if self.state:
            headers["X-Simcord-Context"] = self.state["context"]["id"]
        address = self.page.url.partition("/#")[0] + path
        async with self.session.request(method, address, json=body, headers=headers) as response:
            assert response.status == 200, await response.text()
            return await response.json()

    async def act(self, kind: str, **values: object) -> dict[str, Any]:
        """Do something in the page and read the state afterwards; return the receipt."""
        self.sequence += 1
        generation, bot_generation = self.state["context"]["generation"], self.state["botGeneration"]
        action = {
            "protocol_version": 3, "sequence": self.sequence, "request_id": str(self.sequence), "kind": kind,
            "generation": generation, "bot_generation": bot_generation,
            "published_revision": self.state["publishedRevision"],
        }  # fmt: skip
        receipt: dict[str, Any] = await self.request("POST", "/api/action", action | values)
        self.sequence = receipt["expectedSequence"]
        self.state = await self.request("GET", "/api/state")
        return receipt

    async def places(self) -> dict[str, bool]:
        """Return the names of the places that the switch offers, and whether there is something new."""
        listed = (await self.request("GET", PLACES_PATH))["places"]
        return {place["name"]: place["news"] for place in listed}

    @property
    def texts(self) -> list[str]:
        """The texts of the messages that the page shows."""
        return [self.state["messages"][message]["content"] for message in self.state["timeline"]]


@asynccontextmanager
async def open_tab(bot: IdleBot | None = None) -> AsyncIterator[tuple[World, simcord.ChannelHandle, Tab]]:
    """Yield an offline Discord with a message in the channel and one in a thread, and a tab with its page."""
    async with (
        offline_discord(bot or IdleBot()) as world,
        aiohttp.ClientSession() as session,
        AsyncExitStack() as stack,
    ):
        page = world.page()
        await stack.enter_async_context(page)
        first = await world.members[0].send(world.channel, "In the channel")
        backend = world.env.backend
        record = backend.create_thread(world.channel.id, "Meadow", backend.bot_user.id, message_id=first.id)
        thread = simcord.ChannelHandle(world.env, world.guild, record)
        await world.members[0].send(thread, "In the thread")
        tab = Tab(session, page)
        tab.state = await tab.request("POST", "/api/pages", {})
        yield world, thread, tab


async def test_a_tab_switches_to_a_thread_and_back() -> None:
    async with open_tab() as (world, thread, tab):
        assert "In the channel" in tab.texts
        await tab.act("focus", target_id=f"{thread.id}/")
        assert tab.state["channel"]["name"] == "Meadow"
        assert tab.texts == ["In the thread"]
        await tab.act("focus", target_id=f"{world.channel.id}/")
        assert tab.state["channel"]["name"] == "carcassonne"
        assert "In the channel" in tab.texts


async def test_what_is_sent_goes_to_the_place_that_the_tab_shows() -> None:
    async with open_tab() as (world, thread, tab):
        await tab.act("focus", target_id=f"{thread.id}/")
        await tab.act("send_message", content="An answer")
        assert [message.content for message in thread.history()] == ["In the thread", "An answer"]
        await tab.act("viewer", viewer_id=str(world.members[1].id))
        await tab.act("send_message", content="From Ben")
        assert thread.history()[-1].content == "From Ben", "another viewer stays in the thread"
        other = Tab(tab.session, tab.page)
        other.state = await other.request("POST", "/api/pages", {})
        await other.act("send_message", content="Elsewhere")
        assert world.channel.history()[-1].content == "Elsewhere", "another tab shows the channel"


async def test_a_link_leads_to_a_message_of_another_place() -> None:
    async with open_tab() as (_, thread, tab):
        message = thread.history()[0]
        await tab.act("focus", target_id=f"{thread.id}/{message.id}")
        assert tab.state["targetId"] == str(message.id)


@pytest.mark.parametrize("target", ["7/", "x/", "/", "7/8"])
async def test_an_unknown_place_is_refused(target: str) -> None:
    async with open_tab() as (_, _thread, tab):
        assert (await tab.act("focus", target_id=target))["rejected"]
        assert tab.state["channel"]["name"] == "carcassonne"


async def test_the_switch_tells_where_something_is_new() -> None:
    async with open_tab() as (world, thread, tab):
        assert await tab.places() == {"carcassonne": False, "Meadow": True}
        await tab.act("focus", target_id=f"{thread.id}/")
        assert await tab.places() == {"carcassonne": False, "Meadow": False}
        await world.members[1].send(world.channel, "Hello")
        assert await tab.places() == {"carcassonne": True, "Meadow": False}


async def test_a_post_appears_without_a_refresh() -> None:
    async with open_tab() as (world, _thread, tab):
        await world.members[1].send(world.channel, "Hello")
        assert "Hello" not in (tab.state | await tab.request("GET", "/api/state"))["messages"]
        await tab.places()
        tab.state = await tab.request("GET", "/api/state")
        assert tab.texts[-1] == "Hello"
        await world.members[1].send(world.channel, "Hello again")
        await tab.places()
        receipt = await tab.act("send_message", content="Hello, Ben")
        assert not receipt["rejected"], "what was posted meanwhile does not hold it up"
        assert tab.texts[-2:] == ["Hello again", "Hello, Ben"]
        revision = tab.state["publishedRevision"]
        await tab.places()
        assert (await tab.request("GET", "/api/state"))["publishedRevision"] == revision, "nothing is new"


class GreetingBot(IdleBot):
    """A bot that posts a greeting in every channel after an hour."""

    async def setup_hook(self) -> None:
        """Begin to wait."""
        self.greeting = self.loop.create_task(self._greet_later())

    async def _greet_later(self) -> None:
        await asyncio.sleep(3600)
        for channel in self.get_all_channels():
            if isinstance(channel, discord.TextChannel):
                await channel.send("An hour later")


async def test_the_bot_does_what_is_due_while_nobody_acts() -> None:
    async with open_tab(GreetingBot()) as (world, _thread, tab):
        await tab.places()
        assert "An hour later" not in tab.texts
        world.env.backend.clock.advance(3600)
        await tab.places()
        tab.state = await tab.request("GET", "/api/state")
        assert tab.texts[-1] == "An hour later"


async def test_the_page_has_the_switch_and_its_script() -> None:
    async with open_tab() as (_, _thread, tab):
        address = tab.page.url.partition("/#")[0]
        async with tab.session.get(address) as response:
            html = await response.text()
        assert html.index("place-picker") < html.index(f'src="{SCRIPT_PATH}"')
        async with tab.session.get(address + SCRIPT_PATH) as response:
            assert (response.status, response.content_type) == (200, "application/javascript")
        async with tab.session.get(address + "/preview.css") as response:
            assert "minmax(0, 1fr)" in (await response.text()).splitlines()[-1], "commands can be sent on a phone"
        async with tab.session.get(address + PLACES_PATH) as response:
            assert response.status == 401, "without the credentials of a tab"
        async with tab.session.get(address + SCRIPT_PATH, headers={"Host": "example.org"}) as response:
            assert response.status == 403


def test_a_changed_page_of_simcord_is_reported() -> None:
    with pytest.raises(SetupError, match="page has changed"):
        with_switch("<html></html>")


def test_names_of_channels_become_links() -> None:
    tokens = [
        {"type": "mention", "kind": "channel", "id": "5", "label": "#Meadow"},
        {"type": "mention", "kind": "user"},
    ]
    (opened, text, closed, user) = with_channel_links({"tokens": tokens}, 3)["tokens"]
    assert opened == {"type": "link_open", "href": f"{CHANNEL_ADDRESS}/3/5"}
    assert text["content"] == "#Meadow"
    assert closed == {"type": "link_close"}
    assert user == tokens[1], "names of people stay as they are"


async def test_a_picture_that_is_attached_to_another_message_is_shown() -> None:
    """A panel refers to the picture of its card by the URL, as Discord allows; simcord alone would not show it."""
    async with open_tab() as (world, _, tab):
        file = BytesIO()
        Image.new("RGB", (30, 20)).save(file, "PNG")
        posted = await world.members[0].send(world.channel, "A card", attachments=[("board.png", file.getvalue())])
        backend = world.env.backend
        url = posted.attachments[0].url
        gallery = {"type": 12, "items": [{"media": {"url": url}, "description": "The board"}]}
        panel = backend.create_message(
            world.channel.id, backend.bot_user.id, components=[gallery], flags=COMPONENTS_V2, broadcast=False
        )
        await tab.act("focus", target_id=f"{world.channel.id}/")
        [shown] = tab.state["messages"][str(panel.id)]["components"]
        assert shown["items"][0]["media"]["available"]
