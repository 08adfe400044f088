"""A player's private notes about a game (``/carc notes``), and their reports to the organisers of an event ([Report]).

Both are written in a form (modal) with one field. The panel of the notes also has the buttons that a player needs when
it is not their turn.
"""

from __future__ import annotations

from typing import Final

from discord import TextStyle, ui
from discord.ext import commands

from cogs.commands.slash import command
from cogs.interactions.admission import on_game, person_of
from cogs.interactions.replies import Press, button
from cogs.interactions.selection import find_game
from cogs.messages import form, layout, rows, typed_values
from cogs.panels.events.private import text_panel
from cogs.panels.side_messages import clock_buttons
from cogs.presenting.ids import Key, Op
from cogs.services.bot import Ack, Handler, Interaction
from cogs.texts import t
from cogs.words.names import safe
from cogs.words.refusals import RefusedError
from host import MAX_NOTE_LENGTH, Game
from host.events import MAX_REPORT_LENGTH

TEXT_FIELD: Final = "text"
"""The custom id of the only field of either form."""


async def report_buttons(interaction: Interaction, game: Game) -> list[Press]:
    """Return the report button if the user plays the game and it belongs to an event."""
    if game.seat_of(interaction.user.id) is None or await interaction.client.host.organisers.event_of(game) is None:
        return []
    return [button(Op.REPORT, game.code, game.revision, t("button.report"))]


async def open_report(interaction: Interaction, game: Game) -> None:
    """Open the modal in which the user writes to the organisers."""
    await _event_code(interaction, game)
    modal = form(t("modal.report_title"), Key(Op.REPORTED, game.code, game.revision))
    field: ui.TextInput[ui.Modal] = ui.TextInput(
        custom_id=TEXT_FIELD, style=TextStyle.long, max_length=MAX_REPORT_LENGTH
    )
    modal.add_item(ui.Label(text=t("modal.report"), description=t("modal.report_says"), component=field))
    await interaction.response.send_modal(modal)


async def submit_report(interaction: Interaction, game: Game) -> None:
    """Send the organisers the written report."""
    events = interaction.client.host.events
    view = await events.reader.view(await _event_code(interaction, game))
    words = typed_values(interaction.data or {}).get(TEXT_FIELD, "")
    await events.reports.send(view.code, person_of(interaction), words, interaction.id, game)
    await interaction.edit_original_response(view=text_panel(t("event.panel.reported", name=safe(view.name))))


async def _event_code(interaction: Interaction, game: Game) -> str:
    """Return the code of the event that a game belongs to.

    Raises:
        RefusedError: ``unknown_button``: it belongs to none.
    """
    event = await interaction.client.host.organisers.event_of(game)
    if event is None:
        raise RefusedError("unknown_button")
    return event.code


class NotesCommands(commands.Cog):
    """``/carc notes``."""

    @command("notes", direct=True)
    async def notes(self, interaction: Interaction, write: str = "", game: str = "") -> None:
        """Show the player's notes, after adding the typed text."""
        selected, notes = await find_game(interaction, game, own=True, op=Op.NOTES), interaction.client.host.notes
        text = await notes.get(selected, interaction.user.id)
        if write:
            text = await notes.set(selected, interaction.user.id, f"{text}\n{write}")
        await _show(interaction, selected, text)


async def show_notes(interaction: Interaction, game: Game) -> None:
    """Show the player's notes."""
    await _show(interaction, game, await interaction.client.host.notes.get(game, interaction.user.id))


async def _show(interaction: Interaction, game: Game, text: str) -> None:
    """Show the panel with the notes, and the buttons that a player needs when it is not their turn."""
    title = t("notes.title", name=game.name, code=game.code)
    write = button(Op.NOTE, game.code, game.revision, t("button.write_notes"))
    buttons = [*clock_buttons(game, interaction.user.id), *await report_buttons(interaction, game)]
    panel = layout(title, text or t("notes.none"), rows([write, *buttons]))
    await interaction.edit_original_response(view=panel)


async def open_notes(interaction: Interaction, game: Game) -> None:
    """Open the modal in which the player edits the notes."""
    text = await interaction.client.host.notes.get(game, interaction.user.id)
    await interaction.response.send_modal(notes_modal(game, text))


def notes_modal(game: Game, text: str) -> ui.Modal:
    """Return the modal in which the notes are edited."""
    modal = form(t("modal.notes_title"), Key(Op.NOTED, game.code, game.revision))
    field: ui.TextInput[ui.Modal] = ui.TextInput(
        custom_id=TEXT_FIELD, style=TextStyle.long, default=text or None, required=False, max_length=MAX_NOTE_LENGTH
    )
    modal.add_item(ui.Label(text=t("modal.notes"), description=t("modal.notes_says"), component=field))
    return modal


async def submit_notes(interaction: Interaction, game: Game) -> None:
    """Store the edited notes."""
    typed = typed_values(interaction.data or {}).get(TEXT_FIELD, "")
    text = await interaction.client.host.notes.set(game, interaction.user.id, typed)
    await _show(interaction, game, text)


HANDLERS: Final = {
    Op.REPORT: Handler(Ack.MODAL, on_game(open_report)),
    Op.REPORTED: Handler(Ack.UPDATE, on_game(submit_report)),
    Op.NOTES: Handler(Ack.PANEL, on_game(show_notes)),
    Op.NOTE: Handler(Ack.MODAL, on_game(open_notes)),
    Op.NOTED: Handler(Ack.UPDATE, on_game(submit_notes)),
}
