"""Rules in words: the presets to choose from, and what a game's options change."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from discord import app_commands

from cogs.texts import listed, t
from engine import PRESETS, Options
from engine.expansions import REGISTRY
from engine.setup import BASE_SET

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


def options_words(expansions: tuple[str, ...], options: Mapping[str, Any]) -> str:
    """What is played: expansions, and each rule that differs from the standard."""
    names = [t(f"expansion.{name}") for name in expansions or (BASE_SET,)]
    lines = [t("rules.expansions", name=listed(names))]
    differences = [t(f"option.{option}.{value}") for option, value in Options.of(options).differences().items()]
    lines += [t("rules.difference", words=words) for words in differences] or [t("rules.standard")]
    return "\n".join(lines)
