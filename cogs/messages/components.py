"""Reading the components of a message that Discord has sent us."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import discord


def custom_id_of(interaction: discord.Interaction[Any]) -> str:
    """The custom id of the button that was pressed, or of the modal that was submitted; empty for a command."""
    data: Mapping[str, Any] = interaction.data or {}
    return str(data.get("custom_id", ""))


def chosen_in(interaction: discord.Interaction[Any]) -> str:
    """What was chosen in a list; empty if nothing was."""
    data: Mapping[str, Any] = interaction.data or {}
    return str(next(iter(data.get("values", ())), ""))


def custom_ids(message: discord.Message) -> Iterator[str]:
    """The custom ids of a message, however deep they lie."""
    for component in message.components:
        yield from _ids_in(component)


def _ids_in(component: object) -> Iterator[str]:
    custom_id = getattr(component, "custom_id", None)
    if custom_id:
        yield custom_id
    accessory = getattr(component, "accessory", None)
    for child in (*getattr(component, "children", ()), *((accessory,) if accessory else ())):
        yield from _ids_in(child)


def chosen_values(interaction: discord.Interaction[Any]) -> tuple[str, ...]:
    """What was chosen in a list."""
    data: Mapping[str, Any] = interaction.data or {}
    return tuple(str(value) for value in data.get("values", ()))


def typed_values(data: Mapping[str, Any]) -> dict[str, str]:
    """What was typed into a submitted modal, or chosen in its lists, by the custom ids of its fields."""
    found: dict[str, str] = {}
    for component in (*data.get("components", ()), *((data["component"],) if "component" in data else ())):
        if isinstance(component.get("value"), str):
            found[component["custom_id"]] = component["value"]
        for value in component.get("values", ()):
            found[component["custom_id"]] = str(value)
        found |= typed_values(component)
    return found
