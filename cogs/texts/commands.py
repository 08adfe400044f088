"""Commands as sentences name them: ``</carc play:id>``, to be pressed, once it is known how Discord numbers them.

A text says `` `/carc play` ``. Once the bot is registered that becomes the mention of the command; what is typed behind
a command (`` `/carc board words:` ``) cannot stand in it and follows. Names of commands are the same in all languages.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

_NAMED: Final = re.compile(r"`/([a-z-]+)((?: [a-z-]+)*)((?: [^`]*)?)`")
_ids: Final[dict[str, int]] = {}
"""Discord's number of each command, by its first word; none before the bot is registered."""


def number_commands(ids: Mapping[str, int]) -> None:
    """Say how Discord numbers the commands, by their first words."""
    forget_commands()
    _ids.update(ids)


def forget_commands() -> None:
    """Commands have no numbers any more: the bot goes."""
    _ids.clear()


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
