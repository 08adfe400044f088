"""Dispatch interactions and answer them: acknowledge first, do the work, then send the result or a readable error.

A button is identified by its *custom id* alone, so that it works after a restart. The client passes every press to
:func:`handle`, which finds the handler of its operation. discord.py's own dispatch would keep every message that was
sent in memory, or rebuild the message of each press only to find the button in it.

:func:`guarded` is the bot's only error boundary: every press, modal and command runs inside it, and every error becomes
a message to the user. An unexpected error shows a *reference* that is also in the log.

A private panel that is opened from a private panel takes its place. One that is opened from a card replaces the last
one that its viewer opened from a card of the same game, as long as Discord allows that one to be deleted; else the old
panel says at its next press that it is out of date (:class:`cogs.services.sessions.OpenPanels`).

During a restart two processes may receive the same interaction. The one whose acknowledgement Discord accepts answers.
The other one sends nothing, but still carries out a move, because the first process may be shutting down; the host
ignores a move that it has stored already. A process does not answer buttons of a newer release.

Suggestions while a user types arrive in time or not at all. That they are late is no error, although discord.py would
log it as one: another process may have answered first, the user may have typed on, or the database may be unavailable.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Collection, Coroutine, Iterable, Sequence
from contextlib import suppress
from contextvars import copy_context
from functools import wraps
from typing import Any, Final, NoReturn, assert_never, cast

import discord
from discord import ButtonStyle, app_commands, ui
from discord.webhook.async_ import AsyncWebhookAdapter, async_context
from structlog.contextvars import bound_contextvars

from cogs.interactions.admission import admit, is_typed, require_current_epoch, require_current_server, require_private
from cogs.interactions.context import language_for, listens, log_fields, words_for
from cogs.messages import custom_id_of, is_defect, notice
from cogs.presenting.ids import CUSTOM_ID_PATTERN, Key, Op, Operation, OwnOp, parse_key
from cogs.presenting.presenter import ButtonSpec, Menu
from cogs.services.bot import Ack, Interaction
from cogs.services.lookups import CONNECTION_BROKEN
from cogs.services.rate_limits import SilencedError
from cogs.services.render_pool import SupersededError
from cogs.services.sessions import OpenPanel
from cogs.texts import t
from cogs.texts.languages import speaking
from cogs.words.refusals import RefusedError
from cogs.words.story import clip
from host import Game, HostError, TransientError, requested_by, wait_less, waiting
from host.observability import ACKNOWLEDGED

log = logging.getLogger(__name__)

MOVE_OPS: Final = frozenset({Op.ACT, Op.GO, Op.PUBLISH, Op.RESIGN})
"""The operations that make a move at once. They are idempotent, so that two processes may both carry them out."""
MOVE_COMMAND: Final = "play"
"""The name of the command that makes a move."""


class AnsweredElsewhereError(Exception):
    """Another process answers this interaction, so that this one sends nothing."""


class _SilentAdapter(AsyncWebhookAdapter):
    """A sender of answers, in place of discord.py's, that sends nothing: the first answer ends the work."""

    def request(self, *_: Any, **__: Any) -> NoReturn:  # noqa: ANN401 - overrides an untyped method
        """Refuse every request.

        Raises:
            AnsweredElsewhereError: always.
        """
        raise AnsweredElsewhereError


async def reaches_other_process(interaction: Interaction) -> bool:
    """Return whether another process receives the interactions of the same server; if unknown, assume that it does."""
    processes = interaction.client.host.processes
    try:
        return await processes.is_shared(interaction.guild_id or 0)
    except Exception as error:  # noqa: BLE001 - a database failure is reported where its result is needed
        log.warning("could not check for other processes: %r", error, extra=log_fields(interaction))
        return not processes.is_alone


async def may_continue(interaction: Interaction) -> bool:
    """Return whether to continue with an interaction that was acknowledged before.

    If another process has acknowledged it, only a move continues, and its answers are suppressed.
    """
    if not await reaches_other_process(interaction):
        return True  # the gateway has delivered it twice to this process
    log.info("another process answers this interaction", extra=log_fields(interaction))
    if not _is_move(interaction):
        return False
    async_context.set(_SilentAdapter())  # type: ignore[no-untyped-call] # a context variable: for this task alone
    return True


def _is_move(interaction: Interaction) -> bool:
    """Return whether an interaction makes a move at once."""
    key = parse_key(custom_id_of(interaction))
    if key is not None:
        return key.op.moves if isinstance(key.op, OwnOp) else key.op in MOVE_OPS
    command = interaction.command
    return command is not None and command.name == MOVE_COMMAND


UNKNOWN_INTERACTION: Final = 10062
"""Discord's error code for an interaction that has expired."""
ALREADY_ACKNOWLEDGED: Final = 40060
"""Discord's error code for an interaction that was acknowledged before."""
UNDELIVERABLE: Final = frozenset({UNKNOWN_INTERACTION, 10008, 10015})
"""The error codes after which no answer can be sent: the private message was closed, or fifteen minutes have passed."""
MODAL_SECONDS: Final = 2.0
"""The seconds for preparing a modal: it is the first response, which Discord expects within three seconds."""
_ACKNOWLEDGED: Final = "acknowledged"
"""The key in the ``extras`` of an interaction that is true once it is acknowledged."""
_OPENED: Final = "opened"
"""The key, in the ``extras`` of an interaction, for the id of the private message opened by acknowledging it."""


async def acknowledge(interaction: Interaction, ack: Ack) -> bool:
    """Acknowledge an interaction to Discord; return False if it has expired or another process answers it.

    Return True also if Discord has delivered it twice, or if the connection broke so that it may be acknowledged: the
    host recognises interactions that it has stored, so nothing happens twice.
    """
    try:
        match ack:
            case Ack.PANEL:
                interaction.extras[_OPENED] = None
                response = await interaction.response.defer(ephemeral=True, thinking=True)
                interaction.extras[_OPENED] = response.message_id if response else None
            case Ack.UPDATE:
                await interaction.response.defer()
            case Ack.MODAL:
                wait_less(MODAL_SECONDS)
                return True
            case never:
                assert_never(never)
    except discord.HTTPException as error:
        if error.code == UNKNOWN_INTERACTION:
            log.warning("interaction expired before it was acknowledged", extra=log_fields(interaction))
            return False
        if error.code != ALREADY_ACKNOWLEDGED:
            raise
        if not await may_continue(interaction):
            return False
    except CONNECTION_BROKEN:
        log.warning("connection lost while acknowledging", exc_info=True, extra=log_fields(interaction))
    interaction.extras[_ACKNOWLEDGED] = True
    ACKNOWLEDGED.observe(max(0.0, (discord.utils.utcnow() - interaction.created_at).total_seconds()))
    return True


async def publish(
    interaction: Interaction, view: ui.LayoutView, files: Sequence[discord.File] = (), pinged: Collection[int] = ()
) -> discord.Message:
    """Post an answer publicly, and delete the private message by which the interaction was acknowledged.

    The answer pings the ``pinged`` users (ids) among those it mentions. The interaction is acknowledged privately
    because a public "is thinking …" would stay for ever after a crash.
    """
    mentions = discord.AllowedMentions(everyone=False, roles=False, users=[discord.Object(user) for user in pinged])
    message = await interaction.followup.send(view=view, files=files, allowed_mentions=mentions, wait=True)
    with suppress(discord.HTTPException, *CONNECTION_BROKEN):  # only one player sees a private message that stays
        await interaction.delete_original_response()
    return message


async def tell(interaction: Interaction, text: str, *items: ui.Item[Any]) -> None:
    """Send a private message, as the first response or as a follow-up."""
    view, nobody = notice(text, *items), discord.AllowedMentions.none()
    if not (interaction.response.is_done() or _ACKNOWLEDGED in interaction.extras):
        try:
            await interaction.response.send_message(view=view, ephemeral=True, allowed_mentions=nobody)
        except discord.HTTPException as error:
            if error.code != ALREADY_ACKNOWLEDGED:
                raise
            if await reaches_other_process(interaction):
                return
        else:
            return
    await interaction.followup.send(view=view, ephemeral=True, allowed_mentions=nobody)


async def answer(interaction: Interaction, work: Coroutine[Any, Any, None]) -> None:
    """Run the work of a command that answers privately; see :func:`guarded`."""
    await guarded(interaction, work, Ack.PANEL)


async def guarded(interaction: Interaction, work: Coroutine[Any, Any, None], ack: Ack | None = None) -> None:
    """Run the work of an interaction in the user's language and within their rate limit; answer any error privately.

    With ``ack`` the interaction is acknowledged first; if that fails, the work is not run.
    """
    client = interaction.client
    fields = bound_contextvars(**log_fields(interaction))
    language = speaking(language_for(interaction), listens=listens(interaction))
    with fields, language, waiting(client.host.patience.total_seconds()), requested_by(interaction.user.id):
        try:
            with client.press_limiter.pressing(interaction.user.id, interaction.guild_id):
                if ack is None or await acknowledge(interaction, ack):
                    await work
        except SilencedError:
            log.debug("rate limited; the user was told moments ago", extra=log_fields(interaction))
        except SupersededError:
            log.debug("superseded by a newer press", extra=log_fields(interaction))
        except discord.NotFound as error:
            if error.code not in UNDELIVERABLE:
                await answer_error(interaction, error)
                return
            log.warning("an answer could not be delivered: %s", error, extra=log_fields(interaction))
        except AnsweredElsewhereError:
            log.debug("done here, answered by another process", extra=log_fields(interaction))
        except Exception as error:  # noqa: BLE001 - the error boundary: a player waits for an answer
            if not await _lost_race(interaction, error):
                await answer_error(interaction, error)
        finally:
            work.close()  # a coroutine that never started would warn


async def _lost_race(interaction: Interaction, error: Exception) -> bool:
    """Return whether an error says that another process has answered first, as with a modal."""
    is_late = isinstance(error, discord.HTTPException) and error.code == ALREADY_ACKNOWLEDGED
    return is_late and await reaches_other_process(interaction)


async def answer_error(interaction: Interaction, error: Exception) -> None:
    """Tell the user privately what went wrong; if that fails as well, only log it."""
    offer = error.offers if isinstance(error, RefusedError) else ()
    try:
        if not _stopped(interaction):
            await tell(interaction, await _error_words(interaction, error), *offer)
    except AnsweredElsewhereError:
        log.debug("another process reports this error", extra=log_fields(interaction))
    except (discord.HTTPException, *CONNECTION_BROKEN):
        if not _stopped(interaction):
            log.warning("an answer could not be delivered", exc_info=True, extra=log_fields(interaction))
    except RuntimeError:  # raised by aiohttp when its session is closed
        if not _stopped(interaction):
            raise


def _stopped(interaction: Interaction) -> bool:
    """Return whether the bot was shut down, so that no answer can be sent any more."""
    stopped = interaction.client.is_closed()
    if stopped:
        log.debug("shut down before answering", extra=log_fields(interaction))
    return stopped


async def _error_words(interaction: Interaction, error: Exception) -> str:
    """Log an error, and return the sentence about it for the user."""
    if isinstance(error, HostError | RefusedError):
        reason = error.code.value if isinstance(error, HostError) else error.key
        # Refusals are common, but an unknown button belongs to an old version of the bot, or is forged.
        level = logging.INFO if reason == "unknown_button" else logging.DEBUG
        log.log(level, "refused", extra={**log_fields(interaction), "why": reason})
        try:
            return await words_for(interaction, error)
        except Exception as second_error:  # noqa: BLE001 - a second error must not prevent an answer
            error = second_error
    if isinstance(error, TransientError):
        log.warning("an interaction was not stored: %s", error, extra=log_fields(interaction))
        return t("answer.not_stored")
    key = "answer.refused" if is_defect(error) else "answer.unexpected"
    return t(key, reference=_log_unexpected(interaction, error))


def _log_unexpected(interaction: Interaction, error: Exception) -> str:
    """Log an unexpected error, and return the reference by which operators find it."""
    details = log_fields(interaction)
    log.error("unexpected error, reference %s", details["reference"], exc_info=error, extra=details)
    return str(details["reference"])


class Press(ui.DynamicItem[ui.Button[ui.LayoutView]], template=CUSTOM_ID_PATTERN):
    """A button or list of the bot, identified by its custom id alone."""

    def is_dispatchable(self) -> bool:
        """Return False, so that discord.py does not keep the button in memory when it is sent."""
        return False


async def handle(interaction: Interaction) -> None:
    """Run the operation that the custom id of a press or a submitted modal names."""
    await guarded(interaction, _carry_out(interaction))


async def _carry_out(interaction: Interaction) -> None:
    """Acknowledge a press, check access to what it names, and run its operation."""
    key = parse_key(custom_id_of(interaction))
    handler = interaction.client.handlers.get(key.op) if key else None
    submitted = interaction.type is discord.InteractionType.modal_submit
    if (key is None or handler is None) and await reaches_other_process(interaction):
        return  # it may be a button of a newer release, which answers it
    if key is None or handler is None or submitted != is_typed(key.op):
        raise RefusedError("unknown_button")
    require_private(interaction, key)
    replaces = handler.ack is Ack.PANEL and is_panel(interaction)
    if await acknowledge(interaction, Ack.UPDATE if replaces else handler.ack):
        game = await admit(interaction, key)
        if game is not None:
            await require_current_server(interaction, key, game)
        if game is not None and game.epoch:
            await require_current_epoch(interaction, key, game)
        if game is not None and _is_outdated(interaction, key, game):
            await _say_outdated(interaction, handler.ack)
            return
        await handler.run(interaction, key)
        opened = interaction.extras.get(_OPENED)
        if game is not None and opened and not replaces:
            replace_panel(interaction, game, opened, interaction.delete_original_response)


def is_panel(interaction: Interaction) -> bool:
    """Return whether the pressed message is a private panel."""
    return interaction.message is not None and interaction.message.flags.ephemeral


def is_announced(interaction: Interaction) -> bool:
    """Return whether the interaction was acknowledged by announcing a new private message."""
    return _OPENED in interaction.extras


_COMPOSING: Final = frozenset({Op.PLAY, Op.PLAN, Op.ADVICE, Op.MODE, Op.GO, Op.ACT})
"""Operations that a panel no longer offers once its viewer has opened a newer one; a move can be undone from any."""


def _is_outdated(interaction: Interaction, key: Key, game: Game) -> bool:
    """Return whether the press would decide something from a panel although its viewer has opened a newer one."""
    message = interaction.message
    composes = key.op.decides if isinstance(key.op, OwnOp) else key.op in _COMPOSING
    if message is None or not composes or not is_panel(interaction):
        return False
    return interaction.client.open_panels.is_outdated(game.id, interaction.user.id, message.id)


async def _say_outdated(interaction: Interaction, ack: Ack) -> None:
    """Say in a panel that it is out of date, in place of its buttons.

    Raises:
        RefusedError: ``outdated_panel``, where a modal was asked for, so that the panel itself cannot be changed.
    """
    if ack is Ack.MODAL:
        raise RefusedError("outdated_panel")
    await interaction.edit_original_response(view=notice(t("refusal.outdated_panel")), attachments=[])


def replace_panel(
    interaction: Interaction, game: Game, message_id: int, delete: Callable[[], Coroutine[Any, Any, None]]
) -> None:
    """Note that the user has opened a panel from a card of a game, and delete the one that it replaces."""
    client, panel = interaction.client, OpenPanel(message_id, interaction.is_expired, delete, copy_context())
    replaced = client.open_panels.open(game.id, interaction.user.id, panel)
    if replaced is not None:
        client.run_in_background(_delete(replaced), name=f"replace a panel of {game.code}")


def finish_panel(interaction: Interaction, game: Game) -> None:
    """Finish the panel that was pressed or opened, so that no other panel replaces it.

    It tells the outcome of a move, or can undo it. Pictures that were requested for it are not drawn any more.
    """
    message = interaction.message
    if message is not None and is_panel(interaction):
        interaction.client.render_pool.drop(message.id)
        interaction.client.open_panels.close(game.id, interaction.user.id, message.id)
    else:
        interaction.extras.pop(_OPENED, None)


async def _delete(panel: OpenPanel) -> None:
    """Delete a panel; it may have been dismissed already."""
    with suppress(discord.HTTPException, *CONNECTION_BROKEN):
        await asyncio.create_task(panel.delete(), context=panel.context)


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
    """Return a button that runs an operation, on the game or event ``ref`` as shown at a revision."""
    key = Key(op, ref, revision, argument)
    return Press(ui.Button(label=label, style=style, custom_id=str(key), disabled=disabled))


def selects(ref: str, revision: int, menus: Iterable[Menu]) -> list[Press]:
    """Return lists to choose from, for a revision of a game; the chosen value is what a button has as its argument."""
    return [_select(ref, revision, number, menu) for number, menu in enumerate(menus)]


def _select(ref: str, revision: int, number: int, menu: Menu) -> Press:
    """Return a list to choose from; its ``number`` distinguishes it from others of the same message."""
    options = [
        discord.SelectOption(label=entry.label, value=entry.argument, description=entry.description or None)
        for entry in menu.entries
    ]
    key = Key(menu.op, ref, revision, f"list {number}")
    select = ui.Select[ui.LayoutView](custom_id=str(key), placeholder=menu.placeholder, options=options)
    return Press(cast("Any", select))


def buttons_of(ref: str, revision: int, specs: Iterable[ButtonSpec]) -> list[Press]:
    """Return the buttons of these specifications, for a revision of a game."""
    return [button(spec.op, ref, revision, spec.label, argument=spec.argument, style=spec.style) for spec in specs]


LATE_SUGGESTION: Final = frozenset({ALREADY_ACKNOWLEDGED, UNKNOWN_INTERACTION})
"""The error codes of Discord for suggestions that come too late."""

MAX_CHOICES: Final = 25
"""The most suggestions that Discord shows while a user types."""
MAX_CHOICE_NAME: Final = 100
"""The most characters of a suggestion."""
Suggester = Callable[[Interaction, str], Coroutine[Any, Any, Iterable[tuple[str, str]]]]
"""Returns suggestions for what is typed, as pairs of label and value."""


class _SuggestionAdapter(AsyncWebhookAdapter):
    """A sender of answers, around discord.py's, that ignores that suggestions are late or lost."""

    def __init__(self, wrapped: AsyncWebhookAdapter) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self._wrapped = wrapped

    async def create_interaction_response(self, *args: Any, **options: Any) -> Any:  # noqa: ANN401
        """Send the suggestions; a late or lost answer is only logged."""
        try:
            return await self._wrapped.create_interaction_response(*args, **options)
        except discord.HTTPException as error:
            if error.code not in LATE_SUGGESTION:
                raise
            log.debug("suggestions came too late: %s", error)
        except CONNECTION_BROKEN as error:
            log.debug("connection lost while suggesting: %r", error)
        return None


def begin_to_suggest(interaction: Interaction) -> None:
    """Ignore for the rest of this task that suggestions are late, if the interaction asks for suggestions."""
    if interaction.type is discord.InteractionType.autocomplete:
        async_context.set(_SuggestionAdapter(async_context.get()))


def suggesting(
    complete: Suggester,
) -> Callable[[Interaction, str], Coroutine[Any, Any, list[app_commands.Choice[str]]]]:
    """Decorate an autocomplete function: suggest nothing without the database, or if what it needs is refused."""

    @wraps(complete)
    async def suggest_if_available(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        try:
            suggestions = list(await complete(interaction, typed))[:MAX_CHOICES]
        except TransientError as error:
            log.debug("no suggestions while the database is unavailable: %r", error)
            return []
        except (HostError, RefusedError):
            return []
        return [app_commands.Choice(name=clip(name, MAX_CHOICE_NAME), value=value) for name, value in suggestions]

    return suggest_if_available
