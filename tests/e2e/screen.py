"""What a member sees of a message: its words, its buttons, its pictures' alt texts."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum, auto
from typing import Any

from simcord.components import walk_components

from cogs import texts
from cogs.games.carcassonne.boxes.bridges_castles_bazaars import operations
from cogs.presenting.ids import Key, Op, parse_key
from cogs.texts import LANGUAGE, listed, t
from cogs.texts.catalogue import texts_of
from cogs.texts.languages import speaking

BUTTON = 2
TEXT = 10
GALLERY = 12
_PAGE = re.compile(r"p\d+b?")
_COMMAND = re.compile(r"</([a-z -]+):\d+>(?: `([^`]*)`)?")
_MENTION = re.compile(r"<@!?(\d+)>")


class MemberLanguage:
    """Those of the members, who read one language."""

    language = LANGUAGE


def localized(key: str, **values: object) -> str:
    """A sentence as members read it."""
    with speaking(MemberLanguage.language):
        return t(key, **values)


def localized_list(items: Sequence[str]) -> str:
    """A list as members read it."""
    with speaking(MemberLanguage.language):
        return listed(items)


def says(text: str, key: str) -> bool:
    """Whether a text holds a sentence in one of its forms, whatever is filled in."""
    typed = _COMMAND.sub(_as_typed, text)
    forms = texts_of(texts.catalogue(MemberLanguage.language).sentences[key])
    return any(all(part in typed for part in re.split(r"\{[^{}]*\}", form)) for form in forms)


def _as_typed(mention: re.Match[str]) -> str:
    """A command as texts name it before it has a number."""
    name, below = mention.groups()
    return f"`/{name}{' ' + below if below else ''}`"


class Kind(StrEnum):
    """What a button is for, in the order of a turn."""

    PLAY = auto()
    SPOT = auto()
    PAGE = auto()
    """More spots, or those that need a bridge."""
    DECLINE = auto()
    ROTATE = auto()
    BRIDGE = auto()
    SWITCH = auto()
    """Another figure for the same places."""
    FOLLOWER = auto()
    QUESTION = auto()
    """What else the turn asks, in the composer."""
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
            case Op.PLAN | Op.GO if self.label == localized("button.decline"):
                return Kind.DECLINE
            case Op.PLAN:
                return self._step()
            case Op.GO if self.label == localized("button.confirm"):
                return Kind.CONFIRM
            case Op.GO:
                return Kind.FOLLOWER if self._is_figure else Kind.QUESTION
            case Op.PLAY | Op.MODE | Op.ACT | operations.LOT | operations.OTHER as op:
                return Kind(op.value)
            case _:
                return Kind.ASIDE

    @property
    def _is_figure(self) -> bool:
        """Whether it puts a figure somewhere, or nowhere."""
        return self.label[0].isdigit() or self.label in {localized("button.no_follower"), localized("button.no_figure")}

    def _is(self, key: str, name: str) -> bool:
        """Whether its label is a sentence, whatever is filled in for a name."""
        before, _, after = localized(key, **{name: "|"}).partition("|")
        return self.label.startswith(before) and self.label.endswith(after)

    def _step(self) -> Kind:  # noqa: PLR0911 - one return a kind
        if self.label in {localized("button.back"), localized("button.change")}:
            return Kind.BACK
        if _PAGE.fullmatch(self.key.argument):
            return Kind.PAGE
        if self.label == localized("button.rotate"):
            return Kind.ROTATE
        if self._is("button.switch", "figure"):
            return Kind.SWITCH
        if len(self.label) == 1:
            return Kind.SPOT
        if self._is_figure:
            return Kind.FOLLOWER
        bridge = localized("button.bridge", cell="|", axis="|").split("|")[0]
        return Kind.BRIDGE if self.label.startswith(bridge) else Kind.QUESTION


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


def buttons_by_kind(components: Iterable[Any]) -> dict[Kind, list[Button]]:
    """The buttons that can be pressed, sorted by what they are for."""
    found: dict[Kind, list[Button]] = {}
    for button in buttons(components):
        found.setdefault(button.kind, []).append(button)
    return found


def words(components: Iterable[Any]) -> str:
    """All that a message says."""
    return "\n".join(part["content"] for part in walk_components(components) if part["type"] == TEXT)


def mentioned_users(components: Iterable[Any]) -> list[int]:
    """The members whom a message addresses."""
    return [int(number) for number in _MENTION.findall(words(components))]


def alt_texts(components: Iterable[Any]) -> Iterator[str]:
    """The description of each picture; empty where there is none."""
    for part in walk_components(components):
        if part["type"] == GALLERY:
            yield from (item.get("description") or "" for item in part["items"])
