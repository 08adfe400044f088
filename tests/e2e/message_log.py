"""What members were told, for whoever reads why a test failed: the newest messages of each Discord of the test."""

from collections.abc import Iterator

from simcord.backend import Backend
from simcord.backend.models import Message
from simcord.components import walk_components

from tests.e2e.screen import words

NEWEST = 12
"""Messages that are told of each Discord."""

_watched: list[Backend] = []


def watch(backend: Backend) -> None:
    """Tell of this Discord, too, should the test fail."""
    _watched.append(backend)


def clear() -> None:
    """Another test begins."""
    _watched.clear()


def newest_messages() -> str:
    """The newest messages of all that is watched, as they are now: who sees them, their words, their buttons."""
    return "\n\n".join(told for backend in _watched for told in _newest_of(backend))


def _newest_of(backend: Backend) -> Iterator[str]:
    everything = [message for channel in backend.messages.values() for message in channel.values()]
    for message in sorted(everything, key=lambda it: it.id)[-NEWEST:]:
        where, who = backend.get_channel(message.channel_id).name, _reader(backend, message)
        yield f"-- #{where}, {who}:\n{_said(message)}"


def _reader(backend: Backend, message: Message) -> str:
    if not message.is_ephemeral:
        return "to everybody"
    user = (message.interaction_metadata or {}).get("user") or {}
    return f"to {user.get('global_name') or user.get('username') or 'one member'}"


def _said(message: Message) -> str:
    labels = [part.get("label") or "(no words)" for part in walk_components(message.components) if part["type"] == 2]
    lines = [message.content, words(message.components), " ".join(f"[{label}]" for label in labels)]
    return "\n".join(line for line in lines if line)
