"""Functions that carry out a player's decision, whether it comes from a button, a form or a typed move.

Every decision passes through this module on its way to the *host*, which is the game logic of the bot. After a move the
publisher posts the new card.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterator, Sequence
from contextvars import copy_context
from functools import partial
from typing import Any, Final

import discord
from discord import ButtonStyle, ui

from cogs.interactions.admission import admitted
from cogs.interactions.context import forget_snapshot, preferences_of
from cogs.interactions.replies import button, finish_panel, is_announced, is_panel, replace_panel
from cogs.interactions.selection import table_to_move
from cogs.messages import drawn_or_reference, layout, notice, rows
from cogs.panels.card_messages import kept_pictures, linked_pictures, may_post, shows_all_pictures
from cogs.presenting.ids import Op
from cogs.presenting.presenter import AltPicture, Panel, Presenter, attachments, gallery, private_theme, table_theme
from cogs.services.bot import BotServices, Interaction
from cogs.services.lookups import CONNECTION_BROKEN
from cogs.services.render_pool import SupersededError
from cogs.services.sessions import ShownPanel
from cogs.texts import t
from cogs.texts.languages import by_ear, is_current
from cogs.words.names import capital, link, safe_title, seat_names
from cogs.words.refusals import RefusedError
from cogs.words.story import MAX_STORY, Storyteller, clip, lines_within, without_final
from cogs.words.typed_moves import moves_words
from engine import INTERVENTIONS, Action, NotationError, Position, parse_action
from engine.events import TilePlaced
from host import NO_WINDOW, Consequence, ErrorCode, Game, GameStatus, HostError, Table, WaitingMove, setup_of
from host.retry import retry_forever
from renderers import Theme

log = logging.getLogger(__name__)

_DOUBLE_TAP_ERRORS: Final = frozenset({ErrorCode.STALE, ErrorCode.WAITS})
"""Errors of the second tap of a double tap."""
MAX_TITLE: Final = 300
"""Units of a game's title in a panel."""


def actions_in(text: str) -> tuple[Action, ...]:
    """Read the actions in the argument of a button.

    Raises:
        RefusedError: no button has this argument. Resigning has its own operation (``Op.RESIGN``); skipping a turn and
            ending a game are not a player's decision.
    """
    try:
        actions = tuple(parse_action(token) for token in text.split())
    except NotationError as error:
        raise RefusedError("unknown_button") from error
    if not actions or any(isinstance(action, INTERVENTIONS) for action in actions):
        raise RefusedError("unknown_button")
    return actions


async def perform(
    interaction: Interaction, ref: str, revision: int, actions: Sequence[Action], *, at_once: bool = False
) -> Consequence:
    """Make the move, and wake the publisher to post its card; ``at_once`` leaves no time to take it back.

    Raises:
        HostError: the move was refused; nothing has changed.
        SupersededError: this is the second tap of a double tap; the first one has made the move.
    """
    client, user_id = interaction.client, interaction.user.id
    game, preferences = await admitted(interaction, ref), await preferences_of(interaction)

    def followed(position: Position, decided: Sequence[Action]) -> Sequence[Action]:
        """Add the answers that follow from the player's preferences."""
        choices = preferences.in_game(game.code)
        return client.presenters[position.setup.game].turn.followed(position, decided, choices)

    try:
        window = NO_WINDOW if at_once else client.host.moves.window_of(preferences, game)
        outcome = await client.host.moves.act(
            ref, user_id, revision, actions, interaction.id, window=window, extend=followed
        )
    except HostError as error:
        if error.code in _DOUBLE_TAP_ERRORS and await client.host.pending_moves.was_made(
            ref, user_id, revision, actions
        ):
            raise SupersededError from error
        raise
    finally:
        forget_snapshot(interaction)
    if not outcome.waits:
        client.publisher.move_made(outcome)
    return outcome


async def decide(interaction: Interaction, ref: str, revision: int, actions: Sequence[Action]) -> None:
    """Make a move decided with one tap; ask first if the player confirms their moves.

    What commits the player to as little as possible, such as a pass, needs no confirmation if it can still be undone.

    Raises:
        HostError: the move was refused; nothing has changed.
    """
    preferences = await preferences_of(interaction)
    table = await table_to_move(interaction, ref, revision, actions)
    presenter = interaction.client.presenters[table.position.setup.game]
    at_once = len(actions) == 1 and presenter.at_once(table.position, actions[0])
    if preferences.confirm and not at_once:
        window = interaction.client.host.moves.window_of(preferences, table.game)
        if not (window and _commits_least(presenter, table.position, actions)):
            await _ask_to_confirm(interaction, table, actions)
            return
    await show_done(interaction, await perform(interaction, ref, revision, actions, at_once=at_once))


def _commits_least(presenter: Presenter[Any], position: Position, actions: Sequence[Action]) -> bool:
    """Return True for a single action that commits its player to as little as possible."""
    return len(actions) == 1 and presenter.commits_least(position, actions[0])


async def _ask_to_confirm(interaction: Interaction, table: Table, actions: Sequence[Action]) -> None:
    """Ask privately to confirm a decision, below the picture of what it is about."""
    presenter = interaction.client.presenters[table.position.setup.game]
    await show_decision(
        interaction, table, lambda pictures: confirmation(presenter, table, interaction.user.id, actions, pictures)
    )


async def show_decision(
    interaction: Interaction, table: Table, view_with: Callable[[Sequence[ui.Item[Any]]], ui.LayoutView]
) -> None:
    """Show a private panel with the picture of the decision at hand.

    The picture is not uploaded once more where the pressed message has it: a panel keeps it, and a new panel refers to
    that of the card, unless it has other colours, is described in another language, or Discord fails to load it.
    """
    message, game = interaction.message, table.game
    if message is not None and is_panel(interaction) and (kept := kept_pictures(message)):
        await show_privately(interaction, view_with(kept), game, message.attachments)
        return
    alike = private_theme(await preferences_of(interaction), game) == table_theme(game)
    readable = is_current(game.settings.language) and not by_ear()
    linked = linked_pictures(message) if message is not None and alike and readable else []
    shown = await show_privately(interaction, view_with(linked), game) if linked else None
    if shown is not None and shows_all_pictures(shown):
        return
    pictures, files = await draw_decision(interaction, table)
    if shown is None:
        await show_privately(interaction, view_with(pictures), game, files)
    else:
        await shown.edit(view=view_with(pictures), attachments=files)


async def draw_decision(interaction: Interaction, table: Table) -> tuple[list[ui.Item[Any]], list[discord.File]]:
    """Draw the picture of the decision at hand for a panel; return the parts of the panel, and the files to upload.

    If drawing fails, the part is a line with the reference of the error.
    """
    game, position = table.game, table.position
    presenter = interaction.client.presenters[position.setup.game]
    theme = private_theme(await preferences_of(interaction), game)
    pictures, reference = await interaction.client.render_pool.draw(
        lambda: draw_panel(presenter, game, position, Panel("", ()), theme)
    )
    note = [ui.TextDisplay[Any](t("card.no_pictures", reference=reference))] if reference else []
    return [*gallery(pictures), *note], attachments(pictures)


def draw_panel(
    presenter: Presenter[Any], game: Game, position: Position, panel: Panel, theme: Theme
) -> tuple[list[AltPicture], str]:
    """Draw the pictures of a panel; if that fails, return none and the reference of the error."""
    if by_ear():
        return [], ""
    return drawn_or_reference(
        "the pictures of a panel",
        lambda: presenter.panel_pictures(game, position, panel, theme),
        game=game.code,
        revision=game.revision,
    )


def confirmation(
    presenter: Presenter[Any],
    table: Table,
    user_id: int,
    actions: Sequence[Action],
    pictures: Sequence[ui.Item[Any]] = (),
) -> ui.LayoutView:
    """Return the panel that asks to confirm a move, with what it would cost and leave, and these pictures."""
    game, position = table.game, table.position
    move = moves_words(presenter, position, actions)
    prospects = _prospects(presenter, seat_names(game), position, actions)
    text = "\n".join(filter(None, [t("panel.confirm", move=capital(move)), *prospects, game_line(game, user_id)]))
    argument = " ".join(map(str, actions))
    confirm = button(Op.GO, game.code, game.revision, t("button.confirm"), argument=argument, style=ButtonStyle.primary)
    change = button(Op.PLAN, game.code, game.revision, t("button.change"))
    return layout(ui.TextDisplay(text), pictures, rows([confirm, change]))


def _prospects(
    presenter: Presenter[Any], names: Sequence[str], position: Position, actions: Sequence[Action]
) -> Iterator[str]:
    """Say what each action would cost in the position in which it is done."""
    after = position.copy()
    for action in actions:
        yield presenter.prospect(names, after, action)
        after.apply(action)


def game_line(game: Game, user_id: int) -> str:
    """Return the line that names the game of a panel and the user's opponents."""
    return t("panel.game", game=clip(safe_title(game, user_id), MAX_TITLE))


async def show_privately(
    interaction: Interaction,
    view: ui.LayoutView,
    game: Game | None = None,
    files: Sequence[discord.File | discord.Attachment] = (),
) -> discord.InteractionMessage | discord.WebhookMessage:
    """Fill the private panel that was pressed or announced, or open one after a press on a public card; return it.

    With a ``game`` it replaces the last panel that the user opened from a card of that game. ``files`` are the pictures
    of the view: new ones, or attachments of the panel that it keeps.
    """
    message = interaction.message
    if message is None or message.flags.ephemeral or is_announced(interaction):
        return await interaction.edit_original_response(view=view, attachments=files)
    no_mentions = discord.AllowedMentions.none()
    uploads = [file for file in files if isinstance(file, discord.File)]
    opened = await interaction.followup.send(
        view=view, files=uploads, ephemeral=True, allowed_mentions=no_mentions, wait=True
    )
    if game is not None:
        replace_panel(interaction, game, opened.id, opened.delete)
    return opened


async def show_waiting(interaction: Interaction, ref: str) -> None:
    """Show the player the panel of their move that waits to be published.

    Raises:
        HostError: ``nothing_waits``.
    """
    waiting = await interaction.client.host.pending_moves.get(ref, interaction.user.id)
    game = waiting.table.game
    finish_panel(interaction, game)
    presenter = interaction.client.presenters[setup_of(game).game]
    following = await _next_game(interaction.client, interaction.user.id, game)
    shown = await show_privately(interaction, waiting_panel(presenter, waiting, interaction.user.id, following))

    async def edit(after: ui.LayoutView) -> None:
        await shown.edit(view=after, attachments=[])

    panel = ShownPanel(game.revision, interaction.is_expired, edit, copy_context())
    interaction.client.waiting_panels.keep(game.id, interaction.user.id, panel)


async def tell_published(client: BotServices, user_id: int, outcome: Consequence) -> None:
    """Update the panel of a waiting move after it was published, as long as Discord accepts edits."""
    panel = client.waiting_panels.take(outcome.game.id, user_id, outcome.before_revision)
    if panel is None:
        return

    async def update() -> None:
        await panel.edit(await retry_forever(partial(_done_view, client, user_id, outcome)))

    try:
        await asyncio.create_task(update(), context=panel.context)  # the context has the language of the press
    except (discord.HTTPException, *CONNECTION_BROKEN) as error:
        log.debug("a panel stays as it was: %s", error, extra={"game": outcome.game.code})


def waiting_panel(
    presenter: Presenter[Any], waiting: WaitingMove, user_id: int, following: Sequence[ui.Item[ui.LayoutView]] = ()
) -> ui.LayoutView:
    """Return the panel of a waiting move: the move as it was confirmed, without its outcome, and the next game."""
    game = waiting.table.game
    move = capital(moves_words(presenter, waiting.table.position, waiting.actions))
    text = t("panel.waits", move=move, at=int(waiting.until.timestamp()))
    undo = button(Op.UNDO, game.code, game.revision, t("button.undo"))
    return layout(ui.TextDisplay("\n".join([text, game_line(game, user_id)])), rows([undo]), *following)


async def show_done(interaction: Interaction, outcome: Consequence, explained: str = "") -> None:
    """Show the outcome in the private panel in which the player acted; a public card stays as it is.

    ``explained`` are the explanations of a lesson above it.
    """
    if outcome.waits:
        await show_waiting(interaction, outcome.game.code)
        return
    if interaction.message is not None and not is_panel(interaction):
        return
    finish_panel(interaction, outcome.game)
    view = await _done_view(interaction.client, interaction.user.id, outcome, explained)
    await interaction.edit_original_response(view=view, attachments=[])


async def _done_view(client: BotServices, user_id: int, outcome: Consequence, explained: str = "") -> ui.LayoutView:
    """Return the panel after a move: its outcome, and buttons to what the player can do next."""
    game = outcome.game
    presenter = client.presenters[setup_of(game).game]
    words = explained + done_text(presenter, outcome, silent=is_silent(client, outcome))
    plays_on = game.seat_to_act is not None and game.seat_to_act == game.seat_of(user_id)
    play = [button(Op.PLAY, game.code, game.revision, t("button.play"), style=ButtonStyle.primary)] if plays_on else []
    return notice(words, *rows(play), *await _next_game(client, user_id, game))


def is_silent(client: BotServices, outcome: Consequence) -> bool:
    """Return True if the card of a move probably cannot be posted."""
    allowed = may_post(client, outcome.game)
    return outcome.silenced if allowed is None else not allowed


def done_text(presenter: Presenter[Any], outcome: Consequence, *, silent: bool = False) -> str:
    """Tell the outcome of a move. The final scoring after the last move is left to the card.

    Listeners have just heard how their tile lies, so it is not described to them again. ``silent`` says that the bot
    may not post in the game's place, so that the card has to wait.
    """
    game = outcome.game
    events = without_final(outcome.events)
    if by_ear():
        events = [event for event in events if not isinstance(event, TilePlaced)]
    story = lines_within(Storyteller.marked_up(presenter, game).sentences(events, outcome.preset), MAX_STORY, " ")
    key = "panel.done_over" if game.status is GameStatus.FINISHED else "panel.done"
    if game.settings.lesson:
        asks_learner = game.person_to_act is not None
        key = "lesson.done_over" if game.status is GameStatus.FINISHED else "lesson.done"
        return t("lesson.done_asks" if asks_learner else key, story=story).lstrip("\n")
    if silent:
        key = f"{key}_silent"
    return t(key, story=story, place=f"<#{game.place}>").lstrip("\n")


async def _next_game(client: BotServices, user_id: int, game: Game) -> list[ui.Item[ui.LayoutView]]:
    """Return a link to the next game that waits for the player, if there is one."""
    next_game = await client.host.game_lists.next_waiting_for(user_id, exclude=game.id)
    if next_game is None:
        return []
    url = link(next_game.guild_id, next_game.place, next_game.last_message_id)
    label = t("button.next_game", count=next_game.count)
    return [ui.ActionRow(ui.Button(style=ButtonStyle.link, label=label, url=url))]
