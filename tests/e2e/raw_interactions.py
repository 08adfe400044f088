"""Raw interactions as the gateway delivers them: forged, late, repeated or concurrent.

They bypass the checks of simcord's client, which presses only buttons that a message has. `offered=False` allows a
custom id that no button carries.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import simcord
from simcord import interactions as wire
from simcord.backend import serializers
from simcord.backend.models import Interaction

from tests.e2e.screen import words

SUBCOMMAND, SUBCOMMAND_GROUP = 1, 2
"""Discord's numbers of option types."""
BUTTON, STRING_SELECT = 2, 3
"""Discord's numbers of component types."""
COMMAND_INTERACTION, AUTOCOMPLETE_INTERACTION = 2, 4
"""Discord's numbers of the interaction types of commands."""
COMPONENT_INTERACTION, MODAL_INTERACTION = 3, 5
"""Discord's numbers of interaction types."""


@dataclass(frozen=True, slots=True)
class SentInteraction:
    """An interaction that was delivered and can be delivered again."""

    env: simcord.Env
    record: Interaction
    payload: dict[str, Any]

    def resend(self) -> None:
        """Let the gateway deliver it once more."""
        self.env.backend.emit("INTERACTION_CREATE", self.payload)

    @property
    def answers(self) -> list[simcord.ResponseMessage]:
        """The private messages that answered it."""
        result = simcord.InteractionResult(self.env, self.record)
        messages = [*([result.response] if result.response else []), *result.followups]
        return [message for message in messages if message.ephemeral]

    @property
    def text(self) -> str:
        """The texts of the private answers."""
        return "\n".join(words(message.components) for message in self.answers)


def last_answer(sent: SentInteraction) -> str:
    """Return the text of the last private answer, which may be the edited panel that it was sent from."""
    return words(sent.answers[-1].components)


def send_press(
    env: simcord.Env,
    member: simcord.MemberActor,
    message: simcord.ResponseMessage,
    custom_id: str,
    *,
    offered: bool = True,
    chosen: Sequence[str] | None = None,
) -> SentInteraction:
    """Deliver a press of a button, whether or not the message has it, without waiting for the bot.

    `offered` puts the button into the delivered message, as a client with an outdated message does; `chosen` makes it a
    select menu from which these values were chosen.
    """
    stored = env.backend.get_message(message.channel_id, message.id)
    record, payload = wire.base_payload(
        env.backend,
        type=COMPONENT_INTERACTION,
        channel_id=stored.channel_id,
        guild_id=member.guild.id,
        user_id=member.id,
        data={"custom_id": custom_id, "component_type": BUTTON}
        if chosen is None
        else {"custom_id": custom_id, "component_type": STRING_SELECT, "values": list(chosen)},
    )
    payload["message"] = dict(serializers.message_payload(env.backend, stored))
    if offered:
        payload["message"]["components"] = _row_with_button(custom_id)
    record.source_message_id = stored.id
    sent = SentInteraction(env, record, payload)
    sent.resend()
    return sent


def send_modal(
    env: simcord.Env, member: simcord.MemberActor, message: simcord.ResponseMessage, custom_id: str
) -> SentInteraction:
    """Deliver the submission of a modal that was never opened, without waiting for the bot."""
    stored = env.backend.get_message(message.channel_id, message.id)
    record, payload = wire.base_payload(
        env.backend,
        type=MODAL_INTERACTION,
        channel_id=stored.channel_id,
        guild_id=member.guild.id,
        user_id=member.id,
        data={"custom_id": custom_id, "components": []},
    )
    payload["message"] = dict(serializers.message_payload(env.backend, stored))
    record.source_message_id = stored.id
    sent = SentInteraction(env, record, payload)
    sent.resend()
    return sent


def send_command(
    env: simcord.Env,
    member: simcord.MemberActor,
    channel: simcord.ChannelHandle,
    name: str,
    *,
    type: int = COMMAND_INTERACTION,  # noqa: A002 - Discord's name of the field
    options: Sequence[dict[str, Any]] = (),
) -> SentInteraction:
    """Deliver a command, as a client with an outdated list does even if it is no longer registered.

    Do not wait for the bot.
    """
    root, *below = name.split()
    data: dict[str, Any] = {"id": "1", "name": root, "type": 1, "options": list(options)}
    for depth, word in enumerate(reversed(below)):
        kind = SUBCOMMAND if depth == 0 else SUBCOMMAND_GROUP
        data["options"] = [{"name": word, "type": kind, "options": data["options"]}]
    record, payload = wire.base_payload(
        env.backend, type=type, channel_id=channel.id, guild_id=member.guild.id, user_id=member.id, data=data
    )
    sent = SentInteraction(env, record, payload)
    sent.resend()
    return sent


def _row_with_button(custom_id: str) -> Sequence[dict[str, Any]]:
    """Return a row of components with one button."""
    button = {"type": BUTTON, "id": 2, "style": 2, "label": "?", "custom_id": custom_id}
    return [{"type": 1, "id": 1, "components": [button]}]
