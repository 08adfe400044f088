"""Builders of small valid payloads for the tests of the validators.

Keyword arguments override or add fields of the outermost object.
"""

from __future__ import annotations

from typing import Any

from tests.discord_limits.components import Kind
from tests.discord_limits.limits import COMPONENTS_V2

Payload = dict[str, Any]


def button(custom_id: str = "a", **fields: Any) -> Payload:
    """Return a grey button."""
    return {"type": Kind.BUTTON, "style": 2, "label": "Play", "custom_id": custom_id, **fields}


def row(*components: Payload) -> Payload:
    """Return an action row."""
    return {"type": Kind.ACTION_ROW, "components": list(components)}


def buttons(amount: int, *, first: int = 0) -> Payload:
    """Return an action row of buttons with distinct ids, numbered from `first`."""
    return row(*(button(f"b{first + index}") for index in range(amount)))


def option(number: int = 0, **fields: Any) -> Payload:
    """Return an option of a select menu."""
    return {"label": f"Spot {number}", "value": f"v{number}", **fields}


def select(*options: Payload, **fields: Any) -> Payload:
    """Return a string select menu."""
    return {"type": Kind.STRING_SELECT, "custom_id": "s", "options": list(options or [option()]), **fields}


def text_display(content: str = "Turn 1") -> Payload:
    """Return a text display."""
    return {"type": Kind.TEXT_DISPLAY, "content": content}


def gallery_item(filename: str = "board.png", description: str | None = None) -> Payload:
    """Return a gallery item that shows an attached file."""
    return {"media": {"url": f"attachment://{filename}"}, "description": description}


def gallery(*items: Payload) -> Payload:
    """Return a media gallery."""
    return {"type": Kind.MEDIA_GALLERY, "items": list(items)}


def container(*components: Payload) -> Payload:
    """Return a container."""
    return {"type": Kind.CONTAINER, "components": list(components)}


def section(*texts: Payload, accessory: Payload | None = None) -> Payload:
    """Return a section with an accessory, a button by default."""
    return {"type": Kind.SECTION, "components": list(texts), "accessory": accessory or button()}


def message_v1(*components: Payload) -> Payload:
    """Return a message with a text and components of version 1."""
    return {"content": "Turn 1", "components": list(components)}


def message_v2(*components: Payload, **fields: Any) -> Payload:
    """Return a message with components of version 2."""
    return {"flags": COMPONENTS_V2, "components": list(components), **fields}


def message_with_embed(**fields: Any) -> Payload:
    """Return a message with one embed."""
    return {"embeds": [fields]}


def modal(*components: Payload, **fields: Any) -> Payload:
    """Return a modal."""
    return {"title": "Bid", "custom_id": "m", "components": list(components), **fields}


def text_input(custom_id: str = "t", **fields: Any) -> Payload:
    """Return a single-line text input."""
    return {"type": Kind.TEXT_INPUT, "style": 1, "custom_id": custom_id, **fields}


def label(component: Payload, **fields: Any) -> Payload:
    """Return a labelled component of a modal."""
    return {"type": Kind.LABEL, "label": "Amount", "component": component, **fields}


def command(name: str = "carc", **fields: Any) -> Payload:
    """Return a slash command."""
    return {"type": 1, "name": name, "description": "Carcassonne", **fields}


def command_option(name: str = "spot", kind: int = 3, **fields: Any) -> Payload:
    """Return an option of a command, by default a string."""
    return {"type": kind, "name": name, "description": "Where", **fields}


def choices(amount: int) -> list[Payload]:
    """Return choices of a command option, or of an autocomplete answer."""
    return [{"name": f"Spot {index}", "value": str(index)} for index in range(amount)]


def scheduled_event(**fields: Any) -> Payload:
    """Return a scheduled event outside Discord's channels."""
    start, end = "2030-01-01T20:00:00+00:00", "2030-01-01T21:30:00+00:00"
    kind = {"entity_type": 3, "privacy_level": 2, "entity_metadata": {"location": "here"}}
    return {"name": "x", "scheduled_start_time": start, "scheduled_end_time": end, **kind, **fields}
