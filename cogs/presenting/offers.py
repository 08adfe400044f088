"""Buttons before they are any: what each says and does; game and ply are those of the position it belongs to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from discord import ButtonStyle

from cogs.presenting.ids import Op, Operation
from cogs.texts import t
from engine import Action

QUICK: Final = "quick"
CAREFUL: Final = "careful"
"""How a player makes moves, in the argument of ``Op.MODE``."""


@dataclass(frozen=True, slots=True)
class Offer:
    """Something that a player may press; :func:`cogs.interactions.press.pressable` makes a button of it."""

    op: Operation
    label: str
    argument: str = ""
    style: ButtonStyle = ButtonStyle.secondary


@dataclass(frozen=True, slots=True)
class MenuEntry:
    """An entry of a list: what it is called, the argument that it stands for, and what else is said of it."""

    label: str
    argument: str
    description: str = ""


@dataclass(frozen=True, slots=True)
class Menu:
    """A list from which one entry is chosen, for an operation."""

    op: Operation
    placeholder: str
    entries: Sequence[MenuEntry]


def act(action: Action, label: str, style: ButtonStyle = ButtonStyle.secondary) -> Offer:
    """The offer to do one action."""
    return Offer(Op.ACT, label, str(action), style)


def mode_offer(plan: str, *, confirm: bool) -> Offer:
    """The switch between confirming each move and not, which shows the same plan again."""
    label = t("button.careful_on" if confirm else "button.quick_on")
    return Offer(Op.MODE, label, f"{QUICK if confirm else CAREFUL} {plan}")
