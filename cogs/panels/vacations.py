"""Somebody's vacations in a private panel, and the modal in which one is announced."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from discord import ButtonStyle, ui

from cogs.interactions.replies import button
from cogs.messages import add_line, form, layout, rows
from cogs.presenting.ids import Key, Op
from cogs.texts import t

if TYPE_CHECKING:
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
