"""Telling the organisers of a game's event something in private: [Report] below one's notes, with the ply."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from discord import TextStyle, ui

from cogs.interactions.admission import admitted, person_of
from cogs.interactions.replies import button
from cogs.messages import form, typed_values
from cogs.panels.events.private import said
from cogs.presenting.ids import Key, Op
from cogs.services.bot import Ack, Handling
from cogs.texts import t
from cogs.words.names import safe
from cogs.words.refusals import RefusedError
from host.events import LONGEST_REPORT

if TYPE_CHECKING:
    from cogs.interactions.replies import Press
    from cogs.services.bot import Interaction
    from host import Game

TEXT: Final = "text"
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
    field: ui.TextInput[ui.Modal] = ui.TextInput(custom_id=TEXT, style=TextStyle.long, max_length=LONGEST_REPORT)
    modal.add_item(ui.Label(text=t("modal.report"), description=t("modal.report_says"), component=field))
    await interaction.response.send_modal(modal)


async def submit_report(interaction: Interaction, key: Key) -> None:
    """Tell the organisers what was written."""
    events, game = interaction.client.host.events, await admitted(interaction, key.ref)
    view = await events.reader.view(await _event_code(interaction, game))
    words = typed_values(interaction.data or {}).get(TEXT, "")
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


HANDLINGS: Final = {Op.REPORT: Handling(Ack.MODAL, press_report), Op.REPORTED: Handling(Ack.UPDATE, submit_report)}
