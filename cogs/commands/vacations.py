"""Vacations: ``/carc vacation``, its private panel, the modal that announces one, and the button in the settings."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from typing import TYPE_CHECKING, Final

from discord import ButtonStyle, app_commands, ui
from discord.ext import commands

from cogs.interactions.replies import acknowledge, button, guarded
from cogs.messages import add_line, form, layout, rows, typed_values
from cogs.presenting.ids import Key, Op
from cogs.services.bot import Ack, Handling
from cogs.texts import t
from cogs.words.names import safe
from cogs.words.refusals import RefusedError
from cogs.words.story import clipped
from host import DAYS_OF_YEAR

if TYPE_CHECKING:
    from cogs.services.bot import Interaction
    from host import Vacation


NO_TABLE: Final = "0"
"""Instead of the code of a game: a vacation is from all of them."""
FIRST: Final = "first"
DAYS: Final = "days"
"""The custom ids of the modal's fields."""
LONGEST_TYPED: Final = 20
MOST: Final = 10
"""Vacations that are listed: the next ones."""


def vacation_panel(
    found: Sequence[Vacation], left: int, begun: Vacation | None, *, ended: bool = False
) -> ui.LayoutView:
    """Show what is announced, how much is left of the year, and the ways to change it.

    ``begun`` is the vacation that has begun, if one has; ``ended`` says that one was just ended early.
    """
    shown = found[:MOST]
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
    """Asks from when and for how long."""
    modal = form(t("modal.vacation_title"), Key(Op.AWAY, NO_TABLE))
    for name in (FIRST, DAYS):
        add_line(modal, name, longest=LONGEST_TYPED, words=f"vacation_{name}", required=True)
    return modal


FARTHEST: Final = timedelta(days=730)
"""How far ahead a vacation may be announced; days as far back are none that anybody means."""


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
        days: app_commands.Range[int, 1, DAYS_OF_YEAR] | None = None,
        drop: str = "",
        *,
        end: bool = False,
    ) -> None:
        """Show the member's vacations, after announcing, taking back or ending what is typed."""
        await guarded(interaction, _vacation(interaction, first, days, drop, end=end))


async def _vacation(interaction: Interaction, first: str, days: int | None, drop: str, *, end: bool) -> None:
    if not await acknowledge(interaction, Ack.PANEL):
        return
    vacations = interaction.client.host.vacations
    if end:
        await vacations.end(interaction.user.id)
    if drop:
        await vacations.drop(interaction.user.id, typed_date(interaction, drop))
    if first or days is not None:
        await vacations.announce(interaction.user.id, typed_date(interaction, first), 1 if days is None else days)
    await _show(interaction, ended=end)


async def press_vacation(interaction: Interaction, key: Key) -> None:
    """Show somebody's vacations, after taking back the one in the argument."""
    if key.argument:
        await interaction.client.host.vacations.drop(interaction.user.id, typed_date(interaction, key.argument))
    await _show(interaction)


async def press_back(interaction: Interaction, key: Key) -> None:
    """End the vacation that began on the day in the argument."""
    await interaction.client.host.vacations.end(interaction.user.id, typed_date(interaction, key.argument))
    await _show(interaction, ended=True)


async def press_days(interaction: Interaction, _: Key) -> None:
    """Ask from when and for how long."""
    await interaction.response.send_modal(vacation_modal())


async def submit_away(interaction: Interaction, _: Key) -> None:
    """Announce what was typed."""
    typed = typed_values(interaction.data or {})
    days = typed.get(DAYS, "").strip()
    number = int(days) if days.isascii() and days.isdecimal() and len(days) < len("1000") else 0
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
    """A day as it is typed.

    Raises:
        RefusedError: ``bad_date``: it is none, or too far away.
    """
    try:
        found = date.fromisoformat(typed.strip())
    except ValueError as error:
        raise RefusedError("bad_date", typed=safe(clipped(typed, LONGEST_TYPED))) from error
    if abs(found - interaction.created_at.date()) > FARTHEST:
        raise RefusedError("bad_date", typed=found.isoformat())
    return found


HANDLINGS: Final = {
    Op.VACATION: Handling(Ack.UPDATE, press_vacation),
    Op.BACK: Handling(Ack.UPDATE, press_back),
    Op.DAYS: Handling(Ack.MODAL, press_days),
    Op.AWAY: Handling(Ack.UPDATE, submit_away),
}
