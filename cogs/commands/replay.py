"""A finished game from its first tile to its last, as one animated picture: ``/carc replay`` and [Watch It Again]."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from discord import app_commands, ui
from discord.ext import commands

from cogs.commands.autocomplete import about_game
from cogs.commands.board import press_board
from cogs.games.presenters import presenter_of
from cogs.interactions.context import preferences_of, table_of
from cogs.interactions.replies import acknowledge, button, guarded, publish
from cogs.interactions.selection import find_game
from cogs.messages import layout, rows
from cogs.presenting.ids import Key, Op
from cogs.presenting.presenter import Shown, attachments, gallery, private_theme, table_theme
from cogs.services.bot import Ack, Handling
from cogs.services.rate_limits import Costly
from cogs.texts import t
from cogs.texts.languages import speaking, spoken
from cogs.words.alt_texts import LONGEST
from cogs.words.names import pictured_names, plain_names
from cogs.words.refusals import RefusedError
from cogs.words.story import whole, winners
from engine import begin

if TYPE_CHECKING:
    from cogs.interactions.replies import Press
    from cogs.services.bot import Interaction
    from engine import Position
    from host import Game, Table
    from renderers import Theme


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
        await _show(interaction, game, public=share)


async def press_replay(interaction: Interaction, key: Key) -> None:
    """Show it to whoever asks, or begin to go through it, as the button says."""
    if key.argument == STEPS:
        await press_board(interaction, key)
        return
    await _show(interaction, await find_game(interaction, key.ref, own=False), public=False)


async def _show(interaction: Interaction, game: Game, *, public: bool) -> None:
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


HANDLINGS: Final = {Op.REPLAY: Handling(Ack.PANEL, press_replay)}
