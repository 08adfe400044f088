"""What a member sees of a message: its words, its buttons, its pictures' alt texts."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum, auto
from typing import Any

from simcord.components import walk_components

from cogs.carcassonne.plan import Plan
from cogs.texts import t
from cogs.ui.ids import Key, Op, parse_key

BUTTON = 2
TEXT = 10
GALLERY = 12
_MENTION = re.compile(r"<@!?(\d+)>")


class Kind(StrEnum):
    """What a button is for, in the order of a turn."""

    PLAY = auto()
    SPOT = auto()
    PAGE = auto()
    """More spots, or those that need a bridge."""
    DECLINE = auto()
    ROTATE = auto()
    BRIDGE = auto()
    FOLLOWER = auto()
    CONFIRM = auto()
    BACK = auto()
    MODE = auto()
    ACT = auto()
    LOT = auto()
    OTHER = auto()
    ASIDE = auto()
    """Nothing that brings the game on: the board, the rules, the lobby's buttons."""


@dataclass(frozen=True, slots=True)
class Button:
    """An enabled button that the bot answers."""

    custom_id: str
    label: str
    key: Key

    @property
    def kind(self) -> Kind:
        """What it is for."""
        match self.key.op:
            case Op.PLAN:
                return self._step()
            case Op.GO if self.key.argument == "decline":
                return Kind.DECLINE
            case Op.GO:
                return Kind.CONFIRM if self.label == t("button.confirm") else Kind.FOLLOWER
            case Op.PLAY | Op.MODE | Op.ACT | Op.LOT | Op.OTHER as op:
                return Kind(op.value)
            case _:
                return Kind.ASIDE

    def _step(self) -> Kind:
        plan = Plan.parse(self.key.argument)
        if self.label in {t("button.back"), t("button.change")}:
            return Kind.BACK
        if plan.place is None:
            return Kind.PAGE
        if plan.follower is not None:
            return Kind.FOLLOWER
        if self.label == t("button.rotate"):
            return Kind.ROTATE
        return Kind.SPOT if len(self.label) == 1 else Kind.BRIDGE


def buttons(components: Iterable[Any]) -> list[Button]:
    """The buttons that can be pressed, without links."""
    found = []
    for component in walk_components(components):
        if component["type"] != BUTTON or component.get("disabled") or "custom_id" not in component:
            continue
        key = parse_key(component["custom_id"])
        assert key is not None, component
        found.append(Button(component["custom_id"], component["label"], key))
    return found


def by_kind(components: Iterable[Any]) -> dict[Kind, list[Button]]:
    """The buttons that can be pressed, sorted by what they are for."""
    found: dict[Kind, list[Button]] = {}
    for button in buttons(components):
        found.setdefault(button.kind, []).append(button)
    return found


def words(components: Iterable[Any]) -> str:
    """All that a message says."""
    return "\n".join(part["content"] for part in walk_components(components) if part["type"] == TEXT)


def mentioned(components: Iterable[Any]) -> list[int]:
    """The members whom a message addresses."""
    return [int(number) for number in _MENTION.findall(words(components))]


def alt_texts(components: Iterable[Any]) -> Iterator[str]:
    """The description of each picture; empty where there is none."""
    for part in walk_components(components):
        if part["type"] == GALLERY:
            yield from (item.get("description") or "" for item in part["items"])
