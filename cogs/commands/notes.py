"""Notes of a player about a game: ``/carc notes``; and [Report] below them, to the organisers of the game's event."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from discord import TextStyle, app_commands, ui
from discord.ext import commands

from cogs.commands.autocomplete import about_game
from cogs.interactions.admission import admitted, person_of
from cogs.interactions.replies import acknowledge, button, guarded
from cogs.interactions.selection import find_game
from cogs.messages import form, layout, rows, typed_values
from cogs.panels.events.private import said
from cogs.panels.side_messages import clock_buttons
from cogs.presenting.ids import Key, Op
from cogs.services.bot import Ack, Handling
from cogs.texts import t
from cogs.words.names import safe
from cogs.words.refusals import RefusedError
from host import LONGEST_NOTE
from host.events import LONGEST_REPORT

if TYPE_CHECKING:
    from cogs.interactions.replies import Press
    from cogs.services.bot import Interaction
    from host import Game


REPORT_TEXT: Final = "text"
"""The custom id of the modal's one field."""


async def report_buttons(interaction: Interaction, game: Game) -> list[Press]:
    """The button for whoever plays a game of an event."""
    if game.seat_of(interaction.user.id) is None or await interaction.client.host.organisers.event_of(game) is None:
        return []
    return [button(Op.REPORT, game.code, game.revision, t("button.report"))]


async def press_report(interaction: Interaction, key: Key) -> None:
    """Let somebody write."""
    await _event_code(interaction, await admitted(interaction, key.ref))
    modal = form(t("modal.report_title"), Key(Op.REPORTED, key.ref, key.revision))
    field: ui.TextInput[ui.Modal] = ui.TextInput(custom_id=REPORT_TEXT, style=TextStyle.long, max_length=LONGEST_REPORT)
    modal.add_item(ui.Label(text=t("modal.report"), description=t("modal.report_says"), component=field))
    await interaction.response.send_modal(modal)


async def submit_report(interaction: Interaction, key: Key) -> None:
    """Tell the organisers what was written."""
    events, game = interaction.client.host.events, await admitted(interaction, key.ref)
    view = await events.reader.view(await _event_code(interaction, game))
    words = typed_values(interaction.data or {}).get(REPORT_TEXT, "")
    await events.reports.send(view.code, person_of(interaction), words, interaction.id, game)
    await interaction.edit_original_response(view=said(t("event.panel.reported", name=safe(view.name))))


async def _event_code(interaction: Interaction, game: Game) -> str:
    """The event of a game.

    Raises:
        RefusedError: it is part of none.
    """
    event = await interaction.client.host.organisers.event_of(game)
    if event is None:
        raise RefusedError("unknown_button")
    return event.code


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
    Op.REPORT: Handling(Ack.MODAL, press_report),
    Op.REPORTED: Handling(Ack.UPDATE, submit_report),
    Op.NOTES: Handling(Ack.PANEL, press_notes),
    Op.NOTE: Handling(Ack.MODAL, press_note),
    Op.NOTED: Handling(Ack.UPDATE, submit_note),
}
