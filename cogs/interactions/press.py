"""Buttons: rebuilt from their custom id, so they work after a restart; acknowledged first; every error is answered.

The client hands every press to :func:`handle`. discord.py would keep each view that was sent, or put the message of
each press together anew only to find the button in it again. What an operation does stands in the client's table of
:class:`Handling`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, cast

import discord
from discord import ButtonStyle, ui

from cogs.interactions.admission import admit, is_typed, require_private
from cogs.interactions.answered_elsewhere import is_heard_elsewhere
from cogs.interactions.posted_before import require_here, require_present
from cogs.interactions.replies import acknowledge, guarded
from cogs.messages import custom_id_of
from cogs.presenting.ids import OURS, Key, Operation, parse_key
from cogs.words.refusals import RefusedError

if TYPE_CHECKING:
    from cogs.presenting.presenter import Menu, Offer
    from cogs.services.bot import Interaction


class Press(ui.DynamicItem[ui.Button[ui.LayoutView]], template=OURS):
    """A button of ours."""

    def is_dispatchable(self) -> bool:
        """Nothing is to be kept of it when it is sent."""
        return False


async def handle(interaction: Interaction) -> None:
    """Carry out a press or a submitted modal, by the custom id in it."""
    await guarded(interaction, _carry_out(interaction))


async def _carry_out(interaction: Interaction) -> None:
    key = parse_key(custom_id_of(interaction))
    handling = interaction.client.handlings.get(key.op) if key else None
    submitted = interaction.type is discord.InteractionType.modal_submit
    if (key is None or handling is None) and await is_heard_elsewhere(interaction):
        return  # by a newer release, perhaps, whose button it is
    if key is None or handling is None or submitted != is_typed(key.op):
        raise RefusedError("unknown_button")
    require_private(interaction, key)
    if await acknowledge(interaction, handling.ack):
        game = await admit(interaction, key)
        if game is not None:
            await require_here(interaction, key, game)
        if game is not None and game.epoch:
            await require_present(interaction, key, game)
        await handling.run(interaction, key)


def button(
    op: Operation,
    ref: str,
    revision: int,
    label: str,
    *,
    argument: str = "",
    style: ButtonStyle = ButtonStyle.secondary,
    disabled: bool = False,
) -> Press:
    """A button that carries out an operation."""
    key = Key(op, ref, revision, argument)
    return Press(ui.Button(label=label, style=style, custom_id=str(key), disabled=disabled))


def lists(ref: str, revision: int, menus: Iterable[Menu]) -> list[Press]:
    """These lists at this revision of a game; what is chosen in one stands for the argument of a button."""
    return [_list(ref, revision, number, menu) for number, menu in enumerate(menus)]


def _list(ref: str, revision: int, number: int, menu: Menu) -> Press:
    options = [
        discord.SelectOption(label=entry.label, value=entry.argument, description=entry.description or None)
        for entry in menu.entries
    ]
    key = Key(menu.op, ref, revision, f"list {number}")
    select = ui.Select[ui.LayoutView](custom_id=str(key), placeholder=menu.placeholder, options=options)
    return Press(cast("Any", select))


def pressable(ref: str, revision: int, offers: Iterable[Offer]) -> list[Press]:
    """The buttons of these offers at this revision of a game."""
    return [
        button(offer.op, ref, revision, offer.label, argument=offer.argument, style=offer.style) for offer in offers
    ]
