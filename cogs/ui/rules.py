"""Rules in words: the presets to choose from, and what a game's options change."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from discord import app_commands

from cogs.texts import listed, t
from engine import DEFAULT_GAME, GAMES
from engine.carcassonne import GAME as CARCASSONNE
from engine.carcassonne import PRESETS, Options
from engine.carcassonne.expansions import REGISTRY
from engine.carcassonne.setup import BASE_SET

EXPANSION_CHOICES: Final = [
    app_commands.Choice(name=t(f"expansion.{name}"), value=name) for name in (*REGISTRY, BASE_SET)
]
PRESET_CHOICES: Final = [app_commands.Choice(name=t(f"preset.{name}"), value=name) for name in PRESETS]


def preset_options(preset: str, bazaars: str) -> dict[str, Any]:
    """The options of a preset that differ from the standard, bazaars held as chosen."""
    options = dict(PRESETS[preset].differences())
    if bazaars:
        options["bazaar_mode"] = bazaars
    return Options.of(options).differences()


def short_rules(game: str, expansions: tuple[str, ...]) -> Iterator[str]:
    """The rules of a game and its expansions in short."""
    yield t(f"rules.{BASE_SET if game == CARCASSONNE else game}")
    for name in expansions:
        box = REGISTRY[name]
        yield t(f"rules.{name}")
        yield t("rules.box", number=box.number, years=listed([str(year) for year in box.years]))


def options_words(expansions: tuple[str, ...], options: Mapping[str, Any], game: str = DEFAULT_GAME) -> str:
    """What is played: expansions, and each rule that differs from the standard."""
    expanded = [t(f"expansion.{name}") for name in expansions or (BASE_SET,)]
    names = expanded if game == CARCASSONNE else [t(f"rulebook.game.{game}")]
    lines = [t("rules.expansions", name=listed(names))]
    differences = [t(f"option.{name}.{value}") for name, value in GAMES[game].options.of(options).differences().items()]
    lines += [t("rules.difference", words=words) for words in differences] or [t("rules.standard")]
    return "\n".join(lines)
