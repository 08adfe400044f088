"""Decisions that are made on the card itself, as castles, bids, buying and selling, or planned from there.

Who wants to confirm each move is asked once, in private, what the decision would cost; a public card stays as it is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from cogs.games.presenters import presenter_of
from cogs.interactions.context import table_of
from cogs.panels.deciding import actions_in, decide
from cogs.presenting.ids import Key, Op
from cogs.services.bot import Ack, Handling
from cogs.words.refusals import RefusedError
from host import check_playing

if TYPE_CHECKING:
    from cogs.services.bot import Interaction


async def press_act(interaction: Interaction, key: Key) -> None:
    """Do the action in the button, or ask whether it shall be so."""
    await decide(interaction, key.ref, key.revision, actions_in(key.argument))


async def press_orders(interaction: Interaction, key: Key) -> None:
    """Ask what somebody plans for what is being decided."""
    table, user_id = await table_of(interaction, key.ref), interaction.user.id
    seat = check_playing(table.game, user_id)
    form = presenter_of(table.position).plan_form(table.position, seat)
    if form is None:
        raise RefusedError("nothing_to_plan")
    planned = await interaction.client.host.moves.planned(table.game, user_id)
    await interaction.response.send_modal(form(table.game, planned))


HANDLINGS: Final = {Op.ACT: Handling(Ack.UPDATE, press_act), Op.ORDERS: Handling(Ack.MODAL, press_orders)}
