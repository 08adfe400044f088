"""Readers of a message as members see it: its texts, its buttons, the alt texts of its pictures.

A custom id is the hidden text that a button sends to the bot; a card is a public message about a move. `localized`
looks a text up in the language of the test's members.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum, auto
from typing import Any

from simcord.components import walk_components

from cogs import texts
from cogs.games.carcassonne.boxes.bridges_castles_bazaars import bazaars
from cogs.presenting.ids import Key, Op, parse_key
from cogs.texts import LANGUAGE, listed, t
from cogs.texts.catalogue import texts_of
from cogs.texts.languages import speaking

BUTTON, TEXT, GALLERY = 2, 10, 12
"""Discord's numbers of component types."""
_PAGE = re.compile(r"p\d+b?")
"""The argument of a button that turns a page."""
_CELL = re.compile(r"-?[A-Z]{1,2}-?\d+")
"""The label of a spot."""
_LETTERED = re.compile(r"[A-Z] ")
"""The beginning of the label of a place for a figure."""
_COMMAND_MENTION = re.compile(r"</([a-z -]+):\d+>(?: `([^`]*)`)?")
"""A command as a link, with its options."""
_USER_MENTION = re.compile(r"<@!?(\d+)>")
"""A mention of a user, with their id."""


class MemberLanguage:
    """The language in which the members read."""

    language = LANGUAGE


def localized(key: str, **values: object) -> str:
    """Return a text in the members' language."""
    with speaking(MemberLanguage.language):
        return t(key, **values)


def localized_list(items: Sequence[str]) -> str:
    """Return a list joined as in the members' language."""
    with speaking(MemberLanguage.language):
        return listed(items)


def says(text: str, key: str) -> bool:
    """Return whether a text contains the text of a key, in any plural form and with any placeholder values."""
    typed = _COMMAND_MENTION.sub(_without_id, text)
    forms = texts_of(texts.catalogue(MemberLanguage.language).sentences[key])
    return any(all(part in typed for part in re.split(r"\{[^{}]*\}", form)) for form in forms)


def _without_id(mention: re.Match[str]) -> str:
    """Return a command mention as texts write it before its id is known."""
    name, below = mention.groups()
    return f"`/{name}{' ' + below if below else ''}`"


class Kind(StrEnum):
    """The purpose of a button, in the order of a turn."""

    PLAY = auto()
    SPOT = auto()
    PAGE = auto()
    """Another page of spots, or the spots that need a bridge."""
    DECLINE = auto()
    ROTATE = auto()
    BRIDGE = auto()
    SWITCH = auto()
    """Another kind of figure for the same places."""
    FOLLOWER = auto()
    QUESTION = auto()
    """Another question of the turn, in the composer."""
    CONFIRM = auto()
    BACK = auto()
    MODE = auto()
    """The switch between quick and careful mode."""
    ACT = auto()
    """A decision that the card itself offers."""
    LOT = auto()
    """One of the tiles of a bazaar."""
    OTHER = auto()
    """Another amount than those that have buttons."""
    OTHER_PURPOSE = auto()
    """No part of a move: the board, the rules, the lobby's buttons."""


@dataclass(frozen=True, slots=True)
class Button:
    """An enabled button with a custom id of the bot."""

    custom_id: str
    label: str
    key: Key

    @property
    def kind(self) -> Kind:
        """The purpose of the button."""
        match self.key.op:
            case Op.PLAN | Op.GO if self.label == localized("button.decline"):
                return Kind.DECLINE
            case Op.PLAN:
                return self._plan_kind()
            case Op.GO if self.label == localized("button.confirm"):
                return Kind.CONFIRM
            case Op.GO:
                return Kind.FOLLOWER if self._is_figure else Kind.QUESTION
            case Op.PLAY | Op.MODE | Op.ACT | bazaars.LOT | bazaars.OTHER as op:
                return Kind(op.value)
            case _:
                return Kind.OTHER_PURPOSE

    @property
    def _is_figure(self) -> bool:
        """True if it places a figure, or declines to place one."""
        return bool(_LETTERED.match(self.label)) or self.label in {
            localized("button.no_follower"),
            localized("button.no_figure"),
        }

    def _has_text(self, key: str, name: str) -> bool:
        """Return whether the label is the text of a key, with any value for the placeholder."""
        before, _, after = localized(key, **{name: "|"}).partition("|")
        return self.label.startswith(before) and self.label.endswith(after)

    def _plan_kind(self) -> Kind:  # noqa: PLR0911 - one return a kind
        """Return the kind of a button of the composer."""
        if self.label in {localized("button.back"), localized("button.change")}:
            return Kind.BACK
        if _PAGE.fullmatch(self.key.argument):
            return Kind.PAGE
        if self.label.isdigit():
            return Kind.ROTATE
        if self._has_text("button.switch", "figure"):
            return Kind.SWITCH
        if _CELL.fullmatch(self.label):
            return Kind.SPOT
        if self._is_figure:
            return Kind.FOLLOWER
        bridge = localized("button.bridge", cell="|", axis="|").split("|")[0]
        return Kind.BRIDGE if self.label.startswith(bridge) else Kind.QUESTION


def buttons(components: Iterable[Any]) -> list[Button]:
    """Return the enabled buttons, without links."""
    result = []
    for component in walk_components(components):
        if component["type"] != BUTTON or component.get("disabled") or "custom_id" not in component:
            continue
        key = parse_key(component["custom_id"])
        assert key is not None, component
        result.append(Button(component["custom_id"], component["label"], key))
    return result


def buttons_by_kind(components: Iterable[Any]) -> dict[Kind, list[Button]]:
    """Return the enabled buttons, grouped by purpose."""
    by_kind: dict[Kind, list[Button]] = {}
    for button in buttons(components):
        by_kind.setdefault(button.kind, []).append(button)
    return by_kind


def words(components: Iterable[Any]) -> str:
    """Return the whole text of a message."""
    return "\n".join(part["content"] for part in walk_components(components) if part["type"] == TEXT)


def mentioned_users(components: Iterable[Any]) -> list[int]:
    """Return the ids of the mentioned users."""
    return [int(number) for number in _USER_MENTION.findall(words(components))]


def picture_urls(components: Iterable[Any]) -> list[str]:
    """Return the URLs of the pictures of a message."""
    galleries = (part for part in walk_components(components) if part["type"] == GALLERY)
    return [str(item["media"]["url"]) for gallery in galleries for item in gallery["items"]]


def alt_texts(components: Iterable[Any]) -> Iterator[str]:
    """Yield the description of each picture; empty if it has none."""
    for part in walk_components(components):
        if part["type"] == GALLERY:
            yield from (item.get("description") or "" for item in part["items"])
