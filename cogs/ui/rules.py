"""Rules in words: what a table plays, and what its options change."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from cogs.presenters import PRESENTERS
from cogs.texts import listed, t
from engine import DEFAULT_GAME, GAMES


def short_rules(game: str, expansions: tuple[str, ...]) -> Iterator[str]:
    """The rules of a game and its expansions in short."""
    return PRESENTERS[game].in_short(expansions)


def options_words(expansions: tuple[str, ...], options: Mapping[str, Any], game: str = DEFAULT_GAME) -> str:
    """What is played: expansions, and each rule that differs from the standard."""
    lines = [t("rules.expansions", name=listed(PRESENTERS[game].played(expansions)))]
    differences = [t(f"option.{name}.{value}") for name, value in GAMES[game].options.of(options).differences().items()]
    lines += [t("rules.difference", words=words) for words in differences] or [t("rules.standard")]
    return "\n".join(lines)
