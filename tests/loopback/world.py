"""The state of the loopback Discord: simcord's backend on the wall clock, with some rules that simcord lacks.

Simcord is a fake Discord that runs within one process, for tests. This module makes it archive threads, serve
attachments by HTTP and follow the real time.
"""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from simcord._clock import Clock
from simcord.backend import Backend, errors, serializers
from simcord.backend.cdn import CdnStore
from simcord.backend.errors import BackendError
from simcord.backend.models import Channel, Guild, Interaction, Message
from simcord.enums import ChannelType

HAS_THREAD_FLAG = 1 << 5
"""The flag of a message from which a thread was started."""


def thread_archived() -> BackendError:
    """Return the error of an operation that an archived thread refuses."""
    return BackendError(400, 50083, "Thread is archived")


class WallClock(Clock):
    """The real time; `advance` shifts it into the future, so that tests can let tokens expire."""

    def now(self) -> datetime:
        """Return the current time of this Discord."""
        return datetime.now(UTC) + timedelta(seconds=self.elapsed)


class LoopbackCdn(CdnStore):
    """Attachments whose URLs lead to the loopback server."""

    def __init__(self, base_url: str, *, keeps_files: bool = True) -> None:
        super().__init__()
        self._base_url = base_url
        self._keeps_files = keeps_files
        self._files: dict[str, bytes] = {}

    def store_attachment(
        self, attachment_id: int, channel_id: int, filename: str, data: bytes, description: str | None
    ) -> dict[str, Any]:
        """Store a file and return its attachment payload; without `keeps_files` the contents are dropped."""
        data = data if self._keeps_files else b""
        stored = super().store_attachment(attachment_id, channel_id, filename, data, description)
        path = f"/attachments/{channel_id}/{attachment_id}/{filename}"
        self._files[path] = data
        return {**stored, "url": self._base_url + path, "proxy_url": self._base_url + path}

    def file(self, path: str) -> bytes | None:
        """Return the contents under a path or a whole URL; None if there is no such file."""
        return self._files.get(path.removeprefix(self._base_url))


class World(Backend):
    """Guilds, channels, messages, commands and interactions; outlives every bot process."""

    def __init__(self, *, callback_deadline: float) -> None:
        super().__init__(clock=WallClock())
        self.callback_deadline = callback_deadline
        self.posting_nonce: str | int | None = None

    def emit(self, event: str, payload: Mapping[str, Any]) -> None:
        """Publish an event; a new message of the bot carries the nonce with which it was posted."""
        if event == "MESSAGE_CREATE" and payload["author"]["id"] == str(self.bot_user.id):
            payload = {**payload, "nonce": self.posting_nonce}
        super().emit(event, payload)

    def register_commands(self, guild_id: int | None, payloads: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Replace the commands of a scope, and add the `version` that Discord always sends."""
        commands = super().register_commands(guild_id, payloads)
        for command in commands:
            command.setdefault("version", str(self.snowflake()))
        return commands

    def new_interaction(self, type: int, channel_id: int, user_id: int, guild_id: int | None) -> Interaction:  # noqa: A002  # simcord's name
        """Create an interaction whose first answer is due within the deadline; its token expires after 15 minutes."""
        record = super().new_interaction(type, channel_id, user_id, guild_id)
        record.initial_response_deadline = self.iso_after(self.callback_deadline)
        return record

    def commit_message(self, message: Message, *, broadcast: bool = True) -> Message:
        """Post a message; a post unarchives a thread unless that is locked."""
        thread = self.get_channel(message.channel_id).thread_metadata
        if thread is not None and thread.archived and not message.is_ephemeral:
            if thread.locked:
                raise thread_archived()
            self.edit_channel(message.channel_id, {}, thread_metadata={"archived": False})
        return super().commit_message(message, broadcast=broadcast)

    def create_thread(
        self,
        parent_id: int,
        name: str,
        owner_id: int,
        *,
        type: int = ChannelType.PUBLIC_THREAD,  # noqa: A002  # simcord's name
        auto_archive_duration: int = 1440,
        message_id: int | None = None,
        applied_tags: Iterable[int] = (),
        broadcast: bool = True,
    ) -> Channel:
        """Start a thread; a message can have only one (160004), and its thread is started without a system message."""
        if not 1 <= len(name) <= 100:
            raise errors.invalid_form_body("name: must be between 1 and 100 in length")
        if message_id in self.channels:
            raise BackendError(400, 160004, "A thread has already been created for this message")
        from_message = message_id is not None
        thread = super().create_thread(
            parent_id,
            name,
            owner_id,
            type=type,
            auto_archive_duration=auto_archive_duration,
            message_id=message_id,
            applied_tags=applied_tags,
            broadcast=broadcast and not from_message,
        )
        if message_id is not None:
            self.get_message(parent_id, message_id).flags |= HAS_THREAD_FLAG
            self.announce_thread_create(thread)
        return thread

    def edit_thread(self, thread: Channel, changes: Mapping[str, Any]) -> dict[str, Any]:
        """Edit a thread with the rights of its owner or of a moderator.

        Raises `BackendError` 50013 without the permission, and 50083 if the thread is archived and stays so.
        """
        assert thread.thread_metadata is not None
        if thread.owner_id != self.bot_user.id or "locked" in changes:
            self.require_permissions(thread.guild_id, self.bot_user.id, thread.id, "manage_threads")
        if thread.thread_metadata.archived and changes.get("archived") is not False:
            raise thread_archived()
        plain = {key: value for key, value in changes.items() if key in ("name", "rate_limit_per_user")}
        metadata = {key: value for key, value in changes.items() if key not in plain}
        if metadata.keys() - {"archived", "locked", "auto_archive_duration", "invitable"}:
            raise NotImplementedError(f"editing {sorted(metadata)} of a thread")
        edited = self.edit_channel(thread.id, plain, thread_metadata=metadata)
        return dict(serializers.thread_payload(self, edited))

    def guild_create(self, guild: Guild) -> dict[str, Any]:
        """Return the GUILD_CREATE payload, with the threads that are not archived."""
        payload = dict(serializers.guild_create_payload(self, guild))
        payload["threads"] = [
            dict(serializers.thread_payload(self, thread)) for thread in self.active_threads(guild.id)
        ]
        return payload
