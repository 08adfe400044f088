"""Vacations of a player: ``/carc vacation``, its private panel, and the modal that announces one."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from typing import Final

from discord import ButtonStyle, app_commands, ui
from discord.ext import commands

from cogs.interactions.replies import answer, button
from cogs.messages import add_line, form, layout, rows, typed_values
from cogs.presenting.ids import Key, Op
from cogs.services.bot import Ack, Handler, Interaction
from cogs.texts import t
from cogs.words.names import safe
from cogs.words.refusals import RefusedError
from cogs.words.story import clipped
from host import YEARLY_VACATION_DAYS, Vacation

NO_TABLE: Final = "0"
"""Stands for a game's code in custom ids: a vacation applies to all games."""
FIRST: Final = "first"
"""Custom id of the modal's field for the first day."""
DAYS: Final = "days"
"""Custom id of the modal's field for the number of days."""
MAX_TYPED: Final = 20
"""Maximum characters of either field."""
MAX_LISTED: Final = 10
"""Maximum number of vacations in the panel, the next ones first."""


def vacation_panel(
    found: Sequence[Vacation], left: int, begun: Vacation | None, *, ended: bool = False
) -> ui.LayoutView:
    """Return the panel with the announced vacations, the days left this year, and buttons to change them.

    ``begun`` is the current vacation, if there is one; ``ended`` says that one was just ended early.
    """
    shown = found[:MAX_LISTED]
    lines = [t("vacation.title"), *([_line(entry) for entry in shown] or [t("vacation.none")])]
    lines += [t("vacation.begun")] if begun else []
    lines += [t("vacation.left", count=left), *([t("vacation.ended")] if ended else [])]
    ends = [button(Op.BACK, NO_TABLE, 0, t("button.end_vacation"), argument=begun.first.isoformat())] if begun else []
    drops = [
        button(Op.VACATION, NO_TABLE, 0, t("button.drop_vacation", first=entry.first), argument=entry.first.isoformat())
        for entry in shown
        if entry != begun
    ]
    announce = button(Op.DAYS, NO_TABLE, 0, t("button.vacation_new"), style=ButtonStyle.primary)
    return layout(ui.TextDisplay("\n".join(lines)), rows(drops), rows([announce, *ends]))


def _line(entry: Vacation) -> str:
    start, end = int(entry.starts_at.timestamp()), int(entry.ends_at.timestamp())
    return t("vacation.line", first=entry.first, count=entry.days, start=start, end=end)


def vacation_modal() -> ui.Modal:
    """Return the modal that asks for the first day and the number of days."""
    modal = form(t("modal.vacation_title"), Key(Op.AWAY, NO_TABLE))
    for name in (FIRST, DAYS):
        add_line(modal, name, longest=MAX_TYPED, words=f"vacation_{name}", required=True)
    return modal


MAX_DISTANCE: Final = timedelta(days=730)
"""Longest time between today and a typed date, in either direction."""


class VacationCommands(commands.Cog):
    """``/carc vacation``."""

    @app_commands.command(name="vacation", description=t("command.vacation.description"))
    @app_commands.describe(
        first=t("command.vacation.first"),
        days=t("command.vacation.days"),
        drop=t("command.vacation.drop"),
        end=t("command.vacation.end"),
    )
    async def vacation(
        self,
        interaction: Interaction,
        first: str = "",
        days: app_commands.Range[int, 1, YEARLY_VACATION_DAYS] | None = None,
        drop: str = "",
        *,
        end: bool = False,
    ) -> None:
        """Announce, withdraw or end a vacation as typed, then show the user's vacations."""
        await answer(interaction, _vacation(interaction, first, days, drop, end=end))


async def _vacation(interaction: Interaction, first: str, days: int | None, drop: str, *, end: bool) -> None:
    vacations = interaction.client.host.vacations
    if end:
        await vacations.end(interaction.user.id)
    if drop:
        await vacations.drop(interaction.user.id, typed_date(interaction, drop))
    if first or days is not None:
        await vacations.announce(interaction.user.id, typed_date(interaction, first), 1 if days is None else days)
    await _show(interaction, ended=end)


async def press_vacation(interaction: Interaction, key: Key) -> None:
    """Show the user's vacations, after withdrawing the one that begins on the day in the argument, if any."""
    if key.argument:
        await interaction.client.host.vacations.drop(interaction.user.id, typed_date(interaction, key.argument))
    await _show(interaction)


async def press_back(interaction: Interaction, key: Key) -> None:
    """End the vacation that began on the day in the argument."""
    await interaction.client.host.vacations.end(interaction.user.id, typed_date(interaction, key.argument))
    await _show(interaction, ended=True)


async def press_days(interaction: Interaction, _: Key) -> None:
    """Open the modal that announces a vacation."""
    await interaction.response.send_modal(vacation_modal())


async def submit_away(interaction: Interaction, _: Key) -> None:
    """Announce the vacation that was typed into the modal."""
    typed = typed_values(interaction.data or {})
    days = typed.get(DAYS, "").strip()
    number = int(days) if days.isascii() and days.isdecimal() and len(days) < len("1000") else 0  # 0 is refused
    await interaction.client.host.vacations.announce(
        interaction.user.id, typed_date(interaction, typed.get(FIRST, "")), number
    )
    await _show(interaction)


async def _show(interaction: Interaction, *, ended: bool = False) -> None:
    vacations, user_id = interaction.client.host.vacations, interaction.user.id
    found, left = await vacations.of(user_id), await vacations.left(user_id)
    begun = next((entry for entry in found if vacations.has_begun(entry)), None)
    view = vacation_panel(found, left, begun, ended=ended)
    await interaction.edit_original_response(view=view, attachments=[])


def typed_date(interaction: Interaction, typed: str) -> date:
    """Parse a typed ISO date.

    Raises:
        RefusedError: ``bad_date``: it is no date, or further than :data:`MAX_DISTANCE` from today.
    """
    try:
        found = date.fromisoformat(typed.strip())
    except ValueError as error:
        raise RefusedError("bad_date", typed=safe(clipped(typed, MAX_TYPED))) from error
    if abs(found - interaction.created_at.date()) > MAX_DISTANCE:
        raise RefusedError("bad_date", typed=found.isoformat())
    return found


HANDLERS: Final = {
    Op.VACATION: Handler(Ack.UPDATE, press_vacation),
    Op.BACK: Handler(Ack.UPDATE, press_back),
    Op.DAYS: Handler(Ack.MODAL, press_days),
    Op.AWAY: Handler(Ack.UPDATE, submit_away),
}
