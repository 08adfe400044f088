"""The gateway: identify, dispatch by intents, heartbeats, and resuming a dropped session from its history.

It speaks version 10 of Discord's gateway protocol over WebSockets. An intent is the bot's subscription to a group of
events; events are numbered within a session, so that a resumed one can replay what was missed.
"""

import asyncio
import copy
import json
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from enum import IntEnum
from typing import Any

import discord
from aiohttp import WSMsgType, web
from simcord import intents as gateway_intents
from simcord.backend import serializers

from tests.loopback.world import World

MAX_HISTORY_EVENTS = 2000
"""Number of past events that a session keeps to replay when it is resumed."""
MAX_INCOMING_BYTES = 4096
"""Size limit of a payload from the bot."""


class Op(IntEnum):
    """Gateway opcodes."""

    DISPATCH = 0
    HEARTBEAT = 1
    IDENTIFY = 2
    RESUME = 6
    RECONNECT = 7
    REQUEST_MEMBERS = 8
    INVALID_SESSION = 9
    HELLO = 10
    HEARTBEAT_ACK = 11


class CloseCode(IntEnum):
    """Codes with which the gateway closes a connection."""

    RECONNECTABLE = 4000
    DECODE_ERROR = 4002
    NOT_AUTHENTICATED = 4003
    BAD_TOKEN = 4004
    DISALLOWED_INTENTS = 4014


class Connection:
    """One websocket with a queue of outgoing payloads."""

    def __init__(self, request: web.Request, socket: web.WebSocketResponse) -> None:
        self._request = request
        self._socket = socket
        self._queue: asyncio.Queue[str] = asyncio.Queue()
        self.session: Session | None = None

    def send(self, op: Op, data: Any = None) -> None:
        """Queue a payload that is not an event."""
        self.send_text(json.dumps({"op": op, "d": data, "s": None, "t": None}))

    def send_text(self, text: str) -> None:
        """Queue a payload."""
        self._queue.put_nowait(text)

    async def write(self) -> None:
        """Send queued payloads until the task is cancelled or the bot has disconnected."""
        try:
            while True:
                await self._socket.send_str(await self._queue.get())
        except ConnectionError:
            self.abort()

    async def close(self, code: CloseCode) -> None:
        """Close the connection with a code."""
        await self._socket.close(code=code)

    def abort(self) -> None:
        """Cut the connection without a closing handshake."""
        if self.session is not None and self.session.connection is self:
            self.session.connection = None
        if self._request.transport is not None:
            self._request.transport.abort()


class Session:
    """The stream of events to one shard of a bot; it keeps the newest events to replay them after a resume."""

    def __init__(
        self, session_id: str, intents: discord.Intents, connection: Connection, shard: tuple[int, int] = (0, 1)
    ) -> None:
        self.id = session_id
        self.intents = intents
        self.shard = shard
        self.connection: Connection | None = None
        self._sequence = 0
        self._history: deque[tuple[int, str]] = deque(maxlen=MAX_HISTORY_EVENTS)
        self.attach(connection)

    def covers(self, guild_id: int) -> bool:
        """Return whether this shard receives the events of a server; direct messages have server 0."""
        number, shard_count = self.shard
        return (guild_id >> 22) % shard_count == number

    def attach(self, connection: Connection) -> None:
        """Send through this connection from now on."""
        self.connection = connection
        connection.session = self

    def dispatch(self, event: str, payload: Mapping[str, Any]) -> None:
        """Number an event, keep it, and queue it if the bot is connected."""
        self._sequence += 1
        text = json.dumps({"op": Op.DISPATCH, "d": payload, "s": self._sequence, "t": event})
        self._history.append((self._sequence, text))
        if self.connection is not None:
            self.connection.send_text(text)

    def replay(self, connection: Connection, after: int) -> int:
        """Resume on a new connection: send the missed events, then RESUMED. Return the number of missed events."""
        missed = [text for number, text in self._history if number > after]
        self.attach(connection)
        for text in missed:
            connection.send_text(text)
        self.dispatch("RESUMED", {"_trace": []})
        return len(missed)


class Gateway:
    """The gateway server: all sessions and their connections."""

    def __init__(self, world: World, *, token: str, url: str, heartbeat: float, privileged_intents: bool) -> None:
        self.identifies = 0
        self.identified: list[tuple[int, int]] = []
        """The shards that have identified, in order, each with the total number of shards."""
        self.resumes = 0
        self.replayed = 0
        """Number of events that were replayed after resumes."""
        self.heartbeats = 0
        self.should_drop: Callable[[], bool] = lambda: False
        """Called at each event; True cuts the connection right after it."""
        self.on_change: Callable[[], None] = lambda: None
        """Called when a bot connects, disconnects or sends a payload."""
        self._world = world
        self._token = token
        self._url = url
        self._heartbeat = heartbeat
        self._privileged_intents = privileged_intents
        self._sessions: dict[str, Session] = {}
        self._connections: set[Connection] = set()

    @property
    def connected(self) -> bool:
        """True while a bot is connected."""
        return any(session.connection is not None for session in self._sessions.values())

    async def handle(self, request: web.Request) -> web.WebSocketResponse:
        """Serve one connection until it ends."""
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        connection = Connection(request, socket)
        self._connections.add(connection)
        connection.send(Op.HELLO, {"heartbeat_interval": int(self._heartbeat * 1000)})
        writer = asyncio.create_task(connection.write())
        try:
            async for message in socket:
                if message.type is WSMsgType.TEXT:
                    await self._receive(connection, message.data)
                    self.on_change()
        finally:
            writer.cancel()
            self._connections.discard(connection)
            if connection.session is not None and connection.session.connection is connection:
                connection.session.connection = None
            self.on_change()
        return socket

    def publish(self, event: str, payload: Mapping[str, Any]) -> None:
        """Send an event to every session whose shard and intents cover it; `should_drop` may cut a connection then."""
        for session in self._sessions.values():
            shaped = self._shape(session.intents, event, payload) if session.covers(_guild_of(event, payload)) else None
            if shaped is None:
                continue
            session.dispatch(event, shaped)
            if session.connection is not None and self.should_drop():
                session.connection.abort()

    def abort(self) -> None:
        """Cut every connection; the sessions can be resumed."""
        for connection in tuple(self._connections):
            connection.abort()

    async def close(self, code: CloseCode = CloseCode.RECONNECTABLE) -> None:
        """Close every connection with a code; the sessions can be resumed."""
        for connection in tuple(self._connections):
            await connection.close(code)

    def ask_to_reconnect(self) -> None:
        """Send RECONNECT (op 7), after which a bot reconnects and resumes."""
        for connection in tuple(self._connections):
            connection.send(Op.RECONNECT)

    def invalidate(self) -> None:
        """End all sessions and send INVALID_SESSION (op 9), after which a bot identifies again."""
        self._sessions.clear()
        for connection in tuple(self._connections):
            connection.send(Op.INVALID_SESSION, data=False)

    async def _receive(self, connection: Connection, text: str) -> None:
        """Handle one payload from the bot."""
        if len(text.encode()) > MAX_INCOMING_BYTES:
            await connection.close(CloseCode.DECODE_ERROR)
            return
        message = json.loads(text)
        match message["op"], message["d"]:
            case Op.HEARTBEAT, _:
                self.heartbeats += 1
                connection.send(Op.HEARTBEAT_ACK)
            case (Op.IDENTIFY | Op.RESUME, data) if data["token"] != self._token:
                await connection.close(CloseCode.BAD_TOKEN)
            case Op.IDENTIFY, data:
                await self._identify(connection, data)
            case Op.RESUME, data:
                self._resume(connection, data)
            case Op.REQUEST_MEMBERS, data if connection.session is not None:
                connection.session.dispatch("GUILD_MEMBERS_CHUNK", self._members(data))
            case _ if connection.session is None:
                await connection.close(CloseCode.NOT_AUTHENTICATED)

    async def _identify(self, connection: Connection, data: Mapping[str, Any]) -> None:
        """Open a session, unless the intents are not allowed."""
        intents = discord.Intents.none()
        intents.value = data["intents"]
        wanted = any(getattr(intents, name) for name in gateway_intents.PRIVILEGED_INTENTS)
        if wanted and not self._privileged_intents:
            await connection.close(CloseCode.DISALLOWED_INTENTS)
            return
        self._sessions = {key: existing for key, existing in self._sessions.items() if existing.connection is not None}
        number, shard_count = data.get("shard") or (0, 1)
        session = Session(f"session-{self._world.snowflake()}", intents, connection, (number, shard_count))
        self.identified.append((number, shard_count))
        self._sessions[session.id] = session
        session.dispatch("READY", self._ready(session))
        for guild in self._world.guilds.values():
            shaped = self._shape(intents, "GUILD_CREATE", self._world.guild_create(guild))
            if shaped is not None and session.covers(guild.id):
                session.dispatch("GUILD_CREATE", shaped)
        self.identifies += 1

    def _resume(self, connection: Connection, data: Mapping[str, Any]) -> None:
        """Continue a session and replay the events after the last one received."""
        session = self._sessions.get(data["session_id"])
        if session is None:
            connection.send(Op.INVALID_SESSION, data=False)
            return
        self.replayed += session.replay(connection, after=data["seq"])
        self.resumes += 1

    def _ready(self, session: Session) -> dict[str, Any]:
        """Return the first event of a session."""
        guilds = [{"id": str(key), "unavailable": True} for key in self._world.guilds if session.covers(key)]
        return {
            "v": 10,
            "user": dict(serializers.user_payload(self._world.bot_user)),
            "guilds": guilds,
            "session_id": session.id,
            "shard": list(session.shard),
            "resume_gateway_url": self._url,
            "application": {"id": str(self._world.application_id), "flags": 0},
        }

    def _members(self, data: Mapping[str, Any]) -> dict[str, Any]:
        """Return the requested members of a guild."""
        guild = self._world.get_guild(int(data["guild_id"]))
        wanted = data.get("user_ids") or []
        requested_ids = {int(user_id) for user_id in (wanted if isinstance(wanted, list) else [wanted])}
        prefix = data.get("query")
        matching = [
            serializers.member_payload(self._world, guild, member)
            for member in guild.members.values()
            if member.user_id in requested_ids
            or (prefix is not None and self._world.users[member.user_id].name.startswith(prefix))
        ]
        return {
            "guild_id": str(guild.id),
            "members": matching,
            "chunk_index": 0,
            "chunk_count": 1,
            "not_found": [str(user_id) for user_id in requested_ids - guild.members.keys()],
            "nonce": data.get("nonce"),
        }

    def _shape(self, intents: discord.Intents, event: str, payload: Mapping[str, Any]) -> dict[str, Any] | None:
        """Return an event as a bot with these intents receives it; None if it does not receive the event."""
        gate = gateway_intents.required_intent(event, payload)
        if gate is not None and not getattr(intents, gate):
            return None
        shaped = copy.deepcopy(dict(payload))
        bot_id = self._world.bot_user.id
        if event == "GUILD_CREATE":
            gateway_intents.prune_guild_create(shaped, intents, bot_id)
        if not intents.message_content:
            for message, is_root in _messages_within(event, shaped):
                gateway_intents.censor_message(message, bot_id, backend=self._world, exempt_root=is_root)
        return shaped


def _guild_of(event: str, payload: Mapping[str, Any]) -> int:
    """Return the id of the server in which an event happens; 0 if it happens in none."""
    own = payload.get("id") if event in {"GUILD_CREATE", "GUILD_UPDATE", "GUILD_DELETE"} else None
    return int(own or payload.get("guild_id") or 0)


def _messages_within(event: str, payload: dict[str, Any]) -> Iterator[tuple[dict[str, Any], bool]]:
    """Yield the messages in an event, each with True if the bot may read it because a member interacted with it."""
    if event in {"MESSAGE_CREATE", "MESSAGE_UPDATE"}:
        yield payload, False
    elif event == "INTERACTION_CREATE" and "message" in payload:
        yield payload["message"], True
