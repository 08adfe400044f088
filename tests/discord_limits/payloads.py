"""Short ways to write payloads in the tests of the validators."""

from __future__ import annotations

from typing import Any

from tests.discord_limits.components import Kind
from tests.discord_limits.limits import COMPONENTS_V2

Payload = dict[str, Any]


def button(custom_id: str = "a", **fields: Any) -> Payload:
    """A grey button."""
    return {"type": Kind.BUTTON, "style": 2, "label": "Play", "custom_id": custom_id, **fields}


def row(*components: Payload) -> Payload:
    """An action row."""
    return {"type": Kind.ACTION_ROW, "components": list(components)}


def buttons(number: int, *, first: int = 0) -> Payload:
    """An action row of so many buttons with ids of their own."""
    return row(*(button(f"b{first + index}") for index in range(number)))


def option(number: int = 0, **fields: Any) -> Payload:
    """An option of a select."""
    return {"label": f"Spot {number}", "value": f"v{number}", **fields}


def select(*options: Payload, **fields: Any) -> Payload:
    """A select of texts."""
    return {"type": Kind.STRING_SELECT, "custom_id": "s", "options": list(options or [option()]), **fields}


def text(content: str = "Turn 1") -> Payload:
    """A text display."""
    return {"type": Kind.TEXT_DISPLAY, "content": content}


def picture(filename: str = "board.png", description: str | None = None) -> Payload:
    """An item of a gallery."""
    return {"media": {"url": f"attachment://{filename}"}, "description": description}


def gallery(*items: Payload) -> Payload:
    """A media gallery."""
    return {"type": Kind.MEDIA_GALLERY, "items": list(items)}


def container(*components: Payload) -> Payload:
    """A container."""
    return {"type": Kind.CONTAINER, "components": list(components)}


def section(*texts: Payload, accessory: Payload | None = None) -> Payload:
    """A section with a button beside it."""
    return {"type": Kind.SECTION, "components": list(texts), "accessory": accessory or button()}


def old(*components: Payload) -> Payload:
    """A message with a text and components of the old kind."""
    return {"content": "Turn 1", "components": list(components)}


def layout(*components: Payload, **fields: Any) -> Payload:
    """A message of components v2."""
    return {"flags": COMPONENTS_V2, "components": list(components), **fields}


def embed(**fields: Any) -> Payload:
    """A message with one embed."""
    return {"embeds": [fields]}


def modal(*components: Payload, **fields: Any) -> Payload:
    """A modal."""
    return {"title": "Bid", "custom_id": "m", "components": list(components), **fields}


def text_input(custom_id: str = "t", **fields: Any) -> Payload:
    """A line to type in."""
    return {"type": Kind.TEXT_INPUT, "style": 1, "custom_id": custom_id, **fields}


def label(component: Payload, **fields: Any) -> Payload:
    """A labelled component of a modal."""
    return {"type": Kind.LABEL, "label": "Amount", "component": component, **fields}


def command(name: str = "carc", **fields: Any) -> Payload:
    """A slash command."""
    return {"type": 1, "name": name, "description": "Carcassonne", **fields}


def command_option(name: str = "spot", kind: int = 3, **fields: Any) -> Payload:
    """An option of a command, a text unless told otherwise."""
    return {"type": kind, "name": name, "description": "Where", **fields}


def choices(number: int) -> list[Payload]:
    """So many choices of an option or of autocomplete."""
    return [{"name": f"Spot {index}", "value": str(index)} for index in range(number)]
