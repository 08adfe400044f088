"""The panel in which organisers exchange two players or teams of a round that waits to be opened."""

from __future__ import annotations

from typing import Final

from cogs.commands.tourneys.tourney import show_preview
from cogs.interactions.admission import asker_of
from cogs.messages import chosen_in, typed_values
from cogs.panels.events.exchanging import LISTS, Choice, exchange_panel, exchanged_words, read_choice, with_chosen
from cogs.panels.events.private import EXCHANGE, LOOK, event_form
from cogs.presenting.ids import parse_id
from cogs.services.bot import Interaction
from cogs.texts import t
from cogs.words.refusals import RefusedError, refusal_words
from host import ErrorCode, HostError
from host.events import EventView


async def press_exchange(interaction: Interaction, view: EventView, words: str) -> None:
    """Show the panel, after choosing somebody from one of its lists if the press did."""
    list_name, _, rest = words.partition(" ")
    if list_name not in (LOOK, *LISTS):
        raise RefusedError("unknown_button")
    choice = _choice(rest)
    if list_name in LISTS:
        choice = with_chosen(choice, list_name, _number(chosen_in(interaction)))
    await _show(interaction, view, choice)


async def _show(interaction: Interaction, view: EventView, choice: Choice) -> None:
    """Show the panel with what the exchange would change; if the round has changed since, the preview instead."""
    organising, asker = interaction.client.host.events.organising, asker_of(interaction)
    coming, round_view = await organising.preview(view.code, asker)
    if coming.facts != choice.facts:
        await show_preview(interaction, view, notice=t("error.round_changed"))
        return
    weighed, refusal = None, ""
    if (players := choice.both) is not None:
        try:
            weighed = await organising.weigh_exchange(view.code, asker, players, choice.facts)
        except HostError as error:
            refusal = refusal_words(error.code, error.values)
    panel = exchange_panel(coming, round_view, choice, weighed, refusal)
    await interaction.edit_original_response(view=panel, attachments=[])


async def open_form(interaction: Interaction, view: EventView, words: str) -> None:
    """Open the form for the reason."""
    choice = _choice(words)
    await interaction.response.send_modal(event_form(view, EXCHANGE, str(choice)))


async def submit(interaction: Interaction, view: EventView, words: str) -> None:
    """Exchange the chosen two for the typed reason, and show the round as it is then."""
    choice, reason = _choice(words), typed_values(interaction.data or {}).get("reason", "")
    if (players := choice.both) is None:
        raise RefusedError("unknown_button")
    organising, asker = interaction.client.host.events.organising, asker_of(interaction)
    try:
        weighed = await organising.exchange_entries(view.code, asker, players, choice.facts, reason, interaction.id)
    except HostError as error:
        if error.code is not ErrorCode.ROUND_CHANGED:
            raise
        await show_preview(interaction, view, notice=t("error.round_changed"))
        return
    await show_preview(interaction, view, notice=exchanged_words(weighed))


def _choice(words: str) -> Choice:
    """Read the choice in a custom id.

    Raises:
        RefusedError: ``unknown_button``.
    """
    try:
        return read_choice(words)
    except ValueError as error:
        raise RefusedError("unknown_button") from error


def _number(words: str) -> int:
    """Read the number of a player or team that was chosen from a list.

    Raises:
        RefusedError: ``unknown_button``.
    """
    try:
        return parse_id(words)
    except ValueError as error:
        raise RefusedError("unknown_button") from error


PANEL_HANDLERS: Final = {EXCHANGE: press_exchange}
"""Handlers of the panel's lists and buttons, by the first word of the argument."""
