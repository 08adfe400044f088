"""Answering an interaction: acknowledge first, then say what came of it, whatever happens.

:func:`guarded` is the one edge of the bot: every press, modal and command runs inside it, and every error leaves it as
a player's words. An unexpected one carries a reference that stands in the log.
"""

from __future__ import annotations

import logging
from collections.abc import Coroutine, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final, assert_never

import discord
from discord import ui
from structlog.contextvars import bound_contextvars

from cogs.interactions.answered_elsewhere import AnsweredElsewhereError, is_heard_elsewhere, may_go_on
from cogs.interactions.log_fields import circumstances
from cogs.interactions.reader import language_for, listens
from cogs.interactions.refusals import words_for
from cogs.messages import is_defect, notice
from cogs.services.bot import Ack
from cogs.services.lookups import CONNECTION_BROKEN
from cogs.services.rate_limits import UnheardError
from cogs.services.render_pool import SupersededError
from cogs.texts import t
from cogs.texts.languages import speaking
from cogs.words.refusals import RefusedError
from host import HostError, PassingError, requested_by, wait_less, waiting
from host.observability import ACKNOWLEDGED

if TYPE_CHECKING:
    from cogs.services.bot import Interaction

log = logging.getLogger(__name__)

UNKNOWN_INTERACTION: Final = 10062
ALREADY_ACKNOWLEDGED: Final = 40060
UNDELIVERABLE: Final = frozenset({UNKNOWN_INTERACTION, 10008, 10015})
"""The private message was closed, or the interaction's fifteen minutes are over."""
MODAL_SECONDS: Final = 2.0
"""How long what a modal shows is waited for: it is the first answer, which has to be there within three seconds."""
_ACKNOWLEDGED: Final = "acknowledged"


async def acknowledge(interaction: Interaction, ack: Ack) -> bool:
    """Tell Discord that the interaction has arrived; false when it came too late, or another process answers it.

    An interaction that is acknowledged already, because the gateway delivered it twice, or may be, because the
    connection broke, goes on: the host knows interactions it has seen, so nothing happens twice. Where another process
    was quicker, only a move goes on, and says nothing.
    """
    try:
        match ack:
            case Ack.PANEL:
                await interaction.response.defer(ephemeral=True, thinking=True)
            case Ack.UPDATE:
                await interaction.response.defer()
            case Ack.MODAL:
                wait_less(MODAL_SECONDS)
                return True
            case never:
                assert_never(never)
    except discord.HTTPException as error:
        if error.code == UNKNOWN_INTERACTION:
            log.warning("interaction expired before it was acknowledged", extra=circumstances(interaction))
            return False
        if error.code != ALREADY_ACKNOWLEDGED:
            raise
        if not await may_go_on(interaction):
            return False
    except CONNECTION_BROKEN:
        log.warning("no answer to an acknowledgement", exc_info=True, extra=circumstances(interaction))
    interaction.extras[_ACKNOWLEDGED] = True
    ACKNOWLEDGED.observe(max(0.0, (discord.utils.utcnow() - interaction.created_at).total_seconds()))
    return True


async def publish(interaction: Interaction, view: ui.LayoutView, files: Sequence[discord.File] = ()) -> discord.Message:
    """Answer in public, when the answer is ready: the private one, which has told to wait, makes way for it.

    Nothing public says before that somebody is "thinking": whatever crashes meanwhile, it would say so for ever.
    """
    nobody = discord.AllowedMentions.none()
    message = await interaction.followup.send(view=view, files=files, allowed_mentions=nobody, wait=True)
    with suppress(discord.HTTPException, *CONNECTION_BROKEN):  # what is left of it only one player sees
        await interaction.delete_original_response()
    return message


async def tell(interaction: Interaction, text: str, *more: ui.Item[Any]) -> None:
    """Answer privately, whatever has been answered before."""
    view, nobody = notice(text, *more), discord.AllowedMentions.none()
    if not (interaction.response.is_done() or _ACKNOWLEDGED in interaction.extras):
        try:
            await interaction.response.send_message(view=view, ephemeral=True, allowed_mentions=nobody)
        except discord.HTTPException as error:
            if error.code != ALREADY_ACKNOWLEDGED:
                raise
            if await is_heard_elsewhere(interaction):
                return
        else:
            return
    await interaction.followup.send(view=view, ephemeral=True, allowed_mentions=nobody)


async def guarded(interaction: Interaction, work: Coroutine[Any, Any, None]) -> None:
    """Do the work of an interaction, in the language of who asks; an error becomes a private answer.

    Of who presses too much nothing is done.
    """
    client = interaction.client
    told = bound_contextvars(**circumstances(interaction))
    spoken = speaking(language_for(interaction), listens=listens(interaction))
    with told, spoken, waiting(client.host.patience.total_seconds()), requested_by(interaction.user.id):
        try:
            with client.press_limiter.pressing(interaction.user.id, interaction.guild_id):
                await work
        except UnheardError:
            log.debug("who presses too much was told so", extra=circumstances(interaction))
        except SupersededError:
            log.debug("a newer press has taken over", extra=circumstances(interaction))
        except discord.NotFound as error:
            if error.code not in UNDELIVERABLE:
                await answer_error(interaction, error)
                return
            log.warning("an answer could not be delivered: %s", error, extra=circumstances(interaction))
        except AnsweredElsewhereError:
            log.debug("done, and answered by another process", extra=circumstances(interaction))
        except Exception as error:  # noqa: BLE001 - the edge: somebody waits for an answer, whatever it was
            if not await _lost_race(interaction, error):
                await answer_error(interaction, error)
        finally:
            work.close()  # in case that it never began


async def _lost_race(interaction: Interaction, error: Exception) -> bool:
    """Whether a modal or another first answer came after that of another process."""
    late = isinstance(error, discord.HTTPException) and error.code == ALREADY_ACKNOWLEDGED
    return late and await is_heard_elsewhere(interaction)


async def answer_error(interaction: Interaction, error: Exception) -> None:
    """Say privately what went wrong; when even that fails, it is only logged."""
    offer = error.offers if isinstance(error, RefusedError) else ()
    try:
        if not _stopped(interaction):
            await tell(interaction, await _words(interaction, error), *offer)
    except AnsweredElsewhereError:
        log.debug("an error of which another process tells", extra=circumstances(interaction))
    except (discord.HTTPException, *CONNECTION_BROKEN):
        if not _stopped(interaction):
            log.warning("an answer could not be delivered", exc_info=True, extra=circumstances(interaction))
    except RuntimeError:  # of aiohttp, whose session is closed
        if not _stopped(interaction):
            raise


def _stopped(interaction: Interaction) -> bool:
    """Whether the bot was stopped before it could answer: nothing is wrong, and nobody can be told of anything."""
    stopped = interaction.client.is_closed()
    if stopped:
        log.debug("stopped before it was answered", extra=circumstances(interaction))
    return stopped


async def _words(interaction: Interaction, error: Exception) -> str:
    if isinstance(error, HostError | RefusedError):
        why = error.code.value if isinstance(error, HostError) else error.key
        # Refusals are everyday; a button that nobody was given is one of an old version, or forged.
        level = logging.INFO if why == "unknown_button" else logging.DEBUG
        log.log(level, "refused", extra={**circumstances(interaction), "why": why})
        try:
            return await words_for(interaction, error)
        except Exception as another:  # noqa: BLE001 - the words of an error must not be lost to another one
            error = another
    if isinstance(error, PassingError):
        log.warning("an interaction was not stored: %s", error, extra=circumstances(interaction))
        return t("answer.not_stored")
    key = "answer.refused" if is_defect(error) else "answer.unexpected"
    return t(key, reference=_logged(interaction, error))


def _logged(interaction: Interaction, error: Exception) -> str:
    details = circumstances(interaction)
    log.error("unexpected error, reference %s", details["reference"], exc_info=error, extra=details)
    return str(details["reference"])
