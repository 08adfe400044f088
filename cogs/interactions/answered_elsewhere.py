"""A click that another process answers: both hear it while two have shards of the same server, as in a restart.

The one whose acknowledgement Discord takes answers. The other one, told that somebody was quicker, shows and creates
nothing. A move it carries out all the same, in silence, since the winner may be dying: the host does nothing twice.
And what a newer release put on a button, an older one does not answer.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any, Final, NoReturn

from discord.webhook.async_ import AsyncWebhookAdapter, async_context

from cogs.interactions.log_fields import circumstances
from cogs.messages import custom_id_of
from cogs.presenting.ids import Op, OwnOp, parse_key

if TYPE_CHECKING:
    from cogs.services.bot import Interaction

log = logging.getLogger(__name__)

MOVES: Final = frozenset({Op.ACT, Op.GO, Op.PUBLISH, Op.RESIGN})
"""Operations that decide something at once, and are of no more effect when they come twice."""
TYPED: Final = "play"
"""The command that does."""


class AnsweredElsewhereError(Exception):
    """Another process answers this click: this one says nothing."""


class _Silence(AsyncWebhookAdapter):
    """Through this discord.py answers interactions: with it, the first answer is the end."""

    def request(self, *_: Any, **__: Any) -> NoReturn:  # noqa: ANN401 - whatever it is
        """Answer nothing."""
        raise AnsweredElsewhereError


async def is_heard_elsewhere(interaction: Interaction) -> bool:
    """Whether another process hears what happens where somebody clicked; where nobody says, it may be so."""
    crew = interaction.client.host.crew
    try:
        return await crew.is_shared(interaction.guild_id or 0)
    except Exception as error:  # noqa: BLE001 - whatever is wrong with the database, it is said where it is used
        log.warning("it is not known who else hears a click: %r", error, extra=circumstances(interaction))
        return not crew.is_alone


async def may_go_on(interaction: Interaction) -> bool:
    """After another acknowledgement of this click came first: whether this process goes on, silently or not."""
    if not await is_heard_elsewhere(interaction):
        return True  # the gateway has delivered it twice
    log.info("a click that another process answers", extra=circumstances(interaction))
    if not _is_move(interaction):
        return False
    async_context.set(_Silence())  # type: ignore[no-untyped-call] # for the task of this interaction alone
    return True


def _is_move(interaction: Interaction) -> bool:
    key = parse_key(custom_id_of(interaction))
    if key is not None:
        return key.op.moves if isinstance(key.op, OwnOp) else key.op in MOVES
    command = interaction.command
    return command is not None and command.name == TYPED
