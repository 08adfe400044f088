"""Interactions as they come over the wire: forged, late, twice, several at once."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import simcord
from simcord import interactions as wire
from simcord.backend import serializers
from simcord.backend.models import Interaction

from tests.e2e.screen import words

BUTTON = 2
LIST = 3
COMPONENT = 3
MODAL = 5


@dataclass(frozen=True, slots=True)
class SentInteraction:
    """An interaction that was sent, and may be sent again."""

    env: simcord.Env
    record: Interaction
    payload: dict[str, Any]

    def resend(self) -> None:
        """Let the gateway deliver it once more."""
        self.env.backend.emit("INTERACTION_CREATE", self.payload)

    @property
    def answers(self) -> list[simcord.ResponseMessage]:
        """What the member was told: private messages only."""
        result = simcord.InteractionResult(self.env, self.record)
        found = [*([result.response] if result.response else []), *result.followups]
        return [message for message in found if message.ephemeral]

    @property
    def said(self) -> str:
        """The words of the answers."""
        return "\n".join(words(message.components) for message in self.answers)


def last_answer(sent: SentInteraction) -> str:
    """The words of the last private message that came of it; the panel from which it was sent may be one, too."""
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
    """Send a press of a button, whether the message has it or not, without waiting for the bot.

    `offered` tells the bot that the message has such a button, as it did when it was an older one; `chosen` makes it a
    list from which these values were chosen.
    """
    stored = env.backend.get_message(message.channel_id, message.id)
    record, payload = wire.base_payload(
        env.backend,
        type=COMPONENT,
        channel_id=stored.channel_id,
        guild_id=member.guild.id,
        user_id=member.id,
        data={"custom_id": custom_id, "component_type": BUTTON}
        if chosen is None
        else {"custom_id": custom_id, "component_type": LIST, "values": list(chosen)},
    )
    payload["message"] = dict(serializers.message_payload(env.backend, stored))
    if offered:
        payload["message"]["components"] = _row(custom_id)
    record.source_message_id = stored.id
    sent = SentInteraction(env, record, payload)
    sent.resend()
    return sent


def send_modal(
    env: simcord.Env, member: simcord.MemberActor, message: simcord.ResponseMessage, custom_id: str
) -> SentInteraction:
    """Send a submitted modal that nobody has opened, on a message, without waiting for the bot."""
    stored = env.backend.get_message(message.channel_id, message.id)
    record, payload = wire.base_payload(
        env.backend,
        type=MODAL,
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


def _row(custom_id: str) -> Sequence[dict[str, Any]]:
    button = {"type": BUTTON, "id": 2, "style": 2, "label": "?", "custom_id": custom_id}
    return [{"type": 1, "id": 1, "components": [button]}]
