"""Looking at the table: as it is or as it was, step by step, with hints, or the whole game as one animated picture.

``/carc board`` and [Board], ``/carc hints`` and [Hints], ``/carc replay`` and [Watch It Again].
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Final

from discord import app_commands, ui
from discord.ext import commands

from cogs.commands.autocomplete import about_game
from cogs.commands.in_words import complete_words, tell_board
from cogs.games.presenters import presenter_of
from cogs.interactions.context import preferences_of, table_of
from cogs.interactions.replies import acknowledge, button, guarded, publish
from cogs.interactions.selection import find_game
from cogs.messages import layout, rows
from cogs.panels.hints import HintPanel, given, hint_buttons, hint_panel, require, tiles_buttons
from cogs.panels.stepping import Stops, Walk, require_private, step_buttons
from cogs.presenting.ids import Key, Op
from cogs.presenting.presenter import Shown, attachments, gallery, private_theme, table_theme
from cogs.services.bot import Ack, Handling
from cogs.services.rate_limits import Costly
from cogs.texts import t
from cogs.texts.languages import speaking, spoken
from cogs.words.alt_texts import LONGEST
from cogs.words.names import pictured_names, plain_names, table_link
from cogs.words.refusals import RefusedError
from cogs.words.story import whole, winners
from engine import begin
from engine.hints import Hint
from host import check_unfinished

if TYPE_CHECKING:
    from cogs.interactions.replies import Press
    from cogs.services.bot import Interaction
    from engine import Position
    from host import Game, Table
    from renderers import Theme


MOST_TURNS: Final = 999
"""More turns than a game has."""


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
        turn: app_commands.Range[int, 0, MOST_TURNS] | None = None,
        words: str = "",
    ) -> None:
        """Show the whole board privately, as it is or as it was when the tile of a turn lay; or tell it in words."""
        await guarded(interaction, tell_board(interaction, game, words) if words else _board(interaction, game, turn))


async def _board(interaction: Interaction, code: str, turn: int | None) -> None:
    if await acknowledge(interaction, Ack.PANEL):
        game = await find_game(interaction, code, own=False, op=Op.BOARD)
        await _show(interaction, game, lambda stops: stops.last if turn is None else stops.of_turn(turn))


async def press_board(interaction: Interaction, key: Key) -> None:
    """Show the board as it was on the card; an old card says where the game goes on."""
    await _show(interaction, await find_game(interaction, key.ref, own=False), lambda _: key.revision)


async def press_step(interaction: Interaction, key: Key) -> None:
    """Go to another ply in the same panel; of several presses only the newest is drawn."""
    require_private(interaction)
    await _show(interaction, await find_game(interaction, key.ref, own=False), lambda _: key.revision, newest_only=True)


async def _show(
    interaction: Interaction, game: Game, where: Callable[[Stops], int], *, newest_only: bool = False
) -> None:
    client = interaction.client
    table = await table_of(interaction, game.code)
    actions = [entry.action for entry in table.log]
    walk = Walk(presenter_of(table.position), game, table.position.setup, actions, lasting=True)
    theme = private_theme(await preferences_of(interaction), game)
    message = interaction.message if newest_only else None
    work = partial(walk.step, where, theme)
    step = await client.render_pool.look(interaction.user.id, work, place=message.id if message else None)
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
        """Tell privately what one could work out."""
        await guarded(interaction, _hints(interaction, game))


async def _hints(interaction: Interaction, code: str) -> None:
    if await acknowledge(interaction, Ack.PANEL):
        await _show_hints(interaction, await find_game(interaction, code, own=False, op=Op.HINTS))


async def press_hints(interaction: Interaction, key: Key) -> None:
    """Tell privately what one could work out."""
    await _show_hints(interaction, await find_game(interaction, key.ref, own=False))


async def _show_hints(interaction: Interaction, game: Game) -> None:
    client = interaction.client
    position = (await table_of(interaction, game.code)).position
    if not given(game, position):
        require(game, Hint.PROJECTION)  # every game has it, so it is off here, and this says why nothing is told
    check_unfinished(game, position)
    seat = game.seat_of(interaction.user.id)
    theme = private_theme(await preferences_of(interaction), game)
    presenter = presenter_of(position)
    panel = await client.render_pool.look(
        interaction.user.id, lambda: hint_panel(presenter, game, position, seat, theme)
    )
    view = panel_view(game, game.revision, panel)
    await interaction.edit_original_response(view=view, attachments=attachments(panel.pictures))


def panel_view(game: Game, revision: int, panel: HintPanel) -> ui.LayoutView:
    """The message of the hints."""
    buttons = [button(Op.BOARD, game.code, revision, t("button.board")), *tiles_buttons(game, revision)]
    first, *texts = panel.texts
    heading: ui.TextDisplay[ui.LayoutView] = ui.TextDisplay(first)
    return layout(heading, gallery(panel.pictures), [ui.TextDisplay(text) for text in texts], rows(buttons))


STEPS: Final = "steps"
"""The argument of the button that leads through a game step by step."""


class ReplayCommands(commands.Cog):
    """``/carc replay``."""

    @app_commands.command(name="replay", description=t("command.replay.description"))
    @app_commands.describe(share=t("command.replay.share"))
    @about_game
    async def replay(self, interaction: Interaction, game: str = "", *, share: bool = False) -> None:
        """Show a finished game as one animated picture, to everybody here or to oneself."""
        await guarded(interaction, _replay(interaction, game, share=share))


async def _replay(interaction: Interaction, code: str, *, share: bool) -> None:
    if await acknowledge(interaction, Ack.PANEL):
        game = await find_game(interaction, code, own=False, op=None if share else Op.REPLAY)
        if share and game.guild_id != interaction.guild_id:
            raise RefusedError("other_server")
        await _show_replay(interaction, game, public=share)


async def press_replay(interaction: Interaction, key: Key) -> None:
    """Show it to whoever asks, or begin to go through it, as the button says."""
    if key.argument == STEPS:
        await press_board(interaction, key)
        return
    await _show_replay(interaction, await find_game(interaction, key.ref, own=False), public=False)


async def _show_replay(interaction: Interaction, game: Game, *, public: bool) -> None:
    client = interaction.client
    table = await table_of(interaction, game.code)
    if not table.position.is_over:
        raise RefusedError("replay_running", name=game.name, code=game.code)
    interaction.client.pace.require(interaction.user.id, Costly.FILM)
    client.pace.rest(interaction.user.id, Costly.FILM)
    preferences = await preferences_of(interaction)
    theme = table_theme(game) if public else private_theme(preferences, game)
    title = t("replay.title", name=game.name, code=game.code)
    await interaction.edit_original_response(view=layout(ui.TextDisplay(f"{title}\n{t('replay.drawing')}")))
    with speaking(game.settings.language if public else spoken()):
        film = (game.id, game.revision, tuple(pictured_names(game)), theme, spoken())
        pictures = await client.render_pool.film(interaction.user.id, film, lambda: _pictures(table, theme))
        title = t("replay.title", name=game.name, code=game.code)
        text = ui.TextDisplay[ui.LayoutView](f"{title}\n{winners(game, table.position)}")
        view = layout(text, gallery(pictures), rows(_ways(game)))
    if public:
        await publish(interaction, view, attachments(pictures))
    else:
        await interaction.edit_original_response(view=view, attachments=attachments(pictures))


def _ways(game: Game) -> list[Press]:
    """To the same without motion, step by step from the beginning, and to the table in words."""
    return [
        button(Op.REPLAY, game.code, 0, t("button.step_by_step"), argument=STEPS),
        button(Op.WORDS, game.code, game.revision, t("button.tell")),
    ]


def _pictures(table: Table, theme: Theme) -> list[Shown]:
    """The animated picture; runs in a worker thread."""
    game, names = table.game, plain_names(table.game)
    positions = _turns(table)
    picture = presenter_of(table.position).replay_picture(positions, pictured_names(game), theme)
    scores = ", ".join(
        t("alt.score", player=name, points=points) for name, points in zip(names, table.position.scores, strict=True)
    )
    alt = t("alt.replay", name=game.name, turns=table.position.turn, scores=scores)
    return [Shown(picture, whole(alt, LONGEST))]


def _turns(table: Table) -> list[Position]:
    """The game after each turn, from the board before the first to the end."""
    position = begin(table.position.setup)
    found = [position.copy()]
    for entry in table.log:
        position.apply(entry.action)
        if position.turn != found[-1].turn or position.is_over:
            found.append(position.copy())
    return found


HANDLINGS: Final = {
    Op.BOARD: Handling(Ack.PANEL, press_board),
    Op.STEP: Handling(Ack.UPDATE, press_step),
    Op.HINTS: Handling(Ack.PANEL, press_hints),
    Op.REPLAY: Handling(Ack.PANEL, press_replay),
}
