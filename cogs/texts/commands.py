"""Commands as sentences name them: ``</carc play:id>``, to be pressed, once it is known how Discord numbers them.

A text says `` `/carc play` ``. Once the bot is registered that becomes the mention of the command; what is typed behind
a command (`` `/carc board words:` ``) cannot stand in it and follows. Names of commands are the same in all languages.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

_NAMED: Final = re.compile(r"`/([a-z-]+)((?: [a-z-]+)*)((?: [^`]*)?)`")
_numbers: Final[dict[int, Mapping[str, int]]] = {}
"""Of each bot of this process that is registered, Discord's numbers of its commands, by their first words."""
_ids: Final[dict[str, int]] = {}
"""Those that are the same for all of them: whoever looks up a sentence does not say for which bot."""


def number_commands(ids: Mapping[str, int], bot: object = None) -> None:
    """Say how Discord numbers the commands of a bot, by their first words."""
    _numbers[id(bot)] = dict(ids)
    _agree()


def forget_commands(bot: object = None) -> None:
    """The commands of a bot have no numbers any more: it goes."""
    _numbers.pop(id(bot), None)
    _agree()


def _agree() -> None:
    """Keep what can be mentioned whichever bot says it: a number that is another bot's leads nowhere."""
    _ids.clear()
    if _numbers:
        _ids.update(set.intersection(*(set(ids.items()) for ids in _numbers.values())))


def names_command(text: str) -> bool:
    """Whether a text names a command."""
    return _NAMED.search(text) is not None


def mentioning(text: str) -> str:
    """A text whose commands can be pressed."""
    return _NAMED.sub(_mention, text) if _ids else text


def _mention(found: re.Match[str]) -> str:
    root, below, typed = found.groups()
    if root not in _ids:
        return found[0]
    mention = f"</{root}{below}:{_ids[root]}>"
    return f"{mention} `{typed.strip()}`" if typed else mention
