"""The newest messages of each offline Discord of a test, for the report of a failure.

Each is printed with its channel, its reader (everybody, or the member who sees a private message), its texts and its
buttons.
"""

from collections.abc import Iterator

from simcord.backend import Backend
from simcord.backend.models import Message
from simcord.components import walk_components

from tests.e2e.screen import words

MESSAGES_SHOWN = 12
"""Messages in the report, per Discord."""

_watched: list[Backend] = []
"""The offline Discords of the running test."""


def watch(backend: Backend) -> None:
    """Include the messages of this Discord in the report."""
    _watched.append(backend)


def clear() -> None:
    """Forget the watched Discords, before the next test."""
    _watched.clear()


def newest_messages() -> str:
    """Return the newest messages of all watched Discords: their readers, texts and buttons, as they are now."""
    return "\n\n".join(message for backend in _watched for message in _newest_of(backend))


def _newest_of(backend: Backend) -> Iterator[str]:
    """Yield the newest messages of one Discord, oldest first."""
    everything = [message for channel in backend.messages.values() for message in channel.values()]
    for message in sorted(everything, key=lambda it: it.id)[-MESSAGES_SHOWN:]:
        channel, reader = backend.get_channel(message.channel_id).name, _reader(backend, message)
        yield f"-- #{channel}, {reader}:\n{_text_of(message)}"


def _reader(backend: Backend, message: Message) -> str:
    """Name the member who sees a message, or everybody."""
    if not message.is_ephemeral:
        return "to everybody"
    user = (message.interaction_metadata or {}).get("user") or {}
    return f"to {user.get('global_name') or user.get('username') or 'one member'}"


def _text_of(message: Message) -> str:
    """Return the texts and button labels of a message."""
    labels = [part.get("label") or "(no words)" for part in walk_components(message.components) if part["type"] == 2]
    lines = [message.content, words(message.components), " ".join(f"[{label}]" for label in labels)]
    return "\n".join(line for line in lines if line)
