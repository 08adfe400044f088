"""Decisions that are made on the card itself: castles, bids, buying and selling.

Who wants to confirm each move is asked once, in private, what the decision would cost; a public card stays as it is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from cogs.desk.interaction import Ack, Handling
from cogs.panels.deciding import actions_in, decide
from cogs.presenting.ids import Key, Op

if TYPE_CHECKING:
    from cogs.desk.interaction import Interaction


async def press_act(interaction: Interaction, key: Key) -> None:
    """Do the action in the button, or ask whether it shall be so."""
    await decide(interaction, key.ref, key.revision, actions_in(key.argument))


HANDLINGS: Final = {Op.ACT: Handling(Ack.UPDATE, press_act)}
