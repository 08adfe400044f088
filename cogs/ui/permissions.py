"""What the bot must be allowed to do in a channel before a game begins there."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

import discord
from discord import ButtonStyle, ui

from cogs.texts import t
from cogs.ui.ids import HERE, Op
from cogs.ui.press import button
from cogs.ui.refusals import RefusedError

if TYPE_CHECKING:
    from cogs.client import Interaction

_ALWAYS: Final = ("view_channel", "attach_files", "read_message_history")
_THREADS: Final = ("create_public_threads", "send_messages_in_threads")


def require_table_permissions(interaction: Interaction) -> None:
    """Make sure that cards can be posted in this channel.

    Raises:
        RefusedError: permissions are missing; nothing has been changed.
    """
    send = "send_messages_in_threads" if isinstance(interaction.channel, discord.Thread) else "send_messages"
    missing = _missing(interaction, (*_ALWAYS, send))
    if missing:
        raise RefusedError("no_permission", permissions=missing)


def require_thread_permissions(interaction: Interaction, lobby_id: int) -> None:
    """Make sure that a thread can be opened for a game; if not, playing in the channel is offered.

    Raises:
        RefusedError: permissions are missing; nothing has been changed.
    """
    missing = _missing(interaction, _THREADS)
    if missing:
        label = t("button.start_here")
        here = button(Op.START, str(lobby_id), 0, label, argument=HERE, style=ButtonStyle.primary)
        raise RefusedError("no_threads", permissions=missing, offer=ui.ActionRow(here))


def _missing(interaction: Interaction, names: Iterable[str]) -> str:
    granted = interaction.app_permissions
    missing = [name for name in names if not (granted.administrator or getattr(granted, name))]
    return ", ".join(t(f"permission.{name}") for name in missing)
