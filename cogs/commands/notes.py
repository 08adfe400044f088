"""What a player writes down about a game for himself: ``/carc notes``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from discord import TextStyle, app_commands, ui
from discord.ext import commands

from cogs.commands.autocomplete import about_game
from cogs.commands.reporting import report_buttons
from cogs.interactions.admission import admitted
from cogs.interactions.replies import acknowledge, button, guarded
from cogs.interactions.selection import find_game
from cogs.messages import form, layout, rows, typed_values
from cogs.panels.side_messages import clock_buttons
from cogs.presenting.ids import Key, Op
from cogs.services.bot import Ack, Handling
from cogs.texts import t
from host import LONGEST_NOTE

if TYPE_CHECKING:
    from cogs.services.bot import Interaction
    from host import Game

TEXT: Final = "text"
"""The custom id of the modal's one field."""


class NotesCommands(commands.Cog):
    """``/carc notes``."""

    @app_commands.command(name="notes", description=t("command.notes.description"))
    @app_commands.describe(write=t("command.notes.write"))
    @about_game
    async def notes(self, interaction: Interaction, write: str = "", game: str = "") -> None:
        """Show what the player has written down, after adding what is typed."""
        await guarded(interaction, _notes(interaction, write, game))


async def _notes(interaction: Interaction, write: str, code: str) -> None:
    if not await acknowledge(interaction, Ack.PANEL):
        return
    game, notes = await find_game(interaction, code, own=True, op=Op.NOTES), interaction.client.host.notes
    text = await notes.get(game, interaction.user.id)
    if write:
        text = await notes.set(game, interaction.user.id, f"{text}\n{write}")
    await _show(interaction, game, text)


async def press_notes(interaction: Interaction, key: Key) -> None:
    """Show what the player has written down."""
    game = await admitted(interaction, key.ref)
    text = await interaction.client.host.notes.get(game, interaction.user.id)
    await _show(interaction, game, text)


async def _show(interaction: Interaction, game: Game, text: str) -> None:
    """The private panel with the notes, and what else somebody may do at the table when it is not his turn."""
    title: ui.TextDisplay[ui.LayoutView] = ui.TextDisplay(t("notes.title", name=game.name, code=game.code))
    write = button(Op.NOTE, game.code, game.revision, t("button.write_notes"))
    more = [*clock_buttons(game, interaction.user.id), *await report_buttons(interaction, game)]
    panel = layout(title, ui.TextDisplay(text or t("notes.none")), rows([write, *more]))
    await interaction.edit_original_response(view=panel)


async def press_note(interaction: Interaction, key: Key) -> None:
    """Let the player write."""
    game = await admitted(interaction, key.ref)
    text = await interaction.client.host.notes.get(game, interaction.user.id)
    await interaction.response.send_modal(notes_modal(game, text))


def notes_modal(game: Game, text: str) -> ui.Modal:
    """The notes, to be changed."""
    modal = form(t("modal.notes_title"), Key(Op.NOTED, game.code, game.revision))
    field: ui.TextInput[ui.Modal] = ui.TextInput(
        custom_id=TEXT, style=TextStyle.long, default=text or None, required=False, max_length=LONGEST_NOTE
    )
    modal.add_item(ui.Label(text=t("modal.notes"), description=t("modal.notes_says"), component=field))
    return modal


async def submit_note(interaction: Interaction, key: Key) -> None:
    """Keep what the player has written."""
    typed = typed_values(interaction.data or {}).get(TEXT, "")
    game = await admitted(interaction, key.ref)
    text = await interaction.client.host.notes.set(game, interaction.user.id, typed)
    await _show(interaction, game, text)


HANDLINGS: Final = {
    Op.NOTES: Handling(Ack.PANEL, press_notes),
    Op.NOTE: Handling(Ack.MODAL, press_note),
    Op.NOTED: Handling(Ack.UPDATE, submit_note),
}
