"""A small Discord on loopback sockets, for bots that run in their own processes.

It combines REST, gateway and file server (CDN) on one port, and acts for members: `slash`, `click` and the like send
what a member's client would send.
"""

import asyncio
import socket
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any, Self, TypeVar

import discord
from aiohttp import web
from simcord.backend.models import Channel, Message, Overwrite, User
from simcord.enums import InteractionType, OverwriteType

from tests.loopback import interactions
from tests.loopback.faults import Faults
from tests.loopback.gateway import Gateway
from tests.loopback.interactions import ImpossibleActionError, MemberInteraction
from tests.loopback.limits import Limits
from tests.loopback.requests import RecordedRequest
from tests.loopback.rest import API_PREFIX, ATTACHMENT_SIZE_LIMIT, MAX_FILES, RestApi, Watcher
from tests.loopback.world import LoopbackCdn, World

HOST = "127.0.0.1"
"""Only this machine can connect."""
DEFAULT_TIMEOUT = 90.0
"""Timeout in seconds of all waiting; generous, for busy machines, since changes are noticed at once."""
SYSTEM_MESSAGES = (6, 18)
"""Types of messages that Discord writes itself: a message was pinned, a thread was started."""

T = TypeVar("T")


class LoopbackDiscord:
    """REST, gateway and CDN on one free port of 127.0.0.1, with one guild in it.

    It runs in the test's process, so it outlives the bot. `faults` may be replaced at any time.
    """

    def __init__(
        self,
        *,
        members: Sequence[str] = ("Ada", "Bela", "Cleo"),
        channels: Sequence[str] = ("tables",),
        token: str = "loopback-token",  # noqa: S107  # any string will do
        callback_deadline: float = 3.0,
        nonce_window: float = 300.0,
        heartbeat: float = 41.25,
        privileged_intents: bool = False,
        keep_files: bool = True,
    ) -> None:
        self.token = token
        self._socket = _listening_socket(0)
        port = self._socket.getsockname()[1]
        self.base_url = f"http://{HOST}:{port}{API_PREFIX}"
        self.gateway_url = f"ws://{HOST}:{port}/"
        self.world = World(callback_deadline=callback_deadline)
        self._cdn = LoopbackCdn(f"http://{HOST}:{port}", keeps_files=keep_files)
        self.world.cdn = self._cdn
        self.guild = self.world.create_guild("Loopback")
        self.channels = [self.add_channel(name) for name in channels]
        self.members = [self.add_member(name) for name in members]
        self.interactions: list[MemberInteraction] = []
        self.rest = RestApi(self.world, token=token, gateway_url=self.gateway_url, nonce_window=nonce_window)
        self.gateway = Gateway(
            self.world, token=token, url=self.gateway_url, heartbeat=heartbeat, privileged_intents=privileged_intents
        )
        self.gateway.should_drop = lambda: self.faults.drops_gateway()  # noqa: PLW0108  # `faults` may be replaced
        self.gateway.on_change = self._note_change
        self.world.subscribers.append(self.gateway.publish)
        self.rest.watchers.append(self._note_request)
        self._unanswered: list[MemberInteraction] = []
        self._changed = asyncio.Event()
        self._runner: web.AppRunner | None = None

    # -- running -----------------------------------------------------------------------------------------------

    async def start(self) -> None:
        """Start to listen."""
        app = web.Application(client_max_size=MAX_FILES * ATTACHMENT_SIZE_LIMIT)
        app.router.add_get("/", self.gateway.handle)
        app.router.add_get("/attachments/{path:.*}", self._serve_file)
        app.router.add_route("*", API_PREFIX + "/{path:.*}", self.rest.handle)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        await self._runner.setup()
        await self._listen()

    async def close(self) -> None:
        """Close all connections and free the port."""
        self.gateway.abort()
        if self._runner is not None:
            await self._runner.cleanup()
        self._socket.close()

    async def __aenter__(self) -> Self:
        """Start."""
        await self.start()
        return self

    async def __aexit__(self, *exception: object) -> None:
        """Close."""
        await self.close()

    @asynccontextmanager
    async def unreachable(self) -> AsyncIterator[None]:
        """Cut all connections, and refuse new ones within the block."""
        assert self._runner is not None
        for site in tuple(self._runner.sites):
            await site.stop()
        if self._runner.server is not None:
            for connection in tuple(self._runner.server.connections):
                if connection.transport is not None:
                    connection.transport.abort()
        try:
            yield
        finally:
            self._socket = _listening_socket(self._port)
            await self._listen()

    # -- state -------------------------------------------------------------------------------------------------

    @property
    def faults(self) -> Faults:
        """The current faults."""
        return self.rest.faults

    @faults.setter
    def faults(self, faults: Faults) -> None:
        self.rest.faults = faults

    @property
    def limits(self) -> Limits | None:
        """The enforced rate limits, if any; set them before the bot connects."""
        return self.rest.limits

    @limits.setter
    def limits(self, limits: Limits | None) -> None:
        self.rest.limits = limits

    @property
    def requests(self) -> list[RecordedRequest]:
        """Every REST request so far, in order."""
        return self.rest.requests

    @property
    def problems(self) -> list[str]:
        """Requests that this server could not serve as Discord would; a test should assert that there are none."""
        return self.rest.problems

    @property
    def watchers(self) -> list[Watcher]:
        """Callbacks for the stages "received" and "done" of each request; tests use them to kill the bot in between."""
        return self.rest.watchers

    @property
    def channel(self) -> Channel:
        """The first text channel."""
        return self.channels[0]

    @property
    def bot(self) -> User:
        """The bot's user."""
        return self.world.bot_user

    def messages(self, channel_id: int, *, viewer: User | None = None, system: bool = False) -> list[Message]:
        """Return the messages of a channel or thread, oldest first: public ones, and those that only `viewer` sees."""
        viewer_id = viewer.id if viewer else None
        return [
            message
            for message in self.world.messages.get(channel_id, {}).values()
            if message.visible_to(viewer_id) and (system or message.type not in SYSTEM_MESSAGES)
        ]

    def threads(self) -> list[Channel]:
        """Return all threads, including archived ones."""
        return [self.world.channels[thread_id] for thread_id in self.guild.thread_ids]

    def commands(self) -> list[dict[str, Any]]:
        """Return the registered application commands of all scopes."""
        return [command for scope in self.world.commands.values() for command in scope.values()]

    def file(self, url: str) -> bytes:
        """Return the contents of an attachment by its URL. Raises `LookupError`."""
        data = self._cdn.file(url)
        if data is None:
            raise LookupError(url)
        return data

    # -- actions of the guild's owner --------------------------------------------------------------------------

    def add_member(self, name: str) -> User:
        """Create a user who joins the guild."""
        user = self.world.make_user(name)
        self.world.add_member(self.guild.id, user.id, announce=True)
        return user

    def add_channel(self, name: str) -> Channel:
        """Create a text channel."""
        return self.world.create_channel(self.guild.id, name)

    def deny(self, channel: Channel, *permissions: str) -> None:
        """Deny the bot permissions in a channel, named as in `discord.Permissions`; without names, deny none."""
        denied = discord.Permissions(**dict.fromkeys(permissions, True)).value
        overwrite = Overwrite(target_id=self.bot.id, type=OverwriteType.MEMBER, deny=denied)
        self.world.set_overwrite(channel.id, overwrite)

    def archive(self, thread: Channel, *, locked: bool = False) -> None:
        """Archive a thread."""
        self.world.edit_channel(thread.id, {}, thread_metadata={"archived": True, "locked": locked})

    def delete_channel(self, channel: Channel) -> None:
        """Delete a channel or thread with its messages."""
        self.world.delete_channel(channel.id)

    # -- actions of members ------------------------------------------------------------------------------------

    async def post(self, user: User, channel_id: int, content: str) -> Message:
        """Write a message."""
        return self.world.create_message(channel_id, user.id, content)

    async def slash(
        self,
        user: User,
        channel: Channel,
        name: str,
        *,
        sub: str | None = None,
        options: Mapping[str, Any] | None = None,
    ) -> MemberInteraction:
        """Use a slash command; `sub` is its subcommand (`"group name"` if it is in a group).

        Raises `ImpossibleActionError` (or simcord's `OptionError`) for a command that a client would not send.
        """
        data = interactions.command_data(self.world, channel.id, name=name, sub=sub, options=options or {})
        return self._send(user, InteractionType.APPLICATION_COMMAND, channel.id, data)

    async def autocomplete(
        self,
        user: User,
        channel: Channel,
        name: str,
        *,
        focused: str,
        sub: str | None = None,
        options: Mapping[str, Any] | None = None,
    ) -> MemberInteraction:
        """Type into an option: `options[focused]` is the text so far; the result has the offered `choices`."""
        typed = {focused: "", **(options or {})}
        data = interactions.command_data(self.world, channel.id, name=name, sub=sub, options=typed, focused=focused)
        return self._send(user, InteractionType.APPLICATION_COMMAND_AUTOCOMPLETE, channel.id, data)

    async def click(
        self, user: User, message: Message, custom_id: str, values: Sequence[str] | None = None, *, force: bool = False
    ) -> MemberInteraction:
        """Press a button, or choose values in a select menu.

        The bot receives the message as it is passed: an earlier deep copy simulates a delayed click. Raises
        `ImpossibleActionError` if the member does not see such a component; `force` sends the click nevertheless.
        """
        data = interactions.component_data(message, user, custom_id, values, force=force)
        return self._send(user, InteractionType.MESSAGE_COMPONENT, message.channel_id, data, message)

    async def submit_modal(self, user: User, custom_id: str, values: Mapping[str, Any]) -> MemberInteraction:
        """Submit the newest open modal of this member with this id; `values` has texts or lists of choices by field."""
        opener = self._open_modal(user, custom_id)
        assert opener.modal is not None
        data = interactions.modal_data(opener.modal, values)
        source = self.world.messages.get(opener.channel_id, {}).get(opener.source_message_id or 0)
        opener.consume_modal()
        return self._send(user, InteractionType.MODAL_SUBMIT, opener.channel_id, data, source)

    def _open_modal(self, user: User, custom_id: str) -> MemberInteraction:
        """Return the interaction that opened this modal for the member."""
        for interaction in reversed(self.interactions):
            modal = interaction.modal
            if interaction.user is user and modal is not None and modal["custom_id"] == custom_id:
                return interaction
        raise ImpossibleActionError(f"{user.name} has no open modal {custom_id!r}")

    def _send(
        self, user: User, kind: InteractionType, channel_id: int, data: dict[str, Any], source: Message | None = None
    ) -> MemberInteraction:
        """Send an interaction to the bot and set its deadline."""
        interaction = interactions.send(self.world, user, kind=kind, channel_id=channel_id, data=data, source=source)
        self.interactions.append(interaction)
        self._unanswered.append(interaction)
        loop = asyncio.get_running_loop()
        loop.call_later(self.world.callback_deadline, self._expire, interaction)
        return interaction

    def _expire(self, interaction: MemberInteraction) -> None:
        """Let an unanswered interaction fail."""
        interaction.expire()
        self._note_change()

    # -- waiting -----------------------------------------------------------------------------------------------

    async def until(self, condition: Callable[[], T], *, timeout: float = DEFAULT_TIMEOUT) -> T:  # noqa: ASYNC109  # ends a test
        """Wait until the condition is true, checking it after each change; return its value.

        Raises `TimeoutError`, with the latest requests.
        """
        try:
            async with asyncio.timeout(timeout):
                while not (result := condition()):
                    await self._changed.wait()
        except TimeoutError:
            recent_requests = [
                f"{request.line} {request.status} {request.fault or ''}" for request in self.requests[-8:]
            ]
            raise TimeoutError(
                "\n".join(["the condition is still false; the latest requests:", *recent_requests])
            ) from None
        return result

    async def finished(self, interaction: MemberInteraction, *, timeout: float = DEFAULT_TIMEOUT) -> MemberInteraction:  # noqa: ASYNC109  # as above
        """Wait until the member sees the result of an interaction."""
        await self.until(lambda: interaction.finished, timeout=timeout)
        return interaction

    async def wait_for_bot(self, *, after: int = 0, timeout: float = DEFAULT_TIMEOUT) -> None:  # noqa: ASYNC109  # as above
        """Wait until a bot is connected and the gateway has counted more than `after` identifies."""
        await self.until(lambda: self.gateway.connected and self.gateway.identifies > after, timeout=timeout)

    def _note_request(self, stage: str, _: RecordedRequest) -> None:
        """Update the unanswered interactions after a request."""
        if stage == "done":
            for interaction in self._unanswered:
                interaction.note_answer()
            self._unanswered = [pending for pending in self._unanswered if not pending.acknowledged.done()]
        self._note_change()

    def _note_change(self) -> None:
        """Wake up all who wait for a change."""
        changed, self._changed = self._changed, asyncio.Event()
        changed.set()

    # -- serving -----------------------------------------------------------------------------------------------

    @property
    def _port(self) -> int:
        """Return the port of the server."""
        return int(self.base_url.split(":")[2].split("/")[0])

    async def _listen(self) -> None:
        """Open the port."""
        assert self._runner is not None
        await web.SockSite(self._runner, self._socket).start()

    async def _serve_file(self, request: web.Request) -> web.Response:
        """Serve an attachment."""
        data = self._cdn.file(request.rel_url.path)
        return web.Response(status=404) if data is None else web.Response(body=data)


def _listening_socket(port: int) -> socket.socket:
    """Bind a socket, also to a port that was in use a moment ago."""
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind((HOST, port))
    return listener
