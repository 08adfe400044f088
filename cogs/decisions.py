"""Decisions that are made on the card itself: castles, bids, buying and selling."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from cogs.ui.acting import actions_in, perform, show_done
from cogs.ui.answers import Ack
from cogs.ui.ids import Key, Op
from cogs.ui.press import Handling

if TYPE_CHECKING:
    from cogs.client import Interaction


async def press_act(interaction: Interaction, key: Key) -> None:
    """Do the action in the button."""
    await show_done(interaction, await perform(interaction, key.ref, key.ply, actions_in(key.argument)))


HANDLINGS: Final = {Op.ACT: Handling(Ack.UPDATE, press_act)}
