"""Interactions of members, that is commands, clicks and modals, as payloads in Discord's format.

A modal is a form. The payloads are checked as Discord's client does: a member can press only visible, enabled
components and choose only offered values.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from simcord.backend import serializers
from simcord.backend.models import Interaction, Message, User
from simcord.components import walk_components
from simcord.enums import ComponentType, InteractionType, OptionType
from simcord.interactions import base_payload, nest_options, validate_option_value, walk_to_subcommand

from tests.loopback.rest import ATTACHMENT_SIZE_LIMIT
from tests.loopback.world import World

NO_RESPONSE = "The application did not respond"
"""The text that a member sees if the bot does not answer in time."""
SUPPORTED_COMPONENTS = {ComponentType.BUTTON, ComponentType.STRING_SELECT}
"""Kinds of components that members can use here."""
LOADING_FLAG = 1 << 7
"""The message flag of a deferred answer while Discord shows "thinking"."""


class ImpossibleActionError(ValueError):
    """An action that the Discord client of a real member would not allow."""


@dataclass(eq=False, slots=True)
class MemberInteraction:
    """An interaction that a member sent, and the bot's answers to it.

    `acknowledged` resolves to True with the bot's first answer, or to False when the deadline has passed without one;
    `error` is then the text that the member sees.
    """

    user: User
    payload: Mapping[str, Any]
    acknowledged: asyncio.Future[bool]
    error: str | None = field(default=None, init=False)
    _world: World
    _record: Interaction

    @property
    def id(self) -> int:
        """The snowflake of the interaction."""
        return self._record.id

    @property
    def finished(self) -> bool:
        """True when the member sees a result: an answer other than "thinking", or a failure."""
        return self.error is not None or (self._record.responded and not self._record.loading)

    @property
    def messages(self) -> list[Message]:
        """All messages that the bot sent for the interaction, in order, without "thinking" ones."""
        in_channel = self._world.messages.get(self._record.channel_id, {})
        return [message for message in in_channel.values() if self._is_answer(message)]

    @property
    def ephemeral_messages(self) -> list[Message]:
        """The messages that only this member sees."""
        return [message for message in self.messages if message.is_ephemeral]

    @property
    def original(self) -> Message | None:
        """The message behind `@original`: the first answer, or the message whose component was used."""
        in_channel = self._world.messages.get(self._record.channel_id, {})
        return in_channel.get(self._record.message_id or 0)

    @property
    def modal(self) -> dict[str, Any] | None:
        """The modal that the interaction opened; None if there is none, or after its submission."""
        return None if self._record.modal_consumed else self._record.modal

    @property
    def choices(self) -> list[dict[str, Any]]:
        """The choices that autocomplete offered."""
        return self._record.autocomplete_choices or []

    @property
    def source_message_id(self) -> int | None:
        """The message whose component was used."""
        return self._record.source_message_id

    @property
    def channel_id(self) -> int:
        """The channel of the interaction."""
        return self._record.channel_id

    def consume_modal(self) -> None:
        """Record that the modal was submitted. A modal can be submitted only once."""
        self._record.modal_consumed = True

    def note_answer(self) -> None:
        """Resolve `acknowledged` if the bot has answered."""
        if self._record.responded and not self.acknowledged.done():
            self.acknowledged.set_result(True)

    def expire(self) -> None:
        """Record that the deadline has passed without an answer."""
        if not self.acknowledged.done():
            self.error = NO_RESPONSE
            self.acknowledged.set_result(False)

    def _is_answer(self, message: Message) -> bool:
        """Return whether a message is the final answer to this interaction."""
        origin = message.interaction_metadata or {}
        return origin.get("id") == str(self._record.id) and not message.flags & LOADING_FLAG


def send(
    world: World,
    user: User,
    *,
    kind: InteractionType,
    channel_id: int,
    data: dict[str, Any],
    source: Message | None = None,
) -> MemberInteraction:
    """Publish an interaction as INTERACTION_CREATE."""
    record, payload = base_payload(
        world,
        type=kind,
        channel_id=channel_id,
        guild_id=world.get_channel(channel_id).guild_id,
        user_id=user.id,
        data=data,
    )
    payload["attachment_size_limit"] = ATTACHMENT_SIZE_LIMIT
    if source is not None:
        record.source_message_id = source.id
        payload["message"] = dict(serializers.message_payload(world, source))
    acknowledged = asyncio.get_running_loop().create_future()
    interaction = MemberInteraction(user, payload, acknowledged, world, record)
    world.emit("INTERACTION_CREATE", payload)
    return interaction


def component_data(
    message: Message, user: User, custom_id: str, values: Sequence[str] | None, *, force: bool
) -> dict[str, Any]:
    """Return the data of a click or of a selection of values; `force` skips the checks of a client."""
    component = next((c for c in walk_components(message.components) if c.get("custom_id") == custom_id), None)
    if not force:
        _check_component(message, user, custom_id, component, values)
    kind = ComponentType.BUTTON if values is None else ComponentType.STRING_SELECT
    data: dict[str, Any] = {"custom_id": custom_id, "component_type": component["type"] if component else kind}
    if component is not None and "id" in component:
        data["id"] = component["id"]
    if values is not None:
        data["values"] = list(values)
    return data


def command_data(
    world: World, channel_id: int, *, name: str, sub: str | None, options: Mapping[str, Any], focused: str | None = None
) -> dict[str, Any]:
    """Return the data of a slash command, or, with `focused`, of the autocompletion of that option.

    Autocompletion does not check the other options, as they may still be incomplete.
    """
    guild_id = world.get_channel(channel_id).guild_id
    command = world.find_command(name, guild_id)
    if command is None:
        raise ImpossibleActionError(f"no command {name!r}")
    leaf, nesting = walk_to_subcommand(command, sub.split() if sub else [])
    declared = {option["name"]: option for option in leaf.get("options") or []}
    _check_options(name, declared, options, partial=focused is not None)
    resolved: dict[str, Any] = {}
    built = []
    for key, value in options.items():
        wire = _option_value(world, guild_id, name, declared[key], value, resolved, partial=focused is not None)
        option = {"name": key, "type": declared[key]["type"], "value": wire}
        built.append({**option, "focused": True} if key == focused else option)
    data = {
        "id": command["id"],
        "name": name,
        "type": command["type"],
        "options": nest_options(command, nesting, built),
    }
    return {**data, "resolved": resolved} if resolved else data


def modal_data(modal: Mapping[str, Any], values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the data of a submitted modal; `values` has a text or a list of choices by the custom id of each field."""
    fields = {c["custom_id"] for c in walk_components(modal["components"]) if "custom_id" in c}
    if unknown := values.keys() - fields:
        raise ImpossibleActionError(f"the modal has no field {sorted(unknown)}")
    return {
        "custom_id": modal["custom_id"],
        "components": [_submitted(component, values) for component in modal["components"]],
    }


def _check_component(
    message: Message, user: User, custom_id: str, component: Mapping[str, Any] | None, values: Sequence[str] | None
) -> None:
    """Refuse a component that the member could not use."""
    if component is None or not message.visible_to(user.id):
        raise ImpossibleActionError(f"{user.name} sees no component {custom_id!r} in message {message.id}")
    if component.get("disabled"):
        raise ImpossibleActionError(f"component {custom_id!r} is disabled")
    if component["type"] not in SUPPORTED_COMPONENTS:
        raise ImpossibleActionError(f"component {custom_id!r} of type {component['type']} is not modelled")
    if (component["type"] == ComponentType.BUTTON) != (values is None):
        raise ImpossibleActionError(f"values do not fit component {custom_id!r}")
    if values is not None:
        _check_choice(component, values)


def _check_choice(component: Mapping[str, Any], values: Sequence[str]) -> None:
    """Refuse values that a select menu does not offer."""
    offered = {option["value"] for option in component.get("options") or []}
    low, high = component.get("min_values", 1), component.get("max_values", 1)
    if not set(values) <= offered or not low <= len(values) <= high:
        raise ImpossibleActionError(f"{values!r} cannot be chosen in {component['custom_id']!r}")


def _check_options(name: str, declared: Mapping[str, Any], options: Mapping[str, Any], *, partial: bool) -> None:
    """Refuse unknown options, and missing ones unless they are still being typed."""
    if unknown := options.keys() - declared.keys():
        raise ImpossibleActionError(f"command {name!r} has no option {sorted(unknown)}")
    required = {key for key, option in declared.items() if option.get("required")}
    if not partial and required - options.keys():
        raise ImpossibleActionError(f"command {name!r} requires {sorted(required - options.keys())}")


def _option_value(
    world: World,
    guild_id: int | None,
    name: str,
    option: dict[str, Any],
    value: Any,
    resolved: dict[str, Any],
    *,
    partial: bool,
) -> Any:
    """Return the value of an option as Discord sends it; users are added to `resolved`."""
    if option["type"] != OptionType.USER:
        return value if partial else validate_option_value(name, option, value)
    if not isinstance(value, User):
        raise ImpossibleActionError(f"option {option['name']!r} of {name!r} takes a member")
    resolved.setdefault("users", {})[str(value.id)] = dict(serializers.user_payload(value))
    if guild_id is not None:
        guild = world.get_guild(guild_id)
        member = serializers.member_payload(world, guild, guild.members[value.id], with_user=False)
        resolved.setdefault("members", {})[str(value.id)] = {**member, "permissions": "0"}
    return str(value.id)


def _submitted(component: Mapping[str, Any], values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the component of a submitted modal with its values."""
    base = {"type": component["type"], "id": component["id"]}
    match component["type"]:
        case ComponentType.ACTION_ROW:
            return base | {"components": [_submitted(child, values) for child in component["components"]]}
        case ComponentType.LABEL:
            return base | {"component": _submitted(component["component"], values)}
        case ComponentType.TEXT_DISPLAY:
            return base
        case ComponentType.TEXT_INPUT:
            return base | _submitted_text(component, values.get(component["custom_id"], ""))
        case ComponentType.STRING_SELECT:
            chosen = values.get(component["custom_id"], [])
            _check_choice(component, chosen)
            return base | {"custom_id": component["custom_id"], "values": list(chosen)}
    raise ImpossibleActionError(f"modal component of type {component['type']} is not modelled")


def _submitted_text(component: Mapping[str, Any], text: str) -> dict[str, Any]:
    """Return a text that fits the limits of its field."""
    low = component.get("min_length") or (1 if component.get("required", True) else 0)
    high = component.get("max_length") or 4000
    if not (low <= len(text) <= high or (not text and not component.get("required", True))):
        raise ImpossibleActionError(f"{component['custom_id']!r} takes {low} to {high} characters")
    return {"custom_id": component["custom_id"], "value": text}
