"""From a press to its answer: acknowledge first, carry out, then say what came of it, whatever happens.

Buttons are rebuilt from their custom id, so they work after a restart. The client hands every press to :func:`handle`:
discord.py would keep each view that was sent, or put the message of each press together anew only to find the button in
it again. What an operation does stands in the client's table of :class:`Handling`.

:func:`guarded` is the one edge of the bot: every press, modal and command runs inside it, and every error leaves it as
a player's words. An unexpected one carries a reference that stands in the log.

Two processes hear a click while both have shards of the same server, as in a restart. The one whose acknowledgement
Discord takes answers. The other one, told that somebody was quicker, shows and creates nothing. A move it carries out
all the same, in silence, since the winner may be dying: the host does nothing twice. And what a newer release put on a
button, an older one does not answer.

Suggestions while somebody types come in time, or not at all, and nobody needs to hear of those that do not. discord.py
takes whatever goes wrong with them for an error of the bot. Yet in a restart another process may have suggested first,
the next key may have been pressed, and the database may be away, which it says itself.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Coroutine, Iterable, Sequence
from contextlib import suppress
from functools import wraps
from typing import TYPE_CHECKING, Any, Final, NoReturn, assert_never, cast

import discord
from discord import ButtonStyle, app_commands, ui
from discord.webhook.async_ import AsyncWebhookAdapter, async_context
from structlog.contextvars import bound_contextvars

from cogs.interactions.admission import admit, is_typed, require_here, require_present, require_private
from cogs.interactions.context import circumstances, language_for, listens, words_for
from cogs.messages import custom_id_of, is_defect, notice
from cogs.presenting.ids import OURS, Key, Op, Operation, OwnOp, parse_key
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
    from cogs.presenting.presenter import ButtonSpec, Menu
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


def pressable(ref: str, revision: int, offers: Iterable[ButtonSpec]) -> list[Press]:
    """The buttons of these offers at this revision of a game."""
    return [
        button(offer.op, ref, revision, offer.label, argument=offer.argument, style=offer.style) for offer in offers
    ]


TOO_LATE: Final = frozenset({ALREADY_ACKNOWLEDGED, UNKNOWN_INTERACTION})

Suggester = Callable[["Interaction", str], Coroutine[Any, Any, list[app_commands.Choice[str]]]]


class _InTime(AsyncWebhookAdapter):
    """By this discord.py sends suggestions; that they come too late is nothing to it."""

    def __init__(self, usual: AsyncWebhookAdapter) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self._usual = usual

    async def create_interaction_response(self, *args: Any, **options: Any) -> Any:  # noqa: ANN401
        """Send them."""
        try:
            return await self._usual.create_interaction_response(*args, **options)
        except discord.HTTPException as error:
            if error.code not in TOO_LATE:
                raise
            log.debug("suggestions came too late: %s", error)
        except CONNECTION_BROKEN as error:
            log.debug("suggestions got lost: %r", error)
        return None


def begin_to_suggest(interaction: Interaction) -> None:
    """For the task of an interaction, if somebody is typing."""
    if interaction.type is discord.InteractionType.autocomplete:
        async_context.set(_InTime(async_context.get()))


def suggesting(complete: Suggester) -> Suggester:
    """Suggestions that look into the database: none while it is away."""

    @wraps(complete)
    async def suggested(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        try:
            return await complete(interaction, typed)
        except PassingError as error:
            log.debug("nothing is suggested: %r", error)
            return []

    return suggested
