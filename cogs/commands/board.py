"""Commands that show a game: its board at any point, hints, and a replay as one animated picture.

``/carc board`` and [Board], ``/carc hints`` and [Hints], ``/carc replay`` and [Watch It Again].
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from discord import app_commands, ui
from discord.ext import commands

from cogs.commands.autocomplete import about_game
from cogs.commands.in_words import complete_words, show_typed_part
from cogs.games.presenters import presenter_of
from cogs.interactions.admission import admitted, on_game
from cogs.interactions.context import preferences_of, table_of
from cogs.interactions.replies import Press, answer, button, publish
from cogs.interactions.selection import find_game, run_operation
from cogs.messages import layout, rows
from cogs.panels.cards import hint_buttons, tiles_buttons
from cogs.panels.hints import HintPanel, allowed_hints, hint_panel, require
from cogs.panels.stepping import SteppedGame, Stops, require_private, step_buttons
from cogs.presenting.ids import Key, Op
from cogs.presenting.presenter import AltPicture, attachments, gallery, private_theme, table_theme
from cogs.services.bot import Ack, Handler, Interaction
from cogs.services.rate_limits import Costly
from cogs.texts import t
from cogs.texts.languages import speaking, spoken
from cogs.words.alt_texts import MAX_ALT_LENGTH
from cogs.words.names import pictured_names, plain_names, table_link
from cogs.words.refusals import RefusedError
from cogs.words.story import whole, winners
from engine import Position, begin
from engine.hints import Hint
from host import Game, Table, check_unfinished
from renderers import Theme

MAX_TURN: Final = 999
"""Highest turn that can be typed; no game has as many."""


class BoardCommands(commands.Cog):
    """``/carc board``."""

    @app_commands.command(name="board", description=t("command.board.description"))
    @app_commands.describe(turn=t("command.board.turn"), words=t("command.board.words"))
    @app_commands.autocomplete(words=complete_words)
    @about_game
    async def board(
        self,
        interaction: Interaction,
        game: str = "",
        turn: app_commands.Range[int, 0, MAX_TURN] | None = None,
        words: str = "",
    ) -> None:
        """Show the board privately, now or after the tile of a turn was placed; or describe it in words."""
        work = show_typed_part(interaction, game, words) if words else _board(interaction, game, turn)
        await answer(interaction, work)


async def _board(interaction: Interaction, code: str, turn: int | None) -> None:
    game = await find_game(interaction, code, own=False, op=Op.BOARD)
    await _show(interaction, game, lambda stops: stops.last if turn is None else stops.of_turn(turn))


async def press_board(interaction: Interaction, key: Key) -> None:
    """Show the board as it was on the card; an old card links to where the game continues."""
    await _show(interaction, await admitted(interaction, key.ref), lambda _: key.revision)


async def press_step(interaction: Interaction, key: Key) -> None:
    """Go to another ply in the same panel; of several presses only the newest is drawn."""
    require_private(interaction)
    await _show(interaction, await admitted(interaction, key.ref), lambda _: key.revision, newest_only=True)


async def _show(
    interaction: Interaction, game: Game, where: Callable[[Stops], int], *, newest_only: bool = False
) -> None:
    """Fill the private panel with the board at the ply that ``where`` picks."""
    client = interaction.client
    table = await table_of(interaction, game.code)
    actions = [entry.action for entry in table.log]
    walk = SteppedGame(presenter_of(table.position), game, table.position.setup, actions, shows_card_at_end=True)
    theme = private_theme(await preferences_of(interaction), game)
    message = interaction.message if newest_only else None
    work = partial(walk.step, where, theme)
    step = await client.render_pool.run_for(interaction.user.id, work, place=message.id if message else None)
    lines = [t("board.title", name=game.name, code=game.code)]
    if step.ply < step.stops.last:
        link = await table_link(client.host, game)
        lines.append(t("board.old_over" if table.position.is_over else "board.old", link=link))
    hints = [] if step.moment.after.is_over or step.ply < step.stops.last else hint_buttons(game, game.revision)
    text = ui.TextDisplay[ui.LayoutView]("\n".join([*lines, *walk.lines(step)]))
    steps = rows(step_buttons(Op.STEP, game.code, step))
    telling = button(Op.WORDS, game.code, game.revision, t("button.tell"))
    view = layout(gallery(step.pictures), text, steps, rows([telling, *hints]))
    await interaction.edit_original_response(view=view, attachments=attachments(step.pictures))


class HintCommands(commands.Cog):
    """``/carc hints``."""

    @app_commands.command(name="hints", description=t("command.hints.description"))
    @about_game
    async def hints(self, interaction: Interaction, game: str = "") -> None:
        """Show the hints privately."""
        await answer(interaction, run_operation(interaction, game, Op.HINTS))


async def _show_hints(interaction: Interaction, game: Game) -> None:
    """Show privately what a player could work out from the board."""
    client = interaction.client
    position = (await table_of(interaction, game.code)).position
    if not allowed_hints(game, position):
        require(game, Hint.PROJECTION)  # every game has this hint, so it is off: refuse with that reason
    check_unfinished(game, position)
    seat = game.seat_of(interaction.user.id)
    theme = private_theme(await preferences_of(interaction), game)
    presenter = presenter_of(position)
    panel = await client.render_pool.run_for(
        interaction.user.id, lambda: hint_panel(presenter, game, position, seat, theme)
    )
    view = panel_view(game, game.revision, panel)
    await interaction.edit_original_response(view=view, attachments=attachments(panel.pictures))


def panel_view(game: Game, revision: int, panel: HintPanel) -> ui.LayoutView:
    """Return the message of the hints."""
    buttons = [button(Op.BOARD, game.code, revision, t("button.board")), *tiles_buttons(game, revision)]
    first, *texts = panel.texts
    heading: ui.TextDisplay[ui.LayoutView] = ui.TextDisplay(first)
    return layout(heading, gallery(panel.pictures), [ui.TextDisplay(text) for text in texts], rows(buttons))


STEPS: Final = "steps"
"""Argument of the button that opens a finished game step by step."""


class ReplayCommands(commands.Cog):
    """``/carc replay``."""

    @app_commands.command(name="replay", description=t("command.replay.description"))
    @app_commands.describe(share=t("command.replay.share"))
    @about_game
    async def replay(self, interaction: Interaction, game: str = "", *, share: bool = False) -> None:
        """Show a finished game as one animated picture, publicly or privately."""
        await answer(interaction, _replay(interaction, game, share=share))


async def _replay(interaction: Interaction, code: str, *, share: bool) -> None:
    game = await find_game(interaction, code, own=False, op=None if share else Op.REPLAY)
    if share and game.guild_id != interaction.guild_id:
        raise RefusedError("other_server")
    await _show_replay(interaction, game, public=share)


async def press_replay(interaction: Interaction, key: Key) -> None:
    """Show the replay privately, or open the game step by step, as the button says."""
    if key.argument == STEPS:
        await press_board(interaction, key)
        return
    await _show_replay(interaction, await admitted(interaction, key.ref), public=False)


async def _show_replay(interaction: Interaction, game: Game, *, public: bool) -> None:
    client = interaction.client
    table = await table_of(interaction, game.code)
    if not table.position.is_over:
        raise RefusedError("replay_running", name=game.name, code=game.code)
    client.pace.require(interaction.user.id, Costly.FILM)
    client.pace.rest(interaction.user.id, Costly.FILM)
    preferences = await preferences_of(interaction)
    theme = table_theme(game) if public else private_theme(preferences, game)
    title = t("replay.title", name=game.name, code=game.code)
    await interaction.edit_original_response(view=layout(ui.TextDisplay(f"{title}\n{t('replay.drawing')}")))
    with speaking(game.settings.language if public else spoken()):
        film = (game.id, game.revision, tuple(pictured_names(game)), theme, spoken())
        pictures = await client.render_pool.film(interaction.user.id, film, lambda: _draw_film(table, theme))
        title = t("replay.title", name=game.name, code=game.code)
        text = ui.TextDisplay[ui.LayoutView](f"{title}\n{winners(game, table.position)}")
        view = layout(text, gallery(pictures), rows(_other_views(game)))
    if public:
        await publish(interaction, view, attachments(pictures))
    else:
        await interaction.edit_original_response(view=view, attachments=attachments(pictures))


def _other_views(game: Game) -> list[Press]:
    """Return the buttons to the game without animation: step by step, and in words."""
    return [
        button(Op.REPLAY, game.code, 0, t("button.step_by_step"), argument=STEPS),
        button(Op.WORDS, game.code, game.revision, t("button.tell")),
    ]


def _draw_film(table: Table, theme: Theme) -> list[AltPicture]:
    """Draw the animated picture; runs in a worker thread."""
    game, names = table.game, plain_names(table.game)
    positions = _positions_by_turn(table)
    picture = presenter_of(table.position).replay_picture(positions, pictured_names(game), theme)
    scores = ", ".join(
        t("alt.score", player=name, points=points) for name, points in zip(names, table.position.scores, strict=True)
    )
    alt = t("alt.replay", name=game.name, turns=table.position.turn, scores=scores)
    return [AltPicture(picture, whole(alt, MAX_ALT_LENGTH))]


def _positions_by_turn(table: Table) -> list[Position]:
    """Return the positions at the start, after each turn and at the end."""
    position = begin(table.position.setup)
    found = [position.copy()]
    for entry in table.log:
        position.apply(entry.action)
        if position.turn != found[-1].turn or position.is_over:
            found.append(position.copy())
    return found


HANDLERS: Final = {
    Op.BOARD: Handler(Ack.PANEL, press_board),
    Op.STEP: Handler(Ack.UPDATE, press_step),
    Op.HINTS: Handler(Ack.PANEL, on_game(_show_hints)),
    Op.REPLAY: Handler(Ack.PANEL, press_replay),
}
