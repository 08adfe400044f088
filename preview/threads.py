"""A page of the preview that shows the threads of games, too, with a switch between them and the channel.

simcord, which simulates Discord, serves a page that shows one channel. Here each open page (a browser tab) can show
another channel or thread. A script beside simcord's own adds the switch to the page; it also opens links to channels
and messages in the page instead of at discord.com, and asks now and then whether the bot has posted something.

The script tells the page to go to another place through simcord's own action *focus*, which opens a message by its id.
Its target is then a place and a message, ``channel/message``, where the message may be empty.

simcord's public interface keeps all pages in one channel, hence the private names; its version is pinned.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Iterator, Mapping
from contextvars import ContextVar
from pathlib import Path
from typing import Any, ClassVar, Final

import simcord
from aiohttp import web
from simcord.backend.access import can_access_channel, can_access_message
from simcord.backend.errors import BackendError, SetupError
from simcord.backend.models import Message
from simcord.preview._pages import _Page
from simcord.preview._server import PreviewServer

SCRIPT_PATH: Final = "/threads.js"
PLACES_PATH: Final = "/threads.json"
"""The address of the places that a page can show, with what is new there."""
PLACE_SEPARATOR: Final = "/"
"""Separates the channel from the message in the target of a switch."""
SETTLE_SECONDS: Final = 5.0
"""The seconds for which the bot may do what is due before presses are handled again."""
CHANNEL_ADDRESS: Final = "https://discord.com/channels"

_SCRIPT: Final = Path(__file__).with_name("threads.js")
_APP: Final = '<script type="module" src="/app.js"></script>'
_TOOLS: Final = '<button id="refresh"'
_SWITCH: Final = (
    '<label class="viewer-control">in <select id="place-picker" aria-label="Channel or thread"></select></label>\n'
)

# Else the description of a command pushes the button that sends it out of a page as narrow as a phone.
_NARROW_COMPOSER: Final = ".channel-composer { grid-template-columns: minmax(0, 1fr); }\n"

_shown_channel: ContextVar[int] = ContextVar("shown_channel")
"""The id of the channel or thread of the page whose action is being done."""


class ThreadServer(PreviewServer):
    """The web server of the page, with the script of the switch and the list of places."""

    _STATIC_FILES: ClassVar[dict[str, str]] = {**PreviewServer._STATIC_FILES, SCRIPT_PATH: "", PLACES_PATH: ""}
    preview: ThreadedPreview

    async def _static(self, request: web.Request) -> web.Response:
        """Serve the script and the list; add the switch to simcord's page, and a rule to its style."""
        if request.headers.get("Host", "") not in self._allowed_hosts():
            raise web.HTTPForbidden
        if request.path == SCRIPT_PATH:
            script = _SCRIPT.read_text(encoding="utf-8")
            return web.Response(text=script, content_type="application/javascript", headers=self._SECURITY_HEADERS)
        if request.path == PLACES_PATH:
            return await self._places(request)
        answer: web.Response = await super()._static(request)
        if request.path == "/":
            answer.text = with_switch(answer.text or "")
        elif request.path == "/preview.css":
            answer.text = (answer.text or "") + _NARROW_COMPOSER
        return answer

    async def _places(self, request: web.Request) -> web.Response:
        """Let the bot do what is due, show it in the page, and answer with the places that the page can show."""
        context_id = request.headers.get("X-Simcord-Context")
        if not self._authorized(request, context=context_id):
            raise web.HTTPUnauthorized
        try:
            page = self.preview._get_page(context_id)
        except SetupError as error:
            raise web.HTTPGone from error
        await self.preview.show_news(page)
        return web.json_response(self.preview.places(page), headers=self._SECURITY_HEADERS)


def with_switch(html: str) -> str:
    """Return simcord's page with the switch and its script.

    Raises:
        SetupError: the page has changed, so that there is no place for them.
    """
    if _APP not in html or _TOOLS not in html:
        raise SetupError("simcord's page has changed: the switch of channel and thread has no place in it")
    script = f'<script type="module" src="{SCRIPT_PATH}"></script>'
    return html.replace(_TOOLS, _SWITCH + _TOOLS, 1).replace(_APP, _APP + script, 1)


class ThreadedPreview(simcord.Preview):
    """A page of simcord in which each tab shows the channel, or one of its threads."""

    def __init__(
        self,
        env: simcord.Env,
        guild: simcord.GuildHandle,
        channel: simcord.ChannelHandle,
        viewers: tuple[simcord.MemberActor, ...],
        *,
        port: int,
    ) -> None:
        self._guild = guild
        self._main = channel
        super().__init__(
            env,
            channel,
            viewers,
            layout="channel",
            display="responsive",
            width=960,
            height=720,
            locale="en-US",
            timezone="UTC",
            presentation_time=None,
            assets=None,
            port=port,
        )
        self._server = ThreadServer(self, port)
        self._seen: dict[tuple[int, int], int] = {}
        """The newest message that a viewer has seen in a place, by the ids of both."""
        self._drawn: dict[str, object] = {}
        """The state of the messages that a page shows, by the id of the page."""
        self._news_from: dict[str, int] = {}
        """The revision of a page before the latest news were shown there, by its id."""
        self._busy = asyncio.Lock()
        """Held while something is done in a page, or the bot does what is due."""

    @property
    def channel(self) -> simcord.ChannelHandle:
        """The channel or thread of the page whose action is being done; else the channel."""
        shown = _shown_channel.get(self._main.id)
        if shown == self._main.id:
            return self._main
        return simcord.ChannelHandle(self.env, self._guild, self.env.backend.get_channel(shown))

    @channel.setter
    def channel(self, channel: simcord.ChannelHandle) -> None:
        self._main = channel

    async def _action(self, context_id: str | None, body: Mapping[str, Any]) -> dict[str, Any]:
        """Do what a member does in a page, in the channel or thread that it shows.

        simcord refuses an action if the page has changed since. That something was posted there is no such change.
        """
        page = self._pages.get(context_id or "")
        async with self._busy:
            if page and self._news_from.get(page.id, page.revision) <= body.get("published_revision", 0):
                body = {**body, "published_revision": page.revision}
            reset = _shown_channel.set(page.channel_id if page else self._main.id)
            try:
                result: dict[str, Any] = await super()._action(context_id, body)
            finally:
                _shown_channel.reset(reset)
        return result

    def _prepare_action(self, page: _Page, kind: str, body: Mapping[str, Any]) -> Any:  # noqa: ANN401
        """Prepare an action; that of the switch here, all others by simcord."""
        target = body.get("target_id")
        if kind == "focus" and isinstance(target, str) and PLACE_SEPARATOR in target:
            return self._prepare_switch(page, target)
        return super()._prepare_action(page, kind, body)

    def _target_id(self, target_id: Any, viewer: Any = None, *, denied_fallback: bool = False) -> int | None:  # noqa: ANN401
        """Return the id of a message by which an action is logged; None for the target of a switch."""
        if isinstance(target_id, str) and PLACE_SEPARATOR in target_id:
            return None
        found: int | None = super()._target_id(target_id, viewer, denied_fallback=denied_fallback)
        return found

    def _prepare_switch(self, page: _Page, target: str) -> Callable[..., Any]:
        """Return the function that shows another channel or thread in a page.

        Raises:
            SetupError: there is no such place, or the viewer may not see it.
        """
        channel_id, _, message_id = target.partition(PLACE_SEPARATOR)
        if not channel_id.isdecimal() or not can_access_channel(self.env, int(channel_id), page.viewer, history=True):
            raise SetupError("the channel or thread is unavailable")

        async def switch(action: Any, cursor: int) -> Any:  # noqa: ANN401
            self._clear_page_assets(page)
            page.channel_id = int(channel_id)
            page.generation += 1
            self._reset_queries(page)
            shown = self._visible_id(page, message_id) or self._initial_target(page.viewer, page.channel_id)
            page.target_id = page.window_end_id = shown
            page.modal = page.modal_handle = None
            page.status = "current"
            result = self._finish_action(page, action, "settled", cursor)
            self._publish(page, reason="navigation")
            return result

        return switch

    def _visible_id(self, page: _Page, message_id: str) -> int | None:
        """Return the id of a message in the place that a page shows; None if its viewer cannot see it there."""
        try:
            message = self.env.backend.get_message(page.channel_id, int(message_id or 0))
        except BackendError:
            return None
        visible = can_access_message(self.env, page.channel_id, message, page.viewer, history=True)
        return message.id if visible else None

    def _publish(self, page: _Page, **options: Any) -> None:  # noqa: ANN401
        """Show the present state in a page, and note what its viewer has seen."""
        self._advance_presentation_time()  # with each change, so that the ages of messages are right without a refresh
        super()._publish(page, **options)
        messages = list(self._messages(page, page.channel_id))
        self._drawn[page.id] = _state_of(messages)
        self._news_from.pop(page.id, None)
        self._seen[page.viewer.id, page.channel_id] = max((message.id for message in messages), default=0)

    async def show_news(self, page: _Page) -> None:
        """Let the bot do what is due, and show in a page what it has posted or edited.

        Without it the bot does what is due only when a member acts: the offline Discord lets it sleep between.
        """
        if self._busy.locked():
            return
        async with self._busy:
            self.env._begin_operation("preview.news")
            try:
                with contextlib.suppress(TimeoutError):  # the next look continues
                    await self.env._settle_internal(timeout=SETTLE_SECONDS)
                if self._drawn.get(page.id) != _state_of(self._messages(page, page.channel_id)):
                    earlier = self._news_from.get(page.id, page.revision)
                    self._publish(page, reason="refresh")
                    self._news_from[page.id] = earlier
            finally:
                self.env._end_operation()

    def places(self, page: _Page) -> dict[str, object]:
        """Return what the switch shows: the channel and its open threads, and where there is something new."""
        channels = self.env.backend.channels.values()
        threads = [channel for channel in channels if channel.parent_id == self._main.id]
        listed = [self.env.backend.get_channel(self._main.id), *threads]
        return {
            "current": str(page.channel_id),
            "places": [
                {
                    "id": str(channel.id),
                    "name": channel.name,
                    "thread": channel.is_thread,
                    "news": self._has_news(page, channel.id),
                }
                for channel in listed
                if can_access_channel(self.env, channel.id, page.viewer, history=True)
            ],
        }

    def _has_news(self, page: _Page, channel_id: int) -> bool:
        """Return whether a place has a message that the page's viewer has not seen."""
        newest = max((message.id for message in self._messages(page, channel_id)), default=0)
        return newest > self._seen.get((page.viewer.id, channel_id), 0)

    def _messages(self, page: _Page, channel_id: int) -> Iterator[Message]:
        """Yield the messages of a place that a page's viewer can see."""
        for message in self.env.backend.messages.get(channel_id, {}).values():
            if can_access_message(self.env, channel_id, message, page.viewer, history=True):
                yield message

    def _page_payload(self, page: _Page) -> dict[str, Any]:
        """Return what a page shows, with names of channels and threads as links."""
        payload: dict[str, Any] = with_channel_links(super()._page_payload(page), self._guild.id)
        return payload


def _state_of(messages: Any) -> object:  # noqa: ANN401
    """Return the state of messages, by which a change is noticed."""
    return tuple((message.id, message.edited_timestamp) for message in messages)


def with_channel_links(part: Any, guild_id: int) -> Any:  # noqa: ANN401 - JSON of any shape
    """Return a part of a page in which each mention of a channel or thread is a link to it."""
    if isinstance(part, dict):
        return {name: with_channel_links(value, guild_id) for name, value in part.items()}
    if not isinstance(part, list):
        return part
    changed: list[Any] = []
    for item in part:
        if isinstance(item, dict) and item.get("type") == "mention" and item.get("kind") == "channel":
            changed += [
                {"type": "link_open", "href": f"{CHANNEL_ADDRESS}/{guild_id}/{item['id']}"},
                {"type": "text", "content": item["label"]},
                {"type": "link_close"},
            ]
        else:
            changed.append(with_channel_links(item, guild_id))
    return changed
